"""What an audit knows of one project, as plain data for the command line and the screens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memreview.checks.index import IndexState, IndexStatus
from memreview.checks.note_facts import NoteFacts
from memreview.checks.retention import Retention
from memreview.model.dream import Project
from memreview.model.finding import Finding, Severity


@dataclass(frozen=True, slots=True)
class AuditedNote:
    """A note that the client would list: its size in bytes, its mtime in seconds since 1970, what it says of itself."""

    path: str
    size: int
    mtime: float
    facts: NoteFacts


@dataclass(frozen=True, slots=True)
class TranscriptSummary:
    """Transcripts directly in a project's folder; times of writing in seconds since 1970, None where there are none."""

    count: int = 0
    size: int = 0
    oldest: float | None = None
    newest: float | None = None


@dataclass(frozen=True, slots=True)
class ProjectAudit:
    """Everything that the audit found out about one project.

    ``index_bytes`` is the raw size of the index. ``root`` is the directory the project stands for, None where nothing
    tells. ``problem`` says in one line why its memory folder cannot be read; then nothing is known of its notes.
    """

    project: Project
    index: IndexState = field(default_factory=lambda: IndexState(IndexStatus.NONE))
    index_bytes: int = 0
    notes: Mapping[str, AuditedNote] = field(default_factory=dict)
    transcripts: TranscriptSummary = field(default_factory=TranscriptSummary)
    retention: Retention = field(default_factory=Retention)
    findings: tuple[Finding, ...] = ()
    root: str | None = None
    problem: str | None = None

    @property
    def worst(self) -> Severity | None:
        """The heaviest severity among its findings."""
        return max((finding.severity for finding in self.findings), key=weight, default=None)


def weight(severity: Severity) -> int:
    """Severities as numbers, the heaviest the greatest."""
    return {Severity.INFO: 0, Severity.WARNING: 1, Severity.ERROR: 2}[severity]
