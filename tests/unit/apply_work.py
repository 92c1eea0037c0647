"""Applies that are stopped on the way, for tests of how files are written and of what is left when they are not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from memreview.apply.folder import Folder
from memreview.apply.journal import Journal, new_area
from memreview.apply.run import apply
from memreview.apply.write import FileEdit, carry_out, stage, undo
from memreview.config import Options
from memreview.model.dream import Review
from memreview.read.memory import read_folder
from tests.unit.reviews import accept_all, review

BASE = {"a.md": "a\n", "b.md": "b\n", "sub/deep/old.md": "old\n"}
EDITS = [
    FileEdit("a.md", b"a\n", b"A\n"),
    FileEdit("b.md", b"b\n", b"B\n"),
    FileEdit("new/n.md", None, b"n\n"),
    FileEdit("sub/deep/old.md", b"old\n", None),
]
NEW = {"a.md": b"A\n", "b.md": b"B\n", "new/n.md": b"n\n"}


class Work:
    """An apply up to the point where files are written."""

    def __init__(self, memory: Path, edits: list[FileEdit]) -> None:
        self.folder = Folder(str(memory))
        self.area = new_area(self.folder.path)
        staged = stage(self.folder, self.area, edits)
        self.journal = Journal(
            self.area.name, "memory", "now", staged.targets, staged.made_folders, staged.folder_modes
        )
        self.area.write_journal(self.journal)

    def carry_out(self) -> None:
        carry_out(self.folder, self.area, self.journal)

    def undo(self) -> tuple[str, ...]:
        return undo(self.folder, self.area, self.journal)

    def end(self) -> None:
        self.area.settle()
        self.area.remove_if_settled()
        self.folder.close()


Start = Callable[..., Work]


def look(memory: Path) -> object:
    """Everything that shall be as before: bytes, modes, times of notes; folders and their modes; what lies beside."""
    notes = {p: (p.read_bytes(), p.stat().st_mode, p.stat().st_mtime_ns) for p in memory.rglob("*") if p.is_file()}
    folders = {p: p.stat().st_mode for p in memory.rglob("*") if p.is_dir()}
    return notes, folders, sorted(memory.parent.iterdir())


def whole_review(memory: Path) -> Review:
    proposed = {path: text.decode() for path, text in NEW.items()}
    return review(BASE, proposed, str(memory))


def options_beside(memory: Path) -> Options:
    return Options(state_dir=str(memory.parent.parent / "state"))


def apply_whole(made: Review, options: Options) -> None:
    apply(made, accept_all(made), options, read=read_folder, no_commit=True, wait=0.1)
