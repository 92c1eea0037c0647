"""A memory folder under git that was edited in place: a revision is the base, the files on disk are the proposal."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from memreview.errors import VcsError
from memreview.model.finding import Finding, Severity
from memreview.model.memory import MemoryFolder, Note, Stranger
from memreview.read.left_out import (
    GONE,
    covers,
    is_instruction,
    left_out,
    name_strangers,
    reviewable,
    strangers_of,
    without_covered,
)
from memreview.read.memory import LINK, is_note_path
from memreview.read.revision_notes import note_files, notes_at
from memreview.vcs.revisions import FolderRevisions, TrackedFile, open_revisions


@dataclass(frozen=True, slots=True)
class LiveEdit:
    """What was edited in place: the notes before and now, the commit they are compared with, and remarks."""

    base: dict[str, Note]
    proposed: dict[str, Note]
    commit: str
    findings: tuple[Finding, ...]


def read_live_edit(folder: MemoryFolder, since: str | None) -> LiveEdit:
    """Compare a folder with HEAD, or the revision ``since``, of the repository that holds it.

    Raises :class:`VcsError` where there is no repository or commit, :class:`UsageError` for an unknown revision.
    """
    revisions = open_revisions(folder.real_path)
    if revisions is None:
        raise VcsError(
            f"{folder.path}: no git repository holds this folder, so nothing tells what was there before; "
            "compare with a copy of it instead: --base COPY --proposed FOLDER"
        )
    commit = revisions.resolve(since)
    tracked = revisions.files(commit)
    strangers = strangers_of(folder)
    on_disk = reviewable(folder.notes)
    linked = [Stranger(path, LINK) for path, file in tracked.items() if not file.is_file and is_note_path(path)]
    base = without_covered(notes_at(revisions, commit, on_disk), strangers)
    proposed = without_covered(on_disk, linked)
    findings = [
        *name_strangers(
            {known.path: known for known in (*linked, *strangers)}.values(),
            lambda stranger: _unchanged(stranger, tracked, revisions, folder),
        ),
        *_gone(tracked, folder),
    ]
    if not note_files(tracked) and on_disk:
        findings.append(
            Finding(
                "nothing-tracked",
                Severity.WARNING,
                f"{commit[:12]} holds no note of {folder.path}: every note counts as added",
            )
        )
    return LiveEdit(base, proposed, commit, tuple(findings))


def _unchanged(
    stranger: Stranger, tracked: Mapping[str, TrackedFile], revisions: FolderRevisions, folder: MemoryFolder
) -> bool:
    """True for what the commit holds just so; a folder must hold the same files."""
    place = os.path.join(folder.real_path, stranger.path)
    if os.path.isdir(place) and not os.path.islink(place):
        below = [
            os.path.relpath(os.path.join(top, name), folder.real_path)
            for top, _, names in os.walk(place)
            for name in names
        ]
        known = [path for path in tracked if path.startswith(stranger.path + "/")]
        return sorted(below) == sorted(known) and all(_same_file(path, tracked, revisions, folder) for path in below)
    return _same_file(stranger.path, tracked, revisions, folder)


def _same_file(path: str, tracked: Mapping[str, TrackedFile], revisions: FolderRevisions, folder: MemoryFolder) -> bool:
    """True where one file or link is what the commit holds."""
    file = tracked.get(path)
    place = os.path.join(folder.real_path, path)
    if file is None:
        return False
    if os.path.islink(place):
        return not file.is_file and revisions.blobs([file.oid])[file.oid] == os.fsencode(os.readlink(place))
    readable = os.path.isfile(place) and os.access(place, os.R_OK)
    return file.is_file and readable and revisions.ids_on_disk([path])[path] == file.oid


def _gone(tracked: Mapping[str, TrackedFile], folder: MemoryFolder) -> list[Finding]:
    """Tracked files that are no notes and no longer on disk."""
    return [
        left_out(path, GONE)
        for path in tracked
        if (not is_note_path(path) or is_instruction(path))
        and not os.path.lexists(os.path.join(folder.real_path, path))
        and covers(folder.strangers, path) is None
    ]
