"""What the claim check found, change by change, with what a person has put right since."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from memreview.model.claim import Claim, Weight
from memreview.model.dream import Review
from memreview.model.review import Mend
from memreview.review.claims import errors
from memreview.review.index import ReviewIndex
from memreview.tui.rows.claims import ClaimRow, brief_rows, claim_rows
from memreview.tui.verdicts import ORDER, RANKS, Sign

Mends = Mapping[str, tuple[Mend, ...]]


class Worst(NamedTuple):
    """The most urgent thing in a change, and how much in it is flagged."""

    look: Sign
    weight: Weight
    flagged: int


KEPT = 512
"""Tables that are kept once they were made: more than a note has changes."""
Tally = Counter[tuple[Sign, Weight]]
"""How many flagged rows there are, by sign and weight."""


class Judged:
    """Rows are made when they are asked for; what lists and titles count is known for all changes at once."""

    def __init__(self, review: Review, index: ReviewIndex, mends: Mends) -> None:
        self.review = review
        self._index = index
        self._mends = mends
        self._rows: OrderedDict[str, tuple[ClaimRow, ...]] = OrderedDict()
        self._worst: dict[str, Worst] = {}
        self._tallies: dict[str, Tally] = {}
        self.total: Tally = Counter()
        for unit in review.reports:
            self._count(unit)

    @property
    def checked(self) -> bool:
        """True where the check has run."""
        return self.review.checked

    def rows(self, unit: str) -> tuple[ClaimRow, ...]:
        """The rows of the table for a change, the most urgent first; the same ones as long as nothing changes."""
        rows = self._rows.get(unit)
        if rows is None:
            report, found = self.review.reports.get(unit), self._index.unit(unit)
            if report is None or found is None or found.change is None:
                return ()
            rows = self._rows[unit] = claim_rows(report, found.change, self._mends.get(unit, ()))
            if len(self._rows) > KEPT:
                self._rows.popitem(last=False)
        return rows

    def worst(self, unit: str) -> Worst | None:
        """What the list shows of a change; None where nothing was checked in it."""
        return self._worst.get(unit)

    def flagged(self, unit: str) -> bool:
        """True where anything in a change is flagged."""
        worst = self._worst.get(unit)
        return worst is not None and worst.flagged > 0

    def errors(self, unit: str) -> tuple[Claim, ...]:
        """The errors of a change."""
        return errors(self.review, unit, self._mends.get(unit, ()))

    def tally(self, units: Iterable[str]) -> Tally:
        """Flagged rows of several changes."""
        total: Tally = Counter()
        for unit in units:
            if unit in self._tallies:
                total.update(self._tallies[unit])
        return total

    def mended(self, mends: Mends) -> None:
        """Take note of what is mended now."""
        before, self._mends = self._mends, mends
        for unit in {*before, *mends}:
            if before.get(unit) != mends.get(unit) and unit in self.review.reports:
                self.total.subtract(self._tallies.get(unit, Counter()))
                self._count(unit)
        self.total = +self.total

    def _count(self, unit: str) -> None:
        self._rows.pop(unit, None)
        self._worst.pop(unit, None)
        self._tallies.pop(unit, None)
        brief = brief_rows(self.review.reports[unit], self._mends.get(unit, ()))
        if not brief:
            return
        flagged = [(look, weight) for look, weight in brief if weight.flagged]
        look, weight = min(brief, key=_urgency)
        self._worst[unit] = Worst(look, weight, len(flagged))
        if flagged:
            self._tallies[unit] = Counter(flagged)
            self.total.update(self._tallies[unit])


def _urgency(brief: tuple[Sign, Weight]) -> tuple[int, int]:
    return ORDER.index(brief[1]), RANKS.get(brief[0], len(RANKS))


def by_urgency(tally: Tally) -> list[tuple[Sign, Weight, int]]:
    """The signs of a tally with their numbers, errors first."""
    found = [(look, weight, count) for (look, weight), count in tally.items() if count > 0]
    return sorted(found, key=lambda one: _urgency(one[:2]))
