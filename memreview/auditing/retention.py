"""The evidence of projects, note by note: what it is, how long it stays, and what would keep it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from memreview.auditing.audit import Auditor
from memreview.checks.audited import ProjectAudit
from memreview.checks.keeping import NoteGrounds, Proposal, grounds_of, propose
from memreview.read.settings import user_path

LAST_SWEEP = ".last-cleanup"
"""The file whose mtime says when the client's sweep last ran."""


@dataclass(frozen=True, slots=True)
class ProjectEvidence:
    """The evidence of one project."""

    audit: ProjectAudit
    notes: tuple[NoteGrounds, ...]


@dataclass(frozen=True, slots=True)
class EvidenceReport:
    """The evidence of some projects. ``last_sweep`` in seconds since 1970, None where none is on record.

    ``settings`` is the file in which the proposed line belongs.
    """

    projects: tuple[ProjectEvidence, ...]
    proposal: Proposal
    last_sweep: float | None
    settings: str


Kept = Callable[[str], Mapping[str, Mapping[str, str]]]
"""Of a memory folder, by note the sessions whose words commits keep, each with the commit."""


def evidence_report(auditor: Auditor, kept: Kept | None = None) -> EvidenceReport:
    """What the notes of the wanted projects rest on."""
    projects: list[ProjectEvidence] = []
    for audit in auditor.audits():
        texts = auditor.texts(audit.project)
        words = kept(audit.project.memory_dir) if kept is not None else {}
        notes = grounds_of(audit.notes, texts, audit.uses, auditor.anywhere, audit.retention.period, auditor.now, words)
        projects.append(ProjectEvidence(audit, tuple(notes)))
    every = [note for project in projects for note in project.notes]
    set_already = max((one.audit.retention.period.days for one in projects), default=0)
    proposal = propose(every, _transcripts(auditor), auditor.now, set_already)
    return EvidenceReport(tuple(projects), proposal, last_sweep(auditor.options.claude_dir), user_path(auditor.options))


def last_sweep(claude_dir: str) -> float | None:
    """When the sweep last ran, by the mtime of its mark; None where it left none."""
    try:
        return os.stat(os.path.join(claude_dir, LAST_SWEEP)).st_mtime
    except OSError:
        return None


def _transcripts(auditor: Auditor) -> Sequence[tuple[float, int]]:
    return [(file.mtime_ns / 1e9, file.size) for folder in auditor.folders.by_name.values() for file in folder.sessions]
