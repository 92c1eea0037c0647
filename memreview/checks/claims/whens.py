"""Dates and times of a text, without those that are words of something else in a sentence about how things are."""

from __future__ import annotations

import re
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
_PERIOD = re.compile(
    r"(?:^|\b(?:the|in|over|during|within|for|these|those|our|my|past|of|since|from)\s+)$", re.IGNORECASE
)


def find_whens(text: str, anchor: datetime | None = None, zone: tzinfo | None = None) -> tuple[DateMatch, ...]:
    """The dates, times and repetitions of a text; "cookies last 14 days" holds a verb and no period."""
    found = find_dates(text, anchor, zone)
    return tuple(
        when
        for when in found
        if not _LAST.match(when.text) or _PERIOD.search(text[max(0, when.start - 12) : when.start])
    )
