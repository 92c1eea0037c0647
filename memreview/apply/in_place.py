"""A folder that a dream edited in place: what HEAD holds of it, and the plan made from that."""

from __future__ import annotations

from functools import partial

from memreview.apply.live import head_like, live_paths, make_live_plan
from memreview.apply.planned import Plan
from memreview.errors import VcsError
from memreview.model.dream import Review
from memreview.model.memory import MemoryFolder
from memreview.model.review import Decisions
from memreview.text import visible
from memreview.vcs.repository import Repository, open_repository
from memreview.vcs.revisions import FolderRevisions


def repository_of(memory_dir: str) -> Repository:
    """The repository of a folder that was edited in place; :class:`VcsError` where there is none."""
    repository = open_repository(memory_dir)
    if repository is None:
        raise VcsError(f"{visible(memory_dir)}: no git repository holds this folder, so nothing can be taken back")
    return repository


def plan_in_place(review: Review, decisions: Decisions, live: MemoryFolder, *, commit: bool) -> Plan:
    """The plan for a folder that was edited in place, with what HEAD holds at this moment."""
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
