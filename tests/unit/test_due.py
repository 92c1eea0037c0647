"""Whether a pass is due: both gates, who is at work, what failed, and a drift that jumps."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memreview.dreaming.due import DAY, HOUR, Gates, decide, due, is_due, sessions_since
from memreview.dreaming.lock import dream_lock
from memreview.dreaming.passes import DriftCount, PassBook, PassRun, note_drift, note_pass, read_book
from memreview.lock import FOREIGN_LOCK_NAME
from memreview.model.transcript import Transcript
from memreview.report.schedule import dream_schedule
from tests.unit.dreaming_world import GOOD, NAME, DreamPlace, place, stamp
from tests.unit.talk import prose, typed

__all__ = ["place"]

NOW = 1_793_836_800.0
GATES = Gates(24.0, 5, 14)


def ran(hours_ago: float, *, complete: bool = True, reason: str = "") -> PassRun:
    began = NOW - hours_ago * HOUR
    return PassRun(began, began + 60, complete, "/out", reason)


@pytest.mark.parametrize(
    ("hours_ago", "sessions", "expected"),
    [(None, 6, True), (None, 5, False), (24, 6, True), (23.9, 60, False), (240, 5, False), (25, 7, True)],
)
def test_both_gates_have_to_be_open(hours_ago: float | None, sessions: int, expected: bool) -> None:
    book = PassBook((ran(hours_ago),) if hours_ago is not None else ())
    answer = decide(book, sessions, None, NOW, GATES)
    assert answer.due is expected
    assert len(answer.reasons) == 2
    assert str(sessions) in answer.reasons[1]


def test_the_gates_are_settings() -> None:
    book = PassBook((ran(2),))
    assert decide(book, 1, None, NOW, Gates(1.5, 0, 14)).due
    assert not decide(book, 1, None, NOW, Gates(1.5, 1, 14)).due


def test_a_pass_that_did_not_finish_does_not_count_and_is_tried_again_after_an_hour() -> None:
    failed = ran(0.5, complete=False, reason="no key")
    answer = decide(PassBook((ran(30), failed)), 9, None, NOW, GATES)
    assert not answer.due
    assert "no key" in answer.reasons[-1]
    assert answer.last == ran(30)
    assert decide(PassBook((ran(30), ran(2, complete=False))), 9, None, NOW, GATES).due


def test_somebody_at_work() -> None:
    answer = decide(PassBook(), 9, "a pass is running (process 7)", NOW, GATES)
    assert (answer.due, answer.reasons[0]) == (False, "a pass is running (process 7)")


def counts(*lines: int) -> tuple[DriftCount, ...]:
    return tuple(DriftCount(f"2026-11-{day:02}", number) for day, number in enumerate(lines, 1))


@pytest.mark.parametrize(
    ("lines", "jumped"),
    [
        ((0, 0, 1, 9), True),
        ((2, 2, 2, 4), False),
        ((5, 6, 5, 9), False),
        ((0, 3), True),
        ((9, 9, 0), False),
        ((7,), None),
    ],
)
def test_a_drift_that_jumps_suggests_a_pass(lines: tuple[int, ...], jumped: bool | None) -> None:
    answer = decide(PassBook((ran(2),), counts(*lines)), 0, None, NOW, GATES)
    assert (answer.drift.jumped if answer.drift else None) == jumped
    assert bool(answer.suggested) is bool(jumped)
    assert not answer.due
    if answer.suggested:
        assert f"found {lines[-1]} drifted lines" in answer.suggested


def test_nothing_is_suggested_that_is_due_or_runs() -> None:
    book = PassBook((ran(30),), counts(0, 9))
    assert decide(book, 9, None, NOW, GATES).suggested is None
    assert decide(book, 0, "a pass is running", NOW, GATES).suggested is None


@given(st.lists(st.integers(0, 50), max_size=12), st.integers(0, 20), st.floats(0, 100))
def test_every_answer_is_explained(lines: list[int], sessions: int, hours: float) -> None:
    answer = decide(PassBook((ran(hours),), counts(*lines)), sessions, None, NOW, GATES)
    assert answer.due is (hours >= 24 and sessions > 5)
    assert all(answer.reasons)


def test_the_book_is_kept_and_bounded(tmp_path: Path) -> None:
    memory, state = str(tmp_path / "m"), str(tmp_path / "state")
    for number in range(25):
        note_pass(memory, state, PassRun(number, number + 1, True, "/o", "r"))
    for day in range(70):
        note_drift(memory, state, day, NOW + day * DAY)
    note_drift(memory, state, 99, NOW + 69 * DAY)
    book = read_book(memory, state)
    assert [one.started for one in book.passes] == [float(number) for number in range(5, 25)]
    assert [one.lines for one in book.drift] == [*range(10, 69), 99]
    (file,) = (tmp_path / "state" / "passes").iterdir()
    file.write_bytes(b"{")
    assert read_book(memory, state) == PassBook()
    note_drift(memory, state, 1, NOW)
    assert len(read_book(memory, state).drift) == 1


def test_sessions_are_counted_by_their_records(place: DreamPlace) -> None:
    now = datetime.now(UTC).timestamp()
    since = now - 3 * DAY
    for name, days in (("new", 1.0), ("old", 9.0), ("ahead", -9.0)):
        place.session(name, [typed("hello", stamp(days))])
    silent = place.session("silent", [])
    silent.write_text("no record\n")
    stale = place.session("stale", [typed("hello", stamp(1))])
    os.utime(stale, (since - 60, since - 60))
    agent = place.projects / NAME / "new" / "subagents" / "agent-0.jsonl"
    agent.parent.mkdir(parents=True)
    agent.write_text((place.projects / NAME / "new.jsonl").read_text())
    paths = list((place.projects / NAME).rglob("*.jsonl"))
    found = [Transcript(str(path), NAME, path.stat().st_size, path.stat().st_mtime_ns) for path in paths]
    # s1 of the place itself, new and silent.
    assert sessions_since(found, since, now) == 3


def test_a_pass_closes_the_gates(place: DreamPlace) -> None:
    for number in range(6):
        place.session(f"more{number}", [typed("hello", stamp(1)), prose("hi", stamp(1))])
    assert due(place.project, place.options).due
    place.run(GOOD)
    answer = due(place.project, place.options)
    assert not answer.due
    assert answer.last is not None
    assert answer.last.folder == str(place.out)
    assert due(place.project, place.options, hours=0.0).sessions == 0


def test_a_pass_that_fails_is_noted_as_such(place: DreamPlace) -> None:
    place.run([["init"], ["exit", 1]])
    book = read_book(str(place.memory), place.options.state_dir)
    assert book.last is None
    assert book.last_try is not None
    assert book.last_try.reason


def test_a_lock_tells_the_living_from_the_dead(place: DreamPlace) -> None:
    for number in range(6):
        place.session(f"more{number}", [typed("hello", stamp(1))])
    with dream_lock(str(place.memory), place.options.state_dir):
        answer = due(place.project, place.options)
        assert not answer.due
        assert f"process {os.getpid()}" in answer.reasons[0]
    assert due(place.project, place.options).due
    lock = place.memory / FOREIGN_LOCK_NAME
    lock.write_text(str(os.getpid()))
    assert "Claude Code's own is at work" in due(place.project, place.options).reasons[0]
    lock.write_text("999999999")
    os.utime(lock, (0, 0))
    assert due(place.project, place.options).due


def test_is_due_looks_at_the_whole_repository(place: DreamPlace) -> None:
    answer = is_due(place.project, place.options, datetime.now(UTC).timestamp(), GATES)
    assert (answer.sessions, answer.due) == (1, False)


def test_units() -> None:
    lines = dream_schedule("-home-dev-100%")
    cron = next(line for line in lines if line.startswith("17 * * * *"))
    assert "dream --if-due -- -home-dev-100\\%" in cron
    unit = next(line for line in lines if line.startswith("ExecStart="))
    assert unit.endswith("dream --if-due -- -home-dev-100%%")
    assert not any("-- " in line for line in dream_schedule(None) if line.startswith("ExecStart="))
