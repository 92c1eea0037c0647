"""Dates of a claim against dates of a record, which are read with the record's own time as anchor.

What follows only by calculation from a relative expression is *derived*; a claim that is more exact than what was said
is not supported; a coarser one is. The day of the record itself is in the transcript too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from memreview.checks.claims.dates import DateMatch, Grain, Interval, anchor_days, compare
from memreview.checks.claims.extract import Candidate
from memreview.checks.claims.hits import Hit, Relation, Rival
from memreview.checks.claims.records import Witness
from memreview.checks.claims.whens import SOME_DAY, find_whens
from memreview.checks.claims.whole import lowered, whole

_SLACK = timedelta(days=1)
_EPOCH = datetime(1900, 1, 1)
_MOST = 100_000
_ORDER = (Relation.SAME, Relation.COARSER, Relation.DERIVED, Relation.FINER)


def dates_of(witness: Witness) -> tuple[DateMatch, ...]:
    """The dates of a record, read once."""
    if "dates" not in witness.parsed:
        witness.parsed["dates"] = find_whens(witness.text[:_MOST], witness.moment, witness.zone)
    found = witness.parsed["dates"]
    assert isinstance(found, tuple)
    return found


def relation(claim: DateMatch, found: DateMatch) -> Relation | None:
    """How what a record says stands to what the claim says; None where they have nothing in common."""
    if claim.kind == "time" or (claim.kind == "recurring" and claim.grain <= Grain.HOUR and found.kind != "recurring"):
        return _time_relation(claim, found)
    if claim.kind != found.kind:
        return None
    if claim.kind == "recurring":
        return Relation.SAME if set(claim.readings) & set(found.readings) else None
    best: Relation | None = None
    for mine in claim.readings:
        for theirs in found.readings:
            one = _interval_relation(mine, theirs, claim, found)
            if one is not None and (best is None or _ORDER.index(one) < _ORDER.index(best)):
                best = one
    if best in (Relation.SAME, Relation.COARSER) and found.relative and not claim.relative and not _only_year(found):
        return Relation.DERIVED
    return best


def _only_year(found: DateMatch) -> bool:
    """True for a written day without its year: "14 Oct" said in 2026 is 14 October 2026 to every reader."""
    return any(c.isdigit() for c in found.text) and found.grain <= Grain.MONTH and not found.rots


def _interval_relation(mine: Interval, theirs: Interval, claim: DateMatch, found: DateMatch) -> Relation | None:
    how = compare(mine, theirs)
    if how == "same":
        return Relation.SAME
    if None in (mine.start, mine.end, theirs.start, theirs.end):
        if _share_border(mine, theirs):
            return Relation.SAME
        borders = _border(mine, claim.grain), _border(theirs, found.grain)
        if borders == (mine, theirs) or not _same_side(mine, theirs):
            return Relation.FINER if how == "finer" else None
        return _interval_relation(*borders, claim, found) or (Relation.FINER if how == "finer" else None)
    if how == "coarser":
        return Relation.COARSER if claim.grain > found.grain or _one_unit(mine, claim.grain) else None
    coarse = claim.grain >= found.grain
    if how in ("overlap", "finer") and coarse and (found.relative or found.fuzzy or claim.fuzzy):
        return Relation.DERIVED
    if how == "finer":
        return Relation.FINER
    near = Interval(mine.start and mine.start - _SLACK, mine.end and mine.end + _SLACK)
    if (claim.fuzzy or found.fuzzy) and coarse and compare(near, theirs) != "apart":
        return Relation.DERIVED
    return None


def _one_unit(mine: Interval, grain: Grain) -> bool:
    """A single day, month or year, and no range of them: a wider range is another one, not the same less exactly."""
    assert mine.start is not None
    assert mine.end is not None
    return grain != Grain.DAY or mine.end - mine.start <= timedelta(days=1)


def _same_side(mine: Interval, theirs: Interval) -> bool:
    """False where one is open towards the past and the other towards the future."""
    return not (mine.start is None and theirs.end is None) and not (mine.end is None and theirs.start is None)


def _border(interval: Interval, grain: Grain) -> Interval:
    """The period that an open expression begins or ends with: of "since late Oct" it is late October."""
    if (interval.start is None) == (interval.end is None):
        return interval
    if interval.start is not None:
        return Interval(interval.start, _moved(interval.start, grain, 1))
    assert interval.end is not None
    return Interval(_moved(interval.end, grain, -1), interval.end)


_MONTHS = {Grain.MONTH: 1, Grain.QUARTER: 3, Grain.SEASON: 3, Grain.HALF: 6, Grain.YEAR: 12, Grain.DECADE: 120}
_DAYS = {Grain.WEEK: 7, Grain.THIRD: 11}


def _moved(moment: datetime, grain: Grain, way: int) -> datetime:
    """A period of this grain later or earlier; the calendar's own borders stay borders."""
    count = _MONTHS.get(grain)
    if count is None:
        return moment + way * timedelta(days=_DAYS.get(grain, 1))
    year, month = divmod(moment.year * 12 + moment.month - 1 + way * count, 12)
    return moment.replace(year=min(max(year, 1), 9999), month=month + 1, day=min(moment.day, 28))


def _share_border(mine: Interval, theirs: Interval) -> bool:
    """One is open, and the side that both name is the same day: "from the 30th" and "since the 30th"."""
    for one, other in ((mine.start, theirs.start), (mine.end, theirs.end)):
        if one is not None and other is not None and one.date() == other.date():
            return True
    return False


def _clocks(found: DateMatch) -> Iterator[Interval]:
    """The times of day of an expression, on 1 January 1900."""
    for reading in found.readings:
        if found.kind == "time":
            yield reading
        elif found.kind in ("date", "recurring") and found.grain <= Grain.HOUR and reading.start is not None:
            start = datetime.combine(_EPOCH.date(), reading.start.time())
            span = reading.end - reading.start if reading.end is not None else timedelta(minutes=1)
            if span <= timedelta(hours=24):
                yield Interval(start, start + span)


def _time_relation(claim: DateMatch, found: DateMatch) -> Relation | None:
    best: Relation | None = None
    for mine in _clocks(claim):
        for theirs in _clocks(found):
            if mine == theirs or (mine.start == theirs.start and _is_point(mine) and _is_point(theirs)):
                return Relation.SAME
            how = compare(mine, theirs)
            if how == "coarser" and _is_point(theirs):
                best = Relation.COARSER
            elif how == "finer" and best is None:
                best = Relation.FINER
    return best


def _is_point(clock: Interval) -> bool:
    return clock.start is not None and clock.end is not None and clock.end - clock.start <= timedelta(minutes=1)


def date_hits(claim: Candidate, witness: Witness) -> Iterator[Hit]:
    """Places at which the record gives the claim's date, and last the record's own day (an empty place)."""
    if not isinstance(claim.data, DateMatch):
        return
    if claim.data.relative and not claim.data.readings:
        yield from _undated_hits(claim, witness)
        return
    rows = dates_of(witness)
    for found in rows:
        how = relation(claim.data, found)
        if how is Relation.FINER and _time_stands_apart(claim.data, found, rows):
            how = Relation.DERIVED if found.relative and not _only_year(found) else Relation.SAME
        if how is not None:
            yield Hit(witness, found.start, found.end, how, found.text if found.relative else "")
    if claim.data.kind == "recurring":
        yield from _rate_hits(claim, claim.data, witness)
    if claim.data.kind == "date":
        yield from _own_day(claim.data, witness)


def _undated_hits(claim: Candidate, witness: Witness) -> Iterator[Hit]:
    """A relative date of a note whose day is not known, against what means the same when said on the same day."""
    for found in _undated_of(witness):
        how = relation(claim.fixed, found) if claim.fixed is not None else None
        if how is None and _only_preposed(claim.text, found.text):
            how = Relation.SAME
        if how is not None:
            yield Hit(witness, found.start, found.end, how)
    for start, end in whole(witness.low, lowered(claim.text)):
        yield Hit(witness, start, end, Relation.SAME)


def _only_preposed(claim: str, found: str) -> bool:
    """ "after June" beside "in June": the side on which it lies is told by other words."""
    rest = claim.lower().replace(found.lower(), " ", 1).strip()
    return found.lower() in claim.lower() and bool(_PREPOSITION.fullmatch(rest))


_PREPOSITION = re.compile(
    r"(?:after|before|since|until|till|from|by|on|in|nach|vor|seit|bis|ab|après|avant|depuis|dès|jusqu'?\w*|desde|"
    r"hasta|después de|antes de)?"
)


def _undated_of(witness: Witness) -> tuple[DateMatch, ...]:
    if "undated" not in witness.parsed:
        witness.parsed["undated"] = find_whens(witness.text[:_MOST], SOME_DAY)
    found = witness.parsed["undated"]
    assert isinstance(found, tuple)
    return found


_RATES = {
    Grain.MINUTE: "minute|min|minuto|分",
    Grain.HOUR: "hour|h|hr|stunde|heure|hora|時間|小时",
    Grain.DAY: "day|d|tag|jour|día|日|天",
    Grain.WEEK: "week|woche|semaine|semana|週|周",
    Grain.MONTH: "month|monat|mois|mes|月",
    Grain.QUARTER: "quarter|quartal|trimestre",
    Grain.YEAR: "year|yr|jahr|année|an|año|年",
}


def _rate_hits(claim: Candidate, data: DateMatch, witness: Witness) -> Iterator[Hit]:
    """ "$150 a month" says how often as well as "monthly" does."""
    unit = _RATES.get(data.grain)
    if unit is None or len(data.readings) != 1 or re.search(r"\d", claim.text):
        return
    once = (
        rf"(?:\b(?:an?|per|each|every|pro|je|jede[rsn]?|par|chaque|por|al|cada|a la)\s+(?:{unit})\b|"
        rf"/\s?(?:{unit})\b|每(?:个)?(?:{unit})|毎(?:{unit}))"
    )
    for match in re.finditer(once, witness.text, re.IGNORECASE):
        yield Hit(witness, match.start(), match.end(), Relation.SAME)


def _time_stands_apart(claim: DateMatch, day: DateMatch, rows: tuple[DateMatch, ...]) -> bool:
    """A day and its time, written together in the claim, stand in two places of the record."""
    if claim.grain > Grain.HOUR or day.grain != Grain.DAY:
        return False
    return any(_clock_of(claim) & {c.start for c in _clocks(other)} for other in rows if other.kind == "time")


def _clock_of(claim: DateMatch) -> set[datetime | None]:
    return {clock.start for clock in _clocks(claim)}


def own_days(witness: Witness) -> tuple[datetime, ...]:
    """The days on which the record may have been made, the most usual first."""
    return anchor_days(witness.moment, witness.zone) if witness.moment is not None else ()


def _own_day(claim: DateMatch, witness: Witness) -> Iterator[Hit]:
    days = own_days(witness)
    for number, day in enumerate(days):
        for reading in claim.readings:
            if reading.start is None or reading.end is None or claim.grain > Grain.MONTH:
                continue
            end = max(reading.end, reading.start + timedelta(seconds=1))
            if reading.start < day + _SLACK and day < end and (claim.grain >= Grain.DAY):
                yield Hit(witness, 0, 0, Relation.DERIVED if number else Relation.SAME, "own-day")
                return


def date_rivals(claim: Candidate, witness: Witness) -> Iterator[Rival]:
    """Other dates of the record."""
    if not isinstance(claim.data, DateMatch):
        return
    for found in dates_of(witness):
        if claim.data.grain >= Grain.YEAR and found.grain <= Grain.MONTH and found.relative and not found.rots:
            continue
        if found.kind == claim.data.kind and relation(claim.data, found) in (None, Relation.FINER):
            yield Rival(witness, found.start, found.end, found.text)
