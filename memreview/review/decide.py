"""Which decision holds for a change: the narrowest of those on the change, its hunk and its file."""

from __future__ import annotations

from collections.abc import Iterator

from memreview.model.patch import Change, FileChange, Hunk
from memreview.model.review import Accept, Decision, Decisions


def effective(decisions: Decisions, file: FileChange, change: Change | None) -> Decision | None:
    """The decision on ``change`` of ``file``, or on the file itself where ``change`` is None; None is undecided."""
    by_id = decisions.by_id
    if change is None:
        return by_id.get(file.id)
    found = by_id.get(change.id)
    if found is not None:
        return found
    for hunk in file.hunks:
        if hunk.old_start <= change.old_start <= hunk.old_start + hunk.old_count and any(
            change.id == item.id for item in hunk.changes
        ):
            return by_id.get(hunk.id, by_id.get(file.id))
    return by_id.get(file.id)


def decided(decisions: Decisions, file: FileChange) -> Iterator[tuple[Hunk, Change, Decision | None]]:
    """Every change of ``file`` in order with the decision that holds for it."""
    by_id = decisions.by_id
    whole = by_id.get(file.id)
    for hunk in file.hunks:
        of_hunk = by_id.get(hunk.id, whole)
        for change in hunk.changes:
            yield hunk, change, by_id.get(change.id, of_hunk)


def takes_name(decisions: Decisions, file: FileChange) -> bool:
    """True where a rename is accepted: only the file's own id decides that."""
    return file.old_path is not None and isinstance(decisions.by_id.get(file.id), Accept)
