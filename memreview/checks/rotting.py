"""Relative dates in notes ("yesterday", "letzte Woche") that mean another day every day, and the day that was meant."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from memreview.checks.claims.dates import find_dates, value
from memreview.checks.claims.whens import counted_from

MAX_LINE = 2000
MAX_FINDS = 20
"""Of one note, no further lines are looked at then."""

_WORDS = frozenset(
    "yesterday today tomorrow tonight last next past coming days week weeks month months quarter year years hours "
    "minutes morning afternoon evening recently gestern heute morgen vorgestern übermorgen heutige heutigen tagen "
    "woche wochen monat monaten monate quartal jahr jahren jahre stunden minuten aujourd demain hier dernier "
    "dernière prochain prochaine jours semaine semaines mois heures ayer mañana semana semanas días meses años "
    "horas pasado pasada próximo próxima trimestre".split()
)
"""Words of which one stands in every relative date that can be read, of four letters or more."""
_STEMS = (
    *("yesterday", "today", "tomorrow", "tonight", " ago", "last ", "next ", "past ", "coming ", "this ", "recently"),
    *("gestern", "heut", "morgen", "letzt", "vorig", "vergangen", "nächst", "kommend", "diese", "vor ", "seit "),
    *("aujourd", "demain", "hier", "dernier", "dernière", "prochain", "il y a", "ce ", "cette ", "ayer", " hoy"),
    *("mañana", "pasad", "próxim", "hace ", "este ", "esta "),
)
_CJK_STEMS = tuple("昨 今 明日 明天 先週 先月 来週 来月 上周 下周 上个月 下个月 去年 前天 後日".split())

_QUOTES: Final = frozenset(('""', "''", "``", "“”", "„“", "‘’", "«»", "»«", "「」", "『』"))


@dataclass(frozen=True, slots=True)
class Rotting:
    """A relative date: the 1-based line of the raw file, where in it, its words, and ``start/end`` of what was meant
    (the end exclusive), empty where nothing says when it was written."""

    line: int
    start: int
    end: int
    text: str
    meant: str = ""

    @property
    def days(self) -> str:
        """What was meant in words: one day, or ``2026-10-01 to before 2026-11-01``; empty where nothing tells."""
        start, _, end = self.meant.partition("/")
        return start if not end or start[:10] == end[:10] or end == _day_after(start) else f"{start} to before {end}"


def _day_after(day: str) -> str:
    """The day after an ISO date; nothing for anything else, and after the last day of the calendar."""
    try:
        return (date.fromisoformat(day) + timedelta(days=1)).isoformat()
    except (ValueError, OverflowError):
        return ""


def rotting(text: str, head_lines: int, written: float | None) -> Iterator[Rotting]:
    """Relative dates in a note's text after its frontmatter. ``written`` are seconds since 1970; the day is that of
    this machine's time zone."""
    anchor = _moment(written)
    found = 0
    for number, line in enumerate(text.split("\n"), 1):
        if number <= head_lines or not _line_may_rot(line[:MAX_LINE]):
            continue
        zone = anchor.tzinfo if anchor is not None else None
        for match in counted_from(line[:MAX_LINE], find_dates(line[:MAX_LINE], anchor, zone), zone):
            if match.rots and match.relative and not _is_label(line, match.start, match.end):
                found += 1
                meant = value(match).split("|")[0] if anchor is not None and match.readings else ""
                yield Rotting(number, match.start, match.end, match.text, meant)
        if found >= MAX_FINDS:
            return


def _is_label(line: str, start: int, end: int) -> bool:
    """True for words that stand alone in quotes or back-ticks: a name on a screen, no day."""
    return line[max(start - 1, 0) : start] + line[end : end + 1] in _QUOTES


def may_rot(text: str, words: Collection[str]) -> bool:
    """False where no relative date can stand in ``text``, whose longer words are ``words``: a quick look."""
    if not _WORDS.isdisjoint(words) or "hoy" in text or "Hoy" in text:
        return True
    return not text.isascii() and any(stem in text for stem in _CJK_STEMS)


def _line_may_rot(line: str) -> bool:
    lowered = " " + line.lower()
    return any(stem in lowered for stem in _STEMS) or any(stem in lowered for stem in _CJK_STEMS)


def _moment(seconds: float | None) -> datetime | None:
    if seconds is None:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).astimezone()
    except (ValueError, OverflowError, OSError):
        return None
