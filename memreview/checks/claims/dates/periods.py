"""Parts of years and months: quarters, halves, weeks by number, the n-th day, week or weekday of something."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from memreview.checks.claims.dates.absolute import bare_year, day_number
from memreview.checks.claims.dates.arithmetic import (
    DAY,
    GRAINS,
    WEEK,
    add,
    begin,
    iso_week,
    span,
    weekday_in,
)
from memreview.checks.claims.dates.intervals import Grain, Interval
from memreview.checks.claims.dates.nodes import NEAR, Node, unique
from memreview.checks.claims.dates.numeric import full_year
from memreview.checks.claims.dates.reader import Found, Reader
from memreview.checks.claims.dates.relative import running
from memreview.checks.claims.dates.years import year_number

_SHORT = re.compile(
    r"(?:(\d{4})[ -]?)?([QTHS])([1-4])(?!\w)(?:[ /-]{0,2}(?:of |')?(\d{4}|(?<=')\d\d)(?![\w-]))?", re.IGNORECASE
)
_ORDINAL_UNITS = ("day", "week", "month", "quarter", "half", "weekend", "year")


def yearly(
    reader: Reader, make: Callable[[int], Interval | None], at: int, *, grain: Grain, fuzzy: bool = False
) -> tuple[Node, int]:
    """A part of a year: of the year that follows in the text, else the nearest ones."""
    found = year_after(reader, at)
    if found is not None:
        base, end = found
        readings = [r for p in base.readings if p.start is not None and (r := make(p.start.year))]
        return Node(unique(readings), grain, relative=base.relative, rots=base.rots, fuzzy=fuzzy), end
    return Node(near(reader, make), grain, relative=True, fuzzy=fuzzy), at


def near(reader: Reader, make: Callable[[int], Interval | None]) -> tuple[Interval, ...]:
    """The nearest of a part that every year has, and the one on the other side of the anchor if it is not far."""
    if reader.anchor is None:
        return ()
    today = reader.anchor.days[0]
    spans = [s for y in range(today.year - 1, today.year + 2) if (s := make(y)) and s.start and s.end]
    running_now = [s for s in spans if s.start and s.end and s.start <= today < s.end]
    past = [s for s in spans if s.end and s.end <= today][-1:]
    ahead = [s for s in spans if s.start and s.start > today][:1]
    gaps = [(today - s.end, s) for s in past if s.end] + [(s.start - today, s) for s in ahead if s.start]
    gaps.sort(key=lambda pair: pair[0])
    close = [s for k, (gap, s) in enumerate(gaps) if gap <= NEAR or (k == 0 and not running_now)]
    return unique(running_now + close)


def year_after(reader: Reader, at: int) -> Found:
    """``of 2026``, ``2026``, ``of next year``, ``, 2019``, ``im nächsten Jahr``, ``letzten Jahres``."""
    start = reader.skip_sign(at, ",") if year_number(reader, at + 1) else at
    start = reader.skip(start, "of", "in")
    start = reader.skip(start, "art")
    found = bare_year(reader, start)
    if found is not None and not (reader.token(start).number is not None and reader.means(found[1], "unit")):
        return found
    if reader.integer(start, "rel") is not None or reader.name(start, "unit") == "year" or reader.means(start, "art"):
        inner = reader.inner(start) or (running(reader, at + 1) if start > at else None)
        if inner is not None and inner[0].grain == Grain.YEAR:
            return inner
    return None


def _part(year: int, number: int, months: int) -> Interval | None:
    if not 1 <= year <= 9998 or not 1 <= number <= 12 // months:
        return None
    first = datetime(year, (number - 1) * months + 1, 1)
    last = add(first, months, "month")
    return None if last is None else Interval(first, last)


def short_part(reader: Reader, at: int) -> Found:
    """``Q1``, ``Q3 2026``, ``2019-H2``, ``t1 2019``; without a year only where a word before asks for it."""
    token = reader.token(at)
    match = _SHORT.match(reader.text, token.start) if token.start >= 0 else None
    if match is None:
        return None
    letter = match[2].upper()
    if (letter == "T" and reader.lexicon.code not in ("es", "fr")) or (letter == "S" and reader.lexicon.code != "es"):
        return None
    months = 3 if letter in "QT" else 6
    number = int(match[3])
    if months == 6 and number > 2:
        return None
    year = match[1] or match[4]
    grain = Grain.QUARTER if months == 3 else Grain.HALF
    if year:
        if not 1900 <= full_year(reader, year) < 2200:
            return None
        made = _part(full_year(reader, year), number, months)
        return None if made is None else (Node((made,), grain), reader.at_char(match.end()))
    node, end = yearly(reader, lambda y: _part(y, number, months), reader.at_char(match.end()), grain=grain)
    return replace(node, bare=node.relative and not node.rots), end


def worded_part(reader: Reader, at: int) -> Found:
    """``the first quarter of 2027``, ``erstes Quartal``, ``second half of next year``, ``first week of Jan``."""
    start = reader.skip(at, "art")
    number = _ordinal(reader, start)
    if number is None:
        plain = reader.token(start).number is not None and reader.lexicon.code in ("fr", "es")
        return _nth_day(reader, start) if plain else None
    count, unit_at = 1, start + 1
    if reader.sign(unit_at, ".") or (
        (reader.token(start).number is not None and reader.means(unit_at, "suffix")) or reader.sign(unit_at, "ªº°")
    ):
        unit_at += 1
    amount = reader.token(unit_at).number or reader.integer(unit_at, "num")
    if amount and amount < 400 and reader.means(unit_at + 1, "unit"):
        count, unit_at = amount, unit_at + 1
    unit = reader.name(unit_at, "unit")
    if reader.means(unit_at, "half") and unit is None:
        unit = "half"
    weekday = reader.integer(unit_at, "weekday")
    if weekday is not None and not reader.means(unit_at, "abbr"):
        return _nth_weekday(reader, number, weekday, unit_at + 1)
    if unit is None:
        return _nth_day(reader, start)
    if unit not in _ORDINAL_UNITS or (
        number == -1 and reader.lexicon.code in ("en",) and reader.token(start).low == "previous"
    ):
        return None
    if unit in ("quarter", "half") and number > 0 and count == 1:
        months = 3 if unit == "quarter" else 6
        if number > 12 // months:
            return None
        node, end = yearly(reader, lambda y: _part(y, number, months), unit_at + 1, grain=GRAINS[unit])
        if end == unit_at + 1 and unit == "half":
            return _half_of(reader, number, end)
        return node, end
    return _nth_unit(reader, number, count, unit, unit_at + 1)


def _ordinal(reader: Reader, at: int) -> int | None:
    """First is 1; last is -1."""
    number = reader.integer(at, "ord")
    if number is not None:
        return number
    if reader.integer(at, "rel") == -1 and not reader.means(at, "past"):
        return -1
    token = reader.token(at)
    if token.number is not None and len(token.text) <= 3:
        after = reader.token(at + 1)
        if (reader.means(at + 1, "suffix") and after.gap == 0) or (
            after.text in ".ªº°" and after.text and after.gap == 0
        ):
            return token.number
    return None


def _half_of(reader: Reader, number: int, at: int) -> Found:
    """``first half of October``, ``erste Hälfte November``."""
    base = reader.inner(at) if reader.means(at, "month") else _scope(reader, at)
    if base is None or number > 2:
        return None
    readings = []
    for whole in base[0].readings:
        if whole.start and whole.end:
            middle = whole.start + (whole.end - whole.start) // 2
            middle = middle.replace(hour=0, minute=0, second=0, microsecond=0)
            readings.append(Interval(whole.start, middle) if number == 1 else Interval(middle, whole.end))
    return replace(base[0], readings=unique(readings), grain=Grain.THIRD, fuzzy=True, partials=(), bare=False), base[1]


def _scope(reader: Reader, at: int) -> Found:
    """The period after *of* or *in*."""
    after = reader.skip(at, "of", "in")
    if after == at and (reader.lexicon.code != "de" or reader.integer(at, "rel") is None):
        return None
    found = reader.inner(after)
    if found is None:
        bare = reader.skip(after, "art")
        found = running(reader, after) or (reader.inner(bare) if bare > after else None)
    return found if found is not None and found[0].kind == "date" and found[0].grain >= Grain.WEEK else None


def _nth_weekday(reader: Reader, number: int, weekday: int, at: int) -> Found:
    """``first Monday of next month``."""
    base = _scope(reader, at)
    if base is None:
        return None
    days = [d for whole in base[0].readings if (d := weekday_in(whole, weekday, number))]
    return (
        (
            replace(
                base[0], readings=tuple(Interval(d, d + DAY) for d in days), grain=Grain.DAY, partials=(), bare=False
            ),
            base[1],
        )
        if days
        else None
    )


def _nth_day(reader: Reader, at: int) -> Found:
    """``the 15th of next month``, ``am 15. des Monats``, ``le 15 du mois prochain``."""
    number = day_number(reader, at, words=False)
    base = _scope(reader, number[1]) if number is not None else None
    if number is None or base is None or base[0].grain != Grain.MONTH or base[0].partials:
        return None
    days = [m.start + (number[0] - 1) * DAY for m in base[0].readings if m.start is not None]
    spans = tuple(Interval(d, d + DAY) for d, m in zip(days, base[0].readings, strict=True) if m.end and d < m.end)
    return replace(base[0], readings=spans, grain=Grain.DAY, bare=False), base[1]


def _nth_unit(reader: Reader, number: int, count: float, unit: str, at: int) -> Found:
    """``first week of Jan``, ``the 15th day of next month``, ``last 3 weeks of this year``."""
    base = _scope(reader, at)
    if base is None or GRAINS[unit] >= base[0].grain:
        return None
    readings: list[Interval] = []
    for whole in base[0].readings:
        if whole.start is None or whole.end is None:
            continue
        if unit == "week":
            readings += _nth_week(whole, number, count)
            continue
        if number > 0:
            first = add(whole.start, number - 1, unit)
            made = span(first, unit, count) if first else None
        else:
            first = add(whole.end, -count, unit)
            made = Interval(first, whole.end) if first else None
        if made and made.start and made.start < whole.end:
            readings.append(made)
    return (
        (replace(base[0], readings=unique(readings), grain=GRAINS[unit], partials=(), bare=False), base[1])
        if readings
        else None
    )


def _nth_week(whole: Interval, number: int, count: float) -> list[Interval]:
    """Weeks from Monday: the first by ISO has its Thursday inside; the week of the first day counts as well."""
    if whole.start is None or whole.end is None:
        return []
    first_thursday = weekday_in(whole, 3, 1)
    last_thursday = weekday_in(whole, 3, -1)
    out: list[Interval] = []
    if number > 0:
        bases = [begin(first_thursday, "week")] if first_thursday else []
        bases.append(begin(whole.start, "week"))
        out = [Interval(b + (number - 1) * WEEK, b + (number - 1 + count) * WEEK) for b in dict.fromkeys(bases)]
        return [w for w in out if w.start and w.start < whole.end]
    lasts = [begin(last_thursday, "week")] if last_thursday else []
    lasts.append(begin(whole.end - DAY, "week"))
    return [Interval(b - (count - 1) * WEEK, b + WEEK) for b in dict.fromkeys(lasts)]


def week_number(reader: Reader, at: int) -> Found:
    """``week 45``, ``KW 45``, ``W12 2026``, ``semana 3 de 2027``."""
    token = reader.token(at)
    if token.number is not None:
        return _counted_week(reader, at)
    if not reader.means(at, "weekword") and not (token.text == "W" and reader.glued(at + 1)):
        return None
    after = reader.skip_sign(at + 1, ".")
    number = reader.token(after).number
    if number is None:
        number = reader.integer(after, "num") if reader.lexicon.code in ("en", "es", "fr") else None
    elif len(reader.token(after).text) > 2 or reader.means(after + 1, "unit"):
        return None
    if number is None or not 1 <= number <= 53 or (token.low == "w" and token.text != "W"):
        return None
    end = after + 1
    if reader.sign(end, "/") and reader.token(end + 1).number is not None:
        year = full_year(reader, reader.token(end + 1).text)
        week = iso_week(year, number)
        return None if week is None else (Node((week,), Grain.WEEK), end + 2)
    node, end = yearly(reader, lambda y: iso_week(y, number), end, grain=Grain.WEEK)
    return (node, end) if node.readings or reader.anchor is None else None


def _counted_week(reader: Reader, at: int) -> Found:
    """``45. Kalenderwoche``."""
    number = reader.token(at).number or 0
    if not reader.sign(at + 1, ".") or reader.means(at + 2, "weekword") is None or not 1 <= number <= 53:
        return None
    if reader.name(at + 2, "unit") == "week":
        return None
    return yearly(reader, lambda y: iso_week(y, number), at + 3, grain=Grain.WEEK)


def week_of(reader: Reader, at: int) -> Found:
    """``the week of Feb 4``, ``w/c Feb 4``, ``week starting on February 4``, ``die Woche vom 3. November``."""
    if reader.token(at).low == "w" and reader.sign(at + 1, "/") and reader.token(at + 2).low in ("c", "b"):
        after = at + 3
    elif reader.name(at, "unit") == "week":
        after = at + 1
        after += reader.token(after).low in ("commencing", "starting", "beginning", "of", "from")
        if after > at + 1:
            after = reader.skip(reader.skip(after, "on"), "art")
        if reader.means(after, "starting") or (
            (reader.means(after, "of") or reader.means(after, "from")) and after == at + 1
        ):
            after += 1
        if after == at + 1:
            return None
    else:
        return None
    base = reader.inner(after)
    if base is None or base[0].grain > Grain.DAY:
        return None
    weeks = [Interval(b, b + WEEK) for r in base[0].readings if r.start for b in [begin(r.start, "week")]]
    return replace(base[0], readings=unique(weeks), grain=Grain.WEEK, partials=(), bare=False), base[1]
