"""The YAML block at the head of a note, as far as a comparison needs it."""

from __future__ import annotations

import re
from collections.abc import Sequence

BOM = b"\xef\xbb\xbf"

_FENCE = re.compile(rb"---[ \t]*\r?\n?\Z")
_STAMP = re.compile(rb"""[ \t]*modified:[ \t]*["']?[0-9][0-9T:.Z+\- ]*["']?[ \t]*\r?\n?\Z""")
_SETTING = re.compile(rb"[ \t]*(?:node_type|type|originSessionId|modified|metadata)[ \t]*:")


def frontmatter_end(lines: Sequence[bytes]) -> int:
    """Number of lines that the frontmatter takes, its two fences included; 0 where there is none."""
    if not lines or not _FENCE.match(lines[0].removeprefix(BOM)):
        return 0
    for number in range(1, len(lines)):
        if _FENCE.match(lines[number]):
            return number + 1
    return 0


def is_stamp(line: bytes) -> bool:
    """True for a ``modified:`` line that holds a time and nothing else, flat or below ``metadata:``."""
    return _STAMP.match(line) is not None


def is_setting(line: bytes) -> bool:
    """True for a line of frontmatter that says nothing about the subject of a note: fences, type, session, stamp."""
    return _FENCE.match(line.removeprefix(BOM)) is not None or _SETTING.match(line) is not None
