"""One pass over the speech of transcripts for many needles at once.

The engine (Hyperscan) looks for thousands of needles at some hundred megabytes a second and says for each record which
of them stand in it; no record is decoded and nothing is kept of it but that.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Final

from memreview.errors import MemreviewError
from memreview.read.needles import Needle
from memreview.read.sources import Source, open_source
from memreview.read.spoken_lines import READ_BYTES, SpokenLines, Visitor, find_spoken, line_begin

GAP: Final = 32 << 10
"""Bytes between two records that are read over rather than skipped."""


@dataclass(frozen=True, slots=True)
class Task:
    """A part of a transcript to go through: lines whose places are known, or all lines that begin in a span.

    ``weight`` is about how many bytes are read for it. ``stop`` None is the end of the file.
    """

    path: str
    weight: int
    known: SpokenLines | None = None
    start: int = 0
    stop: int | None = None


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a task gave: the lines that can hold speech, and pairs of a row of these and the needle that stands in it.

    Rows count from 0 and do not fall; needles are numbers of the scanner. ``complete`` is False where the file could
    not be read.
    """

    lines: SpokenLines
    rows: array[int] = field(default_factory=lambda: array("I"))
    needles: array[int] = field(default_factory=lambda: array("I"))
    complete: bool = True


class Scanner:
    """Looks for needles; their numbers are those of their order. It can be pickled."""

    def __init__(self, needles: Sequence[Needle]) -> None:
        forms = [
            (number, form)
            for number, needle in enumerate(needles)
            for form in (*map(re.escape, needle.literals), *needle.expressions)
        ]
        self._use(_compiled(forms) if forms else b"")

    def _use(self, compiled: bytes) -> None:
        self._compiled = compiled
        self._database = _loaded(compiled) if compiled else None

    def __reduce__(self) -> tuple[Any, ...]:
        return _revived, (self._compiled,)

    def found_in(self, record: bytes | memoryview) -> list[int]:
        """Numbers of the needles that stand in a record, each once."""
        found: list[int] = []
        if self._database is not None:
            self._database.scan(record, match_event_handler=_note, context=found)
        return found

    def carry_out(self, task: Task) -> Scanned:
        """Go through a part of a transcript. Never raises on what the file holds, or where it is gone."""
        rows, needles = array("I"), array("I")
        add_row, add_needle = rows.append, needles.append
        scan = self._database.scan if self._database is not None else _nothing

        def note(number: int, _start: int, _end: int, _flags: int, row: int) -> None:
            add_row(row)
            add_needle(number)

        def visit(row: int, record: bytes | memoryview) -> None:
            scan(record, note, 0, row)

        try:
            with closing(open_source(task.path)) as source:
                if task.known is not None:
                    read_rows(source, task.known, visit)
                    return Scanned(task.known, rows, needles)
                start = line_begin(source, task.start)
                stop = source.size if task.stop is None else min(task.stop, source.size)
                return Scanned(find_spoken(source, start, stop, visit), rows, needles)
        except MemreviewError:
            return Scanned(SpokenLines(), complete=False)


def read_rows(source: Source, lines: SpokenLines, visit: Visitor) -> None:
    """Read the messages of lines whose places are known, those that stand near each other at once."""
    starts, lengths = lines.starts, lines.heads
    row, count = 0, len(lines)
    while row < count:
        first, begin, end = row, starts[row], starts[row] + lengths[row]
        row += 1
        while row < count and starts[row] - end <= GAP and end - begin < READ_BYTES:
            end = starts[row] + lengths[row]
            row += 1
        data = memoryview(source.read(begin, end - begin))
        for each in range(first, row):
            at = starts[each] - begin
            visit(each, data[at : at + lengths[each]])


def _note(number: int, _start: int, _end: int, _flags: int, found: list[int]) -> None:
    found.append(number)


def _nothing(*_: object) -> None:
    """Look for nothing."""


def _compiled(forms: Sequence[tuple[int, bytes]]) -> bytes:
    """A database of the engine, as bytes: one for all, since every call of the engine has its cost."""
    import hyperscan

    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    flags = hyperscan.HS_FLAG_CASELESS | hyperscan.HS_FLAG_SINGLEMATCH
    database.compile(
        expressions=[form for _, form in forms],
        ids=[number for number, _ in forms],
        elements=len(forms),
        flags=[flags] * len(forms),
    )
    return hyperscan.dumpb(database)


def _loaded(data: bytes) -> Any:
    """A database that can scan. The stubs of the engine know neither views of bytes nor what a context is."""
    import hyperscan

    database = hyperscan.loadb(data, hyperscan.HS_MODE_BLOCK)
    database.scratch = hyperscan.Scratch(database)
    return database


def _revived(compiled: bytes) -> Scanner:
    scanner = Scanner(())
    scanner._use(compiled)
    return scanner
