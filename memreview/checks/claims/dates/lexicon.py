"""Words of a language and what they may mean.

A word has a meaning in one or more *categories*; its value there is a number or a name that the grammar knows. The
word lists are written as lines ``category:value = word word two_words`` that may go on in the next one; ``last~``
stands for the word with each ending of the language. Values are integers where they look like one, and 1 where there
is none.

| category | value |
|---|---|
| month, weekday, season, ord, num | its number (weekday 0 is Monday; season 0 is spring) |
| unit | a name of ``arithmetic.GRAINS`` |
| dayref | days from today |
| rel | -2 … 2: the one before last, last, this, next, the one after next |
| coming, past | the word stands for the next or last ones from now (``coming weeks``) |
| pod | a part of the day, of ``PARTS`` |
| edge | 0, 1, 2: the first, middle or last third |
| few | least and most, as ``2-6`` |
| abbr, plural | a short form; a repeated one (``Tuesdays``) |
| soft | also an everyday word, never a date by itself |
| the rest | roles of function words: from, to, until, and, since, before, after, by, at, on, of, art, about, ago, … |
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Meaning = Mapping[str, int | str]

PARTS: dict[str, tuple[int, int]] = {
    "early-morning": (5, 9),
    "morning": (5, 12),
    "late-morning": (10, 12),
    "noon": (12, 13),
    "lunch": (11, 14),
    "afternoon": (12, 18),
    "late-afternoon": (15, 18),
    "evening": (17, 24),
    "late-evening": (20, 24),
    "night": (18, 29),
    "midnight": (0, 1),
    "daytime": (8, 18),
}
"""First hour and hour after the last one, counted from the midnight at which its day begins."""


def listed(words: str) -> list[str]:
    """The words of a text."""
    return words.split()


def strip_accents(word: str) -> str:
    """The word without diacritics, of the same length where each sign is one letter."""
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


@dataclass(frozen=True)
class Lexicon:
    """The words of one language. ``phrases`` are found by their first word, the longest first."""

    code: str
    words: Mapping[str, Meaning]
    phrases: Mapping[str, tuple[tuple[tuple[str, ...], Meaning], ...]]
    cues: frozenset[str]
    fold: Callable[[str], str] = field(default=str.lower)
    month_first: bool = False
    dotted: bool = False
    compound: re.Pattern[str] | None = None
    triggers: frozenset[str] = frozenset()


_TRIGGERING = frozenset(
    listed(
        """
    month weekday season unit dayref pod holiday recur ampm nowphrase quarterword tonight todaypart lastnight decadeof
    underweek weekword edgeof weekdays halbclock threequarterword
    """
    )
)


def _entries(lines: str) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = []
    for line in lines.strip().split("\n"):
        if line[0] == " ":
            found[-1][1].extend(line.split())
            continue
        keys, _, words = line.partition(" = ")
        found.append((keys, words.split()))
    return found


def make_lexicon(
    code: str,
    lines: str,
    cues: str,
    *,
    folded: bool = False,
    numbers: Mapping[str, int] | None = None,
    ordinals: Mapping[str, int] | None = None,
    month_first: bool = False,
    dotted: bool = False,
    compound: str = "",
    endings: tuple[str, ...] = (),
    spellings: Callable[[str], set[str]] | None = None,
) -> Lexicon:
    """A lexicon from word lists; with ``folded`` accents are of no account."""
    fold = (lambda w: strip_accents(w.lower())) if folded else str.lower
    words: dict[str, dict[str, int | str]] = {}
    phrases: dict[tuple[str, ...], dict[str, int | str]] = {}

    def put(word: str, category: str, content: int | str) -> None:
        for one in spellings(word) if spellings else (word,):
            parts = tuple(fold(one).replace("_", " ").split(" "))
            if len(parts) == 1:
                words.setdefault(parts[0], {})[category] = content
            else:
                phrases.setdefault(parts, {})[category] = content

    for keys, listed in _entries(lines):
        for key in keys.split(","):
            category, _, raw = key.partition(":")
            content: int | str = int(raw) if re.fullmatch(r"-?\d+", raw) else raw or 1
            for word in listed:
                for form in (word[:-1] + e for e in endings) if word.endswith("~") else (word,):
                    put(form, category, content)
    for category, table in (("num", numbers or {}), ("ord", ordinals or {})):
        for word, number in table.items():
            put(word, category, number)
    by_first: dict[str, list[tuple[tuple[str, ...], Meaning]]] = {}
    for parts, meaning in sorted(phrases.items(), key=lambda item: -len(item[0])):
        by_first.setdefault(parts[0], []).append((parts, meaning))
    triggers = {w for w, m in words.items() if _TRIGGERING & m.keys()}
    triggers |= {max(p, key=len) for p, m in phrases.items() if _TRIGGERING & m.keys()}
    return Lexicon(
        code,
        words,
        {first: tuple(found) for first, found in by_first.items()},
        frozenset(fold(cues).split()),
        fold,
        month_first,
        dotted,
        re.compile(compound) if compound else None,
        frozenset(triggers),
    )
