"""Which lines of a transcript go into the copy: what somebody said in the window, and nothing else.

All other lines become empty ones, so that a line number of the copy is one of the real file. Left out are request
blobs, prompt snapshots, the client's own bookkeeping, thinking, and what the client put into a conversation: nobody
said it, it repeats what memory holds already, and it is most of a transcript (measured on 2.1.332).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

import orjson

from memreview.model.transcript import Record, Speaker
from memreview.read.records import PARTIAL, decode_line, parse_record
from memreview.text import mask_secrets

_SPOKEN: Final = (b'"user"', b'"assistant"', b'"queued_command"')
"""One of these stands in the bytes of every record with words."""
_MAX_NESTING: Final = 60


@dataclass(frozen=True, slots=True)
class Window:
    """The time that a pass looks back on, in seconds since 1970, both ends included."""

    since: float
    until: float

    def holds(self, moment: float) -> bool:
        """True for a time in the window."""
        return self.since <= moment <= self.until


@dataclass
class Sieve:
    """Goes through the lines of one transcript in order.

    ``seen`` are the uuids of records that were kept before, in whichever transcript: a forked session repeats the
    history of the one it came from. ``fallback`` is the time of records before the first one that has a time.
    """

    window: Window
    fallback: float
    seen: set[str] = field(default_factory=set)
    mask: bool = False
    first: str | None = None
    last: str | None = None
    _moment: float | None = None

    def sift(self, raw: bytes, number: int) -> bytes | None:
        """The line as it goes into the copy, with its line end; None where it becomes an empty one."""
        record = self.spoken(raw, number)
        if record is None:
            return None
        line = raw.rstrip(b"\r\n")
        if self.mask:
            masked = _masked(line)
            if masked is None:
                return None
            line = masked
        if record.timestamp is not None:
            self.first = self.first or record.timestamp
            self.last = record.timestamp
        return line + b"\n"

    def spoken(self, raw: bytes, number: int) -> Record | None:
        """The record of a line that is kept, None for any other."""
        if not any(mark in raw for mark in _SPOKEN):
            return None
        record = parse_record(raw, number)
        moment = seconds(record.timestamp)
        if moment is not None:
            self._moment = moment
        at = self._moment if self._moment is not None else self.fallback
        if (
            record.kind == PARTIAL
            or record.speaker is Speaker.OTHER
            or not record.has_text
            or not self.window.holds(at)
        ):
            return None
        if record.uuid is not None:
            if record.uuid in self.seen:
                return None
            self.seen.add(record.uuid)
        return record


def seconds(timestamp: str | None) -> float | None:
    """An ISO 8601 time in seconds since 1970, UTC where it names no zone; None where it cannot be read."""
    if not timestamp:
        return None
    try:
        moment = datetime.fromisoformat(timestamp)
        return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def iso(moment: float) -> str:
    """Seconds since 1970 as ISO 8601 in UTC."""
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _masked(line: bytes) -> bytes | None:
    """A record with the secrets in all its strings masked; the line itself where it holds none."""
    objects, _ = decode_line(line)
    if len(objects) != 1:
        return None
    found: list[str] = []
    value = _mask(objects[0], found, 0)
    if not found:
        return line
    try:
        return orjson.dumps(value)
    except (orjson.JSONEncodeError, TypeError):
        return None


def _mask(value: object, found: list[str], depth: int) -> object:
    if isinstance(value, str):
        masked = mask_secrets(value)
        if masked != value:
            found.append(value)
        return masked
    if depth > _MAX_NESTING:
        return None
    if isinstance(value, dict):
        return {key: _mask(item, found, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_mask(item, found, depth + 1) for item in value]
    return value


def lines_of(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Physical lines with their line ends, from blocks of a file; the last one may lack it."""
    rest: list[bytes] = []
    for block in blocks:
        at = 0
        while (end := block.find(b"\n", at)) >= 0:
            rest.append(block[at : end + 1])
            yield b"".join(rest)
            rest.clear()
            at = end + 1
        if at < len(block):
            rest.append(block[at:])
    if rest:
        yield b"".join(rest)
