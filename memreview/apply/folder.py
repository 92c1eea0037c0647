"""A memory folder opened for writing: everything in it is reached by descriptor, never through a link."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from memreview.apply.names import Place
from memreview.errors import RefusedError
from memreview.text import visible

_OPEN_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OPEN_FOLDERS = 64
_NOT_A_FOLDER = frozenset({errno.ELOOP, errno.EMLINK, errno.ENOTDIR})


def digest(data: bytes) -> str:
    """The hash by which a text is recognised."""
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True, slots=True)
class Found:
    """A regular file as it lies in the folder."""

    data: bytes
    info: os.stat_result

    @property
    def mode(self) -> int:
        """Permission bits."""
        return stat.S_IMODE(self.info.st_mode)


def read_place(place: Place, shown: str) -> Found | None:
    """The regular file at a place, None where there is nothing; ``shown`` names it in messages.

    Raises :class:`RefusedError` for a link, a folder or anything special.
    """
    try:
        descriptor = os.open(place.name, _OPEN_FILE, dir_fd=place.folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in _NOT_A_FOLDER:
            raise RefusedError(f"{visible(shown)}: this is a link; nothing is written through links") from error
        raise RefusedError(f"{visible(shown)}: cannot be read ({error.strerror})") from error
    info = os.fstat(descriptor)
    if not stat.S_ISREG(info.st_mode):
        os.close(descriptor)
        raise RefusedError(f"{visible(shown)}: this is no file; no note can be written here")
    with os.fdopen(descriptor, "rb") as file:
        return Found(file.read(), info)


class Folder:
    """An open folder. Paths are relative to it, with ``/``. To be closed; usable as a context manager.

    ``path`` is its real path. Raises :class:`RefusedError` where it cannot be opened.
    """

    def __init__(self, path: str) -> None:
        self.path = os.path.realpath(path)
        try:
            self._root = os.open(self.path, _OPEN_FOLDER)
        except OSError as error:
            raise RefusedError(f"{visible(path)}: cannot be opened ({error.strerror})") from error
        self._inner: OrderedDict[str, int] = OrderedDict()

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close every descriptor."""
        for descriptor in (*self._inner.values(), self._root):
            os.close(descriptor)
        self._inner.clear()

    @property
    def device(self) -> int:
        """The file system that it lies on."""
        return os.fstat(self._root).st_dev

    def full(self, path: str) -> str:
        """The whole path of a note, for messages."""
        return os.path.join(self.path, path)

    def read(self, path: str) -> Found | None:
        """The file at ``path``, None where there is none or where its folder is missing.

        Raises :class:`RefusedError` where a link, a folder, or a file in place of a folder is in the way.
        """
        try:
            place = self.place(path)
        except FileNotFoundError:
            return None
        return read_place(place, self.full(path))

    def place(self, path: str) -> Place:
        """Where ``path`` is: an open folder and a name. Raises :class:`FileNotFoundError` if its folder is missing."""
        parent, _, name = path.rpartition("/")
        return Place(self._open(parent), name)

    def missing_parents(self, path: str) -> list[str]:
        """The folders above ``path`` that do not exist yet, outermost first."""
        missing: list[str] = []
        for parent in parents(path):
            if missing:
                missing.append(parent)
                continue
            try:
                self._open(parent)
            except FileNotFoundError:
                missing.append(parent)
        return missing

    def parent_modes(self, path: str) -> dict[str, int]:
        """The permission bits of the folders above ``path`` that exist, outermost first."""
        modes: dict[str, int] = {}
        for parent in parents(path):
            try:
                modes[parent] = stat.S_IMODE(os.fstat(self._open(parent)).st_mode)
            except FileNotFoundError:
                break
        return modes

    def make(self, path: str, mode: int | None = None) -> None:
        """Make a folder in its existing parent, with exactly ``mode``, or as the umask has it."""
        place = self.place(path)
        os.mkdir(place.name, 0o777 if mode is None else mode, dir_fd=place.folder)
        if mode is not None:
            os.fchmod(self._open(path), mode)
        os.fsync(place.folder)

    def remove_empty(self, path: str) -> bool:
        """Remove a folder if nothing is in it; True where it went."""
        descriptor = self._inner.pop(path, None)
        if descriptor is not None:
            os.close(descriptor)
        try:
            place = self.place(path)
            os.rmdir(place.name, dir_fd=place.folder)
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError as error:
            if error.errno in {errno.ENOTEMPTY, errno.EEXIST, errno.EACCES, errno.EPERM, errno.EBUSY, errno.EROFS}:
                return False
            raise
        return True

    def sync(self, path: str) -> None:
        """Make the names in the folder of ``path`` lasting."""
        try:
            os.fsync(self.place(path).folder)
        except FileNotFoundError:
            return

    def _open(self, folder: str) -> int:
        if not folder:
            return self._root
        known = self._inner.get(folder)
        if known is not None:
            self._inner.move_to_end(folder)
            return known
        parent, _, name = folder.rpartition("/")
        outer = self._open(parent)
        try:
            descriptor = os.open(name, _OPEN_FOLDER, dir_fd=outer)
        except FileNotFoundError:
            raise
        except OSError as error:
            shown = visible(self.full(folder))
            if error.errno in _NOT_A_FOLDER:
                raise RefusedError(f"{shown}: a folder is needed here, but this is a link or a file") from error
            raise RefusedError(f"{shown}: cannot be opened ({error.strerror})") from error
        self._inner[folder] = descriptor
        if len(self._inner) > _OPEN_FOLDERS:
            _, oldest = self._inner.popitem(last=False)
            os.close(oldest)
        return descriptor


def parents(path: str) -> Iterator[str]:
    """The folders above a note, outermost first."""
    parts = path.split("/")[:-1]
    for depth in range(len(parts)):
        yield "/".join(parts[: depth + 1])


@contextmanager
def refusing(what: str, outcome: str = "nothing was changed") -> Iterator[None]:
    """Turn what the system says into one line: the file, the reason, and the outcome for the folder."""
    try:
        yield
    except OSError as error:
        raise RefusedError(f"{system_message(error, what)}; {outcome}") from error


def system_message(error: OSError, what: str) -> str:
    """The file, or else ``what`` was being written, and what the system has against it."""
    name = error.filename if isinstance(error.filename, (str, bytes)) else what
    shown = os.fsdecode(name)
    return f"{visible(shown if os.path.isabs(shown) else what)}: {error.strerror or error}"
