"""Which changes an entry speaks of, by the words that both have."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from memreview.model.patch import Change, FileChange
from memreview.text import decode

MAX_WORDS: Final = 4000
"""Of one text; a note of megabytes is recognised by its beginning."""

_ONE_SIDED = 2.0
_STEM = 5
_STEM_WEIGHT = 0.5
_COMMON_WEIGHT = 0.1
_NEAR_BEST = 0.45
_COVERED = 0.5
_COVERED_NEAR = 0.25
_FREE_NEAR = 0.6

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


@dataclass(frozen=True, slots=True)
class Unit:
    """What can be decided and explained: a change, or a note without changes. ``id`` is under which it is known."""

    id: str
    path: str
    weights: dict[str, float]


def units_of(files: Sequence[FileChange]) -> list[Unit]:
    """All units in the order of the screen, with the words of their removed and added lines."""
    units: list[Unit] = []
    for file in files:
        if not file.hunks:
            units.append(Unit(file.id, file.path, _weights((), ())))
        units.extend(Unit(change.id, file.path, _weights_of(change)) for change in file.changes())
    return units


def words_of(text: str) -> list[str]:
    """The words to compare: whole and in parts, beginnings of long ones, pairs of letters where no spaces are used."""
    found: list[str] = []
    for match in _WORD.finditer(text):
        word = match.group().casefold()
        if _DENSE.search(word):
            found.extend(_pairs(word))
            word = _DENSE.sub("", word)
        parts = _PART.findall(word)
        if len(parts) > 1:
            found.append(word)
        for part in parts:
            found.append(part)
            if len(part) > _STEM and part.isalpha():
                found.append(f"{part[:_STEM]}~")
        if len(found) > MAX_WORDS:
            break
    return found


def _pairs(word: str) -> Iterable[str]:
    for run in _DENSE.findall(word):
        if len(run) == 1:
            yield run
        for at in range(len(run) - 1):
            yield run[at : at + 2]


def _weights_of(change: Change) -> dict[str, float]:
    return _weights(change.removed, change.added)


def _weights(removed: Sequence[bytes], added: Sequence[bytes]) -> dict[str, float]:
    """Words that only one side has say more about a change than those it keeps."""
    old = Counter(words_of(decode(b"".join(removed))))
    new = Counter(words_of(decode(b"".join(added))))
    weights: dict[str, float] = {}
    for word in {**old, **new}:
        weight = _COMMON_WEIGHT if _is_common(word) else _STEM_WEIGHT if word.endswith("~") else 1.0
        weights[word] = weight * (_ONE_SIDED if (word in old) != (word in new) else 1.0)
    return weights


def _is_common(word: str) -> bool:
    return word in _COMMON or (len(word) == 1 and word.isalpha() and word.isascii())


class Matcher:
    """Finds the units, among those given, that share the words which tell them apart."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self.units = units
        self.places: dict[str, list[int]] = {}
        for at, unit in enumerate(units):
            for word in unit.weights:
                self.places.setdefault(word, []).append(at)
        count = len(units)
        ceiling = count - 1 if count <= 40 else max(40, count // 10)
        self.rarity = {
            word: math.log((count + 1) / (len(places) + 0.5))
            for word, places in self.places.items()
            if len(places) <= ceiling or count == 1
        }
        self.totals = [
            sum(weight * self.rarity.get(word, 0.0) for word, weight in unit.weights.items()) for unit in units
        ]

    def named(self, words: Iterable[str]) -> list[int]:
        """Units that an entry about their note means: those near the best, and those that it covers well."""
        scores, _ = self._scores(words)
        if not scores:
            return []
        best = max(scores.values())
        return sorted(
            at
            for at, score in scores.items()
            if score >= _NEAR_BEST * best or (score >= _COVERED * self.totals[at] and score >= _COVERED_NEAR * best)
        )

    def free(self, words: Iterable[str]) -> list[int]:
        """Units that an entry without a note means: it must have two telling words of theirs, or most of them."""
        scores, telling = self._scores(words)
        fit = {
            at: score
            for at, score in scores.items()
            if telling[at] >= 2 or (telling[at] == 1 and score >= _COVERED * self.totals[at])
        }
        best = max(fit.values(), default=0.0)
        return sorted(at for at, score in fit.items() if score >= _FREE_NEAR * best)

    def _scores(self, words: Iterable[str]) -> tuple[dict[int, float], Counter[int]]:
        scores: dict[int, float] = {}
        telling: Counter[int] = Counter()
        for word in set(words):
            rarity = self.rarity.get(word)
            if rarity is None:
                continue
            common = _is_common(word)
            for at in self.places[word]:
                scores[at] = scores.get(at, 0.0) + self.units[at].weights[word] * rarity
                if not common and not word.endswith("~"):
                    telling[at] += 1
        return {at: score for at, score in scores.items() if telling[at] or not _only_common(score)}, telling


def _only_common(score: float) -> bool:
    return score < 1.0
