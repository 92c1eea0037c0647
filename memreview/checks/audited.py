"""What an audit knows of one project, as plain data for the command line and the screens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memreview.checks.entries import Headroom
from memreview.checks.index import IndexState, IndexStatus
from memreview.checks.layers import Layers
from memreview.checks.note_facts import NoteFacts
from memreview.checks.retention import Retention, age_in_days
from memreview.checks.surroundings import Surroundings
from memreview.checks.usage import NoteUse
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
class Recheck:
    """A note, and how many days ago it was last written, by its stamp or else by its mtime."""

    path: str
    age_days: int
    by_stamp: bool


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

    ``index_bytes`` is the raw size of the index, ``headroom`` how much more fits into it. ``uses`` is what sessions did
    with each note, empty where transcripts were not looked through (``traced`` False). ``problem`` says in one line
    why its memory folder cannot be read; then nothing is known of its notes.
    """

    project: Project
    index: IndexState = field(default_factory=lambda: IndexState(IndexStatus.NONE))
    index_bytes: int = 0
    notes: Mapping[str, AuditedNote] = field(default_factory=dict)
    transcripts: TranscriptSummary = field(default_factory=TranscriptSummary)
    retention: Retention = field(default_factory=Retention)
    findings: tuple[Finding, ...] = ()
    problem: str | None = None
    headroom: Headroom | None = None
    layers: Layers = field(default_factory=Layers)
    surroundings: Surroundings = field(default_factory=Surroundings)
    uses: Mapping[str, NoteUse] = field(default_factory=dict)
    traced: bool = False

    def recheck(self, now: float) -> tuple[Recheck, ...]:
        """Its notes in the order in which they should be checked again: the longest untouched first.

        By the stamp of the last session that wrote it, else by mtime, which says when the file changed, not when it was
        last true, and which a copy resets.
        """
        rows = []
        for path, note in self.notes.items():
            stamp = note.facts.modified
            when = note.mtime if stamp is None else stamp
            rows.append(Recheck(path, age_in_days(when, now), stamp is not None))
        return tuple(sorted(rows, key=lambda row: (-row.age_days, row.path)))

    @property
    def worst(self) -> Severity | None:
        """The heaviest severity among its findings."""
        return max((finding.severity for finding in self.findings), key=weight, default=None)


def weight(severity: Severity) -> int:
    """Severities as numbers, the heaviest the greatest."""
    return {Severity.INFO: 0, Severity.WARNING: 1, Severity.ERROR: 2}[severity]
