"""Single files read and compared without reading more than was asked for, nor waiting at what is no file."""

from __future__ import annotations

import errno
import os
import stat
from typing import IO

_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def read_regular(path: str, limit: int, *, tail: bool = False) -> bytes | None:
    """At most ``limit`` bytes of a regular file, its last ones with ``tail``; None where it is missing or no file.

    A link in the last part of ``path`` is not followed. Raises :class:`OSError` where the file cannot be read.
    """
    try:
        descriptor = os.open(path, _FLAGS)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        if os.path.islink(path):
            return None
        raise
    info = os.fstat(descriptor)
    if not stat.S_ISREG(info.st_mode):
        os.close(descriptor)
        return None
    with os.fdopen(descriptor, "rb") as file:
        if tail and info.st_size > limit:
            file.seek(info.st_size - limit)
        return file.read(limit)


def open_regular(path: str) -> IO[bytes]:
    """The regular file at ``path``, or behind the link there, opened to be read.

    Raises :class:`OSError` for anything else, without waiting: a pipe that nobody writes to would block for ever.
    """
    descriptor = os.open(path, _FLAGS & ~os.O_NOFOLLOW)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "is no regular file", path)
    return os.fdopen(descriptor, "rb")


def same_entry(first: str, second: str, *, limit: int = 16_000_000) -> bool:
    """True where two directory entries hold the same: files their bytes, links their aim, folders the same entries.

    Whatever is missing, unreadable, longer than ``limit`` bytes or of a special kind is the same as nothing.
    """
    try:
        modes = [os.lstat(path).st_mode for path in (first, second)]
        if stat.S_IFMT(modes[0]) != stat.S_IFMT(modes[1]):
            return False
        if stat.S_ISLNK(modes[0]):
            return os.readlink(first) == os.readlink(second)
        if stat.S_ISDIR(modes[0]):
            names = sorted(os.listdir(first))
            return names == sorted(os.listdir(second)) and all(
                same_entry(os.path.join(first, name), os.path.join(second, name), limit=limit) for name in names
            )
        contents = [read_regular(path, limit + 1) for path in (first, second)]
    except OSError:
        return False
    return contents[0] is not None and contents[0] == contents[1] and len(contents[0]) <= limit


def same_kind(first: str, second: str) -> bool:
    """True where both directory entries exist and are of one kind: files, folders, links."""
    try:
        return stat.S_IFMT(os.lstat(first).st_mode) == stat.S_IFMT(os.lstat(second).st_mode)
    except OSError:
        return False
