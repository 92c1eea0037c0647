"""Dates and times of a text, without those that are words of something else in a sentence about how things are."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo

from memreview.checks.claims.dates import DateMatch, Grain, Interval, find_dates

SOME_DAY = datetime(2026, 6, 17, 12)
"""A day from which two relative expressions are counted to see whether they mean the same."""
_ANAPHORIC = re.compile(
    r"\b(?:previous|prior|preceding|following|subsequent|same|précédente?|suivante?|anterior|siguiente|darauf|"
    r"folgend\w*|davor|danach)\b|前の|次の|翌|前年|前月|之前|次年",
    re.IGNORECASE,
)
_LAST = re.compile(r"last(?:s|ed)?\s+(?:\d|[a-z]+\s+(?:second|minute|hour|day|week|month|year)s?$)", re.IGNORECASE)
_WITHIN = re.compile(
    r"(?:within|innerhalb|binnen|no later than|spätestens nach) (?:von )?(?:\d|[a-zäöü]+ (?:second|minute|hour|day|"
    r"week|month|year|tag|woche|monat|stunde|minute)\w*$)",
    re.IGNORECASE,
)
_SECONDS = re.compile(r"\d{4} s$")
_SEASON = re.compile(r"(?:spring|summer|autumn|fall|winter)$", re.IGNORECASE)
_IN_SEASON = re.compile(
    r"\b(?:in|this|last|next|every|each|by|until|till|since|of|from|during|before|after|early|late|mid)(?: the)?[ -]$",
    re.IGNORECASE,
)
_DOTTED = re.compile(r"\d{1,2}\.\d{1,2}\.\d{1,2}$")
_VERSION_BEFORE = re.compile(r"(?:\bv|version|release|firmware|バージョン|版本)[ :]?$", re.IGNORECASE)
_VERSION_AFTER = re.compile(r"\s?(?:版|バージョン)")
_YEAR = re.compile(r"\d{4}$")
_NO_YEAR = re.compile(
    r"(?<!\w)(?:on|at|port|ports|to|is|are|was|with|uses?|using|holds?|has|have|counts?|costs?|takes?|needs?|"
    r"listens|than|number|no|id|"
    r"only|exactly|auf|hat|sur|le|puerto|en el|der|die|das) $",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    r"(?:^|\b(?:the|in|over|during|within|for|these|those|our|my|past|of|since|from)\s+)$", re.IGNORECASE
)

_DAY = timedelta(days=1)
_MARK = r"[\s\"'“”‘’«»`*_)\],;:–—-]*"
_WORD_OF_SAYING = (
    r"(?:(?:it|this|he|she|they|the user|user|es|das) )?(?:was |is |wurde |ist )?"
    r"(?:said|told|stated|noted|written|recorded|reported|mentioned|gesagt|notiert|geschrieben|berichtet|erwähnt|"
    r"dit|écrit|noté|dicho|escrito|anotado|counted from|seen from|relative to|gerechnet (?:von|ab))"
)
_ON = r"(?: (?:on|at|am|vom|dem|le|du|el|del|the|so|by the user|vom nutzer|that day|as of))*"
_SAID_AFTER = re.compile(
    rf"(?:^{_MARK}|[(\[,;–—-]\s*)(?:{_WORD_OF_SAYING}{_ON}|as of|stand|au|a fecha de)[:\s]*$", re.IGNORECASE
)
_OPENS = re.compile(rf"^{_MARK}[(\[]?\s*$|[(\[,;–—-]\s*$")
_AS_OF = re.compile(r"as of\b|stand\b", re.IGNORECASE)
_SAID_BEFORE = re.compile(rf"(?<!\w){_WORD_OF_SAYING}{_ON}\s+$", re.IGNORECASE)
_REACH = 120
_STOP = re.compile(r"[.!?;](?:\s|$)|\n")


def find_whens(text: str, anchor: datetime | None = None, zone: tzinfo | None = None) -> tuple[DateMatch, ...]:
    """The dates, times and repetitions of a text; "cookies last 14 days" holds a verb and no period.

    "within 14 days" is a length of time, and so a number. "The previous quarter" is counted from what the text speaks
    of, not from the day it is read on, and does not rot.
    """
    found = (when for when in find_dates(text, anchor, zone) if _is_when(text, when))
    rows = (replace(when, rots=False) if when.rots and _ANAPHORIC.search(when.text) else when for when in found)
    return counted_from(text, tuple(rows), zone)


def counted_from(text: str, found: tuple[DateMatch, ...], zone: tzinfo | None = None) -> tuple[DateMatch, ...]:
    """The same expressions, the relative ones beside which the day stands on which they were said counted from it.

    "last week, said 2026-11-01" means the same for ever, so it does not rot.
    """
    out = list(found)
    for at, when in enumerate(found):
        beside = _beside(text, found, at) if when.rots else None
        if beside is None:
            continue
        start = found[beside].readings[0].start
        assert start is not None
        day = Interval(start.replace(hour=0, minute=0, second=0), start.replace(hour=0, minute=0, second=0) + _DAY)
        again = find_dates(text, start.replace(hour=12, minute=0, second=0), zone)
        readings = next((one.readings for one in again if (one.start, one.end) == (when.start, when.end)), ())
        if readings:
            out[at] = replace(when, rots=False, readings=readings)
            out[beside] = replace(found[beside], readings=(day,), grain=Grain.DAY, said=True)
    return tuple(out)


def _beside(text: str, found: tuple[DateMatch, ...], at: int) -> int | None:
    """Which of the expressions is the day on which the one at ``at`` was said."""
    when = found[at]
    after = found[at + 1] if at + 1 < len(found) else None
    if after is not None and _is_day(after):
        between = text[when.end : after.start]
        if len(between) <= _REACH and not _STOP.search(between):
            as_of = _AS_OF.match(after.text) and _OPENS.search(between)
            if as_of or _SAID_AFTER.search(between):
                return at + 1
    before = found[at - 1] if at else None
    if before is None or not _is_day(before) or _STOP.search(text, before.end, when.start):
        return None
    return at - 1 if _SAID_BEFORE.search(text[max(0, before.start - 40) : before.start]) else None


def _is_day(when: DateMatch) -> bool:
    return (
        when.kind == "date"
        and not when.relative
        and len(when.readings) == 1
        and when.readings[0].start is not None
        and (when.grain <= Grain.DAY or bool(_AS_OF.match(when.text)))
    )


def _is_when(text: str, when: DateMatch) -> bool:
    before, after = text[max(0, when.start - 16) : when.start], text[when.end : when.end + 8]
    if _WITHIN.match(when.text) or _SECONDS.match(when.text):
        return False
    if _SEASON.match(when.text) and not _IN_SEASON.search(before):
        return False
    if _DOTTED.match(when.text) and (_VERSION_BEFORE.search(before) or _VERSION_AFTER.match(after)):
        return False
    if _YEAR.match(when.text) and _NO_YEAR.search(before):
        return False
    return not _LAST.match(when.text) or bool(_PERIOD.search(before))
