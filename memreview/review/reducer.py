"""State and action → state. Pure: nothing is read, written or drawn here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from memreview.model.dream import Review
from memreview.model.review import ACCEPT, REJECT, Accept, Decision, Decisions, TakeLines
from memreview.review.actions import (
    AcceptAllOf,
    Action,
    Decide,
    DecideFile,
    MoveTo,
    Redo,
    SetFilter,
    SetLines,
    Undo,
)
from memreview.review.index import ReviewIndex, Unit, index_of
from memreview.review.selectors import shown
from memreview.review.state import Delta, Filter, ReviewState, push


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
        case DecideFile(file, decision):
            wanted = _file(index, file, decision)
        case AcceptAllOf(of):
            wanted = _accept_all(state, index, of)
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
    return replace(state, decisions=_with(by_id, after), past=push(state.past, delta), future=None)


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
        future=push(state.future, step.delta),
        cursor=step.delta.cursor or state.cursor,
    )


def _redo(state: ReviewState) -> ReviewState:
    step = state.future
    if step is None:
        return state
    return replace(
        state,
        decisions=_with(state.decisions.by_id, step.delta.after),
        past=push(state.past, step.delta),
        future=step.rest,
        cursor=step.delta.cursor or state.cursor,
    )


def _file(index: ReviewIndex, file_id: str, decision: Decision | None) -> dict[str, Decision | None]:
    file = index.files.get(file_id)
    if file is None:
        return {}
    units = index.units_of[file_id]
    wanted: dict[str, Decision | None] = {unit.id: decision for unit in units}
    if decision is None:
        return {**wanted, file_id: None, **{hunk.id: None for hunk in file.hunks}}
    if isinstance(decision, Accept) and len(units) > 1:
        for unit in units:
            if unit.during_run or unit.id in index.review.conflicts:
                if file.old_path is None:
                    del wanted[unit.id]
                else:
                    wanted[unit.id] = REJECT
    return wanted


def _accept_all(state: ReviewState, index: ReviewIndex, by: Filter) -> dict[str, Decision | None]:
    review = index.review
    wanted: dict[str, Decision | None] = {}
    for unit in shown(state, review, replace(by, undecided=True)):
        parts = index.units_of[unit.file.id] if unit.is_rename else (unit,)
        if not any(must_be_decided_alone(review, part) for part in parts):
            wanted[unit.id] = ACCEPT
    return wanted


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
