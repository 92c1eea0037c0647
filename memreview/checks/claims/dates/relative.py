"""What is counted from the day of speaking: today, last week, next Friday, this morning, the past three days."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from memreview.checks.claims.dates import usual
from memreview.checks.claims.dates.absolute import worded_date
from memreview.checks.claims.dates.arithmetic import DAY, GRAINS, add, day, single
from memreview.checks.claims.dates.intervals import Grain, Interval
from memreview.checks.claims.dates.lexicon import PARTS
from memreview.checks.claims.dates.nodes import Node, Partial, around, part_of_day, partial_node, unique
from memreview.checks.claims.dates.numeric import short_date
from memreview.checks.claims.dates.reader import Found, Reader

_CLOCKED = ("second", "minute", "hour")


def day_reference(reader: Reader, at: int) -> Found:
    """``today``, ``vorgestern``, ``pasado mañana``, ``tonight``, ``cet après-midi``."""
    part = reader.name(at, "todaypart")
    if reader.means(at, "tonight"):
        part = "night"
    if reader.means(at, "lastnight"):
        return part_of_day(_days(reader, -1), *PARTS["night"]), at + 1
    if part is not None:
        return part_of_day(_days(reader, 0), *PARTS[part]), at + 1
    shift = reader.integer(at, "dayref")
    if shift is None or _is_morning(reader, at):
        return None
    return _days(reader, shift), at + 1


def this_moment(reader: Reader, at: int, *, named: bool = False) -> Found:
    """``right now``, ``ahora mismo``: a minute; with ``named`` the token is known to mean it."""
    if not (named or reader.means(at, "now") or reader.means(at, "nowphrase")):
        return None
    moments = reader.anchor.moments if reader.anchor else ()
    return Node(tuple(Interval(m, m + DAY / 1440) for m in moments), Grain.MINUTE, relative=True, rots=True), at + 1


def _is_morning(reader: Reader, at: int) -> bool:
    """German *Morgen* and Spanish *mañana* are also the morning."""
    if not reader.means(at, "pod"):
        return False
    if reader.lexicon.code == "de":
        capital = reader.token(at).text[:1].isupper()
        led = at > 0 and (
            any(reader.means(at - 1, c) for c in ("dayref", "weekday", "every", "oclock"))
            or reader.before(at) in ("guten", "uhr")
        )
        return led or (
            capital and at > 0 and any(reader.means(at - 1, c) for c in ("art", "on", "rel", "of", "a", "to"))
        )
    return reader.before(at) in ("la", "esta", "por la", "de la", "cada", "una", "las", "a la", "en la", "buena")


def _days(reader: Reader, shift: int) -> Node:
    anchor = reader.anchor
    readings: list[Interval] = []
    for today in anchor.days if anchor else ():
        readings += single(add(today, shift, "day"))
    return Node(unique(readings), Grain.DAY, relative=True, rots=True)


def relative_period(reader: Reader, at: int) -> Found:
    """A word like *last* with a unit, weekday, month, season, part of the day or holiday, on either side."""
    start = reader.skip(at, "art")
    rel = reader.integer(start, "rel")
    if rel is None and start > at and reader.means(at, "rel") is not None:
        start, rel = at, reader.integer(at, "rel")
    if rel is not None and not reader.means(start, "same"):
        past = bool(reader.means(start, "past"))
        after = start + 1
        if start == at and reader.token(at).low == "last" and _is_verb(reader, at):
            return None
        second = reader.integer(after, "rel")
        if rel == 0 and second is not None:
            return _related(reader, after, after + 1, second, past=True, this=True)
        return _related(reader, start, after, rel, past=past or bool(reader.means(start, "coming")))
    return _numbered(reader, start) or _postposed(reader, start)


def _is_verb(reader: Reader, at: int) -> bool:
    """ "Cookies last 14 days" says how long."""
    if not reader.token(at + 1).text.isdigit() and reader.integer(at + 1, "num") is None:
        return False
    before = reader.token(at - 1)
    return at > 0 and before.text[:1].isalpha() and not before.means


def _related(reader: Reader, at: int, after: int, rel: int, *, past: bool = False, this: bool = False) -> Found:
    """What follows the word."""
    count, unit_at = _count(reader, after)
    unit = reader.name(unit_at, "unit")
    if unit is not None and (count is not None or not reader.means(unit_at, "ord") or unit != "second"):
        return _units(reader, at, rel, count, unit, unit_at + 1, past=past)
    weekday = reader.integer(after, "weekday")
    if weekday is not None and not reader.means(after, "plural"):
        end = after + 1
        if reader.means(after, "abbr"):
            end = reader.skip_sign(end, ".") if reader.glued(end) and not reader.ends(end + 1) else end
        return usual.weekdays(reader, rel, weekday, this or past), end
    month = reader.integer(after, "month")
    small = reader.token(after).text.islower() and (reader.means(after, "abbr") or reader.means(after, "soft"))
    if month is not None and not small:
        if reader.token(after + 1).number is not None and len(reader.token(after + 1).text) <= 2:
            return _dated(reader, rel, after)
        return usual.months(reader, rel, month), after + 1
    season = reader.integer(after, "season")
    if season is not None:
        return usual.seasons(reader, season, rel), after + 1
    if reader.token(after).number is not None and len(reader.token(after).text) <= 2:
        return _dated(reader, rel, after)
    part = reader.name(after, "pod")
    if part is not None and part not in ("noon", "midnight"):
        node = part_of_day(_days(reader, 0 if this else rel), *PARTS[part])
        return node, after + 1
    name = reader.name(after, "holiday")
    return None if name is None else (usual.holidays(reader, name, rel), after + 1)


def _when_it_was(reader: Reader, at: int) -> bool:
    """ "In the last 14 days" is over some day; "shows the last 14 days" is not."""
    lead = at - 2 if reader.means(at - 1, "art") else at - 1
    return any(reader.means(lead, c) is not None for c in ("in", "for", "within", "since", "on"))


def _dated(reader: Reader, rel: int, at: int) -> Found:
    """``next July 4``, ``próximo 6 de abril``: the day on that side of the anchor."""
    found = worded_date(reader, at) or short_date(reader, at)
    if found is None or reader.anchor is None or any(p.year or not p.month or not p.day for p in found[0].partials):
        return None
    today = reader.anchor.days[0]
    spans: list[Interval] = []
    for partial in found[0].partials:
        years = range(today.year - 1, today.year + 2)
        days = [d for y in years if (d := day(y, partial.month or 1, partial.day or 1))]
        chosen = [d for d in days if (d.year == today.year if rel == 0 else d > today if rel > 0 else d < today)]
        spans += [Interval(d, d + DAY) for d in (chosen[:1] if rel >= 0 else chosen[-1:])]
    return replace(found[0], readings=unique(spans), partials=(), bare=False), found[1]


def _count(reader: Reader, at: int) -> tuple[float | None, int]:
    token = reader.token(at)
    if token.number is not None and len(token.text) <= 4 and reader.means(at + 1, "unit"):
        return token.number, at + 1
    few = reader.name(at, "few")
    if few is not None and reader.means(reader.skip(at + 1, "of"), "unit"):
        return float(few.partition("-")[2]), reader.skip(at + 1, "of")
    number = reader.integer(at, "num")
    if number is not None and reader.means(at + 1, "unit"):
        return number, at + 1
    return None, at


def _units(reader: Reader, at: int, rel: int, count: float | None, unit: str, end: int, *, past: bool) -> Found:
    rots = True
    if count is None and unit in _CLOCKED and (rel <= 0 or unit != "hour"):
        return None
    if count is not None and rel:
        readings = usual.rolling(reader, rel, count, unit)
        rots = _when_it_was(reader, at)
    elif unit in ("day", "workday") or unit == "night":
        if unit == "day" and rel <= 0:
            return None
        node = _days(reader, rel)
        if unit == "night":
            return part_of_day(node, *PARTS["night"]), end
        return replace(node, rots=False), end
    else:
        readings = around(reader.anchor, unit, rel)
        if past and rel:
            readings += usual.rolling(reader, rel, 1, unit)
        if unit == "weekend":
            readings = usual.weekends(reader, rel)
    return Node(unique(readings), GRAINS[unit], relative=True, rots=rots), end


def _numbered(reader: Reader, at: int) -> Found:
    """``5 past minutes``, ``les 13 dernières minutes``, ``les 3 semaines prochaines``, ``los 2 próximos meses``."""
    token = reader.token(at)
    number = token.number if token.number is not None and len(token.text) <= 4 else reader.integer(at, "num")
    if number is None or number <= 0:
        return None
    rel = reader.integer(at + 1, "rel")
    unit = reader.name(at + 2, "unit")
    if rel and unit:
        # "raised to 5 last week": of a single week the number is none of its own.
        several = _several(reader.token(at + 2).low, reader.lexicon.code)
        return _units(reader, at, rel, number, unit, at + 3, past=True) if several else None
    unit, rel = reader.name(at + 1, "unit"), reader.integer(at + 2, "rel")
    if rel and unit and reader.lexicon.code in ("fr", "es"):
        return _units(reader, at, rel, number, unit, at + 3, past=True)
    return None


def _several(word: str, code: str) -> bool:
    """True for the name of a unit in its plural form."""
    if code == "de":
        return word.endswith(("n", "e")) and word not in ("woche", "stunde", "minute", "sekunde", "nacht")
    return word.endswith("s")


def _postposed(reader: Reader, at: int) -> Found:
    """French and Spanish: ``la semaine dernière``, ``lundi prochain``; also *the week after next*."""
    unit = reader.name(at, "unit")
    second = reader.integer(at + 2, "rel")
    if unit is not None and second is not None and reader.lexicon.code == "en" and not reader.means(at + 3, "unit"):
        shift = 2 if reader.token(at + 1).low == "after" and second == 1 else -2
        if shift == 2 or (reader.token(at + 1).low == "before" and second == -1):
            return Node(tuple(around(reader.anchor, unit, shift)), GRAINS[unit], relative=True, rots=True), at + 3
    if reader.lexicon.code not in ("fr", "es"):
        return None
    if unit is not None and reader.means(at + 1, "after"):
        past = reader.skip(at + 2, "art")
        if reader.integer(past, "rel") == 1:
            return Node(tuple(around(reader.anchor, unit, 2)), GRAINS[unit], relative=True, rots=True), past + 1
    rel = reader.integer(at + 1, "rel")
    if rel is None or reader.means(at + 1, "same"):
        return None
    if reader.token(at + 1).low in ("ce", "cet", "cette", "este", "esta"):
        return None
    if unit is not None:
        return _units(reader, at, rel, None, unit, at + 2, past=False)
    weekday = reader.integer(at, "weekday")
    if weekday is not None:
        return usual.weekdays(reader, rel, weekday, False), at + 2
    month = reader.integer(at, "month")
    if month is not None:
        return usual.months(reader, rel, month), at + 2
    season = reader.integer(at, "season")
    return None if season is None else (usual.seasons(reader, season, rel), at + 2)


def earlier_later(reader: Reader, at: int) -> Found:
    """``earlier this month``, ``later today``, ``más tarde esta semana``, ``the rest of the week``."""
    rest = bool(reader.means(at, "rest"))
    early = bool(reader.means(at, "earlierin"))
    if not (rest or early or reader.means(at, "laterin")):
        return None
    inner_at = reader.skip(at + 1, "in", "of")
    found = running(reader, inner_at) or reader.inner(inner_at)
    if found is None or not found[0].relative or reader.anchor is None:
        return None
    node, end = found
    if not node.readings or node.grain < Grain.DAY:
        return None
    now = reader.anchor.moment if node.grain == Grain.DAY else reader.anchor.days[0]
    readings = []
    for whole in node.readings:
        if whole.start is None or whole.end is None or not whole.start <= now < whole.end:
            continue
        readings.append(
            Interval(whole.start, max(now, whole.start + timedelta(hours=12))) if early else Interval(now, whole.end)
        )
    return (
        (
            replace(node, readings=unique(readings), grain=Grain(max(node.grain - 1, Grain.PART_OF_DAY)), partials=()),
            end,
        )
        if readings
        else None
    )


def running(reader: Reader, at: int) -> Found:
    """``the week`` as the running one, where a word before asks for a period (``end of the month``, ``fin de mes``)."""
    start = reader.skip(at, "art")
    unit = reader.name(start, "unit")
    if unit is None or unit in _CLOCKED or unit in ("night", "workday"):
        return None
    if reader.means(start + 1, "rel") is not None and reader.lexicon.code in ("fr", "es"):
        return None
    if reader.means(start + 1, "of") or reader.token(start + 1).number is not None or reader.hyphen(start + 1):
        return None
    return Node(tuple(around(reader.anchor, unit, 0)), GRAINS[unit], relative=True), start + 1


def bare_month(reader: Reader, at: int) -> Found:
    """A month by itself: the nearest ones."""
    month = reader.integer(at, "month")
    if month is None:
        return None
    node = partial_node((Partial(None, month),), reader.anchor)
    return None if node is None else (replace(node, bare=True), at + 1)
