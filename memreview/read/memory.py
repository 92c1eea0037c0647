"""A memory folder read from disk: every Markdown file as bytes, everything else named and left alone.

Folders are walked by descriptor and opened without following links, so that neither a link nor one put in place while
the folder is being read can lead outside.
"""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass, field

from memreview.errors import MemreviewError, TargetError
from memreview.model.memory import MemoryFolder, Note, Stranger

NOTE_SUFFIX = ".md"
"""What makes a file a note: the only spelling that the client itself writes (measured on 2.1.332)."""
MAX_DEPTH = 40
"""Folders below each other that are looked into; deeper ones are strangers."""

LINK = "a link"
HIDDEN_FOLDER = "a hidden folder"
GIT = "belongs to git"
NO_NOTE = "not a Markdown file"
SPECIAL = "neither a file nor a folder"
UNREADABLE = "cannot be read"
TOO_DEEP = "nested too deeply"
TOO_LARGE = "larger than any note"

_OPEN_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


def is_note_path(path: str) -> bool:
    """True for a relative path that a note may have: in no hidden folder, ending in ``.md``, never going up."""
    parts = path.split("/")
    folders_fine = all(part and not part.startswith(".") for part in parts[:-1])
    return folders_fine and parts[-1].endswith(NOTE_SUFFIX) and "\0" not in path


def read_folder(path: str, *, missing_ok: bool = False, max_bytes: int | None = None) -> MemoryFolder:
    """Read every note of a folder, and name what is no note.

    A note is a regular file that ends in ``.md``, in the folder or in any subfolder that is not hidden. Links are never
    followed; only ``path`` itself may be one. A file that vanishes meanwhile is left out, one of more than
    ``max_bytes`` is a stranger. ``missing_ok`` makes a missing folder an empty one. Raises :class:`TargetError` where
    there is no such folder, :class:`MemreviewError` where it cannot be read.
    """
    real = os.path.realpath(path)
    try:
        root = os.open(real, _OPEN_FOLDER)
    except FileNotFoundError as error:
        if missing_ok:
            return MemoryFolder(path=path, real_path=real)
        raise TargetError(f"{path}: no such folder") from error
    except NotADirectoryError as error:
        raise TargetError(f"{path}: this is a file, a folder is needed") from error
    except OSError as error:
        raise MemreviewError(f"{path}: cannot be read ({error.strerror})") from error
    reader = _Reader(max_bytes)
    try:
        reader.walk(root, "", 0)
    except OSError as error:
        raise MemreviewError(f"{path}: cannot be read ({error.strerror})") from error
    finally:
        os.close(root)
    return MemoryFolder(
        path=path,
        real_path=real,
        notes=dict(sorted(reader.notes.items())),
        strangers=tuple(sorted(reader.strangers, key=lambda stranger: stranger.path)),
    )


@dataclass
class _Reader:
    """Collects notes and strangers of one folder."""

    max_bytes: int | None = None
    notes: dict[str, Note] = field(default_factory=dict)
    strangers: list[Stranger] = field(default_factory=list)

    def walk(self, folder: int, prefix: str, depth: int) -> None:
        """Read the entries of the open folder ``folder``, whose path ends in ``/`` or is empty."""
        for name in sorted(os.listdir(folder)):
            path = prefix + name
            try:
                mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
            except FileNotFoundError:
                continue
            except OSError:
                self._stranger(path, UNREADABLE)
                continue
            if name == ".git":
                self._stranger(path, GIT)
            elif stat.S_ISLNK(mode):
                self._stranger(path, LINK)
            elif stat.S_ISDIR(mode):
                self._descend(folder, name, path, depth)
            elif not stat.S_ISREG(mode):
                self._stranger(path, SPECIAL)
            elif not name.endswith(NOTE_SUFFIX):
                self._stranger(path, NO_NOTE)
            else:
                self._read(folder, name, path)

    def _descend(self, folder: int, name: str, path: str, depth: int) -> None:
        if name.startswith("."):
            self._stranger(path, HIDDEN_FOLDER)
            return
        if depth >= MAX_DEPTH:
            self._stranger(path, TOO_DEEP)
            return
        try:
            inner = os.open(name, _OPEN_FOLDER | os.O_NOFOLLOW, dir_fd=folder)
        except OSError as error:
            self._failed(path, error)
            return
        try:
            self.walk(inner, path + "/", depth + 1)
        except OSError as error:
            self._failed(path, error)
        finally:
            os.close(inner)

    def _read(self, folder: int, name: str, path: str) -> None:
        try:
            descriptor = os.open(name, _OPEN_FILE, dir_fd=folder)
        except OSError as error:
            self._failed(path, error)
            return
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode):
            os.close(descriptor)
            self._stranger(path, SPECIAL)
            return
        if self.max_bytes is not None and info.st_size > self.max_bytes:
            os.close(descriptor)
            self._stranger(path, TOO_LARGE)
            return
        with os.fdopen(descriptor, "rb") as file:
            try:
                data = file.read()
            except OSError as error:
                self._failed(path, error)
                return
        self.notes[path] = Note(path, data, stat.S_IMODE(info.st_mode), info.st_mtime_ns)

    def _failed(self, path: str, error: OSError) -> None:
        """Name what could not be opened; what is gone by now is simply not there."""
        if error.errno == errno.ENOENT:
            return
        became_link = error.errno in {errno.ELOOP, errno.EMLINK, errno.ENOTDIR}
        self._stranger(path, LINK if became_link else UNREADABLE)

    def _stranger(self, path: str, reason: str) -> None:
        self.strangers.append(Stranger(path, reason))
