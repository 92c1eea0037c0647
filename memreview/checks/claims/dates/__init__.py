"""Dates and times in a text, as intervals: an own grammar for English, German, French, Spanish, Japanese and Chinese.

``find_dates`` reads a text; ``value`` writes what it found as JSON carries it. The words of a language stand in
``words_*``; ``tokens`` finds them, the rules in ``numeric``, ``absolute``, ``relative``, ``amounts``, ``periods`` and
``clock`` read parts of an expression, ``points`` and ``compose`` put them together, ``guards`` turns down what only
looks like a date. Japanese and Chinese have no blanks and are read by ``cjk``.
"""

from memreview.checks.claims.dates.anchor import anchor_days
from memreview.checks.claims.dates.find import find_dates
from memreview.checks.claims.dates.intervals import (
    DateMatch,
    Grain,
    Interval,
    Kind,
    compare,
    contains,
    meets,
    overlap,
    value,
)

__all__ = [
    "DateMatch",
    "Grain",
    "Interval",
    "Kind",
    "anchor_days",
    "compare",
    "contains",
    "find_dates",
    "meets",
    "overlap",
    "value",
]
