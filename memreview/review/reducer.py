"""State and action → state. Pure: nothing is read, written or drawn here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from memreview.model.dream import Review
from memreview.model.review import ACCEPT, REJECT, Decision, Decisions, TakeLines
from memreview.review.actions import Action, Decide, MoveTo, Redo, SetFilter, SetLines, Undo
from memreview.review.index import ReviewIndex, Unit, index_of
from memreview.review.state import Delta, ReviewState, Step


def reduce(state: ReviewState, action: Action, review: Review) -> ReviewState:
    """The state after ``action``; ``state`` itself where nothing changes. Unknown ids are ignored."""
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
        case SetLines(change, removed, added):
            wanted = _lines(index, change, removed, added)
    return _decide(state, wanted)


def must_be_decided_alone(review: Review, unit: Unit) -> bool:
    """True for what no key takes together with others: deletions, conflicts, lines written while the dream ran."""
    return unit.is_deletion or unit.during_run or unit.id in review.conflicts


def _decide(state: ReviewState, wanted: Mapping[str, Decision | None]) -> ReviewState:
    by_id = state.decisions.by_id
    after = {item: decision for item, decision in wanted.items() if by_id.get(item) != decision}
    if not after:
        return state
    before = {item: by_id.get(item) for item in after}
    delta = Delta(before, after, state.cursor)
    return replace(state, decisions=_with(by_id, after), past=Step(delta, state.past), future=None)


def _with(by_id: Mapping[str, Decision], new: Mapping[str, Decision | None]) -> Decisions:
    result = dict(by_id)
    for item, decision in new.items():
        if decision is None:
            result.pop(item, None)
        else:
            result[item] = decision
    return Decisions(result)


def _undo(state: ReviewState) -> ReviewState:
    step = state.past
    if step is None:
        return state
    return replace(
        state,
        decisions=_with(state.decisions.by_id, step.delta.before),
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
        decisions=_with(state.decisions.by_id, step.delta.after),
        past=Step(step.delta, state.past),
        future=step.rest,
        cursor=step.delta.cursor or state.cursor,
    )


def _lines(
    index: ReviewIndex, change_id: str, removed: frozenset[int], added: frozenset[int]
) -> dict[str, Decision | None]:
    unit = index.unit(change_id)
    if unit is None or unit.change is None:
        return {}
    old, new = range(len(unit.change.removed)), range(len(unit.change.added))
    removed, added = removed & frozenset(old), added & frozenset(new)
    if not removed and not added:
        return {change_id: REJECT}
    if len(removed) == len(old) and len(added) == len(new):
        return {change_id: ACCEPT}
    return {change_id: TakeLines(removed, added)}
