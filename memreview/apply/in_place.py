"""A folder that a dream edited in place: what HEAD, or a snapshot, holds of it, and the plan made from that."""

from __future__ import annotations

from functools import partial

from memreview.apply.live import head_like, live_paths, make_live_plan
from memreview.apply.planned import Plan
from memreview.errors import VcsError
from memreview.model.dream import Review
from memreview.model.memory import MemoryFolder
from memreview.model.review import Decisions
from memreview.snapshots.store import SnapshotStore
from memreview.text import visible
from memreview.vcs.repository import Repository, open_repository
from memreview.vcs.revisions import FolderRevisions


def repository_of(memory_dir: str) -> Repository:
    """The repository of a folder that was edited in place; :class:`VcsError` where there is none."""
    repository = open_repository(memory_dir)
    if repository is None:
        raise VcsError(f"{visible(memory_dir)}: no git repository holds this folder, so nothing can be taken back")
    return repository


def kept_by_snapshots(review: Review, memory_dir: str) -> bool:
    """True for a folder that no repository holds and of which snapshots tell what was there before."""
    return review.snapshot is not None and open_repository(memory_dir) is None


def plan_in_place(
    review: Review, decisions: Decisions, live: MemoryFolder, store: SnapshotStore, *, commit: bool
) -> Plan:
    """The plan for a folder that was edited in place, with what HEAD, or the newest snapshot, holds at this moment."""
    if kept_by_snapshots(review, live.real_path):
        newest = store.newest(live.real_path)
        notes = store.notes(newest) if newest is not None else {}
        return make_live_plan(review, decisions, live, {path: note.data for path, note in notes.items()})
    if not commit:
        return make_live_plan(review, decisions, live, None)
    repository = repository_of(live.real_path)
    head = repository.head()
    prefix = repository.prefix
    entries = {
        path.removeprefix(prefix): entry
        for path, entry in repository.files_at(head, (prefix + path for path in live_paths(review))).items()
        if entry.mode.startswith("100")
    }
    revisions = FolderRevisions(live.real_path)
    blobs = revisions.blobs(entry.oid for entry in entries.values())
    files = {path: file for file in review.files for path in (file.path, file.old_path) if path}
    heads: dict[str, bytes] = {}
    for path, entry in entries.items():
        heads[path] = head_like(blobs[entry.oid], partial(revisions.checked_out, str(head), path), files[path])
    executable = [path for path, entry in entries.items() if entry.mode == "100755"]
    return make_live_plan(review, decisions, live, heads, executable)
