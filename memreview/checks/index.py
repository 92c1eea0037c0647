"""The index of a memory folder, measured as the client measures it, and what it names.

Every limit and rule here was measured on Claude Code 2.1.332 (:data:`MEASURED_ON`); other versions may differ. The
client reads the index as UTF-8 without its byte order mark, takes a leading frontmatter and block comments out, trims
it and loads at most :data:`LINE_LIMIT` lines and :data:`UNIT_LIMIT` UTF-16 code units, cut at a line's end.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from memreview.checks.index_links import (
    Names,
    Pointer,
    candidates,
    is_listed,
    is_tombstone,
    links,
    only_plain_links,
    reached,
    wiki_ends,
    wiki_names,
)
from memreview.checks.index_text import LoadedText, is_unclosed, loaded_text, utf16_units
from memreview.model.memory import INDEX_NAME

__all__ = [
    "LINE_LIMIT",
    "MEASURED_ON",
    "NEAR_LINES",
    "NEAR_UNITS",
    "UNIT_LIMIT",
    "IndexState",
    "IndexStatus",
    "LoadedText",
    "Pointer",
    "examine",
    "is_listed",
    "loaded_text",
    "measure",
    "utf16_units",
]

MEASURED_ON = "2.1.332"
"""The client's version that the limits were measured on."""
LINE_LIMIT = 200
"""Lines of the index that are loaded."""
UNIT_LIMIT = 25_000
"""UTF-16 code units of the index that are loaded."""
NEAR_LINES = 160
"""From this many lines on, the client asks for the index to be compacted."""
NEAR_UNITS = 20_000
"""From this many units on, the client asks for the index to be compacted."""


class IndexStatus(StrEnum):
    """Whether a session sees the whole index."""

    NONE = "none"
    """There is no text that could be loaded."""
    OK = "ok"
    NEAR = "near"
    """Whole, but at four fifths of a limit or more."""
    CUT = "cut"
    """Something is left out."""


@dataclass(frozen=True, slots=True)
class IndexState:
    """Size of an index and what it leads to.

    ``lines`` and ``units`` are those of the whole measured text, ``loaded_lines`` the whole lines that a session gets,
    ``first_lost_line`` the raw line at which loading stops. ``dangling`` are links to files that do not exist,
    ``orphans`` notes that neither the index names nor a note that it leads to; those that only another note names are
    ``second_level``. ``lost`` are notes whose only pointers stand behind the cut: ``target`` is the note, ``line`` its
    first pointer. ``unclosed`` says that the frontmatter is opened and never closed, so that all of it is loaded.
    """

    status: IndexStatus
    lines: int = 0
    units: int = 0
    loaded_lines: int = 0
    first_lost_line: int | None = None
    dangling: tuple[Pointer, ...] = ()
    orphans: tuple[str, ...] = ()
    lost: tuple[Pointer, ...] = ()
    second_level: tuple[str, ...] = ()
    unclosed: bool = False


def measure(text: LoadedText) -> IndexState:
    """Size and status of an index, without what it leads to."""
    if not text.text:
        return IndexState(IndexStatus.NONE)
    lines = text.text.split("\n")
    units = utf16_units(text.text)
    loaded = len(lines)
    if loaded > LINE_LIMIT or units > UNIT_LIMIT:
        loaded, used = 0, -1
        for line in lines[:LINE_LIMIT]:
            used += 1 + utf16_units(line)
            if used > UNIT_LIMIT:
                break
            loaded += 1
    lost = text.raw_lines[loaded] if loaded < len(lines) else None
    near = len(lines) >= NEAR_LINES or units >= NEAR_UNITS
    status = IndexStatus.CUT if lost is not None else IndexStatus.NEAR if near else IndexStatus.OK
    return IndexState(status, len(lines), units, loaded, lost)


def loaded_end(text: LoadedText, size: IndexState) -> int:
    """How many characters of the text a session gets."""
    if size.status is not IndexStatus.CUT:
        return len(text.text)
    if size.loaded_lines:
        return sum(len(line) + 1 for line in text.text.split("\n")[: size.loaded_lines]) - 1
    kept = text.text[:UNIT_LIMIT].encode("utf-16-le", "surrogatepass")[: 2 * UNIT_LIMIT]
    return len(kept.decode("utf-16-le", "ignore"))


def examine(
    notes: Mapping[str, bytes], exists: Callable[[str], bool], locate: Callable[[str], str | None] | None = None
) -> IndexState:
    """The state of the index among ``notes`` (path → bytes, the index included).

    ``exists`` is asked for link targets that are no notes, with a path relative to the memory folder or an absolute
    one; ``locate`` says which note lies at such a path, where it leads out of the folder and in again. Without an index
    nothing is dangling and no note is an orphan, since the client writes one at its next start.
    """
    if INDEX_NAME not in notes:
        return IndexState(IndexStatus.NONE)
    data = notes[INDEX_NAME]
    text = loaded_text(data)
    size = measure(text)
    listed = [path for path in notes if is_listed(path)]
    named, dangling = _named(text, notes, listed, exists, locate or (lambda _: None))
    loaded = loaded_end(text, size)
    lost = sorted((min(ends), path) for path, ends in named.items() if min(ends) > loaded)
    unnamed = [path for path in listed if path not in named and not is_tombstone(notes[path])]
    second = reached(notes, named, unnamed) if unnamed else set()
    rows = _row_starts(text.text) if lost else []
    return replace(
        size,
        dangling=tuple(dangling),
        orphans=tuple(sorted(path for path in unnamed if path not in second)),
        lost=tuple(Pointer(text.raw_lines[bisect.bisect_left(rows, end) - 1], path) for end, path in lost),
        second_level=tuple(sorted(second)),
        unclosed=is_unclosed(data),
    )


def _named(
    text: LoadedText,
    notes: Mapping[str, bytes],
    listed: Sequence[str],
    exists: Callable[[str], bool],
    locate: Callable[[str], str | None],
) -> tuple[dict[str, list[int]], list[Pointer]]:
    """Where each listed note is named, as the offsets at which that ends, and which links lead nowhere."""
    named = Names(listed).ends(text.text)
    dangling: list[Pointer] = []

    def is_there(path: str) -> bool:
        return path in notes or exists(path)

    if not only_plain_links(text.text, is_there):
        rows = _row_starts(text.text)
        for link in links(text):
            found = [path for path in candidates(link.target) if is_there(path)]
            if not found:
                dangling.append(Pointer(text.raw_lines[link.row], link.target))
            # A target with escapes in it does not stand in the text as it is: then its row has to do.
            stop = rows[link.row + 1] if link.row + 1 < len(rows) else len(text.text)
            at = text.text.find(link.target, rows[link.row], stop)
            end = at + len(link.target) if at >= 0 else rows[link.row] + 1
            for path in (path if path in notes else locate(path) for path in found):
                if path is not None and path in notes and is_listed(path):
                    named.setdefault(path, []).append(end)
    wiki = wiki_ends(text.text)
    for path in listed if wiki else ():
        for key in wiki_names(path, notes[path]) & wiki.keys():
            named.setdefault(path, []).extend(wiki[key])
    return named, dangling


def _row_starts(text: str) -> list[int]:
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts
