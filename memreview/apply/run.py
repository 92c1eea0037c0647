"""Applying a review: everything in order, under one lock, and all or nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace

from memreview.apply.folder import Folder, refusing, system_message
from memreview.apply.journal import Area, Journal, has_areas, new_area
from memreview.apply.plan import make_plan
from memreview.apply.planned import Plan, PlannedFile
from memreview.apply.recover import STATE_STAYS, Ending, Recovery, kept_messages, recover, roll_back
from memreview.apply.request import Committer, NoCommits, ReadFolder, Request
from memreview.apply.result import ApplyResult, ConflictError, conflict_result, planned_result
from memreview.apply.settled import SavedNotes, in_snapshots, settled_so_far, with_snapshot
from memreview.apply.write import ChangedError, FileEdit, Staged, carry_out, stage
from memreview.config import Options
from memreview.errors import MemreviewError, RefusedError, VcsError
from memreview.lock import DEFAULT_WAIT, await_foreign_lock, foreign_lock, memory_lock
from memreview.model.dream import Review
from memreview.model.review import Decisions
from memreview.snapshots.store import SnapshotStore
from memreview.text import visible

AS_BEFORE = "the folder is as before"


def memory_dir_of(review: Review) -> str:
    """The memory folder that a review is about."""
    return review.target.live or review.project.memory_dir


def apply(
    review: Review,
    decisions: Decisions,
    options: Options,
    *,
    read: ReadFolder,
    dry_run: bool = False,
    no_commit: bool = False,
    init: bool = False,
    message: str | None = None,
    add_ignored: bool = False,
    wait: float = DEFAULT_WAIT,
) -> ApplyResult:
    """Write what was accepted into the real folder and commit it; all of it, or nothing.

    ``read`` reads the folder as it is now. ``add_ignored`` commits also notes that the user's repository ignores.
    ``wait`` are the seconds to wait for another apply, or a dream, that is at work in the folder. With ``dry_run``
    nothing at all changes, not even what an apply left that was cut off; ``ApplyResult.refusal`` says then why the
    commit would be refused. Raises :class:`ConflictError` where accepted changes conflict with the folder,
    :class:`~memreview.errors.LockedError`, :class:`~memreview.errors.VcsError` and
    :class:`~memreview.errors.RefusedError` where nothing could be written; the folder is as before then.
    """
    request = Request(
        review, decisions, memory_dir_of(review), read, no_commit, init, message, add_ignored, options.state_dir
    )
    with memory_lock(request.memory_dir, options.state_dir, wait):
        told: list[str] = []
        if not dry_run:
            told += [line for recovery in recover(request.memory_dir) for line in recovery.messages]
        plan = _plan(request)
        work = not dry_run and not plan.conflicts and _has_work(plan)
        if work and foreign_lock(request.memory_dir) is not None:
            stale = await_foreign_lock(request.memory_dir, wait)
            if stale is not None:
                told.append(f"{visible(stale.path)}: left behind by a dream ({stale.holder}) that no longer runs")
            plan = _plan(request)
        if plan.conflicts:
            raise ConflictError(conflict_result(plan, tuple(told)))
        result = planned_result(plan, tuple(told))
        if not _has_work(plan):
            return result
        if dry_run:
            return replace(result, refusal=_refused(request, plan))
        before = settled_so_far(request)
        return with_snapshot(request, plan, _write(request, plan, result), before)


def recover_folder(memory_dir: str, options: Options, wait: float = DEFAULT_WAIT) -> tuple[Recovery, ...]:
    """Finish or undo an apply that was cut off in a memory folder, before anything else looks at it."""
    if not has_areas(memory_dir):
        return ()
    with memory_lock(memory_dir, options.state_dir, wait):
        return recover(memory_dir)


def _plan(request: Request) -> Plan:
    live = request.read(request.memory_dir)
    if not request.in_place:
        return make_plan(request.review, request.decisions, live)
    from memreview.apply.in_place import plan_in_place

    store = SnapshotStore(request.state_dir)
    return plan_in_place(request.review, request.decisions, live, store, commit=not request.no_commit)


def _refused(request: Request, plan: Plan) -> str | None:
    """Why a real run would commit nothing."""
    if request.no_commit and not request.in_place:
        return None
    if in_snapshots(request):
        return None
    from memreview.apply.committer import refusal

    return refusal(request, plan)


def _has_work(plan: Plan) -> bool:
    return bool(plan.files or plan.committed)


def _write(request: Request, plan: Plan, result: ApplyResult) -> ApplyResult:
    committer: Committer = NoCommits()
    if in_snapshots(request):
        committer = SavedNotes(request, plan)
    elif request.in_place or not request.no_commit:
        from memreview.apply.committer import open_committer

        committer = open_committer(request, plan)
    try:
        with refusing(request.memory_dir), Folder(request.memory_dir) as folder:
            area, journal, staged = _prepare(folder, plan, committer)
            try:
                commit = _carry_out(folder, area, journal, committer, plan.files)
                told = [*committer.remarks, *committer.finish(), *_remarks(folder, plan, staged)]
                try:
                    area.settle()
                except OSError as error:
                    told.append(f"{system_message(error, area.path)}; everything was written, the next apply tidies up")
            finally:
                area.remove_if_settled()
    except BaseException:
        committer.abandon()
        raise
    return replace(result, commit=commit, before_ref=committer.before_ref, notes=(*result.notes, *told))


def _prepare(folder: Folder, plan: Plan, committer: Committer) -> tuple[Area, Journal, Staged]:
    """Write everything that is needed into the area; nothing in the folder, and nothing that git shows, changes."""
    area = new_area(folder.path)
    try:
        if os.fstat(area.folder).st_dev != folder.device:
            raise RefusedError(
                f"{visible(folder.path)}: this is a file system of its own, so notes in it cannot be replaced in one "
                "step; apply from where the folder above it is mounted as well"
            )
        staged = stage(folder, area, [_edit(file) for file in plan.files])
        journal = Journal(
            id=area.name,
            memory=folder.path.rpartition("/")[2],
            started=time.strftime("%Y-%m-%d %H:%M:%S"),
            targets=staged.targets,
            made_folders=staged.made_folders,
            folder_modes=staged.folder_modes,
            git=committer.prepare(area),
        )
        area.write_journal(journal)
    except BaseException:
        area.discard()
        raise
    return area, journal, staged


def _edit(file: PlannedFile) -> FileEdit:
    old = file.old.data if file.old is not None else None
    if file.like is None:
        return FileEdit(file.path, old, file.new)
    same = file.like.data == file.new
    return FileEdit(file.path, old, file.new, file.like.mode, file.like.mtime_ns if same else None)


def _carry_out(
    folder: Folder, area: Area, journal: Journal, committer: Committer, files: Sequence[PlannedFile]
) -> str | None:
    """Write the files and commit them; the commit. Where anything fails, everything is undone."""
    try:
        committer.commit_state()
        carry_out(folder, area, journal)
        return committer.commit_review()
    except BaseException as error:
        recovery = _undo(folder, area, journal, committer, files, error)
        if not isinstance(error, (OSError, MemreviewError)):
            raise
        raise _refusal(folder, error, recovery) from error


def _undo(
    folder: Folder,
    area: Area,
    journal: Journal,
    committer: Committer,
    files: Sequence[PlannedFile],
    error: BaseException,
) -> Recovery:
    try:
        recovery = roll_back(folder, area, journal, Recovery(folder.path, Ending.UNDONE), files)
        if not committer.take_back():
            recovery = replace(recovery, remarks=(*recovery.remarks, STATE_STAYS))
        area.settle()
    except (OSError, MemreviewError) as trouble:
        why = system_message(trouble, folder.path) if isinstance(trouble, OSError) else str(trouble)
        raise RefusedError(
            f"{_line(folder, error)}; not everything could be undone ({why}): the next apply here tries again"
        ) from error
    return recovery


def _line(folder: Folder, error: BaseException) -> str:
    return system_message(error, folder.path) if isinstance(error, OSError) else str(error)


def _refusal(folder: Folder, error: OSError | MemreviewError, recovery: Recovery) -> MemreviewError:
    """The error in one line, with what became of the folder."""
    told = [_line(folder, error)]
    if not isinstance(error, ChangedError):
        told.append(AS_BEFORE)
    told += [*kept_messages(recovery), *recovery.remarks]
    kind = VcsError if isinstance(error, VcsError) else RefusedError
    refusal = kind("; ".join(told))
    refusal.detail = error.detail if isinstance(error, MemreviewError) else ""
    return refusal


def _remarks(folder: Folder, plan: Plan, staged: Staged) -> list[str]:
    """What there is to say of files after they were written."""
    told = [f"{visible(path)}: this had another name (a hard link), which keeps the old text" for path in staged.linked]
    for file in plan.files:
        try:
            found = folder.read(file.path)
        except (OSError, RefusedError):
            found = None
        if (found.data if found is not None else None) != file.new:
            told.append(f"{visible(file.path)}: this was changed again, by a git hook or another session")
    return told
