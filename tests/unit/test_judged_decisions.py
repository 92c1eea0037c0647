"""Decisions that depend on the claim check: errors that are taken all the same, and citations that were mended."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from memreview.apply.message import review_message
from memreview.apply.plan import make_plan
from memreview.errors import UsageError
from memreview.model.claim import Claim, ClaimKind, ClaimReport, Verdict, Weight
from memreview.model.dream import Review
from memreview.model.review import ACCEPT, Accept, Decision, Decisions, EditTo, Mend, TakeLines
from memreview.review.actions import Action, Decide, MendCitation, Redo, SetLines, Undo
from memreview.review.claims import errors, named
from memreview.review.decision_file import encode_decision, parse_decisions
from memreview.review.index import index_of
from memreview.review.reducer import must_be_decided_alone, reduce
from memreview.review.state import ReviewState
from memreview.review.store import DecisionStore
from tests.unit.reviews import change_with, folder
from tests.unit.reviews import review as review_of

BASE = {"a.md": "one\ntwo\nthree\n\n\n\n\n\n\n\nfour\n", "b.md": "x\n"}
NEW = {"a.md": "one\n214 tests since Monday\nthree\n\n\n\n\n\n\n\n4 and\n5\n", "b.md": "port 5173\n"}
MEND = Mend("5173", "s1.jsonl", 12, "/t/s1.jsonl")


def claim(text: str, verdict: Verdict, weight: Weight, line: int = 0, kind: ClaimKind = ClaimKind.NUMBER) -> Claim:
    return Claim(line, 0, len(text), text, kind, text, verdict, weight, "rule", "because")


@pytest.fixture
def review() -> Review:
    made = review_of(BASE, NEW)
    reports = {
        change_with(made, "214 tests").id: ClaimReport((claim("214 tests", Verdict.CONTRADICTED, Weight.ERROR),)),
        change_with(made, "4 and").id: ClaimReport((claim("5", Verdict.UNSUPPORTED, Weight.ERROR, line=1),)),
        change_with(made, "5173").id: ClaimReport(
            (
                claim("5173", Verdict.ELSEWHERE, Weight.ERROR),
                claim("port", Verdict.SUPPORTED, Weight.OK, kind=ClaimKind.WORDING),
            )
        ),
    }
    return replace(made, reports=reports, checked=True)


def play(review: Review, *actions: Action) -> ReviewState:
    state = ReviewState()
    for action in actions:
        state = reduce(state, action, review)
    return state


def test_what_has_an_error_is_never_taken_along(review: Review) -> None:
    first, second, port = (change_with(review, word).id for word in ("214 tests", "4 and", "5173"))
    units = {unit.id: unit for unit in index_of(review).units}
    assert all(must_be_decided_alone(review, units[unit]) for unit in (first, second, port))
    assert not must_be_decided_alone(review, units[port], (MEND,))
    assert must_be_decided_alone(review, units[first], (MEND,))
    assert [claim.text for claim in errors(review, port, (replace(MEND, words="another"),))] == ["5173"]


def test_a_mend_is_a_step(review: Review) -> None:
    port = change_with(review, "5173").id
    state = play(review, MendCitation(port, MEND))
    assert state.decisions == Decisions({}, {port: (MEND,)})
    assert reduce(state, MendCitation(port, MEND), review) is state
    assert reduce(state, MendCitation("nobody", MEND), review) is state
    better = replace(MEND, line=13)
    again = reduce(state, MendCitation(port, better), review)
    assert again.decisions.mends == {port: (better,)}
    assert reduce(again, Undo(), review).decisions == state.decisions
    none = reduce(reduce(again, Undo(), review), Undo(), review)
    assert none.decisions == Decisions()
    assert reduce(reduce(none, Redo(), review), Redo(), review).decisions == again.decisions
    assert again.past is not None
    assert again.past.delta.ids == (port,)


def test_lines_with_errors_say_so(review: Review) -> None:
    change = change_with(review, "4 and").id
    all_lines = play(review, SetLines(change, frozenset({0}), frozenset({0, 1}), ("unsupported: 5",)))
    assert all_lines.decisions.by_id == {change: Accept(("unsupported: 5",))}
    some = play(review, SetLines(change, frozenset(), frozenset({1}), ("unsupported: 5",)))
    assert some.decisions.by_id == {change: TakeLines(frozenset(), frozenset({1}), ("unsupported: 5",))}


@pytest.mark.parametrize(
    "decision", [Accept(("contradicted: 214 tests", "é")), TakeLines(frozenset({0}), frozenset({0}), ("a secret",))]
)
def test_what_was_taken_all_the_same_is_written_and_read(review: Review, tmp_path: Path, decision: Decision) -> None:
    change = change_with(review, "214 tests").id
    state = play(review, Decide((change,), decision), MendCitation(change, MEND), Decide((change,), None))
    state = reduce(state, Undo(), review)
    written = json.dumps({"schema": 1, "decisions": {change: encode_decision(decision)}}).encode()
    assert parse_decisions(written, review).by_id == {change: decision}
    store = DecisionStore(str(tmp_path))
    store.save(review, state)
    found = DecisionStore(str(tmp_path)).load(review)
    assert found.decisions == state.decisions
    assert reduce(found, Undo(), review).decisions == Decisions({change: decision})
    assert reduce(reduce(found, Undo(), review), Undo(), review).decisions == Decisions()


@pytest.mark.parametrize("value", ['{"accept": true}', '{"accept": {"why": []}}', '{"lines": {"despite": "x"}}'])
def test_another_form_is_refused(review: Review, value: str) -> None:
    change = change_with(review, "5173").id
    with pytest.raises(UsageError):
        parse_decisions(f'{{"schema": 1, "decisions": {{"{change}": {value}}}}}'.encode(), review)


def test_two_windows_keep_each_others_mends(review: Review, tmp_path: Path) -> None:
    first, port = (change_with(review, word).id for word in ("214 tests", "5173"))
    one, two = DecisionStore(str(tmp_path)), DecisionStore(str(tmp_path))
    one.save(review, ReviewState())
    mine, theirs = one.load(review), two.load(review)
    one.save(review, reduce(mine, MendCitation(port, MEND), review))
    two.save(review, reduce(theirs, Decide((first,), ACCEPT), review))
    assert DecisionStore(str(tmp_path)).load(review).decisions == Decisions({first: ACCEPT}, {port: (MEND,)})


def test_mends_go_with_their_change_to_the_next_run(review: Review, tmp_path: Path) -> None:
    first, port = (change_with(review, word).id for word in ("214 tests", "5173"))
    state = play(review, MendCitation(port, MEND), MendCitation(first, MEND))
    DecisionStore(str(tmp_path)).save(review, state)
    again = review_of(BASE, {**NEW, "a.md": BASE["a.md"]})
    assert DecisionStore(str(tmp_path)).load(again).decisions.mends == {port: (MEND,)}


def test_the_commit_message_says_it(review: Review) -> None:
    first, second, port = (change_with(review, word).id for word in ("214 tests", "4 and", "5173"))
    decisions = Decisions(
        {
            first: Accept(("contradicted: 214 tests",)),
            second: TakeLines(frozenset({0}), frozenset({0})),
            port: ACCEPT,
        },
        {port: (MEND,)},
    )
    message = review_message(review, make_plan(review, decisions, folder(BASE)))
    rows = message.split("\n")
    assert "  accepted despite contradicted: 214 tests" in rows
    assert "- b.md:1: port 5173 (mended: s1.jsonl:12)" in rows
    assert rows[-3:] == ["", "Claims: 1 supported, 1 elsewhere, 1 contradicted", ""]
    edited = replace(decisions, by_id={port: EditTo(("port 1",))})
    assert "Claims" not in review_message(review, make_plan(review, edited, folder(BASE)))


def test_a_secret_is_not_named() -> None:
    assert named(claim("hunter2", Verdict.UNSUPPORTED, Weight.ERROR, kind=ClaimKind.SECRET)) == "a secret"
    assert named(claim("a\x1b[31m", Verdict.DERIVED, Weight.WARNING)) == "derived: a␛[31m"
