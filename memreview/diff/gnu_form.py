"""Two sides of notes printed as ``TZ=UTC0 LC_ALL=C diff -ruN`` of GNU diffutils prints them.

No ``diff`` need be installed, nothing of the machine's own version or locale gets into the output, and the header
lines can name folders that the texts do not lie in.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from memreview.diff.engine import CONTEXT, diff_texts
from memreview.diff.lines import LF, split_lines
from memreview.model.patch import Edit

_NO_NEWLINE = b"\\ No newline at end of file\n"
_ESCAPES = {ord(char): b"\\" + char.encode() for char in '"\\'} | {
    ord(char): b"\\" + name.encode() for char, name in zip("\a\b\t\n\v\f\r", "abtnvfr", strict=True)
}


@dataclass(frozen=True, slots=True)
class Side:
    """One file as a header line names it; ``data`` is None where it does not exist on this side."""

    path: str
    data: bytes | None
    mtime_ns: int = 0


def print_diff(pairs: Sequence[tuple[Side, Side]]) -> bytes:
    """The unified diff of all pairs that differ, in their order.

    As with ``-N``, a file that is missing on one side and empty on the other does not show. Raises
    :class:`~memreview.errors.MemreviewError` where git, which compares the texts, cannot be run.
    """
    differing = [(old, new) for old, new in pairs if (old.data or b"") != (new.data or b"")]
    texts = [(old.data or b"", new.data or b"") for old, new in differing if not _is_binary(old, new)]
    edits = iter(diff_texts(texts) if texts else [])
    parts: list[bytes] = []
    for old, new in differing:
        if _is_binary(old, new):
            parts.append(b"Binary files " + _quoted(old.path) + b" and " + _quoted(new.path) + b" differ\n")
        else:
            parts.append(b"diff -ruN " + _quoted(old.path) + b" " + _quoted(new.path) + b"\n")
            parts += (b"--- ", _label(old), b"+++ ", _label(new))
            parts += _hunks(split_lines(old.data or b""), next(edits))
    return b"".join(parts)


def _is_binary(old: Side, new: Side) -> bool:
    return b"\0" in (old.data or b"") or b"\0" in (new.data or b"")


def _hunks(lines: Sequence[bytes], edits: Sequence[Edit]) -> Iterator[bytes]:
    shift = 0
    for group in _grouped(edits):
        start, end = max(0, group[0].start - CONTEXT), min(len(lines), group[-1].end + CONTEXT)
        grown = sum(len(edit.added) - len(edit.removed) for edit in group)
        old, new = _range(start, end - start), _range(start + shift, end - start + grown)
        yield b"@@ -" + old + b" +" + new + b" @@\n"
        at = start
        for edit in group:
            yield from _marked(b" ", lines[at : edit.start])
            yield from _marked(b"-", edit.removed)
            yield from _marked(b"+", edit.added)
            at = edit.end
        yield from _marked(b" ", lines[at:end])
        shift += grown


def _grouped(edits: Sequence[Edit]) -> Iterator[list[Edit]]:
    """Edits whose context touches or overlaps, together."""
    group: list[Edit] = []
    for edit in edits:
        if group and edit.start - group[-1].end > 2 * CONTEXT:
            yield group
            group = []
        group.append(edit)
    if group:
        yield group


def _range(start: int, count: int) -> bytes:
    """Where a hunk stands: 1-based, but the line before it where it has no lines on this side."""
    first = start + 1 if count else start
    return b"%d" % first if count == 1 else b"%d,%d" % (first, count)


def _marked(mark: bytes, lines: Sequence[bytes]) -> Iterator[bytes]:
    for line in lines:
        yield mark + line if line.endswith(LF) else mark + line + LF + _NO_NEWLINE


def _label(side: Side) -> bytes:
    seconds, nanoseconds = divmod(side.mtime_ns if side.data is not None else 0, 1_000_000_000)
    when = datetime.fromtimestamp(seconds, UTC)
    return _quoted(side.path) + f"\t{when:%Y-%m-%d %H:%M:%S}.{nanoseconds:09d} +0000\n".encode()


def _quoted(path: str) -> bytes:
    """A name as diff prints it: in quotes and escaped as in C where it holds more than printable ASCII, or a space."""
    data = os.fsencode(path)
    if all(0x20 < byte < 0x7F and byte not in _ESCAPES for byte in data):
        return data
    pieces = (_ESCAPES.get(byte) or (bytes([byte]) if 0x20 <= byte < 0x7F else b"\\%03o" % byte) for byte in data)
    return b'"' + b"".join(pieces) + b'"'
