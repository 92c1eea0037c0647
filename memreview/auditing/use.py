"""The use cases of the audit, as both faces call them through :mod:`memreview.workflow`.

What a use case needs is imported inside it, so that a command loads no more than it runs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from memreview.config import Options

if TYPE_CHECKING:
    from memreview.auditing.find import Found
    from memreview.auditing.offers import Offer, Offered
    from memreview.auditing.project import ProjectReport
    from memreview.auditing.retention import EvidenceReport, Kept
    from memreview.checks.audited import ProjectAudit
    from memreview.checks.remedies import Remedy
    from memreview.model.dream import Project, Target
    from memreview.model.finding import Finding


def audit(
    options: Options,
    projects_dir: str | None = None,
    names: Sequence[str] = (),
    *,
    settings: str | None = None,
    traces: bool = True,
    progress: Callable[[int, int, int], None] | None = None,
) -> list[ProjectAudit]:
    """What is loaded, lost and provable of every project, by name.

    ``projects_dir`` is the folder with the projects, or one project's own (None: that of the options); ``names`` are
    projects as a person names them, none for all. ``settings`` is what ``claude --settings`` is given. Without
    ``traces`` no transcript is gone through, which is quicker where they are not in the cache; ``progress`` is called
    with those that are done, those to be read and their bytes, before each is read.
    :class:`~memreview.errors.TargetError` for what is not there.
    """
    from memreview.auditing.audit import Auditor, Request
    from memreview.read.discover import resolve_project

    only = tuple(resolve_project(name, options).path for name in names)
    if projects_dir is not None and _is_project(projects_dir, options):
        projects_dir, only = os.path.dirname(projects_dir), (*only, projects_dir)
    return list(Auditor(options, Request(projects_dir, only, settings, traces=traces), progress).audits())


def each_audit(
    options: Options,
    paths: Sequence[str] = (),
    *,
    traces: bool = False,
    progress: Callable[[int, int, int], None] | None = None,
) -> Iterator[ProjectAudit]:
    """Audits one after another, each as soon as it is known: of the folders ``paths``, of all projects for none.

    Folders that are gone are left out. :class:`~memreview.errors.TargetError` where the projects cannot be listed.
    """
    from memreview.auditing.audit import Auditor, Request

    there = tuple(path for path in paths if os.path.isdir(path))
    if paths and not there:
        return
    yield from Auditor(options, Request(None, there, traces=traces), progress).audits()


def project_report(
    options: Options,
    project: Project,
    *,
    traces: bool = False,
    progress: Callable[[int, int, int], None] | None = None,
    kept: Kept | None = None,
) -> ProjectReport:
    """All that is known of one project, see :func:`memreview.auditing.project.report_on`."""
    from memreview.auditing.project import report_on

    return report_on(options, project, traces=traces, progress=progress, kept=kept)


def propose_text(audit: ProjectAudit, path: str, before: bytes, text: bytes, options: Options) -> Target:
    """Write another text of a note as a proposal, for a review to open, see :func:`propose`.

    ``before`` is the text that was edited: what somebody else wrote into the note meanwhile is none of the proposal's.
    """
    from memreview.auditing.proposal import write_proposal
    from memreview.checks.remedies import Remedy, RemedyKind
    from memreview.model.finding import Finding, Severity

    edited = Finding(RemedyKind.EDIT, Severity.INFO, "edited by hand", path)
    remedy = Remedy(RemedyKind.EDIT, f"edit {path}", edited, made={path: text})
    return write_proposal(audit, [remedy], options, {path: before})


def remedies(audit: ProjectAudit, finding: Finding) -> tuple[Remedy, ...]:
    """What can be done about a finding, the usual remedy first; none where a person has to open the file."""
    from memreview.auditing.proposal import remedies_of

    return remedies_of(audit, finding)


def usual_remedies(audit: ProjectAudit) -> tuple[Remedy, ...]:
    """The usual remedy of every finding of an audit that has one."""
    from memreview.auditing.proposal import usual_remedies as usual

    return usual(audit)


def propose(audit: ProjectAudit, chosen: Iterable[Remedy], options: Options) -> Target:
    """Write remedies as a proposal and say what a review opens: ``open_review(propose(…), options)``.

    Nothing of the memory folder changes. :class:`~memreview.errors.RefusedError` where nothing would change.
    """
    from memreview.auditing.proposal import write_proposal

    return write_proposal(audit, chosen, options)


def retention(
    options: Options,
    names: Sequence[str] = (),
    *,
    settings: str | None = None,
    progress: Callable[[int, int, int], None] | None = None,
    kept: Kept | None = None,
) -> EvidenceReport:
    """What every note rests on and how long that stays, of all projects or of those that are named.

    ``progress`` is called with the transcripts that are done, those to be read and their bytes, before each is read.
    ``kept`` tells whose words commits keep.
    """
    from memreview.auditing.audit import Auditor, Request
    from memreview.auditing.retention import evidence_report
    from memreview.read.discover import resolve_project

    only = tuple(resolve_project(name, options).path for name in names)
    return evidence_report(Auditor(options, Request(None, only, settings), progress), kept)


def write_period(options: Options, days: int, now: float) -> tuple[str, str | None]:
    """Set for how long transcripts are kept, in the user's settings; the file, and the backup of what it was.

    Raises :class:`~memreview.errors.RefusedError` where the file does not parse or cannot be written.
    """
    from memreview.auditing.settings_write import write_period as write

    return write(options, days, now)


def _is_project(folder: str, options: Options) -> bool:
    """True for a folder below a ``projects`` folder that holds a memory or transcripts itself."""
    from memreview.read.sessions import list_folder

    if os.path.basename(os.path.dirname(folder)) != "projects" or folder == options.projects_dir:
        return False
    found = list_folder(folder)
    return found.has_memory or bool(found.sessions)


def find(text: str, options: Options, names: Sequence[str] = (), *, limit: int = 20) -> list[Found]:
    """Where a text stands in notes and in what was said, by project: of all projects or of those that are named.

    Reads all transcripts, or their speech where the cache tells where that stands.
    :class:`~memreview.errors.UsageError` for a text without a word.
    """
    from memreview.auditing.find import find_text
    from memreview.read.discover import related_folders, resolve_project

    only: list[str] = []
    for name in names:
        only += related_folders(resolve_project(name, options), options)
    return list(find_text(text, options, None, only, limit))


def offer_sentences(what: Offered, project: Project | None, options: Options) -> Offer:
    """What would be put into a CLAUDE.md, see :func:`memreview.auditing.offers.offer`."""
    from memreview.auditing.offers import offer

    return offer(what, project, options)


def write_sentences(offer: Offer) -> None:
    """Put it there, see :func:`memreview.auditing.offers.write_offer`."""
    from memreview.auditing.offers import write_offer

    write_offer(offer)
