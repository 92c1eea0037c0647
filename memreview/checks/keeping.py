"""Per note: what it rests on and for how long that stays; and the period that would keep all of it, with its cost."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from memreview.checks.audited import AuditedNote
from memreview.checks.period import KEY, Period
from memreview.checks.retention import DAY, Evidence, age_in_days
from memreview.checks.usage import NoteUse

STEPS = (365, 730, 1825, 3650, 36_500)
"""Periods that are proposed: the first that leaves room for the oldest note."""
ROOM_DAYS = 90
"""Days that a proposed period is longer than the oldest note is old."""

_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Ground:
    """A session that a note rests on: why (``origin``, ``wrote``, ``cites``, or ``reviewed``: a reviewed change of the
    note cites it), and its transcript.

    ``days_left`` is None where the transcript is gone (``path`` None), or where nothing is swept. ``commit`` is where
    its words are kept, None where they are not.
    """

    session: str
    why: str
    path: str | None = None
    days_left: int | None = None
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class NoteGrounds:
    """A note, its age in days, by its stamp or else by its mtime, and what it rests on. Without any ground nothing
    proves it."""

    path: str
    age_days: int
    by_stamp: bool
    grounds: tuple[Ground, ...] = ()

    @property
    def days_left(self) -> int | None:
        """Days until its last transcript is gone; 0 where all are, None where nothing is swept or it names none."""
        left = [ground.days_left for ground in self.grounds if ground.path is not None]
        if not self.grounds or None in left:
            return None
        return max((days for days in left if days is not None), default=0)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A period that would keep the evidence of the oldest note, and what it costs in the end, in bytes on the disk.

    ``rate`` are bytes of transcripts a day as observed, None where too little is there to tell.
    """

    days: int
    oldest_note_days: int
    line: str
    rate: float | None = None
    cost: float | None = None


def grounds_of(
    notes: Mapping[str, AuditedNote],
    texts: Mapping[str, bytes],
    uses: Mapping[str, NoteUse],
    anywhere: Mapping[str, Sequence[Evidence]],
    period: Period,
    now: float,
    kept: Mapping[str, Mapping[str, str]],
) -> list[NoteGrounds]:
    """What every note rests on, in order of path. ``kept`` are sessions by note whose words a commit keeps."""
    found: list[NoteGrounds] = []
    for path, note in sorted(notes.items()):
        why: dict[str, str] = {}
        if note.facts.session is not None:
            why[note.facts.session] = "origin"
        for session in uses[path].writers if path in uses else ():
            why.setdefault(session, "wrote")
        for session in _cited(texts.get(path, b"")):
            if session in anywhere:
                why.setdefault(session, "cites")
        commits = kept.get(path, {})
        for session in commits:
            why.setdefault(session, "reviewed")
        grounds = tuple(
            replace(_ground(session, reason, anywhere, period, now), commit=commits.get(session))
            for session, reason in why.items()
        )
        stamp = note.facts.modified
        age = age_in_days(note.mtime if stamp is None else stamp, now)
        found.append(NoteGrounds(path, age, stamp is not None, grounds))
    return found


def _cited(text: bytes) -> Iterable[str]:
    if text.count(b"-") < 4:
        return ()
    return dict.fromkeys(_UUID.findall(text.decode("utf-8", "replace")))


def _ground(session: str, why: str, anywhere: Mapping[str, Sequence[Evidence]], period: Period, now: float) -> Ground:
    copies = anywhere.get(session)
    if not copies:
        return Ground(session, why) if copies is None else Ground(session, why, path="")
    last = max(copies, key=lambda one: one.mtime)
    left = max(0, period.days - age_in_days(last.mtime, now)) if period.valid else None
    return Ground(session, why, last.path, left)


def propose(
    grounds: Iterable[NoteGrounds], transcripts: Sequence[tuple[float, int]], now: float, at_least: int = 0
) -> Proposal:
    """A period from the age of the oldest note, never shorter than ``at_least``, which is set already.

    ``transcripts`` are mtime and size of all of them, of every project, since one period holds for all.
    """
    oldest = max((note.age_days for note in grounds), default=0)
    days = max(at_least, next((step for step in STEPS if step >= oldest + ROOM_DAYS), STEPS[-1]))
    line = f'"{KEY}": {days}'
    if not transcripts:
        return Proposal(days, oldest, line)
    span = (now - min(mtime for mtime, _ in transcripts)) / DAY
    size = sum(size for _, size in transcripts)
    rate = size / span if span >= 1 else None
    return Proposal(days, oldest, line, rate, rate * days if rate is not None else None)
