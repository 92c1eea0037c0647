"""What the screens ask of a review and its state: counts, and what is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memreview.model.dream import Review
from memreview.model.review import Accept, Decision, EditTo, Reject, TakeLines
from memreview.review.index import Unit, index_of
from memreview.review.state import Filter, ReviewState


@dataclass(frozen=True, slots=True)
class Counts:
    """How many units stand how; ``by_lines`` are those of which single lines are taken.

    ``applied`` were carried out before, however they were decided, and count nowhere else.
    """

    accepted: int = 0
    rejected: int = 0
    edited: int = 0
    by_lines: int = 0
    undecided: int = 0
    applied: int = 0

    @property
    def total(self) -> int:
        """All units."""
        return self.accepted + self.rejected + self.edited + self.by_lines + self.undecided + self.applied

    @property
    def decided(self) -> int:
        """All units with a decision, carried out or not."""
        return self.total - self.undecided

    @property
    def taken(self) -> int:
        """All units of which something will be written."""
        return self.accepted + self.edited + self.by_lines


@dataclass(frozen=True, slots=True)
class Progress:
    """Counts of the whole review and by file id."""

    all: Counts
    by_file: Mapping[str, Counts]


_KINDS: Mapping[type[Decision] | None, int] = {Accept: 0, Reject: 1, EditTo: 2, TakeLines: 3, None: 4}


def progress(state: ReviewState, review: Review) -> Progress:
    """How far the review is, counted in units."""
    index = index_of(review)
    decisions = state.decisions
    total = [0] * 6
    by_file: dict[str, Counts] = {}
    for file_id, units in index.units_of.items():
        own = [0] * 6
        for unit in units:
            if unit.id in review.applied:
                own[5] += 1
                continue
            decision = index.effective(decisions, unit)
            own[4 if decision is None else _KINDS[type(decision)]] += 1
        by_file[file_id] = Counts(*own)
        total = [a + b for a, b in zip(total, own, strict=True)]
    return Progress(Counts(*total), by_file)


def shown(state: ReviewState, review: Review, by: Filter | None = None) -> tuple[Unit, ...]:
    """The units that a filter lets through (``by``, else that of the state), in the order of the screen."""
    index = index_of(review)
    by = state.filter if by is None else by
    units = index.units if by.file is None else index.units_of.get(by.file, ())
    if by.only is not None:
        units = tuple(unit for unit in units if unit.id in by.only)
    if by.text:
        needle = by.text.casefold()
        texts, position = index.searchable, index.position
        units = tuple(unit for unit in units if needle in texts[position[unit.id]])
    if by.undecided:
        applied = review.applied
        units = tuple(u for u in units if u.id not in applied and index.effective(state.decisions, u) is None)
    return units
