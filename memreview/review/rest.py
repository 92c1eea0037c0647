"""What is left of a note's changes when some of them were carried out: the rest, on the text that those made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from memreview.diff.lines import split_lines
from memreview.diff.merge import OwnedEdit
from memreview.model.patch import Change, ChangeKind, FileChange, Hunk
from memreview.model.review import Applied, Decisions
from memreview.review import assemble


def applied_edits(file: FileChange, applied: Mapping[str, Applied]) -> tuple[OwnedEdit, ...]:
    """The edits of those changes of a note that were carried out, as they were taken."""
    taken = {change.id: applied[change.id].decision for change in file.changes() if change.id in applied}
    return assemble.edits(file, Decisions(taken)) if taken else ()


def applied_text(file: FileChange, edits: tuple[OwnedEdit, ...]) -> bytes | None:
    """The note with those edits, None where it does not exist with them."""
    return assemble.carried_out(file, edits)


def moved_by(edits: Iterable[OwnedEdit], start: int) -> int:
    """By how many lines edits move what follows them at a line of the base."""
    return sum(len(edit.added) - len(edit.removed) for edit in edits if edit.start < start)


def rest_of(file: FileChange, applied: Mapping[str, Applied]) -> FileChange | None:
    """The note as it is left to be decided: what was ``applied`` is part of its base. None where nothing is left.

    Ids stay as they are, so that decisions hold.
    """
    edits = applied_edits(file, applied)
    if not file.hunks:
        return None if file.id in applied else file
    named = file.old_path is not None and file.id in applied
    if not edits and not named:
        return file
    text = applied_text(file, edits)
    if file.base is None or file.proposed is None or text is None:
        return None
    lines = split_lines(text)
    hunks = [_moved(hunk, edits, applied) for hunk in file.hunks]
    left = tuple(hunk for hunk in hunks if hunk.changes)
    if named and not left:
        return None
    if any(
        lines[change.old_start : change.edit.end] != change.removed for hunk in left for change in hunk.changes
    ):  # pragma: no cover - changes never touch, so that only the end of a text without a line end could do this
        return file
    return replace(
        file,
        base=text,
        proposed=file.proposed if left else text,
        hunks=left,
        kind=ChangeKind.MODIFIED if named else file.kind,
        old_path=None if named else file.old_path,
    )


def _moved(hunk: Hunk, edits: tuple[OwnedEdit, ...], applied: Mapping[str, Applied]) -> Hunk:
    changes: list[Change] = []
    for change in hunk.changes:
        if change.id not in applied:
            by = moved_by(edits, change.old_start)
            changes.append(replace(change, old_start=change.old_start + by) if by else change)
    return replace(hunk, changes=tuple(changes))
