"""Whose evidence is about to be deleted, and what is gone already. Pure: what is known of the disk is handed in.

Days are whole days of a file's age by its mtime, because that is what the client's sweep goes by (measured on 2.1.332).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memreview.checks.note_facts import NoteFacts
from memreview.checks.period import Period, Source

DAY = 86_400.0
EXPIRING_DAYS = 7
"""With this many days left or fewer, evidence is about to be deleted."""
HOURS_BETWEEN_SWEEPS = 24
"""A sweep runs at most once in so many hours (measured on 2.1.332)."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A transcript that is on disk: its session, its path and when it was last written, in seconds since 1970."""

    session: str
    path: str
    mtime: float

    @property
    def name(self) -> str:
        """Its file name."""
        return self.path.replace("\\", "/").rsplit("/", 1)[-1]


@dataclass(frozen=True, slots=True)
class OnRecord:
    """A session that something tells of, whether its transcript is there or not: when it was last active."""

    session: str
    when: float


@dataclass(frozen=True, slots=True)
class Expiring:
    """A transcript that ``notes`` rest on, and the days until it is deleted."""

    evidence: Evidence
    days_left: int
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gone:
    """A session without a transcript, and the notes that came from it."""

    session: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Retention:
    """What is known of the evidence of one project.

    ``observed_days`` is the age of the oldest transcript in the project's own folder, None where it has none.
    ``not_held`` is a session whose transcript is gone although it is older than anything left and younger than the
    period. ``days_left`` are those of every transcript that notes rest on; empty where nothing is swept.
    """

    period: Period = field(default_factory=Period)
    observed_days: int | None = None
    expiring: tuple[Expiring, ...] = ()
    gone: tuple[Gone, ...] = ()
    not_held: OnRecord | None = None
    days_left: Mapping[str, int] = field(default_factory=dict)


def age_in_days(mtime: float, now: float) -> int:
    """Whole days since ``mtime``; a time to come is no day old."""
    return max(0, int((now - mtime) // DAY))


def notes_by_session(notes: Mapping[str, NoteFacts]) -> dict[str, tuple[str, ...]]:
    """Which notes rest on each session, in order of path."""
    found: dict[str, tuple[str, ...]] = {}
    for path in sorted(notes):
        session = notes[path].session
        if session is not None:
            found[session] = (*found.get(session, ()), path)
    return found


def assess(
    period: Period,
    notes: Mapping[str, NoteFacts],
    own: Sequence[Evidence],
    anywhere: Mapping[str, Sequence[Evidence]],
    on_record: Iterable[OnRecord],
    now: float,
) -> Retention:
    """The evidence of one project.

    ``own`` are the transcripts in its folder, ``anywhere`` those of all folders by session (an empty list for one that
    is kept packed), ``on_record`` sessions that the client's history tells of.
    """
    rests = notes_by_session(notes)
    gone = tuple(Gone(session, paths) for session, paths in rests.items() if session not in anywhere)
    left: dict[str, int] = {}
    expiring: list[Expiring] = []
    for session, paths in rests.items() if period.valid else ():
        copies = anywhere.get(session, ())
        if not copies:
            continue
        # A session that is kept twice is gone when its last copy is.
        last = max(copies, key=lambda one: one.mtime)
        left[session] = days = max(0, period.days - age_in_days(last.mtime, now))
        if days <= EXPIRING_DAYS:
            expiring.append(Expiring(last, days, paths))
    oldest = min((one.mtime for one in own), default=None)
    stamps = [OnRecord(facts.session, when) for facts in notes.values() if (when := facts.modified) and facts.session]
    return Retention(
        period=period,
        observed_days=age_in_days(oldest, now) if oldest is not None else None,
        expiring=tuple(sorted(expiring, key=lambda one: (one.days_left, one.evidence.path))),
        gone=gone,
        not_held=_not_held(period, oldest, [*on_record, *stamps], anywhere, now),
        days_left=left,
    )


def _not_held(
    period: Period,
    oldest: float | None,
    on_record: Iterable[OnRecord],
    anywhere: Mapping[str, Sequence[Evidence]],
    now: float,
) -> OnRecord | None:
    """The youngest session that the period should have kept, of those that are older than anything that is left."""
    if not period.valid or period.source is Source.DEFAULT:
        return None
    lost = [
        one
        for one in on_record
        if one.session not in anywhere
        and age_in_days(one.when, now) < period.days
        and (oldest is None or one.when < oldest)
    ]
    return max(lost, key=lambda one: one.when, default=None)
