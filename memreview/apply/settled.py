"""Snapshots that go with an apply: what is taken back is kept first, and what was settled becomes the new base.

In a folder without git the newest snapshot has the part of HEAD. Under git it follows where it was the base.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from memreview.apply.journal import Area, GitJournal
from memreview.apply.live import make_live_plan
from memreview.apply.planned import Plan, PlannedFile
from memreview.apply.request import NoCommits, Request
from memreview.apply.result import ApplyResult
from memreview.errors import MemreviewError, RefusedError
from memreview.model.memory import MemoryFolder, Note
from memreview.model.snapshot import Snapshot, SnapshotKind
from memreview.snapshots.store import SnapshotStore
from memreview.text import visible


def in_snapshots(request: Request) -> bool:
    """True where a folder was edited in place and only snapshots tell what was there before."""
    if not request.in_place or request.review.snapshot is None:
        return False
    from memreview.apply.in_place import kept_by_snapshots

    if not kept_by_snapshots(request.review, request.memory_dir):
        return False
    if request.init:
        raise RefusedError(
            f"{visible(request.memory_dir)}: --init would commit what was not reviewed yet; apply first, then put the "
            "folder under git"
        )
    return True


class SavedNotes(NoCommits):
    """A :class:`~memreview.apply.request.Committer` that keeps what is about to be taken back in a snapshot."""

    def __init__(self, request: Request, plan: Plan) -> None:
        self._request = request
        self._plan = plan

    def prepare(self, area: Area) -> GitJournal | None:
        """Keep the notes that change, with their bytes on the disk before anything is written."""
        notes = {file.path: file.old for file in self._plan.files if file.old is not None}
        if notes:
            folder = self._request.memory_dir
            real = self._request.read(folder).real_path
            kept = SnapshotStore(self._request.state_dir).put(
                MemoryFolder(folder, real, notes), SnapshotKind.SAVED, head=None
            )
            self.before_ref = kept.id
            self.remarks = (f"the notes as they were on disk are kept in the snapshot {kept.id}",)
        return None


@dataclass(frozen=True, slots=True)
class Settled:
    """How things stood before an apply: the newest snapshot, whether it was the base, whether git holds the folder."""

    newest: Snapshot | None = None
    is_base: bool = False
    under_git: bool = False


def settled_so_far(request: Request) -> Settled:
    """Look at snapshots and git before anything is written."""
    from memreview.vcs.revisions import open_revisions

    if not request.state_dir:
        return Settled(under_git=True)
    try:
        newest = SnapshotStore(request.state_dir).newest(request.memory_dir)
        if newest is None and not request.no_commit:
            return Settled(under_git=True)
        revisions = open_revisions(request.memory_dir)
        if revisions is None:
            return Settled(newest, is_base=True)
        looked = newest is not None and newest.kind.looked
        return Settled(newest, looked and newest is not None and newest.head == revisions.last(), under_git=True)
    except MemreviewError:
        # Whatever git has to say is said by the commit; without an answer no snapshot follows.
        return Settled(under_git=True)


def with_snapshot(request: Request, plan: Plan, result: ApplyResult, before: Settled) -> ApplyResult:
    """Let the newest snapshot follow what was carried out; what was written stands also where that fails."""
    if before.under_git and not (before.is_base and result.commit):
        return result
    store = SnapshotStore(request.state_dir)
    try:
        if before.newest is None:
            return replace(result, snapshot=_first(request, plan, store))
        notes = _followed(request, plan, store.notes(before.newest))
        if notes is None:
            return result
        head = _head(request.memory_dir) if before.under_git else None
        folder = MemoryFolder(request.memory_dir, before.newest.memory_dir, notes, before.newest.strangers)
        return replace(result, snapshot=store.put(folder, SnapshotKind.REVIEWED, head=head).id)
    except MemreviewError as error:
        return replace(result, notes=(*result.notes, str(error)))


def _first(request: Request, plan: Plan, store: SnapshotStore) -> str | None:
    """A first snapshot of a folder without git, as the apply left it: so the next change in it can be seen."""
    if request.in_place or not plan.files:
        return None
    return store.take(lambda: request.read(request.memory_dir), SnapshotKind.REVIEWED).snapshot.id


def _followed(request: Request, plan: Plan, notes: dict[str, Note]) -> dict[str, Note] | None:
    """The notes of a snapshot with what was carried out; None where that changes nothing in it, or does not fit."""
    changed: tuple[PlannedFile, ...]
    if request.in_place:
        texts = {path: note.data for path, note in notes.items()}
        live = request.read(request.memory_dir)
        wanted = make_live_plan(request.review, request.decisions, live, texts)
        changed = () if wanted.conflicts else wanted.committed or ()
    else:
        changed = tuple(file for file in plan.files if _data(notes.get(file.path)) == _data(file.old))
    for file in changed:
        like = file.old or file.like
        if file.new is None:
            notes.pop(file.path, None)
        else:
            notes[file.path] = Note(file.path, file.new, like.mode if like is not None else 0o644)
    return dict(sorted(notes.items())) if changed else None


def _data(note: Note | None) -> bytes | None:
    return note.data if note is not None else None


def _head(memory_dir: str) -> str | None:
    from memreview.vcs.revisions import open_revisions

    revisions = open_revisions(memory_dir)
    return revisions.last() if revisions is not None else None
