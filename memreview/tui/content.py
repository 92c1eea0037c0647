"""The only place where untrusted text becomes something that Textual draws.

Notes, transcripts, diffs and file names go through :func:`shown` (control, escape, bidi and zero-width characters
made visible, tabs made spaces) and reach the screen as :class:`~textual.content.Content` or as segments, whose text
is never read as markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from rich.cells import cell_len, split_graphemes
from textual.content import Content

from memreview import text

TAB = 4
"""Cells between tab stops."""


class Mark(NamedTuple):
    """A stretch of a text, in code points, and the name of the style it is drawn in."""

    start: int
    end: int
    style: str


def decode_line(line: bytes) -> str:
    """One line of a note as text, without its line end (``\\n`` or ``\\r\\n``)."""
    if line.endswith(b"\r\n"):
        line = line[:-2]
    elif line.endswith(b"\n"):
        line = line[:-1]
    return text.decode(line)


def shown(raw: str) -> str:
    """Untrusted text in one line, fit to be drawn."""
    safe = text.visible(raw)
    return _spread_tabs(safe) if "\t" in safe else safe


def shown_with_marks(raw: str, marks: Sequence[Mark]) -> tuple[str, tuple[Mark, ...]]:
    """Untrusted text fit to be drawn, and marks moved from the places of ``raw`` to those of the result."""
    safe = shown(raw)
    if safe == raw or not marks:
        return safe, tuple(marks)
    places = text.visible_offsets(raw)
    before = text.visible(raw)
    if "\t" in before:
        stops = _tab_offsets(before)
        places = [stops[place] for place in places]
    return safe, tuple(Mark(places[mark.start], places[mark.end], mark.style) for mark in marks)


@lru_cache(maxsize=4_096)
def masked(shown_text: str) -> str:
    """A line of shown text with its secrets masked; every character keeps its place."""
    return text.mask_secrets(shown_text)


def overlay(*layers: Sequence[Mark]) -> tuple[Mark, ...]:
    """Layers of marks as one without overlaps; where several apply, the style names all of them, the upper ones last.

    The marks of one layer may overlap too: then the later one is the upper one.
    """
    marks = [mark for layer in layers for mark in layer if mark.start < mark.end]
    if all(one.end <= other.start for one, other in pairwise(marks)):
        return tuple(marks)
    begins: dict[int, list[int]] = {}
    ends: dict[int, list[int]] = {}
    for number, mark in enumerate(marks):
        begins.setdefault(mark.start, []).append(number)
        ends.setdefault(mark.end, []).append(number)
    found: list[Mark] = []
    open_marks: set[int] = set()
    for start, end in pairwise(sorted({*begins, *ends})):
        open_marks.difference_update(ends.get(start, ()))
        open_marks.update(begins.get(start, ()))
        if open_marks:
            found.append(Mark(start, end, " ".join(marks[number].style for number in sorted(open_marks))))
    return tuple(found)


def matches(shown_text: str, wanted: str, style: str) -> tuple[Mark, ...]:
    """Where ``wanted`` stands in a shown line, letter case aside."""
    if not wanted:
        return ()
    found = re.finditer(re.escape(shown(wanted)), shown_text, re.IGNORECASE)
    return tuple(Mark(match.start(), match.end(), style) for match in found if match.group())


def content(raw: str, style: str = "") -> Content:
    """Untrusted text as content for a widget; line breaks in it are shown, not obeyed."""
    return Content.styled(shown(raw), style) if style else Content(shown(raw))


def paragraphs(raw: str, style: str = "") -> Content:
    """Untrusted text of several lines as content for a widget."""
    return Content("\n").join(content(line, style) for line in raw.split("\n"))


def assemble(parts: Iterable[str | tuple[str, str]]) -> Content:
    """One line of content from pieces of untrusted text, each alone or with a style."""
    return Content("").join(content(part) if isinstance(part, str) else content(*part) for part in parts)


def row_starts(shown_text: str, width: int) -> list[int]:
    """Where the rows of a wrapped line begin, in code points: after a space where there is one, else mid-word.

    ``shown_text`` has gone through :func:`shown`. At least one row, the first at 0; ``width`` in cells, at least 2.
    """
    length = len(shown_text)
    if not shown_text.isascii():
        return _wide_row_starts(shown_text, width)
    starts = [0]
    while length - starts[-1] > width:
        start = starts[-1]
        starts.append(_break_before(shown_text, start, start + width))
    if starts[-1] >= length > 0:
        starts.pop()
    return starts


def _break_before(shown_text: str, start: int, end: int) -> int:
    """Where the row after ``start`` begins, if what stands from ``end`` on has no room in this one."""
    space = shown_text.rfind(" ", start + 1, end + 1)
    # A row shorter than a third, because of one long path or URL, wastes more than the broken word costs.
    return space + 1 if space - start >= (end - start) // 3 else end


def _wide_row_starts(shown_text: str, width: int) -> list[int]:
    graphemes, total = split_graphemes(shown_text)
    starts = [0]
    if total <= width:
        return starts
    used = 0
    for start, end, size in graphemes:
        while used + size > width and start > starts[-1]:
            begin = _break_before(shown_text, starts[-1], start)
            if begin >= len(shown_text):
                return starts
            starts.append(begin)
            used = cell_len(shown_text[begin:start])
        used += 0 if end <= starts[-1] else size
    return starts


def _spread_tabs(line: str) -> str:
    done: list[str] = []
    column = 0
    for number, piece in enumerate(line.split("\t")):
        if number:
            gap = TAB - column % TAB
            done.append(" " * gap)
            column += gap
        done.append(piece)
        column += cell_len(piece)
    return "".join(done)


def _tab_offsets(line: str) -> list[int]:
    """Where each code point of ``line``, and its end, comes to stand when tabs are spread."""
    offsets: list[int] = []
    column = at = 0
    for number, piece in enumerate(line.split("\t")):
        if number:
            offsets.append(at)
            gap = TAB - column % TAB
            column, at = column + gap, at + gap
        offsets.extend(range(at, at + len(piece)))
        column, at = column + cell_len(piece), at + len(piece)
    offsets.append(at)
    return offsets
