"""Which records may speak of a line of a note: those that hold many of its rare needles, the newest first.

All lines of a dream are looked for in one pass. How rare a needle is, is first guessed from a sample, so that words
that stand everywhere are left out, and then known from the pass.
"""

from __future__ import annotations

import heapq
import math
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memreview.read.needles import Needle
from memreview.read.speech_index import Finds, Place, SpeechIndex, place_of
from memreview.read.speech_scan import Scanner

MAX_OF_LINE: Final = 14
"""Needles of one line that are looked for, the rarest."""
MIN_OF_LINE: Final = 2
MAX_FINDS_OF_ALL: Final = 800_000
"""Places at which all needles together are found, about: what a search costs once it has gone over the bytes."""
FEWEST_OF_RECORD: Final = 3.0
"""How many needles may stand in a record on average, however many records there are."""
BYTES_OF_RECORD: Final = 8000
"""Bytes of a transcript for each record of a speaker, about."""
COMMON: Final = 0.25
"""What stands in a larger share of records is looked for only in a project that is so small that it costs nothing."""
MAX_FINDS: Final = 2500
"""Records of one needle that are looked at, the newest."""
MAX_FINDS_OF_LINE: Final = 5000
SAMPLE_FILES: Final = 16
SAMPLE_BYTES: Final = 160 << 10
VALUE_WEIGHT: Final = 2.0


@dataclass(frozen=True, slots=True)
class Hit:
    """A record that may speak of a line, and how well it fits: comparable within one search."""

    place: Place
    score: float


def search(index: SpeechIndex, lines: Sequence[Sequence[Needle]], limit: int) -> list[list[Hit]]:
    """For each line, given as its needles, at most ``limit`` records, the best first; of equal ones the newest."""
    chosen = _choose(index, lines)
    needles = list(dict.fromkeys(needle for of_line in chosen for needle in of_line))
    numbers = {needle: number for number, needle in enumerate(needles)}
    if not needles:
        return [[] for _ in lines]
    finds = index.scan(needles)
    return [_best(finds, needles, [numbers[needle] for needle in of_line], limit) for of_line in chosen]


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


def _best(finds: Finds, needles: Sequence[Needle], numbers: Sequence[int], limit: int) -> list[Hit]:
    scores: dict[int, float] = {}
    left = MAX_FINDS_OF_LINE
    for number in sorted(numbers, key=lambda number: len(finds.keys[number])):
        keys: array[int] = finds.keys[number][: min(MAX_FINDS, left)]
        if not keys:
            continue
        weight = math.log(1 + finds.total / len(finds.keys[number])) * (VALUE_WEIGHT if needles[number].value else 1)
        for key in keys:
            scores[key] = scores.get(key, 0.0) + weight
        left -= len(keys)
        if left <= 0:
            break
    best = heapq.nsmallest(limit, scores.items(), key=lambda item: (-item[1], item[0]))
    return [Hit(place_of(key), score) for key, score in best]
