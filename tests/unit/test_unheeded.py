"""What the user asked to be remembered or corrected, and a proposal lacks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memreview.checks.unheeded import CORRECTION, LONGEST, SAVE, Held, may_state, statements
from memreview.evidence.unheeded import find_unheeded
from memreview.model.dream import Review, Target, TargetKind
from memreview.report.json import ReviewReport
from memreview.report.text import TextReport
from memreview.workflow import check_claims, open_review
from tests.unit.dreaming_world import EDIT, GOOD, NAME, DreamPlace, place, stamp
from tests.unit.talk import Json, called, line_of, prose, returned, typed

__all__ = ["place"]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Remember this: the staging host is lantern-2.", SAVE),
        ("Can you remember that we deploy on Fridays only?", SAVE),
        ("Please save to memory that CI uses Node 22", SAVE),
        ("Always run pnpm test before pushing.", SAVE),
        ("From now on we format with ruff.", SAVE),
        ("Merk dir bitte: die Datenbank heißt lantern_dev.", SAVE),
        ("N'oublie pas que le port est 6380.", SAVE),
        ("Recuerda que el puerto es 6380.", SAVE),
        ("记住:测试数据库端口是6380", SAVE),
        ("No, use port 6380 for the test database.", CORRECTION),
        ("That's wrong, the limit is 500 requests", CORRECTION),
        ("Use tabs instead of spaces in the Makefile", CORRECTION),
        ("Nein, der Port ist 6380.", CORRECTION),
        ("No.\nWe use Fastify, not Express.", CORRECTION),
    ],
)
def test_what_asks_or_corrects(said: str, kind: str) -> None:
    assert may_state(line_of(typed(said)))
    assert may_state(line_of(typed(said), ascii_only=True, spaced=True))
    assert [one.kind for one in statements(said)] == [kind]


@pytest.mark.parametrize(
    "said",
    [
        "ok",
        "Do you remember the port?",
        "I always forget that thing",
        "It never works when I do this",
        "There is a memory leak in the parser",
        "Should we always run the tests first?",
        "no",
        "Thanks, that looks right to me.",
        "```\nalways run npm\n```",
        "Remember this: " + "x " * LONGEST,
    ],
)
def test_what_does_not(said: str) -> None:
    assert list(statements(said)) == []


def test_the_statement_alone_is_quoted() -> None:
    (one,) = statements("I looked at it. Remember that the staging host is lantern-2. Now run the tests.")
    assert one.text == "Remember that the staging host is lantern-2."
    (one,) = statements("Remember this:\nthe staging host is lantern-2")
    assert one.text == "Remember this: the staging host is lantern-2"


def test_what_notes_hold() -> None:
    held = Held(["# Hosts", "", "- Staging runs on host lantern-2.", "- The port is 6380 for the test database."])
    assert held.holds("Remember this: the staging host is lantern-2.")
    assert held.holds("No, use port 6380 for the test database.")
    assert not held.holds("Remember this: the staging host is lantern-3, behind the vpn.")
    assert not held.holds("No, use port 6390 for the test database.")
    assert held.holds("Use port 6380, not 5432, for the test database.")
    assert not Held([]).holds("Remember that the host is lantern-2.")
    assert held.holds("always")


def test_the_reason_of_a_request_need_not_be_in_the_note() -> None:
    held = Held(["# Commits", "", "- Subjects are imperative and at most 60 characters."])
    said = "And commit subjects: at most {} characters from now on, the release notes cut off the rest."
    assert held.holds(said.format(60))
    assert not held.holds(said.format(50))
    assert not held.holds("From now on the release notes name the author, commit subjects have at most 60 characters.")


@given(st.text(max_size=200))
def test_no_text_makes_it_fail(text: str) -> None:
    for one in statements(text):
        assert may_state(line_of(typed(text)))
        assert one.kind in (SAVE, CORRECTION)
        Held([text]).holds(one.text)


PIECES = [
    "Remember that",
    "no,",
    "Always",
    "run",
    "the tests",
    "instead of",
    "don't",
    "again",
    "falsch",
    "merk dir",
    ". ",
]


@given(st.lists(st.sampled_from([*PIECES, "lantern host", "port 6380"]), max_size=8))
def test_no_statement_is_passed_over(pieces: list[str]) -> None:
    text = " ".join(pieces)
    assert may_state(line_of(typed(text))) or not list(statements(text))


def proposed(place: DreamPlace, records: Sequence[Json], steps: Sequence[Sequence[object]] = GOOD) -> Review:
    place.session("s2", records)
    place.run(steps)
    return open_review(place.target(), place.options)


def texts(review: Review, place: DreamPlace) -> list[str]:
    return [one.text for one in find_unheeded(review, place.options)]


def test_what_the_proposal_lacks(place: DreamPlace) -> None:
    records = [
        typed("Remember that the staging host is lantern-2.", stamp(3)),
        prose("Remember that the moon is cheese.", stamp(3)),
        called("Bash", {"command": "echo remember that bash said this"}, stamp(3)),
        returned("Remember that tools say much.", stamp(3)),
        typed("No, use port 6380 for the test database.", stamp(2)),
        typed("Remember that long ago we used Gulp builds.", stamp(40)),
        typed("Remember that the future holds rockets today.", stamp(-2)),
        typed("Remember that the staging host is lantern-2.", stamp(1)),
    ]
    made = proposed(place, records)
    found = find_unheeded(made, place.options)
    assert [one.text for one in found] == ["Remember that the staging host is lantern-2."]
    (one,) = found
    # The correction stands in the proposal; the other words are of nobody, or outside of the window.
    assert (one.kind, one.transcript, one.line) == ("save", "s2.jsonl", 1)
    assert one.path == str(place.projects / NAME / "s2.jsonl")


def test_what_is_cited_was_taken_up(place: DreamPlace) -> None:
    said = "Remember that frobnication of quuxes needs zebra clearance."
    changes = f'- memory/testing.md: the port (transcripts/{NAME}/s2.jsonl:1 "Remember that frobnication")\n'
    steps = [["init"], EDIT, ["write", "CHANGES.md", changes], ["result"]]
    assert texts(proposed(place, [typed(said, stamp(2))], steps), place) == []


def test_a_subagent_and_another_repository_are_not_asked(place: DreamPlace) -> None:
    agent = place.projects / NAME / "s1" / "subagents" / "agent-0.jsonl"
    agent.parent.mkdir(parents=True)
    agent.write_text(json.dumps(typed("Remember that agents speak of purple unicorns.", stamp(1))) + "\n")
    place.session("x", [{**typed("Remember that others use green turtles.", stamp(1)), "cwd": "/else"}], "-else")
    assert texts(proposed(place, []), place) == []


def test_it_stands_beside_the_review(place: DreamPlace) -> None:
    token = "ghp_" + "a1B2c3D4e5" * 4
    made = proposed(place, [typed(f"Remember that the deploy key is {token} today.", stamp(1))])
    assert made.unheeded == ()
    checked = check_claims(made, place.options)
    said = "\n".join(TextReport(checked).lines())
    assert "Asked to be remembered, or corrected, and in no note as proposed" in said
    assert "? s2.jsonl:1 · save" in said
    assert token not in said
    (row,) = ReviewReport(checked).data()["unheeded"]
    assert (row["kind"], row["transcript"], row["line"]) == ("save", "s2.jsonl", 1)
    assert token not in row["text"]
    only = check_claims(made, place.options, only=frozenset())
    assert only.unheeded == ()


def test_proposals_of_memreview_itself_are_not_asked(place: DreamPlace, tmp_path: Path) -> None:
    place.session("s2", [typed("Remember that the staging host is lantern-2.", stamp(1))])
    for parent, count in ((Path(place.options.state_dir) / "proposals", 0), (tmp_path / "elsewhere", 1)):
        folder = parent / "one"
        folder.mkdir(parents=True)
        (folder / "testing.md").write_text("# Testing\n")
        target = Target(TargetKind.FOLDERS, base=str(place.memory), proposed=str(folder), project=NAME)
        assert len(texts(open_review(target, place.options), place)) == count


@pytest.mark.parametrize(
    "said",
    [
        "\n\n No, the port is 6380 here.",
        "```\nx\n```\nNo, the port is 6380 here.",
        "Das stimmt nicht, der Port ist 6380.",
        "That's incorrect, the port is 6380.",
        "Use pnpm, not\nyarn, for tests",
        "Nah, the port is 6380.",
    ],
)
def test_hints_know_of_these_too(said: str) -> None:
    assert list(statements(said))
    assert may_state(line_of(typed(said)))
