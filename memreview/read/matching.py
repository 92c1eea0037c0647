"""Which changes an entry speaks of, by the words that both have."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final

from memreview.review.index import Unit
from memreview.text import decode

MAX_TEXT: Final = 100_000
"""Code points of one text; a note of megabytes is recognised by its beginning."""

_FEW = 40
_STEM = 5
_STEM_WEIGHT = 0.5
_COMMON_WEIGHT = 0.1
ONE_SIDED: Final = 2.0
"""Weight of a word that only one side of a change has, against one that it keeps."""
NEAR_BEST: Final = 0.75
COVERED: Final = 0.6
COVERED_NEAR: Final = 0.2
FREE_NEAR: Final = 0.6
HALF: Final = 0.55
"""Shares of the best score, or of a unit's own words, from which on an entry means a unit. They were chosen on
thousands of generated notes with entries that have three quarters of a change's words and a few of others."""

_WORD = re.compile(r"[^\W_]+(?:[.\-_/'][^\W_]+)*")
_PART = re.compile(r"[^\W_]+")
_DENSE = re.compile(r"[\u0e00-\u0eff\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_COMMON_WORDS: Final = """
    a an the of in on at to from by for with without and or not no is are was were be been it its this that as than now
    new old note notes file files line lines added add removed remove changed change changes updated update session
    transcript says said see also user only more so into per all
    der die das den dem des ein eine und oder nicht ist sind war mit ohne für von zu im am auf als neu alt jetzt statt
    le la les un une des du de et ou est sont avec sans pour dans sur au aux que
    el los las una unos y o es son con sin para por en del al
    il lo gli uno e con senza per di da nel della
    het een en of is zijn met zonder voor van op niet
    och eller är med utan för av på inte
    и или не в на с по для из это
"""
_COMMON: Final = frozenset(_COMMON_WORDS.split())


def words_of(text: str) -> set[str]:
    """The words to compare: whole and in parts, beginnings of long ones, pairs of letters where no spaces are used."""
    found: set[str] = set()
    for word in _WORD.findall(text[:MAX_TEXT].casefold()):
        if word.isalpha() and word.isascii():
            found.add(word)
            if len(word) > _STEM:
                found.add(f"{word[:_STEM]}~")
        else:
            _add_compound(word, found)
    return found


def _add_compound(word: str, found: set[str]) -> None:
    if _DENSE.search(word):
        for run in _DENSE.findall(word):
            found.update(run[at : at + 2] for at in range(len(run) - 1))
            if len(run) == 1:
                found.add(run)
        word = _DENSE.sub(" ", word)
    parts = _PART.findall(word)
    if len(parts) > 1 and " " not in word:
        found.add(word)
    for part in parts:
        found.add(part)
        if len(part) > _STEM and part.isalpha():
            found.add(f"{part[:_STEM]}~")


def _sides(unit: Unit) -> tuple[set[str], set[str]]:
    if unit.change is None:
        return set(), set()
    removed, added = unit.change.removed, unit.change.added
    return words_of(decode(b"".join(removed))), words_of(decode(b"".join(added)))


def _weight(word: str) -> float:
    """How much a word tells by itself."""
    if word.endswith("~"):
        return _STEM_WEIGHT
    common = word in _COMMON or (len(word) == 1 and word.isalpha() and word.isascii())
    return _COMMON_WEIGHT if common else 1.0


class Matcher:
    """Finds the units, among those given, that share the words which tell them apart.

    Words that only one side of a change has say more about it than those it keeps.
    """

    def __init__(self, units: Sequence[Unit]) -> None:
        self.count = len(units)
        self.ceiling = self.count - 1 if self.count <= _FEW else max(_FEW, self.count // 10)
        self.kept: dict[str, list[int]] = {}
        self.sided: dict[str, list[int]] = {}
        self.words: list[tuple[set[str], set[str]]] = []
        for at, unit in enumerate(units):
            old, new = _sides(unit)
            kept, sided = old & new, old ^ new
            self.words.append((kept, (new or old) - kept))
            for word in kept:
                self.kept.setdefault(word, []).append(at)
            for word in sided:
                self.sided.setdefault(word, []).append(at)

    def named(self, words: set[str]) -> list[int]:
        """Units that an entry about their note means: those near the best, and those that it covers well."""
        scores, _ = self._scores(words)
        best = max(scores.values(), default=0.0)
        return sorted(
            at
            for at, score in scores.items()
            if score >= NEAR_BEST * best or (score >= COVERED_NEAR * best and self._coverage(at, words) >= COVERED)
        )

    def free(self, words: set[str]) -> list[int]:
        """Units that an entry without a note means: it must have two telling words of theirs, or most of them."""
        scores, telling = self._scores(words)
        best = max((score for at, score in scores.items() if telling[at] >= 2), default=0.0)
        fit = {
            at: score
            for at, score in scores.items()
            if score >= FREE_NEAR * best and (telling[at] >= 2 or (telling[at] and self._coverage(at, words) >= HALF))
        }
        best = max(fit.values(), default=0.0)
        return sorted(at for at, score in fit.items() if score >= FREE_NEAR * best)

    def covered(self, words: set[str]) -> list[int]:
        """Units most of whose words an entry has that is about another note."""
        scores, telling = self._scores(words)
        return sorted(at for at in scores if telling[at] and self._coverage(at, words) >= HALF)

    def _rarity(self, word: str) -> float:
        """More for rarer words; nothing for those that tell the units apart too little."""
        places = len(self.kept.get(word, ())) + len(self.sided.get(word, ()))
        if not places or (places > self.ceiling and self.count > 1):
            return 0.0
        return math.log((self.count + 1) / (places + 0.5)) * _weight(word)

    def _coverage(self, at: int, words: set[str]) -> float:
        """How much an entry has of what a unit says afterwards (or said, where it goes), from 0 to 1."""
        kept, sided = self.words[at]
        total = sum(map(self._rarity, kept)) + ONE_SIDED * sum(map(self._rarity, sided))
        shared = sum(map(self._rarity, kept & words)) + ONE_SIDED * sum(map(self._rarity, sided & words))
        return shared / total if total else 0.0

    def _scores(self, words: set[str]) -> tuple[dict[int, float], dict[int, int]]:
        """For each unit its score and the number of telling words; only with such a word it has a score at all."""
        scores: dict[int, float] = {}
        telling: dict[int, int] = {}
        for word in words:
            rarity = self._rarity(word)
            if not rarity:
                continue
            tells = _weight(word) == 1.0
            for places, score in ((self.kept.get(word, ()), rarity), (self.sided.get(word, ()), ONE_SIDED * rarity)):
                for at in places:
                    scores[at] = scores.get(at, 0.0) + score
                    if tells:
                        telling[at] = telling.get(at, 0) + 1
        return {at: score for at, score in scores.items() if at in telling or score >= 1.0}, {
            at: telling.get(at, 0) for at in scores
        }
