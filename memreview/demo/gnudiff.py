"""Two flat folders of notes compared as ``TZ=UTC0 LC_ALL=C diff -ruN`` of GNU diffutils compares and prints them.

The demo must look the same where another ``diff`` is installed, or none.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from datetime import UTC, datetime

from memreview.diff.lines import split_lines

_NO_NEWLINE = b"\\ No newline at end of file\n"
_ESCAPES = {ord(char): b"\\" + char.encode() for char in '"\\'} | {
    ord(char): b"\\" + name.encode() for char, name in zip("\a\b\t\n\v\f\r", "abtnvfr", strict=True)
}


def diff_folders(old: str, new: str) -> bytes:
    """The unified diff of every file directly in ``old`` or ``new`` whose name does not begin with a dot."""
    names = sorted({name for folder in (old, new) for name in os.listdir(folder) if not name.startswith(".")})
    return b"".join(_diff_file(os.path.join(old, name), os.path.join(new, name)) for name in names)


def _diff_file(old: str, new: str) -> bytes:
    before, after = _lines(old), _lines(new)
    if before == after:
        return b""
    rows = list(difflib.unified_diff(list(map(_text, before)), list(map(_text, after)), n=3, lineterm="\n"))
    command = b"diff -ruN " + _quoted(old) + b" " + _quoted(new) + b"\n"
    return command + b"--- " + _label(old) + b"+++ " + _label(new) + b"".join(_rows(rows[2:]))


def _lines(path: str) -> list[bytes]:
    try:
        with open(path, "rb") as stream:
            return list(split_lines(stream.read()))
    except FileNotFoundError:
        return []


def _text(line: bytes) -> str:
    return line.decode("utf-8", "surrogateescape")


def _rows(rows: list[str]) -> Iterator[bytes]:
    for row in rows:
        data = row.encode("utf-8", "surrogateescape")
        yield data if data.endswith(b"\n") else data + b"\n" + _NO_NEWLINE


def _label(path: str) -> bytes:
    try:
        seconds, nanoseconds = divmod(os.stat(path).st_mtime_ns, 1_000_000_000)
    except FileNotFoundError:
        seconds, nanoseconds = 0, 0
    when = datetime.fromtimestamp(seconds, UTC)
    return _quoted(path) + f"\t{when:%Y-%m-%d %H:%M:%S}.{nanoseconds:09d} +0000\n".encode()


def _quoted(path: str) -> bytes:
    """A name as diff prints it: in quotes and escaped as in C where it holds more than printable ASCII, or a space."""
    data = os.fsencode(path)
    if all(0x20 < byte < 0x7F and byte not in _ESCAPES for byte in data):
        return data
    pieces = (_ESCAPES.get(byte) or (bytes([byte]) if 0x20 <= byte < 0x7F else b"\\%03o" % byte) for byte in data)
    return b'"' + b"".join(pieces) + b'"'
