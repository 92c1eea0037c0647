"""Whether a pass is due: long enough since the last one, and enough sessions since; with the reasons.

The two gates are those of Claude Code's own dream: 24 hours, and more than 5 sessions. Both have to be open: one long
session over days tells little that is new, and ten short ones within an hour can wait.
"""

from __future__ import annotations

import os
import re
import statistics
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from memreview.config import Options
from memreview.dreaming.lock import running_dream
from memreview.dreaming.passes import PassBook, PassRun, read_book
from memreview.lock import foreign_lock
from memreview.model.dream import Project
from memreview.model.transcript import Transcript
from memreview.read.finder import TranscriptFinder
from memreview.read.small_files import open_regular

HOUR: Final = 3600.0
DAY: Final = 24 * HOUR
RETRY: Final = HOUR
"""A pass that did not finish is not tried again before that."""
JUMP: Final = 3
"""So many lines more than usual must have drifted, and at least twice as many, to be called a jump."""
USUAL: Final = 7
"""Counts before the last one that say what is usual."""
TAIL: Final = 1 << 16

_STAMP: Final = re.compile(rb'"timestamp"\s{0,4}:\s{0,4}"([^"]{10,40})"')
_AGENTS: Final = "subagents"


@dataclass(frozen=True, slots=True)
class Gates:
    """``hours`` since the last pass, and more than ``sessions`` since; ``days`` are looked back where none ever ran."""

    hours: float
    sessions: int
    days: int


@dataclass(frozen=True, slots=True)
class Drift:
    """Lines that the last nightly check found drifted, and how many are usual."""

    lines: int
    usual: float
    day: str

    @property
    def jumped(self) -> bool:
        """True where it is much more than usual."""
        return self.lines - self.usual >= JUMP and self.lines >= 2 * self.usual


@dataclass(frozen=True, slots=True)
class Due:
    """The answer, and one sentence for each thing that it rests on. ``last`` is the last pass that finished.

    ``sessions`` were at work since then. ``suggested`` says why a pass is worth while though none is due.
    """

    due: bool
    reasons: tuple[str, ...]
    sessions: int
    last: PassRun | None = None
    drift: Drift | None = None
    suggested: str | None = None


def due(
    project: Project,
    options: Options,
    *,
    hours: float | None = None,
    sessions: int | None = None,
    now: float | None = None,
) -> Due:
    """Whether a pass over a project's memory is due, and why; None takes what the configuration says, and now."""
    settings = options.dream
    gates = Gates(
        settings.hours if hours is None else hours,
        settings.sessions if sessions is None else sessions,
        settings.days,
    )
    return is_due(project, options, time.time() if now is None else now, gates)


def is_due(project: Project, options: Options, now: float, gates: Gates) -> Due:
    """Say whether a pass over a project's memory is due at ``now`` (seconds since 1970)."""
    book = read_book(project.memory_dir, options.state_dir)
    since = book.last.started if book.last is not None else now - gates.days * DAY
    finder = TranscriptFinder(project, options)
    sessions = sessions_since((found for _, found in finder.everything()), since, now)
    held = _held(project.memory_dir, options.state_dir)
    return decide(book, sessions, held, now, gates)


def decide(book: PassBook, sessions: int, held: str | None, now: float, gates: Gates) -> Due:
    """The answer from what is known. ``held`` says who is at work on the memory, if anybody is."""
    reasons: list[str] = []
    open_gates: list[bool] = []
    last = book.last
    if held is not None:
        reasons.append(held)
        open_gates.append(False)
    if last is None:
        reasons.append("no pass of memreview has finished here yet")
    else:
        hours = (now - last.started) / HOUR
        late = hours >= gates.hours
        reasons.append(f"the last pass began {_ago(hours)} ago; {_yes(late)} {gates.hours:g} hours")
        open_gates.append(late)
    since = "since then" if last is not None else f"in the last {gates.days} days"
    many = sessions > gates.sessions
    worked = f"{sessions} session{'' if sessions == 1 else 's'} {'was' if sessions == 1 else 'were'} at work {since}"
    reasons.append(f"{worked}; {'that is more' if many else 'that is not more'} than {gates.sessions}")
    open_gates.append(many)
    tried = book.last_try
    if tried is not None and not tried.complete and now - tried.ended < RETRY:
        reasons.append(f"the last try did not finish ({tried.reason or 'no reason is known'}); it waits for an hour")
        open_gates.append(False)
    due = all(open_gates)
    drift = drift_of(book)
    suggested = None
    if drift is not None and drift.jumped:
        said = f"the nightly check found {drift.lines} drifted lines on {drift.day}, where {drift.usual:g} are usual"
        reasons.append(said)
        suggested = None if due or held is not None else f"{said}: a pass with --only review is worth while"
    return Due(due, tuple(reasons), sessions, last, drift, suggested)


def drift_of(book: PassBook) -> Drift | None:
    """The last count of the nightly check against those before; None where there are fewer than two."""
    if len(book.drift) < 2:
        return None
    *before, now = book.drift
    return Drift(now.lines, statistics.median(one.lines for one in before[-USUAL:]), now.day)


def sessions_since(transcripts: Iterable[Transcript], since: float, now: float) -> int:
    """How many sessions said something after ``since``, by the times of their records; subagents are no sessions."""
    count = 0
    for one in transcripts:
        if one.mtime_ns / 1e9 <= since or _AGENTS in one.path.split(os.sep):
            continue
        spoke = _last_record(one.path)
        # What a copy or a restore has touched is no session of today; a clock that is wrong is not believed either.
        count += spoke is None or since < spoke <= now + DAY
    return count


def _last_record(path: str) -> float | None:
    """The time of the last record in the last part of a file; None where nothing tells it."""
    try:
        with open_regular(path) as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - TAIL))
            stamps = _STAMP.findall(file.read(TAIL))
    except OSError:
        return None
    times = [time for stamp in stamps if (time := _seconds(stamp)) is not None]
    return max(times, default=None)


def _seconds(stamp: bytes) -> float | None:
    try:
        moment = datetime.fromisoformat(stamp.decode("ascii").replace("Z", "+00:00"))
        return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def _held(memory_dir: str, state_dir: str) -> str | None:
    holder = running_dream(memory_dir, state_dir)
    if holder is not None:
        return f"a pass is running ({holder})"
    foreign = foreign_lock(memory_dir)
    if foreign is not None and foreign.held:
        return f"a dream of Claude Code's own is at work here ({foreign.holder})"
    return None


def _yes(late: bool) -> str:
    return "that is at least" if late else "that is less than"


def _ago(hours: float) -> str:
    if hours < 1:
        return f"{max(0, int(hours * 60))} minutes"
    return f"{hours:.0f} hours" if hours < 72 else f"{hours / 24:.0f} days"
