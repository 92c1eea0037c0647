from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.model.claim import Claim, ClaimKind, ClaimReport, Dropped, Evidence, Fate, Moved, Verdict, Weight
from memreview.model.transcript import Speaker
from memreview.report.flags import WIDTH, excerpt
from memreview.report.json import ReviewReport
from memreview.report.text import TextReport
from memreview.review.evidence import change_flagged, is_flagged, summarize
from memreview.text import cells, visible
from tests.unit.samples import SECRET, change, make_review, modified

FINE = Claim(
    0, 2, 6, "6380", ClaimKind.NUMBER, "6380", Verdict.SUPPORTED, Weight.OK, "same", "The cited record contains it."
)
BAD = Claim(
    1,
    10,
    15,
    "1 Oct",
    ClaimKind.DATE,
    "2026-10-01/2026-10-02",
    Verdict.DERIVED,
    Weight.WARNING,
    "from-relative",
    "Nobody said it.",
    Speaker.USER,
    (Evidence("s.jsonl", 3, f"last\nweek, {SECRET}"),),
    "last week",
)
LOST = Dropped(0, 4, 8, "6379", ClaimKind.NUMBER, Fate.LOST, True, "lost", "Nothing holds it.")
MOVED = replace(LOST, start=0, end=3, text="old", fate=Fate.MOVED, flagged=False, rule="lives-on")
REPORT = ClaimReport((FINE, BAD), (LOST, MOVED), (Moved(0, "other.md:4"),))


def reviewed(report: ClaimReport, path: str = "testing.md") -> TextReport:
    one = change("c1", (b"old 6379\n",), (b"- 6380\n", b"\x1b moved\ton 1 Oct\n"), 8)
    review = replace(make_review(), files=(modified(path, one),), citations={}, reports={"c1": report}, checked=True)
    return TextReport(review)


def test_a_flag_is_read_without_the_rest() -> None:
    text = "\n".join(reviewed(REPORT).lines())
    assert "    ! derived · warning · date (from-relative) · testing.md:10\n      ␛ moved on 1 Oct\n" in text
    assert "\n                ^^^^^\n      Nobody said it.\n" in text
    assert "\n      nearest: last week\n      s.jsonl:3 user │ last week, ****" in text
    assert SECRET not in text
    assert "    ✗ lost · number (lost) · testing.md:9, before\n      old 6379\n          ^^^^\n" in text
    assert "    · line 9 moved from other.md:4" in text
    assert "    ✓ 1 claim without a flag" in text
    assert "lives-on" not in text
    assert "2 claims: 1 supported, 1 derived; 1 claim of the old text lost." in text


def test_all_lists_what_is_not_flagged_too() -> None:
    report = reviewed(REPORT)
    text = "\n".join(TextReport(report._review, everything=True).lines())
    assert "    ✓ supported · ok · number (same) “6380”" in text
    assert "    · moved · number (lives-on) · testing.md:9, before" in text
    assert "without a flag" not in text


def test_the_index_is_marked() -> None:
    promoted = replace(REPORT, promoted=(Moved(0, "other.md:4"),))
    text = "\n".join(reviewed(promoted, "MEMORY.md").lines())
    assert "    ! Every session reads these lines." in text
    assert "    · line 9 promoted from other.md:4: every session reads it now" in text
    assert "moved from" not in text


def test_json_counts_lines_in_the_files_and_masks() -> None:
    review = reviewed(replace(REPORT, promoted=(Moved(0, "other.md:4"),)))._review
    (file,) = ReviewReport(review).data()["files"]
    (change,) = file["hunks"][0]["changes"]
    assert [(claim["new_line"], claim["text"], claim["severity"], claim["flagged"]) for claim in change["claims"]] == [
        (9, "6380", "ok", False),
        (10, "1 Oct", "warning", True),
    ]
    assert change["claims"][1]["evidence"][0]["text"] == f"last\nweek, {'*' * len(SECRET)}"
    assert [(one["old_line"], one["verdict"], one["flagged"]) for one in change["dropped"]] == [
        (9, "lost", True),
        (9, "moved", False),
    ]
    assert change["moved"] == change["promoted"] == [{"new_line": 9, "from": "other.md:4"}]
    assert (change["verdict"], change["flagged"], change["lost"], change["index"]) == ("derived", True, 1, False)
    summary = ReviewReport(review).data()["summary"]
    assert {key: summary[key] for key in ("claims", "flagged", "flagged_claims", "lost", "by_verdict")} == {
        "claims": 2,
        "flagged": 1,
        "flagged_claims": 1,
        "lost": 1,
        "by_verdict": {"supported": 1, "derived": 1},
    }


def test_without_a_check_there_is_no_verdict() -> None:
    review = replace(reviewed(REPORT)._review, reports={}, checked=False)
    (file,) = ReviewReport(review).data()["files"]
    assert file["hunks"][0]["changes"][0]["verdict"] is None
    assert "claims" not in "\n".join(TextReport(review).lines())


@pytest.mark.parametrize(
    ("report", "allowed", "status"),
    [
        (ClaimReport((FINE,)), (), False),
        (ClaimReport((FINE, BAD)), (), True),
        (ClaimReport((FINE, BAD)), (Verdict.DERIVED,), False),
        (ClaimReport((FINE, BAD)), (Verdict.SUPPORTED,), True),
        (ClaimReport((replace(FINE, weight=Weight.WARNING),)), (), True),
        (ClaimReport((replace(FINE, weight=Weight.WARNING),)), (Verdict.SUPPORTED,), False),
        (ClaimReport((FINE,), (MOVED,)), (), False),
        (ClaimReport((FINE,), (LOST,)), tuple(Verdict), True),
    ],
)
def test_what_ends_verify_with_status_1(report: ClaimReport, allowed: tuple[Verdict, ...], status: bool) -> None:
    review = replace(reviewed(report)._review, entries=())
    assert is_flagged(review, allowed) is status
    assert change_flagged(review, "c1") is report.flagged
    assert summarize(review).lost == report.lost


@pytest.mark.parametrize(
    ("text", "start", "end", "shown", "carets"),
    [
        ("a bc d", 2, 4, "a bc d", "  ^^"),
        ("\ta\x1bb", 2, 3, " a␛b", "  ^"),
        ("端口 6380", 3, 7, "端口 6380", "     ^^^^"),
        ("abc", 3, 3, "abc", "   ^"),
    ],
)
def test_carets_stand_under_what_is_meant(text: str, start: int, end: int, shown: str, carets: str) -> None:
    assert excerpt(text, start, end) == (shown, carets)


def test_a_long_line_is_cut_around_what_is_meant() -> None:
    text = "x" * 300 + "HERE" + "y" * 300
    shown, carets = excerpt(text, 300, 304)
    assert cells(shown) <= WIDTH + 1
    assert shown[carets.index("^") : len(carets)] == "HERE"


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=240), data=st.data())
def test_every_place_of_every_line_can_be_shown(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    shown, carets = excerpt(text, start, end)
    assert visible(shown) == shown
    assert set(carets) <= {" ", "^"}
    assert "^" in carets
    assert cells(shown) <= WIDTH + 2
