"""Which decision holds for a change: the narrowest of those on the change, its hunk and its file."""

from __future__ import annotations

from collections.abc import Iterator

from memreview.model.patch import Change, FileChange, Hunk
from memreview.model.review import Accept, Decision, Decisions


def effective(
    decisions: Decisions, file: FileChange, change: Change | None = None, hunk: Hunk | None = None
) -> Decision | None:
    """The decision on ``change``, which is in ``hunk`` of ``file``, or without them on the file; None is undecided."""
    by_id = decisions.by_id
    for part in (change, hunk):
        if part is not None and (found := by_id.get(part.id)) is not None:
            return found
    return by_id.get(file.id)


def decided(decisions: Decisions, file: FileChange) -> Iterator[tuple[Change, Decision | None]]:
    """Every change of ``file`` in order with the decision that holds for it."""
    for hunk in file.hunks:
        for change in hunk.changes:
            yield change, effective(decisions, file, change, hunk)


def takes_name(decisions: Decisions, file: FileChange) -> bool:
    """True where a rename is accepted: only the file's own id decides that."""
    return file.old_path is not None and isinstance(decisions.by_id.get(file.id), Accept)
