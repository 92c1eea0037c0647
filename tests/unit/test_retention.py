"""Whose evidence is about to be deleted, and what is gone."""

from __future__ import annotations

from memreview.checks.note_facts import NoteFacts
from memreview.checks.period import Period, Source
from memreview.checks.retention import DAY, Evidence, OnRecord, Retention, assess

NOW = 1_800_000_000.0


def note(session: str, modified_days: float | None = None) -> NoteFacts:
    keys = {"originSessionId": session}
    if modified_days is not None:
        from datetime import UTC, datetime

        keys["modified"] = datetime.fromtimestamp(NOW - modified_days * DAY, UTC).isoformat()
    return NoteFacts(keys)


def left(session: str, days: float) -> Evidence:
    return Evidence(session, f"/p/{session}.jsonl", NOW - days * DAY)


def found(period: Period, notes: dict[str, NoteFacts], own: list[Evidence], *record: OnRecord) -> Retention:
    return assess(period, notes, own, {one.session: [one] for one in own}, record, NOW)


def test_days_left_by_the_age_of_the_file() -> None:
    notes = {"b.md": note("x"), "a.md": note("x"), "c.md": note("y"), "d.md": note("late"), "e.md": note("gone")}
    state = found(Period(), notes, [left("x", 29.1), left("y", 3.1), left("late", 40), left("unused", 28)])
    assert [(one.evidence.session, one.days_left, one.notes) for one in state.expiring] == [
        ("late", 0, ("d.md",)),
        ("x", 1, ("a.md", "b.md")),
    ]
    assert [(one.session, one.notes) for one in state.gone] == [("gone", ("e.md",))]
    assert state.observed_days == 40
    assert state.days_left == {"x": 1, "y": 27, "late": 0}


def test_nothing_expires_where_nothing_is_swept() -> None:
    state = found(Period(valid=False), {"a.md": note("x")}, [left("x", 29)])
    assert (state.expiring, state.days_left) == ((), {})


def test_a_copy_that_is_younger_counts() -> None:
    old, new = left("x", 29), left("x", 2)
    state = assess(Period(), {"a.md": note("x")}, [old], {"x": [old, new]}, [], NOW)
    assert state.expiring == ()


def test_a_setting_that_did_not_hold() -> None:
    year = Period(365, Source.USER)
    own = [left("x", 29)]
    gone = OnRecord("gone", NOW - 100 * DAY)
    assert found(year, {}, own, gone).not_held == gone
    assert found(year, {"a.md": note("old", 90)}, own).not_held is not None
    assert found(Period(), {}, own, gone).not_held is None
    assert found(year, {}, own, OnRecord("x", NOW - 100 * DAY)).not_held is None
    assert found(year, {}, own, OnRecord("gone", NOW - 400 * DAY)).not_held is None
    assert found(year, {}, own, OnRecord("gone", NOW - 9 * DAY)).not_held is None
    assert found(year, {}, own).not_held is None
