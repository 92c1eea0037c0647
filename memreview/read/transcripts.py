"""Transcripts by line: any line, any span, and searches, in files of any size, without holding them in memory.

Lines are physical: they end at ``\\n`` and nowhere else, and count from 1, the blank and the damaged ones too; a last
``\\n`` opens no further line. What cannot be read is counted, never raised.
"""

from __future__ import annotations

import re
import threading
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Self

from memreview.model.transcript import Record
from memreview.read import line_index, records
from memreview.read.line_index import BLOCK, LineIndex
from memreview.read.records import (
    BLANK,
    MALFORMED,
    NOT_OBJECT,
    OVERSIZED,
    PARTIAL,
    decode_line,
    is_skipped,
    parse_record,
)
from memreview.read.sources import Source, open_source
from memreview.read.speech import classify

__all__ = ["Skipped", "TranscriptFile", "classify", "open_transcript", "parse_record"]

_NEWLINE: Final = b"\n"
_SCAN_BYTES: Final = 1 << 20
_UUID: Final = re.compile(r"[0-9A-Za-z_-]{8,128}")
_UUID_KEY: Final = re.compile(rb'"uuid"\s{0,8}:\s{0,8}"\Z')
_UUID_KEY_BYTES: Final = 32
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.;=+*#@$%^~|!?()` -]+")
"""Characters that stand in a JSON string as they are, whoever wrote it."""
_DAMAGES: Final = (BLANK, MALFORMED, NOT_OBJECT, PARTIAL, OVERSIZED)
_MAX_KINDS: Final = 100
_MAX_KIND_LENGTH: Final = 60


@dataclass(frozen=True, slots=True)
class Skipped:
    """How many lines were read over, each counted once; ``unknown`` by type. ``cut``: the file's end is missing."""

    blank: int = 0
    malformed: int = 0
    not_object: int = 0
    partial: int = 0
    oversized: int = 0
    unknown: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    cut: bool = False

    @property
    def damaged(self) -> int:
        """Lines whose content is lost: malformed, half-written, too long, or no object."""
        return self.malformed + self.partial + self.oversized + self.not_object

    @property
    def total(self) -> int:
        """All lines that were read over."""
        return self.blank + self.damaged + sum(self.unknown.values())


def open_transcript(path: str, cache_dir: str | None = None) -> TranscriptFile:
    """Open a transcript (``.jsonl``, set aside, linked or gzip). Nothing is read before it is asked for.

    ``cache_dir`` is where the places of lines of big files are kept. Raises :class:`memreview.errors.TranscriptError`
    where there is no such file, where it is no regular file, or may not be read.
    """
    return TranscriptFile(path, open_source(path), cache_dir)


class TranscriptFile:
    """An open transcript. What is appended after opening is seen after :meth:`refresh`."""

    def __init__(self, path: str, source: Source, cache_dir: str | None = None) -> None:
        self.path = path
        self._source = source
        self._cache_dir = cache_dir
        self._lock = threading.Lock()
        self._index: LineIndex | None = None
        self._window: tuple[int, array[int]] | None = None
        self._skipped: Counter[str] = Counter()
        self._counted = bytearray()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the file back; it has no lines afterwards that can be read."""
        self._source.close()

    @property
    def size(self) -> int:
        """Bytes of the file when it was opened or refreshed; of its content where it is compressed."""
        return self._source.size

    @property
    def line_count(self) -> int:
        """Number of lines, the half-written last one included; 0 for an empty file."""
        return self._lines().line_count

    def refresh(self) -> bool:
        """Take in what was appended since; True where there was something. What was skipped is counted anew."""
        with self._lock:
            if not self._source.grow():
                return False
            if self._index is not None:
                self._index = line_index.count_lines(self._source, self._index)
            self._window = None
            self._skipped.clear()
            self._counted.clear()
        return True

    def raw(self, line: int) -> bytes | None:
        """The bytes of a line with its line end, as in the file; None where there is no such line."""
        if not 1 <= line <= self.line_count:
            return None
        start = self._start(line)
        return self._source.read(start, self._start(line + 1) - start)

    def record(self, line: int) -> Record | None:
        """The record in a line; None where there is no such line (0, negative, behind the last)."""
        if not 1 <= line <= self.line_count:
            return None
        return self._parse(self._bytes(line, line), line)

    def records(self, start: int = 1, end: int | None = None) -> Iterator[Record]:
        """The records of lines ``start`` to ``end``, both included; what lies outside is left out."""
        for line, raw in self._span(start, end):
            yield self._parse(raw, line)

    def find(
        self,
        text: str,
        start: int = 1,
        backwards: bool = False,
        *,
        match_case: bool = False,
        stop: Callable[[], bool] | None = None,
    ) -> int | None:
        """The first line from ``start`` on (or back) in which ``text`` was said or returned; None where there is none.

        Only the records' text is searched, not the file's: a word in a snapshot or a request is not found. ``stop`` is
        asked now and then, and ends the search where it returns True.
        """
        last = self.line_count
        if not text or not last or (start < 1 and backwards) or (start > last and not backwards):
            return None
        search = _Search(text, match_case=match_case)
        start = min(max(start, 1), last)
        for first, final in self._line_groups(start, backwards):
            if stop is not None and stop():
                return None
            found = search.lines_in(self._bytes(first, final), first, backwards=backwards)
            if found is not None:
                return found
        return None

    def find_uuid(self, uuid: str) -> int | None:
        """The first line that holds the record with this ``uuid`` of its own; None where there is none.

        Other places where a uuid stands (a parent's, a message's, in a text) do not count.
        """
        if not _UUID.fullmatch(uuid):
            return None
        for wanted in dict.fromkeys((uuid, uuid.lower())):
            for offset in self._uuid_places(wanted.encode("ascii")):
                line = self._line_at(offset)
                if any(data.get("uuid") == wanted for data in decode_line(self._bytes(line, line))[0]):
                    return line
        return None

    @property
    def skipped(self) -> Skipped:
        """What was read over so far; :meth:`survey` reads all."""
        counts = self._skipped
        return Skipped(
            blank=counts[BLANK],
            malformed=counts[MALFORMED],
            not_object=counts[NOT_OBJECT],
            partial=counts[PARTIAL],
            oversized=counts[OVERSIZED],
            unknown=MappingProxyType({kind: counts[kind] for kind in sorted(counts) if kind not in _DAMAGES}),
            cut=self._source.cut,
        )

    def survey(self, stop: Callable[[], bool] | None = None) -> Skipped:
        """Read the whole file once and say what was read over in it; ``stop`` ends it early."""
        for line, raw in self._span(1, None):
            self._parse(raw, line)
            if stop is not None and line % 1024 == 0 and stop():
                break
        return self.skipped

    def _parse(self, raw: bytes, line: int) -> Record:
        record = parse_record(raw, line)
        if is_skipped(record):
            self._count(record)
        return record

    def _count(self, record: Record) -> None:
        place, bit = divmod(record.line, 8)
        with self._lock:
            if place >= len(self._counted):
                self._counted.extend(bytes(place + 1 - len(self._counted)))
            if self._counted[place] >> bit & 1:
                return
            self._counted[place] |= 1 << bit
            kind = record.kind[:_MAX_KIND_LENGTH]
            self._skipped[kind if kind in self._skipped or len(self._skipped) < _MAX_KINDS else "…"] += 1

    def _lines(self) -> LineIndex:
        with self._lock:
            if self._index is None:
                self._index = line_index.load_or_count(self._source, self._cache_dir)
            return self._index

    def _start(self, line: int) -> int:
        """Offset of a line's first byte; of the end of the file for the line behind the last."""
        index = self._lines()
        if line <= 1:
            return 0
        if line - 1 > index.newlines:
            return index.size
        block, rank = index.block_of(line - 1)
        ends = self._line_ends(block)
        return ends[rank] if rank < len(ends) else index.size

    def _bytes(self, first: int, final: int) -> bytes:
        """Lines that begin in one block; of one that is too long to be decoded only as much as shows that it is."""
        start = self._start(first)
        return self._source.read(start, min(self._start(final + 1) - start, BLOCK + records.MAX_RECORD_BYTES + 1))

    def _line_ends(self, block: int) -> array[int]:
        """Offsets right behind each line end of one block."""
        window = self._window
        if window is not None and window[0] == block:
            return window[1]
        base = block * BLOCK
        data = self._source.read(base, min(BLOCK, self._lines().size - base))
        ends = array("q", (base + match.end() for match in re.finditer(_NEWLINE, data)))
        self._window = (block, ends)
        return ends

    def _line_at(self, offset: int) -> int:
        """Number of the line that has the byte at ``offset``."""
        block = offset // BLOCK
        before = self._source.read(block * BLOCK, offset - block * BLOCK)
        return self._lines().newlines_before(block) + before.count(_NEWLINE) + 1

    def _line_groups(self, start: int, backwards: bool) -> Iterator[tuple[int, int]]:
        """Spans of lines that begin in one block, from ``start`` on or back."""
        index = self._lines()
        blocks = range(len(index.counts))
        at = 0 if start == 1 else index.block_of(start - 1)[0]
        for block in blocks[at::-1] if backwards else blocks[at:]:
            first = index.newlines_before(block) + 2 if block else 1
            final = min(index.newlines_before(block) + index.counts[block] + 1, index.line_count)
            first, final = (first, min(final, start)) if backwards else (max(first, start), final)
            if first <= final:
                yield first, final

    def _span(self, start: int, end: int | None) -> Iterator[tuple[int, bytes]]:
        """Lines with their numbers, read in big pieces; too long ones as by :meth:`_bytes`."""
        last = self.line_count
        final = last if end is None else min(end, last)
        line = max(start, 1)
        if line > final:
            return
        offset, stop = self._start(line), self._start(final + 1)
        pieces: list[bytes] = []
        held = 0
        while offset < stop:
            data = self._source.read(offset, min(_SCAN_BYTES, stop - offset))
            if not data:
                break
            offset += len(data)
            position = 0
            while (found := data.find(_NEWLINE, position) + 1) > 0:
                pieces.append(data[position:found])
                yield line, b"".join(pieces)
                pieces.clear()
                held = 0
                line += 1
                position = found
            if position < len(data) and held <= records.MAX_RECORD_BYTES:
                pieces.append(data[position:])
                held += len(data) - position
        if pieces:
            yield line, b"".join(pieces)

    def _uuid_places(self, wanted: bytes) -> Iterator[int]:
        """Offsets where ``wanted`` is the value of a key ``uuid``, at whatever depth."""
        overlap = _UUID_KEY_BYTES + len(wanted)
        for offset in range(0, self._source.size, _SCAN_BYTES):
            base = max(0, offset - overlap)
            data = self._source.read(base, offset - base + _SCAN_BYTES)
            position = data.find(wanted)
            while position >= 0:
                end = position + len(wanted)
                key = _UUID_KEY.search(data, max(0, position - _UUID_KEY_BYTES), position)
                if key and data[end : end + 1] in (b'"', b""):
                    yield base + position
                position = data.find(wanted, end)


class _Search:
    """A text to look for: where it may stand in the bytes of lines, and whether it was said there."""

    def __init__(self, text: str, *, match_case: bool) -> None:
        flags = re.RegexFlag(0)
        if not match_case:
            flags = re.IGNORECASE | (re.ASCII if text.isascii() else flags)
        self._pattern = re.compile(re.escape(text), flags)
        self._lower = not match_case
        runs = (run.strip() for run in _PLAIN.findall(text)) if match_case or text.isascii() else ()
        needle = max(runs, key=len, default="").encode("ascii")
        self._needle = needle.lower() if self._lower else needle

    def lines_in(self, data: bytes, first: int, *, backwards: bool) -> int | None:
        """The first (or last) of these whole lines, the first of which is number ``first``, with a hit."""
        places = self._places(data, first)
        for line, start, end in reversed(list(places)) if backwards else places:
            if self._pattern.search(parse_record(data[start:end], line).text):
                return line
        return None

    def _places(self, data: bytes, first: int) -> Iterator[tuple[int, int, int]]:
        """Number, start and end of each line whose bytes may hold the text."""
        haystack = data.lower() if self._lower and self._needle else data
        line, start = first, 0
        while start < len(data):
            position = haystack.find(self._needle, start) if self._needle else start
            if position < 0:
                return
            line += data.count(_NEWLINE, start, position)
            start = data.rfind(_NEWLINE, start, position) + 1 or start
            end = data.find(_NEWLINE, position) + 1 or len(data)
            yield line, start, end
            line += 1
            start = end
