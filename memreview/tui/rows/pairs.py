"""Which removed line became which added one, and what differs in the two."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from memreview.tui.content import Mark, decode_line, shown_with_marks

MOST_COMPARED = 2_500
"""Pairs of lines that are compared for one change; a larger one is paired by position."""
LEAST_ALIKE = 0.3
"""Lines with less in common are not the same line changed: marking nearly all of their words would say nothing."""

_WORD = re.compile(r"\w+")

Pairs = tuple[tuple[int | None, int | None], ...]
"""Indices of removed and added lines, in order; None where a line has no partner."""


@lru_cache(maxsize=512)
def pair_lines(removed: tuple[bytes, ...], added: tuple[bytes, ...]) -> Pairs:
    """Put lines that are alike beside each other, without crossing; the others stand alone, removed ones first."""
    if not removed or not added:
        return (*((index, None) for index in range(len(removed))), *((None, index) for index in range(len(added))))
    if len(removed) * len(added) > MOST_COMPARED:
        both = min(len(removed), len(added))
        rest = (*((index, None) for index in range(both, len(removed))),)
        return (*((index, index) for index in range(both)), *rest, *((None, i) for i in range(both, len(added))))
    return _aligned([_words(line) for line in removed], [_words(line) for line in added])


def alike(old: frozenset[str], new: frozenset[str]) -> float:
    """How much of two lines' words is common to both, from 0 to 1."""
    total = len(old) + len(new)
    return 2 * len(old & new) / total if total else 1.0


def _words(line: bytes) -> frozenset[str]:
    return frozenset(_WORD.findall(decode_line(line)))


def _aligned(old: Sequence[frozenset[str]], new: Sequence[frozenset[str]]) -> Pairs:
    # best[i][j] is the greatest likeness that the lines from i and from j on can reach.
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    likeness = [[alike(left, right) for right in new] for left in old]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            together = likeness[i][j]
            joined = together + best[i + 1][j + 1] if together >= LEAST_ALIKE else 0.0
            best[i][j] = max(joined, best[i + 1][j], best[i][j + 1])
    pairs: list[tuple[int | None, int | None]] = []
    i = j = 0
    while i < len(old) and j < len(new):
        together = likeness[i][j]
        if together >= LEAST_ALIKE and best[i][j] == together + best[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            pairs.append((i, None))
            i += 1
        else:
            pairs.append((None, j))
            j += 1
    pairs.extend((index, None) for index in range(i, len(old)))
    pairs.extend((None, index) for index in range(j, len(new)))
    return tuple(pairs)


@lru_cache(maxsize=2_048)
def word_marks(old: bytes, new: bytes) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """What differs in two lines, as marks in their shown texts: ``removed-word`` and ``added-word``."""
    from memreview.diff.words import changed_words

    left, right = decode_line(old), decode_line(new)
    left_spans, right_spans = changed_words(left, right)
    return (
        shown_with_marks(left, [Mark(start, end, "removed-word") for start, end in left_spans])[1],
        shown_with_marks(right, [Mark(start, end, "added-word") for start, end in right_spans])[1],
    )
