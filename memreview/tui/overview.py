"""What the list of projects holds, as plain data: an entry for each, how they are sorted, where the cursor is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from memreview.checks.audited import ProjectAudit, weight
from memreview.checks.index import IndexStatus
from memreview.checks.surroundings import RunningSession
from memreview.looks import Looked
from memreview.model.dream import Project
from memreview.model.finding import Severity
from memreview.tui.widgets.gauge import share

RANKS = {IndexStatus.NONE: 0, IndexStatus.OK: 1, IndexStatus.NEAR: 2, IndexStatus.CUT: 3}


@dataclass(frozen=True, slots=True)
class Entry:
    """One project. ``audit`` is None until it is known; ``opened`` is when a review of it was last open, ``looked``
    what changed in it since one last looked. ``reviews`` counts the notes that the check of ``checked`` (seconds since
    1970) wants reviewed; None where there was none."""

    project: Project
    audit: ProjectAudit | None = None
    dreams: int = 0
    opened: float | None = None
    looked: Looked | None = None
    checked: float | None = None
    reviews: int | None = None

    @property
    def changed(self) -> int:
        """Notes that are not what they were when a person last looked; 0 while that is unknown."""
        return len(self.looked.changed) if self.looked is not None else 0

    @property
    def worst(self) -> int:
        """2 for an error, 1 for a warning, 0 for nothing that flags, -1 while unknown."""
        if self.audit is None:
            return -1
        return weight(self.audit.worst or Severity.INFO)

    @property
    def flagged(self) -> int:
        """How many of its findings flag."""
        found = self.audit.findings if self.audit is not None else ()
        return sum(finding.severity is not Severity.INFO for finding in found)

    @property
    def running(self) -> tuple[RunningSession, ...]:
        """Sessions that are open in it now."""
        return tuple(one for one in self.audit.surroundings.running if one.alive) if self.audit is not None else ()

    @property
    def fullness(self) -> tuple[int, float]:
        """How near its index is to what a session loads, to be compared."""
        if self.audit is None:
            return (-1, 0.0)
        index = self.audit.index
        return (RANKS[index.status], share(index.lines, index.units))

    @property
    def oldest(self) -> int | None:
        """Days since its oldest transcript was last written; None where it has none."""
        return self.audit.retention.observed_days if self.audit is not None else None

    @property
    def left(self) -> int | None:
        """Days until the first transcript that notes rest on is deleted; None where none is known or none is swept."""
        days = self.audit.retention.days_left.values() if self.audit is not None else ()
        return min(days, default=None)

    @property
    def expiring(self) -> int:
        """Transcripts that notes rest on and that are about to be deleted."""
        return len(self.audit.retention.expiring) if self.audit is not None else 0


@dataclass(frozen=True, slots=True)
class Sorting:
    """By which column; ``reverse`` turns the order around that the column has by itself."""

    column: str = "worst"
    reverse: bool = False


@dataclass(frozen=True)
class Totals:
    """Figures over all projects whose audit is known."""

    known: int = 0
    cut: int = 0
    near: int = 0
    lost: int = 0
    orphans: int = 0
    dangling: int = 0
    expiring: int = 0


@dataclass(frozen=True)
class Overview:
    """All projects by path. ``sorting`` says in which order they are shown, ``cursor`` is a path."""

    entries: Mapping[str, Entry] = field(default_factory=dict)
    sorting: Sorting = Sorting()
    cursor: str | None = None

    def listed(self, projects: Iterable[Project], opened: Mapping[str, float]) -> Overview:
        """These projects and no others; what is known of them stays. ``opened`` by path."""
        entries: dict[str, Entry] = {}
        for project in projects:
            known = self.entries.get(project.path, Entry(project))
            entries[project.path] = replace(known, project=project, opened=opened.get(project.path))
        return replace(self, entries=entries)

    def audited(self, audits: Iterable[ProjectAudit]) -> Overview:
        """With audits that have come in; a project that is not listed (a memory elsewhere) comes along."""
        entries = dict(self.entries)
        for audit in audits:
            known = entries.get(audit.project.path, Entry(audit.project))
            entries[audit.project.path] = replace(known, audit=audit)
        return replace(self, entries=entries)

    def compared(self, found: Mapping[str, Looked | None]) -> Overview:
        """With what has changed since one last looked, by path."""
        entries = {
            path: replace(entry, looked=found[path]) if path in found else entry for path, entry in self.entries.items()
        }
        return replace(self, entries=entries)

    def to_review(self, found: Mapping[str, tuple[float | None, int | None]]) -> Overview:
        """With what their last checks want reviewed, by path."""
        entries = {
            path: replace(entry, checked=found[path][0], reviews=found[path][1]) if path in found else entry
            for path, entry in self.entries.items()
        }
        return replace(self, entries=entries)

    def without(self, paths: Iterable[str]) -> Overview:
        """Without projects that are gone."""
        gone = set(paths)
        return replace(self, entries={path: entry for path, entry in self.entries.items() if path not in gone})

    def waiting(self, dreams: Mapping[str, int]) -> Overview:
        """With the number of dreams that wait for review, by the project's name."""
        entries = {
            path: replace(entry, dreams=dreams.get(entry.project.name, 0)) for path, entry in self.entries.items()
        }
        return replace(self, entries=entries)

    @cached_property
    def totals(self) -> Totals:
        """Figures over all of them."""
        audits = [entry.audit for entry in self.entries.values() if entry.audit is not None]
        return Totals(
            len(audits),
            sum(audit.index.status is IndexStatus.CUT for audit in audits),
            sum(audit.index.status is IndexStatus.NEAR for audit in audits),
            sum(len(audit.index.lost) for audit in audits),
            sum(len(audit.index.orphans) for audit in audits),
            sum(len(audit.index.dangling) for audit in audits),
            sum(len(audit.retention.expiring) for audit in audits),
        )
