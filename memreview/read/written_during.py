"""What memory.diff shows as the dream's removal although another session wrote it while the dream ran.

The script compares with the real folder at the end of the run. A note that was written there meanwhile has a ``---``
time later than the first edit of the copy (the earliest ``+++`` time), and its new lines look as if the dream had
removed them. Where the copied repository tells what the dream began with, the lines themselves say whose they are;
else every change that takes more lines than it brings is held back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from memreview.diff.hunks import compare
from memreview.model.memory import INDEX_NAME, Note
from memreview.model.patch import Change, ChangeKind, FileChange, Hunk


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """What is known about the time of the run.

    ``late`` are paths whose real note was written after the dream's first edit. ``began_with`` are the notes of the
    commit that the dream's copy had checked out, ``earlier`` those of a commit that may be as good; both may be None.
    """

    late: frozenset[str] = frozenset()
    began_with: Mapping[str, Note] | None = None
    earlier: Mapping[str, Note] | None = None


def compare_run(base: Mapping[str, Note], proposed: Mapping[str, Note], meanwhile: Meanwhile) -> tuple[FileChange, ...]:
    """What ``proposed`` changes in ``base``, with all that is not the dream's own doing marked ``during_run``.

    Notes that came or went meanwhile as a whole take no part in the search for renames.
    """
    foreign = {path for path in base if path in meanwhile.late and path not in proposed}
    # The copy had these from the start, so they only look added because the real ones were deleted meanwhile.
    foreign |= {path for path in meanwhile.began_with or {} if path in proposed and path not in base}
    own = compare(_without(base, foreign), _without(proposed, foreign))
    if not meanwhile.late and not foreign:
        return own
    others = compare(_only(base, foreign), _only(proposed, foreign))
    marked = [_mark_file(file, meanwhile) for file in own]
    marked += [_mark_whole(file) for file in others]
    return tuple(sorted(marked, key=lambda file: (file.path != INDEX_NAME, file.path)))


def _without(notes: Mapping[str, Note], paths: set[str]) -> dict[str, Note]:
    return {path: note for path, note in notes.items() if path not in paths}


def _only(notes: Mapping[str, Note], paths: set[str]) -> dict[str, Note]:
    return {path: note for path, note in notes.items() if path in paths}


def _mark_whole(file: FileChange) -> FileChange:
    return _with_marks(replace(file, during_run=True), {change.id for change in file.changes()})


def _mark_file(file: FileChange, meanwhile: Meanwhile) -> FileChange:
    if file.path not in meanwhile.late or file.kind is not ChangeKind.MODIFIED or file.base is None:
        return file
    known = (meanwhile.began_with or {}).get(file.path)
    if known is not None:
        foreign = _edits(known, file.base)
        marks = {change.id for change in file.changes() if _holds_foreign(change, foreign)}
    else:
        marks = {change.id for change in file.changes() if len(change.removed) > len(change.added)}
        guess = (meanwhile.earlier or {}).get(file.path)
        if guess is not None:
            foreign = _edits(guess, file.base)
            marks |= {change.id for change in file.changes() if _holds_foreign(change, foreign)}
    whole = bool(marks) and all(change.id in marks for change in file.changes())
    return _with_marks(replace(file, during_run=whole), marks)


def _edits(before: Note, after: bytes) -> tuple[Change, ...]:
    """What the real note gained between the dream's copy and its diff; positions in ``after`` are ``new_start``."""
    files = compare({before.path: before}, {before.path: replace(before, data=after)})
    return tuple(change for file in files for change in file.changes())


def _holds_foreign(change: Change, foreign: Sequence[Change]) -> bool:
    """True where a change takes lines away that came meanwhile, or brings lines back that went meanwhile."""
    start, end = change.old_start, change.edit.end
    return any(
        start < other.new_start + len(other.added) and other.new_start < end
        if other.added
        else _brings_back(change, other)
        for other in foreign
    )


def _brings_back(change: Change, gone: Change) -> bool:
    size = len(gone.removed)
    near = change.old_start <= gone.new_start <= change.edit.end
    return near and any(change.added[at : at + size] == gone.removed for at in range(len(change.added) - size + 1))


def _with_marks(file: FileChange, marks: set[str]) -> FileChange:
    return replace(file, hunks=tuple(_mark_hunk(hunk, marks) for hunk in file.hunks))


def _mark_hunk(hunk: Hunk, marks: set[str]) -> Hunk:
    return replace(
        hunk,
        changes=tuple(replace(change, during_run=True) if change.id in marks else change for change in hunk.changes),
    )
