"""Two states of a memory folder → file changes, hunks and changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from memreview.diff.engine import CONTEXT, diff_texts
from memreview.diff.frontmatter import frontmatter_end, is_stamp
from memreview.diff.ids import change_ids, file_id, hunk_id
from memreview.diff.lines import is_binary, split_lines
from memreview.diff.renames import find_renames
from memreview.model.memory import INDEX_NAME, Note
from memreview.model.patch import Change, ChangeKind, Edit, FileChange, Hunk


@dataclass(frozen=True, slots=True)
class _Pair:
    kind: ChangeKind
    path: str
    old: Note | None
    new: Note | None
    similarity: float | None = None

    @property
    def base(self) -> bytes | None:
        return self.old.data if self.old else None

    @property
    def proposed(self) -> bytes | None:
        return self.new.data if self.new else None

    @property
    def binary(self) -> bool:
        return is_binary(self.base) or is_binary(self.proposed)


def compare(base: Mapping[str, Note], proposed: Mapping[str, Note]) -> tuple[FileChange, ...]:
    """What ``proposed`` changes in ``base``; the mappings are by path. The index comes first, then by path.

    Notes whose bytes and modes are equal are left out. A deleted and an added note with (nearly) the same text are one
    renamed note. All ids of the result differ from each other.
    Raises :class:`~memreview.errors.MemreviewError` where git fails.
    """
    pairs = sorted(_pairs(base, proposed), key=lambda pair: (pair.path != INDEX_NAME, pair.path))
    textual = [number for number, pair in enumerate(pairs) if not pair.binary]
    answers = diff_texts([(pairs[number].base or b"", pairs[number].proposed or b"") for number in textual])
    edits = dict(zip(textual, answers, strict=True))
    return tuple(_file_change(pair, edits.get(number, ())) for number, pair in enumerate(pairs))


def _pairs(base: Mapping[str, Note], proposed: Mapping[str, Note]) -> Iterator[_Pair]:
    deleted = {path: note for path, note in base.items() if path not in proposed}
    added = {path: note for path, note in proposed.items() if path not in base}
    renames = find_renames(_renamable(deleted), _renamable(added))
    for rename in renames:
        old, new = deleted.pop(rename.old), added.pop(rename.new)
        yield _Pair(ChangeKind.RENAMED, rename.new, old, new, rename.similarity)
    for path, note in deleted.items():
        yield _Pair(ChangeKind.DELETED, path, note, None)
    for path, note in added.items():
        yield _Pair(ChangeKind.ADDED, path, None, note)
    for path, old in base.items():
        same = proposed.get(path)
        if same is not None and (same.data != old.data or same.mode != old.mode):
            yield _Pair(ChangeKind.MODIFIED, path, old, same)


def _renamable(notes: Mapping[str, Note]) -> dict[str, bytes]:
    return {path: note.data for path, note in notes.items() if not note.is_index}


def _file_change(pair: _Pair, edits: Sequence[Edit]) -> FileChange:
    old_path = pair.old.path if pair.kind is ChangeKind.RENAMED and pair.old else None
    modes = (pair.old.mode, pair.new.mode) if pair.old and pair.new and pair.old.mode != pair.new.mode else (None, None)
    file = FileChange(
        id=file_id(pair.kind, pair.path, old_path, pair.base, pair.proposed),
        path=pair.path,
        kind=pair.kind,
        base=pair.base,
        proposed=pair.proposed,
        old_path=old_path,
        binary=pair.binary,
        old_mode=modes[0],
        new_mode=modes[1],
        similarity=pair.similarity,
    )
    return replace(file, hunks=make_hunks(pair.path, pair.base or b"", pair.proposed or b"", edits)) if edits else file


def make_hunks(path: str, base: bytes, proposed: bytes, edits: Sequence[Edit]) -> tuple[Hunk, ...]:
    """The edits of one note as changes with ids, at most six unchanged lines apart in one hunk."""
    old, new = split_lines(base), split_lines(proposed)
    old_head, new_head = frontmatter_end(old), frontmatter_end(new)
    groups: list[list[Change]] = []
    shift = last_end = 0
    for edit, (change_id, unique) in zip(edits, change_ids(path, old, edits), strict=True):
        new_start = edit.start + shift
        change = Change(
            id=change_id,
            old_start=edit.start,
            new_start=new_start,
            removed=edit.removed,
            added=edit.added,
            unique=unique,
            stamp_only=_is_stamp_only(edit, old_head, new_start + len(edit.added), new_head),
        )
        if groups and edit.start - last_end <= 2 * CONTEXT:
            groups[-1].append(change)
        else:
            groups.append([change])
        last_end = edit.end
        shift += len(edit.added) - len(edit.removed)
    return tuple(_hunk(group, len(old), len(new)) for group in groups)


def _is_stamp_only(edit: Edit, old_head: int, new_end: int, new_head: int) -> bool:
    """True where one ``modified:`` line of the frontmatter is renewed or comes in, and nothing else."""
    return (
        len(edit.removed) <= 1
        and len(edit.added) == 1
        and edit.end < old_head
        and new_end < new_head
        and all(is_stamp(line) for line in (*edit.removed, *edit.added))
    )


def _hunk(changes: Sequence[Change], old_size: int, new_size: int) -> Hunk:
    first, last = changes[0], changes[-1]
    before = min(CONTEXT, first.old_start)
    old_end, new_end = last.edit.end, last.new_start + len(last.added)
    after = min(CONTEXT, old_size - old_end)
    return Hunk(
        id=hunk_id([change.id for change in changes]),
        old_start=first.old_start - before,
        old_count=old_end + after - first.old_start + before,
        new_start=first.new_start - before,
        new_count=min(new_end + after, new_size) - first.new_start + before,
        changes=tuple(changes),
    )
