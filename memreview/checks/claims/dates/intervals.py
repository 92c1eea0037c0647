"""What is found: intervals, their grain, and the places they were read from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import Literal

Kind = Literal["date", "time", "duration", "recurring"]


class Grain(IntEnum):
    """How exact an expression is, from fine to coarse."""

    SECOND = 1
    MINUTE = 2
    HOUR = 3
    PART_OF_DAY = 4
    DAY = 5
    WEEK = 6
    THIRD = 7
    MONTH = 8
    QUARTER = 9
    SEASON = 10
    HALF = 11
    YEAR = 12
    DECADE = 13
    CENTURY = 14


@dataclass(frozen=True, slots=True)
class Interval:
    """Naive local time from ``start`` to before ``end``; None is open."""

    start: datetime | None
    end: datetime | None


@dataclass(frozen=True, slots=True)
class DateMatch:
    """One expression of time in a text.

    ``start`` and ``end`` count code points. ``readings`` are alternatives, the most usual first, and empty where
    nothing can be said without an anchor. Times of day lie on 1900-01-01, weekdays that recur in the week from that
    Monday, and other repetitions in 1901, so that equal ones share a reading. ``relative`` depends on the anchor;
    ``rots`` is wrong in a note a day, week or year later; ``fuzzy`` names no sharp borders. ``clock`` are the minutes
    of a time of day. ``said`` is the day on which something was said, from which a relative expression beside it is
    counted.
    """

    start: int
    end: int
    text: str
    kind: Kind
    readings: tuple[Interval, ...]
    grain: Grain
    relative: bool = False
    rots: bool = False
    fuzzy: bool = False
    clock: tuple[tuple[int, int], ...] = ()
    said: bool = False


def value(match: DateMatch) -> str:
    """``start/end`` in ISO form, the end exclusive, an open side empty; alternatives separated by ``|``."""
    return "|".join(f"{_iso(reading.start)}/{_iso(reading.end)}" for reading in match.readings)


def _iso(moment: datetime | None) -> str:
    if moment is None:
        return ""
    if (moment.hour, moment.minute, moment.second, moment.microsecond) == (0, 0, 0, 0):
        return f"{moment.year:04d}-{moment.month:02d}-{moment.day:02d}"
    return moment.isoformat(timespec="minutes" if moment.second == 0 and moment.microsecond == 0 else "seconds")


Meeting = Literal["same", "coarser", "finer", "overlap", "apart"]
_NEAREST: tuple[Meeting, ...] = ("same", "coarser", "finer", "overlap", "apart")


def meets(claim: DateMatch, evidence: DateMatch) -> Meeting:
    """How the claim stands to the evidence, over the best pair of their readings.

    ``coarser``: the claim says less, it contains the evidence. ``finer``: it says more. ``overlap``: both at once.
    """
    best: Meeting = "apart"
    if claim.kind != evidence.kind:
        return best
    for mine in claim.readings:
        for theirs in evidence.readings:
            how = compare(mine, theirs)
            if _NEAREST.index(how) < _NEAREST.index(best):
                best = how
    return best


def compare(mine: Interval, theirs: Interval) -> Meeting:
    """How one interval stands to another."""
    if mine == theirs:
        return "same"
    if contains(mine, theirs):
        return "coarser"
    if contains(theirs, mine):
        return "finer"
    return "overlap" if overlap(mine, theirs) else "apart"


def contains(outer: Interval, inner: Interval) -> bool:
    """True where no moment of ``inner`` lies outside of ``outer``."""
    begins = outer.start is None or (inner.start is not None and outer.start <= inner.start)
    return begins and (outer.end is None or (inner.end is not None and inner.end <= outer.end))


def overlap(one: Interval, other: Interval) -> bool:
    """True where both have a moment in common."""
    before = one.end is not None and other.start is not None and one.end <= other.start
    after = other.end is not None and one.start is not None and other.end <= one.start
    return not before and not after
