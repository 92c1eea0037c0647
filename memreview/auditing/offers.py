"""Sentences offered for CLAUDE.md: where they would go, as a difference, and written only when a person says so."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memreview.auditing.replace import read_whole, replace_file
from memreview.auditing.roots import Roots
from memreview.checks.layers import tokens_in
from memreview.checks.purpose import SENTENCES, says_purpose
from memreview.config import Options
from memreview.errors import RefusedError, TargetError
from memreview.model.dream import Project
from memreview.read.instructions import Instructions, instructions
from memreview.read.sessions import list_folders
from memreview.report.sentence import SENTENCE, holds_sentence

NAME = "CLAUDE.md"
_BOM = b"\xef\xbb\xbf"
_CONTEXT = 3


class Offered(StrEnum):
    """What is offered: what memory is for, or that a note is to carry its own evidence."""

    PURPOSE = "purpose"
    EVIDENCE = "evidence"


@dataclass(frozen=True, slots=True)
class Offer:
    """Lines to be put at the end of the file ``path``.

    ``old`` is what the file holds (None: there is none), ``said_in`` a file that says it already. ``tokens`` is about
    what the lines cost in every session.
    """

    what: Offered
    path: str
    old: bytes | None
    lines: tuple[str, ...]
    tokens: int
    said_in: str | None = None

    @property
    def new(self) -> bytes:
        """The whole file with the lines."""
        old = self.old or b""
        end = b"\r\n" if b"\r\n" in old else b"\n"
        gap = end if old and not old.endswith(b"\n") else b""
        between = end if old.removeprefix(_BOM).strip() else b""
        return old + gap + between + b"".join(line.encode() + end for line in self.lines)

    def diff(self) -> Iterator[str]:
        """The difference that writing makes, in unified form; lines have no ends."""
        old = (self.old or b"").decode("utf-8", "replace").split("\n")
        new = self.new.decode("utf-8", "replace").split("\n")[:-1]
        # Lines are put at the end only: all but a last line without an end is the same on both sides.
        same, removed = len(old) - 1, old[-1:] if old[-1] else []
        context = min(same, _CONTEXT)
        yield f"--- {self.path if self.old is not None else os.devnull}"
        yield f"+++ {self.path}"
        before = context + len(removed)
        yield f"@@ -{same - context + bool(before)},{before} +{same - context + 1},{len(new) - same + context} @@"
        yield from (f" {line}" for line in old[same - context : same])
        if removed:
            yield from (f"-{removed[0]}", "\\ No newline at end of file")
        yield from (f"+{line}" for line in new[same:])


def offer(what: Offered, project: Project | None, options: Options) -> Offer:
    """What would be written for the project, or for all projects of the user where it is None.

    A project's lines go to the CLAUDE.md of the directory that it stands for. Raises
    :class:`~memreview.errors.TargetError` where no session tells of a directory that is there, and
    :class:`RefusedError` where the file cannot be read or is no file.
    """
    root = None
    if project is not None:
        folders = list_folders(os.path.dirname(project.path))
        folder = folders.by_name.get(os.path.basename(project.path))
        root = Roots(folders).root(folder) if folder is not None else None
        if root is None or not os.path.isdir(root):
            raise TargetError(
                f"{project.name}: no session tells of a directory that is there; offer it for all projects instead"
            )
    loaded = instructions(root, options)
    path = os.path.realpath(_place(root, loaded, options))
    try:
        old = read_whole(path)
    except OSError as error:
        raise RefusedError(f"{path}: cannot be read ({error.strerror}); nothing was written") from error
    lines = SENTENCES if what is Offered.PURPOSE else (SENTENCE,)
    return Offer(what, path, old, lines, tokens_in("\n".join(lines)), _said_in(what, loaded))


def write_offer(one: Offer) -> None:
    """Put the lines at the end of the file; all that was there stays as it is, byte for byte.

    Raises :class:`RefusedError` where the file says it already, changed since the offer was made, or cannot be
    written; then nothing has changed.
    """
    if one.said_in is not None:
        raise RefusedError(f"{one.said_in}: says it already; nothing was written")
    try:
        replace_file(one.path, one.old, one.new, None, mode=0o644)
    except OSError as error:
        raise RefusedError(f"{one.path}: cannot be written ({error.strerror}); nothing was changed") from error


def _place(root: str | None, loaded: Sequence[Instructions], options: Options) -> str:
    if root is None:
        return os.path.join(options.claude_dir, NAME)
    places = [os.path.join(root, NAME), os.path.join(root, ".claude", NAME)]
    there = {os.path.realpath(file.path) for file in loaded}
    return next((path for path in places if os.path.realpath(path) in there), places[0])


def _said_in(what: Offered, loaded: Sequence[Instructions]) -> str | None:
    for file in loaded:
        if says_purpose(file.text) if what is Offered.PURPOSE else holds_sentence(file.text):
            return file.path
    return None
