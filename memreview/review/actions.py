"""What a person can do in a review. Actions are data; :mod:`memreview.review.reducer` says what they do."""

from __future__ import annotations

from dataclasses import dataclass

from memreview.model.review import Decision, Mend
from memreview.review.state import Filter


@dataclass(frozen=True, slots=True)
class Decide:
    """Put one decision on each of these ids, or take theirs away (None)."""

    ids: tuple[str, ...]
    decision: Decision | None


@dataclass(frozen=True, slots=True)
class SetLines:
    """Take single lines of a change: 0-based indices of removed lines that go and of added lines that come.

    All of them is to accept it, none to reject it.
    """

    change: str
    removed: frozenset[int]
    added: frozenset[int]
    despite: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MendCitation:
    """Note the right place for words of a change; of several for the same words the last one holds."""

    change: str
    mend: Mend


@dataclass(frozen=True, slots=True)
class Undo:
    """Go back one step."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Do the step again that was undone last."""


@dataclass(frozen=True, slots=True)
class MoveTo:
    """Put the cursor on a unit."""

    unit: str


@dataclass(frozen=True, slots=True)
class SetFilter:
    """Show only what the filter lets through."""

    filter: Filter


Action = Decide | SetLines | MendCitation | Undo | Redo | MoveTo | SetFilter
