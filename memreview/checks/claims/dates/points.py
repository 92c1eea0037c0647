"""A point or period of the calendar with what may stand beside it: parts of the day, times of day, a second name."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from memreview.checks.claims.dates.absolute import worded_date
from memreview.checks.claims.dates.amounts import amount, moved
from memreview.checks.claims.dates.arithmetic import DAY, day, midnight, shift
from memreview.checks.claims.dates.clock import clock, clock_node, half_of_day, hour_range_end, options
from memreview.checks.claims.dates.dispatch import date
from memreview.checks.claims.dates.intervals import Grain, Interval
from memreview.checks.claims.dates.lexicon import PARTS, listed
from memreview.checks.claims.dates.nodes import Node, part_of_day, resolve, unique, with_clock
from memreview.checks.claims.dates.numeric import numeric_date, short_date
from memreview.checks.claims.dates.reader import Found, Reader
from memreview.checks.claims.dates.times import clock_range, free_after

# What may stand between a day and its part: "Friday in the morning", "martes por la mañana".
_PART_LEADS = frozenset(listed("in at on am en por de dans du au gegen early late ganz a by"))
_CLOCK_LEADS = frozenset(listed("@ at um gegen ca a around by about circa am gg approx approximately"))
_DAY_LEADS = frozenset(listed("on of am del de el le at vom"))


def point(reader: Reader, at: int) -> Found:
    """A date with its second name, part of the day and time of day, in any usual order."""
    return reader.remembered("point", at, _point)


def _point(reader: Reader, at: int) -> Found:
    found = date(reader, at)
    if found is None:
        return None
    node, end = _refined(reader, *found)
    part = _part_after(reader, node, end)
    if part is not None:
        node, end = _dated(reader, *part)
    timed = _clock_after(reader, node, end)
    if timed is not None:
        node, end = timed
        late = _year_or_part(reader, node, end)
        node, end = late or _dated(reader, node, end)
    return node, end


def _refined(reader: Reader, node: Node, end: int) -> tuple[Node, int]:
    """``next week Tuesday``, ``Monday next week``, ``tomorrow, 13/04/21``, ``22 July Sunday``."""
    if reader.sign(end, "(") and reader.means(end + 1, "weekday") is not None and reader.sign(end + 2, ")"):
        return node, end + 3
    for _ in range(2):
        joined = reader.skip_sign(end, ",(")
        joined = reader.skip(joined, "of", "on", "in")
        if joined == end + 2 and reader.sign(end, ","):
            joined = end + 1
        weekday = reader.integer(joined, "weekday")
        dated = any(p.weekday is None and p.day for p in node.partials)
        if weekday is not None and dated and not reader.means(joined, "plural") and not reader.sign(end, "("):
            fitting = tuple(r for r in node.readings if r.start is not None and r.start.weekday() == weekday)
            node, end = replace(node, readings=fitting or node.readings), joined + 1
            continue
        later = _weeks_on(reader, node, end)
        if later is not None:
            node, end = later
            break
        other = _second(reader, joined)
        if other is None:
            break
        merged = _merge(node, other[0])
        if merged is None or (reader.sign(end, ",") and not _apposed(node, other[0])):
            break
        closing = reader.skip_sign(other[1], ")") if reader.sign(end, "(") else other[1]
        node, end = merged, closing
    return node, end


def _dated(reader: Reader, node: Node, end: int) -> tuple[Node, int]:
    """The date after a weekday and its time: ``Friday midday 19/05``, ``Samstag Nachmittag 27.5.``."""
    weekday = only_weekday(node)
    at = reader.skip_sign(end, ",(")
    if weekday is None or reader.depth or not reader.token(at).text.isdigit():
        return node, end
    found = short_date(reader, at) or numeric_date(reader, at) or worded_date(reader, at)
    if found is None or found[0].grain != Grain.DAY or not any(p.month for p in found[0].partials):
        return node, end
    first = node.readings[0] if node.readings else None
    spans: list[Interval] = []
    for r in found[0].readings:
        if first is not None and first.start is not None and first.end is not None and r.start is not None:
            start = r.start + (first.start - midnight(first.start))
            spans.append(Interval(start, start + (first.end - first.start)))
    close = reader.skip_sign(found[1], ")") if reader.sign(end, "(") else found[1]
    return replace(node, readings=unique(spans), relative=found[0].relative, partials=found[0].partials), close


def _weeks_on(reader: Reader, node: Node, at: int) -> Found:
    """``heute in einer Woche``, ``Friday in two weeks``: so many weeks after that day."""
    direct = reader.means(at, "inpre") or (reader.lexicon.code == "en" and reader.means(at, "in"))
    found = (
        amount(reader, at + 1) if direct and node.relative and node.grain == Grain.DAY and not reader.depth else None
    )
    if found is None or found[0].unit != "week" or found[0].vague is not None:
        return None
    spans = [s for r in node.readings if (s := shift(r, lambda d: moved(d, found[0], 1)))]
    return replace(node, readings=unique(spans), partials=(), rots=True), found[1]


def _apposed(node: Node, other: Node) -> bool:
    """A comma stands between two names of one day, not between a day and a week."""
    return node.grain == other.grain == Grain.DAY


def _second(reader: Reader, at: int) -> Found:
    if reader.depth or reader.ends(at):
        return None
    means = reader.token(at).means
    if not reader.token(at).text.isdigit() and not any(
        c in means for c in ("art", "rel", "dayref", "weekday", "unit", "month")
    ):
        return None
    return reader.inner(at)


def _merge(node: Node, other: Node) -> Node | None:
    """Both describe one day: the one inside of the other, or the exact one of two days."""
    if node.kind != "date" or other.kind != "date":
        return None
    weekday = only_weekday(node)
    if weekday is not None and other.grain == Grain.WEEK:
        return _weekday_of(other, weekday)
    weekday = only_weekday(other)
    if weekday is not None and node.grain == Grain.WEEK:
        return _weekday_of(node, weekday)
    if Grain.YEAR in (node.grain, other.grain) and node.grain != other.grain:
        return _month_of_year(node, other)
    if node.grain == Grain.PART_OF_DAY or other.grain != Grain.DAY or node.grain != Grain.DAY:
        return None
    if node.partials and other.partials:
        return None
    exact, loose = (other, node) if other.partials else (node, other)
    if not exact.partials or not loose.relative:
        return None
    shared = tuple(r for r in exact.readings if r in loose.readings)
    named = any(p.month for p in exact.partials)
    return replace(exact, readings=shared or exact.readings, rots=False) if named or shared else None


def _month_of_year(one: Node, other: Node) -> Node | None:
    """``next year in March``, ``März nächsten Jahres``."""
    year, part = (one, other) if one.grain == Grain.YEAR else (other, one)
    if not year.relative or year.partials:
        return None
    if (
        not part.partials
        and part.relative
        and not part.rots
        and part.grain in (Grain.QUARTER, Grain.HALF, Grain.SEASON)
    ):
        return _moved_to(part, year)
    if len(part.partials) != 1:
        return None
    written = part.partials[0]
    if written.month is None or written.year is not None:
        return None
    spans: list[Interval] = []
    for r in year.readings:
        if r.start is not None:
            spans += resolve(replace(written, year=r.start.year), None)
    return replace(part, readings=unique(spans), partials=(), relative=True, rots=year.rots, bare=False)


def _moved_to(part: Node, year: Node) -> Node:
    """``nächstes Jahr im Sommer``: the part of the year in that year."""
    spans: list[Interval] = []
    for whole in year.readings:
        for r in part.readings[:1]:
            if whole.start is not None and r.start is not None and r.end is not None:
                shift = whole.start.year - r.start.year
                spans.append(
                    Interval(r.start.replace(year=r.start.year + shift), r.end.replace(year=r.end.year + shift))
                )
    return replace(part, readings=unique(spans), rots=year.rots, bare=False)


def only_weekday(node: Node) -> int | None:
    """The weekday, where the node is nothing but one."""
    if len(node.partials) == 1:
        only = node.partials[0]
        if only.weekday is not None and only.day is None and only.month is None:
            return only.weekday
    return None


def _weekday_of(week: Node, weekday: int) -> Node:
    days = [r.start + ((weekday - r.start.weekday()) % 7) * DAY for r in week.readings if r.start is not None]
    return replace(week, readings=unique([Interval(d, d + DAY) for d in days]), grain=Grain.DAY, partials=())


def _part_after(reader: Reader, node: Node, end: int) -> Found:
    """``tomorrow evening``, ``Friday in the morning``, ``am Dienstag Morgen``, ``martes por la mañana``."""
    if node.grain != Grain.DAY or not (reader.token(end).means or reader.sign(end, ",-–")):
        return None
    at = reader.skip_sign(end, ",-–")
    while at < end + 4 and reader.token(at).low in _PART_LEADS:
        at += 1
    at = reader.skip(at, "art")
    at += reader.token(at).low in ("early", "late", "frühen", "späten")
    part = reader.name(at, "pod")
    if part is None or (
        reader.means(at, "dayref")
        and at != end
        and reader.lexicon.code == "de"
        and reader.token(at).text.islower()
        and reader.sign(end, ",")
    ):
        return None
    if part in ("noon", "midnight"):
        return None
    return part_of_day(node, *PARTS[part]), at + 1


def _clock_after(reader: Reader, node: Node, end: int) -> Found:
    """A time of day or a range of them after a day."""
    if node.grain > Grain.DAY or node.grain < Grain.PART_OF_DAY or (not node.readings and not node.relative):
        return None
    if node.bare and reader.sign(end, ",") and not (reader.lexicon.dotted or reader.token(end + 1).text.isdigit()):
        return None
    at = reader.skip_sign(end, ",")
    at = at + 1 if reader.hyphen(at) and reader.token(at).gap and reader.token(at + 1).gap else at
    led = at
    while led < at + 4 and (
        reader.means(led, "at") or reader.means(led, "at,") or reader.token(led).low in _CLOCK_LEADS
    ):
        led += 1
        led = reader.skip_sign(led, ".") if len(reader.token(led - 1).text) <= 3 else led
    bounded = _clock_bound(reader, node, at)
    if bounded is not None:
        return bounded
    ranged = clock_range(reader, at, bare=True) or (clock_range(reader, led, bare=True) if led > at else None)
    if ranged is not None:
        return with_clock(node, ranged[0]), ranged[1]
    found = clock(reader, led, after_date=True)
    if found is None and led > at:
        hour = hour_range_end(reader, led)
        if hour is not None and free_after(reader, led + 1):
            node_at = clock_node(options(hour, sure=hour == 0))
            found = half_of_day(reader, node_at, led + 1)
    if found is None and at == end and reader.means(end, "pod"):
        return None
    if found is None or (found[0].bare and led == at and not reader.ends(found[1])):
        return None
    return with_clock(node, found[0]), found[1]


def _clock_bound(reader: Reader, node: Node, at: int) -> Found:
    """``Tuesday after 1pm``, ``demain avant 17h``: the day from or up to that time."""
    before = any(reader.means(at, c) is not None for c in ("before", "until", "by"))
    after = any(reader.means(at, c) is not None for c in ("after", "since", "starting"))
    if before == after or node.grain != Grain.DAY:
        return None
    found = clock(reader, at + 1)
    if found is None:
        return None
    spans: list[Interval] = []
    for r in node.readings:
        for begin, _ in found[0].clock if r.start is not None else ():
            first = midnight(r.start) if r.start is not None else None
            if first is not None:
                moment = first + timedelta(minutes=begin)
                spans.append(Interval(first, moment) if before else Interval(moment, first + DAY))
    return replace(node, readings=unique(spans), grain=Grain.PART_OF_DAY), found[1]


def _year_or_part(reader: Reader, node: Node, end: int) -> Found:
    """Git and ``date`` write the year after the time: ``Tue Oct 20 14:03:11 2026 +0200``."""
    token = reader.token(end)
    if token.number is None or len(token.text) != 4 or not node.relative or len(node.partials) != 1:
        return None
    partial = node.partials[0]
    if partial.month is None or partial.day is None or not 1900 <= token.number < 2200:
        return None
    first = day(token.number, partial.month, partial.day)
    if first is None:
        return None
    spans = [Interval(first + timedelta(minutes=a), first + timedelta(minutes=b)) for a, b in node.clock]
    dated = (replace(partial, year=token.number),)
    return replace(node, readings=unique(spans), relative=False, partials=dated), end + 1


def clock_first(reader: Reader, at: int) -> Found:
    """A time of day, and the day if it follows: ``3pm today``, ``8am this morning``, ``10:30 18. Juni``."""
    found = clock_range(reader, at) or clock(reader, at)
    lone = found is None
    if found is None:
        found = _loose_clock(reader, at)
    part = reader.name(at, "pod")
    if found is None and part is not None and not reader.means(at, "dayref"):
        found = Node((), Grain.PART_OF_DAY, "time", clock=((PARTS[part][0] * 60, PARTS[part][1] * 60),)), at + 1
        lone = True
    if found is None:
        return None
    node, end = found
    day = _its_day(reader, end)
    if day is None:
        return None if lone else (node, end)
    whole, day_end = _refined(reader, *day)
    whole, day_end = _part_after(reader, whole, day_end) or (whole, day_end)
    if lone and part is not None:
        return part_of_day(whole, *PARTS[part]), day_end
    return with_clock(whole, node), day_end


def _its_day(reader: Reader, end: int) -> Found:
    """The day after a time of day; two bare numbers are one only after a preposition."""
    at = reader.skip_sign(end, ",")
    at = at + 1 if reader.hyphen(at) and reader.token(at).gap else at
    led = at
    while led < at + 3 and (reader.token(led).low in _DAY_LEADS or reader.means(led, "on")):
        led += 1
    day = None if reader.ends(led) else reader.inner(led)
    if day is None or day[0].kind != "date" or day[0].clock:
        return None
    if day[0].bare and day[0].grain == Grain.DAY and led == at and not reader.lexicon.dotted:
        return None
    return day if day[0].grain in (Grain.DAY, Grain.PART_OF_DAY) else None


def _loose_clock(reader: Reader, at: int) -> Found:
    """Hours that are times only beside a day: ``five to seven today``, ``las siete del 15``."""
    ranged = clock_range(reader, at, bare=True)
    if ranged is not None:
        return ranged
    hour = hour_range_end(reader, at)
    if hour is None or (
        reader.token(at).number is not None and reader.lexicon.code in ("en", "de") and not reader.means(at - 1, "at")
    ):
        return None
    return clock_node(options(hour), bare=True), at + 1
