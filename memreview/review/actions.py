"""What a person can do in a review. Actions are data; :mod:`memreview.review.reducer` says what they do."""

from __future__ import annotations

from dataclasses import dataclass

from memreview.model.review import Accept, Decision, Reject
from memreview.review.state import NO_FILTER, Filter


@dataclass(frozen=True, slots=True)
class Decide:
    """Put one decision on each of these ids, or take theirs away (None)."""

    ids: tuple[str, ...]
    decision: Decision | None


@dataclass(frozen=True, slots=True)
class DecideFile:
    """Decide every unit of a file. To accept leaves out what must be decided by itself, unless it is all there is."""

    file: str
    decision: Accept | Reject | None


@dataclass(frozen=True, slots=True)
class AcceptAllOf:
    """Accept every undecided unit that the filter shows, but for deletions, conflicts and lines of others."""

    filter: Filter = NO_FILTER


@dataclass(frozen=True, slots=True)
class SetLines:
    """Take single lines of a change: 0-based indices of removed lines that go and of added lines that come."""

    change: str
    removed: frozenset[int]
    added: frozenset[int]


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


Action = Decide | DecideFile | AcceptAllOf | SetLines | Undo | Redo | MoveTo | SetFilter
