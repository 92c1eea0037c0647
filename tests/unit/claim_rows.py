"""Rows of claims with what is expected of them: reading, asking, comparing.

A row is ``{"id", "about", "input", "expect"}``. Of an expected claim ``text_contains`` says on which characters it lies
(half of the shorter of the two is enough), and what else is named has to fit in one claim.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from memreview.checks.claims.check import Question, check
from memreview.checks.claims.novelty import OldText
from memreview.checks.claims.records import Source, parse_time
from memreview.model.claim import ClaimReport
from memreview.model.transcript import Speaker
from memreview.report.claims import report_data
from memreview.text import secret_spans

DATA = Path(__file__).parent.parent / "data" / "claims"
SPLIT = "⟦⟧"
"""Stands inside of invented keys, so that they do not look like live ones at rest."""

Row = Mapping[str, Any]


def read(name: str) -> list[Row]:
    """The rows of a file."""
    text = (DATA / name).read_text(encoding="utf-8").replace(SPLIT, "")
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def source(record: Row) -> Source:
    """A record of a row."""
    return Source(
        record.get("transcript", ""),
        record["line"],
        Speaker(record["speaker"]),
        record["text"],
        record.get("timestamp"),
        bool(record.get("error")),
    )


def question(given: Row) -> Question:
    """The input of a row as the check wants it."""
    zone, old, new = given.get("timezone"), given.get("old_memory"), given.get("new_memory")
    return Question(
        given.get("added", []),
        given.get("removed", []),
        [source(record) for record in given.get("cited", [])],
        [source(record) for record in given.get("others", [])],
        parse_time(given.get("anchor")),
        ZoneInfo(zone) if zone else None,
        None if old is None else OldText(old),
        None if new is None else OldText(new),
    )


def ask(given: Row) -> ClaimReport:
    """The check's report."""
    return check(question(given), secret_spans, show_secrets=True)


def answer(given: Row) -> dict[str, Any]:
    """The same as data."""
    return report_data(ask(given), with_dropped=given.get("new_memory") is not None)


def faults(row: Row, data: Mapping[str, Any] | None = None) -> list[str]:
    """What of the expectations is not met."""
    given, expect = row["input"], row["expect"]
    if data is None:
        data = answer(given)
    out = list(_wanted(expect.get("claims", ()), data["claims"], given["added"], "new_line"))
    loud = [c for c in data["claims"] if c["flagged"]]
    if expect.get("none_flagged"):
        out += [f"flagged: {_named(c)}" for c in loud]
    for text in expect.get("not_flagged", ()):
        places = spans(given["added"], text)
        out += [f"flagged: {_named(c)}" for c in loud if c["kind"] != "wording" and _touches(c, places, "new_line")]
    if "dropped" in expect:
        out += _wanted(expect["dropped"], data["dropped"], given.get("removed", []), "old_line")
        if not expect["dropped"]:
            out += [f"dropped: {_named(d)}" for d in data["dropped"] if d["flagged"] and d["kind"] != "wording"]
    return out


def spans(lines: Sequence[str], text: str, only: int | None = None) -> list[tuple[int, int, int]]:
    """Every place at which a text stands in lines."""
    out = []
    for number, line in enumerate(lines):
        at = line.find(text)
        while at >= 0 and only in (None, number):
            out.append((number, at, at + len(text)))
            at = line.find(text, at + 1)
    return out


def _wanted(wants: Sequence[Row], claims: Sequence[Row], lines: Sequence[str], key: str) -> Iterator[str]:
    for want in wants:
        text, line = want.get("text_contains"), want.get("line")
        near = [
            c
            for c in claims
            if (text is None and line in (None, c[key]))
            or (text is not None and _lies_on(c, spans(lines, text, line), key))
        ]
        if not any(not list(_unfit(c, want)) for c in near):
            yield f"{text!r} wants {_short(want)}, got {[_named(c) for c in near]}"
        if want.get("flagged") is False:
            yield from (f"flagged: {_named(c)}" for c in near if c["flagged"] and c["kind"] != "wording")


def _unfit(claim: Row, want: Row) -> Iterator[str]:
    for key in ("kind", "verdict", "severity"):
        if want.get(key) and claim.get(key) not in want[key]:
            yield key
    if "flagged" in want and claim["flagged"] != want["flagged"]:
        yield "flagged"
    shown = claim.get("evidence", ())
    for key, name in (("evidence_line", "line"), ("evidence_transcript", "transcript")):
        if key in want and want[key] not in [record[name] for record in shown]:
            yield key


def _common(claim: Row, place: tuple[int, int, int], key: str) -> int:
    return min(claim["end"], place[2]) - max(claim["start"], place[1]) if claim[key] == place[0] else 0


def _lies_on(claim: Row, places: Sequence[tuple[int, int, int]], key: str) -> bool:
    size = claim["end"] - claim["start"]
    return any(
        2 * _common(claim, place, key) >= min(place[2] - place[1], size)
        for place in places
        if _common(claim, place, key) > 0
    )


def _touches(claim: Row, places: Sequence[tuple[int, int, int]], key: str) -> bool:
    return any(_common(claim, place, key) > 0 for place in places)


def _short(want: Row) -> str:
    return " ".join(f"{k}={want[k]}" for k in want if k not in ("text_contains", "line"))


def _named(claim: Row) -> str:
    return f"{claim['text'][:40]!r} {claim['kind']} {claim['verdict']} ({claim['rule']})"
