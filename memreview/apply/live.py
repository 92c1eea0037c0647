"""Decisions on what a dream already did in place: what is rejected is taken back, what is accepted is committed.

The base is a commit, the proposal lies on disk. Both the text on disk and that of HEAD are made by one rule: of the
edits that lead from the base to it, those of decided changes are replaced by what was decided; everything else,
undecided changes too, stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memreview.apply.draft import CHANGED
from memreview.apply.paths import refuse_unsafe
from memreview.apply.plan import tally
from memreview.apply.planned import Plan, PlannedFile
from memreview.diff.engine import diff_texts
from memreview.diff.lines import same_text, split_lines
from memreview.diff.merge import OwnedEdit, merge
from memreview.model.dream import Conflict, Review
from memreview.model.memory import INDEX_NAME, MemoryFolder, Note
from memreview.model.patch import Change, Edit, FileChange
from memreview.model.review import Accept, Decision, Decisions, Reject
from memreview.review import assemble
from memreview.review.decide import decided, effective

MOVED = "the note was changed at the same place since it was reviewed"
TWICE = "the note lies under its old and its new name"


def make_live_plan(
    review: Review,
    decisions: Decisions,
    live: MemoryFolder,
    heads: Mapping[str, bytes] | None,
    executable: Iterable[str] = (),
) -> Plan:
    """What ``decisions`` do to a folder that a dream has edited in place.

    ``live`` is what stands on disk now, ``heads`` the texts of HEAD, in the form of a checkout, at the paths of the
    review (None: nothing shall be committed), ``executable`` those of them that are executable in HEAD. Raises
    :class:`~memreview.errors.RefusedError` for a path at which no note may be written.
    """
    items = [item for file in review.files if (item := _item(file, decisions)) is not None]
    disk = _Side({path: note.data for path, note in live.notes.items()}, on_disk=True)
    disk.settle(items, decisions)
    head = _Side(heads or {}, on_disk=False)
    if heads is not None:
        head.settle(items, decisions)
    modes = dict.fromkeys(executable, 0o755) | {path: note.mode for path, note in live.notes.items()}
    known = {path: Note(path, data, modes.get(path, 0o644)) for path, data in head.texts.items()}
    return Plan(
        files=_planned(disk, live.notes),
        conflicts=tuple(disk.conflicts + head.conflicts),
        tally=tally(review, decisions),
        committed=_planned(head, known),
    )


def _planned(side: _Side, notes: Mapping[str, Note]) -> tuple[PlannedFile, ...]:
    rows: list[PlannedFile] = []
    for path, new in sorted(side.result.items()):
        if new != side.texts.get(path):
            refuse_unsafe(path)
            rows.append(PlannedFile(path, notes.get(path), new, side.like(path, notes)))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class _Item:
    """A file of which something is decided: its changes with their decisions, and that of the file itself."""

    file: FileChange
    own: Decision | None
    changes: tuple[tuple[Change, Decision], ...]
    edits: tuple[OwnedEdit, ...]

    @property
    def old_path(self) -> str:
        return self.file.old_path or self.file.path

    @property
    def units(self) -> tuple[str, ...]:
        return tuple(change.id for change, _ in self.changes) or (self.file.id,)

    @property
    def rejected(self) -> bool:
        """True where all that is decided is rejected."""
        decisions: list[Decision | None] = [decision for _, decision in self.changes]
        return all(isinstance(decision, Reject) for decision in decisions or [self.own])


def _item(file: FileChange, decisions: Decisions) -> _Item | None:
    own = effective(decisions, file)
    changes = tuple((change, decision) for change, decision in decided(decisions, file) if decision is not None)
    if own is None and not changes:
        return None
    return _Item(file, own, changes, assemble.edits(file, decisions))


@dataclass(slots=True)
class _Side:
    """The texts of one side, on disk or in HEAD, and what becomes of them."""

    texts: Mapping[str, bytes]
    on_disk: bool
    result: dict[str, bytes | None] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)
    moved: dict[str, str] = field(default_factory=dict)

    def like(self, path: str, notes: Mapping[str, Note]) -> Note | None:
        """The note that is being renamed to ``path``."""
        return notes.get(self.moved[path]) if path in self.moved else None

    def settle(self, items: Sequence[_Item], decisions: Decisions) -> None:
        """Work out every file."""
        edits = self._edits(items)
        for item in items:
            place = self._place(item)
            if place is None:
                continue
            text = self.texts.get(place)
            if item.file.base is None:
                new = self._added(item, text, decisions)
            elif item.file.proposed is None:
                new = self._deleted(item, text, decisions)
            elif text is None:
                # A note that was changed and is gone since: there is nothing left to take back or to leave.
                new = None
                if not self.on_disk and not item.rejected:
                    self._conflict(item, CHANGED)
            elif not item.file.hunks:
                new = self._whole(item, text)
            else:
                new = self._changed(item, text, edits[item.file.path])
            self._put(item, place, new)

    def _edits(self, items: Sequence[_Item]) -> dict[str, tuple[Edit, ...]]:
        """By the file's path the edits that lead from the base to the text of this side; one git process for all."""
        known: dict[str, tuple[Edit, ...]] = {}
        asked: list[tuple[str, bytes, bytes]] = []
        for item in items:
            file = item.file
            place = self._place(item, quiet=True)
            text = self.texts.get(place) if place is not None else None
            if text is None or file.base is None or file.proposed is None or not file.hunks:
                continue
            if text == file.proposed:
                known[file.path] = tuple(change.edit for change in file.changes())
            else:
                asked.append((file.path, file.base, text))
        answers = diff_texts([(base, text) for _, base, text in asked])
        return known | {path: edits for (path, _, _), edits in zip(asked, answers, strict=True)}

    def _place(self, item: _Item, *, quiet: bool = False) -> str | None:
        """Under which of its names the note lies on this side, None where under both."""
        file = item.file
        if file.old_path is None:
            return file.path
        if file.path in self.texts and file.old_path in self.texts:
            if not quiet:
                self._conflict(item, TWICE)
            return None
        return file.path if file.path in self.texts else file.old_path

    def _put(self, item: _Item, place: str, new: bytes | None) -> None:
        file = item.file
        target = place
        if file.old_path is not None and isinstance(item.own, (Accept, Reject)):
            target = file.path if isinstance(item.own, Accept) else file.old_path
        if target != place and place in self.texts:
            self.result[place] = None
            self.moved[target] = place
        self.result[target] = new

    def _added(self, item: _Item, text: bytes | None, decisions: Decisions) -> bytes | None:
        proposed = item.file.proposed
        if item.rejected:
            if text is None or text == proposed:
                return None
            if self.on_disk:
                self._conflict(item, CHANGED, text)
            return text
        wanted = assemble.text(item.file, decisions)
        if not self.on_disk or text is None or text in (proposed, wanted):
            return wanted
        if wanted != proposed:
            self._conflict(item, CHANGED, text)
        return text

    def _deleted(self, item: _Item, text: bytes | None, decisions: Decisions) -> bytes | None:
        base = item.file.base
        if item.rejected:
            return base if text is None else text
        wanted = assemble.text(item.file, decisions)
        if text is None or text in (base, wanted):
            # On disk the dream has already deleted it; whoever brought it back since meant to.
            return text if self.on_disk and wanted is None else wanted
        if not self.on_disk:
            self._conflict(item, CHANGED, text)
        return text

    def _whole(self, item: _Item, text: bytes) -> bytes | None:
        """A file that is decided as a whole."""
        file = item.file
        if file.base == file.proposed or not isinstance(item.own, (Accept, Reject)):
            return text
        if isinstance(item.own, Accept) and self.on_disk:
            return text
        if text in (file.base, file.proposed):
            return file.proposed if isinstance(item.own, Accept) else file.base
        if self.on_disk or isinstance(item.own, Accept):
            self._conflict(item, CHANGED)
        return text

    def _changed(self, item: _Item, text: bytes, edits: Sequence[Edit]) -> bytes:
        base = split_lines(item.file.base or b"")
        done = {change.edit for change, _ in item.changes}
        rest = [edit for edit in edits if edit not in done]
        if self.on_disk:
            present = set(edits)
            for change, decision in item.changes:
                if isinstance(decision, Reject) and change.edit not in present and _touched(change, rest):
                    self.conflicts.append(Conflict(item.file.path, change.id, MOVED))
        merged = merge(base, rest, item.edits, index=item.file.path == INDEX_NAME)
        for clash in merged.conflicts:
            for change_id in clash.changes:
                self.conflicts.append(Conflict(item.file.path, change_id, MOVED, clash.live))
        return text if merged.conflicts else merged.data

    def _conflict(self, item: _Item, reason: str, text: bytes | None = None) -> None:
        lines = split_lines(text) if text is not None else ()
        self.conflicts += [Conflict(item.file.path, unit, reason, lines) for unit in item.units]


def _touched(change: Change, edits: Iterable[Edit]) -> bool:
    return any(edit.start <= change.edit.end and change.old_start <= edit.end for edit in edits)


def live_paths(review: Review) -> tuple[str, ...]:
    """The paths whose texts in HEAD :func:`make_live_plan` needs."""
    return tuple(dict.fromkeys(path for file in review.files for path in (file.path, file.old_path) if path))


def head_like(stored: bytes, check_out: Callable[[], bytes], file: FileChange) -> bytes:
    """The text of HEAD in the form in which the review has it, so that line ends alone make no difference.

    ``stored`` are the bytes in the repository, ``check_out`` gives those that a checkout would write.
    """
    sides = [side for side in (file.base, file.proposed) if side is not None]
    for known in sides:
        if known == stored:
            return known
    for known in sides:
        if same_text(known, stored):
            return known
    checked_out = check_out()
    if checked_out in sides:
        return checked_out
    like = file.base if file.base is not None else file.proposed
    crlf = like is not None and b"\r\n" in like
    return next((form for form in (checked_out, stored) if (b"\r\n" in form) == crlf), checked_out)
