"""Which records may speak of a line of a note: those that hold many of its rare needles, the newest first.

All lines of a dream are looked for in one pass. How rare a needle is, is first guessed from a sample, so that words
that stand everywhere are left out, and then known from the pass.
"""

from __future__ import annotations

import heapq
import math
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memreview.read.needles import Needle
from memreview.read.speech_index import Finds, Place, SpeechIndex
from memreview.read.speech_scan import Scanner

MAX_OF_LINE: Final = 14
"""Needles of one line that are looked for, the rarest."""
MIN_OF_LINE: Final = 2
MAX_FINDS_OF_ALL: Final = 400_000
"""Places at which all needles together are found, about: what a search costs once it has gone over the bytes."""
FEWEST_OF_RECORD: Final = 2.0
"""How many needles may stand in a record on average, however many records there are."""
BYTES_OF_RECORD: Final = 8000
"""Bytes of a transcript for each record of a speaker, about."""
COMMON: Final = 0.25
"""What stands in a larger share of records is looked for only in a project that is so small that it costs nothing."""
MAX_FINDS: Final = 2500
"""Records of one needle that are looked at, the newest."""
MAX_FINDS_OF_LINE: Final = 5000
"""Records that are compared for one line: those of its rarest needles."""
FINDS_OF_RECORD: Final = 40
"""Records that are compared for each that is wanted; what only commoner needles find fits less."""
SAMPLE_FILES: Final = 64
SAMPLE_BYTES: Final = 192 << 10
VALUE_WEIGHT: Final = 2.0
_ROUNDING: Final = 1e-6
"""By how much sums of the same weights may differ."""
_SEARCHED: Final = 8
"""How many keys can be gone through in the time in which one is searched for."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A record that may speak of a line, and how well it fits: comparable within one search."""

    place: Place
    score: float


def search(index: SpeechIndex, lines: Sequence[Sequence[Needle]], limits: Sequence[int]) -> list[list[Hit]]:
    """For each line, given as its needles, the best records, as many as its limit; of equal ones the newest first."""
    chosen = _choose(index, lines)
    needles = list(dict.fromkeys(needle for of_line in chosen for needle in of_line))
    numbers = {needle: number for number, needle in enumerate(needles)}
    if not needles:
        return [[] for _ in lines]
    ranking = _Ranking(index.scan(needles), needles)
    found: list[list[Hit]] = []
    for of_line, limit in zip(chosen, limits, strict=True):
        best = ranking.best([numbers[needle] for needle in of_line], limit)
        places = ((index.place_at(key), score) for key, score in best)
        found.append([Hit(place, score) for place, score in places if place is not None])
    return found


def _choose(index: SpeechIndex, lines: Sequence[Sequence[Needle]]) -> list[list[Needle]]:
    """Of each line the needles that are worth looking for, the rarest first.

    All lines take turns, so that what may be found in all is shared out evenly.
    """
    everything = list(dict.fromkeys(needle for of_line in lines for needle in of_line))
    shares = _shares(index, everything) if everything else {}
    waiting = [sorted(of_line, key=lambda needle: (shares[needle], -len(needle.key))) for of_line in lines]
    chosen: list[list[Needle]] = [[] for _ in lines]
    taken: set[Needle] = set()
    left = max(FEWEST_OF_RECORD, MAX_FINDS_OF_ALL / (1 + index.size // BYTES_OF_RECORD))
    for turn in range(MAX_OF_LINE):
        for number, of_line in enumerate(waiting):
            if turn >= len(of_line):
                continue
            needle = of_line[turn]
            if needle not in taken:
                share = shares[needle]
                if share > left and (share > COMMON or turn >= MIN_OF_LINE):
                    continue
                taken.add(needle)
                left -= share
            chosen[number].append(needle)
    return chosen


def _shares(index: SpeechIndex, needles: Sequence[Needle]) -> dict[Needle, float]:
    """In which share of records each needle stands, by a sample."""
    scanner = Scanner(needles)
    counts: Counter[int] = Counter()
    total = 0
    for record in index.sample(SAMPLE_FILES, SAMPLE_BYTES):
        counts.update(scanner.found_in(record))
        total += 1
    return {needle: counts[number] / max(1, total) for number, needle in enumerate(needles)}


class _Ranking:
    """Ranks records for lines by the needles that stand in them."""

    def __init__(self, finds: Finds, needles: Sequence[Needle]) -> None:
        self._keys = finds.keys
        self._weights = [
            _weight(needle, len(keys), finds.total) for needle, keys in zip(needles, finds.keys, strict=True)
        ]

    def best(self, numbers: Sequence[int], limit: int) -> list[tuple[int, float]]:
        """The keys of the records for a line with these needles, and how well they fit."""
        scores: dict[int, float] = {}
        most = min(MAX_FINDS_OF_LINE, limit * FINDS_OF_RECORD)
        ordered = sorted((n for n in numbers if self._keys[n]), key=lambda number: len(self._keys[number]))
        left = sum(self._weights[number] for number in ordered)
        enough = False
        for turn, number in enumerate(ordered):
            keys, weight = self._keys[number], self._weights[number]
            # Beyond enough records of rare needles, a commoner one only tells between these.
            enough = enough or len(scores) >= most
            if enough:
                # After one needle all are alike.
                scores = _promising(scores, limit, left) if turn > 1 else scores
                for key in _among(scores, keys):
                    scores[key] += weight
            elif scores:
                for key in keys[:MAX_FINDS]:
                    scores[key] = scores.get(key, 0.0) + weight
            else:
                scores = dict.fromkeys(keys[:MAX_FINDS], weight)
            left -= weight
        return heapq.nsmallest(limit, _promising(scores, limit, 0.0).items(), key=lambda item: (-item[1], item[0]))


def _weight(needle: Needle, count: int, total: int) -> float:
    rarity = math.log(1 + total / max(1, count))
    return rarity * VALUE_WEIGHT if needle.value else rarity


def _promising(scores: dict[int, float], limit: int, left: float) -> dict[int, float]:
    """Those scores that can still be among the best when ``left`` is the weight of all needles to come."""
    if len(scores) <= limit or limit < 1:
        return scores
    least = heapq.nlargest(limit, scores.values())[-1] - left - _ROUNDING
    return {key: score for key, score in scores.items() if score >= least}


def _among(scores: Mapping[int, float], keys: array[int]) -> Iterable[int]:
    """Which of the scored records stand in sorted ``keys``."""
    if len(keys) < _SEARCHED * len(scores):
        return scores.keys() & keys
    return [key for key in scores if _has(keys, key)]


def _has(keys: array[int], key: int) -> bool:
    """True where sorted ``keys`` hold ``key``."""
    at = bisect_left(keys, key)
    return at < len(keys) and keys[at] == key
