"""What people usually mean by the last, this or next one of something, as alternatives."""

from __future__ import annotations

from datetime import datetime

from memreview.checks.claims.dates.arithmetic import DAY, WEEK, add, begin, midnight, period, span
from memreview.checks.claims.dates.holidays import holiday
from memreview.checks.claims.dates.intervals import Grain, Interval
from memreview.checks.claims.dates.nodes import Node, unique
from memreview.checks.claims.dates.reader import Reader

_CLOCKED = ("second", "minute", "hour")
SEASONS = ((3, 1), (6, 1), (9, 1), (12, 1))


def rolling(reader: Reader, rel: int, count: float, unit: str) -> list[Interval]:
    """So many units up to now, or from the next day on; calendar quarters are whole."""
    found: list[Interval] = []
    if reader.anchor is None:
        return found
    if unit == "quarter":
        for today in reader.anchor.days:
            now = period(today, unit)
            far = add(today, (count if rel > 0 else -count), "quarter")
            edge = period(far, unit) if far else None
            if now and edge and now.start and now.end and edge.start and edge.end:
                found.append(Interval(edge.start, now.start) if rel < 0 else Interval(now.end, edge.end))
        return found
    if unit in _CLOCKED:
        for moment in reader.anchor.moments:
            far = add(moment, count if rel > 0 else -count, unit)
            if far is not None:
                found.append(Interval(min(far, moment), max(far, moment)))
        return found
    for today in reader.anchor.days:
        first = today + DAY if rel > 0 else today
        far = add(first, count if rel > 0 else -count, unit)
        if far is not None:
            found.append(Interval(min(first, far), max(first, far)))
    return found


def weekends(reader: Reader, rel: int) -> list[Interval]:
    """On Saturday and Sunday the running one counts as *this*."""
    found: list[Interval] = []
    if reader.anchor is None:
        return found
    today = reader.anchor.days[0]
    this = begin(today, "weekend")
    shifts = {0: [0], 1: [0, 1] if today < this else [1], -1: [-1]}.get(rel, [rel])
    if rel == 1 and today < this:
        shifts = [1, 0]
    for shift in shifts:
        whole = span(this + shift * WEEK, "weekend")
        found += [whole] if whole else []
    return found


def weekdays(reader: Reader, rel: int, weekday: int, near: bool) -> Node:
    """*next Friday* is the coming one, and the one after it where the coming one lies in this week; *last* likewise."""
    readings: list[Interval] = []
    if reader.anchor is not None:
        today = reader.anchor.days[0]
        ahead = today + ((weekday - today.weekday() - 1) % 7 + 1) * DAY
        behind = today - ((today.weekday() - weekday - 1) % 7 + 1) * DAY
        monday = begin(today, "week")
        sunday = begin(today, "week", 6)
        if rel == 1:
            days = [ahead, ahead + WEEK] if ahead < max(monday, sunday) + WEEK and not near else [ahead]
        elif rel == -1:
            days = [behind, behind - WEEK] if behind >= min(monday, sunday) and not near else [behind]
        elif rel == 0:
            days = list(dict.fromkeys([monday + weekday * DAY, sunday + ((weekday + 1) % 7) * DAY]))
            days += [ahead] if ahead not in days and days[0] < today else []
        else:
            days = [ahead + (rel - 1) * WEEK] if rel > 0 else [behind + (rel + 1) * WEEK]
            days += [days[0] + (WEEK if rel > 0 else -WEEK)]
        readings = [Interval(d, d + DAY) for d in days]
    return Node(unique(readings), Grain.DAY, relative=True, rots=True)


def months(reader: Reader, rel: int, month: int) -> Node:
    """*last March* is the latest one that is over; said in the same year it may be the one before."""
    readings: list[Interval] = []
    if reader.anchor is not None:
        today = reader.anchor.days[0]
        years = range(today.year - 2, today.year + 3)
        spans = [p for y in years if (p := period(today.replace(year=y, month=month, day=1), "month"))]
        if rel < 0:
            past = [p for p in spans if p.end is not None and p.end <= today][::-1]
            readings = past[: 2 if past and past[0].start and past[0].start.year == today.year else 1]
        elif rel > 0:
            ahead = [p for p in spans if p.start is not None and p.start > today]
            readings = ahead[: 2 if ahead and ahead[0].start and ahead[0].start.year == today.year else 1]
        else:
            readings = [p for p in spans if p.start and p.start.year == today.year]
    return Node(unique(readings), Grain.MONTH, relative=True, rots=True)


def season_span(season: int, year: int) -> Interval | None:
    """The meteorological season of the northern half; the winter of a year begins in its December."""
    first = midnight(_date(year, *SEASONS[season]))
    last = add(first, 3, "month")
    return None if last is None else Interval(first, last)


def _date(year: int, month: int, number: int) -> datetime:
    return datetime(min(max(year, 1), 9998), month, number)


def seasons(reader: Reader, season: int, rel: int) -> Node:
    """The last, this year's or the next one."""
    readings: list[Interval] = []
    if reader.anchor is not None:
        today = reader.anchor.days[0]
        spans = [s for y in range(today.year - 2, today.year + 3) if (s := season_span(season, y))]
        if rel < 0:
            readings = [s for s in spans if s.end and s.end <= today][-1:]
            running = [s for s in spans if s.start and s.end and s.start <= today < s.end]
            readings += [p for p in spans if running and p.start and running[0].start and p.start < running[0].start][
                -1:
            ]
        elif rel > 0:
            readings = [s for s in spans if s.start and s.start > today][:1]
        else:
            readings = [s for s in spans if s.start and s.end and s.start <= today < s.end]
            readings += [s for s in spans if s.start and s.start.year == today.year]
    return Node(unique(readings), Grain.SEASON, relative=True, rots=True, fuzzy=True)


def holidays(reader: Reader, name: str, rel: int) -> Node:
    """The last, this year's or the next one."""
    readings: list[Interval] = []
    if reader.anchor is not None:
        today = reader.anchor.days[0]
        days = [d for y in range(today.year - 2, today.year + 3) if (d := holiday(name, y))]
        if rel < 0:
            chosen = [d for d in days if d < today][-1:]
        elif rel > 0:
            chosen = [d for d in days if d > today][:1]
        else:
            chosen = [d for d in days if d.year == today.year]
        readings = [Interval(d, d + DAY) for d in chosen]
    return Node(unique(readings), Grain.DAY, relative=True, rots=True)
