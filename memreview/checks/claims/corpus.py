"""The records of a project, and which of them may hold a value: found by an index, not by reading them all."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import tzinfo
from functools import cached_property

from memreview.checks.claims.extract import Candidate
from memreview.checks.claims.records import Secrets, Source, Witness, prepare


class Corpus:
    """Records in time, each with its rank. Built once, and asked for many changes."""

    def __init__(self, sources: Iterable[Source], zone: tzinfo | None = None, secrets: Secrets | None = None) -> None:
        self.witnesses: Sequence[Witness] = prepare(sources, zone, secrets)

    @cached_property
    def by_place(self) -> dict[tuple[str, int], Witness]:
        """Records by transcript and line."""
        return {w.place: w for w in self.witnesses}

    def holding(self, claim: Candidate, words: frozenset[str], language: str) -> Iterable[Witness]:
        """Records that may hold the claim's value."""
        return self.witnesses

    def later(self, since: Witness, claim: Candidate, words: frozenset[str], language: str) -> Iterable[Witness]:
        """Records after one that speak of these words or hold the value, the latest first."""
        return [w for w in reversed(self.witnesses) if w.order > since.order]

    def about(self, words: frozenset[str], language: str) -> Iterable[Witness]:
        """Records that share words with a claim."""
        return self.witnesses

    def weights(self, words: frozenset[str], language: str) -> dict[str, float]:
        """How telling each word is: rare ones more than those that stand in every record."""
        size = len(self.witnesses)
        counts = dict.fromkeys(words, 0)
        for witness in self.witnesses:
            for word in words & witness.words(language):
                counts[word] += 1
        return {word: math.log(1 + size / (1 + count)) for word, count in counts.items()}
