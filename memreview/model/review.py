"""Decisions: what a person wants to become of each change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Accept:
    """Take the change as proposed."""


@dataclass(frozen=True, slots=True)
class Reject:
    """Leave the old lines."""


@dataclass(frozen=True, slots=True)
class EditTo:
    """Put these lines (text without line ends) in place of the removed ones. It settles a conflict."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakeLines:
    """Carry out single lines: 0-based indices of the removed lines that go and of the added lines that come."""

    removed: frozenset[int] = frozenset()
    added: frozenset[int] = frozenset()


Decision = Accept | Reject | EditTo | TakeLines

ACCEPT = Accept()
REJECT = Reject()


@dataclass(frozen=True, slots=True)
class Decisions:
    """Decisions by id of a file, a hunk or a change; the narrower one wins, what is not named is undecided."""

    by_id: Mapping[str, Decision] = field(default_factory=dict)
