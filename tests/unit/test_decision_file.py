from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memreview.errors import ExitCode, UsageError
from memreview.model.review import ACCEPT, REJECT, Decision, Decisions, EditTo, TakeLines
from memreview.review.decision_file import encode_decision, parse_decisions
from memreview.review.index import index_of
from tests.unit.texts import make_review, numbered

REVIEW = make_review(
    {"a.md": numbered(40), "b.md": b"x\n", "void.md": b"v\0"},
    {"a.md": numbered(40, [3, 5, 20]), "b.md": b"y\nz\n", "void.md": b"w\0"},
)
A, B, VOID = (next(file for file in REVIEW.files if file.path == path) for path in ("a.md", "b.md", "void.md"))
CHANGE = next(B.changes())


def parse(**decisions: object) -> Decisions:
    return parse_decisions(json.dumps({"schema": 1, "decisions": decisions}).encode(), REVIEW, "d.json")


def test_all_forms() -> None:
    first, second, third = A.changes()
    found = parse(
        **{
            A.id: "reject",
            A.hunks[0].id: "accept",
            first.id: {"edit": ["é", "q\udcff"]},
            second.id: {"lines": {"removed": [0], "added": []}},
            third.id: {"lines": {}},
            VOID.id: "accept",
        }
    )
    assert found.by_id == {
        A.id: REJECT,
        A.hunks[0].id: ACCEPT,
        first.id: EditTo(("é", "q\udcff")),
        second.id: TakeLines(frozenset({0})),
        third.id: TakeLines(),
        VOID.id: ACCEPT,
    }


def test_an_edit_of_a_hunk_or_file_with_one_change_is_of_that_change() -> None:
    assert parse(**{B.id: {"edit": []}}).by_id == {CHANGE.id: EditTo(())}
    assert parse(**{B.hunks[0].id: {"lines": {"added": [1]}}}).by_id == {CHANGE.id: TakeLines(added=frozenset({1}))}
    assert parse(**{B.id: {"edit": []}, CHANGE.id: "reject"}).by_id == {CHANGE.id: REJECT}


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("Accept", "use"),
        (True, "use"),
        (None, "use"),
        (["accept"], "use"),
        ({}, "nothing"),
        ({"edit": [], "lines": {}}, "nothing else"),
        ({"accept": True, "reject": True}, "nothing else"),
        ({"edit": "text"}, "no list"),
        ({"edit": [1]}, "no text"),
        ({"edit": ["a\nb"]}, "line end"),
        ({"edit": ["\ud800"]}, "UTF-8"),
        ({"lines": [0]}, "no object"),
        ({"lines": {"old": [0]}}, "no object"),
        ({"lines": {"removed": [0.0]}}, "counted from 0"),
        ({"lines": {"removed": [True]}}, "counted from 0"),
        ({"lines": {"removed": ["0"]}}, "counted from 0"),
        ({"lines": {"removed": 0}}, "no list"),
        ({"lines": {"removed": [1]}}, "no removed line 1: it has 1"),
        ({"lines": {"added": [2]}}, "no added line 2: it has 2"),
        ({"lines": {"added": [-1]}}, "no added line -1"),
        ({"lines": {"added": [1, 1]}}, "twice"),
    ],
)
def test_what_is_no_decision_is_said(value: object, says: str) -> None:
    with pytest.raises(UsageError, match=says) as raised:
        parse(**{CHANGE.id: value})
    assert str(raised.value).startswith(f'd.json: "{CHANGE.id}" ')
    assert "\n" not in str(raised.value)
    assert raised.value.exit_code == ExitCode.USAGE


def test_edits_need_one_change() -> None:
    for item, says in ((A.id, "3 changes"), (A.hunks[0].id, "2 changes"), (VOID.id, "as a whole")):
        with pytest.raises(UsageError, match=says):
            parse(**{item: {"edit": []}})


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "no JSON"),
        (b"\xff\xfe\xfd", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"[]", "needed"),
        (b"{}", '"schema" must be 1, not null'),
        (b'{"schema": 2, "decisions": {}}', "must be 1"),
        (b'{"schema": true, "decisions": {}}', "must be 1"),
        (b'{"schema": 1}', '"decisions" must be'),
        (b'{"schema": 1, "decisions": []}', '"decisions" must be'),
        (b'{"schema": 1, "decisions": {"nobody": "accept"}}', '"nobody" is no id'),
        (b'{"schema": 1, "decisions": {"x": "accept", "x": "reject"}}', '"x" stands there twice'),
        (b'{"schema": 1, "schema": 1, "decisions": {}}', '"schema" stands there twice'),
    ],
)
def test_what_is_no_decisions_file_is_said(data: bytes, says: str) -> None:
    with pytest.raises(UsageError, match=says) as raised:
        parse_decisions(data, REVIEW)
    assert "\n" not in str(raised.value)


def test_a_byte_order_mark_is_no_harm() -> None:
    assert parse_decisions(b'\xef\xbb\xbf{"schema": 1, "decisions": {}}', REVIEW).by_id == {}


LINE = st.text(alphabet=st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=8)
DECISION: st.SearchStrategy[Decision] = st.one_of(
    st.sampled_from([ACCEPT, REJECT]),
    st.lists(LINE, max_size=3).map(lambda lines: EditTo(tuple(lines))),
    st.builds(TakeLines, st.frozensets(st.just(0)), st.frozensets(st.integers(0, 1))),
)


@given(DECISION)
def test_what_is_written_is_read(decision: Decision) -> None:
    assert parse(**{CHANGE.id: encode_decision(decision)}) == Decisions({CHANGE.id: decision})


def test_ids_are_those_of_the_index() -> None:
    assert index_of(REVIEW).knows(A.hunks[0].id)
    assert not index_of(REVIEW).knows("a.md")


@given(st.binary(max_size=60))
def test_bytes_are_read_or_refused(data: bytes) -> None:
    with pytest.raises(UsageError):
        parse_decisions(data, REVIEW)
