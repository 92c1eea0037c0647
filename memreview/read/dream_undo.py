"""memory/ with memory.diff undone: what a dream began with, where both are there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from memreview.diff.lines import same_text
from memreview.diff.parse import undo
from memreview.errors import DreamError
from memreview.model.finding import Finding, Severity
from memreview.model.memory import Note
from memreview.read.dream_base import Rebuilt, earliest_edit, likely_before, side_note
from memreview.read.dream_diff import DiffEntry
from memreview.read.dream_history import History

MAX_NAMED = 6
"""Notes that one finding names."""
COPY_SECONDS = 30
"""How long after memory.diff the script's own copying to memory/ may last; what is newer was edited by hand."""


def from_copy_and_diff(
    copy: Mapping[str, Note], entries: Mapping[str, DiffEntry], history: History, made: float | None = None
) -> Rebuilt:
    """The copy is the proposal; the base is the copy with the diff undone. ``made`` is the time of memory.diff.

    Where a note of the copy is not what the diff made (it was edited since), the note that the diff does fit is the
    base. Raises :class:`DreamError` where there is none, or where a note is missing in the copy.
    """
    return _Undoing(copy, entries, history, made).run()


@dataclass(slots=True)
class _Undoing:
    copy: Mapping[str, Note]
    entries: Mapping[str, DiffEntry]
    history: History
    made: float | None
    findings: list[Finding] = field(default_factory=list)
    unexplained: list[str] = field(default_factory=list)

    def run(self) -> Rebuilt:
        """Both sides."""
        texts: dict[str, bytes | None] = {path: self._listed(path, entry) for path, entry in self.entries.items()}
        texts |= {path: self._unlisted(note) for path, note in self.copy.items() if path not in self.entries}
        base = {
            path: side_note(path, data, self.copy.get(path), self.history)
            for path, data in texts.items()
            if data is not None
        }
        base |= self._empty_ones_deleted()
        if self.unexplained:
            self.findings.append(_not_listed(self.unexplained))
        return Rebuilt(base, dict(self.copy), self.findings)

    def _listed(self, path: str, entry: DiffEntry) -> bytes | None:
        """The old text of a note that the diff lists."""
        note = self.copy.get(path)
        if entry.file.binary:
            return self._before_binary(path)
        if note is None and not entry.file.new_absent:
            if not entry.file.old_absent:
                raise DreamError(f"memory/{path} is missing, although memory.diff changes it: the output is not whole")
            self.findings.append(_edited_since(path))
            return None
        try:
            before = undo(note.data if note is not None else None, entry.file)
        except DreamError as error:
            return self._fitting(path, entry, error)
        return self._checked(note, before) if note is not None and before is not None else before

    def _before_binary(self, path: str) -> bytes | None:
        """The old bytes of a note that the diff lists without its bytes: the real one's, unless written since."""
        live, began_with = self.history.live.get(path), self.history.began_with
        if live is not None and not self._was_written_since(live):
            return live.data
        if began_with is not None:
            return began_with[path].data if path in began_with else None
        return next((data for data in self.history.candidates(path) if live is None or data != live.data), None)

    def _was_written_since(self, live: Note) -> bool:
        """True for a real note that is newer than memory.diff, or that a later commit than the copy's brought."""
        if self.made is not None and live.mtime_ns > self.made * 1e9:
            return True
        then, now = self.history.began_with, self.history.latest
        if then is None or now is None or live.path not in now or not same_text(now[live.path].data, live.data):
            return False
        return live.path not in then or then[live.path].data != now[live.path].data

    def _fitting(self, path: str, entry: DiffEntry, unfit: DreamError) -> bytes | None:
        """The old text of a note that is not what the diff made: one that the diff can be carried out on."""
        if entry.file.old_absent:
            self.findings.append(_edited_since(path))
            return None
        before = likely_before(path, entry, self.history)
        if before is not None:
            self.findings.append(_edited_since(path))
            return before
        raise DreamError(f"memory.diff fits neither memory/{path} nor the real note: {unfit}") from unfit

    def _checked(self, note: Note, before: bytes) -> bytes:
        """The undone text, or the real one where that must be what the dream began with: memory/ was edited by hand."""
        live = self.history.live.get(note.path)
        if live is None or live.data == before:
            return before
        if not self._is_still_committed(note.path) and not self._was_edited_by_hand(note, live):
            return before
        self.findings.append(_edited_since(note.path))
        return live.data

    def _unlisted(self, note: Note) -> bytes | None:
        """The old text of a note that the diff does not list: the same one, but for what a diff cannot show."""
        path, live = note.path, self.history.live.get(note.path)
        if live is not None and live.data == note.data:
            return note.data
        if not note.data and live is None and path not in (self.history.began_with or {}):
            return None
        if self._was_edited_by_hand(note, live) or (live is not None and self._is_still_committed(path)):
            if live is None or not same_text(live.data, note.data):
                self.findings.append(_edited_since(path))
            return live.data if live is not None else None
        if not self._is_explained(note):
            self.unexplained.append(path)
        return note.data

    def _is_still_committed(self, path: str) -> bool:
        """True where the real note is as the copy's commit has it, so that nobody else's writing is in it."""
        live, head = self.history.live.get(path), (self.history.began_with or {}).get(path)
        return live is not None and head is not None and same_text(head.data, live.data)

    def _was_edited_by_hand(self, note: Note, live: Note | None) -> bool:
        """True where the copy's note is newer than the run, while the real one is older than memory.diff."""
        if self.made is None or note.mtime_ns <= (self.made + COPY_SECONDS) * 1e9:
            return False
        return live is None or live.mtime_ns < self.made * 1e9

    def _is_explained(self, note: Note) -> bool:
        """True for an unlisted note that the real folder had when the copy was made, and changed since."""
        head = (self.history.began_with or {}).get(note.path)
        return head is not None and same_text(head.data, note.data)

    def _empty_ones_deleted(self) -> dict[str, Note]:
        """Empty notes that the copy no longer has: a diff does not show them."""
        first_edit = earliest_edit(self.entries)
        return {
            path: note
            for path, note in self.history.live.items()
            if path not in self.entries
            and path not in self.copy
            and not note.data
            and self._was_there(path, note, first_edit)
        }

    def _was_there(self, path: str, note: Note, first_edit: datetime | None) -> bool:
        """True for an empty note of the real folder that is older than the dream."""
        if self.history.began_with is not None:
            return path in self.history.began_with
        return first_edit is not None and note.mtime_ns < first_edit.timestamp() * 1e9


def _not_listed(paths: list[str]) -> Finding:
    shown = ", ".join(paths[:MAX_NAMED]) + (" …" if len(paths) > MAX_NAMED else "")
    return Finding(
        "not-listed",
        Severity.WARNING,
        f"memory/ differs from the real folder in notes that memory.diff does not list: {shown}; they have changed "
        "there since, or the diff is not whole; nothing is proposed for them",
    )


def _edited_since(path: str) -> Finding:
    return Finding(
        "copy-differs",
        Severity.WARNING,
        f"memory/{path} is not what memory.diff makes of it: it was edited afterwards, or the diff is not whole; "
        "memory/ is shown",
        path,
    )
