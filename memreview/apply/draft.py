"""Accepted edits, merged file by file with the notes as they stand now, and the room for notes that come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from memreview.apply.folder import parents
from memreview.apply.paths import refuse_unsafe
from memreview.apply.planned import PlannedFile
from memreview.diff.engine import diff_texts
from memreview.diff.lines import split_lines
from memreview.diff.merge import OwnedEdit, merge
from memreview.model.dream import Conflict
from memreview.model.memory import INDEX_NAME, MemoryFolder, Note
from memreview.model.patch import Edit, FileChange
from memreview.model.review import Accept, Decisions
from memreview.review import assemble
from memreview.review.decide import effective, takes_name

GONE = "the note was deleted since the dream read it"
CHANGED = "the note was changed since the dream read it"
TAKEN = "a note of this name was written since the dream ran"
IN_THE_WAY = "no note can stand here: {path}: {reason}"
NO_FOLDER = "no note can stand here: {path} is a note, not a folder"
A_FOLDER = "a folder of this name holds notes"
SAME_BUT_CASE = "the name differs only in case from {path}, and some file systems take them for one"


_NO_ROOM = (GONE, A_FOLDER, IN_THE_WAY.partition("{")[0], SAME_BUT_CASE.partition("{")[0])


def can_be_settled(conflict: Conflict) -> bool:
    """True where lines that a person writes settle a conflict; False where there is no place for any."""
    return not conflict.reason.startswith(_NO_ROOM)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file of which something was accepted.

    ``text`` is base and decisions, ``target`` where it shall stand, ``units`` the ids of what was accepted.
    """

    file: FileChange
    edits: tuple[OwnedEdit, ...]
    text: bytes | None
    target: str
    units: tuple[str, ...]

    @property
    def source(self) -> str:
        """Where the note stands now."""
        return self.file.old_path or self.file.path

    @property
    def settles(self) -> bool:
        """True where every accepted line was written by the person."""
        return bool(self.edits) and all(edit.settles for edit in self.edits)

    @property
    def is_index(self) -> bool:
        """True for the index, in which entries of both sides are kept."""
        return self.target == INDEX_NAME


def wanted_of(file: FileChange, decisions: Decisions) -> Wanted | None:
    """What the decisions want of a file; None where nothing of it was accepted."""
    if file.hunks:
        edits = assemble.edits(file, decisions)
        if not edits and not takes_name(decisions, file):
            return None
        units = tuple(dict.fromkeys(edit.change for edit in edits)) or (file.id,)
        text = assemble.carried_out(file, edits)
    else:
        if not isinstance(effective(decisions, file), Accept):
            return None
        edits, units, text = (), (file.id,), file.proposed
    return Wanted(file, edits, text, assemble.destination(file, decisions), units)


@dataclass(slots=True)
class Draft:
    """A plan in the making."""

    live: MemoryFolder
    coming: dict[str, tuple[Wanted, bytes, Note | None]] = field(default_factory=dict)
    going: dict[str, Note] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)
    already: list[str] = field(default_factory=list)
    reasons: dict[str, str] = field(init=False)
    """Why what is no note in the folder is none, by path."""

    def __post_init__(self) -> None:
        self.reasons = {stranger.path: stranger.reason for stranger in self.live.strangers}

    def settle(self, wanted: Sequence[Wanted]) -> Draft:
        """Work out every file, then whether there is room for those that come."""
        edits = self._live_edits(wanted)
        for item in wanted:
            if item.file.base is None:
                self._add(item)
            elif item.text is None:
                self._delete(item)
            else:
                self._change(item, edits.get(item.source, ()))
        self._make_room()
        return self

    @property
    def files(self) -> tuple[PlannedFile, ...]:
        """What is to be done, by path."""
        planned = {path: PlannedFile(path, note, None) for path, note in self.going.items()}
        for path, (_, data, like) in self.coming.items():
            planned[path] = PlannedFile(path, self.live.notes.get(path), data, like)
        rows = (planned[path] for path in sorted(planned))
        return tuple(row for row in rows if row.old is None or row.old.data != row.new)

    def _live_edits(self, wanted: Sequence[Wanted]) -> dict[str, tuple[Edit, ...]]:
        """By path what was done to notes since the dream read them; one git process for all."""
        moved: list[tuple[str, bytes, bytes]] = []
        for item in wanted:
            note = self.live.notes.get(item.source)
            base = item.file.base
            if item.file.hunks and item.text is not None and base is not None and note and note.data != base:
                moved.append((item.source, base, note.data))
        answers = diff_texts([(base, data) for _, base, data in moved])
        return {path: edits for (path, _, _), edits in zip(moved, answers, strict=True)}

    def _add(self, item: Wanted) -> None:
        refuse_unsafe(item.target)
        if item.text is None:
            return
        there = self.live.notes.get(item.target)
        if there is None:
            self.coming[item.target] = (item, item.text, None)
        elif there.data == item.text:
            self.already += item.units
        elif item.edits:
            # Both sides wrote a note where there was none: for the index, and for lines that a person wrote, that can
            # still be one text.
            self._merge(item, there, (), (Edit(0, (), split_lines(there.data)),), TAKEN)
        else:
            self._conflict(item, TAKEN, split_lines(there.data))

    def _delete(self, item: Wanted) -> None:
        note = self.live.notes.get(item.source)
        if note is None:
            if (why := self._obstacle(item.source)) is not None:
                self._conflict(item, why)
            else:
                self.already += item.units
        elif note.data == item.file.base or item.settles:
            self.going[item.source] = note
        else:
            self._conflict(item, CHANGED, split_lines(note.data))

    def _change(self, item: Wanted, live_edits: Sequence[Edit]) -> None:
        file = item.file
        note = self.live.notes.get(item.source)
        text = item.text
        if note is None or file.base is None or text is None:
            there = self.live.notes.get(item.target)
            if item.target != item.source and there is not None and there.data == text:
                self.already += item.units
            else:
                self._conflict(item, self._obstacle(item.source) or GONE)
        elif note.data == file.base:
            self._put(item, note, text)
        elif not file.hunks:
            if file.base == file.proposed:
                self._put(item, note, note.data)
            elif note.data == file.proposed:
                self.already += item.units
                self._put(item, note, note.data)
            else:
                self._conflict(item, CHANGED)
        else:
            self._merge(item, note, split_lines(file.base), live_edits, None)

    def _merge(
        self, item: Wanted, note: Note, base: Sequence[bytes], live_edits: Sequence[Edit], reason: str | None
    ) -> None:
        merged = merge(base, live_edits, item.edits, index=item.is_index)
        for clash in merged.conflicts:
            for change in clash.changes:
                self.conflicts.append(Conflict(item.source, change, reason or clash.reason, clash.live))
        self.already += merged.already
        if not merged.conflicts:
            self._put(item, note, merged.data)

    def _put(self, item: Wanted, note: Note, data: bytes) -> None:
        if item.target != item.source:
            refuse_unsafe(item.target)
            self.coming[item.target] = (item, data, note)
            self.going[item.source] = note
        elif data != note.data:
            self.coming[item.source] = (item, data, None)

    def _make_room(self) -> None:
        """Conflicts of files that come with what stands in their place."""
        folders = {parent for path in self.live.notes for parent in parents(path)}
        by_case: dict[str, set[str]] = {}
        for path, (item, data, _) in self.coming.items():
            there = self.live.notes.get(path)
            if there is not None:
                if path == item.source or path in self.going or there.data == data:
                    continue
                self._conflict(item, TAKEN, split_lines(there.data))
                continue
            if not by_case:
                staying = (name for name in self.live.notes if name not in self.going)
                for name in (*staying, *self.coming):
                    by_case.setdefault(name.casefold(), set()).add(name)
            others = sorted(by_case[path.casefold()] - {path})
            if (why := self._obstacle(path)) is not None:
                self._conflict(item, why)
            elif path in folders:
                self._conflict(item, A_FOLDER)
            elif others:
                self._conflict(item, SAME_BUT_CASE.format(path=others[0]))

    def _obstacle(self, path: str) -> str | None:
        """Why no note can stand at a path where none stands now."""
        for name in (*parents(path), path):
            if name in self.reasons:
                return IN_THE_WAY.format(path=name, reason=self.reasons[name])
        for parent in parents(path):
            if parent in self.live.notes:
                return NO_FOLDER.format(path=parent)
        return None

    def _conflict(self, item: Wanted, reason: str, lines: tuple[bytes, ...] = ()) -> None:
        path = item.source if reason in (GONE, CHANGED) else item.target
        self.conflicts += [Conflict(path, unit, reason, lines) for unit in item.units]
