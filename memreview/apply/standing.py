"""What of a review was carried out before: it is settled, and what is left is planned on top of it.

The store remembers how each change was taken. Base and those decisions make a text; compared with the note as it is
now, that tells what still stands there and what was taken back since. The changes that are left are moved onto that
text, so that our own lines never look like somebody else's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from memreview.apply.plan import find_conflicts
from memreview.diff.engine import apply_edits, diff_texts
from memreview.diff.lines import split_lines
from memreview.diff.merge import OwnedEdit
from memreview.model.dream import Review, TargetKind
from memreview.model.memory import MemoryFolder, Note
from memreview.model.patch import ChangeKind, Edit, FileChange
from memreview.model.review import Applied
from memreview.review.rest import applied_edits, applied_text, moved_by, rest_of


def with_standing(review: Review, live: MemoryFolder, carried: Mapping[str, Applied]) -> Review:
    """The review with what was ``carried`` out before sorted into applied and undone, and its conflicts with ``live``.

    What was changed since the dream read it no longer counts what we wrote ourselves.
    """
    if review.target.kind is TargetKind.LIVE:
        # What was committed is in HEAD, and so in the base: only against an older revision does it still show.
        shows = carried if review.target.since is not None else {}
        return replace(review, applied=shows, undone=frozenset(carried) - frozenset(shows), conflicts={})
    applied = dict(_still_there(review.files, live, carried)) if carried else {}
    known = replace(review, applied=applied, undone=frozenset(carried) - frozenset(applied))
    rest = [left for file in review.files if (left := rest_of(file, applied)) is not None]
    moved = tuple(path for path in review.moved_since if not _only_ours(path, review.files, live, applied))
    return replace(known, conflicts=find_conflicts(rest, live), moved_since=moved)


@dataclass(frozen=True, slots=True)
class _Text:
    """A note with changes that were carried out: the text that they made, and what became of it since."""

    file: FileChange
    edits: tuple[OwnedEdit, ...]
    made: bytes
    now: bytes


def _still_there(
    files: Iterable[FileChange], live: MemoryFolder, carried: Mapping[str, Applied]
) -> Iterator[tuple[str, Applied]]:
    texts: list[_Text] = []
    for file in files:
        if file.id in carried and (not file.hunks or file.old_path is not None) and _whole_stands(file, live):
            yield file.id, carried[file.id]
        edits = applied_edits(file, carried)
        if not edits:
            continue
        made = applied_text(file, edits)
        note = _note(file, live)
        if file.base is None or made is None or note is None:
            # A note that came, or went, as a whole; or one that is gone since, so that there is nothing to do again.
            gone_since = file.base is not None and made is not None
            if (note is None) is (made is None) or gone_since:
                yield from ((edit.change, carried[edit.change]) for edit in edits)
        else:
            texts.append(_Text(file, edits, made, note.data))
    answers = diff_texts([(text.made, text.now) for text in texts])
    for text, since in zip(texts, answers, strict=True):
        yield from ((change, carried[change]) for change in _kept(text, since))


def _whole_stands(file: FileChange, live: MemoryFolder) -> bool:
    """True where a file that was taken as a whole, or its new name, is still so."""
    note = live.notes.get(file.path)
    if file.kind is ChangeKind.DELETED:
        return note is None
    if note is None or (file.old_path is not None and file.old_path in live.notes):
        return False
    return file.kind is not ChangeKind.MODIFIED or note.data == file.proposed


def _note(file: FileChange, live: MemoryFolder) -> Note | None:
    """The note of a file, under whichever of its names it lies."""
    if file.old_path is not None and file.old_path in live.notes:
        return live.notes[file.old_path]
    return live.notes.get(file.path)


def _kept(text: _Text, since: Sequence[Edit]) -> tuple[str, ...]:
    """The changes that were carried out and of which the lines before them are not back."""
    ids = tuple(dict.fromkeys(edit.change for edit in text.edits))
    if not since:
        return ids
    if text.now == text.file.base:
        return ()
    made = split_lines(text.made)
    return tuple(change for change in ids if not _is_back(change, text, made, since))


def _is_back(change: str, text: _Text, made: Sequence[bytes], since: Sequence[Edit]) -> bool:
    """True where the text now has, at the place of a change, just what stood there before it."""
    own = [
        Edit(edit.start + moved_by(text.edits, edit.start), edit.added, edit.removed)
        for edit in text.edits
        if edit.change == change
    ]
    start, end = own[0].start, own[-1].end
    near = [edit for edit in since if edit.start <= end and start <= edit.end]
    if not near:
        return False
    first, last = min(start, near[0].start), max(end, near[-1].end)
    lines = made[first:last]
    before = apply_edits(lines, [replace(edit, start=edit.start - first) for edit in own])
    now = apply_edits(lines, [replace(edit, start=edit.start - first) for edit in near])
    return before == now


def _only_ours(path: str, files: Iterable[FileChange], live: MemoryFolder, applied: Mapping[str, Applied]) -> bool:
    """True where a note differs from what the dream read by nothing but what we wrote."""
    if not applied:
        return False
    file = next((file for file in files if path in (file.path, file.old_path)), None)
    if file is None:
        return False
    edits = applied_edits(file, applied)
    named = file.old_path is not None and file.id in applied
    if not edits and file.id not in applied:
        return False
    if file.hunks or named:
        text = applied_text(file, edits) if edits else file.base
        place = file.path if named or file.old_path is None else file.old_path
    else:
        text, place = file.proposed, file.path
    note = live.notes.get(path)
    return (note.data if note is not None else None) == (text if path == place else None)
