"""Where the records are on which claims rest: those that are cited, and those that are shown besides."""

from __future__ import annotations

import os

from memreview.model.claim import Verdict
from memreview.model.dream import Review
from memreview.review.index import Unit
from memreview.tui.ledger import Ledger
from memreview.tui.rows.claims import ClaimRow
from memreview.tui.rows.evidence import Found, Passage, passage_of

RecordPlace = tuple[str, int, str]
"""Path of a transcript (or its name, as long as nobody has looked for it), line, and the name."""


class Places:
    """Names of transcripts are looked up among the citations first; ``located`` are those that a worker has found."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.located: dict[str, str] = {}
        self._cited: dict[str, str] = {}
        self._review: Review | None = None

    def path_of(self, name: str) -> str:
        """The file of a transcript, else its name."""
        if self._review is not self.ledger.review:
            self._review = self.ledger.review
            self._cited = cited_paths(self._review)
        return self._cited.get(name) or self.located.get(name) or name

    def of_claim(self, unit: Unit | None, claim: ClaimRow | None) -> RecordPlace | None:
        """The record on which a claim rests."""
        if unit is None or claim is None or claim.claim is None or not claim.claim.evidence:
            return None
        first = claim.claim.evidence[0]
        return self.path_of(first.transcript), first.line, first.transcript

    def found(self, unit: Unit | None, claim: ClaimRow | None) -> tuple[Found, ...]:
        """What is shown of a change besides its citations: places that were put right, the record of the claim."""
        if unit is None:
            return ()
        shown: dict[Passage, str] = {}
        for mend in self.ledger.state.decisions.mends.get(unit.id, ()):
            path = mend.path or self.path_of(mend.transcript)
            shown[Passage(path, mend.line, mend.line)] = "put right by you"
        place = self.of_claim(unit, claim)
        if place is not None and claim is not None and claim.claim is not None:
            elsewhere = claim.claim.verdict is Verdict.ELSEWHERE
            words = "says so, but is not cited" if elsewhere else "not cited"
            shown.setdefault(Passage(place[0], place[1], place[1]), words)
        cited = [passage_of(citation) for citation in self.ledger.review.citations.get(unit.id, ())]
        return tuple(
            Found(passage, words)
            for passage, words in shown.items()
            if not any(
                one is not None and one.path == passage.path and one.start <= passage.start <= one.end for one in cited
            )
        )


def cited_paths(review: Review) -> dict[str, str]:
    """The files of all cited transcripts by the names under which they are known."""
    known: dict[str, str] = {}
    for citations in review.citations.values():
        for citation in citations:
            if citation.path is not None:
                known.setdefault(citation.transcript, citation.path)
                known.setdefault(os.path.basename(citation.path), citation.path)
    return known
