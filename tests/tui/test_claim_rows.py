"""The table of claims, the marks in lines and records, and what is counted: plain data without a screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.model.claim import Claim, ClaimKind, ClaimReport, Evidence, Fate, Moved, Verdict, Weight
from memreview.model.dream import Review
from memreview.model.patch import Change
from memreview.model.review import Mend
from memreview.review.index import index_of
from memreview.review.state import ReviewState
from memreview.tui.content import Mark, overlay
from memreview.tui.judged import Judged, by_urgency
from memreview.tui.ledger import Ledger
from memreview.tui.places import Places
from memreview.tui.rows.agreeing import agreeing_marks, record_rows
from memreview.tui.rows.claims import ClaimRow, claim_rows
from memreview.tui.rows.diff import LineRef
from memreview.tui.rows.evidence import Passage
from memreview.tui.rows.flagged import claim_marks, row_at, sign_between, standing
from memreview.tui.rows.model import Cell, Row
from tests.tui.judged import Carried, Gone, Said, judge
from tests.tui.reviews import cite, explain, make_ledger, make_review

BASE = {"a.md": "old 6379\nkept\n", "b.md": "x\n"}
PROPOSED = {"a.md": "new 5173, about 2 at 12:00\nfirst\nsecond\nthird\nkept\n", "b.md": "y 7\n"}


def made(found: Sequence[Said | Gone | Carried]) -> tuple[Review, Change]:
    review = judge(make_review(BASE, PROPOSED), found)
    change = index_of(review).units[0].change
    assert change is not None
    return review, change


def test_errors_come_first_then_what_was_lost_then_the_rest() -> None:
    review, change = made(
        [
            Said("new", "about", Verdict.SUPPORTED, Weight.OK),
            Gone("old", "old", Fate.CONTRADICTED),
            Gone("old", "6379", Fate.LOST),
            Said("new", "2", Verdict.DERIVED, Weight.NOTE),
            Said("new", "5173", Verdict.ELSEWHERE, Weight.WARNING),
            Said("new", "12:00", Verdict.CONTRADICTED, Weight.ERROR),
            Carried("first", "old.md:4"),
        ]
    )
    rows = claim_rows(review.reports[change.id], change)
    assert [(row.look.sign, row.look.word, row.text) for row in rows] == [
        ("≠", "contradicted", "12:00"),
        ("¬", "lost", "6379"),
        ("→", "elsewhere", "5173"),
        ("≈", "derived", "2"),
        ("⇄", "taken back", "old"),
        ("=", "supported", "about"),
        ("»", "moved", "first"),
    ]
    assert [row.flagged for row in rows] == [True] * 3 + [False] * 4
    assert rows[1].line == LineRef("removed", 0)


def test_lines_that_moved_together_are_one_row() -> None:
    _, change = made([])
    report = ClaimReport(moved=(*(Moved(line, f"old.md:{line + 10}") for line in (1, 2, 3)), Moved(9, "old.md:1")))
    (row,) = claim_rows(report, change)
    assert (row.kind, row.text, row.reason) == ("lines", "first", "from old.md:11 and 2 more")
    apart = claim_rows(ClaimReport(moved=(Moved(1, "old.md:4"), Moved(2, "b.md:5"))), change)
    assert [row.reason for row in apart] == ["from old.md:4", "from b.md:5"]


def test_a_mended_citation_is_no_flag_any_more() -> None:
    review, change = made([Said("new", "5173", Verdict.ELSEWHERE, Weight.ERROR)])
    report = review.reports[change.id]
    (row,) = claim_rows(report, change, (Mend("5173", "s.jsonl", 3),))
    assert (row.look.word, row.flagged) == ("mended", False)
    assert "s.jsonl:3" in row.reason
    contradicted = replace(report.claims[0], verdict=Verdict.CONTRADICTED)
    (row,) = claim_rows(ClaimReport((contradicted,)), change, (Mend("5173", "s.jsonl", 3),))
    assert row.flagged


def test_counts_follow_what_is_mended() -> None:
    review, change = made(
        [
            Said("new", "5173", Verdict.ELSEWHERE, Weight.ERROR),
            Gone("old", "6379", Fate.LOST),
            Said("y 7", "7", Verdict.UNSUPPORTED, Weight.WARNING),
        ]
    )
    other = index_of(review).units[1].id
    judged = Judged(review, index_of(review), {})
    assert [(look.sign, count) for look, _, count in by_urgency(judged.total)] == [("→", 1), ("¬", 1), ("∅", 1)]
    worst = judged.worst(change.id)
    assert worst is not None
    assert (worst.look.sign, worst.flagged) == ("→", 2)
    judged.mended({change.id: (Mend("5173", "s.jsonl", 3),)})
    assert [(look.sign, count) for look, _, count in by_urgency(judged.total)] == [("¬", 1), ("∅", 1)]
    assert judged.errors(change.id) == ()
    judged.mended({})
    assert sum(judged.total.values()) == 3
    assert sum(judged.tally([change.id, other]).values()) == 3
    assert judged.worst("nobody") is None


# Marks


def row(text: str, line: str, weight: Weight = Weight.WARNING, kind: str = "number") -> ClaimRow:
    start = line.index(text)
    claim = Claim(0, start, start + len(text), text, ClaimKind(kind), "", Verdict.DERIVED, weight, "", "")
    made = claim_rows(ClaimReport((claim,)), Change("c", 0, 0, (), (line.encode(),)))
    return made[0]


def test_spans_are_where_the_words_are_shown() -> None:
    line = "a\tb \x1b 5173 漢字"
    claims = standing([row("5173", line)], line)
    shown = "a   b ␛ 5173 漢字"
    ((start, end, _),) = claims
    assert shown[start:end] == "5173"
    assert claim_marks(claims, current=True, here=None) == (Mark(start, end, "span-warning"),)
    assert claim_marks(claims, current=False, here=None) == (Mark(start, end, "span-warning-dim"),)
    assert sign_between(claims, 0, start) is None
    assert sign_between(claims, start, len(shown)) is claims[0][2]
    assert row_at(claims, start - 1) is None
    assert row_at(claims, start) is claims[0][2]


def test_the_most_urgent_of_several_is_on_top_and_the_smallest_is_pointed_at() -> None:
    line = "runs at 12:00 daily"
    error, wording = row("12:00", line, Weight.ERROR), row(line, line, kind="wording")
    claims = standing([error, wording], line)
    marks = claim_marks(claims, current=True, here=wording)
    assert [mark.style.split(" ") for mark in marks] == [
        ["span-warning-dim", "span-here"],
        ["span-warning-dim", "span-error", "span-here"],
        ["span-warning-dim", "span-here"],
    ]
    assert row_at(claims, 9) is error
    assert row_at(claims, 1) is wording
    late = replace(error, start=90, end=99)
    assert standing([late], line) == ((len(line), len(line), late),)


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), st.sampled_from("abc")), max_size=8))
@settings(max_examples=100, deadline=None)
def test_layers_become_one_layer(spans: list[tuple[int, int, str]]) -> None:
    marks = [Mark(min(a, b), max(a, b), style) for a, b, style in spans]
    found = overlay(marks[:4], marks[4:])
    assert all(one.end <= other.start for one, other in pairwise(found))
    for place in range(12):
        wanted = [mark.style for mark in marks if mark.start <= place < mark.end]
        here = [mark.style for mark in found if mark.start <= place < mark.end]
        assert here == ([" ".join(wanted)] if wanted else [])


# Records


def rows_of(text: str) -> list[Row]:
    place = Passage("/t/s.jsonl", 3, 3)
    return [
        Row((Cell("3  user"),), place),
        *(Row((Cell(line, key=n),), place) for n, line in enumerate(text.split("\n"))),
    ]


def agreeing(text: str, claim: Claim) -> list[str]:
    """The words of a record that are marked for a claim."""
    rows = rows_of(text)
    (table,) = claim_rows(ClaimReport((claim,)), Change("c", 0, 0, (), (b"x",)))
    marks = agreeing_marks(record_rows(rows), [table], table, {"s.jsonl": "/t/s.jsonl"}.get)
    return [rows[number].cells[0].text[mark.start : mark.end] for number, own in sorted(marks.items()) for mark in own]


def about(text: str, evidence: Evidence, **more: object) -> Claim:
    claim = Claim(0, 0, 1, text, ClaimKind.NUMBER, text, Verdict.SUPPORTED, Weight.OK, "", "")
    return replace(claim, evidence=(evidence,), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "claim", "expected"),
    [
        ("one\nTests  214 passed", about("214", Evidence("s.jsonl", 3, "Tests  214 passed", 7, 10)), ["214"]),
        ("one\nTests  214 passed", about("214", Evidence("s.jsonl", 3, "Tests  214 passed")), ["214"]),
        ("214 2140 a214", about("214", Evidence("s.jsonl", 3, "gone")), ["214"]),
        (
            "We moved last week.",
            about("x", Evidence("s.jsonl", 3, "We moved last week."), reason="“last week”"),
            ["last week"],
        ),
        ("so 18.42s", about("12 s", Evidence("s.jsonl", 3, "so 18.42s"), nearest="18.42s"), ["18.42s"]),
        ("Some Words   here and there", about("x", Evidence("s.jsonl", 3, "some words here…")), ["Some Words   here"]),
        ("nothing of it", about("x", Evidence("s.jsonl", 3, "another text")), []),
        ("it is 214", about("214", Evidence("other.jsonl", 3, "it is 214")), []),
        ("it is 214", about("214", Evidence("s.jsonl", 4, "it is 214")), []),
        ("a (b [c", about("(b [", Evidence("s.jsonl", 3, "a (b [c")), ["(b ["]),
    ],
)
def test_words_that_agree_are_found(text: str, claim: Claim, expected: list[str]) -> None:
    assert agreeing(text, claim) == expected


# Places


def test_records_are_looked_for_among_the_citations_first(tmp_path: Path) -> None:
    review, change = made(
        [Said("new", "5173", Verdict.ELSEWHERE, Weight.WARNING, evidence=(Evidence("s.jsonl", 9, "x"),))]
    )
    cited = explain(review, [("y 7", "b", [cite(tmp_path / "s.jsonl", 2)])])
    ledger = make_ledger(cited)
    unit = ledger.units[0]
    (table,) = ledger.rows(change.id)
    places = Places(ledger)
    assert places.path_of("s.jsonl") == str(tmp_path / "s.jsonl")
    assert places.path_of("t.jsonl") == "t.jsonl"
    places.located["t.jsonl"] = "/found/t.jsonl"
    assert places.path_of("t.jsonl") == "/found/t.jsonl"
    (found,) = places.found(unit, table)
    assert found.passage == Passage(str(tmp_path / "s.jsonl"), 9, 9)
    assert "not cited" in found.words
    assert places.found(unit, None) == ()
    assert places.found(None, table) == ()
    same = explain(review, [("new", "a", [cite(tmp_path / "s.jsonl", 9)])])
    assert Places(make_ledger(same)).found(make_ledger(same).units[0], table) == ()


def test_a_ledger_counts_saved_mends() -> None:
    review, change = made([Said("new", "5173", Verdict.ELSEWHERE, Weight.ERROR)])
    state = ReviewState()
    mends = {change.id: (Mend("5173", "s.jsonl", 3),)}
    ledger = Ledger(review, replace(state, decisions=replace(state.decisions, mends=mends)), lambda state: None)
    assert not ledger.judged.flagged(change.id)
    assert ledger.flagged(0)
    assert not ledger.judged.errors(change.id)
