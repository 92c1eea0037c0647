"""Dates and times of a text, without those that are words of something else in a sentence about how things are."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, tzinfo

from memreview.checks.claims.dates import DateMatch, find_dates

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


def find_whens(text: str, anchor: datetime | None = None, zone: tzinfo | None = None) -> tuple[DateMatch, ...]:
    """The dates, times and repetitions of a text; "cookies last 14 days" holds a verb and no period.

    "within 14 days" is a length of time, and so a number. "The previous quarter" is counted from what the text speaks
    of, not from the day it is read on, and does not rot.
    """
    found = (when for when in find_dates(text, anchor, zone) if _is_when(text, when))
    return tuple(replace(when, rots=False) if when.rots and _ANAPHORIC.search(when.text) else when for when in found)


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
