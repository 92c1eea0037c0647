"""What a person has decided so far, as a frozen value: every action makes a new one and the old ones stay whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memreview.model.review import Decision, Decisions, Mend


@dataclass(frozen=True, slots=True)
class Filter:
    """Which units are shown. ``file`` is a file's id, ``only`` a set of unit ids that somebody else has chosen.

    ``text`` is looked for in paths and lines, letter case aside. Conditions add up.
    """

    undecided: bool = False
    file: str | None = None
    text: str = ""
    only: frozenset[str] | None = None

    @property
    def active(self) -> bool:
        """True where something may be hidden."""
        return self.undecided or self.file is not None or bool(self.text) or self.only is not None


NO_FILTER = Filter()


@dataclass(frozen=True, slots=True)
class Delta:
    """One step that can be undone: what some ids had before and after it, and where the cursor was."""

    before: Mapping[str, Decision | None]
    after: Mapping[str, Decision | None]
    cursor: str | None
    mends_before: Mapping[str, tuple[Mend, ...]] = field(default_factory=dict)
    mends_after: Mapping[str, tuple[Mend, ...]] = field(default_factory=dict)

    @property
    def ids(self) -> tuple[str, ...]:
        """What the step is about."""
        return tuple(dict.fromkeys((*self.after, *self.mends_after)))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Step:
    """A step of the history with all that came before it; a chain, so that adding one costs the same at any length."""

    delta: Delta
    rest: Step | None


@dataclass(frozen=True, slots=True)
class ReviewState:
    """Decisions by id, the steps that can be undone and redone, the unit under the cursor and the filter.

    ``notices`` are sentences for the person, from loading: what was carried over, what could not be read.
    """

    decisions: Decisions = field(default_factory=Decisions)
    past: Step | None = None
    future: Step | None = None
    cursor: str | None = None
    filter: Filter = NO_FILTER
    notices: tuple[str, ...] = ()
