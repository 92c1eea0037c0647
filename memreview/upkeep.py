"""What both faces call between two dreams: the nightly check, keeping evidence, the past reviews and the way back.

As in :mod:`memreview.workflow`, everything that a use case needs is imported inside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memreview.config import Options
from memreview.errors import MemreviewError
from memreview.model.advice import Advice, Advised
from memreview.model.dream import Project, Target

if TYPE_CHECKING:
    from memreview.auditing.audit import Auditor
    from memreview.auditing.usage import Usage
    from memreview.checks.after import After
    from memreview.checks.period import Period
    from memreview.evidence.keep_notes import KeptNotes
    from memreview.evidence.nightly import Step
    from memreview.evidence.unaffected import Situation
    from memreview.evidence.undo import PastReview, Piece, Reverted, TakingBack
    from memreview.model.kept import KeptChange, KeptEvidence, KeptRecord, LineOrigin
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


def propose_unpinning(checked: CheckedMemory, folder: str) -> bool:
    """Write what the check advises to unpin as a proposal that can be reviewed, into a new folder; False where
    there is nothing. Raises :class:`~memreview.errors.MemreviewError` where it cannot be written."""
    from memreview.evidence.unpinning import write_proposal
    from memreview.read.memory import read_folder

    return write_proposal(folder, read_folder(checked.project.memory_dir), checked.advised)


def unpinning(checked: CheckedMemory, options: Options) -> Target:
    """What the check advises to unpin as a proposal below the state folder, for a review to open.

    Raises :class:`~memreview.errors.RefusedError` where nothing is to be unpinned, or nothing can be written.
    """
    from memreview.evidence.unpinning import proposal
    from memreview.read.memory import read_folder

    memory = read_folder(checked.project.memory_dir)
    now = checked.still({path: note.data for path, note in memory.notes.items()})
    return proposal(checked.project, memory, now.advised, options)


def keep_evidence(
    options: Options, names: Sequence[str] = (), *, everything: bool = False, now: float | None = None
) -> list[KeptNotes]:
    """Keep, with the latest commit of each memory, the evidence of notes whose transcripts are about to be swept.

    ``everything`` keeps that of all lines that something backs. What is kept already is left alone.
    """
    from memreview.auditing.audit import Auditor, Request
    from memreview.checks.retention import EXPIRING_DAYS, age_in_days
    from memreview.evidence.keep_notes import KeptNotes, keep_notes
    from memreview.read.memory import read_folder

    auditor = Auditor(options, Request(now=now, traces=False))
    done: list[KeptNotes] = []
    for one in check(options, names, now=now):
        folder = auditor.folders.by_name.get(one.project.name)
        period = auditor.period(folder) if folder is not None else None

        def is_due(mtime: float, period: Period | None = period) -> bool:
            if everything or period is None or not period.valid:
                return everything
            return period.days - age_in_days(mtime, auditor.now) <= EXPIRING_DAYS

        try:
            if one.problem is not None:
                raise MemreviewError(one.problem)
            memory = read_folder(one.project.memory_dir)
            done.append(keep_notes(one.project, options, memory, one.advised, is_due))
        except MemreviewError as error:
            done.append(KeptNotes(one.project, problem=str(error)))
    return done


def past_reviews(project: Project, limit: int | None = None) -> list[PastReview]:
    """The commits that changed notes of a memory, newest first, with the evidence kept of each; ``limit`` of them.

    Raises :class:`~memreview.errors.RefusedError` where the folder is not under git.
    """
    return list(each_past_review(project, limit))


def each_past_review(project: Project, limit: int | None = None) -> Iterator[PastReview]:
    """The same, one after another: each takes some calls of git."""
    from memreview.evidence.show import store_of
    from memreview.evidence.undo import History

    yield from History(project, store_of(project)).each(limit)


def taking_back(project: Project, commit: str, changes: Sequence[str] = ()) -> TakingBack:
    """What :func:`revert` would do, as a review, to be shown before it is done; nothing is read but the commit."""
    from memreview.evidence.show import store_of
    from memreview.evidence.undo import History

    history = History(project, store_of(project))
    return history.taking_back(history.past(commit), changes)


def revert(
    project: Project,
    commit: str,
    options: Options,
    changes: Sequence[str] = (),
    *,
    reason: str | None = None,
    dry_run: bool = False,
    wait: float | None = None,
) -> Reverted:
    """Take back a commit, or the ``changes`` of it (ids, or the beginnings of some), merged with what stands now.

    Where later edits overlap, nothing is written and ``result.conflicts`` say where. Raises what apply raises.
    """
    from memreview.apply.result import ConflictError
    from memreview.apply.run import recover_folder
    from memreview.evidence.show import store_of
    from memreview.evidence.undo import History, Reverted
    from memreview.lock import DEFAULT_WAIT

    patience = DEFAULT_WAIT if wait is None else wait
    recover_folder(project.memory_dir, options, patience)
    history = History(project, store_of(project))
    past = history.past(commit)
    try:
        done = history.revert(past, changes, options, reason=reason, dry_run=dry_run, wait=patience)
    except ConflictError as error:
        return Reverted(past, past.pieces, error.result)
    if not dry_run and done.result.commit is not None:
        _note_declined(project, options, done.pieces)
    return done


def _note_declined(project: Project, options: Options, pieces: Sequence[Piece]) -> None:
    """What was taken back is declined, too: the next pass is told. That it cannot be noted is no error."""
    from contextlib import suppress
    from datetime import UTC, datetime

    from memreview.review.declined import Declined, DeclinedStore

    when = datetime.now(UTC).isoformat(timespec="seconds")
    kept = [piece.kept for piece in pieces if piece.kept is not None]
    rows = [Declined(one.id, one.note, one.removed, one.added, when) for one in kept]
    with suppress(OSError):
        DeclinedStore(options.state_dir).remember(project, rows)


def line_origins(project: Project, note: str) -> tuple[LineOrigin, ...]:
    """For each line of a note: since when it is there, from which session, whose words, verified how.

    Empty where the folder is not under git or has no such note.
    """
    from memreview.evidence.kept_store import open_store
    from memreview.evidence.lines import origins
    from memreview.read.memory import read_folder

    store = open_store(project.memory_dir)
    found = read_folder(project.memory_dir, missing_ok=True).notes.get(note)
    return origins(store, note, found.data) if store is not None and found is not None else ()


def what_followed(
    project: Project, options: Options, line: str, since: str | None, tell: Callable[[int, int], None] | None = None
) -> tuple[After, ...]:
    """What transcripts say of the subject of a line after ``since`` (ISO 8601), marked where it denies or corrects.

    ``tell`` is told how far the search is; what it raises ends it.
    """
    from memreview.evidence.aftermath import what_followed as follow

    return follow(project, options, line, since, tell)


def whereabouts(
    project: Project, options: Options, records: Sequence[KeptRecord] = (), places: Sequence[str] = ()
) -> Mapping[str, tuple[str, int]]:
    """Where kept records, and places written as citations are, can be looked at now: path and line by place."""
    from memreview.evidence.whereabouts import whereabouts as look

    return look(project, options, records, places)


def kept_change(project: Project, commit: str, change: str) -> tuple[KeptEvidence, KeptChange] | None:
    """The change with this id as it was kept with a commit, in its evidence; None where it was forgotten."""
    from memreview.evidence.show import store_of

    for evidence in store_of(project).of_commit(commit):
        for one in evidence.changes:
            if one.id == change:
                return evidence, one
    return None


def advice_by_line(checked: CheckedMemory) -> Mapping[tuple[str, int], Advised]:
    """The advice by note and line, for a screen."""
    return {(one.file, one.line): one for one in checked.advised}
