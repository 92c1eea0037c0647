"""Decisions: what a person wants to become of each change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Accept:
    """Take the change as proposed.

    ``despite`` names the errors of the claim check that the person was shown and took all the same.
    """

    despite: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reject:
    """Leave the old lines."""


@dataclass(frozen=True, slots=True)
class EditTo:
    """Put these lines (text without line ends) in place of the removed ones. It settles a conflict."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakeLines:
    """Carry out single lines: 0-based indices of the removed lines that go and of the added lines that come.

    ``despite`` is that of :class:`Accept`.
    """

    removed: frozenset[int] = frozenset()
    added: frozenset[int] = frozenset()
    despite: tuple[str, ...] = ()


Decision = Accept | Reject | EditTo | TakeLines

ACCEPT = Accept()
REJECT = Reject()


@dataclass(frozen=True, slots=True)
class Mend:
    """The right place for words of a change that the cited lines do not hold: a 1-based line of a transcript.

    ``path`` is the transcript's file where it is known.
    """

    words: str
    transcript: str
    line: int
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Applied:
    """How a change was carried out before, and by which commit (None: it was written without one)."""

    decision: Decision
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Decisions:
    """Decisions by id of a file, a hunk or a change; the narrower one wins, what is not named is undecided.

    ``mends`` are the places that a person has put right, by id of a change, whatever is decided on it.
    """

    by_id: Mapping[str, Decision] = field(default_factory=dict)
    mends: Mapping[str, tuple[Mend, ...]] = field(default_factory=dict)
