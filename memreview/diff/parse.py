"""``memory.diff`` → files and hunks. The only module that knows unidiff.

unidiff parses the hunks. What it would get wrong is settled before it sees a line: lines end at ``\\n`` only (it splits
wherever Python does), bytes become characters one to one (it guesses an encoding), hunk bodies are taken by their
counts (a removed line ``-- x`` looks like a header), names are unquoted here, and what it would skip is refused.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memreview.diff.headers import name_and_rest, parse_time, two_paths
from memreview.diff.lines import LF, split_lines
from memreview.diff.unified import ParsedDiff, ParsedFile, ParsedHunk, redo, undo
from memreview.errors import DreamError

__all__ = ["ParsedDiff", "ParsedFile", "ParsedHunk", "parse_diff", "redo", "undo"]

if TYPE_CHECKING:
    from unidiff.patch import Hunk

_RANGE = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(?: .*)?\n", re.DOTALL)
_ONLY = re.compile(rb"Only in (.+?): (.+)\Z", re.DOTALL)
_NOTICE = re.compile(rb"(?:\S*/)?diff: .|File .+ is an? .+ while file .+ is an? |Common subdirectories: ", re.DOTALL)
_GIT_MODE = re.compile(rb"(old|new|new file|deleted file) mode ([0-7]{1,6})\Z")
_NAME_LINES = 8
"""Line feeds that two names, which diff does not quote, may hold together."""
_STARTS = (b"diff ", b"--- ", b"@@ ")
_NO_LINE_END = "\\ No newline at end of file\n"
_SIDES = {" ": "-+", "-": "-", "+": "+"}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NULL = "/dev/null"


def parse_diff(data: bytes, name: str = "memory.diff") -> ParsedDiff:
    """Parse a unified diff as ``diff -ruN`` or git writes it; ``name`` is what errors call it.

    Raises :class:`DreamError` with the line number where it is cut, contradicts itself or holds anything else.
    """
    scan = _Scan(split_lines(data), name)
    scan.run()
    return ParsedDiff(tuple(_parsed(scan)), tuple(scan.only_in), tuple(scan.notices))


@dataclass(slots=True)
class _Head:
    """A file of the diff while it is read; ``body`` is what unidiff gets, ``starts`` the diff's lines of its hunks."""

    line: int
    old_path: str = ""
    new_path: str = ""
    old_time: datetime | None = None
    new_time: datetime | None = None
    binary: bool = False
    old_mode: int | None = None
    new_mode: int | None = None
    git: bool = False
    added: bool = False
    deleted: bool = False
    starts: list[int] = field(default_factory=list)
    body: list[str] = field(default_factory=list)


class _Scan:
    """Reads names, checks that hunks are whole, and lays the hunks out for unidiff."""

    def __init__(self, lines: Sequence[bytes], name: str) -> None:
        self._lines = lines
        self._name = name
        self._at = 0
        self._head: _Head | None = None
        self.heads: list[_Head] = []
        self.only_in: list[tuple[str, str]] = []
        self.notices: list[str] = []

    def run(self) -> None:
        """Read every line."""
        if self._lines and not self._lines[-1].endswith(LF):
            raise self.broken(len(self._lines), "the diff is cut in the middle of a line")
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.startswith(b"--- "):
                self._names(line)
            elif line.startswith(b"@@ "):
                self._hunk(line)
            elif line.startswith(b"diff --git "):
                self._git(line)
            elif line.startswith(b"diff "):
                self._command()
            else:
                self._other(line[:-1])

    def broken(self, line: int, what: str) -> DreamError:
        """The refusal of this diff; ``line`` is 1-based."""
        return DreamError(f"{self._name} line {line}: {what}; run the dream again")

    def _ahead(self, distance: int) -> bytes:
        at = self._at + distance
        return self._lines[at] if at < len(self._lines) else b""

    def _file(self) -> _Head:
        head = _Head(self._at + 1)
        self.heads.append(head)
        self._head = head
        return head

    def _command(self) -> None:
        """``diff -ruN old new`` stands before names, and says nothing that they do not."""
        if not self._ahead(1).startswith(b"--- "):
            raise self.broken(self._at + 1, "a diff command without the file names that should follow it")
        self._head = None
        self._at += 1

    def _names(self, line: bytes) -> None:
        following = self._ahead(1)
        if not following.startswith(b"+++ "):
            raise self.broken(self._at + 1, "a --- line without the +++ line that should follow it")
        if not self._ahead(2).startswith(b"@@ "):
            raise self.broken(self._at + 2, "file names without the hunk that should follow them")
        head = self._head
        if head is None or not head.git or head.starts:
            head = self._file()
        old, head.old_time = self._name_and_time(line[4:-1], 1)
        new, head.new_time = self._name_and_time(following[4:-1], 2)
        head.added |= old == _NULL
        head.deleted |= new == _NULL
        if head.git:
            old, new = old.removeprefix("a/"), new.removeprefix("b/")
        head.old_path = new if head.added else old
        head.new_path = old if head.deleted else new
        self._at += 2

    def _name_and_time(self, text: bytes, distance: int) -> tuple[str, datetime | None]:
        name, rest = self._name_part(text, distance)
        if rest and not rest.startswith(b"\t"):
            raise self.broken(self._at + distance, "a file name that is followed by something else")
        if not name:
            raise self.broken(self._at + distance, "a file without a name")
        return name, parse_time(rest[1:])

    def _name_part(self, text: bytes, distance: int = 1) -> tuple[str, bytes]:
        found = name_and_rest(text)
        if found is None:
            raise self.broken(self._at + distance, "a file name that is quoted in an unknown way")
        return os.fsdecode(found[0]), found[1]

    def _hunk(self, line: bytes) -> None:
        """Take one hunk by its counts; nothing in it can be taken for anything else."""
        head, start = self._head, self._at + 1
        found = _RANGE.match(line)
        if head is None or head.binary:
            raise self.broken(start, "a hunk that belongs to no file")
        if found is None:
            raise self.broken(start, "a malformed hunk header")
        old, new = (1 if part is None else int(part) for part in found.group(2, 4))
        if not old and not new:
            raise self.broken(start, "a hunk without lines")
        head.starts.append(start)
        head.body.append(line.decode("latin-1"))
        self._at += 1
        ended: set[str] = set()
        sides = ""
        while old or new or self._ahead(0).startswith(b"\\"):
            text = self._ahead(0).decode("latin-1")
            if not text:
                raise self.broken(start, "the diff is cut in the hunk that begins here")
            if text[0] == "\\":
                ended.update(sides)
                text = _NO_LINE_END
            else:
                text = " " + text if text in ("\n", "\r\n") else text
                sides = _SIDES.get(text[0], "")
                old -= "-" in sides
                new -= "+" in sides
                if not sides:
                    raise self.broken(self._at + 1, "the hunk is shorter than its header says")
                if old < 0 or new < 0 or ended & set(sides):
                    raise self.broken(self._at + 1, "the hunk is longer than its header says")
            head.body.append(text)
            self._at += 1

    def _git(self, line: bytes) -> None:
        head = self._file()
        head.git = True
        head.old_path = head.new_path = self._git_name(line[len(b"diff --git ") : -1])
        self._at += 1
        while self._at < len(self._lines) and self._git_header(head, self._lines[self._at][:-1]):
            self._at += 1
        if not head.new_path and not self._ahead(0).startswith(b"--- "):
            raise self.broken(head.line, "a file without a name")

    def _git_name(self, text: bytes) -> str:
        """The one name of ``a/name b/name``; empty where there are two, which other lines then say."""
        if text.startswith(b'"'):
            old, rest = self._name_part(text)
            new = self._name_part(rest[1:])[0] if rest.startswith(b" ") else ""
        else:
            half = len(text) // 2
            old, new = os.fsdecode(text[:half]), os.fsdecode(text[half + 1 :])
        return old[2:] if old[2:] == new[2:] and old.startswith("a/") and new.startswith("b/") else ""

    def _git_header(self, head: _Head, line: bytes) -> bool:
        """Take one line between ``diff --git`` and the names; False for a line that is none of these."""
        mode = _GIT_MODE.match(line)
        key, _, value = line.partition(b" ")
        if mode is not None:
            bits = int(mode.group(2), 8) & 0o7777
            head.added |= mode.group(1) == b"new file"
            head.deleted |= mode.group(1) == b"deleted file"
            if mode.group(1).startswith(b"new"):
                head.new_mode = bits
            else:
                head.old_mode = bits
        elif key in (b"rename", b"copy") and value.startswith((b"from ", b"to ")):
            side, _, name = value.partition(b" ")
            if side == b"from":
                head.old_path = self._name_part(name)[0]
            else:
                head.new_path = self._name_part(name)[0]
        elif line.startswith(b"Binary files "):
            head.binary = True
        elif line == b"GIT binary patch":
            raise self.broken(self._at + 1, "a binary patch of git, which cannot be read")
        else:
            return key in (b"index", b"similarity", b"dissimilarity")
        return True

    def _other(self, text: bytes) -> None:
        """What stands between files: binary files, files on one side only, and messages of diff in any language."""
        only = _ONLY.match(text)
        if _NOTICE.match(text):
            self.notices.append(text.decode("utf-8", "surrogateescape"))
        elif only is not None:
            self.only_in.append((os.fsdecode(only.group(1)), os.fsdecode(only.group(2))))
        else:
            names = self._two_paths(text)
            head = self._file()
            head.binary = True
            head.old_path, head.new_path = map(os.fsdecode, names)
        self._head = None
        self._at += 1

    def _two_paths(self, text: bytes) -> tuple[bytes, bytes]:
        """The two paths of "Binary files … differ", over as many lines as line feeds in the names make of it."""
        start = self._at
        while (names := two_paths(text)) is None:
            more = self._ahead(1)
            if self._at - start == _NAME_LINES or not more or more.startswith(_STARTS):
                raise self.broken(start + 1, "this is no part of a diff")
            text += LF + more[:-1]
            self._at += 1
        return names


def _parsed(scan: _Scan) -> Iterator[ParsedFile]:
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    whole: list[str] = []
    for number, head in enumerate(scan.heads):
        if head.body:
            whole += [f"--- {number}\n", f"+++ {number}\n", *head.body]
    try:
        patch = iter(PatchSet(whole))
    except UnidiffParseError as error:
        raise scan.broken(1, f"the diff cannot be parsed ({str(error).strip()})") from error
    for head in scan.heads:
        hunks = tuple(_hunks(scan, head, next(patch))) if head.body else ()
        yield ParsedFile(
            old_path=head.old_path,
            new_path=head.new_path,
            old_time=head.old_time,
            new_time=head.new_time,
            hunks=hunks,
            binary=head.binary,
            old_absent=head.added or _is_absent(head.old_time, [hunk.old for hunk in hunks]),
            new_absent=head.deleted or _is_absent(head.new_time, [hunk.new for hunk in hunks]),
            old_mode=head.old_mode,
            new_mode=head.new_mode,
            line=head.line,
        )


def _hunks(scan: _Scan, head: _Head, hunks: Sequence[Hunk]) -> Iterator[ParsedHunk]:
    """The hunks as unidiff read them; refused where they overlap or do not stand where the ones before put them."""
    old_end = new_end = 0
    if len(hunks) != len(head.starts):
        raise scan.broken(head.line, "the diff cannot be parsed")
    for hunk, line in zip(hunks, head.starts, strict=True):
        old_start = hunk.source_start - bool(hunk.source_length)
        new_start = hunk.target_start - bool(hunk.target_length)
        if old_start < old_end or old_start - old_end != new_start - new_end:
            raise scan.broken(line, "a hunk that does not stand where the hunks before it put it")
        old_end, new_end = old_start + hunk.source_length, new_start + hunk.target_length
        parsed = ParsedHunk(old_start, new_start, tuple(_marked(hunk)), line)
        if line != head.starts[-1] and not all(text.endswith(LF) for _, text in parsed.lines):
            raise scan.broken(line, "a hunk after the last line of the file")
        yield parsed


def _marked(hunk: Hunk) -> Iterator[tuple[str, bytes]]:
    mark, text = "", b""
    for line in hunk:
        if line.line_type == "\\":
            text = text.removesuffix(LF)
            continue
        if mark:
            yield mark, text
        mark, text = line.line_type, line.value.encode("latin-1")
    if mark:
        yield mark, text


def _is_absent(time: datetime | None, texts: Sequence[Sequence[bytes]]) -> bool:
    """True for a side without lines whose time is the epoch, or is not given."""
    return len(texts) == 1 and not texts[0] and (time is None or time == _EPOCH)
