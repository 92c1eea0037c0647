"""Searching what is said in a transcript, record by record, in an order that finds the nearest match first."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator
from dataclasses import dataclass, field

from memreview.tui.widgets.records import Source, finder

CHUNK = 512
"""Lines between two reports of what was found."""

_WORD = re.compile(r"[A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a stretch of a search found: matching lines, and how many lines were looked at so far."""

    found: tuple[int, ...]
    done: int


def scan(source: Source, needle: str, start: int) -> Iterator[Scanned]:
    """Look for ``needle`` (any case) in the words of all records, from line ``start`` to the end, then from the top.

    JSON writes ASCII letters and digits as they are, so a line without the longest run of them is not parsed.
    """
    pattern = finder(needle)
    if pattern is None:
        return
    run = max(_WORD.findall(needle), key=len, default="").lower().encode()
    count = source.line_count
    start = max(1, min(start, count))
    done = 0
    for first, last in ((start, count), (1, start - 1)):
        for begin in range(first, last + 1, CHUNK):
            end = min(begin + CHUNK - 1, last)
            found = tuple(line for line in range(begin, end + 1) if _matches(source, line, run, pattern))
            done += end - begin + 1
            yield Scanned(found, done)


def _matches(source: Source, line: int, run: bytes, pattern: re.Pattern[str]) -> bool:
    if run and run not in (source.raw(line) or b"").lower():
        return False
    record = source.record(line)
    return record is not None and record.has_text and pattern.search(record.text) is not None


@dataclass(slots=True)
class Matches:
    """The lines found so far by one search.

    ``wanted`` is 1 while the next match is to be shown as soon as it is known, -1 for the one before, else 0.
    """

    needle: str
    total: int
    lines: list[int] = field(default_factory=list)
    done: int = 0
    finished: bool = False
    wanted: int = 1

    def add(self, scanned: Scanned | None) -> None:
        """Take in what was found; None says that all was searched."""
        if scanned is None:
            self.finished = True
            return
        for line in scanned.found:
            insort(self.lines, line)
        self.done = scanned.done

    def target(self, current: int, *, from_here: bool = False) -> int | None:
        """The wanted match as soon as it is known; then none is wanted any more.

        ``from_here`` lets the current line itself be the next match. The one before is known only when all was
        searched, because a search goes on over the end.
        """
        if not self.wanted or not self.lines or (self.wanted < 0 and not self.finished):
            return None
        if from_here and self.wanted > 0 and self.position(current):
            line: int | None = current
        else:
            line = self.after(current) if self.wanted > 0 else self.before(current)
        self.wanted = 0
        return line

    def after(self, line: int) -> int | None:
        """The next matching line, from the top again after the last."""
        if not self.lines:
            return None
        return self.lines[bisect_right(self.lines, line) % len(self.lines)]

    def before(self, line: int) -> int | None:
        """The matching line before, from the end again before the first."""
        return self.lines[bisect_left(self.lines, line) - 1] if self.lines else None

    def position(self, line: int) -> int | None:
        """Which match a line is, 1-based, None where it is none."""
        at = bisect_left(self.lines, line)
        return at + 1 if at < len(self.lines) and self.lines[at] == line else None

    @property
    def percent(self) -> int:
        """How much of the transcript was looked at."""
        return 100 * self.done // self.total if self.total else 100
