"""Reviews, decisions and folders made of plain texts, for tests."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from memreview.diff.hunks import compare
from memreview.model.dream import Project, Review, Target, TargetKind
from memreview.model.memory import MemoryFolder, Note, Stranger
from memreview.model.patch import Change, FileChange
from memreview.model.review import ACCEPT, REJECT, Decision, Decisions

Texts = Mapping[str, str | bytes]


def to_bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def notes(texts: Texts) -> dict[str, Note]:
    return {path: Note(path, to_bytes(text)) for path, text in texts.items()}


def folder(texts: Texts, strangers: Mapping[str, str] | None = None) -> MemoryFolder:
    odd = tuple(Stranger(path, reason) for path, reason in (strangers or {}).items())
    return MemoryFolder("/m/memory", "/m/memory", notes(texts), odd)


def review(base: Texts, proposed: Texts, memory_dir: str = "/m/memory", label: str = "/d/dream-2026-11-05") -> Review:
    files = compare(notes(base), notes(proposed))
    return Review("r1", Target(TargetKind.OUTPUT, output=label), Project("-p", "/m", memory_dir), files)


def file_of(made: Review, path: str) -> FileChange:
    return next(file for file in made.files if path in (file.path, file.old_path))


def change_with(made: Review, text: str) -> Change:
    """The one change that adds, or else removes, a line with ``text``."""
    wanted = text.encode()
    changes = [change for file in made.files for change in file.changes()]
    for side in ("added", "removed"):
        found = [change for change in changes if any(wanted in line for line in getattr(change, side))]
        if found:
            assert len(found) == 1, f"{text} is in {len(found)} changes"
            return found[0]
    raise AssertionError(f"no change with {text}")


def accept_all(made: Review) -> Decisions:
    return Decisions({file.id: ACCEPT for file in made.files})


def reject_all(made: Review) -> Decisions:
    return Decisions({file.id: REJECT for file in made.files})


def decide(made: Review, **decisions: Decision) -> Decisions:
    """Decisions by a word of the change's line."""
    return Decisions({change_with(made, word).id: decision for word, decision in decisions.items()})


def lay(path: Path, texts: Texts, mtime: int = 1_790_812_800) -> None:
    """Write notes into a folder, with a modification time in the past."""
    for name, text in texts.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(to_bytes(text))
        os.utime(file, (mtime, mtime))


def tree(path: Path) -> dict[str, bytes]:
    """Every file below a folder but for ``.git``."""
    return {
        str(file.relative_to(path)): file.read_bytes()
        for file in sorted(path.rglob("*"))
        if file.is_file() and ".git" not in file.relative_to(path).parts
    }
