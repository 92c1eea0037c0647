"""What goes with a pass besides the pass: a snapshot before it, what was declined earlier, and a line in the book."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from memreview.config import Options
from memreview.dreaming.passes import PassRun, note_pass
from memreview.dreaming.prompt import declined_paragraph
from memreview.dreaming.snapshot import take_snapshot
from memreview.errors import MemreviewError
from memreview.model.dream import Project, Review, TargetKind
from memreview.model.snapshot import SnapshotKind
from memreview.read.dreams import read_proposal
from memreview.read.memory import read_folder
from memreview.review.declined import Declined, DeclinedStore, declined_of
from memreview.review.store import DecisionStore

MOST_REVIEWS: Final = 5
"""Reviews that were never carried out and whose proposals are read again, the latest."""


def snapshot_before(project: Project, options: Options) -> str:
    """Keep the memory as it stands; one sentence on what came of that. A pass goes on where it cannot be kept."""
    try:
        taken = take_snapshot(project, options, SnapshotKind.PASS)
    except MemreviewError as error:
        return f"no snapshot of the memory: {error}"
    return f"the memory as it is now is kept in {taken.snapshot.id}"


def declined_before(project: Project, options: Options) -> str:
    """The paragraph on what the user declined earlier; empty where nothing was."""
    notes = read_folder(project.memory_dir, missing_ok=True).notes
    known = {row.id: row for row in DeclinedStore(options.state_dir).known(project)}
    rows = {row.id: row for row in _left_lying(project, options) if row.id not in known} | known
    return declined_paragraph(sorted(rows.values(), key=lambda row: row.when), [note.data for note in notes.values()])


def _left_lying(project: Project, options: Options) -> Iterator[Declined]:
    """What was rejected in reviews that nobody carried out, as far as their proposals are still there."""
    store = DecisionStore(options.state_dir)
    own = os.path.realpath(project.memory_dir)
    known = [one for one in store.known() if one.counts.rejected and os.path.realpath(one.project.memory_dir) == own]
    for one in known[:MOST_REVIEWS]:
        if one.target.kind is TargetKind.LIVE:
            continue
        try:
            proposal = read_proposal(one.target, options)
        except MemreviewError:
            continue
        review = Review(one.id, one.target, proposal.project, proposal.files)
        yield from declined_of(review, store.load(review).decisions, datetime.fromisoformat(one.when))


def remember(project: Project, options: Options, run: PassRun) -> str | None:
    """Note in the book that a pass ran; what speaks against that, in one sentence."""
    try:
        note_pass(project.memory_dir, options.state_dir, run)
    except OSError as error:
        return f"that this pass ran could not be noted ({error.strerror}); --if-due does not know of it"
    return None
