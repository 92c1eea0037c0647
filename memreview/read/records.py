"""One physical line of a transcript, from bytes to a record."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final

import orjson

from memreview.model.transcript import Record, Speaker
from memreview.read.speech import KNOWN_TYPES, Speech, classify

BLANK: Final = "blank"
MALFORMED: Final = "malformed"
NOT_OBJECT: Final = "not-object"
PARTIAL: Final = "partial"
OVERSIZED: Final = "oversized"
UNTYPED: Final = "untyped"

MAX_RECORD_BYTES: Final = 64 << 20
"""A longer line is not decoded: no client writes one, and decoding takes several times its size in memory."""

_EDGE: Final = b" \t\r\n\x00\xef\xbb\xbf"
"""Bytes that may stand around a record: blanks, NULs of a file system that lost power, a byte order mark."""
_EDGE_TEXT: Final = " \t\r\n\x00\ufeff"
_RECORD_START: Final = re.compile(r'\{"(?:parentUuid|logicalParentUuid|type|isSidechain|uuid|sessionId)":')
_MAX_TRIES: Final = 32
_MAX_DIGITS: Final = 4000
"""Digits of a whole number beyond which Python refuses to read it."""

JsonObject = dict[str, object]


def parse_record(raw: bytes, line: int) -> Record:
    """Read one physical line, with or without its line end, as record number ``line`` (from 1).

    Never raises on content. A line that is no JSON is ``malformed``, or ``partial`` where its line end is missing too,
    as in the last line of a file that is being written. NUL bytes around a record are read over. Of several records in
    one line, as interrupted writes leave them, the first that has words counts.
    """
    objects, kind = decode_line(raw)
    if not objects:
        return Record(line, kind, Speaker.OTHER, "")
    chosen, speech = _with_words(objects)
    own = chosen.get("type")
    return Record(
        line=line,
        kind=own if isinstance(own, str) else UNTYPED,
        speaker=speech.speaker,
        text=speech.text,
        timestamp=_text_of(chosen, "timestamp"),
        uuid=_text_of(chosen, "uuid"),
        session=_text_of(chosen, "sessionId") or _text_of(chosen, "session_id"),
        sidechain=chosen.get("isSidechain") is True,
        error=speech.error,
        tool=speech.tool,
    )


def decode_line(raw: bytes) -> tuple[list[JsonObject], str]:
    """The whole JSON objects in one line, and what the line is if it has none (else the empty string)."""
    if len(raw) > MAX_RECORD_BYTES:
        return [], OVERSIZED
    body = raw.strip(_EDGE)
    if not body:
        return [], MALFORMED if b"\0" in raw else BLANK
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        objects, other = _decode_leniently(body)
    else:
        objects, other = ([value], False) if isinstance(value, dict) else ([], True)
    if objects:
        return objects, ""
    if other:
        return [], NOT_OBJECT
    return [], MALFORMED if raw.endswith(b"\n") else PARTIAL


def is_skipped(record: Record) -> bool:
    """True for a line that could not be read as a record of a known type."""
    return record.kind not in KNOWN_TYPES


def _with_words(objects: list[JsonObject]) -> tuple[JsonObject, Speech]:
    spoken = [(data, classify(data)) for data in objects]
    return next((pair for pair in spoken if pair[1].text.strip()), spoken[0])


def _decode_leniently(body: bytes) -> tuple[list[JsonObject], bool]:
    """Whole objects of a line that the strict decoder refuses, and whether it has whole values of other kinds.

    Reads lone surrogates, NaN, huge numbers, undecodable bytes, raw control characters and several records behind each
    other. Behind a torn record the one that was written after it is found by how records begin; it must reach to the
    end of the line and name its session, since the torn record may hold whole objects of its own.
    """
    text = body.decode("utf-8", "surrogateescape")
    objects: list[JsonObject] = []
    other = False
    position = 0
    while position < len(text):
        value, end = _decode_at(text, position)
        if end < 0:
            break
        if isinstance(value, dict):
            objects.append(value)
        else:
            other = True
        position = _skip_edge(text, end)
    if not objects and position < len(text):
        found = _behind_torn(text, position)
        if found is not None:
            objects.append(found)
        elif position:
            other = False
    return objects, other


def _behind_torn(text: str, position: int) -> JsonObject | None:
    budget = 4 * len(text)
    for tries, start in enumerate(_RECORD_START.finditer(text, position + 1)):
        if tries >= _MAX_TRIES or budget <= 0:
            return None
        value, end = _decode_at(text, start.start())
        budget -= (end if end >= 0 else len(text)) - start.start()
        if end >= 0 and _skip_edge(text, end) == len(text) and isinstance(value, dict) and _is_record(value):
            return value
    return None


def _is_record(value: Mapping[str, object]) -> bool:
    return isinstance(value.get("type"), str) and isinstance(value.get("sessionId"), str)


def _decode_at(text: str, position: int) -> tuple[object, int]:
    """The JSON value at ``position`` and where it ends, or an end of -1."""
    try:
        return _LENIENT.raw_decode(text, position)
    except (ValueError, RecursionError):
        return None, -1


def _skip_edge(text: str, position: int) -> int:
    while position < len(text) and text[position] in _EDGE_TEXT:
        position += 1
    return position


def _whole_number(digits: str) -> int | float:
    return int(digits) if len(digits) < _MAX_DIGITS else float(digits)


_LENIENT: Final = json.JSONDecoder(strict=False, parse_int=_whole_number)


def _text_of(data: Mapping[str, object], key: str) -> str | None:
    value = data.get(key)
    return value if isinstance(value, str) else None
