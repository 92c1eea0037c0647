"""The notes of a project as a tree: folders and notes, each with what a session is told of it. Plain data."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from memreview.auditing.project import ProjectReport
from memreview.checks.index import IndexStatus
from memreview.checks.index_links import is_tombstone
from memreview.model.advice import Advice, Advised
from memreview.model.finding import Severity
from memreview.model.memory import INDEX_NAME


class Standing(Enum):
    """What the index says of a note: its sign, word and style."""

    LOADED = ("✓", "loaded", "$success")
    """A line of the index that is loaded names it."""
    LOST = ("↓", "below the cut", "$error")
    SECOND = ("↳", "second level", "$quiet")
    ORPHAN = ("○", "orphan", "$warning")
    DANGLING = ("→", "not there", "$warning")
    """The index links to it, and it is not there."""
    UNLISTED = ("·", "not listed", "$quiet")
    """The client would not list it: a tombstone, a log, a hidden file."""
    NEAR = ("!", "near the limit", "$warning")
    CUT = ("✗", "cut", "$error")
    UNKNOWN = (" ", "", "")
    """There is no index that could name it."""

    @property
    def sign(self) -> str:
        """One character."""
        return self.value[0]

    @property
    def word(self) -> str:
        """The same in words."""
        return self.value[1]

    @property
    def style(self) -> str:
        """The style of both."""
        return self.value[2]


@dataclass(frozen=True, slots=True)
class Branch:
    """A row of the tree: a folder (``notes`` below it) or a note. ``flags`` counts the findings that flag in it,
    ``advice`` its lines by what the check advises."""

    path: str
    depth: int = 0
    folder: bool = False
    folded: bool = False
    notes: int = 0
    standing: Standing = Standing.UNKNOWN
    flags: int = 0
    expiring: bool = False
    advice: Mapping[Advice, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The last part of its path."""
        return posixpath.basename(self.path)


def standings(report: ProjectReport) -> dict[str, Standing]:
    """What the index says of every note, and of those that it links to and that are not there."""
    index = report.audit.index
    has_index = INDEX_NAME in report.notes and index.status is not IndexStatus.NONE
    found: dict[str, Standing] = {}
    for path in report.notes:
        if path not in report.audit.notes or is_tombstone(report.notes[path]):
            found[path] = Standing.UNLISTED
        else:
            found[path] = Standing.LOADED if has_index else Standing.UNKNOWN
    found |= dict.fromkeys(index.orphans, Standing.ORPHAN)
    found |= dict.fromkeys(index.second_level, Standing.SECOND)
    found |= {pointer.target: Standing.LOST for pointer in index.lost}
    for pointer in index.dangling:
        found.setdefault(pointer.target, Standing.DANGLING)
    if INDEX_NAME in report.notes:
        by_status = {IndexStatus.CUT: Standing.CUT, IndexStatus.NEAR: Standing.NEAR, IndexStatus.OK: Standing.LOADED}
        found[INDEX_NAME] = by_status.get(index.status, Standing.UNKNOWN)
    return found


def branches(report: ProjectReport, folded: Collection[str] = (), advised: Sequence[Advised] = ()) -> list[Branch]:
    """The rows of the tree: the index, then folders and notes by name, then what is not there."""
    rows = _branches(report, folded)
    counts: dict[str, Counter[Advice]] = {}
    for one in advised:
        counts.setdefault(one.file, Counter())[one.advice] += 1
    return [replace(row, advice=_counted(row, counts)) for row in rows] if counts else rows


def _counted(row: Branch, counts: Mapping[str, Counter[Advice]]) -> Mapping[Advice, int]:
    """What is advised in a note; of a folder that is folded, in all notes below it."""
    if not row.folder:
        return counts.get(row.path, {})
    below = (of_note for note, of_note in counts.items() if row.folded and note.startswith(row.path + "/"))
    return sum(below, Counter())


def _branches(report: ProjectReport, folded: Collection[str]) -> list[Branch]:
    known = standings(report)
    flags: dict[str, int] = {}
    for finding in report.audit.findings:
        if finding.file is not None and finding.severity is not Severity.INFO:
            flags[finding.file] = flags.get(finding.file, 0) + 1
    expiring = {note for one in report.audit.retention.expiring for note in one.notes}
    there = sorted((path for path in report.notes if path != INDEX_NAME), key=_order)
    paths = [INDEX_NAME] if INDEX_NAME in report.notes else []
    rows = [_note(path, 0, known, flags, expiring) for path in paths]
    rows += _below(there, known, flags, expiring, folded)
    missing = (path for path, standing in known.items() if standing is Standing.DANGLING)
    rows += [Branch(path, standing=Standing.DANGLING) for path in sorted(missing)]
    return rows


def _order(path: str) -> tuple[tuple[bool, str], ...]:
    """Folders before notes at every depth."""
    parts = path.split("/")
    return tuple((number == len(parts) - 1, part.lower()) for number, part in enumerate(parts))


def _below(
    paths: list[str],
    known: Mapping[str, Standing],
    flags: Mapping[str, int],
    expiring: Collection[str],
    folded: Collection[str],
) -> list[Branch]:
    rows: list[Branch] = []
    seen: set[str] = set()
    for path in paths:
        parents = _parents(path)
        hidden = False
        for depth, folder in enumerate(parents):
            if folder not in seen and not hidden:
                below = [note for note in paths if note.startswith(folder + "/")]
                count = sum(flags.get(note, 0) for note in below)
                rows.append(Branch(folder, depth, True, folder in folded, len(below), flags=count))
            seen.add(folder)
            hidden = hidden or folder in folded
        if not hidden:
            rows.append(_note(path, len(parents), known, flags, expiring))
    return rows


def _parents(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: number + 1]) for number in range(len(parts))]


def _note(
    path: str, depth: int, known: Mapping[str, Standing], flags: Mapping[str, int], expiring: Collection[str]
) -> Branch:
    return Branch(path, depth, False, False, 0, known[path], flags.get(path, 0), path in expiring)
