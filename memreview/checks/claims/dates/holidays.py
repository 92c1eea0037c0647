"""Days that people name instead of counting, by the ids used in the word lists."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from memreview.checks.claims.dates.arithmetic import easter, month_of, weekday_in

_FIXED = {
    "new-year": (1, 1), "epiphany": (1, 6), "candlemas": (2, 2), "groundhog": (2, 2), "valentine": (2, 14),
    "womens-day": (3, 8),
    "st-patrick": (3, 17), "april-fools": (4, 1), "earth-day": (4, 22), "labour": (5, 1),
    "juneteenth": (6, 19), "midsummer": (6, 24),
    "peter-paul": (6, 29), "us-independence": (7, 4), "bastille": (7, 14),
    "swiss": (8, 1),
    "augsburg": (8, 8), "assumption": (8, 15), "german-unity": (10, 3), "hispanic": (10, 12),
    "austrian": (10, 26), "halloween": (10, 31), "reformation": (10, 31), "all-saints": (11, 1),
    "all-souls": (11, 2), "st-martin": (11, 11), "us-veterans": (11, 11), "armistice": (11, 11), "st-barbara": (12, 4),
    "st-nicholas": (12, 6), "immaculate": (12, 8),
    "christmas-eve": (12, 24), "christmas": (12, 25), "christmas-1":
    (12, 25), "christmas-2": (12, 26), "boxing-day": (12, 26), "new-years-eve": (12, 31),
}  # fmt: skip
_FROM_EASTER = {
    "carnival-thursday": -52, "carnival-sunday": -49, "rose-monday": -48, "shrove-tuesday": -47, "ash-wednesday": -46,
    "palm-sunday": -7, "maundy-thursday": -3, "good-friday": -2, "holy-saturday": -1, "easter": 0, "easter-monday": 1,
    "ascension": 39, "pentecost": 49, "whit-monday": 50, "corpus-christi": 60,
}  # fmt: skip
_NTH = {
    "mlk": (1, 0, 3), "us-presidents": (2, 0, 3), "mothers-day": (5, 6, 2), "us-memorial": (5, 0, -1),
    "fathers-day": (6, 6, 3), "us-labor": (9, 0, 1), "harvest": (10, 6, 1), "columbus": (10, 0, 2), "thanksgiving":
    (11, 3, 4),
}  # fmt: skip
_FROM_ADVENT = {
    "memorial-de": -14,
    "repentance": -11,
    "eternity": -7,
    "advent-1": 0,
    "advent-2": 7,
    "advent-3": 14,
    "advent-4": 21,
}


def _after_thanksgiving(days: int) -> Callable[[int], datetime]:
    return lambda year: _nth(year, 11, 3, 4) + timedelta(days=days)


_SPECIAL = {"black-friday": _after_thanksgiving(1), "cyber-monday": _after_thanksgiving(4)}


def _nth(year: int, month: int, weekday: int, number: int) -> datetime:
    whole = month_of(year, month)
    found = weekday_in(whole, weekday, number) if whole else None
    if found is None:
        raise ValueError("no such weekday")
    return found


def holiday(name: str, year: int) -> datetime | None:
    """Its day in that year; None where the year is off the calendar."""
    try:
        if name in _FIXED:
            return datetime(year, *_FIXED[name])
        if name in _FROM_EASTER:
            return easter(year) + timedelta(days=_FROM_EASTER[name])
        if name in _NTH:
            return _nth(year, *_NTH[name])
        if name in _FROM_ADVENT:
            eve = datetime(year, 12, 24)
            fourth = eve - timedelta(days=(eve.weekday() + 1) % 7)
            return fourth + timedelta(days=_FROM_ADVENT[name] - 21)
        return _SPECIAL[name](year)
    except (ValueError, OverflowError):
        return None
