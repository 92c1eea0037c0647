"""What the screens ask of a review and its state: counts, what is shown, what comes next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from memreview.model.dream import Review
from memreview.model.review import Accept, Decision, Decisions, EditTo, Reject, TakeLines
from memreview.review.index import ReviewIndex, Unit, index_of
from memreview.review.state import Filter, ReviewState


@dataclass(frozen=True, slots=True)
class Counts:
    """How many units stand how; ``by_lines`` are those of which single lines are taken."""

    accepted: int = 0
    rejected: int = 0
    edited: int = 0
    by_lines: int = 0
    undecided: int = 0

    @property
    def total(self) -> int:
        """All units."""
        return self.accepted + self.rejected + self.edited + self.by_lines + self.undecided

    @property
    def decided(self) -> int:
        """All units with a decision."""
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
    total = [0] * 5
    by_file: dict[str, Counts] = {}
    for file_id, units in index.units_of.items():
        own = [0] * 5
        for unit in units:
            decision = index.effective(decisions, unit)
            own[4 if decision is None else _KINDS[type(decision)]] += 1
        by_file[file_id] = Counts(*own)
        total = [a + b for a, b in zip(total, own, strict=True)]
    return Progress(Counts(*total), by_file)


def decision_of(state: ReviewState, review: Review, unit_id: str) -> Decision | None:
    """The decision that holds for a unit; None where it is undecided or unknown."""
    index = index_of(review)
    unit = index.unit(unit_id)
    return index.effective(state.decisions, unit) if unit is not None else None


def is_undecided(decisions: Decisions, index: ReviewIndex, unit: Unit) -> bool:
    """True where no decision holds for the unit."""
    return index.effective(decisions, unit) is None


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
        units = tuple(unit for unit in units if is_undecided(state.decisions, index, unit))
    return units


def next_unit(
    state: ReviewState,
    review: Review,
    step: int = 1,
    where: Callable[[Unit], bool] | None = None,
    *,
    wrap: bool = True,
) -> Unit | None:
    """The nearest unit after (``step`` 1) or before (-1) the cursor that is shown and for which ``where`` is true.

    It goes on over the ends of files and, where ``wrap`` is true, from the last unit to the first. The unit under the
    cursor comes last; without a cursor the search begins at the first (or last) unit. None where there is none.
    """
    index = index_of(review)
    size = len(index.units)
    by = state.filter
    allowed = {unit.id for unit in shown(state, review)} if by.active else None
    here = index.position.get(state.cursor or "")
    if here is None:
        here = -1 if step > 0 else size
        wrap = False
    for distance in range(1, size + 1):
        at = here + step * distance
        if not wrap and not 0 <= at < size:
            return None
        unit = index.units[at % size]
        if (allowed is None or unit.id in allowed) and (where is None or where(unit)):
            return unit
    return None


def next_undecided(state: ReviewState, review: Review, step: int = 1) -> Unit | None:
    """The nearest undecided unit, wrapping over all files; None where everything is decided."""
    index = index_of(review)
    return next_unit(state, review, step, lambda unit: is_undecided(state.decisions, index, unit))


def next_file(state: ReviewState, review: Review, step: int = 1) -> Unit | None:
    """The first shown unit of the nearest other file in this direction, wrapping."""
    index = index_of(review)
    here = index.unit(state.cursor or "")
    current = here.file.id if here is not None else None
    found = next_unit(state, review, step, lambda unit: unit.file.id != current)
    if found is None:
        return None
    visible = shown(state, review, None)
    return next((unit for unit in visible if unit.file.id == found.file.id), found)
