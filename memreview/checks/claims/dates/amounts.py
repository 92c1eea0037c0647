"""Amounts of time (``three days``, ``2 h``, ``ein paar Wochen``) and what is counted by them from somewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime

from memreview.checks.claims.dates.arithmetic import DAY, GRAINS, add, midnight
from memreview.checks.claims.dates.intervals import Grain, Interval
from memreview.checks.claims.dates.lexicon import listed
from memreview.checks.claims.dates.nodes import Node, unique
from memreview.checks.claims.dates.reader import Found, Reader

_FRACTION = re.compile(r"[.,]\d{1,3}(?![\d.])")
_HALVES = {
    "anderthalb": 1.5,
    "eineinhalb": 1.5,
    "zweieinhalb": 2.5,
    "dreieinhalb": 3.5,
    "viereinhalb": 4.5,
    "fünfeinhalb": 5.5,
}
_COMPOUND = {"viertelstunde": 0.25, "halbestunde": 0.5, "dreiviertelstunde": 0.75}
_CLOCKED = ("second", "minute", "hour")
# "passes in 5 minutes" says how long, "back in 5 minutes" when: the latter is what stands after these words.
_BACK = frozenset(listed("back home again zurück wieder retour vuelta regreso"))
_WHEN = frozenset(
    listed(
        """
    back be meet leave start starts starting call again there go return begins home up expires expire due ready
    left out over zurück wieder los da fertig weg retour vuelvo regreso regresare volvere ire
    """
    )
)


@dataclass(frozen=True, slots=True)
class Amount:
    """So much of each unit; from ``least`` to ``most`` times the first where it is vague."""

    parts: tuple[tuple[float, str], ...]
    vague: tuple[float, float] | None = None
    fuzzy: bool = False

    @property
    def unit(self) -> str:
        """The finest unit."""
        return self.parts[-1][1]


def _number(reader: Reader, at: int) -> tuple[float, int, tuple[float, float] | None] | None:
    """(number, index after it, least and most where vague)."""
    token = reader.token(at)
    if token.number is not None and len(token.text) <= 5:
        match = _FRACTION.match(reader.text, token.end)
        if match is not None:
            return float(token.text + "." + match.group()[1:]), reader.at_char(match.end()), None
        if reader.hyphen(at + 1) and reader.token(at + 2).number is not None and reader.means(at + 3, "unit"):
            most = reader.token(at + 2).number or 0
            return token.number, at + 3, (token.number, most) if most > token.number else None
        return token.number, at + 1, None
    few = reader.name(at, "few")
    if few is not None:
        least, _, most_text = few.partition("-")
        return float(least), reader.skip(at + 1, "of"), (float(least), float(most_text))
    if token.low in _HALVES:
        return _HALVES[token.low], at + 1, None
    number = reader.integer(at, "num")
    if number is not None and number > 0:
        if reader.token(at + 1).low in ("bis", "to", "or", "oder") and reader.integer(at + 2, "num"):
            return number, at + 3, (number, reader.integer(at + 2, "num") or number)
        return number, at + 1, None
    return (1, at + 1, None) if reader.means(at, "a") else None


def amount(reader: Reader, at: int, *, rel: bool = False) -> tuple[Amount, int] | None:
    """An amount of time that begins at the token; with ``rel`` a word like *last* may stand before its unit."""
    fuzzy = bool(reader.means(at, "about")) or reader.sign(at, "~")
    start = at + 1 if fuzzy else at
    if reader.token(start).low in _COMPOUND:
        return Amount(((_COMPOUND[reader.token(start).low], "hour"),), None, fuzzy), start + 1
    if reader.means(start, "half"):
        after = reader.skip(start + 1, "a")
        unit = reader.name(after, "unit")
        return (Amount(((0.5, unit),), None, fuzzy), after + 1) if unit else None
    first = _number(reader, start)
    if first is None:
        return None
    number, after, vague = first
    if reader.means(after, "half") and reader.name(after + 1, "unit"):
        number, after = number / 2 if number == 1 else number, after + 1
    elif reader.means(after, "and") and reader.means(reader.skip(after + 1, "a"), "half"):
        half = reader.skip(after + 1, "a")
        number, after = (number + 0.5, half + 1) if reader.name(half + 1, "unit") else (number, after)
    if reader.means(start, "a") and reader.means(after, "ord") and not reader.ends(after + 1):
        return None
    hyphened = after + 1 if reader.hyphen(after) and reader.glued(after) and reader.glued(after + 1) else after
    unit, end = _unit(reader, hyphened)
    if unit is None:
        return None
    parts = [(number, unit)]
    if (
        reader.means(end, "and")
        and reader.means(reader.skip(end + 1, "a"), "half")
        and not reader.means(reader.skip(end + 1, "a") + 1, "unit")
    ):
        end = reader.skip(end + 1, "a") + 1
        parts = [(number + 0.5, unit)]
    return _compound(reader, Amount(tuple(parts), vague, fuzzy or vague is not None), end)


def _unit(reader: Reader, at: int) -> tuple[str | None, int]:
    unit = reader.name(at, "unit")
    token = reader.token(at)
    if unit is not None:
        end = at + 1
        if (
            reader.sign(end, ".")
            and reader.glued(end)
            and len(token.text) <= 3
            and not reader.ends(end + 1)
            and reader.token(end + 1).text.islower()
        ):
            end += 1
        return unit, end
    short = reader.name(at, "short")
    if short is not None and token.gap <= (token.low == "h") and not reader.token(at + 1).text[:1].isalnum():
        return short, at + 1
    return None, at


def _compound(reader: Reader, found: Amount, end: int) -> tuple[Amount, int]:
    """``3 hours 30 minutes``, ``2 weeks and 2 days``, ``2h 15m``: units that get finer."""
    parts = list(found.parts)
    while len(parts) < 4:
        at = reader.skip_sign(end, ",")
        at = reader.skip(at, "and")
        number = _number(reader, at)
        if number is None:
            break
        unit, after = _unit(reader, number[1])
        if unit is None or GRAINS[unit] >= GRAINS[parts[-1][1]]:
            break
        parts.append((number[0], unit))
        end = after
    return replace(found, parts=tuple(parts)), end


def moved(moment: datetime, by: Amount, sign: int) -> datetime | None:
    """The moment moved by the amount; whole days for units of a day and more."""
    found: datetime | None = moment
    for number, unit in by.parts:
        if found is None:
            return None
        found = add(found, sign * number, unit)
    return found


def from_moments(moments: tuple[datetime, ...], by: Amount, sign: int) -> Node:
    """What lies the amount before or after the moments: a minute for hours and less, else a day."""
    clocked = by.unit in _CLOCKED
    readings: list[Interval] = []
    for moment in moments:
        if by.vague is not None:
            readings += _vague(moment, by, sign)
            continue
        target = moved(moment, by, sign)
        if target is None:
            continue
        if clocked:
            readings.append(Interval(target, target + DAY / 1440))
        else:
            first = midnight(target)
            readings.append(Interval(first, first + DAY))
    grain = Grain.MINUTE if clocked else Grain.DAY
    if by.vague is not None:
        grain = max(grain, GRAINS[by.unit])
    return Node(unique(readings), grain, relative=True, fuzzy=by.fuzzy)


def _vague(moment: datetime, by: Amount, sign: int) -> list[Interval]:
    unit = by.parts[0][1]
    least, most = by.vague or (1, 1)
    one, other = add(moment, sign * least, unit), add(moment, sign * most, unit)
    if one is None or other is None:
        return []
    first, last = min(one, other), max(one, other)
    if unit not in _CLOCKED:
        first, last = midnight(first), midnight(last)
        return [Interval(first, last + DAY)]
    return [Interval(first, last)]


def offset(reader: Reader, at: int) -> Found:
    """``3 days ago``, ``in two weeks``, ``vor drei Wochen``, ``il y a 2 jours``, ``two days before yesterday``."""
    for rule in (_leading, _trailing, _weekdays_away, _beside):
        found = rule(reader, at)
        if found is not None:
            return found
    return None


def _leading(reader: Reader, at: int) -> Found:
    """A word for the direction before the amount."""
    ago = reader.means(at, "agopre")
    ahead = reader.means(at, "inpre") or (reader.lexicon.code == "en" and reader.means(at, "in"))
    within = reader.means(at, "within")
    if not (ago or ahead or within):
        return None
    start = reader.skip(at + 1, "art") if within or reader.lexicon.code in ("fr", "es") else at + 1
    found = amount(reader, start)
    if found is None:
        return None
    by, end = found
    if not ago and (within or by.unit in _CLOCKED) and at and not _says_when(reader, at, end, bool(within)):
        return None
    if reader.name(end, "rel") or (reader.means(end, "rel") is not None and reader.lexicon.code in ("fr", "es")):
        return None
    if reader.token(start).low == "some" or (by.unit == "year" and by.parts[0][0] > 60 and not ago):
        return None
    if reader.anchor is None:
        return Node((), GRAINS[by.unit], relative=True, rots=True, fuzzy=by.fuzzy), end
    node = replace(from_moments(reader.anchor.moments, by, -1 if ago else 1), rots=True)
    if within and not ago:
        spans = tuple(Interval(m, r.end) for m, r in zip(reader.anchor.moments, node.readings, strict=False))
        node = replace(node, readings=spans, grain=GRAINS[by.unit])
    since = reader.skip(end, "since", "from", "starting")
    if ahead and since > end:
        base = reader.inner(since)
        if base is not None:
            return _counted(base[0], by, 1), base[1]
    return node, end


def _says_when(reader: Reader, at: int, end: int, within: bool) -> bool:
    """ "Within 14 days" is a term; what takes it is not over on a certain day."""
    words = _BACK if within else _WHEN
    return reader.before(at) in words or reader.token(end).low in words or (not within and reader.ends(at - 1))


def _trailing(reader: Reader, at: int) -> Found:
    """The amount before a word for the direction, or before the date from which it is counted."""
    found = amount(reader, at)
    if found is None:
        return None
    by, end = found
    if reader.means(end, "ago") and not (reader.token(end).low == "back" and reader.means(end + 1, "to")):
        return _from_anchor(reader, by, -1, end + 1)
    if reader.means(end, "later") or (reader.means(end, "from") and reader.means(end + 1, "now")):
        after = end + 1 + (0 if reader.means(end, "later") else 1)
        if reader.means(end, "later") and reader.means(end, "after"):
            base = reader.inner(after)
            if base is not None:
                return _counted(base[0], by, 1), base[1]
        node_found = _from_anchor(reader, by, 1, after)
        anaphoric = reader.token(end).low in (
            "later",
            "danach",
            "darauf",
            "después",
            "despues",
            "après",
            "apres",
            "plus tard",
        )
        return (replace(node_found[0], rots=not anaphoric), after) if node_found else None
    sign = (
        -1
        if reader.means(end, "before")
        else 1
        if any(reader.means(end, c) for c in ("after", "from", "starting", "since"))
        else 0
    )
    if not sign or (reader.lexicon.code == "de" and reader.token(end).low in ("ab", "von")):
        return None
    base = reader.inner(reader.skip(end + 1, "art") if not reader.inner(end + 1) else end + 1)
    now = reader.means(end + 1, "now") or reader.means(end + 1, "nowphrase")
    if now and sign > 0:
        return _from_anchor(reader, by, 1, end + 2)
    if (
        base is not None
        and base[0].kind == "date"
        and reader.means(end, "starting")
        and reader.token(end).low not in ("as", "a")
    ):
        return _lasting(base[0], by), base[1]
    if base is None or base[0].kind != "date" or (base[0].grain > Grain.DAY and reader.means(end, "from") is not None):
        return None
    return _counted(base[0], by, sign), base[1]


def _lasting(base: Node, by: Amount) -> Node:
    """``3 days starting from next Monday``: as long as that, from then on."""
    spans = []
    for r in base.readings:
        stop = moved(r.start, by, 1) if r.start is not None else None
        if stop is not None:
            spans.append(Interval(r.start, stop))
    return replace(base, readings=unique(spans), grain=max(base.grain, GRAINS[by.unit]), partials=(), bare=False)


def _weekdays_away(reader: Reader, at: int) -> Found:
    """``two Sundays ago``, ``three Fridays from now``."""
    number = reader.token(at).number or reader.integer(at, "num")
    weekday = reader.integer(at + 1, "weekday")
    ago, later = reader.means(at + 2, "ago"), reader.means(at + 2, "later")
    if number is None or not 0 < number < 60 or weekday is None or not (ago or later):
        return None
    spans: list[Interval] = []
    for today in reader.anchor.days if reader.anchor else ():
        behind = today - ((today.weekday() - weekday - 1) % 7 + 1 + 7 * (number - 1)) * DAY
        ahead = today + ((weekday - today.weekday() - 1) % 7 + 1 + 7 * (number - 1)) * DAY
        spans.append(Interval(behind, behind + DAY) if ago else Interval(ahead, ahead + DAY))
    return Node(unique(spans), Grain.DAY, relative=True, rots=True), at + 3


def _beside(reader: Reader, at: int) -> Found:
    """``the day after Christmas``, ``der Tag vor Heiligabend``, ``the Monday after Easter``."""
    start = reader.skip(at, "art")
    weekday = reader.integer(start, "weekday")
    after, before = reader.means(start + 1, "after"), reader.means(start + 1, "before")
    if not (after or before) or (weekday is None and reader.name(start, "unit") != "day"):
        return None
    base = reader.inner(start + 2) or reader.inner(reader.skip(start + 2, "art"))
    if base is None or base[0].kind != "date" or base[0].grain > Grain.DAY:
        return None
    spans: list[Interval] = []
    for r in base[0].readings:
        if r.start is not None:
            day = midnight(r.start)
            away = 1 if weekday is None else weekday - day.weekday() if after else day.weekday() - weekday
            steps = away if weekday is None else (away - 1) % 7 + 1
            first = add(day, steps if after else -steps, "day")
            if first is not None:
                spans.append(Interval(first, first + DAY))
    return replace(base[0], readings=unique(spans), grain=Grain.DAY, partials=(), clock=(), bare=False), base[1]


def _from_anchor(reader: Reader, by: Amount, sign: int, end: int) -> Found:
    if reader.anchor is None:
        return Node((), GRAINS[by.unit], relative=True, rots=True, fuzzy=by.fuzzy), end
    return replace(from_moments(reader.anchor.moments, by, sign), rots=True), end


def _counted(base: Node, by: Amount, sign: int) -> Node:
    starts = tuple(r.start if sign < 0 or base.grain <= Grain.DAY else r.end for r in base.readings)
    node = from_moments(tuple(s for s in starts if s is not None), by, sign)
    return replace(node, relative=base.relative, rots=base.rots, fuzzy=node.fuzzy or base.fuzzy)


def duration(reader: Reader, at: int) -> Found:
    """An amount by itself, which is no date: ``90 minutes``, ``drei Tage``."""
    found = amount(reader, at)
    if found is None or (reader.means(at, "a") and found[1] == at + 2 and not reader.means(at + 1, "few")):
        return None
    by, end = found
    return Node((), GRAINS[by.unit], "duration", fuzzy=by.fuzzy), end
