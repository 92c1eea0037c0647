"""The records of a project, and which of them may hold a value: found by an index where there are many."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import tzinfo
from functools import cached_property

from memreview.checks.claims.extract import Candidate
from memreview.checks.claims.postings import Postings
from memreview.checks.claims.records import Secrets, Source, Witness, prepare
from memreview.model.transcript import Speaker

MANY = 64
"""From so many records on the index is asked first."""
_MOST = 24


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
        self._last: tuple[tuple[frozenset[str], str], dict[int, float]] | None = None

    @cached_property
    def by_place(self) -> dict[tuple[str, int], Witness]:
        """Records by transcript and line."""
        return {w.place: w for w in self.witnesses}

    @cached_property
    def _postings(self) -> Postings:
        return Postings(self.witnesses)

    @cached_property
    def _position(self) -> dict[tuple[str, int], int]:
        return {w.place: i for i, w in enumerate(self.witnesses)}

    def holding(
        self, claim: Candidate, words: frozenset[str], language: str, *, sharing: bool = False
    ) -> Sequence[Witness]:
        """Records that may hold the claim's value; with ``sharing`` of many only those with words around it too."""
        if not self.indexed:
            return self.witnesses
        rows: Collection[int] | None = self._postings.holding(claim)
        if rows is None:
            rows = self._best(words, language, 0.3)
        elif sharing:
            rows = self._sharing(rows, words, language, 0.0)
        return [self.witnesses[i] for i in sorted(rows)]

    def later(self, since: Witness, claim: Candidate, words: frozenset[str], language: str) -> Iterable[Witness]:
        """Records after one that speak of these words or hold the value, the latest first."""
        if not self.indexed:
            return [w for w in reversed(self.witnesses) if w.order > since.order]
        holding = self._sharing(self._postings.holding(claim) or (), words, language, 0.3)
        rows = {*self._best(words, language, 0.45), *holding}
        found = (self.witnesses[i] for i in sorted(rows, reverse=True))
        return [w for w in found if w.order > since.order]

    def about(self, words: frozenset[str], language: str, share: float = 0.0) -> Sequence[Witness]:
        """Records that share words with a claim; of many those that hold most of their weight."""
        if not self.indexed:
            return self.witnesses
        return [self.witnesses[i] for i in sorted(self._best(words, language, share))]

    def among(
        self, rows: Sequence[Witness], words: frozenset[str], language: str, most: int = _MOST
    ) -> Sequence[Witness]:
        """Of some records those that share most with a claim; all of them where they are few."""
        if not self.indexed or len(rows) <= MANY:
            return rows
        picked = self._picked.get(id(rows))
        if picked is None or picked[0] is not rows:
            position = self._position
            picked = self._picked[id(rows)] = rows, frozenset(position[w.place] for w in rows)
        found = [(score, index) for index, score in self._scores(words, language).items() if index in picked[1]]
        return [self.witnesses[i] for i in sorted(i for _, i in heapq.nlargest(most, found))]

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

    def _sharing(self, rows: Collection[int], words: frozenset[str], language: str, share: float) -> list[int]:
        """Of some records the few that hold most of the words' weight."""
        scores = self._scores(words, language)
        least = share * sum(self.weights(words, language, heard=True).values())
        found = [(scores[i], i) for i in rows if i in scores and scores[i] >= least]
        return [index for _, index in (heapq.nlargest(_MOST, found) if len(found) > _MOST else found)]

    def _scores(self, words: frozenset[str], language: str) -> dict[int, float]:
        """Records that hold any of the words, with the weight of those that they hold."""
        key = (words, language)
        if self._last is None or self._last[0] != key:
            scores: dict[int, float] = {}
            for word, weight in self.weights(words, language, heard=True).items():
                for index in self._postings.having(word, language):
                    scores[index] = scores.get(index, 0.0) + weight
            self._last = key, scores
        return self._last[1]

    def _best(self, words: frozenset[str], language: str, share: float) -> list[int]:
        """The few records that hold the greatest part of the words' weight, at least the share of it."""
        scores = self._scores(words, language)
        least = share * sum(self.weights(words, language, heard=True).values())
        rows = [(score, index) for index, score in scores.items() if score >= least]
        return [index for _, index in (heapq.nlargest(_MOST, rows) if len(rows) > _MOST else rows)]


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
