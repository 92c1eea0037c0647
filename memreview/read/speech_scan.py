"""One pass over the speech of transcripts for many needles at once.

The engine (Hyperscan) looks for thousands of needles at some hundred megabytes a second and says for each record which
of them stand in it; no record is decoded and nothing is kept of it but that.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
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

    ``weight`` is about how many bytes are read for it. ``stop`` None is the end of the file. A line at an offset is
    known by ``key`` less this offset.
    """

    path: str
    weight: int
    known: SpokenLines | None = None
    start: int = 0
    stop: int | None = None
    key: int = 0


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a task gave: the lines that can hold speech. ``complete`` is False where the file could not be read."""

    lines: SpokenLines
    complete: bool = True


class Scanner:
    """Looks for needles; their numbers are those of their order. It can be pickled.

    ``found`` are the keys of the lines in which each needle was seen to stand, in no order.
    """

    def __init__(self, needles: Sequence[Needle]) -> None:
        forms = [
            (number, form)
            for number, needle in enumerate(needles)
            for form in (*map(re.escape, needle.literals), *needle.expressions)
        ]
        self._use(_compiled(forms) if forms else b"", len(needles))

    def _use(self, compiled: bytes, count: int) -> None:
        self._compiled = compiled
        self.found: list[array[int]] = [array("Q") for _ in range(count)]
        self._database = _loaded(compiled) if compiled else None

    def __reduce__(self) -> tuple[Any, ...]:
        return _revived, (self._compiled, len(self.found))

    def found_in(self, record: bytes | memoryview) -> list[int]:
        """Numbers of the needles that stand in a record, each once."""
        found: list[int] = []
        if self._database is not None:
            self._database.scan(record, match_event_handler=_note, context=found)
        return found

    def carry_out(self, task: Task) -> Scanned:
        """Go through a part of a transcript. Never raises on what the file holds, or where it is gone."""
        scan = self._database.scan if self._database is not None else _nothing
        add = [keys.append for keys in self.found]
        last = task.key

        def note(number: int, _start: int, _end: int, _flags: int, key: int) -> None:
            add[number](key)

        def visit(offset: int, record: bytes | memoryview) -> None:
            scan(record, note, 0, last - offset)

        try:
            with closing(open_source(task.path)) as source:
                if task.known is not None:
                    read_rows(source, task.known, visit)
                    return Scanned(task.known)
                start = line_begin(source, task.start)
                stop = source.size if task.stop is None else min(task.stop, source.size)
                return Scanned(find_spoken(source, start, stop, visit))
        except MemreviewError:
            return Scanned(SpokenLines(), complete=False)

    def taken(self) -> tuple[array[int], ...]:
        """The keys of each needle, the smallest first; none are left here."""
        for number, keys in enumerate(self.found):
            self.found[number] = array("Q", sorted(keys))
        taken, self.found = tuple(self.found), []
        return taken

    def finish(self) -> tuple[list[int], bytes]:
        """What was found, for :meth:`absorb`: how many keys of each needle, and the keys behind each other."""
        return list(map(len, self.found)), b"".join(self.found)

    def absorb(self, rest: tuple[list[int], bytes], /) -> None:
        """Add what another scanner for the same needles has found."""
        counts, data = rest
        at = 0
        for keys, count in zip(self.found, counts, strict=True):
            end = at + count * keys.itemsize
            keys.frombytes(data[at:end])
            at = end


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
            visit(starts[each], data[at : at + lengths[each]])


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


def _revived(compiled: bytes, count: int) -> Scanner:
    scanner = Scanner(())
    scanner._use(compiled, count)
    return scanner
