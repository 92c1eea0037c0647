"""Periods by their name: early, mid and late, seasons, holidays, weekends, decades."""

from __future__ import annotations

from dataclasses import replace

from memreview.checks.claims.dates.arithmetic import DAY, GRAINS, WEEK, begin, third, year_of
from memreview.checks.claims.dates.holidays import holiday
from memreview.checks.claims.dates.intervals import Grain, Interval
from memreview.checks.claims.dates.nodes import Node, around, unique
from memreview.checks.claims.dates.periods import year_after, yearly
from memreview.checks.claims.dates.reader import Found, Reader
from memreview.checks.claims.dates.relative import running
from memreview.checks.claims.dates.usual import season_span


def edge(reader: Reader, at: int) -> Found:
    """``early March``, ``mid-Nov``, ``late 2026``, ``Ende Oktober``, ``the beginning of next week``, ``end of Q1``."""
    at = reader.skip(at, "art")
    which = reader.integer(at, "edge")
    if which is None:
        which = reader.integer(at, "adjedge")
    if which is None:
        return None
    after, last = _second_edge(reader, at + 1, which)
    if reader.hyphen(after) and (last == 1 or reader.glued(after)):
        after += 1
    linked = reader.skip(after, "of", "in")
    noun = reader.integer(at, "adjedge") is None or linked > after
    if reader.lexicon.code == "en" and noun and linked == after and reader.token(at).low not in ("mid", "end"):
        return None
    base = reader.inner(linked) or (running(reader, linked) if noun or reader.lexicon.code != "en" else None)
    if base is None and reader.skip(linked, "art") > linked:
        base = reader.inner(reader.skip(linked, "art"))
    if base is None or base[0].kind != "date" or base[0].grain < Grain.PART_OF_DAY:
        return None
    node, end = base
    if node.grain == Grain.DAY and not (linked > after or reader.lexicon.code in ("fr", "es", "de")):
        return None
    readings = tuple(Interval(third(r, which).start, third(r, last).end) for r in node.readings)
    grain = Grain.PART_OF_DAY if node.grain <= Grain.DAY else Grain.THIRD
    if node.grain >= Grain.HALF:
        grain = Grain.SEASON
    return replace(node, readings=unique(readings), grain=grain, fuzzy=True, partials=(), bare=False), end


def _second_edge(reader: Reader, at: int, which: int) -> tuple[int, int]:
    """``mid-to-late October``: the index after the second word, and its third."""
    link = at + 1 if reader.hyphen(at) else at
    if reader.means(link, "to") is None and not reader.sign(link, "/"):
        return at, which
    after = link + 2 if reader.hyphen(link + 1) else link + 1
    last = reader.integer(after, "edge")
    return (after + 1, last) if last is not None and last > which else (at, which)


def edge_word(reader: Reader, at: int) -> Found:
    """``Monatsende``, ``year-end``, ``EOM``: the last third of the running period, or of the one that follows."""
    which, _, unit = (reader.name(at, "edgeof") or "").partition("-")
    if not unit:
        return None
    readings = [third(r, int(which)) for r in around(reader.anchor, unit, 0)]
    node, end = Node(unique(readings), Grain.THIRD, relative=True, fuzzy=True), at + 1
    base = year_after(reader, end) if unit == "year" else reader.inner(reader.skip(end, "of"))
    if base is None or GRAINS[unit] != base[0].grain:
        return node, end
    spans = unique([third(r, int(which)) for r in base[0].readings])
    return replace(base[0], readings=spans, grain=Grain.THIRD, fuzzy=True, partials=(), bare=False), base[1]


def the_weekend(reader: Reader, at: int) -> Found:
    """``the weekend`` after a word that asks for a time: the coming or running one, then the last one."""
    start = reader.skip(at, "art")
    lead = start - 1 if start == at else at - 1
    if reader.name(start, "unit") != "weekend" or not any(
        reader.means(lead, c) is not None for c in ("before", "after", "until", "by", "since", "for", "on", "at", "in")
    ):
        return None
    readings: list[Interval] = []
    for today in reader.anchor.days[:1] if reader.anchor else ():
        this = begin(today, "weekend")
        readings = [Interval(this, this + 2 * DAY), Interval(this - WEEK, this - WEEK + 2 * DAY)]
    return Node(tuple(readings), Grain.WEEK, relative=True), start + 1


def season(reader: Reader, at: int) -> Found:
    """``summer 2026``, ``Herbst``, ``l'été 2025``; by itself only where a word before asks for it."""
    number = reader.integer(at, "season")
    if number is None:
        return None
    start = at + 1
    found = yearly(reader, lambda y: season_span(number, y), start, grain=Grain.SEASON, fuzzy=True)
    node, end = found
    if end == start and reader.means(at, "soft") and not reader.means(at - 1, "art"):
        return None
    return replace(node, bare=end == start), end


def named_day(reader: Reader, at: int) -> Found:
    """``Christmas``, ``easter 2018``, ``Karfreitag``, ``black friday 2010``, ``Halloween weekend``."""
    name = reader.name(at, "holiday")
    if name is None or (reader.means(at, "soft") and reader.token(at).text.islower()):
        return None

    def make(year: int) -> Interval | None:
        found = holiday(name, year)
        return None if found is None else Interval(found, found + DAY)

    node, end = yearly(reader, make, at + 1, grain=Grain.DAY)
    if reader.name(end, "unit") == "weekend":
        after, end_after = yearly(reader, make, end + 1, grain=Grain.WEEK)
        weekends = [
            Interval(b, b + 2 * DAY)
            for r in after.readings
            if r.start
            for b in [begin(r.start - 2 * DAY * (r.start.weekday() < 2), "weekend")]
        ]
        return replace(after, readings=unique(weekends)), end_after
    return node, end


def decade(reader: Reader, at: int) -> Found:
    """``1990s``, ``the '90s``, ``the nineties``, ``los años 90``, ``les années 80``, ``die 90er``, ``15th century``."""
    token = reader.token(at)
    century = reader.token(at).number
    if century is not None and 1 <= century <= 30:
        suffix = at + 1 if reader.means(at + 1, "suffix") or reader.sign(at + 1, ".") else at
        if reader.means(suffix + 1, "centuryword") and suffix > at:
            return _years((century - 1) * 100 or 1, 100, Grain.CENTURY, suffix + 2)
    if token.number is not None and len(token.text) in (2, 4) and token.number % 10 == 0:
        after = at + 2 if reader.sign(at + 1, "'’") and reader.glued(at + 1) else at + 1
        ending = reader.token(after)
        number = token.number if len(token.text) == 4 else 1900 + token.number + (100 if token.number < 30 else 0)
        led = (
            reader.means(at - 1, "art")
            or reader.sign(at - 1, "'’")
            or reader.means(at - 1, "decadeof")
            or len(token.text) == 4
        )
        named = ending.low in ("s", "er", "ern") and ending.gap <= (
            1 if ending.low == "s" and len(token.text) == 4 else 0
        )
        if named and led and 1500 <= number < 2200:
            after += 1 + (reader.token(after + 1).low in ("jahre", "jahren"))
            return _years(number, 10, Grain.DECADE, after)
    if reader.means(at, "decadeof"):
        named_decade = reader.token(at + 1).number or reader.integer(at + 1, "hw") or 1
        if named_decade % 10 == 0 and (named_decade < 100 or 1500 <= named_decade < 2200):
            return _years(named_decade + (1900 if named_decade < 100 else 0), 10, Grain.DECADE, at + 2)
    word = reader.integer(at, "hw")
    if (
        word is not None
        and reader.lexicon.code == "en"
        and reader.means(at - 1, "art")
        and not reader.means(at + 1, "unit")
    ):
        return _years(1900 + word, 10, Grain.DECADE, at + 1)
    return None


def _years(first: int, count: int, grain: Grain, end: int) -> Found:
    start, last = year_of(first), year_of(first + count - 1)
    return (Node((Interval(start.start, last.end),), grain), end) if start and last else None


def that_period(reader: Reader, at: int) -> Found:
    """``unter der Woche``: the working days of this week."""
    if not reader.means(at, "underweek") or reader.anchor is None:
        return None
    return Node(tuple(around(reader.anchor, "workweek", 0)), Grain.WEEK, relative=True, rots=True), at + 1
