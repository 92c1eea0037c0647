"""A dream: a proposed rewriting of a memory folder, what it cites, and the review of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from memreview.model.claim import ClaimReport
from memreview.model.dreamed import Unheeded
from memreview.model.finding import Finding
from memreview.model.patch import Change, FileChange
from memreview.model.review import Applied
from memreview.model.transcript import Speaker


class TargetKind(StrEnum):
    """The forms in which a proposal can be named."""

    OUTPUT = "output"
    FOLDERS = "folders"
    LIVE = "live"
    PATCH = "patch"


@dataclass(frozen=True, slots=True)
class Target:
    """What is reviewed. Which paths are set depends on ``kind``: ``output`` · ``base`` and ``proposed`` · ``live`` ·
    ``patch``.

    ``base`` may be None where ``proposed`` is compared with the real folder. ``dream`` is a file that says what became
    of a dream of Managed Agents. ``project`` is what ``--project`` said, unresolved. ``transcripts`` are further
    folders to look for transcripts in.
    """

    kind: TargetKind
    output: str | None = None
    base: str | None = None
    proposed: str | None = None
    changes: str | None = None
    live: str | None = None
    since: str | None = None
    project: str | None = None
    transcripts: tuple[str, ...] = ()
    patch: str | None = None
    dream: str | None = None

    @property
    def label(self) -> str:
        """The path by which a person knows this target."""
        return self.output or self.proposed or self.live or self.patch or ""


@dataclass(frozen=True, slots=True)
class Project:
    """One folder under ``projects/``: ``name`` is the folder's name, ``path`` its place, ``memory_dir`` its memory."""

    name: str
    path: str
    memory_dir: str


class CitationStatus(StrEnum):
    """What became of a citation when it was looked up."""

    FOUND = "found"
    OUT_OF_RANGE = "out-of-range"
    MISSING = "missing"
    AMBIGUOUS = "ambiguous"
    NOT_TEXT = "not-text"


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in a transcript that an entry of CHANGES.md names.

    ``start``/``end_line`` are 1-based physical lines, inclusive. ``path`` is the transcript's file where it is known.
    ``text`` is what the cited lines say, speakers' words only. ``last_line`` is set where the range runs past the end
    of the transcript: the last line that there is.
    """

    raw: str
    transcript: str
    line: int | None
    end_line: int | None
    status: CitationStatus
    speaker: Speaker | None = None
    timestamp: str | None = None
    text: str | None = None
    path: str | None = None
    uuid: str | None = None
    last_line: int | None = None


class ReferenceKind(StrEnum):
    """What is cited that is no transcript."""

    FILE = "file"
    COMMIT = "commit"
    LOG = "log"


@dataclass(frozen=True, slots=True)
class Reference:
    """A cited file of the repository, commit or daily log; ``found`` says whether it exists."""

    raw: str
    kind: ReferenceKind
    found: bool
    path: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of CHANGES.md: a bullet with its wrapped lines, a table row or a paragraph.

    ``file`` is the note it names (or None), ``changes`` the ids of the changes that it explains.
    """

    text: str
    line: int
    file: str | None = None
    changes: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    references: tuple[Reference, ...] = ()

    @property
    def matched(self) -> bool:
        """True where at least one change is explained by this entry."""
        return bool(self.changes)


@dataclass(frozen=True, slots=True)
class Run:
    """The run that made the proposal: the path and text of its log, and whether its output is whole.

    ``barred`` says why the proposal may be looked at and not applied; None where nothing speaks against it. ``since``
    and ``until`` are the window of what it read (ISO 8601), as far as that is known.
    """

    log: str | None = None
    log_text: str | None = None
    complete: bool = True
    label: str | None = None
    barred: str | None = None
    since: str | None = None
    until: str | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """Why an accepted change cannot be merged with what is on disk now; ``live`` are the lines that stand there."""

    path: str
    change: str
    reason: str
    live: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Review:
    """Everything that is known about one proposal, read once; decisions are kept apart from it.

    ``files`` are in the order of the screen. The mappings are by change id, or by file id for notes without changes.
    ``notes`` are the paths of all notes of the base, changed or not. ``moved_since`` are those that are not in the
    real folder what they were when the dream copied them. ``reports`` are what the claim check found, by change id;
    ``checked`` says that it has run. ``memory`` are the texts of all notes of the base, by path. ``applied`` are the
    units that an earlier apply of this review carried out and that still stand; those of ``undone`` were taken back
    since. ``snapshot`` is the id of the snapshot that an edit in place is compared with. ``unheeded`` is what the
    user asked to be remembered or corrected in the window of the dream and the proposal lacks; known once checked.
    """

    id: str
    target: Target
    project: Project
    files: tuple[FileChange, ...]
    entries: tuple[Entry, ...] = ()
    citations: Mapping[str, tuple[Citation, ...]] = field(default_factory=dict)
    references: Mapping[str, tuple[Reference, ...]] = field(default_factory=dict)
    explained_by: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    conflicts: Mapping[str, Conflict] = field(default_factory=dict)
    run: Run = field(default_factory=Run)
    findings: tuple[Finding, ...] = ()
    moved_since: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    reports: Mapping[str, ClaimReport] = field(default_factory=dict)
    checked: bool = False
    memory: Mapping[str, bytes] = field(default_factory=dict)
    applied: Mapping[str, Applied] = field(default_factory=dict)
    undone: frozenset[str] = frozenset()
    snapshot: str | None = None
    unheeded: tuple[Unheeded, ...] = ()

    @property
    def stale(self) -> bool:
        """True where the real folder is not what the dream copied."""
        return bool(self.moved_since)

    @property
    def traced(self) -> bool:
        """True where the records that wrote a change stand for its entry in CHANGES.md, which nobody wrote."""
        return self.target.kind is TargetKind.LIVE and not self.entries

    def unexplained(self, unit: str) -> bool:
        """True where nothing says why a unit is proposed: no entry, or no record that wrote it."""
        return not (self.citations if self.traced else self.explained_by).get(unit)

    def units(self) -> Iterator[tuple[FileChange, Change | None]]:
        """What can be decided, see :func:`units_of`."""
        return units_of(self.files)


def units_of(files: Iterable[FileChange]) -> Iterator[tuple[FileChange, Change | None]]:
    """What can be decided, in the order of the screen: every change, and files that have none (with None)."""
    for file in files:
        if not file.hunks:
            yield file, None
        for change in file.changes():
            yield file, change


def unit_id(file: FileChange, change: Change | None) -> str:
    """The id under which a unit of :meth:`Review.units` is decided."""
    return change.id if change is not None else file.id
