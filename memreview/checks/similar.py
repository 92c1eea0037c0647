"""Notes that say nearly the same, lines that repeat or contradict others: candidates for a person, found by words.

Within one project only. Texts are compared by the words they hold first, and letter by letter (RapidFuzz) where these
nearly agree.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, pairwise
from typing import Final

MAX_LINES: Final = 50_000
"""Of a larger folder the rest is not compared."""
FEWEST_WORDS: Final = 8
"""Different words of a note that is compared with others."""
FEWEST_OF_LINE: Final = 4
FEWEST_SHARED: Final = 2
MOST_ASKED: Final = 6
"""Words that two notes share, of those that stand in few lines, before all their words are compared."""
FEW_LINES: Final = 3
SAME_WORDS: Final = 0.6
SAME_LETTERS: Final = 85.0
"""Percent of letters in common from which two notes are near-duplicates."""
SAME_LINE: Final = 90.0
LONGEST: Final = 20_000
LONGEST_LINE: Final = 1000

_WORD = re.compile(r"[^\W\d_]{4,}")
_ASCII_WORD = re.compile(r"[a-z]{4,}")
_TOKEN = re.compile(r"\w+")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}")
_NUMBER = re.compile(r"\d+(?:[.:,/-]\d+)*")
_NEGATION = re.compile(
    r"\b(?:not|never|no|none|without|avoid|don['’]?t|doesn['’]?t|isn['’]?t|must ?n['’]?t|cannot|can['’]?t|won['’]?t"
    r"|nicht|nie|niemals|kein\w*|ohne|jamais|pas|aucun\w*|nunca|ning[uú]n\w*|sin)\b|不|禁止|ない",
    re.IGNORECASE,
)
_LEAD = re.compile(r"[\s>#*+\-\d.)]*")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two notes that are nearly the same, and by how many percent of their letters."""

    one: str
    other: str
    percent: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text: whose, its 1-based number, its words."""

    file: str
    number: int
    text: str
    words: set[str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Clash:
    """Two lines on the same subject that may contradict each other, and by what."""

    one: Line
    other: Line
    why: str


def words_of(text: str) -> set[str]:
    """The longer words of a text, in lower case; pairs of characters where a script has no blanks."""
    lowered = text.lower()
    if lowered.isascii():
        return set(_ASCII_WORD.findall(lowered))
    return {*_WORD.findall(lowered), *_CJK.findall(lowered)}


def split(file: str, text: str, first: int = 1) -> tuple[list[Line], set[str]]:
    """Lines that say enough to be compared, the first of the text having the number ``first``, and all words."""
    lines: list[Line] = []
    every: set[str] = set()
    for number, line in enumerate(text[:LONGEST].split("\n"), first):
        if not line:
            continue
        words = words_of(line[:LONGEST_LINE])
        every |= words
        if len(words) >= FEWEST_OF_LINE:
            lines.append(Line(file, number, line[:LONGEST_LINE], words))
    return lines, every


class Likeness:
    """Lines of one project by the words they share: what is alike is looked for once, and asked for in several ways.

    ``lines`` are those of notes, ``others`` of other texts.
    """

    def __init__(self, lines: Sequence[Line], others: Sequence[Line] = ()) -> None:
        self._lines = [*lines, *others][:MAX_LINES]
        self._border = min(len(lines), MAX_LINES)
        self._shared = self._count()

    def _count(self) -> dict[tuple[int, int], int]:
        """How many words pairs of lines share, as far as they were met: over a word that stands in few lines, and where
        one line stands in many notes, each with the next."""
        counts = Counter(chain.from_iterable([line.words for line in self._lines]))
        few = {word for word, count in counts.items() if 2 <= count <= FEW_LINES}
        holders: defaultdict[str, list[int]] = defaultdict(list)
        copies: dict[str, list[int]] = {}
        for at, line in enumerate(self._lines):
            copies.setdefault(line.text, []).append(at)
            for word in few & line.words:
                holders[word].append(at)
        shared: defaultdict[tuple[int, int], int] = defaultdict(int)
        for of_word in holders.values():
            for pair in combinations(of_word, 2):
                shared[pair] += 1
        for of_text in copies.values():
            for pair in pairwise(of_text):
                shared[pair] += len(self._lines[pair[0]].words)
        return shared

    def near_duplicates(self, bodies: Mapping[str, str], words: Mapping[str, set[str]]) -> Iterator[Pair]:
        """Pairs of notes that are nearly the same. ``words`` are all words of each, as of :func:`split`."""
        met: defaultdict[tuple[str, str], int] = defaultdict(int)
        files = [line.file for line in self._lines]
        for (at, other), count in self._shared.items():
            if other < self._border and files[at] != files[other]:
                met[files[at], files[other]] += count
        bare: dict[str, str] = {}
        for (one, two), count in met.items():
            mine, theirs = words[one], words[two]
            fewer = min(len(mine), len(theirs))
            if count < min(MOST_ASKED, fewer // 2) or fewer < FEWEST_WORDS:
                continue
            if fewer < SAME_WORDS * max(len(mine), len(theirs)):
                continue
            common = len(mine & theirs)
            if common >= SAME_WORDS * (len(mine) + len(theirs) - common):
                percent = _letters(*(bare.setdefault(name, _bare(bodies[name][:LONGEST])) for name in (one, two)))
                if percent >= SAME_LETTERS:
                    yield Pair(min(one, two), max(one, two), round(percent))

    def repeats(self) -> Iterator[tuple[Line, Line]]:
        """Lines of notes that say in nearly the same letters what a line of another text says."""
        from rapidfuzz import fuzz

        for line, other in self._alike(across=True):
            if fuzz.ratio(_bare(line.text), _bare(other.text), score_cutoff=SAME_LINE):
                yield line, other

    def clashes(self) -> Iterator[Clash]:
        """Lines on the same subject, of two notes or of a note and another text, with another number, a negation more,
        or another word in one place."""
        for across in (False, True):
            for one, other in self._alike(across=across):
                why = _difference(one, other)
                if why is not None:
                    yield Clash(one, other, why)

    def _alike(self, *, across: bool) -> Iterator[tuple[Line, Line]]:
        """Pairs of lines of different files that share most of their words."""
        for (at, with_), count in self._shared.items():
            if count < FEWEST_SHARED or at >= self._border or (with_ >= self._border) is not across:
                continue
            one, other = self._lines[at], self._lines[with_]
            if one.file == other.file:
                continue
            common = len(one.words & other.words)
            if common >= SAME_WORDS * (len(one.words) + len(other.words) - common):
                yield one, other


def _letters(one: str, other: str) -> float:
    if min(len(one), len(other)) * 200 < SAME_LETTERS * (len(one) + len(other)):
        return 0.0
    from rapidfuzz import fuzz

    return float(fuzz.ratio(one, other, score_cutoff=SAME_LETTERS))


def _bare(text: str) -> str:
    return " ".join(_TOKEN.findall(text.lower()))


def _difference(one: Line, other: Line) -> str | None:
    if _bare(one.text) == _bare(other.text):
        return None
    mine, theirs = (set(_NUMBER.findall(_LEAD.sub("", line.text, count=1))) for line in (one, other))
    only, only_other = one.words - other.words, other.words - one.words
    # "Staging: …" and "Production: …" speak of two things, "Always …" and "Never …" of one.
    apart = _subject(one) in only and _subject(other) in only_other
    if mine and theirs and not mine & theirs and not apart:
        return f"{', '.join(sorted(mine)[:3])} here, {', '.join(sorted(theirs)[:3])} there"
    if bool(_NEGATION.search(one.text)) != bool(_NEGATION.search(other.text)):
        return "one of them is negated"
    if not apart and len(only) == len(only_other) == 1 and len(one.words & other.words) >= FEWEST_OF_LINE:
        return f"“{min(only)}” here, “{min(only_other)}” there"
    return None


def _subject(line: Line) -> str:
    """The first word of a line, in lower case."""
    word = _TOKEN.match(_LEAD.sub("", line.text, count=1))
    return word.group().lower() if word else ""
