"""Takes a snapshot of a memory as it stands: asked for, after a look, or before a pass."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from memreview.errors import MemreviewError
from memreview.model.snapshot import SnapshotKind

if TYPE_CHECKING:
    from memreview.config import Options
    from memreview.model.dream import Project
    from memreview.snapshots.store import Taken


def take_snapshot(project: Project, options: Options, kind: SnapshotKind = SnapshotKind.ASKED) -> Taken:
    """Keep the memory of a project as it stands now, in memreview's state folder; nothing is written beside the notes.

    Raises :class:`~memreview.errors.MemreviewError` where the folder is missing or keeps changing, an apply is at work
    in it, or the disk refuses.
    """
    from memreview.apply.journal import refuse_half_written
    from memreview.read.memory import read_folder
    from memreview.snapshots.store import SnapshotStore
    from memreview.vcs.revisions import open_revisions

    refuse_half_written(project.memory_dir)
    head = None
    # Where git does not answer, the snapshot is all that there will be to compare with.
    with suppress(MemreviewError):
        revisions = open_revisions(project.memory_dir)
        head = revisions.last() if revisions is not None else None
    return SnapshotStore(options.state_dir).take(lambda: read_folder(project.memory_dir), kind, head=head)
