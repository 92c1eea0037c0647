"""Which deleted and added notes are one note under a new name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from memreview.diff.frontmatter import frontmatter_end, is_setting
from memreview.diff.lines import split_lines

THRESHOLD = 0.6
"""Least similarity of two notes that count as one."""
MAX_PAIRS = 10_000
"""More pairs of deleted and added notes than this are compared for equality only."""
_MAX_NEAR = 150

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
        texts = {data: _Text(data) for data in (*olds.values(), *news.values()) if b"\0" not in data[:8000]}
        scores: dict[tuple[str, str], float] = {}
        for old, old_data in olds.items():
            for new, new_data in news.items():
                if old_data in texts and new_data in texts and old_data != new_data:
                    score = similarity(texts[old_data], texts[new_data])
                    if score >= THRESHOLD:
                        scores[old, new] = score
        found += _match(scores)
    return tuple(sorted(found))


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
    """A note ready to be compared: its telling lines with their weights, and its words."""

    def __init__(self, data: bytes) -> None:
        lines = split_lines(data)
        head = frontmatter_end(lines)
        telling = [line.strip() for number, line in enumerate(lines) if number >= head or not is_setting(line)]
        self.lines: Sequence[bytes] = [line for line in telling if line]
        self.count = Counter(self.lines)
        self.words = Counter(word for line in self.lines for word in _WORD.findall(line))
        self.weight = sum(map(len, self.lines))
        self.word_weight = sum(len(word) * times for word, times in self.words.items())


def similarity(old: _Text, new: _Text) -> float:
    """How much of two notes is the same, weighed by length: equal lines wholly, nearly equal ones by their words.

    Settings of the frontmatter, blank lines and indentation do not count.
    """
    total = old.weight + new.weight
    if not total:
        return 0.0
    if old.word_weight and new.word_weight:
        shared_words = sum(len(word) * times for word, times in (old.words & new.words).items())
        if 2 * shared_words / (old.word_weight + new.word_weight) < THRESHOLD:
            return 0.0
    shared = old.count & new.count
    weight = 2.0 * sum(len(line) * times for line, times in shared.items())
    left, right = _rest(old.lines, shared), _rest(new.lines, shared)
    if len(left) <= _MAX_NEAR and len(right) <= _MAX_NEAR:
        for line in left:
            words = _WORD.findall(line)
            ratio, partner = max(
                ((_ratio(words, _WORD.findall(other)), number) for number, other in enumerate(right)),
                default=(0.0, -1),
            )
            if ratio >= THRESHOLD:
                weight += ratio * (len(line) + len(right.pop(partner)))
    return min(weight / total, 0.999)


def _ratio(old: Sequence[bytes], new: Sequence[bytes]) -> float:
    if not old or not new or len(old) * len(new) > 250_000:
        return 0.0
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.real_quick_ratio() < THRESHOLD or matcher.quick_ratio() < THRESHOLD:
        return 0.0
    return matcher.ratio()


def _rest(lines: Sequence[bytes], shared: Counter[bytes]) -> list[bytes]:
    left = Counter(shared)
    rest: list[bytes] = []
    for line in lines:
        if left[line] > 0:
            left[line] -= 1
        else:
            rest.append(line)
    return rest
