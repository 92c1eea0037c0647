"""The records of a project, and which of them may hold a value: found by an index where there are many."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import tzinfo
from functools import cached_property

from memreview.checks.claims.extract import Candidate
from memreview.checks.claims.postings import Postings
from memreview.checks.claims.records import Secrets, Source, Witness, prepare
from memreview.model.claim import ClaimKind
from memreview.model.transcript import Speaker

MANY = 64
"""From so many records on the index is asked first."""
_MOST = 24
_MOST_HITS = 64
_FEW = 16
_UNIT = 1 << 20


class Corpus:
    """Records in time, each with its rank. Built once, and asked for many changes.

    Every question is answered with a superset, in time: whoever asks reads what he is given.
    """

    def __init__(
        self,
        sources: Iterable[Source],
        zone: tzinfo | None = None,
        secrets: Secrets | None = None,
        many: int = MANY,
    ) -> None:
        self.witnesses: Sequence[Witness] = prepare(sources, zone, secrets)
        self.indexed = len(self.witnesses) > many
        self._picked: dict[int, tuple[Sequence[Witness], frozenset[int]]] = {}
        self._last: tuple[tuple[object, ...], frozenset[int] | None, Sequence[int]] | None = None

    @cached_property
    def by_place(self) -> dict[tuple[str, int], Witness]:
        """Records by transcript and line."""
        return {w.place: w for w in self.witnesses}

    @cached_property
    def usable(self) -> Sequence[Witness]:
        """Records that can be evidence at all."""
        return [w for w in self.witnesses if w.rank > 0]

    def shared(self, witness: Witness, words: frozenset[str], language: str) -> frozenset[str]:
        """Which of these words stand in a record."""
        if not self.indexed:
            return words & witness.words(language)
        position = self._position[witness.place]
        found = frozenset(word for word in words if position in self._postings.having(word, language))
        # The parts of a label may stand apart.
        return found & witness.words(language) if any("#" in word for word in found) else found

    @cached_property
    def _postings(self) -> Postings:
        found = Postings(self.witnesses)
        for witness in self.witnesses:
            witness.looked_up = self.shared
        return found

    @cached_property
    def _position(self) -> dict[tuple[str, int], int]:
        return {w.place: i for i, w in enumerate(self.witnesses)}

    def holding(
        self, claim: Candidate, words: frozenset[str], language: str, *, share: float | None = None
    ) -> Sequence[Witness]:
        """Records that may hold the claim's value: of many those that share most words around it.

        With ``share`` only those that hold at least so much of the words' weight, and any of them.
        """
        if not self.indexed:
            return self.witnesses
        rows = self._postings.holding(claim)
        if rows is None:
            found: Collection[int] = self._top(words, language, share=0.3)
        elif share is not None:
            found = self._top(words, language, share=share, within=rows)
        else:
            found = self._fullest(rows, words, language, _most_of(claim))
        return [self.witnesses[i] for i in sorted(found)]

    def holding_among(
        self, rows: Sequence[Witness], claim: Candidate, words: frozenset[str], language: str
    ) -> Sequence[Witness]:
        """Of these records those that may hold the claim's value: of many those that share most words around it."""
        if not self.indexed or len(rows) <= MANY:
            return rows
        found, own = self._postings.holding(claim), self._positions(rows)
        if found is None:
            found = frozenset(self._top(words, language, most=_most_of(claim), within=own))
        return [self.witnesses[i] for i in sorted(self._fullest(found & own, words, language, _most_of(claim)))]

    def _fullest(self, rows: frozenset[int], words: frozenset[str], language: str, most: int) -> Collection[int]:
        """Of many records those that share most words; the latest where they share none."""
        if len(rows) <= most:
            return rows
        found = self._top(words, language, most=most, within=rows)
        missing = most - len(found)
        return [*found, *heapq.nlargest(missing, rows.difference(found))] if missing else found

    def _positions(self, rows: Sequence[Witness]) -> frozenset[int]:
        """Where some records stand; asked again and again for the same ones."""
        picked = self._picked.get(id(rows))
        if picked is None or picked[0] is not rows:
            position = self._position
            picked = self._picked[id(rows)] = rows, frozenset(position[w.place] for w in rows)
        return picked[1]

    def may_hold(self, claim: Candidate) -> Callable[[Witness], bool]:
        """Tells of a record whether it may hold the value."""
        found = self._postings.holding(claim) if self.indexed else None
        if found is None:
            return lambda witness: True
        rows, position = found, self._position
        return lambda witness: position[witness.place] in rows

    def names(self, claim: Candidate) -> bool:
        """True where of many records any may hold the value; of a few all are read, and this says nothing."""
        return self.indexed and bool(self._postings.holding(claim))

    def later(self, since: Witness, claim: Candidate, words: frozenset[str], language: str) -> Iterable[Witness]:
        """Records after one that speak of these words or hold the value, the latest first."""
        if not self.indexed:
            return [w for w in reversed(self.witnesses) if w.order > since.order]
        holding = self._postings.holding(claim)
        rows = set(self._top(words, language, share=0.45))
        if holding:
            rows.update(self._top(words, language, share=0.3, within=holding))
        found = (self.witnesses[i] for i in sorted(rows, reverse=True))
        return [w for w in found if w.order > since.order]

    def about(self, words: frozenset[str], language: str, share: float = 0.0) -> Sequence[Witness]:
        """Records that share words with a claim; of many those that hold most of their weight."""
        if not self.indexed:
            return self.witnesses
        return [self.witnesses[i] for i in sorted(self._top(words, language, share=share))]

    def among(
        self, rows: Sequence[Witness], words: frozenset[str], language: str, most: int = _MOST
    ) -> Sequence[Witness]:
        """Of some records those that share most with a claim; all of them where they are few."""
        if not self.indexed or len(rows) <= MANY:
            return rows
        found = self._top(words, language, most=most, within=self._positions(rows))
        return [self.witnesses[i] for i in sorted(found)]

    def counts(self, words: Collection[str], language: str) -> Mapping[str, int]:
        """In how many records each word stands."""
        if self.indexed:
            return self._postings.counts(words, language)
        found: Counter[str] = Counter()
        for witness in self.witnesses:
            found.update(word for word in words if word in witness.words(language))
        return found

    def weights(self, words: frozenset[str], language: str, *, heard: bool = False) -> dict[str, float]:
        """How telling each word is: rare ones more than those that stand in every record.

        With ``heard`` words that stand in no record weigh nothing.
        """
        size, counts = len(self.witnesses), self.counts(words, language)
        return {word: math.log(1 + size / (1 + counts[word])) if counts[word] or not heard else 0.0 for word in words}

    def _top(
        self,
        words: frozenset[str],
        language: str,
        *,
        most: int = _MOST,
        share: float = 0.0,
        within: frozenset[int] | None = None,
    ) -> Sequence[int]:
        """The records that hold the greatest part of the words' weight, at least ``share`` of it; of equals the latest.

        Rare words are read first. As soon as no further record can be among the greatest, common words are only looked
        up for those that were met.
        """
        key = words, language, most, share, within if within is None else id(within)
        if self._last is None or self._last[0] != key or self._last[1] is not within:
            self._last = key, within, self._find_top(words, language, most, share, within)
        return self._last[2]

    def _find_top(
        self, words: frozenset[str], language: str, most: int, share: float, within: frozenset[int] | None
    ) -> Sequence[int]:
        weights = self.weights(words, language, heard=True)
        # Whole numbers, whose sum is the same in every order.
        ordered = sorted(((round(weight * _UNIT), word) for word, weight in weights.items() if weight), reverse=True)
        left = sum(weight for weight, _ in ordered)
        least = share * left
        rows = [self._postings.having(word, language) for _, word in ordered]
        if within is not None:
            rows = [within & row for row in rows]
        whole = frozenset.intersection(*rows) if rows else frozenset()
        if len(whole) >= most:
            return heapq.nlargest(most, whole)
        scores: dict[int, int] = {}
        pairs = [(weight, row) for (weight, _), row in zip(ordered, rows, strict=True)]
        for at, (weight, row) in enumerate(pairs):
            if left < least or most <= len(scores) <= _FEW * most:
                known = _with_rest(scores, pairs[at:])
                if left < least or heapq.nlargest(most, known.values())[-1] > left:
                    scores = known
                    break
            for index in row:
                scores[index] = scores.get(index, 0) + weight
            left -= weight
        size = len(self.witnesses)
        found = [score * size + index for index, score in scores.items() if score >= least]
        return [number % size for number in (heapq.nlargest(most, found) if len(found) > most else found)]


def _most_of(claim: Candidate) -> int:
    """So many records are read for a value; fewer for dates, which take the longest to be read."""
    return _MOST if claim.kind in (ClaimKind.DATE, ClaimKind.TIME) else _MOST_HITS


def _with_rest(scores: Mapping[int, int], rest: Sequence[tuple[int, frozenset[int]]]) -> dict[int, int]:
    """Scores with the weights of the words that were not read yet."""
    whole = dict(scores)
    for weight, row in rest:
        for index in row.intersection(scores):
            whole[index] += weight
    return whole


class Cited:
    """The records that a change cites, and what is asked of them again and again."""

    def __init__(self, rows: Sequence[Witness]) -> None:
        self.rows = rows
        self.places = frozenset(w.place for w in rows)
        self.usable = [w for w in rows if w.rank > 0]
        self.refused = [w for w in self.usable if w.refused]
        self.asserting = [w for w in self.usable if not w.refused and not (w.failed and w.speaker is Speaker.CALL)]
        self.models_only = bool(self.usable) and all(w.rank == 1 for w in self.usable)
        self._languages: frozenset[str] | None = None

    def speaks_other_than(self, language: str) -> bool:
        """True where a record is in another language, whose words cannot be compared."""
        if self._languages is None:
            self._languages = frozenset(w.language for w in self.usable)
        return bool(self._languages - {language})
