"""State and action → state. Pure: nothing is read, written or drawn here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from memreview.model.dream import Review
from memreview.model.review import REJECT, Accept, Decision, Decisions, Mend, TakeLines
from memreview.review.actions import Action, Decide, MendCitation, MoveTo, Redo, SetFilter, SetLines, Undo
from memreview.review.claims import errors
from memreview.review.index import ReviewIndex, Unit, index_of
from memreview.review.state import Delta, ReviewState, Step


def reduce(state: ReviewState, action: Action, review: Review) -> ReviewState:
    """The state after ``action``; ``state`` itself where nothing changes.

    Unknown ids are ignored, and so are those of what was applied already: that is undone by git, not by a decision.
    """
    index = index_of(review)
    match action:
        case MoveTo(unit):
            return replace(state, cursor=unit) if unit in index.position and unit != state.cursor else state
        case SetFilter(new_filter):
            return replace(state, filter=new_filter) if new_filter != state.filter else state
        case Undo():
            return _undo(state)
        case Redo():
            return _redo(state)
        case Decide(ids, decision):
            wanted = {item: decision for item in ids if index.knows(item)}
        case SetLines(change, removed, added, despite):
            wanted = _lines(index, change, removed, added, despite)
        case MendCitation(change, mend):
            return _mend(state, index, change, mend)
    return _decide(state, {item: one for item, one in wanted.items() if item not in review.applied})


def must_be_decided_alone(review: Review, unit: Unit, mends: Sequence[Mend] = ()) -> bool:
    """True for what no key takes together with others.

    That are deletions, conflicts, lines written while the dream ran, and changes in which the claim check found an
    error; ``mends`` are those of the unit.
    """
    alone = unit.is_deletion or unit.during_run or unit.id in review.conflicts
    return alone or bool(errors(review, unit.id, mends))


def _decide(state: ReviewState, wanted: Mapping[str, Decision | None]) -> ReviewState:
    by_id = state.decisions.by_id
    after = {item: decision for item, decision in wanted.items() if by_id.get(item) != decision}
    if not after:
        return state
    before = {item: by_id.get(item) for item in after}
    delta = Delta(before, after, state.cursor)
    return _stepped(state, delta)


def _mend(state: ReviewState, index: ReviewIndex, change: str, mend: Mend) -> ReviewState:
    before = state.decisions.mends.get(change, ())
    after = (*(one for one in before if one.words != mend.words), mend)
    if change not in index.position or set(after) == set(before):
        return state
    return _stepped(state, Delta({}, {}, state.cursor, mends_before={change: before}, mends_after={change: after}))


def _stepped(state: ReviewState, delta: Delta) -> ReviewState:
    """The state with one more step done, which nothing that was undone before can follow."""
    decisions = _with(state.decisions, delta.after, delta.mends_after)
    return replace(state, decisions=decisions, past=Step(delta, state.past), future=None)


def _with(decisions: Decisions, new: Mapping[str, Decision | None], mends: Mapping[str, tuple[Mend, ...]]) -> Decisions:
    by_id, mended = decisions.by_id, decisions.mends
    if new:
        changed = {**by_id, **new}
        by_id = {item: decision for item, decision in changed.items() if decision is not None}
    if mends:
        mended = {item: places for item, places in {**mended, **mends}.items() if places}
    return Decisions(by_id, mended)


def _undo(state: ReviewState) -> ReviewState:
    step = state.past
    if step is None:
        return state
    return replace(
        state,
        decisions=_with(state.decisions, step.delta.before, step.delta.mends_before),
        past=step.rest,
        future=Step(step.delta, state.future),
        cursor=step.delta.cursor or state.cursor,
    )


def _redo(state: ReviewState) -> ReviewState:
    step = state.future
    if step is None:
        return state
    return replace(
        state,
        decisions=_with(state.decisions, step.delta.after, step.delta.mends_after),
        past=Step(step.delta, state.past),
        future=step.rest,
        cursor=step.delta.cursor or state.cursor,
    )


def _lines(
    index: ReviewIndex, change_id: str, removed: frozenset[int], added: frozenset[int], despite: tuple[str, ...]
) -> dict[str, Decision | None]:
    unit = index.unit(change_id)
    if unit is None or unit.change is None:
        return {}
    old, new = range(len(unit.change.removed)), range(len(unit.change.added))
    removed, added = removed & frozenset(old), added & frozenset(new)
    if not removed and not added:
        return {change_id: REJECT}
    if len(removed) == len(old) and len(added) == len(new):
        return {change_id: Accept(despite)}
    return {change_id: TakeLines(removed, added, despite)}
