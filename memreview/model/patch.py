"""File changes, hunks, changes and lines. A line is bytes with its own line end; lines end at ``\\n`` only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class ChangeKind(StrEnum):
    """What happens to a file."""

    MODIFIED = "modified"
    ADDED = "added"
    DELETED = "deleted"
    RENAMED = "renamed"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace ``removed`` at 0-based line ``start`` of the old text by ``added`` (either may be empty)."""

    start: int
    removed: tuple[bytes, ...]
    added: tuple[bytes, ...]

    @property
    def end(self) -> int:
        """0-based line after the last removed one."""
        return self.start + len(self.removed)


@dataclass(frozen=True, slots=True)
class Change:
    """One run of removed and added lines: the unit of decision.

    ``old_start`` and ``new_start`` are 0-based lines in the base and in the proposal. ``unique`` is False where
    another change of the note has the same lines and the same surroundings: such an id is good for this run only.
    """

    id: str
    old_start: int
    new_start: int
    removed: tuple[bytes, ...]
    added: tuple[bytes, ...]
    unique: bool = True
    during_run: bool = False
    stamp_only: bool = False

    @property
    def edit(self) -> Edit:
        """The change as an edit of the base."""
        return Edit(self.old_start, self.removed, self.added)

    @property
    def old_line(self) -> int:
        """1-based line in the base of the first removed line, or of the line before which lines are added."""
        return self.old_start + 1

    @property
    def new_line(self) -> int:
        """1-based line in the proposal of the first added line, or of the line before which lines were removed."""
        return self.new_start + 1

    @property
    def is_deletion(self) -> bool:
        """True where lines only go away."""
        return bool(self.removed) and not self.added


@dataclass(frozen=True, slots=True)
class Hunk:
    """Changes with at most six unchanged lines between them, and up to three lines of context around (``-U3``).

    ``old_start``/``new_start`` are 0-based, the counts include context.
    """

    id: str
    old_start: int
    old_count: int
    new_start: int
    new_count: int
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class FileChange:
    """What the dream did to one note.

    ``base``/``proposed`` are whole file contents, None where the file does not exist on that side. For a rename
    ``path`` is the new and ``old_path`` the old name. ``binary`` files and those whose text is equal have no hunks and
    are decided as a whole, by ``id``. Modes are shown and never applied.
    """

    id: str
    path: str
    kind: ChangeKind
    base: bytes | None
    proposed: bytes | None
    hunks: tuple[Hunk, ...] = ()
    old_path: str | None = None
    binary: bool = False
    old_mode: int | None = None
    new_mode: int | None = None
    during_run: bool = False
    similarity: float | None = None

    def changes(self) -> Iterator[Change]:
        """All changes in order of the file."""
        for hunk in self.hunks:
            yield from hunk.changes

    @property
    def stamp_only(self) -> bool:
        """True where nothing but a ``modified:`` stamp of the frontmatter differs."""
        changes = list(self.changes())
        return bool(changes) and all(change.stamp_only for change in changes)

    @property
    def is_deletion(self) -> bool:
        """True where the whole file goes."""
        return self.kind is ChangeKind.DELETED
