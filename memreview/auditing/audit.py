"""Audits projects: reads what lies on the disk, and has it judged by the rules in ``checks``."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from memreview.auditing.roots import Roots
from memreview.checks import rules
from memreview.checks.audited import AuditedNote, ProjectAudit, TranscriptSummary
from memreview.checks.index import examine
from memreview.checks.index_links import is_listed
from memreview.checks.note_facts import note_facts
from memreview.checks.period import Period, SettingsFile, effective
from memreview.checks.retention import Evidence, OnRecord, Retention, age_in_days, assess
from memreview.config import Options
from memreview.errors import MemreviewError, TargetError
from memreview.model.dream import Project
from memreview.model.finding import Finding, Severity
from memreview.model.memory import INDEX_NAME, MemoryFolder, Note
from memreview.read.history import past_sessions
from memreview.read.memory import LINK, TOO_DEEP, TOO_LARGE, UNREADABLE, read_folder
from memreview.read.sessions import MEMORY, Folder, list_folder, list_folders
from memreview.read.settings import common_settings, project_settings

MAX_NOTE_BYTES = 32 << 20
"""Larger notes are named and not read."""
MAX_TARGET = 4096
"""Bytes of a link's target."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be audited.

    ``projects_dir`` None means that of the options. ``only`` are paths of project folders, empty for all of them.
    ``settings`` is what ``claude --settings`` would be given. ``now`` are seconds since 1970.
    """

    projects_dir: str | None = None
    only: tuple[str, ...] = ()
    settings: str | None = None
    now: float | None = None


class Auditor:
    """Audits the projects of one folder; what they share is read once."""

    def __init__(self, options: Options, request: Request) -> None:
        self.options = options
        self.request = request
        self.now = time.time() if request.now is None else request.now
        named = request.projects_dir
        self.folders = list_folders(named or options.projects_dir, missing_ok=named is None)
        self.roots = Roots(self.folders)

    def audits(self) -> Iterator[ProjectAudit]:
        """Every project that was asked for, by name."""
        for folder in self._wanted():
            yield self.audit(folder)

    def _wanted(self) -> Iterator[Folder]:
        if not self.request.only:
            yield from self.folders.by_name.values()
            return
        for path in self.request.only:
            if not os.path.isdir(path):
                raise TargetError(f"{path}: no such folder; name a folder under {self.folders.path}")
            known = self.folders.by_name.get(os.path.basename(path))
            yield known if known is not None and os.path.samefile(known.path, path) else list_folder(path)

    def audit(self, folder: Folder) -> ProjectAudit:
        """One project. Whatever lies in its folder, this does not raise."""
        project = Project(folder.name, folder.path, os.path.join(folder.path, MEMORY))
        try:
            memory = read_folder(project.memory_dir, missing_ok=True, max_bytes=MAX_NOTE_BYTES)
            problem = folder.problem
        except MemreviewError as error:
            memory = MemoryFolder(project.memory_dir, os.path.realpath(project.memory_dir))
            problem = str(error)
        written_out = _written_out(memory)
        kept = {path: note for path, note in memory.notes.items() if path not in written_out}
        texts = _texts(replace(memory, notes=kept))
        state = examine(texts, lambda path: os.path.exists(os.path.join(memory.real_path, path)))
        notes = {
            path: AuditedNote(path, len(note.data), note.mtime_ns / 1e9, note_facts(note.data))
            for path, note in kept.items()
            if is_listed(path)
        }
        retention = self._retention(folder, notes)
        audit = ProjectAudit(
            project=project,
            index=state,
            index_bytes=len(texts.get(INDEX_NAME, b"")),
            notes=notes,
            transcripts=_summary(folder),
            retention=retention,
            problem=problem,
        )
        return replace(audit, findings=tuple(self._findings(audit, memory, {**_outside(memory), **written_out})))

    def _findings(self, audit: ProjectAudit, memory: MemoryFolder, outside: Mapping[str, str]) -> Iterator[Finding]:
        if audit.problem is not None:
            yield Finding(rules.AuditRule.UNREADABLE, Severity.INFO, audit.problem)
        yield from rules.of_index(audit.index)
        for note in audit.notes.values():
            yield from rules.of_note(note.path, note.facts)
        yield from rules.of_links(outside)
        for stranger in memory.strangers:
            if stranger.reason in {UNREADABLE, TOO_LARGE, TOO_DEEP}:
                said = f"{stranger.reason}, so nothing is known of it"
                yield Finding(rules.AuditRule.UNREADABLE, Severity.INFO, said, stranger.path)
        lost = audit.retention.not_held
        yield from rules.of_retention(audit.retention, {lost.session: age_in_days(lost.when, self.now)} if lost else {})

    def texts(self, project: Project) -> dict[str, bytes]:
        """Bytes of all notes of a project, the index as the client finds it; none where they cannot be read."""
        try:
            return _texts(read_folder(project.memory_dir, missing_ok=True, max_bytes=MAX_NOTE_BYTES))
        except MemreviewError:
            return {}

    def _retention(self, folder: Folder, notes: Mapping[str, AuditedNote]) -> Retention:
        return assess(
            self.period(folder),
            {path: note.facts for path, note in notes.items()},
            _evidence(folder),
            self.anywhere,
            self._on_record.get(folder.name, ()),
            self.now,
        )

    def period(self, folder: Folder) -> Period:
        """For how long the client keeps transcripts, as a session of this project would see it."""
        own = project_settings(self.roots.settings_roots(folder)) if folder.sessions else ()
        return effective((*self._common, *own)) if own else self._common_period

    @cached_property
    def _common(self) -> tuple[SettingsFile, ...]:
        return common_settings(self.options, self.request.settings)

    @cached_property
    def _common_period(self) -> Period:
        return effective(self._common)

    @cached_property
    def anywhere(self) -> dict[str, Sequence[Evidence]]:
        """Transcripts of all folders by session; an empty list for one that is kept packed."""
        return {
            session: [Evidence(session, file.path, file.mtime_ns / 1e9) for file in files]
            for session, files in self.folders.by_session().items()
        }

    @cached_property
    def _on_record(self) -> dict[str, list[OnRecord]]:
        found: dict[str, list[OnRecord]] = {}
        for past in past_sessions(self.options):
            found.setdefault(past.folder, []).append(OnRecord(past.session, past.last))
        return found


def _evidence(folder: Folder) -> list[Evidence]:
    return [Evidence(file.session, file.path, file.mtime_ns / 1e9) for file in folder.sessions]


def _summary(folder: Folder) -> TranscriptSummary:
    if not folder.sessions:
        return TranscriptSummary()
    times = [file.mtime_ns / 1e9 for file in folder.sessions]
    return TranscriptSummary(len(folder.sessions), folder.size, min(times), max(times))


def _texts(memory: MemoryFolder) -> dict[str, bytes]:
    """Bytes of all notes; of an index that is a link those of its target, since the client loads it all the same."""
    texts = {path: note.data for path, note in memory.notes.items()}
    if INDEX_NAME not in texts and any(s.path == INDEX_NAME and s.reason == LINK for s in memory.strangers):
        linked = read_linked(os.path.join(memory.real_path, INDEX_NAME))
        if linked is not None:
            texts[INDEX_NAME] = linked.data
    return texts


def read_linked(path: str) -> Note | None:
    """The regular file that a link leads to; None where it cannot be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            info = os.fstat(descriptor)
            if not os.path.isfile(path) or info.st_size > MAX_NOTE_BYTES:
                return None
            return Note(os.path.basename(path), file.read(MAX_NOTE_BYTES), 0o644, info.st_mtime_ns)
    except OSError:
        return None


def _outside(memory: MemoryFolder) -> dict[str, str]:
    """Links that lead out of the folder, and where they lead."""
    links = [stranger.path for stranger in memory.strangers if stranger.reason == LINK]
    targets = {path: os.path.realpath(os.path.join(memory.real_path, path)) for path in links}
    return {path: target for path, target in targets.items() if not _is_below(target, memory.real_path)}


def _written_out(memory: MemoryFolder) -> dict[str, str]:
    """Links that lead out of the folder and that git wrote as text files holding the target, as it does where the
    file system or ``core.symlinks`` has no links: a path that goes up, without a line end, to something that exists."""
    found: dict[str, str] = {}
    for path, note in memory.notes.items():
        if len(note.data) > MAX_TARGET or not note.data.startswith(b"../") or b"\n" in note.data or b"\0" in note.data:
            continue
        place = os.path.dirname(os.path.join(memory.real_path, path))
        target = os.path.realpath(os.path.join(place, os.fsdecode(note.data)))
        if not _is_below(target, memory.real_path) and os.path.lexists(target):
            found[path] = target
    return found


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
