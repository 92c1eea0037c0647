"""What happens again and again: ``Tuesdays``, ``every two weeks``, ``the first Monday of each month``.

Equal repetitions share a reading: weekdays lie in the week from Monday, 1900-01-01, every other one ten years before
for each step, the n-th of a month in January of the years from 1801 on, spans of units begin with 1901.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from memreview.checks.claims.dates.amounts import amount
from memreview.checks.claims.dates.arithmetic import DAY, GRAINS, add
from memreview.checks.claims.dates.intervals import Grain, Interval
from memreview.checks.claims.dates.nodes import Node
from memreview.checks.claims.dates.reader import Found, Reader

WEEKLY = datetime(1900, 1, 1)
_OTHERWISE = datetime(1901, 1, 1)
_STEP = timedelta(days=7 * 520)
_MOST = 10_000


def recurring(reader: Reader, at: int) -> Found:
    """``Tuesdays``, ``every Tuesday``, ``Mon–Fri``, ``every two weeks``, ``daily``. A time of day is its own match."""
    if reader.means(at, "every"):
        return _every(reader, at)
    if reader.means(at, "plural"):
        return _weekdays(reader, at, 1)
    if reader.means(at, "weekday") is not None and reader.hyphen(at + 1):
        return _weekday_span(reader, at)
    if reader.means(at, "ord") or reader.means(at, "art"):
        return _nth_of_each(reader, reader.skip(at, "art"))
    days = reader.name(at, "weekdays")
    if days is not None:
        first, _, last = days.partition("-")
        return _week_part(int(first), int(last)), at + 1
    word = reader.name(at, "recur")
    return None if word is None else (_each(word, 1), at + 1)


def _every(reader: Reader, at: int) -> Found:
    """``every other Friday``, ``jeden zweiten Dienstag``, ``tous les 3 jours``, ``each morning``."""
    other = reader.means(at + 1, "other") is not None
    after = at + 2 if other else at + 1
    days = _weekdays(reader, after, 2 if other else 1) or _nth_of_each(reader, after, each=True)
    if days is not None:
        return days
    by = amount(reader, after)
    if by is not None and by[0].vague is None:
        return _each(by[0].unit, by[0].parts[0][0]), by[1]
    unit = reader.name(after, "unit")
    if unit is not None and not (reader.means(after, "ord") and unit == "second"):
        return _each(unit, 2 if other else 1), after + 1
    ordinal, unit = reader.integer(after, "ord"), reader.name(after + 1, "unit")
    if ordinal is not None and unit is not None:
        return _each(unit, ordinal), after + 2
    days = _weekdays(reader, after + 1, ordinal) if ordinal is not None and 1 < ordinal < 5 else None
    if days is not None:
        return days
    return (_each("day", 1), after + 1) if reader.name(after, "pod") else None


def _nth_of_each(reader: Reader, at: int, *, each: bool = False) -> Found:
    """``the first Monday of every month``, ``jeden ersten Montag im Monat``; a first one is always of the month."""
    ordinal, weekday = reader.integer(at, "ord"), reader.integer(at + 1, "weekday")
    if ordinal is None or weekday is None or not 1 <= ordinal <= 5:
        return None
    link = reader.skip(reader.skip(at + 2, "of", "in"), "art")
    month = reader.skip(link, "every") if link > at + 2 else link
    named = link > at + 2 and reader.name(month, "unit") == "month" and (each or month > link)
    if not named and not (each and ordinal == 1):
        return None
    start = datetime(1800 + ordinal, 1, 1) + weekday * DAY
    return Node((Interval(start, start + DAY),), Grain.DAY, "recurring"), month + 1 if named else at + 2


def _weekdays(reader: Reader, at: int, step: int) -> Found:
    """One or several weekdays: ``Mondays and Thursdays``."""
    days: list[int] = []
    while (weekday := reader.integer(at, "weekday")) is not None:
        days.append(weekday)
        at += 1
        after = reader.skip(reader.skip_sign(at, ","), "and", "or")
        if after == at or reader.means(after, "weekday") is None:
            break
        at = after
    if not days:
        return None
    base = WEEKLY - (step - 1) * _STEP
    return Node(
        tuple(Interval(base + d * DAY, base + (d + 1) * DAY) for d in sorted(set(days))), Grain.DAY, "recurring"
    ), at


def _weekday_span(reader: Reader, at: int) -> Found:
    """``Mon–Fri``: of every week, unless a date follows."""
    first, last = reader.integer(at, "weekday"), reader.integer(at + 2, "weekday")
    after = reader.token(at + 3)
    dated = after.text.isdigit() and len(after.text) > 2 and not reader.ends(at + 3)
    if first is None or last is None or last <= first or dated:
        return None
    return _week_part(first, last), at + 3


def _week_part(first: int, last: int) -> Node:
    return Node((Interval(WEEKLY + first * DAY, WEEKLY + (last + 1) * DAY),), Grain.WEEK, "recurring")


def _each(unit: str, count: float) -> Node:
    """Every so many units, as the span from one time to the next."""
    last = add(_OTHERWISE, min(count, _MOST), "day" if unit == "night" else unit)
    return Node((Interval(_OTHERWISE, last),), GRAINS[unit], "recurring")
