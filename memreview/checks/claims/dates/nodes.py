"""What a part of a text means while it is read: readings, and what a neighbour may still complete."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache

from memreview.checks.claims.dates.anchor import Anchor
from memreview.checks.claims.dates.arithmetic import DAY, add, day, midnight, month_of, period, single, year_of
from memreview.checks.claims.dates.intervals import Grain, Interval, Kind

NEAR = timedelta(days=270)
"""A day without its year is the nearest one; the one on the other side of the anchor is usual up to this distance."""


@dataclass(frozen=True, slots=True)
class Partial:
    """The fields of a calendar date that were written; the weekday narrows the rest."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """One expression. ``partials`` are its written fields, where it is a calendar date that can be completed.

    ``clock`` are alternatives of a time of day: minute of its begin and of its end (past 1440 on the next day).
    """

    readings: tuple[Interval, ...] = ()
    grain: Grain = Grain.DAY
    kind: Kind = "date"
    partials: tuple[Partial, ...] = ()
    clock: tuple[tuple[int, int], ...] = ()
    relative: bool = False
    rots: bool = False
    fuzzy: bool = False
    bare: bool = False


def unique(readings: list[Interval] | tuple[Interval, ...]) -> tuple[Interval, ...]:
    """Without repetitions, in order."""
    return tuple(dict.fromkeys(readings))


def is_day(node: Node) -> bool:
    """True where it names single days."""
    return node.kind == "date" and node.grain == Grain.DAY


@lru_cache(maxsize=4096)
def partial_node(partials: tuple[Partial, ...], anchor: Anchor | None) -> Node | None:
    """The node of a calendar date; None where the calendar has no such day."""
    readings: list[Interval] = []
    grain = _grain(partials[0])
    for partial in partials:
        readings += resolve(partial, anchor)
    relative = all(p.year is None for p in partials)
    if not readings and not (relative and anchor is None and any(_possible(p) for p in partials)):
        return None
    return Node(unique(readings), grain, partials=partials, relative=relative)


def _possible(partial: Partial) -> bool:
    return partial.month is None or partial.day is None or day(2024, partial.month, partial.day) is not None


def _grain(partial: Partial) -> Grain:
    if partial.day is not None or (partial.weekday is not None and partial.month is None):
        return Grain.DAY
    return Grain.MONTH if partial.month is not None else Grain.YEAR


def resolve(partial: Partial, anchor: Anchor | None) -> list[Interval]:
    """Its readings, the most usual first."""
    year, month, number = partial.year, partial.month, partial.day
    if year is not None:
        if month is None:
            return [r for r in [year_of(year)] if r]
        return [r for r in [month_of(year, month)] if r] if number is None else list(single(day(year, month, number)))
    if anchor is None:
        return []
    today = anchor.days[0]
    if month is not None:
        return _without_year(month, number, partial.weekday, today)
    if number is not None:
        return _without_month(number, partial.weekday, today)
    return [] if partial.weekday is None else _weekday(partial.weekday, today)


def _distance(reading: Interval, today: datetime) -> timedelta:
    if reading.start is None or reading.end is None:
        return timedelta(0)
    if reading.end <= today:
        return today - reading.end
    return max(reading.start - today, timedelta(0))


def _nearest(found: list[Interval], today: datetime, limit: timedelta = NEAR) -> list[Interval]:
    """The nearest reading, and the nearest one on the other side unless it is far."""
    found = sorted(found, key=lambda r: _distance(r, today))
    if not found:
        return []
    first = found[0]
    ahead = first.start is not None and first.start > today
    others = [
        r for r in found[1:] if (r.start is not None and r.start > today) != ahead and _distance(r, today) <= limit
    ]
    return [first, *others[:1]]


def _without_year(month: int, number: int | None, weekday: int | None, today: datetime) -> list[Interval]:
    reach = 8 if number == 29 and month == 2 else 1
    found: list[Interval] = []
    years = range(max(1, today.year - reach), today.year + reach + 1)
    for year in years:
        if number is None:
            whole = month_of(year, month)
            found += [whole] if whole else []
        else:
            found += single(day(year, month, number))
    if weekday is not None:
        fitting = [r for r in found if r.start is not None and r.start.weekday() == weekday]
        near = _nearest(found, today)[:1]
        return list(unique([*_nearest(fitting, today, timedelta(days=4000)), *near]))
    return _nearest(found, today, timedelta(days=4000) if reach > 1 else NEAR)


def _without_month(number: int, weekday: int | None, today: datetime) -> list[Interval]:
    found: list[Interval] = []
    for months in range(-14, 15) if weekday is not None else range(-2, 3):
        first = add(today.replace(day=1), months, "month")
        if first is not None:
            found += single(day(first.year, first.month, number))
    if weekday is not None:
        fitting = [r for r in found if r.start is not None and r.start.weekday() == weekday]
        found = fitting or found
    return _nearest(found, today, timedelta(days=500))


def _weekday(weekday: int, today: datetime) -> list[Interval]:
    ahead = today + ((weekday - today.weekday()) % 7) * DAY
    days = [today, today - 7 * DAY, today + 7 * DAY] if ahead == today else [ahead, ahead - 7 * DAY]
    return [Interval(d, d + DAY) for d in days]


def with_clock(node: Node, clock: Node) -> Node:
    """The times of day on the days; in a part of the day only those that lie in it, if any does."""
    readings: list[Interval] = []
    for reading in node.readings:
        if reading.start is None:
            continue
        first = midnight(reading.start)
        for begin, stop in _inside(node, reading, clock.clock):
            readings.append(Interval(first + timedelta(minutes=begin), first + timedelta(minutes=stop)))
    fuzzy = node.fuzzy or clock.fuzzy
    return replace(node, readings=unique(readings), grain=clock.grain, clock=clock.clock, fuzzy=fuzzy, bare=False)


def _inside(node: Node, part: Interval, times: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """ "tomorrow evening at 7" is at 19:00."""
    if node.grain != Grain.PART_OF_DAY or part.start is None or part.end is None:
        return times
    low = part.start.hour * 60 - 60
    high = low + 60 + int((part.end - part.start).total_seconds()) // 60
    chosen = [(a, b) for a, b in times if low <= a < high]
    late = [(a, b) for a, b in times if low <= a + 1440 < high]
    chosen += [(a + 1440, b + 1440) for a, b in late] + late
    return tuple(chosen) or times


def part_of_day(node: Node, begin: int, stop: int) -> Node:
    """Those hours of the days."""
    readings = []
    for reading in node.readings:
        if reading.start is not None:
            first = midnight(reading.start)
            readings.append(Interval(first + timedelta(hours=begin), first + timedelta(hours=stop)))
    return replace(node, readings=unique(readings), grain=Grain.PART_OF_DAY, bare=False)


def around(anchor: Anchor | None, unit: str, offset: int) -> list[Interval]:
    """The calendar period ``offset`` units from the anchor's; weeks begin on Monday or Sunday."""
    found: list[Interval] = []
    if anchor is None:
        return found
    for today in anchor.days:
        found += [r for r in [period(today, unit, offset)] if r]
    today = anchor.days[0]
    if unit == "week":
        sunday = period(today, unit, offset, 6)
        found += [sunday] if sunday else []
        if today.weekday() == 6 and sunday is not None and offset < 0:
            found += [r for r in [period(today, unit, offset - 1, 6)] if r]
    return list(unique(found))
