"""Lines of a note in the person's own editor, by way of a private temporary file."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass

from memreview.errors import MemreviewError
from memreview.model.dream import Conflict
from memreview.review.index import Unit
from memreview.text import decode, encode

SCISSORS = "------------------------ >8 ------------------------"
"""What stands above lines that are only to be looked at; a longer one where a text has this line itself."""
_LONG_AGO = 1_000_000_000.0
FALLBACKS = ("editor", "nano", "vi")


class EditorError(MemreviewError):
    """The editor could not be started, failed, or left something that cannot be a line of a note."""


@dataclass(frozen=True, slots=True)
class Edited:
    """What came back: ``lines`` without line ends; ``changed`` is False where the file is as it was.

    ``saved`` is True where the editor has written it, be it just as it was.
    """

    lines: tuple[str, ...]
    changed: bool
    saved: bool = True


def beside_conflict(unit: Unit, conflict: Conflict) -> tuple[str, ...]:
    """What an editor shows below the lines of a change in conflict: what is on disk now, and what the dream read."""
    old = unit.change.removed if unit.change is not None else ()
    return (
        "Above stands what will be written. Save it, changed or not, to settle the conflict;",
        "quit without saving to leave it as it is. What is below is only to look at.",
        "",
        f"On disk now ({conflict.reason}):",
        *(_line(line) for line in conflict.live),
        "",
        "As the dream read it:",
        *(_line(line) for line in old),
    )


def _line(line: bytes) -> str:
    return decode(line.rstrip(b"\r\n"))


def editor_command(terminal: bool = True) -> list[str]:
    """``$VISUAL``, else ``$EDITOR`` (with arguments, as a shell reads them), else, with a terminal, a usual one."""
    from shutil import which

    for name in ("VISUAL", "EDITOR"):
        value = os.environ.get(name, "").strip()
        if value:
            try:
                return shlex.split(value)
            except ValueError as error:
                raise EditorError(
                    f"${name} cannot be read as a command ({error}): set it to the editor to use"
                ) from None
    for name in FALLBACKS if terminal else ():
        if which(name):
            return [name]
    raise EditorError("No editor was found: set $EDITOR to the one to use")


def edit_lines(lines: Sequence[str], name: str, *, beside: Sequence[str] = (), terminal: bool = True) -> Edited:
    """Let the person edit ``lines`` (of the note ``name``); an empty file means no lines.

    Lines ``beside`` them stand below a line of scissors, to be looked at; whatever is below it is not taken.
    Runs the editor in the foreground. The file is UTF-8 with ``\\n``; undecodable bytes of ``lines`` go in and come
    back as they are, new ones are refused, as is NUL. Raises :class:`EditorError`; what was written is then named.
    """
    command = editor_command(terminal)
    cut = SCISSORS
    while cut in (*lines, *beside):
        cut += "-"
    below = [cut, *beside] if beside else []
    before = b"".join(encode(line) + b"\n" for line in (*lines, *below))
    folder = tempfile.mkdtemp(prefix="memreview-")
    path = os.path.join(folder, os.path.basename(name) or "note.md")
    try:
        with open(path, "xb") as file:
            file.write(before)
        # Whether it is written again is told by its time, whatever the steps of the clock.
        os.utime(path, (_LONG_AGO, _LONG_AGO))
        _run(command, path)
        with open(path, "rb") as file:
            after = file.read()
            saved = os.fstat(file.fileno()).st_mtime != _LONG_AGO
    except OSError as error:
        raise EditorError(f"{path}: {error.strerror or error}; your text may still be there") from None
    if after == before:
        _remove(folder)
        return Edited(tuple(lines), False, saved)
    text = _above(_checked(after, before, path), cut, beside, path)
    _remove(folder)
    return Edited(text, text != tuple(lines), saved)


def _above(text: tuple[str, ...], cut: str, beside: Sequence[str], path: str) -> tuple[str, ...]:
    """The lines above the scissors; all of them where nothing stood below, or the person took all of that away."""
    if not beside:
        return text
    if cut in text:
        return text[: text.index(cut)]
    if beside[0] in text:
        raise EditorError(f"the line of scissors was taken out of {path}, so nothing tells what to take: edit again")
    return text


def _run(command: Sequence[str], path: str) -> None:
    try:
        status = subprocess.run([*command, path], check=False).returncode
    except OSError as error:
        raise EditorError(
            f"{command[0]} cannot be started ({error.strerror}): set $EDITOR to the editor to use"
        ) from None
    if status:
        raise EditorError(f"{command[0]} ended with status {status}: nothing was changed here; its file is {path}")


def _checked(after: bytes, before: bytes, path: str) -> tuple[str, ...]:
    if b"\0" in after:
        raise EditorError(f"{path} holds a NUL character, which no note can: nothing was changed here")
    text = decode(after)
    known = {char for char in decode(before) if "\udc80" <= char <= "\udcff"}
    if any("\udc80" <= char <= "\udcff" and char not in known for char in text):
        raise EditorError(f"{path} is not UTF-8: nothing was changed here; save it as UTF-8 and edit again")
    if not text:
        return ()
    return tuple(line.removesuffix("\r") for line in text.removesuffix("\n").split("\n"))


def _remove(folder: str) -> None:
    from shutil import rmtree

    rmtree(folder, ignore_errors=True)
