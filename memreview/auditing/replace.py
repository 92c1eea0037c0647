"""One file of the user's replaced, with a backup, unless it changed or is no file."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from datetime import datetime

from memreview.errors import RefusedError
from memreview.read.small_files import read_regular

MOST = 16_000_000
"""Bytes of a file that is written; no settings and no instructions that a person keeps come near it."""


def read_whole(path: str) -> bytes | None:
    """All of a regular file, None where nothing is there.

    Raises :class:`RefusedError` where something else stands there, and :class:`OSError`.
    """
    data = read_regular(path, MOST + 1)
    if data is None and os.path.lexists(path):
        # A device or a pipe that stood here, at the end of a link perhaps, would be gone once a file took its place.
        raise RefusedError(f"{path}: is no regular file; nothing was written, put the line in by hand")
    if data is not None and len(data) > MOST:
        raise RefusedError(f"{path}: is larger than {MOST // 1_000_000} MB; nothing was written")
    return data


def replace_file(path: str, old: bytes | None, data: bytes, now: float | None, *, mode: int = 0o600) -> str | None:
    """Put ``data`` where ``old`` was read (None: nothing), all or nothing; the backup of what it was (None: new).

    ``path`` has its links resolved. ``now``, in seconds since 1970, names the backup; None makes none. A new file gets
    ``mode``. Raises :class:`RefusedError` where the file changed meanwhile, :class:`OSError`
    where it cannot be written; then it is as it was.
    """
    folder = os.path.dirname(path)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    mode = mode if old is None else os.stat(path).st_mode & 0o7777
    backup = None
    if old is not None and now is not None:
        when = datetime.fromtimestamp(now).strftime("%Y%m%d-%H%M%S")
        backup = _backup(f"{path}.before-memreview-{when}", old, mode)
    try:
        _exchange(path, old, data, mode)
    except BaseException:
        if backup is not None:
            with suppress(OSError):
                os.unlink(backup)
        raise
    return backup


def _exchange(path: str, old: bytes | None, data: bytes, mode: int) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".memreview-")
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        os.chmod(temporary, mode)
        if read_whole(path) != old:
            raise RefusedError(f"{path}: was changed by somebody else just now; nothing was written, try again")
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _backup(path: str, data: bytes, mode: int) -> str:
    """Write a backup under a name that nothing has; the name."""
    for number in range(1000):
        name = path if not number else f"{path}-{number}"
        with suppress(FileExistsError):
            descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
            try:
                with open(descriptor, "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(descriptor)
            except BaseException:
                # A part of the file is no backup of it.
                os.unlink(name)
                raise
            return name
    raise FileExistsError(17, "too many backups", path)
