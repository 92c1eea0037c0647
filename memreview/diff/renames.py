"""Which deleted and added notes are one note under a new name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memreview.diff.frontmatter import frontmatter_end, is_setting
from memreview.diff.lines import is_binary, split_lines

THRESHOLD = 0.6
"""Least similarity of two notes that count as one."""
MAX_PAIRS = 10_000
"""More pairs of deleted and added notes than this are compared for equality only."""
_MAX_LINE_PAIRS = 150_000
"""So many pairs of lines are compared by words, those of the likeliest notes first; beyond, only equal lines count."""

_WORD = re.compile(rb"[^\W_]+|[^\s\w]")


class Rename(NamedTuple):
    """``similarity`` lies between 0 and 1; 1 where the bytes are equal."""

    old: str
    new: str
    similarity: float


def find_renames(deleted: Mapping[str, bytes], added: Mapping[str, bytes]) -> tuple[Rename, ...]:
    """Pairs of a deleted and an added note that hold the same text, or nearly.

    Each note is in one pair at most, and only where its best partner is the only best one, from both sides; of several
    equal partners the one with the same file name counts. Empty notes are never paired.
    """
    olds = {path: data for path, data in deleted.items() if data.strip()}
    news = {path: data for path, data in added.items() if data.strip()}
    found = _match({(old, new): 1.0 for old in olds for new in news if olds[old] == news[new]})
    for pair in found:
        del olds[pair.old], news[pair.new]
    if olds and news and len(olds) * len(news) <= MAX_PAIRS:
        found += _match(_scores(olds, news))
    return tuple(sorted(found))


def _scores(olds: Mapping[str, bytes], news: Mapping[str, bytes]) -> dict[tuple[str, str], float]:
    """How similar the notes are that are similar enough, by their two names."""
    old_texts = [(path, _Text(data)) for path, data in olds.items() if not is_binary(data)]
    new_texts = [(path, _Text(data)) for path, data in news.items() if not is_binary(data)]
    likely = [
        (share, old, new, left, right)
        for old, left in old_texts
        for new, right in new_texts
        if (share := _shared_words(left.words, right.words)) >= THRESHOLD
    ]
    scores: dict[tuple[str, str], float] = {}
    budget = _MAX_LINE_PAIRS
    for _, old, new, left, right in sorted(likely, key=lambda row: (-row[0], row[1], row[2])):
        score, cost = _similarity(left, right, budget)
        budget -= cost
        if score >= THRESHOLD:
            scores[old, new] = score
    return scores


def _match(scores: Mapping[tuple[str, str], float]) -> list[Rename]:
    best: dict[tuple[int, str], list[tuple[float, bool]]] = {}
    ranks: dict[tuple[str, str], tuple[float, bool]] = {}
    for (old, new), score in scores.items():
        rank = (score, old.rsplit("/", 1)[-1] == new.rsplit("/", 1)[-1])
        ranks[old, new] = rank
        best.setdefault((0, old), []).append(rank)
        best.setdefault((1, new), []).append(rank)

    def only_best(side: int, path: str, rank: tuple[float, bool]) -> bool:
        others = best[side, path]
        return rank == max(others) and others.count(rank) == 1

    return [
        Rename(old, new, rank[0])
        for (old, new), rank in ranks.items()
        if only_best(0, old, rank) and only_best(1, new, rank)
    ]


class _Text:
    """A note ready to be compared: its telling lines, without settings of the frontmatter and blanks, and its words."""

    def __init__(self, data: bytes) -> None:
        lines = split_lines(data)
        head = frontmatter_end(lines)
        telling = [line.strip() for number, line in enumerate(lines) if number >= head or not is_setting(line)]
        self.lines: Sequence[bytes] = [line for line in telling if line]
        self.count = Counter(self.lines)
        self.words = Counter(word for line in self.lines for word in _WORD.findall(line))
        self.weight = sum(map(len, self.lines))


def _similarity(old: _Text, new: _Text, budget: int) -> tuple[float, int]:
    """How much of two notes is the same, weighed by length, and how many pairs of lines it took to say so.

    Equal lines count wholly, nearly equal ones by their words.
    """
    total = old.weight + new.weight
    if not total:
        return 0.0, 0
    shared = old.count & new.count
    weight = 2.0 * sum(len(line) * times for line, times in shared.items())
    left, right = _rest(old.lines, shared), _rest(new.lines, shared)
    cost = len(left) * len(right)
    if cost <= budget:
        bags = [Counter(_WORD.findall(line)) for line in right]
        for line in left:
            words = Counter(_WORD.findall(line))
            best = max(range(len(bags)), key=lambda number: _shared_words(words, bags[number]), default=None)
            if best is not None and (share := _shared_words(words, bags[best])) >= THRESHOLD:
                weight += share * (len(line) + len(right.pop(best)))
                del bags[best]
    else:
        cost = 0
    return min(weight / total, 0.999), cost


def _shared_words(old: Counter[bytes], new: Counter[bytes]) -> float:
    """The share of words that two bags have in common, weighed by length."""
    if len(new) < len(old):
        old, new = new, old
    total = sum(len(word) * times for bag in (old, new) for word, times in bag.items())
    return 2 * sum(len(word) * min(times, new[word]) for word, times in old.items()) / total if total else 0.0


def _rest(lines: Sequence[bytes], shared: Counter[bytes]) -> list[bytes]:
    left = Counter(shared)
    rest: list[bytes] = []
    for line in lines:
        if left[line] > 0:
            left[line] -= 1
        else:
            rest.append(line)
    return rest
