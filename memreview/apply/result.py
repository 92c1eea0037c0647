"""What became of an apply."""

from __future__ import annotations

from dataclasses import dataclass

from memreview.apply.planned import Plan
from memreview.errors import RefusedError
from memreview.model.dream import Conflict
from memreview.text import visible

_SHOWN_CONFLICTS = 5


@dataclass(frozen=True, slots=True)
class ApplyResult:
    """``written``/``deleted`` are paths in the memory folder, ``applied``/``rejected`` numbers of changes.

    ``commit`` is the id of the review's commit, ``snapshot`` that of the snapshot that holds the folder as it was
    settled. ``before_ref`` names the commit, or the snapshot, that keeps what a rejection took back on disk. ``notes``
    are lines for the user that change nothing in the outcome. ``refusal`` is why a real run would commit nothing, after
    a dry one.
    """

    written: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    commit: str | None = None
    conflicts: tuple[Conflict, ...] = ()
    applied: int = 0
    rejected: int = 0
    notes: tuple[str, ...] = ()
    before_ref: str | None = None
    refusal: str | None = None
    snapshot: str | None = None


class ConflictError(RefusedError):
    """Accepted changes conflict with the folder as it is now; nothing was written. ``result`` says which."""

    def __init__(self, result: ApplyResult) -> None:
        self.result = result
        super().__init__(_conflict_line(result.conflicts))


def planned_result(plan: Plan, notes: tuple[str, ...] = ()) -> ApplyResult:
    """What applying a plan amounts to, before anything of it is done."""
    return ApplyResult(
        written=tuple(file.path for file in plan.writes),
        deleted=tuple(file.path for file in plan.deletes),
        applied=plan.applied,
        rejected=plan.rejected,
        notes=notes,
    )


def conflict_result(plan: Plan, notes: tuple[str, ...] = ()) -> ApplyResult:
    """The result of a plan of which nothing was done, because of its conflicts."""
    return ApplyResult(conflicts=plan.conflicts, notes=notes)


def _conflict_line(conflicts: tuple[Conflict, ...]) -> str:
    reasons = dict.fromkeys((conflict.path, conflict.reason) for conflict in conflicts)
    told = [f"{visible(path)}: {visible(reason)}" for path, reason in list(reasons)[:_SHOWN_CONFLICTS]]
    more = f"; and {len(reasons) - len(told)} more" if len(reasons) > len(told) else ""
    return f"{'; '.join(told)}{more}; reject or edit these changes (nothing was written)"
