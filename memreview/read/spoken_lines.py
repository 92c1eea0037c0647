"""Which lines of a transcript can hold speech: found in its bytes, without decoding a line.

Most of a transcript is snapshots and requests; a tenth to a quarter of its bytes are records of speakers. What is kept
of them is where they stand, no words. A line that only looks like speech does no harm: it turns out when it is decoded.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from memreview.read.records import MAX_RECORD_BYTES
from memreview.read.sources import Source

Visitor = Callable[[int, bytes | memoryview], None]
"""Is called with the offset of a line and with its message."""

READ_BYTES: Final = 256 << 10
"""Bytes that are read at once: they stay in a processor's cache while they are looked through."""

_LONG: Final = 4096
"""A line of more bytes is looked at from its two ends, where the client writes the type of a record."""
_HEAD: Final = 1024
_TAIL: Final = 2048
_SPOKEN: Final = re.compile(rb'"type"\s{0,8}:\s{0,8}"(?:user|assistant)"')
_SILENT: Final = re.compile(
    rb'"type"\s{0,8}:\s{0,8}"(?:attachment|system|queue-operation|last-prompt|tools-used|mode|permission-mode'
    rb"|file-history-snapshot|file-history-delta|custom-title|agent-name|cost-state|atis-latch|api-request"
    rb'|api-request-shape|api-request-blob|summary|ai-title|progress)"'
)
_REPEATED: Final = b',"toolUseResult":'
_MESSAGE: Final = b'"message":'
_MOVED: Final = b"<persisted-output>"
_QUEUED: Final = b"queued_command"
"""The one attachment that holds a person's words: see :mod:`memreview.read.speech`."""


@dataclass(frozen=True, slots=True)
class SpokenLines:
    """Where lines that can hold speech stand in the first bytes of a transcript.

    Line ``numbers`` count from 1; ``starts`` are offsets, ``lengths`` are in bytes without the line end, ``heads`` are
    how many of these bytes hold the message; what follows repeats a tool's result in another form. ``newlines`` and
    ``covered`` say how far whole lines go: a last line without an end is listed too, and read anew when the file has
    grown.
    """

    numbers: array[int] = field(default_factory=lambda: array("I"))
    starts: array[int] = field(default_factory=lambda: array("Q"))
    lengths: array[int] = field(default_factory=lambda: array("I"))
    heads: array[int] = field(default_factory=lambda: array("I"))
    newlines: int = 0
    covered: int = 0

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def size(self) -> int:
        """Bytes of all messages in these lines."""
        return sum(self.heads)

    def whole(self) -> SpokenLines:
        """The same without a last line that has no end."""
        keep = len(self.starts)
        while keep and self.starts[keep - 1] >= self.covered:
            keep -= 1
        return SpokenLines(
            self.numbers[:keep],
            self.starts[:keep],
            self.lengths[:keep],
            self.heads[:keep],
            self.newlines,
            self.covered,
        )

    def followed_by(self, more: SpokenLines) -> SpokenLines:
        """These lines and those of the part of the file behind them, whose numbers begin at 1 again."""
        numbers = self.numbers + array("I", (number + self.newlines for number in more.numbers))
        return SpokenLines(
            numbers,
            self.starts + more.starts,
            self.lengths + more.lengths,
            self.heads + more.heads,
            self.newlines + more.newlines,
            more.covered if more.newlines else self.covered,
        )


def can_speak(line: bytes) -> bool:
    """True where a line can hold speech; False only where it holds none."""
    if len(line) <= _LONG:
        return _marked(line) and (_SPOKEN.search(line) is not None or _QUEUED in line)
    head, tail = line[:_HEAD], line[-_TAIL:]
    for end in (head, tail):
        if _marked(end) and (_SPOKEN.search(end) is not None or _QUEUED in end):
            return True
    if _SILENT.search(head) is not None or _SILENT.search(tail) is not None:
        return False
    return _marked(line) and (_SPOKEN.search(line) is not None or _QUEUED in line)


def message_end(line: bytes) -> int:
    """How many bytes of a line hold its message: what a tool returned is repeated behind it, and may be long.

    Of an output that the client moved to a file, the repetition holds more than the message.
    """
    at = line.find(_REPEATED)
    if at < 0 or _MOVED in line or line.find(_MESSAGE, at) >= 0:
        return len(line)
    return at


def _marked(line: bytes) -> bool:
    return b'"assistant"' in line or b'"user"' in line or _QUEUED in line


def find_spoken(source: Source, start: int, stop: int, visit: Visitor | None = None) -> SpokenLines:
    """The lines that can hold speech and begin at offsets from ``start``, the beginning of a line, to ``stop``.

    Their numbers begin at 1 with the line at ``start``; the last one may reach beyond ``stop``.
    """
    found = _Finding(start, visit)
    position = start
    while found.offset < stop:
        data = source.read(position, READ_BYTES)
        if not data:
            break
        position += len(data)
        found.take(data, stop)
    else:
        return found.result()
    found.end()
    return found.result()


def line_begin(source: Source, offset: int) -> int:
    """The first offset from ``offset`` on at which a line begins; the end of the file where none does."""
    if offset <= 0:
        return 0
    at = offset - 1
    while data := source.read(at, _HEAD << 6):
        newline = data.find(b"\n")
        if newline >= 0:
            return at + newline + 1
        at += len(data)
    return source.size


class _Finding:
    """Splits what is read into lines and keeps the places of those that can hold speech."""

    def __init__(self, start: int, visit: Visitor | None) -> None:
        self.offset = start
        self._visit = visit
        self._numbers, self._starts = array("I"), array("Q")
        self._lengths, self._heads = array("I"), array("I")
        self._newlines = 0
        self._begun: list[bytes] = []
        self._held = 0

    def take(self, data: bytes, stop: int) -> None:
        """Go through the lines that end in ``data`` and begin before ``stop``."""
        position = 0
        while (end := data.find(b"\n", position)) >= 0:
            if self._held:
                line = self._whole(data[position:end])
                length, self._held = self._held, 0
            else:
                line, length = data[position:end], end - position
            if can_speak(line):
                self._keep(line)
            self._newlines += 1
            self.offset += length + 1
            position = end + 1
            if self.offset >= stop:
                return
        if position < len(data):
            self._begin(data[position:])

    def end(self) -> None:
        """Take what stands behind the last line end of the file as a line."""
        line = self._whole(b"")
        if can_speak(line):
            self._keep(line)

    def result(self) -> SpokenLines:
        """What was found."""
        return SpokenLines(
            self._numbers, self._starts, self._lengths, self._heads, newlines=self._newlines, covered=self.offset
        )

    def _keep(self, line: bytes) -> None:
        self._numbers.append(self._newlines + 1)
        self._starts.append(self.offset)
        self._lengths.append(len(line))
        head = message_end(line)
        self._heads.append(head)
        if self._visit is not None:
            self._visit(self.offset, line if head == len(line) else memoryview(line)[:head])

    def _begin(self, rest: bytes) -> None:
        """Hold the beginning of a line that goes on; of one that is too long to be decoded only its length."""
        self._held += len(rest)
        self._begun.append(rest)
        if self._held > MAX_RECORD_BYTES:
            self._begun = [b""]

    def _whole(self, end: bytes) -> bytes:
        self._held += len(end)
        line = b"".join((*self._begun, end)) if self._held <= MAX_RECORD_BYTES else b""
        self._begun = []
        return line
