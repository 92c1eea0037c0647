"""A memory folder that was edited in place: what it once held is the base, the files on disk are the proposal.

The base is a commit of the repository that holds it, or a snapshot. Instead of what lies on disk the proposal may be
another commit or snapshot (``A..B``).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memreview.errors import UsageError, VcsError
from memreview.model.finding import Finding, Severity
from memreview.model.memory import MemoryFolder, Note, Stranger
from memreview.model.snapshot import Snapshot
from memreview.read.left_out import (
    GONE,
    covers,
    is_instruction,
    left_out,
    name_strangers,
    reviewable,
    strangers_of,
    why_no_note,
    without_covered,
)
from memreview.read.memory import LINK, is_note_path
from memreview.read.revision_notes import note_files, notes_at
from memreview.snapshots.store import SnapshotStore
from memreview.text import visible
from memreview.vcs.revisions import FolderRevisions, TrackedFile, open_revisions

RANGE = ".."


@dataclass(frozen=True, slots=True)
class LiveEdit:
    """What was edited in place: the notes before and after, what they are compared with in words, and remarks.

    ``snapshot`` is the id of the snapshot that is the base, None where a commit is.
    """

    base: dict[str, Note]
    proposed: dict[str, Note]
    label: str
    findings: tuple[Finding, ...]
    snapshot: str | None = None


@dataclass(frozen=True, slots=True)
class _Side:
    """One state of a folder: a snapshot, or the tree of a commit."""

    snapshot: Snapshot | None = None
    commit: str | None = None

    @property
    def label(self) -> str:
        return self.snapshot.id if self.snapshot is not None else (self.commit or "")[:12]


def read_live_edit(folder: MemoryFolder, since: str | None, store: SnapshotStore) -> LiveEdit:
    """Compare a folder with what ``since`` names: a revision, a snapshot, or two of these with ``..`` between.

    None means HEAD, or the newest snapshot that was looked at, where HEAD has not moved since or there is none.
    Raises :class:`VcsError` where nothing tells what was there before, :class:`UsageError` for an unknown name.
    """
    revisions = open_revisions(folder.real_path)
    if since is not None and RANGE in since:
        first, last = _range(since, folder, revisions, store)
        return _between(folder, first, last, revisions, store)
    side = _base(since, folder, revisions, store)
    if side.snapshot is not None:
        return _since_snapshot(folder, side.snapshot, store)
    assert revisions is not None
    assert side.commit is not None
    return _since_commit(folder, side.commit, revisions)


def newest_base(folder: MemoryFolder, store: SnapshotStore) -> Snapshot | str | None:
    """What a folder is compared with where nothing is named: a snapshot, the id of a commit, or None."""
    side = _default(folder, open_revisions(folder.real_path), store)
    return side.snapshot or side.commit


def _base(since: str | None, folder: MemoryFolder, revisions: FolderRevisions | None, store: SnapshotStore) -> _Side:
    if since is not None:
        return _named(since, folder, revisions, store)
    side = _default(folder, revisions, store)
    if side.snapshot is None and side.commit is None:
        if revisions is not None:
            revisions.resolve(None)
        raise VcsError(
            f"{folder.path}: no git repository holds this folder and no snapshot of it was taken, so nothing tells "
            "what was there before; memreview snapshot takes one for the next time; now compare with a copy: "
            "--base COPY --proposed FOLDER"
        )
    return side


def _default(folder: MemoryFolder, revisions: FolderRevisions | None, store: SnapshotStore) -> _Side:
    newest = store.newest(folder.real_path)
    head = _head(revisions)
    if head is None:
        return _Side(snapshot=newest)
    # Clocks tell little about which of the two is newer; that no commit came since tells it.
    if newest is not None and newest.kind.looked and revisions is not None and newest.head == revisions.last():
        return _Side(snapshot=newest)
    return _Side(commit=head)


def _head(revisions: FolderRevisions | None) -> str | None:
    try:
        return revisions.resolve(None) if revisions is not None else None
    except VcsError:
        return None


def _named(name: str, folder: MemoryFolder, revisions: FolderRevisions | None, store: SnapshotStore) -> _Side:
    snapshot = store.find(folder.real_path, name)
    if snapshot is not None and snapshot.partial:
        raise UsageError(
            f"{snapshot.id}: this holds only what was taken back, not the whole folder; "
            "memreview snapshot --write puts it into a folder"
        )
    if snapshot is not None:
        return _Side(snapshot=snapshot)
    if revisions is None:
        raise VcsError(
            f"{folder.path}: no git repository holds this folder, so {visible(name)} names nothing; "
            "memreview snapshot --list shows what it can be compared with"
        )
    return _Side(commit=revisions.resolve(name))


def _range(
    since: str, folder: MemoryFolder, revisions: FolderRevisions | None, store: SnapshotStore
) -> tuple[_Side, _Side]:
    """Both ends of ``A..B``, or of ``A...B``: from where the two histories part."""
    forked = "..." in since
    first, last = since.split("..." if forked else RANGE, 1)
    if RANGE in last:
        raise UsageError(f"{visible(since)}: more than one '..'; name one range, such as main..dream")
    sides = [_named(name or "HEAD", folder, revisions, store) for name in (first, last)]
    if forked:
        commits = [side.commit for side in sides]
        if revisions is None or commits[0] is None or commits[1] is None:
            raise UsageError(f"{visible(since)}: '...' stands between two commits; use '..' here")
        sides[0] = _Side(commit=revisions.merge_base(commits[0], commits[1]))
    return sides[0], sides[1]


def _since_commit(folder: MemoryFolder, commit: str, revisions: FolderRevisions) -> LiveEdit:
    tracked = revisions.files(commit)
    strangers = strangers_of(folder)
    on_disk = reviewable(folder.notes)
    linked = [Stranger(path, LINK) for path, file in tracked.items() if not file.is_file and is_note_path(path)]
    base = without_covered(notes_at(revisions, commit, on_disk), strangers)
    proposed = without_covered(on_disk, linked)
    findings = [
        *name_strangers(
            {known.path: known for known in (*linked, *strangers)}.values(),
            lambda stranger: _unchanged(stranger, tracked, revisions, folder),
        ),
        *_gone(tracked, folder),
    ]
    if not note_files(tracked) and on_disk:
        findings.append(
            Finding(
                "nothing-tracked",
                Severity.WARNING,
                f"{commit[:12]} holds no note of {folder.path}: every note counts as added",
            )
        )
    return LiveEdit(base, proposed, f"since {commit[:12]}", tuple(findings))


def _since_snapshot(folder: MemoryFolder, snapshot: Snapshot, store: SnapshotStore) -> LiveEdit:
    strangers = strangers_of(folder)
    known = {(one.path, one.reason) for one in snapshot.strangers}
    kept = store.notes(snapshot)
    base = without_covered(reviewable(kept), strangers)
    proposed = without_covered(reviewable(folder.notes), snapshot.strangers)
    # The bytes of what is no note are not in a snapshot, so only what came or became something else can be named.
    findings = name_strangers(
        strangers, lambda one: (one.path, one.reason) in known or _same_instructions(one.path, kept, folder)
    )
    findings += [
        left_out(one.path, GONE)
        for one in snapshot.strangers
        if one.path != ".git" and not os.path.lexists(os.path.join(folder.real_path, one.path))
    ]
    return LiveEdit(base, proposed, f"since {snapshot.id} ({snapshot.kind.value})", tuple(findings), snapshot.id)


def _same_instructions(path: str, kept: Mapping[str, Note], folder: MemoryFolder) -> bool:
    old, new = kept.get(path), folder.notes.get(path)
    return old is not None and new is not None and old.data == new.data


def _between(
    folder: MemoryFolder, first: _Side, last: _Side, revisions: FolderRevisions | None, store: SnapshotStore
) -> LiveEdit:
    """What came from one state to another; what lies on disk is neither of them."""
    on_disk = reviewable(folder.notes)
    notes: list[dict[str, Note]] = []
    trees: list[Mapping[str, TrackedFile]] = []
    for side in (first, last):
        if side.snapshot is not None:
            notes.append(reviewable(store.notes(side.snapshot)))
            trees.append({})
        else:
            assert revisions is not None
            assert side.commit is not None
            notes.append(notes_at(revisions, side.commit, on_disk))
            trees.append(revisions.files(side.commit))
    findings = _others_between(*trees) if all(side.commit for side in (first, last)) else []
    hidden = [strangers_of(folder), *(_links(tree) for tree in trees)]
    base, proposed = notes
    for strangers in hidden:
        base, proposed = without_covered(base, strangers), without_covered(proposed, strangers)
    label = f"from {first.label} to {last.label}"
    snapshot = first.snapshot.id if first.snapshot is not None else None
    return LiveEdit(base, proposed, label, tuple(findings), snapshot)


def _links(tree: Mapping[str, TrackedFile]) -> list[Stranger]:
    return [Stranger(path, LINK) for path, file in tree.items() if not file.is_file]


def _others_between(before: Mapping[str, TrackedFile], after: Mapping[str, TrackedFile]) -> list[Finding]:
    """Files of two commits that are no notes and not the same in both."""
    paths: Iterable[str] = sorted({*before, *after})
    found: list[Finding] = []
    for path in paths:
        old, new = before.get(path), after.get(path)
        linked = any(file is not None and not file.is_file for file in (old, new))
        reason = LINK if linked else why_no_note(path)
        if reason is not None and old != new:
            found.append(left_out(path, reason if new is not None else GONE))
    return found


def _unchanged(
    stranger: Stranger, tracked: Mapping[str, TrackedFile], revisions: FolderRevisions, folder: MemoryFolder
) -> bool:
    """True for what the commit holds just so; a folder must hold the same files."""
    place = os.path.join(folder.real_path, stranger.path)
    if os.path.isdir(place) and not os.path.islink(place):
        below = [
            os.path.relpath(os.path.join(top, name), folder.real_path)
            for top, _, names in os.walk(place)
            for name in names
        ]
        known = [path for path in tracked if path.startswith(stranger.path + "/")]
        return sorted(below) == sorted(known) and all(_same_file(path, tracked, revisions, folder) for path in below)
    return _same_file(stranger.path, tracked, revisions, folder)


def _same_file(path: str, tracked: Mapping[str, TrackedFile], revisions: FolderRevisions, folder: MemoryFolder) -> bool:
    """True where one file or link is what the commit holds."""
    file = tracked.get(path)
    place = os.path.join(folder.real_path, path)
    if file is None:
        return False
    if os.path.islink(place):
        return not file.is_file and revisions.blobs([file.oid])[file.oid] == os.fsencode(os.readlink(place))
    readable = os.path.isfile(place) and os.access(place, os.R_OK)
    return file.is_file and readable and revisions.ids_on_disk([path])[path] == file.oid


def _gone(tracked: Mapping[str, TrackedFile], folder: MemoryFolder) -> list[Finding]:
    """Tracked files that are no notes and no longer on disk."""
    return [
        left_out(path, GONE)
        for path in tracked
        if (not is_note_path(path) or is_instruction(path))
        and not os.path.lexists(os.path.join(folder.real_path, path))
        and covers(folder.strangers, path) is None
    ]
