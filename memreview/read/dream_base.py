"""Base and proposal of a dream, each made from what the dream left: its copy, its diff, and the real folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from memreview.diff.engine import CONTEXT
from memreview.diff.lines import split_lines
from memreview.diff.parse import redo, undo
from memreview.errors import DreamError
from memreview.model.finding import Finding
from memreview.model.memory import Note
from memreview.read.dream_diff import DiffEntry
from memreview.read.dream_history import History


@dataclass(slots=True)
class Rebuilt:
    """Both sides of the proposal, and what had to be said about making them."""

    base: dict[str, Note] = field(default_factory=dict)
    proposed: dict[str, Note] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


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
                notes[path] = side_note(path, data, history.live.get(path), history)
    return result


def from_copy(copy: Mapping[str, Note], history: History) -> Rebuilt:
    """Without any diff the base is the commit that the copy had checked out, else the real folder as it is now."""
    known = history.began_with if history.began_with is not None else history.live
    base: dict[str, Note] = {}
    for path in {*copy, *known}:
        note, live = copy.get(path), history.live.get(path)
        same = note is not None and live is not None and note.data == live.data
        before = live if same else known.get(path) or _never_committed(live, history)
        if before is not None and not (note is None and live is None):
            base[path] = side_note(path, before.data, note, history)
    return Rebuilt(base, dict(copy))


def _never_committed(live: Note | None, history: History) -> Note | None:
    """A real note that no commit tells of, as it is now: the copy's commit says nothing about its beginnings."""
    return live if live is not None and live.path not in (history.latest or {}) else None


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


def likely_before(path: str, entry: DiffEntry, history: History) -> bytes | None:
    """Of the texts that a note had, the one that the diff was made from; None where it fits none.

    A hunk with fewer lines of context at its end than diff gives stands at the end of its text, so a text that ends
    there comes before one that goes on.
    """
    second_best: bytes | None = None
    for data in history.candidates(path):
        if fits_before(data, entry):
            if _ends_like(data, entry):
                return data
            second_best = data if second_best is None else second_best
    return second_best


def _ends_like(data: bytes, entry: DiffEntry) -> bool:
    if not entry.file.hunks:
        return True
    last = entry.file.hunks[-1]
    context = next((n for n, (mark, _) in enumerate(reversed(last.lines)) if mark != " "), len(last.lines))
    return context >= CONTEXT or last.old_start + len(last.old) == len(split_lines(data))


def fits_before(before: bytes | None, entry: DiffEntry) -> bool:
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
    if entry.file.new_absent:
        return undo(None, entry.file), None
    before = likely_before(path, entry, history)
    if before is not None:
        return before, redo(before, entry.file)
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


def side_note(path: str, data: bytes, like: Note | None, history: History) -> Note:
    """A note of the base: with the mode of the real one, unless the copy's lacks some bits as the umask takes them."""
    live = history.live.get(path)
    if like is None or live is None:
        return Note(path, data, (like or live or Note(path, data)).mode)
    taken_by_umask = not like.mode & ~live.mode
    return Note(path, data, like.mode if taken_by_umask else live.mode)
