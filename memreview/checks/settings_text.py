"""Setting one key of a JSON file while everything else in it stays as it is, byte for byte."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from json.decoder import scanstring  # type: ignore[attr-defined]

_BLANK = re.compile(r"[ \t\r\n]*")


def with_key(text: str, key: str, value: int) -> str:
    """The text of a JSON object with ``key`` set at its top. :class:`ValueError` where it is none."""
    spans = list(_members(text))
    shown = json.dumps(value)
    own = [(start, end) for name, start, end in spans if name == key]
    for start, end in reversed(own):
        text = text[:start] + shown + text[end:]
    if own:
        return text
    brace = text.index("{") + 1
    newline = "\r\n" if "\r\n" in text else "\n"
    gap = _blank(text, brace)
    if not spans:
        return f"{text[:brace]}{newline}  {json.dumps(key)}: {shown}{newline}{text[brace + len(gap) :]}"
    return f"{text[:brace]}{gap or ' '}{json.dumps(key)}: {shown},{gap or ' '}{text[brace + len(gap) :]}"


def _members(text: str) -> Iterator[tuple[str, int, int]]:
    """Keys at the top of an object, and where the value of each begins and ends."""
    decoder = json.JSONDecoder()
    at = len(_blank(text, 0))
    if text[at : at + 1] != "{":
        raise ValueError("it holds no JSON object")
    at += 1 + len(_blank(text, at + 1))
    while text[at : at + 1] == '"':
        name, at = scanstring(text, at + 1, True)
        at += len(_blank(text, at))
        if text[at : at + 1] != ":":
            raise ValueError("a colon is missing")
        start = at + 1 + len(_blank(text, at + 1))
        _, at = decoder.raw_decode(text, start)
        yield name, start, at
        at += len(_blank(text, at))
        if text[at : at + 1] == ",":
            at += 1 + len(_blank(text, at + 1))
    if text[at : at + 1] != "}":
        raise ValueError("its end is missing")


def _blank(text: str, at: int) -> str:
    match = _BLANK.match(text, at)
    assert match is not None
    return match.group()
