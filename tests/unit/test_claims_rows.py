"""The check on whole changes: hand-written rows of every kind, half of them unseen while the rules were made."""

from __future__ import annotations

import pytest

from tests.unit.claim_rows import Row, answer, faults, read

ROWS = [*read("tuned.jsonl"), *read("kept.jsonl")]
# Rows that are known to fail, with the reason in docs/claims.md; the test fails when one of them is met.
UNMET: frozenset[str] = frozenset()


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_a_row_is_judged_as_a_careful_reviewer_would(row: Row) -> None:
    wrong = faults(row)
    if row["id"] in UNMET:
        assert wrong, "this row is met now"
    else:
        assert wrong == [], f"{row['about']}\n" + "\n".join(wrong)


@pytest.mark.parametrize("row", ROWS[:40], ids=[row["id"] for row in ROWS[:40]])
def test_the_answer_keeps_its_form(row: Row) -> None:
    data = answer(row["input"])
    known = {(r["transcript"], r["line"]) for r in [*row["input"]["cited"], *row["input"]["others"]]}
    assert data["flagged"] == any(c["flagged"] for c in data["claims"])
    for claim in data["claims"]:
        assert claim["text"] == row["input"]["added"][claim["new_line"]][claim["start"] : claim["end"]]
        assert claim["flagged"] == (claim["severity"] in ("warning", "error"))
        assert claim["verdict"] == "supported" or claim["flagged"] or claim["severity"] == "note"
        assert claim["reason"].strip()
        assert "\n" not in claim["reason"]
        assert {(e["transcript"], e["line"]) for e in claim["evidence"]} <= known


def test_the_same_question_gets_the_same_answer() -> None:
    for row in ROWS[::25]:
        assert answer(row["input"]) == answer(row["input"])


def test_that_nothing_contains_a_value_is_only_said_where_nothing_does() -> None:
    records = [{"transcript": "a.jsonl", "line": 1, "speaker": "user", "text": "And Redis is gone for good."}]
    given = {"added": ["Start Redis and Memcached before the first run."], "cited": [], "others": records}
    said = {claim["text"]: claim["reason"] for claim in answer(given)["claims"]}
    assert "a.jsonl:1 contains it" in said["Redis"]
    assert said["Memcached"] == "No record contains it."


def test_of_many_records_too_nothing_is_said_to_contain_what_one_does() -> None:
    texts = ["And Redis is gone for good."] + [f"The pump number {number} hums softly." for number in range(200)]
    records = [
        {"transcript": "a.jsonl", "line": line, "speaker": "user", "text": text} for line, text in enumerate(texts, 1)
    ]
    given = {"added": ["Start Redis and Memcached before the first run."], "cited": [], "others": records}
    said = {claim["text"]: claim["reason"] for claim in answer(given)["claims"]}
    assert said["Redis"] != "No record contains it."
    assert said["Memcached"] == "No record contains it."


HEAD = ("---", "name: machines", "metadata:", "  type: project", "---", "", "Text.")
SAID = {"transcript": "a.jsonl", "line": 1, "speaker": "user", "text": "the staging database is called larch"}


@pytest.mark.parametrize(
    ("line", "quotes"),
    [
        ('description: "staging: the database is called larch"', 0),
        ("description: the user said “call it the big larch”", 1),
        ('description: "staging: the user said “call it the big larch” once"', 1),
        ('quote: "the machine is called larch"', 1),
    ],
)
def test_what_yaml_puts_in_quotes_is_nobodys_words(line: str, quotes: int) -> None:
    for added in ([*HEAD[:2], line, *HEAD[2:]], [line]):
        claims = answer({"added": added, "cited": [SAID]})["claims"]
        assert len([claim for claim in claims if claim["kind"] == "quote"]) == quotes, added
