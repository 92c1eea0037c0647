"""Taking our lines out of notes that somebody else, often a git hook, changed after we wrote them."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from memreview.apply.folder import Folder
from memreview.apply.journal import Area, Journal, new_area
from memreview.apply.planned import PlannedFile
from memreview.apply.write import FileEdit, carry_out, stage, undo
from memreview.diff.engine import diff_texts
from memreview.diff.lines import split_lines
from memreview.diff.merge import OwnedEdit, merge
from memreview.errors import MemreviewError
from memreview.text import visible


@dataclass(frozen=True, slots=True)
class TakenOut:
    """``paths`` hold none of our lines any more, and what else was written into them meanwhile. ``remarks`` say so."""

    paths: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def take_out(folder: Folder, area: Area, files: Iterable[PlannedFile], changed: Collection[str]) -> TakenOut:
    """Undo our changes to those ``files`` that are in ``changed``, within the texts that stand there now.

    Lines of ours that were changed again become the old ones too; the whole text of that moment is kept beside the
    memory folder then. What cannot be done is left as it is. ``area`` is that of the apply that is being undone.
    """
    edits: list[FileEdit] = []
    overlapping: list[str] = []
    for file in files:
        if file.path not in changed:
            continue
        try:
            edit, overlaps = _edit(folder, file)
        except MemreviewError:
            continue
        if edit is not None:
            edits.append(edit)
            overlapping += [file.path] if overlaps else []
    try:
        kept = _write(folder, area, edits, overlapping) if edits else None
    except (OSError, MemreviewError):
        return TakenOut()
    remarks = [
        f"{visible(edit.path)}: this was changed meanwhile, by a git hook or another session; our lines are out of it "
        + (
            f"again, and the text of that moment lies in {visible(kept)}"
            if kept and edit.path in overlapping
            else "again"
        )
        for edit in edits
    ]
    return TakenOut(tuple(edit.path for edit in edits), tuple(remarks))


def _edit(folder: Folder, file: PlannedFile) -> tuple[FileEdit | None, bool]:
    """What takes our lines out of the text that stands there now, and whether these lines were changed again."""
    found = folder.read(file.path)
    if found is None or file.old is None or file.new is None:
        return None, False
    theirs, back = diff_texts([(file.new, found.data), (file.new, file.old.data)])
    ours = [OwnedEdit(edit.start, edit.removed, edit.added, file.path) for edit in back]
    base = split_lines(file.new)
    merged = merge(base, theirs, ours)
    overlaps = bool(merged.conflicts)
    if overlaps:
        merged = merge(base, theirs, [replace(edit, settles=True) for edit in ours])
    return FileEdit(file.path, found.data, merged.data), overlaps


def _write(folder: Folder, undone: Area, edits: list[FileEdit], overlapping: list[str]) -> str | None:
    """Write the texts, and keep those that stood there; the folder that holds them."""
    area = new_area(folder.path, undone)
    try:
        staged = stage(folder, area, edits)
        name = folder.path.rpartition("/")[2]
        journal = Journal(area.name, name, time.strftime("%Y-%m-%d %H:%M:%S"), staged.targets)
        area.write_journal(journal)
    except BaseException:
        area.discard()
        raise
    try:
        try:
            carry_out(folder, area, journal)
        except BaseException:
            undo(folder, area, journal)
            area.settle()
            raise
        saved = [target for target in journal.targets if target.path in overlapping]
        kept = area.keep_old(saved) if saved else None
        area.settle()
    finally:
        area.remove_if_settled()
    return kept
