"""Writes the retention period into the user's settings, with a backup; never over a file that does not parse."""

from __future__ import annotations

import os

import orjson

from memreview.auditing.replace import read_whole, replace_file
from memreview.checks.period import KEY, as_days
from memreview.checks.settings_text import with_key
from memreview.config import Options
from memreview.errors import RefusedError, UsageError
from memreview.read.settings import user_path

_BOM = "\ufeff"


def write_period(options: Options, days: int, now: float) -> tuple[str, str | None]:
    """Set ``cleanupPeriodDays`` in the user's settings.json; the file, and the backup of what it was.

    The backup is None where the file is new, or says so already: then it is left as it is.

    A link is followed, so that the file behind it changes. Raises :class:`RefusedError` where the file does not parse,
    is no regular file, was changed meanwhile or cannot be written; then nothing has changed. :class:`UsageError` for
    a period that the client would refuse.
    """
    if as_days(days) is None:
        raise UsageError(f"{days} is no period; the client wants a whole number of days from 1")
    path = os.path.realpath(user_path(options))
    try:
        old = read_whole(path)
        text = (old or b"{}\n").decode("utf-8")
        new = with_key(text.removeprefix(_BOM), KEY, days)
        wanted = {**orjson.loads(text.removeprefix(_BOM)), KEY: days}
        if orjson.loads(new) != wanted:
            raise ValueError("it cannot be changed without changing more")
    except OSError as error:
        raise RefusedError(f"{path}: cannot be read ({error.strerror}); nothing was written") from error
    except (ValueError, TypeError, RecursionError) as error:
        raise RefusedError(f"{path}: is no JSON object ({error}); nothing was written, put it right first") from error
    if old is not None and wanted == orjson.loads(text.removeprefix(_BOM)):
        return path, None
    data = ((_BOM if text.startswith(_BOM) else "") + new).encode("utf-8")
    try:
        return path, replace_file(path, old, data, now)
    except OSError as error:
        raise RefusedError(f"{path}: cannot be written ({error.strerror}); nothing was changed") from error
