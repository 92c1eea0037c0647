"""Renaming without ever overwriting what nobody looked at.

A plain ``rename`` destroys whatever stands under the target name at that instant. Where the system can exchange two
names atomically (Linux ``renameat2``, macOS ``renameatx_np``) the old file is kept under the other name instead, so
that it can be looked at afterwards and put back. Elsewhere hard links keep it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

_UNSUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})


@dataclass(frozen=True, slots=True)
class Place:
    """A name in an open folder."""

    folder: int
    name: str


@dataclass(frozen=True, slots=True)
class _Primitive:
    call: Callable[[int, bytes, int, bytes, int], int]
    exclusive: int
    exchange: int


@lru_cache(maxsize=1)
def _primitive() -> _Primitive | None:
    """The system's rename with flags, or None where there is none."""
    names = {"linux": ("renameat2", 1, 2), "darwin": ("renameatx_np", 4, 2)}
    if sys.platform not in names:
        return None
    name, exclusive, exchange = names[sys.platform]
    try:
        function = getattr(ctypes.CDLL(None, use_errno=True), name)
    except (AttributeError, OSError):
        return None
    function.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    function.restype = ctypes.c_int
    return _Primitive(function, exclusive, exchange)


def _flagged(source: Place, target: Place, *, exchange: bool) -> bool:
    """Rename with a flag; False where the system or the file system cannot."""
    primitive = _primitive()
    if primitive is None:
        return False
    flag = primitive.exchange if exchange else primitive.exclusive
    if not primitive.call(source.folder, os.fsencode(source.name), target.folder, os.fsencode(target.name), flag):
        return True
    number = ctypes.get_errno()
    if number in _UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number), target.name)


def rename_new(source: Place, target: Place) -> None:
    """Rename ``source`` to ``target``; :class:`FileExistsError` where ``target`` exists."""
    if _flagged(source, target, exchange=False):
        return
    try:
        os.link(source.name, target.name, src_dir_fd=source.folder, dst_dir_fd=target.folder, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:
        try:
            os.stat(target.name, dir_fd=target.folder, follow_symlinks=False)
        except FileNotFoundError:
            rename_over(source, target)
            return
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target.name) from None
    os.unlink(source.name, dir_fd=source.folder)


def rename_over(source: Place, target: Place) -> None:
    """Rename ``source`` to ``target``, over whatever stands there."""
    os.rename(source.name, target.name, src_dir_fd=source.folder, dst_dir_fd=target.folder)


def exchange(source: Place, target: Place) -> None:
    """Put ``source`` in the place of ``target`` and the other way round; both must exist.

    Where the system cannot do it in one step, ``target`` still never goes missing: it is replaced by a rename, after
    a hard link has kept what stood there. On file systems without hard links what stood there is not kept.
    """
    if _flagged(source, target, exchange=True):
        return
    kept = Place(source.folder, source.name + ".kept")
    try:
        os.link(target.name, kept.name, src_dir_fd=target.folder, dst_dir_fd=kept.folder, follow_symlinks=False)
    except OSError:
        rename_over(source, target)
        return
    rename_over(source, target)
    rename_over(kept, source)
