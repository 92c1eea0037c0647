"""Audits projects: reads what lies on the disk, and has it judged by the rules in ``checks``."""

from __future__ import annotations

import math
import os
import stat
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from memreview.auditing.roots import Roots
from memreview.auditing.surroundings import Neighbourhood, memory_directory
from memreview.auditing.usage import Usage
from memreview.checks import remarks, rules
from memreview.checks.audited import AuditedNote, ProjectAudit, TranscriptSummary
from memreview.checks.entries import headroom
from memreview.checks.index import examine, loaded_end
from memreview.checks.index_links import is_listed
from memreview.checks.index_text import LoadedText, decoded, loaded_text
from memreview.checks.layers import Layers, LoadedFile, Wiki, pages_of, tokens_in
from memreview.checks.note_facts import note_facts
from memreview.checks.period import Period, SettingsFile, Source, effective
from memreview.checks.retention import Evidence, OnRecord, Retention, age_in_days, assess
from memreview.config import Options
from memreview.errors import MemreviewError, TargetError
from memreview.model.dream import Project
from memreview.model.finding import Finding, Severity
from memreview.model.memory import INDEX_NAME, MemoryFolder, Note
from memreview.read.history import past_sessions
from memreview.read.instructions import Instructions, instructions
from memreview.read.memory import LINK, NO_NOTE, TOO_DEEP, TOO_LARGE, UNREADABLE, read_folder
from memreview.read.sessions import MEMORY, Folder, SessionFile, list_folder, list_folders
from memreview.read.settings import common_settings, project_settings, user_path
from memreview.read.traces import Progress

MAX_NOTE_BYTES = 32 << 20
"""Larger notes are named and not read."""
MAX_TARGET = 4096
"""Bytes of a link's target."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be audited.

    ``projects_dir`` None means that of the options. ``only`` are paths of project folders, empty for all of them.
    ``settings`` is what ``claude --settings`` would be given. ``now`` are seconds since 1970. Without ``traces`` no
    transcript is gone through, and nothing is known of who read and wrote a note.
    """

    projects_dir: str | None = None
    only: tuple[str, ...] = ()
    settings: str | None = None
    now: float | None = None
    traces: bool = True


class Auditor:
    """Audits the projects of one folder; what they share is read once."""

    def __init__(self, options: Options, request: Request, progress: Progress | None = None) -> None:
        self.options = options
        self.request = request
        self.now = time.time() if request.now is None else request.now
        named = request.projects_dir
        self.folders = list_folders(named or options.projects_dir, missing_ok=named is None)
        self._common = common_settings(options, request.settings)
        self._common_period = effective(self._common)
        self._own_settings: dict[str, tuple[SettingsFile, ...]] = {}
        elsewhere = memory_directory(self._common)[0]
        self.usage = (
            Usage(self.folders, options, [elsewhere] if elsewhere else [], progress) if request.traces else None
        )
        heads = {trace.path: trace.head for trace in self.usage.traces} if self.usage is not None else {}
        self.roots = Roots(self.folders, heads)
        self._near = Neighbourhood(options, self.roots, self.usage.owners if self.usage is not None else {})

    def audits(self) -> Iterator[ProjectAudit]:
        """Every project that was asked for, by name; then the folder that ``autoMemoryDirectory`` names."""
        for folder in self._wanted():
            yield self.audit(folder)
        elsewhere = memory_directory(self._common)[0]
        if not self.request.only and elsewhere is not None and os.path.isdir(elsewhere):
            yield self._audit(Folder(elsewhere, elsewhere), Project(elsewhere, elsewhere, elsewhere))

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
        return self._audit(folder, Project(folder.name, folder.path, os.path.join(folder.path, MEMORY)))

    def _audit(self, folder: Folder, project: Project) -> ProjectAudit:
        try:
            memory = read_folder(project.memory_dir, missing_ok=True, max_bytes=MAX_NOTE_BYTES)
            problem = folder.problem
        except MemreviewError as error:
            memory = MemoryFolder(project.memory_dir, os.path.realpath(project.memory_dir))
            problem = str(error)
        written_out = _written_out(memory)
        kept = {path: note for path, note in memory.notes.items() if path not in written_out}
        data = _texts(replace(memory, notes=kept))
        notes = {
            path: AuditedNote(path, len(note.data), note.mtime_ns / 1e9, note_facts(note.data))
            for path, note in kept.items()
            if is_listed(path)
        }
        settings = (*self._common, *self._project_settings(folder))
        near = self._near.of(folder, settings)
        loaded = loaded_text(data.get(INDEX_NAME, b""))
        state = examine(
            data,
            lambda path: os.path.exists(os.path.join(memory.real_path, path)),
            lambda path: _note_at(path, memory.real_path),
        )
        files = instructions(near.root, self.options) if near.root_exists else ()
        texts = {path: decoded(data[path]) for path in notes}
        audit = ProjectAudit(
            project=project,
            index=state,
            index_bytes=len(data.get(INDEX_NAME, b"")),
            notes=notes,
            transcripts=_summary(folder),
            retention=self._retention(folder, notes),
            problem=problem,
            headroom=headroom(loaded, state),
            surroundings=near,
            uses=self.usage.of(project.name) if self.usage is not None else {},
            traced=self.usage is not None,
        )
        layers = self._layers(audit, texts, files, loaded)
        audit = replace(audit, layers=layers)
        outside = {**_outside(memory), **written_out}
        found = [*self._findings(audit, memory, outside), *self._remarks(audit, texts, data, loaded, files)]
        return replace(audit, findings=tuple(found))

    def _project_settings(self, folder: Folder) -> tuple[SettingsFile, ...]:
        if folder.name not in self._own_settings:
            self._own_settings[folder.name] = self._read_settings(folder)
        return self._own_settings[folder.name]

    def _read_settings(self, folder: Folder) -> tuple[SettingsFile, ...]:
        own = project_settings(self.roots.settings_roots(folder))
        # The settings of a project that lies in the home directory are the user's.
        return tuple(file for file in own if not _is_same(file.path, user_path(self.options)))

    def _layers(
        self, audit: ProjectAudit, texts: Mapping[str, str], files: Sequence[Instructions], loaded: LoadedText
    ) -> Layers:
        every = [LoadedFile(file.path, file.scope, file.size, tokens_in(file.text)) for file in files]
        end = loaded_end(loaded, audit.index)
        if end:
            index = os.path.join(audit.project.memory_dir, INDEX_NAME)
            part = loaded.text[:end]
            every.append(LoadedFile(index, "index", len(part.encode("utf-8", "surrogatepass")), tokens_in(part)))
        return Layers(
            len(audit.notes),
            sum(note.size for note in audit.notes.values()),
            sum(map(tokens_in, texts.values())),
            self._wiki(audit, texts),
            tuple(every),
        )

    def _wiki(self, audit: ProjectAudit, texts: Mapping[str, str]) -> Wiki | None:
        pages = pages_of(texts, {path: note.facts.name for path, note in audit.notes.items()})
        if not pages:
            return None
        sessions = {audit.notes[page].facts.session for page in pages} - {None}
        for page in pages:
            sessions |= set(audit.uses[page].writers) if page in audit.uses else set()
        copies = [self.folders_by_session.get(session or "") for session in sessions]
        whole = bool(copies) and all(copies)
        return Wiki(
            pages,
            sum(audit.notes[page].size for page in pages),
            sum(max(file.size for file in files) for files in copies if files) if whole else None,
            tuple(page for page in pages if audit.traced and (page not in audit.uses or not audit.uses[page].reads)),
        )

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
        yield from self._swept_elsewhere(audit)
        yield from rules.of_retention(audit.retention, {lost.session: age_in_days(lost.when, self.now)} if lost else {})

    def _swept_elsewhere(self, audit: ProjectAudit) -> Iterator[Finding]:
        """Another project's period holds for all transcripts in the sweep that a session there starts."""
        days, owner = self._shortest
        period = audit.retention.period
        if audit.notes and period.valid and owner != audit.project.name and days < period.days:
            said = f"sessions of {owner} delete transcripts of all projects after {days} days, by settings of their own"
            yield Finding(rules.AuditRule.SETTINGS_NOTICE, Severity.INFO, said)

    @cached_property
    def _shortest(self) -> tuple[float, str]:
        """The shortest period that a project's own settings give, and which project that is."""
        found = [(math.inf, "")]
        for folder in self.folders.by_name.values():
            period = self.period(folder)
            if period.valid and period.source in (Source.PROJECT, Source.LOCAL):
                found.append((period.days, folder.name))
        return min(found)

    def _remarks(
        self,
        audit: ProjectAudit,
        texts: Mapping[str, str],
        data: Mapping[str, bytes],
        loaded: LoadedText,
        files: Sequence[Instructions],
    ) -> Iterator[Finding]:
        yield from remarks.of_entries(loaded, {path: note.facts.name for path, note in audit.notes.items()})
        spoken = remarks.spoken_by(audit.notes, texts, data)
        yield from remarks.of_notes(audit.notes, texts, audit.uses, spoken)
        written = {file.path: file.text for file in files}
        yield from remarks.of_similarity(spoken, written)
        yield from remarks.of_size(audit.notes, audit.layers.wiki)
        if audit.notes:
            yield from remarks.of_instructions(written)
        yield from remarks.of_surroundings(audit.surroundings, audit.project.memory_dir, len(audit.notes))

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
        own = self._project_settings(folder)
        return effective((*self._common, *own)) if own else self._common_period

    @cached_property
    def folders_by_session(self) -> dict[str, tuple[SessionFile, ...]]:
        """Transcripts of all folders by session."""
        return self.folders.by_session()

    @cached_property
    def anywhere(self) -> dict[str, Sequence[Evidence]]:
        """Transcripts of all folders by session; an empty list for one that is kept packed."""
        return {
            session: [Evidence(session, file.path, file.mtime_ns / 1e9) for file in files]
            for session, files in self.folders_by_session.items()
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
    texts = {path: note.data for path, note in memory.notes.items() if len(note.data) <= MAX_TARGET}
    for stranger in memory.strangers:
        if stranger.reason == NO_NOTE:
            texts[stranger.path] = _start_of(os.path.join(memory.real_path, stranger.path))
    found: dict[str, str] = {}
    for path, data in texts.items():
        if not data.startswith(b"../") or b"\n" in data or b"\0" in data:
            continue
        place = os.path.dirname(os.path.join(memory.real_path, path))
        target = os.path.realpath(os.path.join(place, os.fsdecode(data)))
        if not _is_below(target, memory.real_path) and os.path.lexists(target):
            found[path] = target
    return found


def _start_of(path: str) -> bytes:
    """A small regular file's bytes; nothing of any other."""
    try:
        info = os.lstat(path)
        if not stat.S_ISREG(info.st_mode) or info.st_size > MAX_TARGET:
            return b""
        with open(path, "rb") as file:
            return file.read(MAX_TARGET)
    except OSError:
        return b""


def _note_at(path: str, folder: str) -> str | None:
    """The path in ``folder`` of what lies at ``path``, where that leads back into it."""
    real = os.path.realpath(os.path.join(folder, path))
    return os.path.relpath(real, folder) if _is_below(real, folder) and real != folder else None


def _is_same(path: str, other: str) -> bool:
    try:
        return os.path.samefile(path, other)
    except OSError:
        return False


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
