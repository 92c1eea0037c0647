"""The rows of one note's diff: unchanged lines around, what goes, what comes, what a person wrote instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from memreview.diff.lines import split_lines
from memreview.model.dream import Conflict
from memreview.model.patch import Change, ChangeKind, FileChange
from memreview.text import mask_lines
from memreview.tui.content import decode_line, shown
from memreview.tui.rows.model import Cell, Row
from memreview.tui.rows.pairs import pair_lines, word_marks


class LineRef(NamedTuple):
    """A line of a change: ``removed`` or ``added``, and its index there."""

    side: str
    at: int


@dataclass(frozen=True, slots=True)
class Look:
    """How a diff is laid out: two columns or one; the whole note or what is near its changes."""

    side_by_side: bool = False
    whole: bool = False


@dataclass(slots=True)
class DiffRows:
    """Rows, and for every change (or note without changes) its first and last row."""

    rows: list[Row] = field(default_factory=list)
    spans: dict[str, tuple[int, int]] = field(default_factory=dict)
    digits: int = 2


def diff_rows(
    file: FileChange,
    look: Look,
    edits: Mapping[str, Sequence[str]],
    conflicts: Mapping[str, Conflict],
    *,
    mask: bool = True,
) -> DiffRows:
    """All rows of a note; ``edits`` holds the lines that a person wrote instead, by change."""
    return _Builder(file, look, edits, conflicts, mask).build()


class _Builder:
    def __init__(
        self,
        file: FileChange,
        look: Look,
        edits: Mapping[str, Sequence[str]],
        conflicts: Mapping[str, Conflict],
        mask: bool,
    ) -> None:
        self.file = file
        self.look = look
        self.edits = edits
        self.conflicts = conflicts
        self.old = split_lines(file.base or b"") if not file.binary else ()
        # A private key goes over many lines and is known by its frame alone; all else is masked when it is drawn.
        self.hidden = _masked_lines(file) if mask and _holds_key(file) else {}
        self.shift = 0
        self.result = DiffRows(digits=max(2, len(str(len(self.old) + 1))))

    def build(self) -> DiffRows:
        start = len(self.result.rows)
        for remark in remarks(self.file):
            self._label(remark, self.file.id)
        if not self.file.hunks:
            self._unchanged_text()
            self.result.spans[self.file.id] = (start, max(start, len(self.result.rows) - 1))
            self._conflict(self.file.id)
            return self.result
        at = 0
        for hunk in self.file.hunks:
            self._between(at, hunk.old_start)
            at = hunk.old_start
            for change in hunk.changes:
                self._context(at, change.old_start)
                self._change(change)
                at = change.old_start + len(change.removed)
                self.shift = change.new_start + len(change.added) - at
            self._context(at, hunk.old_start + hunk.old_count)
            at = hunk.old_start + hunk.old_count
        self._between(at, len(self.old))
        return self.result

    def _add(self, row: Row) -> None:
        self.result.rows.append(row)

    def _text(self, line: bytes) -> str:
        hidden = self.hidden.get(line) if self.hidden else None
        return shown(decode_line(line) if hidden is None else hidden)

    def _label(self, text: str, owner: str | None, kind: str = "label") -> None:
        self._add(Row((Cell(shown(text), kind),), owner, kind))

    def _unchanged_text(self) -> None:
        if self.file.binary:
            return
        for number, line in enumerate(self.old or split_lines(self.file.proposed or b""), 1):
            self._both(line, number, number)

    def _between(self, start: int, end: int) -> None:
        count = end - start
        if count <= 0:
            return
        if self.look.whole or count == 1:
            self._context(start, end)
            return
        self._add(Row((Cell(f"⋯ {count} unchanged lines", "gap"),), None, "gap", wraps=False))

    def _context(self, start: int, end: int) -> None:
        for number in range(start, min(end, len(self.old))):
            self._both(self.old[number], number + 1, number + 1 + self.shift)

    def _both(self, line: bytes, old_number: int, new_number: int) -> None:
        text = self._text(line)
        right = Cell(text, "context", number=new_number)
        if self.look.side_by_side:
            self._add(Row((Cell(text, "context", number=old_number), right), None, "context"))
        else:
            self._add(Row((right,), None, "context"))

    def _change(self, change: Change) -> None:
        start = len(self.result.rows)
        ends = line_ends_differ(change)
        if self.look.side_by_side:
            self._beside(change, ends)
        else:
            self._below(change, ends)
        if change.id in self.edits:
            lines = self.edits[change.id]
            self._label("your text instead:" if lines else "your text instead: nothing", change.id, "own")
            for line in lines:
                self._add(Row((Cell(shown(line), "edited", sign="✎"),), change.id, "edited"))
        self._conflict(change.id)
        self.result.spans[change.id] = (start, len(self.result.rows) - 1)

    def _conflict(self, owner: str) -> None:
        conflict = self.conflicts.get(owner)
        if conflict is None:
            return
        self._label(f"! conflict: {conflict.reason}", owner, "conflict")
        for line in conflict.live:
            self._add(Row((Cell(self._text(line), "live", sign="!"),), owner, "live"))
        self._label("e writes what shall stand there, r leaves the folder as it is", owner, "conflict")

    def _below(self, change: Change, ends: bool) -> None:
        pairs = pair_lines(change.removed, change.added)
        partner_of_old = {old: new for old, new in pairs if old is not None}
        partner_of_new = {new: old for old, new in pairs if new is not None}
        for index in range(len(change.removed)):
            self._add(
                Row((self._line(change, "removed", index, partner_of_old.get(index), ends),), change.id, "removed")
            )
        for index in range(len(change.added)):
            self._add(Row((self._line(change, "added", index, partner_of_new.get(index), ends),), change.id, "added"))

    def _beside(self, change: Change, ends: bool) -> None:
        for old, new, likes in _filled(pair_lines(change.removed, change.added)):
            left = self._line(change, "removed", old, new if likes else None, ends) if old is not None else Cell("")
            right = self._line(change, "added", new, old if likes else None, ends) if new is not None else Cell("")
            self._add(Row((left, right), change.id, "changed"))

    def _line(self, change: Change, side: str, index: int, partner: int | None, ends: bool) -> Cell:
        line = (change.removed if side == "removed" else change.added)[index]
        text = self._text(line) + (line_end_shown(line) if ends else "")
        first = change.old_line if side == "removed" else change.new_line
        sign = "-" if side == "removed" else "+"
        cell = Cell(text, side, key=LineRef(side, index), number=first + index, sign=sign)
        if partner is not None:
            if side == "removed":
                old, new = line, change.added[partner]
                cell.marks = lambda: word_marks(old, new)[0]
            else:
                old, new = change.removed[partner], line
                cell.marks = lambda: word_marks(old, new)[1]
        return cell


def _holds_key(file: FileChange) -> bool:
    return any(data is not None and b"PRIVATE KEY" in data for data in (file.base, file.proposed))


def _masked_lines(file: FileChange) -> dict[bytes, str]:
    """The lines of both texts of a note that a mask over the whole text changes."""
    changed: dict[bytes, str] = {}
    for data in (file.base, file.proposed):
        lines = split_lines(data or b"")
        decoded = [decode_line(line) for line in lines]
        for line, plain, hidden in zip(lines, decoded, mask_lines(decoded), strict=True):
            if plain != hidden:
                changed[line] = hidden
    return changed


def _filled(pairs: Sequence[tuple[int | None, int | None]]) -> Iterator[tuple[int | None, int | None, bool]]:
    """Pairs for two columns: lines without a partner stand beside each other instead of beside nothing.

    True where the two are one line changed.
    """
    olds: list[int] = []
    news: list[int] = []
    for old, new in [*pairs, (-1, -1)]:
        if old is not None and new is not None:
            for number in range(max(len(olds), len(news))):
                yield (
                    olds[number] if number < len(olds) else None,
                    news[number] if number < len(news) else None,
                    False,
                )
            olds, news = [], []
            if old >= 0:
                yield old, new, True
        elif old is not None:
            olds.append(old)
        elif new is not None:
            news.append(new)


def remarks(file: FileChange) -> Iterator[str]:
    """What is to be said about a note as a whole."""
    if file.kind is ChangeKind.ADDED:
        yield "new note" + (", empty" if not file.proposed else "")
    elif file.kind is ChangeKind.DELETED:
        yield "the whole note is deleted" + (" (it is empty)" if not file.base else "")
    elif file.kind is ChangeKind.RENAMED:
        alike = f", {file.similarity:.0%} alike" if file.similarity is not None and file.similarity < 1 else ""
        yield f"renamed from {file.old_path}{alike}"
    if file.binary:
        yield f"not text: {_bytes(file.base)} now, {_bytes(file.proposed)} proposed; it is taken or left as a whole"
    if file.old_mode is not None and file.new_mode is not None and file.old_mode != file.new_mode:
        yield f"mode {file.old_mode:o} → {file.new_mode:o}: shown only, memreview never changes modes"
    if file.during_run:
        yield "written while the dream ran: this may be another session's work, not the dream's"


def _bytes(data: bytes | None) -> str:
    return "absent" if data is None else f"{len(data):,} bytes".replace(",", " ")


def line_ends_differ(change: Change) -> bool:
    """True where the removed and the added lines do not end alike, so that the ends must be shown."""
    if not change.removed or not change.added:
        return not all(line.endswith(b"\n") for line in (*change.removed, *change.added))
    return {line_end_shown(line) for line in change.removed} != {line_end_shown(line) for line in change.added}


def line_end_shown(line: bytes) -> str:
    """The end of a line as signs."""
    if line.endswith(b"\r\n"):
        return "␍␊"
    return "␊" if line.endswith(b"\n") else " (no line end)"
