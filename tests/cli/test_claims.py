"""``memreview claims``: rows in, answers out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.conftest import Run

SAID = {"transcript": "s.jsonl", "line": 3, "speaker": "user", "timestamp": "2026-11-01T09:03:00Z"}


def record(text: str, **more: Any) -> dict[str, Any]:
    return {**SAID, "text": text, **more}


def lines(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_rows_are_answered_in_order(run: Run) -> None:
    rows: list[dict[str, Any]] = [
        {"id": "a", "added": ["Berth 7 costs 40 EUR."], "cited": [record("berth 7 costs 40 euros")]},
        {"id": 2, "added": ["Berth 7 costs 45 EUR."], "cited": [record("berth 7 costs 40 euros")]},
    ]
    result = run("claims", stdin=lines(*rows))
    first, second = (json.loads(line) for line in result.stdout.split("\n") if line)
    assert (first["id"], first["verdict"], first["flagged"]) == ("a", "supported", False)
    assert (second["id"], second["verdict"], second["flagged"]) == (2, "contradicted", True)
    assert result.exit_code == 1
    price = next(c for c in second["claims"] if c["kind"] == "number" and c["flagged"])
    assert (price["new_line"], price["text"], price["nearest"]) == (0, "45 EUR", "40 euros")
    assert price["evidence"] == [{"transcript": "s.jsonl", "line": 3, "text": "berth 7 costs 40 euros"}]


def test_nothing_flagged_is_status_0(run: Run) -> None:
    result = run("claims", stdin=lines({"id": 1, "added": ["ok"], "cited": [record("ok")]}) + "\n\n")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["claims"] == []


def test_without_records_values_are_still_read(run: Run) -> None:
    row = {"id": 1, "added": ["It moved last week."], "anchor": "2026-11-01T09:00:00Z"}
    result = run("claims", stdin=lines(row))
    (claim,) = json.loads(result.stdout)["claims"]
    assert claim["value"].split("|")[0] == "2026-10-26/2026-11-02" or "2026-10-19/2026-10-26" in claim["value"]
    assert claim["rule"] == "date-rots"


def test_dropped_claims_come_with_the_new_memory(run: Run) -> None:
    row = {
        "id": 1,
        "removed": ["Relay: port 2525."],
        "added": ["Relay: `relay-2`."],
        "old_memory": ["Relay: port 2525."],
        "new_memory": ["Relay: `relay-2`."],
        "cited": [record("the relay is relay-2")],
    }
    data = json.loads(run("claims", stdin=lines(row)).stdout)
    assert [(d["text"], d["verdict"], d["flagged"]) for d in data["dropped"]] == [("2525", "lost", True)]
    assert data["lost"] == 1
    assert "dropped" not in json.loads(run("claims", stdin=lines({"id": 1, "added": ["x"]})).stdout)


def test_secrets_are_masked_unless_asked_for(run: Run) -> None:
    key = "sk-" + "ant-api03-Invented-Key-For-A-Test-0099-Invented-Key-For-A-Test-0099-AAAA"
    row = {"id": 1, "added": [f"Key: {key}"], "cited": [record(f"the key is {key}")]}
    hidden, shown = run("claims", stdin=lines(row)), run("claims", "--show-secrets", stdin=lines(row))
    assert key not in hidden.stdout
    assert key in shown.stdout
    (claim,) = (c for c in json.loads(hidden.stdout)["claims"] if c["kind"] == "secret")
    assert claim["text"] == "*" * len(key)
    assert (claim["severity"], claim["rule"]) == ("error", "secret")


def test_all_lists_what_the_old_text_said(run: Run) -> None:
    row = {"id": 1, "removed": ["Pump: 740 W"], "added": ["Pump: 740 W, loud"], "cited": [record("the pump is loud")]}
    assert [c["text"] for c in json.loads(run("claims", stdin=lines(row)).stdout)["claims"]] == []
    told = json.loads(run("claims", "--all", stdin=lines(row)).stdout)["claims"]
    assert [(c["text"], c["rule"]) for c in told] == [("740 W", "old")]


@pytest.mark.parametrize(
    ("row", "part"),
    [
        ("{", "no JSON"),
        ("[1]", "no object"),
        ('{"added": "x"}', '"added" is no list'),
        ('{"added": [1]}', '"added" is no list'),
        ('{"cited": {}, "added": []}', ""),
        ('{"cited": [1]}', '"cited" is no list'),
        ('{"cited": [{"line": "3"}]}', '"line" is no number'),
        ('{"others": [{"line": 3, "speaker": "nobody"}]}', '"speaker"'),
        ('{"cited": [{"line": 3, "text": 4}]}', '"text"'),
        ('{"anchor": "soon"}', '"anchor"'),
        ('{"timezone": "Mars/Olympus"}', '"timezone"'),
    ],
)
def test_a_row_of_another_shape_is_named(run: Run, row: str, part: str) -> None:
    result = run("claims", stdin='{"id": 0, "added": []}\n' + row + "\n")
    if not part:
        assert result.exit_code == 0
        return
    assert result.exit_code == 2
    assert part in result.stderr
    assert "line 2" in result.stderr


def test_lone_surrogates_pass_through(run: Run) -> None:
    said = '{"line": 1, "speaker": "user", "text": "caf\\udce9: 3 EUR"}'
    result = run("claims", stdin=f'{{"id": 1, "added": ["caf\\udce9 costs 3 EUR"], "cited": [{said}]}}\n')
    assert result.exit_code == 0
    assert json.loads(result.stdout)["claims"]
