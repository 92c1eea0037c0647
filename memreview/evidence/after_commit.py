"""What happens right after the commit of an apply: its evidence goes with it. Nothing here can harm the commit."""

from __future__ import annotations

from memreview.apply.run import memory_dir_of
from memreview.config import Options
from memreview.errors import MemreviewError
from memreview.evidence.faults import FAULTS
from memreview.evidence.keep import collect
from memreview.evidence.kept_store import open_store
from memreview.model.dream import Review
from memreview.model.review import Decisions
from memreview.read.memory import read_folder


def keep_evidence(review: Review, decisions: Decisions, options: Options, commit: str) -> str | None:
    """Store the evidence of what ``decisions`` accepted in a note of ``commit``; what went wrong, None if nothing."""
    memory_dir = memory_dir_of(review)
    try:
        store = open_store(memory_dir)
        if store is None:
            return None
        notes = {path: note.data for path, note in read_folder(memory_dir, missing_ok=True).notes.items()}
        store.add(commit, collect(review, decisions, options, notes), options)
    except (MemreviewError, OSError, *FAULTS) as error:
        return (
            f"the commit is made, but its evidence could not be stored with it ({error}); "
            f"memreview evidence keep {review.project.name} stores what the transcripts still hold"
        )
    return None
