"""What is printed of a review: the JSON's keys, the text, and that neither lets anything raw or secret through."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from memreview.model.dream import CitationStatus
from memreview.model.transcript import Speaker
from memreview.report.json import ReviewReport, dumps
from memreview.report.styles import Role
from memreview.report.text import TextReport
from memreview.report.times import local_day, local_moment, local_time, zone
from memreview.review.evidence import confirms, is_flagged, leads_nowhere, summarize
from tests.unit.samples import MISSING, SECRET, found, make_review


def loaded(**options: bool) -> Any:
    return json.loads(dumps(ReviewReport(make_review(), **options).data()))


def test_the_json_has_the_keys_of_the_contract() -> None:
    data = loaded()
    assert {"schema", "target", "project", "stale", "files", "entries", "run", "findings", "summary"} <= set(data)
    assert data["schema"] == 1
    assert data["stale"] is True
    file = data["files"][0]
    assert {"id", "path", "change", "old_path", "hunks"} <= set(file)
    change = file["hunks"][0]["changes"][0]
    contract = {
        "id",
        "old_line",
        "new_line",
        "removed",
        "added",
        "citations",
        "references",
        "claims",
        "moved",
        "dropped",
    }
    assert contract | {"during_run", "verdict", "flagged", "conflict"} <= set(change)
    assert (change["old_line"], change["new_line"]) == (9, 9)
    assert change["claims"] == change["moved"] == change["dropped"] == []
    citation = change["citations"][0]
    assert citation == {
        "raw": "s.jsonl:3",
        "transcript": "s.jsonl",
        "line": 3,
        "end_line": 3,
        "status": "found",
        "speaker": "user",
        "timestamp": "2026-11-01T10:00:00.000Z",
        "text": "we moved\nto pnpm \u202elast week",
        "path": "/t/s.jsonl",
        "uuid": "u1",
        "last_line": None,
    }
    assert change["references"][0]["status"] == "missing"
    run = {"log": "/out/run.log", "complete": False, "label": "run of 1 November", "barred": None}
    assert data["run"] == run
    assert {"text", "file", "matched"} <= set(data["entries"][0])
    assert [entry["matched"] for entry in data["entries"]] == [True, False, False]
    summary = data["summary"]
    assert (summary["files"], summary["hunks"], summary["changes"], summary["claims"]) == (4, 3, 4, 0)
    assert summary["by_verdict"] == {}


def test_json_carries_raw_text_in_ascii_without_control_characters() -> None:
    text = dumps(ReviewReport(make_review()).data())
    assert text.isascii()
    assert text.isprintable()
    change = json.loads(text)["files"][0]["hunks"][0]["changes"][0]
    assert change["removed"] == ["npm \x1b[2Jtest"]
    assert change["added"] == ["pnpm test", "bad \udcff\x7f byte"]
    assert change["final_newline"] == {"removed": True, "added": False}
    assert "\\udcff" in text
    assert json.loads(text)["files"][3]["path"] == "bin\udcff.md"


def test_secrets_are_masked_with_their_length_unless_asked_for() -> None:
    masked, shown = (
        dumps(ReviewReport(make_review()).data()),
        dumps(ReviewReport(make_review(), show_secrets=True).data()),
    )
    assert SECRET not in masked
    assert f"key {'*' * len(SECRET)}" in masked
    assert SECRET in shown
    assert len(masked) == len(shown)
    assert SECRET not in "\n".join(TextReport(make_review()).lines())
    assert SECRET in "\n".join(TextReport(make_review(), show_secrets=True).lines())


def test_flags_come_from_citations_that_lead_nowhere() -> None:
    data = loaded()
    flags = [change["flagged"] for file in data["files"] for hunk in file["hunks"] for change in hunk["changes"]]
    assert flags == [False, True, False]
    assert data["summary"]["flagged"] == 1
    assert is_flagged(make_review())
    assert not is_flagged(replace(make_review(), citations={}))


@pytest.mark.parametrize(
    ("status", "wrong"),
    [
        (CitationStatus.FOUND, False),
        (CitationStatus.AMBIGUOUS, False),
        (CitationStatus.NOT_TEXT, False),
        (CitationStatus.OUT_OF_RANGE, True),
        (CitationStatus.MISSING, True),
    ],
)
def test_which_statuses_are_wrong(status: CitationStatus, wrong: bool) -> None:
    assert leads_nowhere([replace(MISSING, status=status)]) is wrong


@pytest.mark.parametrize(
    ("speaker", "confirmed"),
    [
        (Speaker.USER, True),
        (Speaker.TOOL, True),
        (Speaker.CALL, False),
        (Speaker.ASSISTANT, False),
        (Speaker.OTHER, False),
    ],
)
def test_whose_words_confirm(speaker: Speaker, confirmed: bool) -> None:
    assert confirms([found(1, speaker)]) is confirmed


def test_the_summary_tells_confirmation_from_silence() -> None:
    summary = summarize(make_review())
    assert summary.confirmed == ("style.md", "testing.md")
    assert summary.cited == ("keys.md", "other.md")
    assert summary.unmentioned == ("bin\udcff.md", "gone.md", "quiet.md")
    assert (summary.entries, summary.entries_without_change, summary.without_entry) == (3, 2, 1)
    assert (summary.conflicts, summary.during_run) == (1, 1)


@pytest.fixture
def an_hour_east(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A time zone without summer time."""
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "CET-1")
        time.tzset()
        local_moment.cache_clear()
        yield
    time.tzset()
    local_moment.cache_clear()


def test_times_are_those_of_one_zone_that_is_named(an_hour_east: None) -> None:
    assert local_time("2026-11-01T23:30:00.000Z") == "2 Nov 2026 00:30"
    assert local_day("2026-11-01T23:30:00.000Z") == "2026-11-02"
    assert local_day("2026-11-01, late") == "2026-11-01"
    assert local_day(None) == ""
    assert zone() == "CET, UTC+01:00"


def test_a_zone_without_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        for name, told in (("UTC0", "UTC"), ("<-0330>3:30", "UTC-03:30")):
            patched.setenv("TZ", name)
            time.tzset()
            assert zone() == told
    time.tzset()


def test_the_text_shows_everything_and_nothing_raw(an_hour_east: None) -> None:
    text = "\n".join(TextReport(make_review()).lines())
    assert "testing.md · modified · 1 change" in text
    assert "  - npm ␛[2Jtest" in text
    assert "  + bad \\xff␡ byte" in text
    assert "(no line end at the end of the file)" in text
    assert "✓ s.jsonl:3 · found · user · 1 Nov 2026 11:00" in text
    assert "Times are local: CET, UTC+01:00" in text
    assert "      │ to pnpm \\u202elast week" in text
    assert "✗ gone.jsonl:4 · missing" in text
    assert "✗ src/db.ts:4 · file · missing" in text
    assert "The whole note goes" in text
    assert "Conflict: edited since" in text
    assert "now │ y" in text
    assert "Written by somebody else while the dream ran" in text
    assert "No entry of CHANGES.md explains this" in text
    assert "line 3: - style.md still right" in text
    assert "Mentioned by no transcript (silence is no confirmation): 3" in text
    assert "1 change flagged;" in text
    assert "2 entries of CHANGES.md without a change" in text
    assert not [char for char in text if not char.isprintable() and char != "\n"]


def test_long_quotes_are_cut() -> None:
    review = make_review()
    long = found(3, Speaker.TOOL, "\n".join(["x" * 1000] * 20))
    text = list(TextReport(replace(review, citations={"c1": (long,)})).lines())
    assert sum("│ xxx" in line for line in text) == 8
    assert any("│ … 12 more lines" in line for line in text)
    assert max(map(len, text)) < 320


def test_colour_only_adds_to_words() -> None:
    coloured = list(TextReport(make_review(), style=lambda text, role: f"<{role.value}>{text}</>").lines())
    uncoloured = list(TextReport(make_review()).lines())
    stripped = []
    for line in coloured:
        for role in Role:
            line = line.replace(f"<{role.value}>", "")
        stripped.append(line.replace("</>", ""))
    assert stripped == uncoloured
