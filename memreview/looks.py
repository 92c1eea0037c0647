"""What both faces call about folders that somebody else writes: snapshots, and what changed since one last looked.

As in :mod:`memreview.workflow`, everything that a use case needs is imported inside it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memreview.config import Options
from memreview.dreaming.snapshot import take_snapshot as take_snapshot
from memreview.errors import MemreviewError
from memreview.model.dream import Project
from memreview.model.snapshot import Snapshot

if TYPE_CHECKING:
    from memreview.snapshots.store import Taken


@dataclass(frozen=True, slots=True)
class ProjectSnapshot:
    """The snapshot of one project's memory, or in one line why there is none. ``kept`` counts all that are kept."""

    project: Project
    taken: Taken | None = None
    kept: int = 0
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class KeptSnapshots:
    """The snapshots of one memory folder, newest first; ``project`` is None where the folder is no project's now."""

    memory_dir: str
    snapshots: tuple[Snapshot, ...]
    project: Project | None = None


@dataclass(frozen=True, slots=True)
class Looked:
    """How a memory folder differs from what was last seen of it.

    ``since`` says in words what it is compared with, ``when`` when that was (ISO 8601; None for a commit). Where
    nothing was ever seen, ``since`` is None.
    """

    changed: tuple[str, ...] = ()
    since: str | None = None
    when: str | None = None

    @property
    def known(self) -> bool:
        """True where there is something to compare with."""
        return self.since is not None


def take_snapshots(
    options: Options, names: Sequence[str] = (), progress: Callable[[str], None] | None = None
) -> list[ProjectSnapshot]:
    """Snapshots of all projects that have a memory, or of those that are named."""
    from memreview.snapshots.store import SnapshotStore

    store = SnapshotStore(options.state_dir)
    found: list[ProjectSnapshot] = []
    for project in _projects(options, names):
        if progress is not None:
            progress(project.name)
        try:
            taken = take_snapshot(project, options)
            found.append(ProjectSnapshot(project, taken, len(store.every(project.memory_dir))))
        except MemreviewError as error:
            found.append(ProjectSnapshot(project, problem=str(error)))
    return found


def kept_snapshots(options: Options, names: Sequence[str] = ()) -> list[KeptSnapshots]:
    """What is kept of the projects that are named, else of every folder, those that are gone included."""
    from memreview.snapshots.store import SnapshotStore

    store = SnapshotStore(options.state_dir)
    if names:
        projects = _projects(options, names)
        return [KeptSnapshots(one.memory_dir, store.every(one.memory_dir), one) for one in projects]
    owners = {os.path.realpath(one.memory_dir): one for one in _projects(options, ())}
    rows = [KeptSnapshots(own[0].memory_dir, own, owners.get(own[0].memory_dir)) for own in store.folders()]
    return sorted(rows, key=lambda row: row.memory_dir)


def delete_snapshots(options: Options, name: str, snapshot: str | None = None) -> int:
    """Remove one snapshot of a project, or all; how many went."""
    from memreview.snapshots.store import SnapshotStore

    store = SnapshotStore(options.state_dir)
    project = _projects(options, [name])[0]
    return store.delete([_one(store, project, snapshot)] if snapshot is not None else store.every(project.memory_dir))


def write_snapshot(options: Options, name: str, target: str, snapshot: str | None = None) -> tuple[Snapshot, int]:
    """Write the notes of a snapshot (None: the newest) into a new folder; which it was, and how many notes."""
    from memreview.snapshots.store import NEWEST, SnapshotStore

    store = SnapshotStore(options.state_dir)
    one = _one(store, _projects(options, [name])[0], snapshot or NEWEST)
    return one, store.write_out(one, target)


def look(project: Project, options: Options) -> Looked:
    """How the memory of a project differs from what was last seen: a snapshot, a review, or the latest commit.

    Raises :class:`~memreview.errors.MemreviewError` where the folder or git cannot be read.
    """
    from memreview.read.dream_live import newest_base, read_live_edit
    from memreview.read.memory import read_folder
    from memreview.snapshots.store import SnapshotStore, changed_paths

    store = SnapshotStore(options.state_dir)
    if not _under_git(project.memory_dir) and store.newest(project.memory_dir) is None:
        return Looked()
    folder = read_folder(project.memory_dir, missing_ok=True)
    base = newest_base(folder, store)
    if base is None:
        return Looked()
    made = read_live_edit(folder, base.id if isinstance(base, Snapshot) else base, store)
    when = base.taken if isinstance(base, Snapshot) else None
    return Looked(changed_paths(made.base, made.proposed), made.label, when)


def each_look(options: Options, projects: Sequence[Project]) -> Iterator[tuple[Project, Looked | None]]:
    """:func:`look` for each of these projects, one after another; None where it cannot be read."""
    for project in projects:
        try:
            yield project, look(project, options)
        except MemreviewError:
            yield project, None


def _under_git(folder: str) -> bool:
    """True where a repository may hold a folder; spares starting git where none can."""
    from pathlib import Path

    real = Path(os.path.realpath(folder))
    return any(os.path.lexists(above / ".git") for above in (real, *real.parents))


def _one(store: object, project: Project, name: str) -> Snapshot:
    from memreview.errors import UsageError
    from memreview.snapshots.store import SnapshotStore

    assert isinstance(store, SnapshotStore)
    found = store.find(project.memory_dir, name)
    if found is None:
        raise UsageError(f"{name}: no name of a snapshot; memreview snapshot --list shows them")
    return found


def _projects(options: Options, names: Sequence[str]) -> list[Project]:
    from memreview.read.discover import projects, resolve_project

    if names:
        return [resolve_project(name, options) for name in names]
    return [project for project in projects(options) if os.path.isdir(project.memory_dir)]
