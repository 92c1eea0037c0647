"""What both faces call: the use cases of memreview, without a screen.

Everything that a use case needs is imported inside it, so that a command loads no more than it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memreview.auditing.use import audit as audit
from memreview.auditing.use import each_audit as each_audit
from memreview.auditing.use import find as find
from memreview.auditing.use import offer_sentences as offer_sentences
from memreview.auditing.use import propose as propose
from memreview.auditing.use import propose_text as propose_text
from memreview.auditing.use import remedies as remedies
from memreview.auditing.use import usual_remedies as usual_remedies
from memreview.auditing.use import write_period as write_period
from memreview.auditing.use import write_sentences as write_sentences
from memreview.config import Options
from memreview.errors import MemreviewError, RefusedError
from memreview.listing import find_dreams as find_dreams
from memreview.listing import index_state, read_memory
from memreview.listing import last_opened as last_opened
from memreview.listing import list_projects as list_projects
from memreview.listing import projects_with_memory as projects_with_memory
from memreview.model.dream import Project, Review, Target, TargetKind

if TYPE_CHECKING:
    from memreview.apply.planned import Plan
    from memreview.apply.result import ApplyResult
    from memreview.auditing.project import ProjectReport
    from memreview.auditing.retention import EvidenceReport
    from memreview.checks.index import IndexState
    from memreview.model.finding import Finding
    from memreview.model.memory import MemoryFolder
    from memreview.model.review import Decisions
    from memreview.read.citations import Linked
    from memreview.read.dreams import Proposal
    from memreview.report.overview import Preview

CUT_OFF = "apply-cut-off"
"""Rule of the findings that tell of an apply that was cut off."""

IGNORED = "ignored-by-git"
"""Rule of the finding that names notes which the repository around them ignores."""

NO_COMMIT = "no commit"
"""What is saved in place of a commit's id where notes were written without one."""


def open_review(
    target: Target,
    options: Options,
    *,
    recover: bool = False,
    wait: float | None = None,
    early: Callable[[Review], None] | None = None,
) -> Review:
    """Read a proposal with everything that is known about it; nothing is written but the cache.

    What an earlier apply of the same review carried out is known as applied, and in no conflict with itself.

    ``early`` is called with the review as far as it is known before CHANGES.md is read and its citations are looked
    up, which takes as long again on a large proposal; where there is none, it is not called.
    An apply that was cut off in the memory folder is a finding; with ``recover`` it is finished or undone first, after
    waiting for up to ``wait`` seconds (None: the usual time) for the lock of one that may be at work.
    Raises :class:`~memreview.errors.TargetError` for what is not there, :class:`~memreview.errors.DreamError` for an
    output that cannot be trusted, :class:`~memreview.errors.VcsError` for what git does not tell.
    """
    from memreview.apply.standing import with_standing
    from memreview.read.dreams import read_proposal
    from memreview.review.store import DecisionStore

    proposal = read_proposal(target, options)
    memory_dir = target.live or proposal.project.memory_dir
    cut_off = _recovered(memory_dir, options, wait) if recover else _cut_off(memory_dir)
    if cut_off and recover:
        proposal = read_proposal(target, options)
    review = Review(
        id=f"{target.kind.value}:{target.label}",
        target=target,
        project=proposal.project,
        files=proposal.files,
        run=proposal.run,
        findings=(*cut_off, *proposal.findings),
        moved_since=proposal.moved_since,
        notes=tuple(proposal.base),
        memory={path: note.data for path, note in proposal.base.items()},
        snapshot=proposal.snapshot,
    )
    review = with_standing(review, proposal.live, DecisionStore(options.state_dir).carried(review))
    if review.stale:
        from memreview.apply.moved import moved_findings

        review = replace(review, findings=(*review.findings, *moved_findings(review, proposal.live)))
    cites = bool((proposal.changes_text or "").strip())
    if not cites and target.kind is not TargetKind.LIVE:
        return _with_git_remarks(review, memory_dir)
    if early is not None:
        early(review)
    review = _with_git_remarks(review, memory_dir)
    if cites:
        review = _with_citations(review, _linked(proposal, options))
    if target.kind is TargetKind.LIVE:
        from memreview.evidence.writers import cite_writers

        review = cite_writers(review, options)
    return review


def _with_citations(review: Review, linked: Linked) -> Review:
    """The review with what CHANGES.md says of it."""
    return replace(
        review,
        entries=linked.entries,
        citations=linked.citations,
        references=linked.references,
        explained_by=linked.explained_by,
    )


def _with_git_remarks(review: Review, memory_dir: str) -> Review:
    """The review with a finding where the repository around the notes ignores some that would be committed."""
    from memreview.apply.git_state import ADD_IGNORED, find_ignored, named
    from memreview.model.finding import Finding, Severity

    paths = dict.fromkeys(path for file in review.files for path in (file.path, file.old_path) if path)
    ignored = find_ignored(memory_dir, paths)
    if not ignored:
        return review
    said = (
        f"the repository around {memory_dir} ignores {named(ignored)} and does not hold it yet: "
        f"apply refuses to commit it, but for {ADD_IGNORED}; --no-commit only writes"
    )
    return replace(review, findings=(*review.findings, Finding(IGNORED, Severity.WARNING, said)))


def check_claims(
    review: Review,
    options: Options,
    *,
    everything: bool = False,
    only: Collection[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Review:
    """The review with what the claim check says of every change; reads all transcripts of the project's repository.

    It may take seconds, so it is a step of its own. ``everything`` lists also the claims that the old text made.
    With ``only`` just the changes with these ids are checked; without, what the user asked to be remembered and the
    proposal lacks is listed too.
    ``progress`` is told how many of how many changes are done; what it raises ends the check.
    """
    from memreview.evidence.check import check_review
    from memreview.vcs.lookup import line_dates

    committed = line_dates(review.target.live or review.project.memory_dir)
    checked = check_review(review, options, committed, everything=everything, only=only, progress=progress)
    if only is not None:
        return checked
    from memreview.evidence.unheeded import find_unheeded

    return replace(checked, unheeded=find_unheeded(checked, options))


def _linked(proposal: Proposal, options: Options) -> Linked:
    from memreview.read.citations import link
    from memreview.read.discover import TranscriptFinder, repository_root
    from memreview.vcs.lookup import commit_lookup

    project = proposal.project
    root = repository_root(project, options)
    return link(
        proposal.changes_text or "",
        proposal.files,
        TranscriptFinder(project, options, proposal.target.transcripts),
        repo_root=root,
        memory_dir=project.memory_dir,
        cache_dir=options.cache_dir,
        commit_exists=commit_lookup([folder for folder in (root, project.memory_dir) if folder]),
    )


def _cut_off(memory_dir: str) -> tuple[Finding, ...]:
    from memreview.apply.journal import has_areas
    from memreview.model.finding import Finding, Severity

    if not has_areas(memory_dir):
        return ()
    said = f"an apply in {memory_dir} is at work or was cut off; the next review or apply finishes or undoes it"
    return (Finding(CUT_OFF, Severity.WARNING, said),)


def _recovered(memory_dir: str, options: Options, wait: float | None) -> tuple[Finding, ...]:
    from memreview.apply.run import recover_folder
    from memreview.lock import DEFAULT_WAIT
    from memreview.model.finding import Finding, Severity

    recoveries = recover_folder(memory_dir, options, DEFAULT_WAIT if wait is None else wait)
    told = [line for recovery in recoveries for line in recovery.messages]
    return tuple(Finding(CUT_OFF, Severity.WARNING, line) for line in told)


def apply_review(
    review: Review,
    decisions: Decisions,
    options: Options,
    *,
    dry_run: bool = False,
    no_commit: bool = False,
    init: bool = False,
    message: str | None = None,
    add_ignored: bool = False,
    wait: float | None = None,
) -> ApplyResult:
    """Carry out decisions in the real folder, and commit them.

    ``add_ignored`` commits also notes that the repository around them ignores. ``wait`` are seconds to wait for another
    process's lock (None: the usual time). Where an accepted change conflicts,
    nothing is written and the result names the conflicts. That they were carried out is saved with the decisions, and
    so are the errors of the claim check that changes are accepted with.
    Raises what :func:`memreview.apply.run.apply` raises, and :class:`~memreview.errors.RefusedError` for the proposal
    of a run that did not finish.
    """
    if review.run.barred is not None:
        raise RefusedError(f"{review.target.label}: {review.run.barred}; it can be looked at, not applied")
    from memreview.apply.result import ConflictError
    from memreview.apply.run import apply
    from memreview.lock import DEFAULT_WAIT
    from memreview.review.claims import despite_errors

    decisions = despite_errors(review, decisions)
    try:
        result = apply(
            review,
            decisions,
            options,
            read=read_memory,
            dry_run=dry_run,
            no_commit=no_commit,
            init=init,
            message=message,
            add_ignored=add_ignored,
            wait=DEFAULT_WAIT if wait is None else wait,
        )
    except ConflictError as error:
        return error.result
    if result.commit is not None:
        from memreview.evidence.after_commit import keep_evidence

        fault = keep_evidence(review, decisions, options, result.commit)
        if fault is not None:
            result = replace(result, notes=(*result.notes, fault))
    if not dry_run:
        result = _with_declined(review, decisions, options, result)
    if not dry_run and (result.commit or result.written or result.deleted or result.snapshot):
        return _remembered(review, decisions, options, result)
    return result


def _with_declined(review: Review, decisions: Decisions, options: Options, result: ApplyResult) -> ApplyResult:
    """Remember what was declined, so that the next pass does not propose it again."""
    from memreview.review.declined import DeclinedStore, declined_of, taken_of

    try:
        store = DeclinedStore(options.state_dir)
        store.remember(review.project, declined_of(review, decisions), taken_of(review, decisions))
    except OSError as error:
        told = f"what was declined could not be saved in {options.state_dir}: {error.strerror or error}"
        return replace(result, notes=(*result.notes, told))
    return result


def _remembered(review: Review, decisions: Decisions, options: Options, result: ApplyResult) -> ApplyResult:
    """Save that ``decisions`` were carried out; what was written stands also where that cannot be saved."""
    from memreview.apply.plan import accepts
    from memreview.model.review import Applied, Decisions
    from memreview.review.index import index_of
    from memreview.review.store import DecisionStore

    index = index_of(review)
    taken = {
        unit.id: Applied(decision, result.commit)
        for unit in index.units
        if accepts(decision := index.effective(decisions, unit)) and decision and unit.id not in review.applied
    }
    # Without a commit or a snapshot, what was accepted in place is no nearer to the base than it was.
    carried = taken if result.commit or result.snapshot or review.target.kind is not TargetKind.LIVE else {}
    store = DecisionStore(options.state_dir)
    state = store.load(review)
    both = Decisions({**state.decisions.by_id, **decisions.by_id}, {**state.decisions.mends, **decisions.mends})
    try:
        known = replace(review, applied={**review.applied, **taken})
        store.save(known, replace(state, decisions=both), result.commit or NO_COMMIT, carried)
    except MemreviewError as error:
        return replace(result, notes=(*result.notes, str(error)))
    return result


def preview(review: Review, decisions: Decisions, options: Options) -> Preview:
    """What :func:`apply_review` would do now; nothing is written.

    Raises :class:`~memreview.errors.RefusedError` for a change that may not be written.
    """
    from memreview.apply.git_state import git_state
    from memreview.apply.message import review_message
    from memreview.apply.run import memory_dir_of
    from memreview.report.overview import Preview

    memory_dir = memory_dir_of(review)
    live = read_memory(memory_dir)
    in_place = review.target.kind is TargetKind.LIVE
    plan = _plan(review, decisions, live, options)
    git = git_state(memory_dir, plan, live)
    return Preview(
        written=tuple(file.path for file in plan.writes),
        deleted=tuple(file.path for file in plan.deletes),
        conflicts=plan.conflicts,
        before=_index_of(live, {}),
        after=_index_of(live, {file.path: file.new for file in plan.files}),
        message=review_message(review, plan),
        repository=git.top,
        uncommitted=() if in_place else git.uncommitted,
        ignored=git.ignored,
        applied=plan.applied,
        rejected=plan.rejected,
        snapshots=in_place and review.snapshot is not None and git.top is None,
    )


def retention(
    options: Options,
    names: Sequence[str] = (),
    *,
    settings: str | None = None,
    progress: Callable[[int, int, int], None] | None = None,
) -> EvidenceReport:
    """What every note rests on and for how long, see :func:`memreview.auditing.use.retention`.

    git is asked only of folders whose commits keep evidence.
    """
    from memreview.auditing.use import retention as report
    from memreview.evidence.sessions import kept_sessions

    return report(options, names, settings=settings, progress=progress, kept=kept_sessions)


def project_report(
    options: Options,
    project: Project,
    *,
    traces: bool = False,
    progress: Callable[[int, int, int], None] | None = None,
) -> ProjectReport:
    """All that is known of one project, see :func:`memreview.auditing.project.report_on`.

    git is asked only where commits keep evidence, and only with ``traces``.
    """
    from memreview.auditing.use import project_report as report
    from memreview.evidence.sessions import kept_sessions

    return report(options, project, traces=traces, progress=progress, kept=kept_sessions if traces else None)


def _plan(review: Review, decisions: Decisions, live: MemoryFolder, options: Options) -> Plan:
    if review.target.kind is TargetKind.LIVE:
        from memreview.apply.in_place import plan_in_place
        from memreview.snapshots.store import SnapshotStore

        return plan_in_place(review, decisions, live, SnapshotStore(options.state_dir), commit=True)
    from memreview.apply.plan import make_plan

    return make_plan(review, decisions, live)


def _index_of(live: MemoryFolder, changed: Mapping[str, bytes | None]) -> IndexState | None:
    """The index of a folder after changes to it, None where there is none before and after."""
    from memreview.model.memory import INDEX_NAME

    if INDEX_NAME not in live.notes and changed.get(INDEX_NAME) is None:
        return None
    return index_state(live, changed)
