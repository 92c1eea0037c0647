"""What is known of the lines of a note: where each comes from, what the check says, what was said later. Plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memreview.checks.after import After
from memreview.checks.note_facts import note_facts
from memreview.model.advice import Advice, Advised
from memreview.model.kept import LineOrigin

Place = tuple[str, int]
"""A transcript's path and a line of it."""

ADVICE = {
    Advice.KEEP: ("✓", "$success"),
    Advice.REVIEW: ("?", "$warning"),
    Advice.UNPIN: ("⇣", "$primary"),
}
"""The sign of an advice, and its style."""


@dataclass(frozen=True, slots=True)
class CommitSpot:
    """A row leads to a commit in the history, and to this change of it."""

    commit: str
    change: str | None = None


@dataclass(frozen=True, slots=True)
class KeptSpot:
    """A row leads to evidence that was kept with a commit."""

    commit: str
    change: str


@dataclass(frozen=True, slots=True)
class Origins:
    """Where the lines of a note come from; ``places`` is where its kept records stand now, by ``KeptRecord.at``.

    Without ``lines`` nothing is known: the folder is not under git, or ``problem`` says why.
    """

    lines: tuple[LineOrigin, ...] = ()
    places: Mapping[str, Place] = field(default_factory=dict)
    problem: str | None = None

    def of(self, line: int) -> LineOrigin | None:
        """The origin of a line, from 1."""
        return self.lines[line - 1] if 0 < line <= len(self.lines) else None


@dataclass(frozen=True, slots=True)
class Later:
    """What was said of a line's subject after ``since``; ``places`` by citation: transcript and line."""

    since: str | None = None
    told: tuple[After, ...] = ()
    places: Mapping[str, Place] = field(default_factory=dict)
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class LineShown:
    """One line of a note with all that is known of it; ``origins`` and ``later`` are None while they are looked up.

    ``states`` is False for a line that states nothing: a blank, a heading, frontmatter, a pointer.
    """

    note: str
    number: int
    text: str
    states: bool = True
    advised: Advised | None = None
    places: Mapping[str, Place] = field(default_factory=dict)
    origins: Origins | None = None
    later: Later | None = None


def since_when(origin: LineOrigin | None, data: bytes) -> str | None:
    """The time of a line, after which something is said later: of its latest cited record, else of its commit, else the
    stamp of its note. ISO 8601 in UTC; None where nothing tells.
    """
    times = [record.timestamp for record in origin.records if record.timestamp] if origin is not None else []
    if times:
        return max(times)
    if origin is not None and origin.date is not None:
        return origin.date
    return note_facts(data).keys.get("modified") or None


def at(one: After) -> str:
    """Where a later record stands, as a citation is written."""
    return f"{one.source.transcript}:{one.source.line}"
