"""What is going to be done to the real folder, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from memreview.model.dream import Conflict, unit_id
from memreview.model.memory import Note
from memreview.model.patch import Change, FileChange
from memreview.model.review import Decision, Mend


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """One file to be written or deleted.

    ``old`` is the note that stands there now, as the plan was made on it, None where there is none; ``new`` the text
    that shall stand there, None where it goes. ``like`` is the note that is being renamed to this place.
    """

    path: str
    old: Note | None
    new: bytes | None
    like: Note | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """An accepted unit of the review: a change, or a file without changes. ``already`` where it stands there now.

    ``mends`` are the right places of what its citations do not hold.
    """

    file: FileChange
    change: Change | None
    decision: Decision
    already: bool = False
    mends: tuple[Mend, ...] = ()

    @property
    def id(self) -> str:
        """The id under which it was decided."""
        return unit_id(self.file, self.change)


@dataclass(frozen=True, slots=True)
class Tally:
    """What was accepted, and how many changes were accepted, were rejected, and are there at all."""

    accepted: tuple[Accepted, ...] = ()
    applied: int = 0
    rejected: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done; nothing of it may be done while there are conflicts.

    ``committed`` is what the commit shall hold, where that is not what is written on disk: a part of what a dream
    already did in place.
    """

    files: tuple[PlannedFile, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    tally: Tally = Tally()
    committed: tuple[PlannedFile, ...] | None = None

    @property
    def accepted(self) -> tuple[Accepted, ...]:
        """What was accepted, in the order of the review."""
        return self.tally.accepted

    @property
    def applied(self) -> int:
        """The number of accepted changes."""
        return self.tally.applied

    @property
    def rejected(self) -> int:
        """The number of rejected changes."""
        return self.tally.rejected

    @property
    def total(self) -> int:
        """The number of changes of the review."""
        return self.tally.total

    @property
    def writes(self) -> tuple[PlannedFile, ...]:
        """The files that are written."""
        return tuple(file for file in self.files if file.new is not None)

    @property
    def deletes(self) -> tuple[PlannedFile, ...]:
        """The files that are deleted."""
        return tuple(file for file in self.files if file.new is None)
