"""Everything that a screen shows of one project: its audit, its notes as they are, what they rest on, the remedies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memreview.auditing.audit import MAX_NOTE_BYTES, Auditor, Request
from memreview.auditing.retention import Kept, last_sweep
from memreview.checks.audited import ProjectAudit
from memreview.checks.keeping import NoteGrounds, Proposal, grounds_of, propose
from memreview.checks.remarks import written_when
from memreview.checks.remedies import Remedy, remedies
from memreview.config import Options
from memreview.errors import MemreviewError, TargetError
from memreview.model.dream import Project
from memreview.model.finding import Finding
from memreview.read.memory import read_folder
from memreview.read.settings import user_path
from memreview.read.traces import Progress


@dataclass(frozen=True, slots=True)
class ProjectReport:
    """One project. ``notes`` are the bytes of all its Markdown files, also of those that the client would not list.

    ``grounds`` is what each note rests on; sessions that wrote a note are known where ``audit.traced``. ``remedies``
    holds what can be done about a finding, the usual remedy first. ``now`` and ``last_sweep`` are seconds since 1970.
    """

    audit: ProjectAudit
    notes: Mapping[str, bytes] = field(default_factory=dict)
    grounds: Mapping[str, NoteGrounds] = field(default_factory=dict)
    remedies: Mapping[Finding, tuple[Remedy, ...]] = field(default_factory=dict)
    keeping: Proposal | None = None
    last_sweep: float | None = None
    settings: str = ""
    now: float = 0.0


def report_on(
    options: Options,
    project: Project,
    *,
    traces: bool = False,
    progress: Progress | None = None,
    kept: Kept | None = None,
    now: float | None = None,
) -> ProjectReport:
    """Read one project. With ``traces`` all transcripts are gone through for who read and wrote its notes.

    ``kept`` tells whose words commits keep. :class:`TargetError` where the project's folder is gone.
    """
    # A memory that settings put elsewhere is no folder among the others.
    elsewhere = project.memory_dir == project.path
    only = () if elsewhere else (project.path,)
    auditor = Auditor(options, Request(None, only, now=now, traces=traces), progress)
    audit = next((one for one in auditor.audits() if one.project.path == project.path), None)
    if audit is None:
        raise TargetError(f"{project.path}: no such folder any more; go back and look at the other projects")
    notes = _notes(audit)
    grounds = grounds_of(
        audit.notes,
        notes,
        audit.uses,
        auditor.anywhere,
        audit.retention.period,
        auditor.now,
        kept(project.memory_dir) if kept is not None else {},
    )
    files = [file for folder in auditor.folders.by_name.values() for file in folder.sessions]
    transcripts = [(file.mtime_ns / 1e9, file.size) for file in files]
    return ProjectReport(
        audit,
        notes,
        {one.path: one for one in grounds},
        dict(_remedies(audit, notes)),
        propose(grounds, transcripts, auditor.now, audit.retention.period.days),
        last_sweep(options.claude_dir),
        user_path(options),
        auditor.now,
    )


def _notes(audit: ProjectAudit) -> dict[str, bytes]:
    try:
        memory = read_folder(audit.project.memory_dir, missing_ok=True, max_bytes=MAX_NOTE_BYTES)
    except MemreviewError:
        return {}
    return {path: note.data for path, note in memory.notes.items()}


def _remedies(audit: ProjectAudit, notes: Mapping[str, bytes]) -> dict[Finding, tuple[Remedy, ...]]:
    found: dict[Finding, tuple[Remedy, ...]] = {}
    for finding in audit.findings:
        note = audit.notes.get(finding.file or "")
        written = written_when(note, audit.uses.get(finding.file or "")) if note is not None else None
        own = remedies(finding, notes, written)
        if own:
            found[finding] = own
    return found
