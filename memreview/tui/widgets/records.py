"""Where the records of a transcript stand on the screen, found out only for those that are looked at.

A transcript may hold a million records whose heights nobody knows before they are read and wrapped. So there is no
table of rows: a :class:`Place` names a record and a row in it, and :class:`RecordFlow` walks from there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple, Protocol

from memreview.model.transcript import Record, Speaker
from memreview.report.times import local_moment
from memreview.text import clip
from memreview.tui import content

CLIP_ROWS = 40
"""Rows of a long record that are shown until it is opened."""
CLIP_CHARS = 16_000
"""Code points of a long record that are looked at until it is opened."""
OPEN_CHARS = 400_000
"""Code points of a record that are shown at most; more would take seconds to wrap."""
RAW_CHARS = 400
"""Code points of the JSON that stand for a record without words."""
SKIP_LIMIT = 400
"""Records without words that are passed over in one go; then one of them is shown, so that a key never hangs."""
KEPT_BLOCKS = 4_000
READ_BACK = 32


class Source(Protocol):
    """What is read from a transcript (``read.transcripts.TranscriptFile``)."""

    @property
    def line_count(self) -> int:
        """How many physical lines there are."""

    def record(self, line: int) -> Record | None:
        """The record in a physical line, 1-based."""

    def records(self, start: int, end: int) -> Iterable[Record]:
        """The records of lines ``start`` to ``end``, both included."""

    def raw(self, line: int) -> bytes | None:
        """The bytes of a line."""


class Place(NamedTuple):
    """A row on the screen: the record's line, and the row in its block."""

    line: int
    row: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """One row. ``kind``: ``day`` (a date), ``text``, ``raw`` (JSON of a record without words), ``more`` (what is cut).

    ``text`` is fit to be drawn; ``start``/``end`` say which part of the paragraph ``whole`` it is, so that a match can
    be marked that a wrap has cut in two. ``first`` is True where the record's line, time and speaker belong.
    """

    kind: str
    record: Record
    text: str
    first: bool = False
    whole: str = ""
    start: int = 0
    end: int = 0


Block = tuple[Row, ...]


def moment(record: Record) -> datetime | None:
    """The time of a record in the reader's time zone, None where it has none that can be read."""
    return local_moment(record.timestamp)


def day_of(record: Record) -> str:
    """The day of a record with its weekday: ``Sunday 1 November 2026``, or nothing."""
    at = moment(record)
    return f"{at:%A} {at.day} {at:%B} {at.year}" if at else ""


def time_of(record: Record) -> str:
    """The hour and minute of a record, or blanks."""
    at = moment(record)
    return f"{at:%H:%M}" if at else ""


class RecordFlow:
    """The rows of a transcript for a width, by walking; ``show_all`` shows records without words too."""

    def __init__(self, source: Source, width: int, *, cited: Iterable[int] = (), mask: bool = True) -> None:
        self.source = source
        self.cited = frozenset(cited)
        self.show_all = False
        self.opened: set[int] = set()
        self._width = max(width, 10)
        self._mask = mask
        self._forced: set[int] = set()
        self._blocks: dict[int, Block] = {}
        self._records: dict[int, Record | None] = {}
        self._days: dict[int, str] = {}

    @property
    def width(self) -> int:
        """Cells for the text of a record."""
        return self._width

    def set_width(self, width: int) -> None:
        """Wrap for another width."""
        width = max(width, 10)
        if width != self._width:
            self._width = width
            self._blocks.clear()

    def set_show_all(self, show_all: bool) -> None:
        """Show records in which nobody says anything, or hide them."""
        self.show_all = show_all
        self._blocks.clear()

    def toggle_opened(self, line: int) -> None:
        """Show all of a long record, or its beginning again."""
        self.opened.symmetric_difference_update({line})
        self._blocks.pop(line, None)

    # Which records are shown

    def record(self, line: int) -> Record | None:
        """The record of a line, kept while it is looked at."""
        if line not in self._records:
            if len(self._records) > 4 * KEPT_BLOCKS:
                self._records.clear()
            self._records[line] = self.source.record(line)
        return self._records[line]

    def is_shown(self, line: int) -> bool:
        """True for records with words, for cited ones, and for all with ``show_all``."""
        if self.show_all or line in self.cited or line in self._forced:
            return 1 <= line <= self.source.line_count
        record = self.record(line)
        return record is not None and record.has_text

    def next_line(self, line: int) -> int | None:
        """The next line that is shown."""
        last = min(self.source.line_count, line + SKIP_LIMIT)
        for number in range(line + 1, last + 1):
            if self.is_shown(number):
                return number
        return self._force(last) if line < last < self.source.line_count else None

    def previous_line(self, line: int) -> int | None:
        """The line before that is shown."""
        first = max(1, line - SKIP_LIMIT)
        number = line - 1
        while number >= first:
            if number not in self._records and not self.show_all:
                self._read_back(number)
            if self.is_shown(number):
                return number
            number -= 1
        return self._force(first) if 1 < first < line else None

    def _read_back(self, line: int) -> None:
        start = max(1, line - READ_BACK + 1)
        for record in self.source.records(start, line):
            self._records.setdefault(record.line, record)

    def _force(self, line: int) -> int:
        self._forced.add(line)
        return line

    def nearest(self, line: int) -> int:
        """A shown line at or after ``line``, else before it, else the line itself (within the file)."""
        line = max(1, min(line, self.source.line_count))
        if self.is_shown(line):
            return line
        return self.next_line(line) or self.previous_line(line) or line

    def first_line(self) -> int:
        """The first line that is shown."""
        return self.next_line(0) or 1

    def last_line(self) -> int:
        """The last line that is shown."""
        return self.previous_line(self.source.line_count + 1) or max(1, self.source.line_count)

    # Blocks: the rows of one record

    def block(self, line: int) -> Block:
        """The rows of one record, at least one."""
        block = self._blocks.get(line)
        if block is None:
            if len(self._blocks) > KEPT_BLOCKS:
                self._blocks.clear()
            block = self._blocks[line] = tuple(self._make(line))
        return block

    def _make(self, line: int) -> Iterator[Row]:
        record = self.record(line) or Record(line, "missing", Speaker.OTHER, "")
        if self._begins_day(record):
            yield Row("day", record, day_of(record))
        if record.has_text:
            yield from self._words(record)
        else:
            yield from self._raw(record)

    def _begins_day(self, record: Record) -> bool:
        day = day_of(record)
        if not day:
            return False
        line = record.line
        before = self.previous_line(line)
        for _ in range(8):
            if before is None:
                return True
            known = self.record(before)
            if known is not None and moment(known) is not None:
                return day_of(known) != day
            before = self.previous_line(before)
        return False

    def _words(self, record: Record) -> Iterator[Row]:
        opened = record.line in self.opened
        words = record.text.strip("\n")
        limit = OPEN_CHARS if opened else CLIP_CHARS
        # What lies just behind the cut is masked with the rest, so that no half of a secret is left over.
        text = self._masked(words[: limit + 200])[:limit]
        rows = at = 0
        for paragraph in text.split("\n"):
            shown = content.shown(paragraph.rstrip("\r"))
            starts = [*content.row_starts(shown, self._width), len(shown)]
            for start, end in pairwise(starts):
                if not opened and rows == CLIP_ROWS:
                    yield Row("more", record, _rest(words, at, opened))
                    return
                yield Row("text", record, shown[start:end].rstrip(), rows == 0, shown, start, end)
                rows += 1
            at += len(paragraph) + 1
        if limit < len(words):
            yield Row("more", record, _rest(words, limit, opened))

    def _masked(self, text: str) -> str:
        if not self._mask:
            return text
        from memreview.text import mask_secrets

        return mask_secrets(text)

    def _raw(self, record: Record) -> Iterator[Row]:
        raw = (self.source.raw(record.line) or b"")[: 4 * RAW_CHARS]
        text = self._masked(raw.decode("utf-8", "surrogateescape").strip())
        what = content.shown(f"{record.kind}: nobody's words" + (f" · {text[:RAW_CHARS]}" if text else ""))
        yield Row("raw", record, clip(what, self._width), True)

    # Walking

    def forward(self, place: Place) -> Place | None:
        """The row below."""
        if place.row + 1 < len(self.block(place.line)):
            return Place(place.line, place.row + 1)
        line = self.next_line(place.line)
        return Place(line) if line is not None else None

    def back(self, place: Place) -> Place | None:
        """The row above."""
        if place.row > 0:
            return Place(place.line, min(place.row, len(self.block(place.line))) - 1)
        line = self.previous_line(place.line)
        return Place(line, len(self.block(line)) - 1) if line is not None else None

    def moved(self, place: Place, rows: int) -> Place:
        """The row that stands ``rows`` below (above where negative), as far as there are any."""
        step: Callable[[Place], Place | None] = self.forward if rows > 0 else self.back
        for _ in range(abs(rows)):
            further = step(place)
            if further is None:
                break
            place = further
        return place

    def window(self, top: Place, height: int) -> list[tuple[Place, Row]]:
        """The rows of a window with ``top`` in its first line, fewer at the end of the transcript."""
        found: list[tuple[Place, Row]] = []
        place: Place | None = top
        while place is not None and len(found) < height:
            block = self.block(place.line)
            found.append((place, block[min(place.row, len(block) - 1)]))
            place = self.forward(place)
        return found

    def lowest_top(self, height: int) -> Place:
        """The place at the top of the window when the transcript's last row stands in its last line."""
        last = self.last_line()
        return self.moved(Place(last, len(self.block(last)) - 1), 1 - height)


def _rest(words: str, at: int, opened: bool) -> str:
    """What is left of a record from the code point ``at`` on, and how to see it."""
    if opened:
        return f"… {len(words) - at:,} more characters, too many to show"
    lines = words.count("\n", at) + 1
    unit = f"{lines:,} more lines" if lines > 1 else f"{len(words) - at:,} more characters"
    return f"… {unit}: enter shows them"


def finder(needle: str) -> re.Pattern[str] | None:
    """What finds a searched text, in any case, in text that is shown; None for an empty one."""
    return re.compile(re.escape(needle), re.IGNORECASE) if needle.strip() else None
