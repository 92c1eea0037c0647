"""What is asked of an apply, and how it deals with git."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from memreview.apply.journal import Area, GitJournal
from memreview.model.dream import Review, TargetKind
from memreview.model.memory import MemoryFolder
from memreview.model.review import Decisions

ReadFolder = Callable[[str], MemoryFolder]


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be applied, to which folder, and how.

    ``read`` reads a memory folder afresh. ``add_ignored`` commits also what the repository ignores and does not hold.
    ``state_dir`` is where snapshots lie.
    """

    review: Review
    decisions: Decisions
    memory_dir: str
    read: ReadFolder
    no_commit: bool = False
    init: bool = False
    message: str | None = None
    add_ignored: bool = False
    state_dir: str = ""

    @property
    def in_place(self) -> bool:
        """True where the dream already edited the folder itself."""
        return self.review.target.kind is TargetKind.LIVE


class Committer(Protocol):
    """The commits that go with the writing of files, in the order in which the methods are called."""

    @property
    def before_ref(self) -> str | None:
        """The ref that keeps what is taken back on disk."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the user should know of what was done to the repository."""

    def prepare(self, area: Area) -> GitJournal | None:
        """Prepare the commits in the area, before anything changes; what the journal must know of them."""

    def commit_state(self) -> None:
        """Commit what lay uncommitted, right before the files are written."""

    def commit_review(self) -> str | None:
        """Commit what was accepted, after the files were written."""

    def finish(self) -> tuple[str, ...]:
        """Bring the user's index up to date; what there is to say of it."""

    def take_back(self) -> bool:
        """Take back the commits made so far; False where others follow them."""

    def abandon(self) -> None:
        """Leave no repository behind that was made for an apply of which nothing came."""


class NoCommits:
    """For a folder that is only written."""

    before_ref: str | None = None
    remarks: tuple[str, ...] = ()

    def prepare(self, area: Area) -> GitJournal | None:
        """Nothing to prepare."""
        return None

    def commit_state(self) -> None:
        """Nothing to commit."""

    def commit_review(self) -> str | None:
        """Nothing to commit."""
        return None

    def finish(self) -> tuple[str, ...]:
        """Nothing to do."""
        return ()

    def take_back(self) -> bool:
        """Nothing to take back."""
        return True

    def abandon(self) -> None:
        """Nothing to remove."""
