"""For how long transcripts are kept: what settings files say, in the client's order and by its rules.

Measured on Claude Code 2.1.332: managed settings before ``--settings`` before the project's local and shared ones
before the user's. A whole number of days from 1 is valid, however it is written; any other value voids its whole file,
and while a file is void no sweep runs at all. Only an invalid managed value is dropped by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

KEY = "cleanupPeriodDays"
"""The setting that says after how many days transcripts are deleted."""
DEFAULT_DAYS = 30
"""What holds where no file sets it."""
BOOLEANS = ("autoMemoryEnabled", "autoDreamEnabled")
"""Settings that have to be true or false; anything else voids the file."""


class Source(StrEnum):
    """Whose settings these are, in the order in which they are asked."""

    MANAGED = "managed"
    FLAG = "--settings"
    LOCAL = "local"
    PROJECT = "project"
    USER = "user"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """One settings file as read: ``values`` is None where there is none, or where ``problem`` says why it is void."""

    source: Source
    path: str
    values: Mapping[str, Any] | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Period:
    """The days after which transcripts are deleted, and what says so.

    ``valid`` is False where a settings file is void: then nothing is deleted at all, ``days`` is only what would hold
    without that file, and ``problem`` names it. ``notices`` are remarks on files that do not void anything.
    """

    days: int = DEFAULT_DAYS
    source: Source = Source.DEFAULT
    valid: bool = True
    path: str | None = None
    problem: str | None = None
    notices: tuple[str, ...] = ()


def void_reason(values: Mapping[str, Any]) -> str | None:
    """Why the client drops a file with these values, as far as the settings that matter here tell."""
    if KEY in values and as_days(values[KEY]) is None:
        return f"{KEY} is {_shown(values[KEY])}, where a whole number of days from 1 is wanted"
    for key in BOOLEANS:
        if key in values and not isinstance(values[key], bool):
            return f"{key} is {_shown(values[key])}, where true or false is wanted"
    return None


def as_days(value: object) -> int | None:
    """The number of days that a value of the setting means; None where the client refuses it."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if value >= 1 and value == value // 1 and value < 1e300 else None


def effective(files: Sequence[SettingsFile]) -> Period:
    """The period that holds under these files, whatever their order here."""
    period, notices = Period(), []
    void: SettingsFile | None = None
    for source in reversed(Source):
        for file in files:
            if file.source is not source:
                continue
            if file.problem is not None:
                void = file
                continue
            if file.values is None:
                continue
            if KEY not in file.values:
                notices += _near_misses(file)
                continue
            days = as_days(file.values[KEY])
            if days is not None:
                period = Period(days, source, path=file.path)
            elif source is Source.MANAGED:
                notices.append(f"{file.path}: {void_reason(file.values)}; the client drops this value alone")
            else:
                void = SettingsFile(source, file.path, problem=void_reason(file.values))
    if void is not None:
        return Period(period.days, void.source, False, void.path, void.problem, tuple(notices))
    return Period(period.days, period.source, True, period.path, None, tuple(notices))


def _near_misses(file: SettingsFile) -> list[str]:
    """Keys that look like the setting and are not it: the client ignores them without a word."""
    assert file.values is not None
    near = [key for key in file.values if key.lower().startswith("cleanup") or key.lower() == KEY.lower()]
    nested = [f"{key}.{KEY}" for key, value in file.values.items() if isinstance(value, dict) and KEY in value]
    return [f"{file.path}: {key} is no setting of the client; write {KEY} at the top" for key in (*near, *nested)]


def _shown(value: object) -> str:
    text = {True: "true", False: "false", None: "null"}.get(value, "") if isinstance(value, bool | None) else ""
    return text or (repr(value) if len(repr(value)) <= 40 else type(value).__name__)
