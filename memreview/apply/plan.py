"""What applying decisions would do to the real folder as it is now: pure, nothing is written.

Base and decisions make a text; where the real note still is the base, that text takes its place. Where somebody changed
it since, their edits and the accepted ones are merged over the base, and what overlaps is a conflict. Only decisions
that accept something can conflict.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from memreview.apply.draft import Draft, Wanted, wanted_of
from memreview.apply.planned import Accepted, Plan, Tally
from memreview.diff.engine import diff_texts
from memreview.diff.lines import split_lines
from memreview.diff.merge import OwnedEdit, merge
from memreview.model.dream import Conflict, Review, unit_id
from memreview.model.memory import INDEX_NAME, MemoryFolder, Note
from memreview.model.patch import Edit, FileChange
from memreview.model.review import ACCEPT, Decision, Decisions, Reject, TakeLines
from memreview.review.decide import effective
from memreview.review.index import index_of
from memreview.review.rest import rest_of


def make_plan(review: Review, decisions: Decisions, live: MemoryFolder) -> Plan:
    """What ``decisions`` do to the real folder, of which ``live`` is what stands there now.

    Raises :class:`~memreview.errors.RefusedError` for a path at which no note may be written.
    """
    left = (rest_of(file, review.applied) for file in review.files)
    wanted = [item for file in left if file is not None and (item := wanted_of(file, decisions)) is not None]
    outcome = Draft(live).settle(wanted)
    return Plan(outcome.files, tuple(outcome.conflicts), tally(review, decisions, outcome.already))


def find_conflicts(files: Iterable[FileChange], live: MemoryFolder) -> dict[str, Conflict]:
    """By id the changes, or files without changes, that conflict with the real folder when accepted alone."""
    conflicts: dict[str, Conflict] = {}
    whole: list[Wanted] = []
    textual: list[tuple[FileChange, Note]] = []
    for file in files:
        if file.old_mode is not None and file.base == file.proposed and file.old_path is None:
            continue
        note = live.notes.get(file.old_path or file.path)
        if file.hunks and file.base is not None and file.proposed is not None and note is not None:
            if note.data != file.base:
                textual.append((file, note))
            if file.old_path is None:
                continue
        ids = [unit_id(file, None), *(change.id for change in file.changes())]
        item = wanted_of(file, Decisions(dict.fromkeys(ids, ACCEPT)))
        if item is not None:
            whole.append(item)
    draft = Draft(live).settle(whole)
    for conflict in draft.conflicts:
        conflicts.setdefault(conflict.change, conflict)
    answers = diff_texts([(file.base or b"", note.data) for file, note in textual])
    for (file, _), live_edits in zip(textual, answers, strict=True):
        for conflict in _alone(file, live_edits):
            conflicts.setdefault(conflict.change, conflict)
    return conflicts


def tally(review: Review, decisions: Decisions, already: Iterable[str] = ()) -> Tally:
    """The accepted changes in the order of the review, and the numbers of accepted, rejected and all changes.

    They are counted in units: a note that is taken as a whole is one, and so is a new name. ``already`` are the ids of
    those that stand in the folder now. What an earlier apply carried out is neither accepted nor rejected.
    """
    there = frozenset(already)
    accepted: list[Accepted] = []
    rejected = total = 0
    for unit in index_of(review).units:
        total += 1
        decision = effective(decisions, unit.file, unit.change, unit.hunk)
        if decision is None or unit.id in review.applied:
            continue
        if isinstance(decision, Reject):
            rejected += 1
        elif accepts(decision):
            mends = decisions.mends.get(unit.id, ())
            accepted.append(Accepted(unit.file, unit.change, decision, unit.id in there, mends))
    return Tally(tuple(accepted), len(accepted), rejected, total)


def accepts(decision: Decision | None) -> bool:
    """True where a decision takes anything."""
    if isinstance(decision, TakeLines):
        return bool(decision.removed or decision.added)
    return decision is not None and not isinstance(decision, Reject)


def _alone(file: FileChange, live_edits: Sequence[Edit]) -> Iterator[Conflict]:
    """The conflicts of the changes of a file, each accepted alone, with what was done to it since."""
    base = split_lines(file.base or b"")
    ends = [edit.end for edit in live_edits]
    path = file.old_path or file.path
    for change in file.changes():
        first = bisect_left(ends, change.old_start)
        last = first
        while last < len(live_edits) and live_edits[last].start <= change.edit.end:
            last += 1
        if first == last:
            continue
        own = OwnedEdit(change.old_start, change.removed, change.added, change.id)
        merged = merge(base, live_edits[first:last], (own,), index=path == INDEX_NAME)
        for clash in merged.conflicts:
            yield Conflict(path, change.id, clash.reason, clash.live)
