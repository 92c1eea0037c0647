"""A dream's output folder made into a proposal: which run it is, whose memory, what before, what after."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from memreview.config import Options
from memreview.diff.parse import ParsedDiff, parse_diff
from memreview.errors import DreamError, TargetError
from memreview.model.dream import Project, Run
from memreview.model.finding import Finding, Severity
from memreview.model.memory import MemoryFolder, Note, Stranger
from memreview.model.patch import FileChange
from memreview.read.discover import project_of_memory, resolve_project
from memreview.read.dream_base import (
    earliest_edit,
    fits_after,
    from_copy,
    from_diff,
    usable_time,
)
from memreview.read.dream_diff import DiffEntry, Roots, choose_roots, entries_below, possible_roots
from memreview.read.dream_git import check_copied_git, steers_git
from memreview.read.dream_history import History
from memreview.read.dream_manifest import RanBefore, read_manifest
from memreview.read.dream_output import (
    CHANGES_LIMIT,
    CLOCK_SLACK,
    DIFF_LIMIT,
    MEMORY_NAME,
    OutputFolder,
    last_line,
    log_tail,
    look_into,
    read_part,
    read_run,
)
from memreview.read.dream_remarks import about_files, about_parts, label_of
from memreview.read.dream_undo import from_copy_and_diff
from memreview.read.left_out import (
    GONE,
    covers,
    left_out,
    name_strangers,
    reviewable,
    strangers_of,
    why_no_note,
    without_covered,
)
from memreview.read.memory import read_folder
from memreview.read.small_files import same_entry, same_kind
from memreview.read.written_during import Meanwhile, compare_run
from memreview.text import decode


@dataclass(frozen=True, slots=True)
class ReadOutput:
    """An output folder, read: both sides, the changes between them, and what had to be said."""

    project: Project
    live: MemoryFolder
    base: Mapping[str, Note]
    proposed: Mapping[str, Note]
    files: tuple[FileChange, ...]
    run: Run
    findings: tuple[Finding, ...]
    changes_text: str | None
    changes_path: str | None


def read_output(path: str, project_name: str | None, options: Options) -> ReadOutput:
    """Read the output folder of a dream.

    Raises :class:`TargetError` where it is none or the project is not known, :class:`DreamError` where its parts
    contradict each other.
    """
    folder = look_into(path)
    if not folder.has_proposal:
        raise _nothing_in(folder)
    data = read_part(folder.diff_path, DIFF_LIMIT) if folder.diff_time is not None else None
    parsed = _parse(folder, data)
    ran = read_manifest(folder.path, data) or RanBefore()
    candidates = possible_roots(parsed) if parsed is not None else []
    project, findings = _find_project(folder, candidates, project_name, ran.memory_dir, options)
    live = read_folder(project.memory_dir, missing_ok=True)
    roots = choose_roots(candidates, lambda place: os.path.realpath(place) == live.real_path)
    entries = entries_below(parsed, roots) if parsed is not None else None
    copy = _choose_copy(folder, entries, live)
    made = _rebuild(_Parts(folder, entries, copy, live))
    text = decode(read_part(folder.changes_path, CHANGES_LIMIT)) if folder.changes_time is not None else None
    return ReadOutput(
        project=project,
        live=live,
        base=made.base,
        proposed=made.proposed,
        files=made.files,
        run=_in_window(read_run(folder, label=label_of(folder, copy), barred=ran.barred), folder, ran),
        findings=(
            *findings,
            *ran.findings,
            *about_parts(folder, parsed, copy, live),
            *made.findings,
            *about_files(made.files),
        ),
        changes_text=text,
        changes_path=folder.changes_path if text is not None else None,
    )


def _in_window(run: Run, folder: OutputFolder, ran: RanBefore) -> Run:
    """The run with the window of what it read; without a manifest it is known only when it ended."""
    ended = datetime.fromtimestamp(folder.date, UTC).isoformat() if folder.date is not None else None
    return replace(run, since=ran.since, until=ran.until or ended)


def _nothing_in(folder: OutputFolder) -> DreamError | TargetError:
    if folder.log_time is not None:
        said = last_line(log_tail(folder.log_path)) or "nothing"
        return DreamError(f"{folder.log_path}: the run failed and left only this log; its last line: {said}")
    above = os.path.dirname(os.path.abspath(folder.path))
    if os.path.basename(os.path.abspath(folder.path)) == "memory" and os.path.exists(
        os.path.join(above, "memory.diff")
    ):
        return TargetError(f"{folder.path}: this is a part of a dream's output; name the folder above it")
    return TargetError(f"{folder.path}: holds neither memory.diff nor memory/, so this is no dream's output")


def _parse(folder: OutputFolder, data: bytes | None) -> ParsedDiff | None:
    if data is None:
        return None
    parsed = parse_diff(data, folder.diff_path)
    if parsed.only_in:
        where, name = parsed.only_in[0]
        raise DreamError(
            f"{folder.diff_path}: says only that {name} is in {where} alone, without its text; make it with diff -ruN"
        )
    return parsed


def _find_project(
    folder: OutputFolder, candidates: list[Roots], name: str | None, told: str | None, options: Options
) -> tuple[Project, list[Finding]]:
    """The project that is meant. ``told`` is the memory folder that the manifest names, for a diff without lines."""
    places = [roots.old for roots in candidates if os.path.isabs(roots.old)] or ([told] if told is not None else [])
    found = (project_of_memory(place, options) for place in places if os.path.isabs(place))
    named = next((project for project in found if project is not None), None)
    if name is None:
        if named is None:
            if folder.diff_time is not None and not candidates:
                raise TargetError(
                    f"{folder.diff_path}: it is empty: the dream proposes no change, and nothing says whose memory it "
                    "read; run it again, or name that by --project"
                )
            place = choose_roots(candidates, lambda path: False)
            why = "nothing in it says whose memory this is"
            if place is not None:
                why = f"memory.diff speaks of {place.old}, which is no memory folder below {options.projects_dir}"
            raise TargetError(f"{folder.path}: {why}; --project is required")
        return named, []
    project = resolve_project(name, options)
    if named is None or os.path.realpath(named.memory_dir) == os.path.realpath(project.memory_dir):
        return project, []
    message = f"memory.diff was made from the memory of {named.name}, but {project.name} is what it is reviewed for"
    return project, [Finding("other-project", Severity.WARNING, message)]


def _choose_copy(folder: OutputFolder, entries: dict[str, DiffEntry] | None, live: MemoryFolder) -> MemoryFolder | None:
    """``memory/``, or ``memory/memory/`` where ``cp -r`` put a second run's copy into that of the first.

    None where the only copy is an earlier run's, because the last one ended before it copied its own.
    """
    if folder.memory is None:
        return None
    outer = read_folder(folder.memory)
    if folder.nested is None:
        return None if _is_earlier(outer, folder) and not _fits_all(outer, entries or {}) else outer
    inner = read_folder(folder.nested)
    if entries is None:
        # The script always leaves a diff, so this is rather a folder of notes that happens to have this name.
        return inner if 2 * len(live.notes.keys() & inner.notes.keys()) > len(live.notes) else outer
    has_such_folder = os.path.isdir(os.path.join(live.real_path, MEMORY_NAME))
    fits = [_fits_all(copy, entries or {}) for copy in (inner, outer)]
    if has_such_folder:
        return inner if fits == [True, False] else outer
    return outer if fits == [False, True] else inner


def _is_earlier(copy: MemoryFolder, folder: OutputFolder) -> bool:
    """True where nothing in the copy is as new as memory.diff, after which the script makes it."""
    newest = max((note.mtime_ns for note in copy.notes.values()), default=None)
    return newest is not None and folder.diff_time is not None and newest < (folder.diff_time - CLOCK_SLACK) * 1e9


def _fits_all(copy: MemoryFolder, entries: Mapping[str, DiffEntry]) -> bool:
    return all(
        fits_after(copy.notes[path].data if path in copy.notes else None, entry)
        for path, entry in entries.items()
        if why_no_note(path) is None and not entry.file.binary
    )


@dataclass(frozen=True, slots=True)
class _Parts:
    """What the output consists of; ``entries`` is None without memory.diff, ``copy`` None without memory/."""

    folder: OutputFolder
    entries: dict[str, DiffEntry] | None
    copy: MemoryFolder | None
    live: MemoryFolder

    @property
    def strangers(self) -> tuple[Stranger, ...]:
        """What in the copy is no note."""
        return strangers_of(self.copy) if self.copy is not None else ()


@dataclass(frozen=True, slots=True)
class _Made:
    base: Mapping[str, Note]
    proposed: Mapping[str, Note]
    files: tuple[FileChange, ...]
    findings: tuple[Finding, ...]


def _rebuild(parts: _Parts) -> _Made:
    """Both sides of the proposal and their changes."""
    history = History(parts.live, _head_of_copy(parts))
    noted, findings = _notes_only(parts)
    if parts.copy is None:
        rebuilt = from_diff(noted, history)
    elif parts.entries is None:
        rebuilt = from_copy(reviewable(parts.copy.notes), history)
    else:
        rebuilt = from_copy_and_diff(reviewable(parts.copy.notes), noted, history, parts.folder.diff_time)
    base = without_covered(rebuilt.base, parts.strangers)
    late = _late_in_diff(parts.entries, noted) if parts.entries is not None else _late_on_disk(parts, history)
    appeared = any(path not in base for path in rebuilt.proposed)
    meanwhile = Meanwhile(
        late,
        history.began_with if late or appeared else None,
        history.latest if late and history.began_with is None else None,
    )
    files = compare_run(base, rebuilt.proposed, meanwhile)
    return _Made(base, rebuilt.proposed, files, (*findings, *rebuilt.findings))


def _head_of_copy(parts: _Parts) -> str | None:
    """The commit of the copy's own ``.git``, after a check that this is the real folder's. See :mod:`dream_git`."""
    if parts.copy is None:
        return None
    copied = check_copied_git(parts.copy.real_path, (parts.live.real_path,))
    if copied is None:
        return None
    revisions = History(parts.live).revisions if copied.unknown else None
    if copied.unknown and (revisions is None or not revisions.knows(copied.unknown)):
        raise DreamError(
            f"{os.path.join(parts.copy.path, '.git')}: names commits that the memory folder's repository does "
            "not have, so it was changed; look at it, and delete it there to review the notes alone"
        )
    return copied.head


def _notes_only(parts: _Parts) -> tuple[dict[str, DiffEntry], list[Finding]]:
    """The entries of the diff that speak of notes, and findings for all else that the dream brought or changed."""
    entries = parts.entries or {}
    findings = name_strangers(parts.strangers, partial(_unchanged, parts))
    noted: dict[str, DiffEntry] = {}
    for path, entry in entries.items():
        reason = why_no_note(path)
        if covers(parts.strangers, path) is not None:
            continue
        if path == ".git" or path.startswith(".git/"):
            if parts.copy is None and not entry.file.new_absent and steers_git(path):
                raise DreamError(f"memory.diff changes {path}: nothing of a dream may reach into .git; nothing is used")
        elif reason is not None:
            findings.append(left_out(path, GONE if entry.file.new_absent else reason))
        else:
            noted[path] = entry
    return noted, findings


def _unchanged(parts: _Parts, stranger: Stranger) -> bool:
    """True for what lies in the real folder too and was not touched by the dream."""
    if parts.copy is None:
        return True
    real, copied = (os.path.join(place.real_path, stranger.path) for place in (parts.live, parts.copy))
    if same_entry(real, copied):
        return True
    if parts.entries is None:
        return False
    listed = any(path == stranger.path or path.startswith(stranger.path + "/") for path in parts.entries)
    return not listed and same_kind(real, copied)


def _late_in_diff(entries: Mapping[str, DiffEntry], noted: Mapping[str, DiffEntry]) -> frozenset[str]:
    """Notes whose real file was written after the first edit of the copy."""
    first = earliest_edit(entries)
    if first is None:
        return frozenset()
    times = {path: usable_time(entry.file.old_time) for path, entry in noted.items() if not entry.file.old_absent}
    return frozenset(path for path, time in times.items() if time is not None and time > first)


def _late_on_disk(parts: _Parts, history: History) -> frozenset[str]:
    """Without memory.diff: notes of the real folder that are newer than the copy."""
    if parts.copy is None or not parts.copy.notes or history.began_with is not None:
        return frozenset()
    copied = min(note.mtime_ns for note in parts.copy.notes.values())
    return frozenset(path for path, note in history.live.items() if note.mtime_ns > copied)
