"""Base and proposal of a dream, each made from what the dream left: its copy, its diff, and the real folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from memreview.diff.parse import redo, undo
from memreview.errors import DreamError
from memreview.model.finding import Finding, Severity
from memreview.model.memory import Note
from memreview.read.dream_diff import DiffEntry
from memreview.read.dream_history import History
from memreview.read.small_files import same_text

MAX_NAMED = 6
"""Notes that one finding names."""


@dataclass(slots=True)
class Rebuilt:
    """Both sides of the proposal, and what had to be said about making them."""

    base: dict[str, Note] = field(default_factory=dict)
    proposed: dict[str, Note] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def from_copy_and_diff(copy: Mapping[str, Note], entries: Mapping[str, DiffEntry], history: History) -> Rebuilt:
    """The copy is the proposal; the base is the copy with the diff undone.

    Where a note of the copy is not what the diff made (it was edited since), the note that the diff does fit is the
    base. Raises :class:`DreamError` where there is none, or where a note is missing in the copy.
    """
    result = Rebuilt(proposed=dict(copy))
    for path, entry in entries.items():
        before = _undone(path, entry, copy.get(path), history, result)
        if before is not None:
            result.base[path] = _note(path, before, copy.get(path), history)
            if _leads_elsewhere(path, before, history):
                result.findings.append(_not_whole(path))
    first_edit = earliest_edit(entries)
    unexplained: list[str] = []
    for path, note in copy.items():
        if path not in entries:
            before = _unlisted(path, note, history, result)
            if before is not None:
                result.base[path] = _note(path, before, note, history)
            if before == note.data and not _is_explained(path, note, history):
                unexplained.append(path)
    if unexplained:
        result.findings.append(_not_listed(unexplained))
    for path, note in history.live.items():
        if path not in entries and path not in copy and not note.data and _was_there(path, note, history, first_edit):
            result.base[path] = note
    return result


def from_diff(entries: Mapping[str, DiffEntry], history: History) -> Rebuilt:
    """The proposal is the base with the diff carried out; the base is the note that the diff fits.

    Raises :class:`DreamError` for a note that the diff fits in no known state.
    """
    result = Rebuilt(dict(history.live), dict(history.live))
    for path, entry in entries.items():
        before, after = _both_sides(path, entry, history)
        for notes, data in ((result.base, before), (result.proposed, after)):
            notes.pop(path, None)
            if data is not None:
                notes[path] = _note(path, data, history.live.get(path), history)
    return result


def from_copy(copy: Mapping[str, Note], history: History) -> Rebuilt:
    """Without any diff the base is the commit that the copy had checked out, else the real folder as it is now."""
    known = history.began_with if history.began_with is not None else history.live
    base: dict[str, Note] = {}
    for path in {*copy, *known}:
        note, live = copy.get(path), history.live.get(path)
        same = note is not None and live is not None and note.data == live.data
        before = live if same else known.get(path)
        if before is not None and not (note is None and live is None):
            base[path] = _note(path, before.data, note, history)
    return Rebuilt(base, dict(copy))


def earliest_edit(entries: Mapping[str, DiffEntry]) -> datetime | None:
    """The earliest ``+++`` time of the diff, None where there is no usable one; 1970 stands for a missing file."""
    times = [usable_time(entry.file.new_time) for entry in entries.values() if not entry.file.new_absent]
    return min((time for time in times if time is not None), default=None)


def usable_time(time: datetime | None) -> datetime | None:
    """A time of a header line in UTC, None for one of 1970 or without a zone."""
    if time is None or time.tzinfo is None:
        return None
    moment = time.astimezone(UTC)
    return moment if moment.year > 1970 else None


def fits_after(after: bytes | None, entry: DiffEntry) -> bool:
    """True where ``after`` is what the diff says that the dream made."""
    try:
        undo(after, entry.file)
    except DreamError:
        return False
    return True


def _undone(path: str, entry: DiffEntry, note: Note | None, history: History, result: Rebuilt) -> bytes | None:
    """The old text of a note that the diff lists."""
    after = note.data if note is not None else None
    if after is None and not entry.file.new_absent:
        if entry.file.old_absent:
            result.findings.append(_edited_since(path))
            return None
        raise DreamError(f"memory/{path} is missing, although memory.diff changes it: the output is not whole")
    if not entry.file.binary:
        try:
            return undo(after, entry.file)
        except DreamError as error:
            unfit = error
        for candidate in (None, *history.candidates(path)) if entry.file.old_absent else history.candidates(path):
            if _fits(candidate, entry):
                result.findings.append(_edited_since(path))
                return candidate
        raise DreamError(f"memory.diff fits neither memory/{path} nor the real note: {unfit}") from unfit
    return next(history.candidates(path), None)


def _unlisted(path: str, note: Note, history: History, result: Rebuilt) -> bytes | None:
    """The old text of a note that the diff does not list: the same one, but for what a diff cannot show."""
    live = history.live.get(path)
    if live is not None and live.data == note.data:
        return note.data
    head = (history.began_with or {}).get(path)
    if not note.data and live is None and head is None:
        return None
    if (
        head is not None
        and live is not None
        and same_text(head.data, live.data)
        and not same_text(head.data, note.data)
    ):
        result.findings.append(_edited_since(path))
        return live.data
    return note.data


def _leads_elsewhere(path: str, before: bytes, history: History) -> bool:
    """True where the undone note is not the real one, although that is still what the copy was made from."""
    live = history.live.get(path)
    if live is None or live.data == before:
        return False
    head = (history.began_with or {}).get(path)
    return head is not None and same_text(head.data, live.data)


def _is_explained(path: str, note: Note, history: History) -> bool:
    """True for an unlisted note of the copy that is what the real folder holds, or held when the copy was made."""
    known = [notes.get(path) for notes in (history.live, history.began_with or {})]
    return any(other is not None and same_text(other.data, note.data) for other in known)


def _was_there(path: str, note: Note, history: History, first_edit: datetime | None) -> bool:
    """True for an empty note of the real folder that is older than the dream: a diff shows no empty files."""
    if history.began_with is not None:
        return path in history.began_with
    return first_edit is not None and note.mtime_ns < first_edit.timestamp() * 1e9


def _fits(before: bytes | None, entry: DiffEntry) -> bool:
    """True where the diff can be carried out on ``before``."""
    try:
        redo(before, entry.file)
    except DreamError:
        return False
    return True


def _both_sides(path: str, entry: DiffEntry, history: History) -> tuple[bytes | None, bytes | None]:
    """Old and new text of a note whose new text is only in the diff."""
    if entry.file.binary:
        raise DreamError(f"{path}: a binary note; memory.diff does not hold its bytes, and memory/ is missing")
    if entry.file.old_absent:
        return None, redo(None, entry.file)
    for candidate in history.candidates(path):
        if _fits(candidate, entry):
            return candidate, redo(candidate, entry.file)
    note = history.live.get(path)
    after = note.data if note is not None else None
    try:
        # The note may hold the proposal already, from an earlier review.
        return undo(after, entry.file), after
    except DreamError as error:
        raise DreamError(
            f"memory.diff does not fit {path} in the real folder, nor in its history, and memory/ is missing: "
            "nothing can be proposed; run the dream again"
        ) from error


def _not_listed(paths: list[str]) -> Finding:
    shown = ", ".join(paths[:MAX_NAMED]) + (" …" if len(paths) > MAX_NAMED else "")
    return Finding(
        "not-listed",
        Severity.WARNING,
        f"memory/ differs from the real folder in notes that memory.diff does not list: {shown}; they have changed "
        "there since, or the diff is not whole; nothing is proposed for them",
    )


def _not_whole(path: str) -> Finding:
    return Finding(
        "diff-not-whole",
        Severity.WARNING,
        f"memory.diff undone on memory/{path} does not lead back to the real note, though that is as it was committed: "
        "a part of the diff may be missing",
        path,
    )


def _edited_since(path: str) -> Finding:
    return Finding(
        "copy-differs",
        Severity.WARNING,
        f"memory/{path} is not what memory.diff makes of it: it was edited afterwards; memory/ is shown",
        path,
    )


def _note(path: str, data: bytes, like: Note | None, history: History) -> Note:
    """A note of the base: with the mode of the real one, unless the copy's lacks some bits as the umask takes them."""
    live = history.live.get(path)
    if like is None or live is None:
        return Note(path, data, (like or live or Note(path, data)).mode)
    taken_by_umask = not like.mode & ~live.mode
    return Note(path, data, like.mode if taken_by_umask else live.mode)
