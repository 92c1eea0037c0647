"""Entries of the index: which are long, what is no entry at all, and how many more there is room for.

The client teaches an index of one line a note, each under some 150 characters: an index, not a dump (measured on
2.1.332).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memreview.checks.index import LINE_LIMIT, UNIT_LIMIT, IndexState
from memreview.checks.index_text import LoadedText, utf16_units

ENTRY_CHARS = 150
"""Longer entries carry what belongs in the note."""
RUN_LINES = 3
"""So many lines in a row that point to no note are content."""

_ENTRY = re.compile(r"\s{0,3}(?:[-*+]|\d{1,3}[.)])\s")
_POINTS = re.compile(r"\]\(|\[\[|\.md\b|^\s{0,3}\[[^\]\n]{1,200}\]:")
_NO_CONTENT = re.compile(r"\s*(?:#{1,6}\s.*|\|?[\s:|-]*|>.*)?\Z")


@dataclass(frozen=True, slots=True)
class Run:
    """Lines of the index in a row: from which to which raw line, both included, and their text."""

    first: int
    last: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Headroom:
    """Which limit binds first, and after how many more entries of the present average length; none where it is cut."""

    limit: str
    entries: int
    average_units: int


def long_entries(text: LoadedText) -> Iterator[Run]:
    """Entries that are longer than :data:`ENTRY_CHARS`."""
    if len(text.text) <= ENTRY_CHARS:
        return
    for row, line in enumerate(text.text.split("\n")):
        if len(line) > ENTRY_CHARS and _ENTRY.match(line) and _POINTS.search(line):
            yield Run(text.raw_lines[row], text.raw_lines[row], (line,))


def content(text: LoadedText) -> Iterator[Run]:
    """Runs of at least :data:`RUN_LINES` lines that point to no note and are no headings: content of a note.

    Blank lines do not end a run; headings and pointers do.
    """
    lines = text.text.split("\n")
    start, last, count = 0, -1, 0
    for row, line in enumerate((*lines, "# end")):
        if not line.strip():
            continue
        if _POINTS.search(line) or _NO_CONTENT.match(line):
            if count >= RUN_LINES:
                yield Run(text.raw_lines[start], text.raw_lines[last], tuple(lines[start : last + 1]))
            count = 0
            continue
        start = row if not count else start
        last, count = row, count + 1


def headroom(text: LoadedText, state: IndexState) -> Headroom | None:
    """How many more entries fit; None for an index without text."""
    if not text.text:
        return None
    lines = text.text.split("\n")
    entries = [line for line in lines if _POINTS.search(line)] or [line for line in lines if line.strip()]
    average = max(1, round(sum(utf16_units(line) + 1 for line in entries) / len(entries)))
    by_lines = max(0, LINE_LIMIT - state.lines)
    by_units = max(0, (UNIT_LIMIT - state.units) // average)
    return Headroom("units", by_units, average) if by_units < by_lines else Headroom("lines", by_lines, average)
