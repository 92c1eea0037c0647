"""What changed inside a line, and which old line a new one comes from; for display only, never for what is written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

Span = tuple[int, int]
"""Start and end in code points."""

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]", re.DOTALL)
_COST = 250_000
"""Most pairs of words that are compared within a pair of lines; beyond, all between the common ends is marked."""
_PAIRS = 2_500
"""Most pairs of lines that are compared in one change; beyond, lines pair off in order."""
_ALIKE = 0.35
"""Least share of common words at which two lines are shown as one line that changed."""


def changed_words(old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Where two lines differ, in words: spans of ``old`` that went and of ``new`` that came, in order.

    Spans that only white space parts are one. Equal lines have none.
    """
    if old == new:
        return (), ()
    left, right = _TOKEN.findall(old), _TOKEN.findall(new)
    head = _common(left, right)
    tail = _common(left[head:][::-1], right[head:][::-1])
    left_mid, right_mid = left[head : len(left) - tail], right[head : len(right) - tail]
    if len(left_mid) * len(right_mid) > _COST:
        codes = [("replace", 0, len(left_mid), 0, len(right_mid))]
    else:
        codes = [code for code in SequenceMatcher(None, left_mid, right_mid, False).get_opcodes() if code[0] != "equal"]
    left_ends, right_ends = _ends(left), _ends(right)
    gone = [(left_ends[head + a], left_ends[head + b]) for _, a, b, _, _ in codes if a < b]
    come = [(right_ends[head + a], right_ends[head + b]) for _, _, _, a, b in codes if a < b]
    return _joined(old, gone), _joined(new, come)


def pair_lines(removed: Sequence[str], added: Sequence[str]) -> tuple[tuple[int | None, int | None], ...]:
    """Rows for showing a change side by side: indices of a removed and an added line, or one of them and None.

    Both sides keep their order. Lines stand in one row where they share enough words; among such ways to pair them the
    one with the most in common is taken. Of big changes, lines pair off in order.
    """
    if not removed or not added:
        return (*((n, None) for n in range(len(removed))), *((None, n) for n in range(len(added))))
    if len(removed) * len(added) > _PAIRS:
        both = min(len(removed), len(added))
        return (
            *((n, n) for n in range(both)),
            *((n, None) for n in range(both, len(removed))),
            *((None, n) for n in range(both, len(added))),
        )
    return _aligned(_scores(removed, added))


def _scores(removed: Sequence[str], added: Sequence[str]) -> list[list[float]]:
    olds, news = [_bag(line) for line in removed], [_bag(line) for line in added]
    return [[_alike(old, new) for new in news] for old in olds]


def _bag(line: str) -> Counter[str]:
    return Counter(token for token in _TOKEN.findall(line.casefold()) if not token.isspace())


def _alike(old: Counter[str], new: Counter[str]) -> float:
    total = sum(len(word) * times for bag in (old, new) for word, times in bag.items())
    if not total:
        return 1.0
    score = 2 * sum(len(word) * times for word, times in (old & new).items()) / total
    return score if score >= _ALIKE else 0.0


def _aligned(scores: Sequence[Sequence[float]]) -> tuple[tuple[int | None, int | None], ...]:
    rows, columns = len(scores), len(scores[0])
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            apart = max(best[i + 1][j], best[i][j + 1])
            score = scores[i][j]
            best[i][j] = max(apart, best[i + 1][j + 1] + score) if score else apart
    result: list[tuple[int | None, int | None]] = []
    i = j = 0
    while i < rows and j < columns:
        if scores[i][j] and best[i][j] == best[i + 1][j + 1] + scores[i][j]:
            result.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            result.append((i, None))
            i += 1
        else:
            result.append((None, j))
            j += 1
    result += [(n, None) for n in range(i, rows)]
    result += [(None, n) for n in range(j, columns)]
    return tuple(result)


def _common(left: Sequence[str], right: Sequence[str]) -> int:
    count = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        count += 1
    return count


def _ends(tokens: Sequence[str]) -> list[int]:
    """Where each token starts, and where the last one ends."""
    result = [0]
    for token in tokens:
        result.append(result[-1] + len(token))
    return result


def _joined(line: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    result: list[Span] = []
    for start, end in spans:
        if result and not line[result[-1][1] : start].strip():
            result[-1] = (result[-1][0], end)
        else:
            result.append((start, end))
    return tuple(result)
