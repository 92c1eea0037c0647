"""What both faces call between two dreams: the nightly check, keeping evidence, the past reviews and the way back.

As in :mod:`memreview.workflow`, everything that a use case needs is imported inside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from memreview.config import Options
from memreview.errors import MemreviewError
from memreview.model.dream import Project, Target
from memreview.nightly import CheckedMemory as CheckedMemory
from memreview.nightly import advice_by_line as advice_by_line
from memreview.nightly import check as check
from memreview.nightly import check_project as check_project
from memreview.nightly import last_check as last_check
from memreview.nightly import notes_to_review as notes_to_review
from memreview.nightly import review_queue as review_queue
from memreview.nightly import verify_lines as verify_lines

if TYPE_CHECKING:
    from memreview.checks.after import After
    from memreview.checks.period import Period
    from memreview.evidence.keep_notes import KeptNotes
    from memreview.evidence.undo import PastReview, Piece, Reverted, TakingBack
    from memreview.model.kept import KeptChange, KeptEvidence, KeptRecord, LineOrigin


def propose_unpinning(checked: CheckedMemory, folder: str) -> bool:
    """Write what the check advises to unpin as a proposal that can be reviewed, into a new folder; False where
    there is nothing. Raises :class:`~memreview.errors.MemreviewError` where it cannot be written."""
    from memreview.evidence.unpinning import write_proposal
    from memreview.read.memory import read_folder

    return write_proposal(folder, read_folder(checked.project.memory_dir), checked.advised)


def unpinning(checked: CheckedMemory, options: Options) -> Target:
    """What the check advises to unpin as a proposal below the state folder, for a review to open.

    Raises :class:`~memreview.errors.RefusedError` where nothing is to be unpinned, or nothing can be written.
    """
    from memreview.evidence.unpinning import proposal
    from memreview.read.memory import read_folder

    memory = read_folder(checked.project.memory_dir)
    now = checked.still({path: note.data for path, note in memory.notes.items()})
    return proposal(checked.project, memory, now.advised, options)


def keep_evidence(
    options: Options, names: Sequence[str] = (), *, everything: bool = False, now: float | None = None
) -> list[KeptNotes]:
    """Keep, with the latest commit of each memory, the evidence of notes whose transcripts are about to be swept.

    ``everything`` keeps that of all lines that something backs. What is kept already is left alone.
    """
    from memreview.auditing.audit import Auditor, Request
    from memreview.checks.retention import EXPIRING_DAYS, age_in_days
    from memreview.evidence.keep_notes import KeptNotes, keep_notes
    from memreview.read.memory import read_folder

    auditor = Auditor(options, Request(now=now, traces=False))
    done: list[KeptNotes] = []
    for one in check(options, names, now=now):
        folder = auditor.folders.by_name.get(one.project.name)
        period = auditor.period(folder) if folder is not None else None

        def is_due(mtime: float, period: Period | None = period) -> bool:
            if everything or period is None or not period.valid:
                return everything
            return period.days - age_in_days(mtime, auditor.now) <= EXPIRING_DAYS

        try:
            if one.problem is not None:
                raise MemreviewError(one.problem)
            memory = read_folder(one.project.memory_dir)
            done.append(keep_notes(one.project, options, memory, one.advised, is_due))
        except MemreviewError as error:
            done.append(KeptNotes(one.project, problem=str(error)))
    return done


def past_reviews(project: Project, limit: int | None = None) -> list[PastReview]:
    """The commits that changed notes of a memory, newest first, with the evidence kept of each; ``limit`` of them.

    Raises :class:`~memreview.errors.RefusedError` where the folder is not under git.
    """
    return list(each_past_review(project, limit))


def each_past_review(project: Project, limit: int | None = None) -> Iterator[PastReview]:
    """The same, one after another: each takes some calls of git."""
    from memreview.evidence.show import store_of
    from memreview.evidence.undo import History

    yield from History(project, store_of(project)).each(limit)


def taking_back(project: Project, commit: str, changes: Sequence[str] = ()) -> TakingBack:
    """What :func:`revert` would do, as a review, to be shown before it is done; nothing is read but the commit."""
    from memreview.evidence.show import store_of
    from memreview.evidence.undo import History

    history = History(project, store_of(project))
    return history.taking_back(history.past(commit), changes)


def revert(
    project: Project,
    commit: str,
    options: Options,
    changes: Sequence[str] = (),
    *,
    reason: str | None = None,
    dry_run: bool = False,
    wait: float | None = None,
) -> Reverted:
    """Take back a commit, or the ``changes`` of it (ids, or the beginnings of some), merged with what stands now.

    Where later edits overlap, nothing is written and ``result.conflicts`` say where. Raises what apply raises.
    """
    from memreview.apply.result import ConflictError
    from memreview.apply.run import recover_folder
    from memreview.evidence.show import store_of
    from memreview.evidence.undo import History, Reverted
    from memreview.lock import DEFAULT_WAIT

    patience = DEFAULT_WAIT if wait is None else wait
    recover_folder(project.memory_dir, options, patience)
    history = History(project, store_of(project))
    past = history.past(commit)
    try:
        done = history.revert(past, changes, options, reason=reason, dry_run=dry_run, wait=patience)
    except ConflictError as error:
        return Reverted(past, past.pieces, error.result)
    if not dry_run and done.result.commit is not None:
        _note_declined(project, options, done.pieces)
    return done


def _note_declined(project: Project, options: Options, pieces: Sequence[Piece]) -> None:
    """What was taken back is declined, too: the next pass is told. That it cannot be noted is no error."""
    from contextlib import suppress
    from datetime import UTC, datetime

    from memreview.review.declined import Declined, DeclinedStore

    when = datetime.now(UTC).isoformat(timespec="seconds")
    kept = [piece.kept for piece in pieces if piece.kept is not None]
    rows = [Declined(one.id, one.note, one.removed, one.added, when) for one in kept]
    with suppress(OSError):
        DeclinedStore(options.state_dir).remember(project, rows)


def line_origins(project: Project, note: str) -> tuple[LineOrigin, ...]:
    """For each line of a note: since when it is there, from which session, whose words, verified how.

    Empty where the folder is not under git or has no such note.
    """
    from memreview.evidence.kept_store import open_store
    from memreview.evidence.lines import origins
    from memreview.read.memory import read_folder

    store = open_store(project.memory_dir)
    found = read_folder(project.memory_dir, missing_ok=True).notes.get(note)
    return origins(store, note, found.data) if store is not None and found is not None else ()


def what_followed(
    project: Project, options: Options, line: str, since: str | None, tell: Callable[[int, int], None] | None = None
) -> tuple[After, ...]:
    """What transcripts say of the subject of a line after ``since`` (ISO 8601), marked where it denies or corrects.

    ``tell`` is told how far the search is; what it raises ends it.
    """
    from memreview.evidence.aftermath import what_followed as follow

    return follow(project, options, line, since, tell)


def whereabouts(
    project: Project, options: Options, records: Sequence[KeptRecord] = (), places: Sequence[str] = ()
) -> Mapping[str, tuple[str, int]]:
    """Where kept records, and places written as citations are, can be looked at now: path and line by place."""
    from memreview.evidence.whereabouts import whereabouts as look

    return look(project, options, records, places)


def kept_change(project: Project, commit: str, change: str) -> tuple[KeptEvidence, KeptChange] | None:
    """The change with this id as it was kept with a commit, in its evidence; None where it was forgotten."""
    from memreview.evidence.show import store_of

    for evidence in store_of(project).of_commit(commit):
        for one in evidence.changes:
            if one.id == change:
                return evidence, one
    return None
