"""File names and times in the headers of a diff."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

_TIME = re.compile(rb"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.(\d{1,9}))? ([+-])(\d\d)(\d\d)\Z")
_QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPE = re.compile(rb'\\([abtnvfr"\\]|[0-7]{3})')
_LONGEST = 10_000
"""Bytes that a line with two paths can have: the system allows 4,096 for each."""
_BLANKS = 400
"""More blanks than this stand in no line that names two files."""
_LETTERS = dict(zip(b'abtnvfr"\\', b'\a\b\t\n\v\f\r"\\', strict=True))


def name_and_rest(text: bytes) -> tuple[bytes, bytes] | None:
    """The name at the start of ``text`` and what follows it; None where it is quoted in a way that diff does not use.

    A name in double quotes is one of C, with octal escapes; any other reaches to the first tab.
    """
    if not text.startswith(b'"'):
        name, tab, rest = text.partition(b"\t")
        return name, tab + rest
    found = _QUOTED.match(text)
    if found is None:
        return None
    return _ESCAPE.sub(_unescape, found.group(1)), text[found.end() :]


def two_paths(text: bytes) -> tuple[bytes, bytes] | None:
    """The two paths of "Binary files … and … differ", which diff says in the language of whoever ran it.

    diff neither quotes them nor parts them by anything certain. They are told by what they have in common: of all ways
    to read the line it is the one in which most of their ends is equal.
    """
    if len(text) > _LONGEST:
        return None
    starts = sorted({_path_start(text, found.start()) for found in re.finditer(rb"/", text)})
    ends = [found.start() for found in re.finditer(rb" |\Z", text)]
    if not starts or len(ends) > _BLANKS:
        return None
    best: tuple[bytes, bytes] | None = None
    score = 0
    for stop in ends:
        second = next((start for start in starts if start > stop), None)
        if stop <= starts[0] or second is None:
            continue
        first = text[starts[0] : stop].split(b"/")
        for end in ends:
            common = _common_end(first, text[second:end].split(b"/")) if end > second else 0
            if common > score:
                score, best = common, (text[starts[0] : stop], text[second:end])
    return best


def _common_end(first: list[bytes], second: list[bytes]) -> int:
    """How many bytes two paths have in common at their ends, by whole names below a folder."""
    size = 0
    for old, new in zip(reversed(first[1:]), reversed(second[1:]), strict=False):
        if old != new:
            break
        size += len(old) + bool(old)
    return size


def _path_start(text: bytes, slash: int) -> int:
    """Where the path begins that has a slash at ``slash``; a word in another script may stand right before it."""
    start = text.rfind(b" ", 0, slash) + 1
    return start if text[start:slash].isascii() else slash


def _unescape(found: re.Match[bytes]) -> bytes:
    code = found.group(1)
    return bytes([int(code, 8) & 0xFF]) if len(code) == 3 else bytes([_LETTERS[code[0]]])


def parse_time(text: bytes) -> datetime | None:
    """The time behind a name, with its zone; None where there is none or it is not GNU diff's. Nanoseconds are cut."""
    found = _TIME.match(text)
    if found is None:
        return None
    moment, fraction, sign, hours, minutes = (part.decode() if part else "" for part in found.groups())
    offset = timedelta(hours=int(hours), minutes=int(minutes))
    try:
        zone = timezone(-offset if sign == "-" else offset)
        return datetime.fromisoformat(f"{moment}.{fraction.ljust(6, '0')[:6]}").replace(tzinfo=zone)
    except ValueError:
        return None
