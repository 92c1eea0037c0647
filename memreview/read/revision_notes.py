"""Notes of a git revision, with the line ends that the folder on disk has."""

from __future__ import annotations

from collections.abc import Mapping

from memreview.model.memory import Note
from memreview.read.left_out import is_instruction
from memreview.read.memory import is_note_path
from memreview.vcs.revisions import FolderRevisions, TrackedFile

_EXECUTABLE = 0o111


def notes_at(revisions: FolderRevisions, commit: str, disk: Mapping[str, Note]) -> dict[str, Note]:
    """The reviewable notes of a commit. ``disk`` are those that lie on disk now, in the same folder.

    A note in which git sees no change is the one on disk, to the byte. Where the line ends (or filters) of the
    repository and of a checkout differ, the form is taken that is nearer to the note on disk.
    """
    tracked = note_files(revisions.files(commit))
    common = [path for path in tracked if path in disk]
    on_disk = revisions.ids_on_disk(common) if common else {}
    same = {path for path in common if on_disk[path] == tracked[path].oid}
    other = [path for path in tracked if path not in same]
    blobs = revisions.blobs(tracked[path].oid for path in other)
    filtered = revisions.filtered(other) if other else frozenset()
    notes: dict[str, Note] = {}
    for path, file in sorted(tracked.items()):
        current = disk.get(path)
        if path in same and current is not None:
            data = current.data
        else:
            data = blobs[file.oid]
            like = current.data if current is not None else None
            if path in filtered or _may_differ(data, like):
                data = _nearest(data, revisions.checked_out(commit, path), like, path in filtered)
        notes[path] = Note(path, data, _mode(file.mode, current))
    return notes


def note_files(files: Mapping[str, TrackedFile]) -> dict[str, TrackedFile]:
    """Those entries of a revision that are reviewable notes: regular files with a note's name."""
    return {
        path: file for path, file in files.items() if file.is_file and is_note_path(path) and not is_instruction(path)
    }


def _may_differ(stored: bytes, disk: bytes | None) -> bool:
    """True where a checkout could have other line ends than the repository, as far as it matters here."""
    return b"\r\n" not in stored and (disk is None or b"\r\n" in disk)


def _nearest(stored: bytes, checked_out: bytes, disk: bytes | None, filtered: bool) -> bytes:
    if disk is None or filtered:
        return checked_out
    share = _crlf_share(disk)
    return min((checked_out, stored), key=lambda data: abs(_crlf_share(data) - share))


def _crlf_share(data: bytes) -> float:
    lines = data.count(b"\n")
    return data.count(b"\r\n") / lines if lines else 0.0


def _mode(tracked: int, current: Note | None) -> int:
    """The permission bits that a note had, as far as git knows them: it tells only whether a file is executable."""
    if current is not None and bool(current.mode & _EXECUTABLE) == bool(tracked & _EXECUTABLE):
        return current.mode
    return tracked & 0o777
