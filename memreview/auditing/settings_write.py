"""Writes the retention period into the user's settings, with a backup; never over a file that does not parse."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from datetime import datetime

import orjson

from memreview.checks.period import KEY, as_days
from memreview.checks.settings_text import with_key
from memreview.config import Options
from memreview.errors import RefusedError, UsageError
from memreview.read.settings import user_path
from memreview.read.small_files import read_regular

_BOM = "\ufeff"
MOST = 16_000_000
"""Bytes of a settings file that is written; none that a person keeps comes near it."""


def write_period(options: Options, days: int, now: float) -> tuple[str, str | None]:
    """Set ``cleanupPeriodDays`` in the user's settings.json; the file, and the backup of what it was (None: new).

    A link is followed, so that the file behind it changes. Raises :class:`RefusedError` where the file does not parse,
    is no regular file, was changed meanwhile or cannot be written; then nothing has changed. :class:`UsageError` for
    a period that the client would refuse.
    """
    if as_days(days) is None:
        raise UsageError(f"{days} is no period; the client wants a whole number of days from 1")
    path = os.path.realpath(user_path(options))
    try:
        old = _read(path)
        text = (old or b"{}\n").decode("utf-8")
        new = with_key(text.removeprefix(_BOM), KEY, days)
        wanted = {**orjson.loads(text.removeprefix(_BOM)), KEY: days}
        if orjson.loads(new) != wanted:
            raise ValueError("it cannot be changed without changing more")
    except OSError as error:
        raise RefusedError(f"{path}: cannot be read ({error.strerror}); nothing was written") from error
    except (ValueError, TypeError, RecursionError) as error:
        raise RefusedError(f"{path}: is no JSON object ({error}); nothing was written, put it right first") from error
    data = ((_BOM if text.startswith(_BOM) else "") + new).encode("utf-8")
    try:
        return path, _replace(path, old, data, datetime.fromtimestamp(now).strftime("%Y%m%d-%H%M%S"))
    except OSError as error:
        raise RefusedError(f"{path}: cannot be written ({error.strerror}); nothing was changed") from error


def _read(path: str) -> bytes | None:
    data = read_regular(path, MOST + 1)
    if data is None and os.path.lexists(path):
        # A device or a pipe that stood here, at the end of a link perhaps, would be gone once a file took its place.
        raise RefusedError(f"{path}: is no regular file; nothing was written, put the line in by hand")
    if data is not None and len(data) > MOST:
        raise RefusedError(f"{path}: is larger than {MOST // 1_000_000} MB; nothing was written")
    return data


def _replace(path: str, old: bytes | None, data: bytes, when: str) -> str | None:
    folder = os.path.dirname(path)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    mode = 0o600 if old is None else os.stat(path).st_mode & 0o7777
    backup = None if old is None else _backup(f"{path}.before-memreview-{when}", old, mode)
    descriptor, temporary = tempfile.mkstemp(dir=folder, prefix=".settings-")
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        os.chmod(temporary, mode)
        if _read(path) != old:
            raise RefusedError(f"{path}: was changed by somebody else just now; nothing was written, try again")
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    return backup


def _backup(path: str, data: bytes, mode: int) -> str:
    """Write a backup under a name that nothing has; the name."""
    for number in range(1000):
        name = path if not number else f"{path}-{number}"
        with suppress(FileExistsError):
            descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
            with open(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(descriptor)
            return name
    raise FileExistsError(17, "too many backups", path)
