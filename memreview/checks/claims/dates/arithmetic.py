"""Date arithmetic: units, periods, weeks, in naive local time. What falls outside of the years 1–9999 is None."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from datetime import datetime, timedelta

from memreview.checks.claims.dates.intervals import Grain, Interval

DAY = timedelta(days=1)
WEEK = timedelta(days=7)
_MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}
_STEPS = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": DAY,
    "night": DAY,
    "week": WEEK,
    "fortnight": 2 * WEEK,
    "weekend": WEEK,
    "workweek": WEEK,
}
GRAINS = {
    "second": Grain.SECOND,
    "minute": Grain.MINUTE,
    "hour": Grain.HOUR,
    "day": Grain.DAY,
    "night": Grain.DAY,
    "workday": Grain.DAY,
    "weekend": Grain.WEEK,
    "week": Grain.WEEK,
    "workweek": Grain.WEEK,
    "fortnight": Grain.WEEK,
    "month": Grain.MONTH,
    "quarter": Grain.QUARTER,
    "half": Grain.HALF,
    "year": Grain.YEAR,
    "decade": Grain.DECADE,
    "century": Grain.CENTURY,
}


def midnight(moment: datetime) -> datetime:
    """The beginning of its day."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def day(year: int, month: int, number: int) -> datetime | None:
    """That day, or None where the calendar has none."""
    try:
        return datetime(year, month, number)
    except (ValueError, OverflowError):
        return None


def add(moment: datetime, amount: float, unit: str) -> datetime | None:
    """``amount`` of ``unit`` later; in months and years the day of the month stays, or becomes the last one."""
    try:
        if unit == "workday":
            return _add_workdays(moment, int(amount))
        if unit in _STEPS:
            return moment + amount * _STEPS[unit]
        months = amount * _MONTHS[unit]
        whole = int(months // 1)
        index = moment.year * 12 + moment.month - 1 + whole
        year, month = divmod(index, 12)
        last = monthrange(year, month + 1)[1]
        moved = moment.replace(year=year, month=month + 1, day=min(moment.day, last))
        return moved + timedelta(days=round((months - whole) * 30))
    except (ValueError, OverflowError, IndexError):
        return None


def _add_workdays(moment: datetime, amount: int) -> datetime:
    step = DAY if amount > 0 else -DAY
    left = min(abs(amount), 10_000)
    while left:
        moment += step
        left -= moment.weekday() < 5
    return moment


def begin(moment: datetime, unit: str, week_start: int = 0) -> datetime:
    """The beginning of the calendar period of that unit; ``week_start`` 0 is Monday, 6 is Sunday."""
    if unit in ("second", "minute", "hour"):
        minute = 0 if unit == "hour" else moment.minute
        return moment.replace(minute=minute, second=moment.second if unit == "second" else 0, microsecond=0)
    start = midnight(moment)
    if unit in ("week", "workweek", "fortnight"):
        return start - ((start.weekday() - week_start) % 7) * DAY
    if unit == "weekend":
        return start - start.weekday() * DAY + 5 * DAY
    if unit in _MONTHS:
        size = _MONTHS[unit]
        if size >= 12:
            years = size // 12
            return start.replace(year=max(start.year // years * years, 1), month=1, day=1)
        return start.replace(month=(start.month - 1) // size * size + 1, day=1)
    return start


def period(moment: datetime, unit: str, offset: int = 0, week_start: int = 0) -> Interval | None:
    """The calendar period that holds the moment, moved by ``offset`` periods."""
    try:
        first = add(begin(moment, unit, week_start), offset, unit)
    except OverflowError:
        return None
    return None if first is None else span(first, unit)


def span(start: datetime, unit: str, count: float = 1) -> Interval | None:
    """``count`` units from ``start`` on."""
    if unit == "weekend":
        stop = add(start, 2 + 7 * (count - 1), "day")
    elif unit == "workweek":
        stop = add(start, 5 + 7 * (count - 1), "day")
    else:
        stop = add(start, count, unit)
    return None if stop is None else Interval(start, stop)


def single(start: datetime | None, unit: str = "day") -> tuple[Interval, ...]:
    """One unit from ``start``, or nothing."""
    if start is None:
        return ()
    found = span(start, unit)
    return () if found is None else (found,)


def iso_week(year: int, week: int) -> Interval | None:
    """The ISO week of that number."""
    try:
        first = datetime.fromisocalendar(year, week, 1)
        return Interval(first, first + WEEK)
    except (ValueError, OverflowError):
        return None


def month_of(year: int, month: int) -> Interval | None:
    """That month."""
    first = day(year, month, 1)
    return None if first is None else span(first, "month")


def year_of(year: int) -> Interval | None:
    """That year."""
    first = day(year, 1, 1)
    return None if first is None else span(first, "year")


def third(whole: Interval, which: int) -> Interval:
    """The first, middle or last third (0, 1, 2) of a closed interval: of a month its days 1–10, 11–20, 21–end."""
    start, stop = whole.start, whole.end
    if start is None or stop is None:
        return whole
    length = stop - start
    if timedelta(days=28) <= length <= timedelta(days=31) and start.day == 1:
        edges = [start, start + 10 * DAY, start + 20 * DAY, stop]
    elif length >= timedelta(days=85):
        months = round(length / timedelta(days=30.44))
        cuts = [add(start, k * months / 3, "month") or stop for k in (1, 2)]
        edges = [start, midnight(cuts[0]), midnight(cuts[1]), stop]
    elif length <= DAY:
        edges = [start, start + length / 3, start + 2 * length / 3, stop]
    else:
        days = length // DAY
        size = max(1, -(-days // 3))
        edges = [start, start + size * DAY, stop - size * DAY, stop]
    return Interval(edges[which], edges[which + 1])


def weekday_in(whole: Interval, weekday: int, number: int) -> datetime | None:
    """The ``number``-th (from 1; from the end where negative) such weekday of an interval."""
    start, stop = whole.start, whole.end
    if start is None or stop is None or number == 0:
        return None
    first = midnight(start)
    try:
        if number > 0:
            found = first + ((weekday - first.weekday()) % 7) * DAY + (number - 1) * WEEK
        else:
            last = midnight(stop - timedelta(microseconds=1))
            found = last - ((last.weekday() - weekday) % 7) * DAY + (number + 1) * WEEK
    except OverflowError:
        return None
    return found if start <= found < stop else None


def shift(interval: Interval, move: Callable[[datetime], datetime | None]) -> Interval | None:
    """Both sides moved; None where one leaves the calendar."""
    start = None if interval.start is None else move(interval.start)
    stop = None if interval.end is None else move(interval.end)
    if (start is None) != (interval.start is None) or (stop is None) != (interval.end is None):
        return None
    return Interval(start, stop)


def easter(year: int) -> datetime:
    """Easter Sunday of the Gregorian calendar (the anonymous algorithm of 1876, by Meeus)."""
    century, rest = divmod(year, 100)
    leaps = (8 * century + 13) // 25
    epact = (19 * (year % 19) + century - century // 4 - leaps + 15) % 30
    epact -= epact == 29 or (epact == 28 and year % 19 > 10)
    sunday = (2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4 + 32) % 7
    return datetime(year, 3, 22) + timedelta(days=epact + sunday)
