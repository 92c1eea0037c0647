"""The nightly check of memories: asked, remembered, answered. :mod:`memreview.upkeep` hands it on.

As in :mod:`memreview.workflow`, everything that a use case needs is imported inside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memreview.config import Options
from memreview.errors import MemreviewError
from memreview.model.advice import Advice, Advised
from memreview.model.dream import Project

if TYPE_CHECKING:
    from memreview.auditing.audit import Auditor
    from memreview.auditing.usage import Usage
    from memreview.evidence.keep_notes import KeptNotes
    from memreview.evidence.nightly import Step
    from memreview.evidence.unaffected import Situation
    from memreview.model.memory import MemoryFolder

DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class CheckedMemory:
    """The advice on every line of one project's memory; ``problem`` says why it could not be checked."""

    project: Project
    advised: tuple[Advised, ...] = ()
    problem: str | None = None
    notes: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of each note that was checked, by path."""
    unreadable: tuple[str, ...] = ()
    """Notes that could not be read, so that nothing is said of them."""
    when: float | None = field(default=None, compare=False)
    """When the check was made, in seconds since 1970."""

    @property
    def queue(self) -> tuple[Advised, ...]:
        """What is not simply kept."""
        return tuple(one for one in self.advised if one.advice is not Advice.KEEP)

    def still(self, notes: Mapping[str, bytes]) -> CheckedMemory:
        """What was said of those of its notes that are in ``notes`` as they were then."""
        same = {path for path, digest in _digests(notes).items() if self.notes.get(path) == digest}
        return replace(self, advised=tuple(one for one in self.advised if one.file in same))

    def differs(self, notes: Mapping[str, bytes]) -> bool:
        """True where ``notes`` are not those that were checked."""
        return _digests(notes) != dict(self.notes)


def _digests(notes: Mapping[str, bytes]) -> dict[str, str]:
    import hashlib

    return {path: hashlib.sha256(data).hexdigest() for path, data in notes.items()}


def check(
    options: Options,
    names: Sequence[str] = (),
    *,
    now: float | None = None,
    progress: Callable[[str], None] | None = None,
    step: Step | None = None,
) -> list[CheckedMemory]:
    """The nightly check of all projects that have a memory, or of those that are named; the model is not asked.

    What came out is kept in the cache, and stands as long as neither notes nor transcripts nor kept evidence change.
    ``now`` are seconds since 1970. ``progress`` is told the name of each project before it is checked, ``step`` how
    far that is: what is gone through (``transcripts``, then ``notes``), how many of how many. What either raises ends
    the check, and nothing of that project is kept.
    """
    from memreview.auditing.audit import Auditor, Request

    auditor = Auditor(options, Request(now=now, traces=False))
    uses = _uses(auditor, options)
    found: list[CheckedMemory] = []
    for project in _projects(options, names):
        if progress is not None:
            progress(project.name)
        try:
            found.append(_checked(project, options, auditor, uses, step))
        except MemreviewError as error:
            found.append(CheckedMemory(project, problem=str(error)))
    return found


def review_queue(project: Project, options: Options) -> tuple[Advised, ...]:
    """The lines of one memory that the check wants reviewed: the queue of a pass that is limited to them.

    Raises :class:`~memreview.errors.MemreviewError` where the check cannot be made.
    """
    (checked,) = check(options, [project.path])
    if checked.problem is not None:
        raise MemreviewError(checked.problem)
    return tuple(one for one in checked.advised if one.advice is Advice.REVIEW)


def check_project(
    project: Project, options: Options, *, now: float | None = None, step: Step | None = None
) -> CheckedMemory:
    """The nightly check of one project, see :func:`check`. Raises :class:`~memreview.errors.MemreviewError` where its
    memory cannot be read."""
    from memreview.auditing.audit import Auditor, Request

    auditor = Auditor(options, Request(now=now, traces=False))
    return _checked(project, options, auditor, _uses(auditor, options), step)


def _uses(auditor: Auditor, options: Options) -> Callable[[], Usage]:
    """Who read what, which is only asked where there is something to check."""
    from functools import cache

    from memreview.auditing.usage import Usage

    return cache(lambda: Usage(auditor.folders, options))


def _projects(options: Options, names: Sequence[str]) -> list[Project]:
    from memreview.read.discover import projects, resolve_project

    if names:
        return [resolve_project(name, options) for name in names]
    return [project for project in projects(options) if _may_have_memory(project)]


def _may_have_memory(project: Project) -> bool:
    """True also where nobody can look, which is to be said and not passed over."""
    import os
    import stat

    try:
        return stat.S_ISDIR(os.stat(project.memory_dir).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True


def _checked(
    project: Project, options: Options, auditor: Auditor, uses: Callable[[], Usage], step: Step | None
) -> CheckedMemory:
    from memreview.evidence.advice_cache import AdviceCache
    from memreview.evidence.nightly import check_memory, searched
    from memreview.evidence.unaffected import unaffected
    from memreview.evidence.world import drift_of
    from memreview.read.memory import UNREADABLE, read_folder

    memory = read_folder(project.memory_dir)
    shut = tuple(sorted(one.path for one in memory.strangers if one.reason == UNREADABLE))
    cache = AdviceCache(options.cache_dir)
    now = _situation(project, options, memory, auditor)
    known = cache.load(project)
    if known is not None and known.mark == now.mark:
        cache.confirm(project)
        _note_drift(project, options, known.rows, auditor.now)
        return CheckedMemory(project, known.rows, notes=now.notes, unreadable=shut, when=auditor.now)
    drifted = drift_of(project, options, memory)
    kept: frozenset[str] = frozenset()
    if known is not None:
        kept = unaffected(known, now, options, memory, searched(step)) - {note for note, _ in drifted}
    due = replace(memory, notes={path: note for path, note in memory.notes.items() if path not in kept})
    advised = check_memory(project, options, due, drifted, step) if due.notes else []
    advised += [row for row in known.rows if row.file in kept] if known is not None else []
    unread = _unread(project, memory, auditor, uses)
    pinned = {(one.file, one.line) for one in unread}
    rest = (one for one in advised if (one.file, one.line) not in pinned)
    whole = tuple(sorted((*rest, *unread), key=lambda one: (one.file, one.line)))
    cache.save(project, now.known(whole))
    _note_drift(project, options, whole, auditor.now)
    return CheckedMemory(project, whole, notes=now.notes, unreadable=shut, when=auditor.now)


def _situation(project: Project, options: Options, memory: MemoryFolder, auditor: Auditor) -> Situation:
    from memreview.evidence.unaffected import situation
    from memreview.evidence.world import world_state

    return situation(project, options, memory, str(int(auditor.now // DAY)), world_state(project, options))


def _note_drift(project: Project, options: Options, rows: Sequence[Advised], now: float) -> None:
    """Remember how many lines the repository speaks against: a jump suggests a pass."""
    from memreview.checks.nightly import CheckRule
    from memreview.dreaming.passes import note_drift

    note_drift(project.memory_dir, options.state_dir, sum(one.rule == CheckRule.DRIFTED for one in rows), now)


def last_check(project: Project, options: Options) -> CheckedMemory | None:
    """What the last check of a project said; None where none is known. Nothing is checked, and no note is read."""
    from memreview.evidence.advice_cache import AdviceCache

    cache = AdviceCache(options.cache_dir)
    known = cache.load(project)
    if known is None:
        return None
    return CheckedMemory(project, known.rows, notes=known.notes, when=cache.when(project))


def notes_to_review(
    projects: Sequence[Project], options: Options, known: Mapping[str, float | None]
) -> dict[str, tuple[float | None, int | None]]:
    """How many notes of each project the last check wants reviewed or unpinned, and when that check was, by path.

    None, None where none was made. Left out are projects whose last check is that of ``known``, by path.
    """
    import os

    from memreview.evidence.advice_cache import AdviceCache

    cache = AdviceCache(options.cache_dir)
    found: dict[str, tuple[float | None, int | None]] = {}
    for project in projects:
        when = cache.when(project)
        if project.path in known and known[project.path] == when:
            continue
        last = last_check(project, options)
        notes = {one.file for one in last.queue} if last is not None else set()
        there = sum(os.path.lexists(os.path.join(project.memory_dir, note)) for note in notes)
        found[project.path] = (when, there) if last is not None else (None, None)
    return found


def verify_lines(project: Project, options: Options, rows: Sequence[Advised]) -> KeptNotes:
    """Note that a person has looked at what the check says against these lines, and that they are right all the same;
    it is kept beside the latest commit of the memory, with the records that back the lines.

    The next check keeps them, as long as nothing else is said against them. Raises
    :class:`~memreview.errors.MemreviewError` where the folder is not under git, or git refuses.
    """
    from datetime import UTC, datetime

    from memreview.auditing.audit import Auditor, Request
    from memreview.checks.nightly import verified
    from memreview.evidence.advice_cache import AdviceCache
    from memreview.evidence.keep_notes import verify_lines as verify
    from memreview.read.memory import read_folder

    auditor, cache, memory = (
        Auditor(options, Request(traces=False)),
        AdviceCache(options.cache_dir),
        read_folder(project.memory_dir),
    )
    known, before = cache.load(project), _situation(project, options, memory, auditor)
    done = verify(project, options, memory, rows)
    if known is not None and known.mark == before.mark:
        # Nothing but these answers is new, so that what was said of all other lines need not be found out again.
        when = datetime.fromtimestamp(auditor.now, UTC).isoformat()
        said = tuple(verified(one, when) if one in rows else one for one in known.rows)
        cache.save(project, _situation(project, options, memory, auditor).known(said))
    return done


def _unread(project: Project, memory: MemoryFolder, auditor: Auditor, uses: Callable[[], Usage]) -> tuple[Advised, ...]:
    from memreview.checks.index import examine
    from memreview.checks.note_facts import note_facts
    from memreview.checks.unpin import IDLE_DAYS, Sessions, pointers, unread
    from memreview.diff.lines import split_lines, text_lines
    from memreview.model.memory import INDEX_NAME

    folder = auditor.folders.by_name.get(project.name)
    sessions = Sessions([file.mtime_ns / 1e9 for file in folder.sessions] if folder is not None else [], auditor.now)
    index = memory.notes.get(INDEX_NAME)
    if index is None or not sessions.written or not sessions.tell:
        return ()
    state = examine({path: note.data for path, note in memory.notes.items()}, lambda path: True)
    lines = text_lines(split_lines(index.data))
    loaded = state.first_lost_line - 1 if state.first_lost_line is not None else len(lines)
    ages: dict[str, float] = {}
    for path, note in memory.notes.items():
        stamp = note_facts(note.data).modified
        # A file's own time is renewed by copying, a stamp is not; either proves that it is at least so old.
        written = min(note.mtime_ns / 1e9, stamp if stamp is not None else auditor.now)
        ages[path] = (auditor.now - written) / DAY
    if not any(line <= loaded and ages.get(note, 0.0) >= IDLE_DAYS for line, note in pointers(lines)):
        return ()
    return unread(lines, loaded, ages, uses().of(project.name), sessions)


def advice_by_line(checked: CheckedMemory) -> Mapping[tuple[str, int], Advised]:
    """The advice by note and line, for a screen."""
    return {(one.file, one.line): one for one in checked.advised}
