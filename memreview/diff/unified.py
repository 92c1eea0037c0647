"""A parsed unified diff, and carrying it out or undoing it exactly: no fuzz, no search, every line checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memreview.diff.lines import LF, split_lines
from memreview.errors import DreamError


@dataclass(frozen=True, slots=True)
class ParsedHunk:
    """One ``@@`` hunk: 0-based first lines in both texts, and the lines as ``(mark, line)``, mark one of ``" -+"``."""

    old_start: int
    new_start: int
    lines: tuple[tuple[str, bytes], ...]
    diff_line: int

    @property
    def old(self) -> tuple[bytes, ...]:
        """The lines of the old text."""
        return tuple(line for mark, line in self.lines if mark != "+")

    @property
    def new(self) -> tuple[bytes, ...]:
        """The lines of the new text."""
        return tuple(line for mark, line in self.lines if mark != "-")


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """One file of a diff. Paths are as the diff names them (of ``diff --git`` without ``a/`` and ``b/``).

    Times are aware, None where the diff gives none. ``old_absent``/``new_absent`` say that the file does not exist on
    that side: the time is the epoch (GNU ``diff -N``) or the name is ``/dev/null``. ``binary`` files have no hunks.
    ``line`` is the 1-based line of the diff at which the file begins.
    """

    old_path: str
    new_path: str
    old_time: datetime | None = None
    new_time: datetime | None = None
    hunks: tuple[ParsedHunk, ...] = ()
    binary: bool = False
    old_absent: bool = False
    new_absent: bool = False
    old_mode: int | None = None
    new_mode: int | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class ParsedDiff:
    """``files`` in order; ``only_in`` are ``(folder, name)`` of "Only in" lines (a diff made without ``-N``).

    ``notices`` are what diff itself had to say, for the person to read.
    """

    files: tuple[ParsedFile, ...] = ()
    only_in: tuple[tuple[str, str], ...] = ()
    notices: tuple[str, ...] = ()


def undo(proposed: bytes | None, file: ParsedFile) -> bytes | None:
    """The old text from the new one, None where it did not exist; each context and added line must stand where it says.

    Raises :class:`DreamError` where the diff does not fit ``proposed``.
    """
    parts = [(hunk.new_start, hunk.new, hunk.old, hunk) for hunk in file.hunks]
    return _swap(proposed, file, parts, file.new_absent, file.old_absent)


def redo(base: bytes | None, file: ParsedFile) -> bytes | None:
    """The new text from the old one, None where it is deleted; each context and removed line must stand where it says.

    Raises :class:`DreamError` where the diff does not fit ``base``.
    """
    parts = [(hunk.old_start, hunk.old, hunk.new, hunk) for hunk in file.hunks]
    return _swap(base, file, parts, file.old_absent, file.new_absent)


_Part = tuple[int, tuple[bytes, ...], tuple[bytes, ...], ParsedHunk]


def _swap(
    data: bytes | None, file: ParsedFile, parts: Sequence[_Part], was_absent: bool, is_absent: bool
) -> bytes | None:
    if file.binary:
        raise _unfit(file, "is binary, its bytes are not in the diff")
    if data is None and not was_absent:
        raise _unfit(file, "is missing")
    if data and was_absent:
        raise _unfit(file, "exists, but the diff says that it does not")
    lines = split_lines(data or b"")
    out: list[bytes] = []
    at = 0
    for start, there, instead, hunk in parts:
        end = start + len(there)
        if start < at or start > len(lines) or lines[start:end] != there:
            raise _unfit(file, f"does not have the lines of the hunk at line {hunk.diff_line} of the diff")
        out += lines[at:start]
        out += instead
        at = end
    out += lines[at:]
    if not all(line.endswith(LF) for line in out[:-1]):
        raise _unfit(file, "would get lines after one without a line end")
    return None if is_absent and not out else b"".join(out)


def _unfit(file: ParsedFile, what: str) -> DreamError:
    return DreamError(f"memory.diff does not fit: {file.new_path} {what}; run the dream again")
