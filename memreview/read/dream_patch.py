"""A proposal that is one patch file, as ``diff -ruN`` or git writes it (``git format-patch`` too).

The base is the state of the notes that the patch fits: what lies in the real folder, in a snapshot, or in its history.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from memreview.config import Options
from memreview.diff.hunks import compare
from memreview.diff.lines import split_lines
from memreview.diff.parse import parse_diff, undo
from memreview.errors import DreamError, TargetError
from memreview.model.dream import Project
from memreview.model.finding import Finding
from memreview.model.memory import MemoryFolder, Note
from memreview.model.patch import FileChange
from memreview.read.discover import project_of_memory, resolve_project
from memreview.read.dream_base import fits_before, from_diff, likely_before
from memreview.read.dream_diff import DiffEntry, Roots, choose_roots, entries_below, possible_roots
from memreview.read.dream_history import History
from memreview.read.dream_output import DIFF_LIMIT
from memreview.read.left_out import GONE, left_out, why_no_note
from memreview.read.memory import read_folder
from memreview.read.small_files import read_regular
from memreview.snapshots.store import SnapshotStore
from memreview.text import visible

_MAIL = re.compile(rb"From [0-9a-f]{40,64} ")
_SIGNATURE = b"-- \n"


@dataclass(frozen=True, slots=True)
class ReadPatch:
    """A patch, read: both sides, the changes between them, and remarks."""

    project: Project
    live: MemoryFolder
    base: Mapping[str, Note]
    proposed: Mapping[str, Note]
    files: tuple[FileChange, ...]
    findings: tuple[Finding, ...]


def read_patch(path: str, project_name: str | None, options: Options) -> ReadPatch:
    """Read a patch file.

    Raises :class:`TargetError` where there is none or the project is not known, :class:`DreamError` where it is no
    patch, or fits no state of the notes that is known.
    """
    name = os.path.basename(path)
    parsed = parse_diff(without_mail(_bytes(path)), name)
    if parsed.only_in:
        where, lone = parsed.only_in[0]
        raise DreamError(f"{path}: says only that {visible(lone)} is in {visible(where)} alone; make it with diff -ruN")
    if not parsed.files:
        raise DreamError(f"{path}: holds no change")
    for file in parsed.files:
        if ".git" in (*file.old_path.split("/"), *file.new_path.split("/")):
            raise DreamError(f"{path}: changes {visible(file.new_path)}: nothing may reach into .git; nothing is used")
        if os.path.basename(file.old_path) != os.path.basename(file.new_path):
            raise DreamError(f"{path}: renames {visible(file.old_path)}; make the patch with git diff --no-renames")
    candidates = possible_roots(parsed)
    project = _project(path, candidates, project_name, options)
    live = read_folder(project.memory_dir, missing_ok=True)
    store = SnapshotStore(options.state_dir)
    kept = [store.notes(one) for one in store.every(live.real_path) if not one.partial]
    history = History(live, earlier=kept)
    roots = _roots(candidates, history, lambda roots: entries_below(parsed, roots))
    entries, findings = _noted(entries_below(parsed, roots))
    for note, entry in entries.items():
        _refuse_unfitting(path, note, entry, history)
    rebuilt = from_diff(entries, history)
    files = compare(rebuilt.base, rebuilt.proposed)
    return ReadPatch(project, live, rebuilt.base, rebuilt.proposed, files, (*findings, *rebuilt.findings))


def without_mail(data: bytes) -> bytes:
    """The diff of a patch: what git writes around it for a mail, and what stands before the first file, is left out."""
    lines = split_lines(data)
    if _MAIL.match(data):
        end = next((at for at in range(len(lines) - 1, -1, -1) if lines[at] == _SIGNATURE), len(lines))
        # The signature is a version in one line, so what follows it tells it from a removed line.
        lines = lines[:end] if len(lines) - end <= 3 else lines
    for at, line in enumerate(lines):
        names = line.startswith(b"--- ") and at + 1 < len(lines) and lines[at + 1].startswith(b"+++ ")
        if names or line.startswith((b"diff ", b"Only in ", b"Binary files ")):
            return b"".join(lines[at:])
    return data


def _bytes(path: str) -> bytes:
    try:
        data = read_regular(os.path.realpath(path), DIFF_LIMIT + 1)
    except OSError as error:
        raise TargetError(f"{path}: cannot be read ({error.strerror})") from error
    if data is None:
        raise TargetError(f"{path}: no such file; --patch wants a diff of notes")
    if len(data) > DIFF_LIMIT:
        raise DreamError(f"{path}: is longer than {DIFF_LIMIT} bytes; this is no patch of notes")
    return data


def _project(path: str, candidates: list[Roots], name: str | None, options: Options) -> Project:
    if name is not None:
        return resolve_project(name, options)
    found = (project_of_memory(roots.old, options) for roots in candidates if os.path.isabs(roots.old))
    project = next((project for project in found if project is not None), None)
    if project is None:
        raise TargetError(f"{path}: nothing in it says whose memory this is; --project is required")
    return project


def _roots(candidates: list[Roots], history: History, below: object) -> Roots | None:
    """The folders that the names begin with: those below which the patch fits the most notes."""
    assert callable(below)

    def fitting(roots: Roots) -> int:
        try:
            entries: dict[str, DiffEntry] = below(roots)
        except DreamError:
            return -1
        return sum(_fits_some(path, entry, history) for path, entry in entries.items())

    usual = choose_roots(candidates, lambda place: os.path.realpath(place) == history.folder.real_path)
    ordered = [roots for roots in (usual, *candidates) if roots is not None]
    return max(ordered, key=fitting, default=None)


def _fits_some(path: str, entry: DiffEntry, history: History) -> bool:
    file = entry.file
    if file.binary or file.old_absent:
        return False
    return any(fits_before(data, entry) for data in history.candidates(path))


def _noted(entries: Mapping[str, DiffEntry]) -> tuple[dict[str, DiffEntry], list[Finding]]:
    """The entries that speak of notes, and findings for the others."""
    noted: dict[str, DiffEntry] = {}
    findings: list[Finding] = []
    for path, entry in entries.items():
        reason = why_no_note(path)
        if reason is not None:
            findings.append(left_out(path, GONE if entry.file.new_absent else reason))
        else:
            noted[path] = entry
    return noted, findings


def _refuse_unfitting(patch: str, path: str, entry: DiffEntry, history: History) -> None:
    file = entry.file
    if file.binary:
        raise DreamError(
            f"{patch}: {visible(path)} is binary, and a patch does not hold its bytes; compare two folders"
        )
    if file.old_absent or file.new_absent or likely_before(path, entry, history) is not None:
        return
    live = history.live.get(path)
    try:
        undo(live.data if live is not None else None, file)
    except DreamError as error:
        raise DreamError(
            f"{patch}: does not fit {visible(path)} as it is now, nor in a snapshot or in the history of the folder; "
            "make the patch anew"
        ) from error
