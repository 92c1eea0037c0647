"""Sound lines of notes that the nightly check leaves alone, beside faulty ones of the same shape."""

from __future__ import annotations

from pathlib import Path

import pytest

from memreview.checks.claims.folding import fold
from memreview.checks.nightly import NoteText, lines_to_check, without_places
from tests.unit.checked_store import quoting, stored
from tests.unit.talk import Json, prose, typed

S1 = "11111111-1111-4111-8111-111111111111"
S2 = "22222222-2222-4222-8222-222222222222"
LATER = "2026-11-03T10:00:00.000Z"
DEPLOYS = "Deploys go out on Tuesdays. Run `make build` first, and make sure that Priya knows."
MOCKS = "Integration tests must hit a real database: last quarter a mocked test passed while the prod migration failed."
RUFF = "Shall I use ruff instead of flake8 for linting?"
LOADER = "The config loader is src/server/app.py, and the queue lives in Redis."
MOVED = typed("No, the staging server listens on port 9555 now.", LATER)


@pytest.mark.parametrize(
    ("body", "records"),
    [
        ("Deploys go out on Tuesdays, after `make build`.", [typed(DEPLOYS)]),
        ("Use ruff instead of flake8 for linting.", [prose(RUFF), typed("yes")]),
        ("The queue listens on port 8443.", [prose("Shall I move the queue to port 8443?"), typed("yes please")]),
        ("**Why:** last quarter a mocked test passed while the prod migration failed.", [typed(MOCKS)]),
        ("The config loader is `src/server/app.py:45`.", [typed(LOADER)]),
        ("The config loader is `src/**/app.py`.", [typed(LOADER)]),
        (
            "The staging server listens on port 9555 (formerly 9443).",
            [typed("The staging server listens on port 9443."), MOVED],
        ),
        ("| what | port |\n|---|---:|\n| queue | 8443 |", [typed("The queue is on port 8443.")]),
        ("Start the queue with:\n\n```sh\npnpm queue\n```", [typed("Start the queue with pnpm queue.")]),
    ],
)  # fmt: skip
def test_no_false_alarm(tmp_path: Path, body: str, records: list[Json]) -> None:
    assert stored(tmp_path, {"a.md": body + "\n"}, {S1: records}).queue() == {}


@pytest.mark.parametrize(
    ("body", "records"),
    [
        ("Deploys go out on Tuesdays, after `make release`.", [typed(DEPLOYS)]),
        ("Use ruff instead of flake8 for linting.", [prose(RUFF), typed("no")]),
        ("The queue listens on port 8443.", [prose("The queue listens on port 8443."), typed("Look at the logs.")]),
        ("**Why:** last quarter the license of the compiler ran out on a weekend.", [typed(MOCKS)]),
        ("The config loader is `src/server/main.py:45`.", [typed(LOADER)]),
        ("The config loader is `src/**/main.py`.", [typed(LOADER)]),
        ("The config loader is `src/server/app.py:45`.", [prose(LOADER), typed("Now look at the logs.")]),
        (
            "The staging server listens on port 9443.",
            [typed("The staging server listens on port 9443."), MOVED],
        ),
        ("| what | port |\n|---|---:|\n| queue | 8444 |", [typed("The queue is on port 8443.")]),
        ("Start the queue on port 9000 with:\n\n```sh\npnpm queue\n```", [typed("Start the queue with pnpm queue.")]),
    ],
)  # fmt: skip
def test_a_fault_of_that_shape_is_found(tmp_path: Path, body: str, records: list[Json]) -> None:
    assert len(stored(tmp_path, {"a.md": body + "\n"}, {S1: records}).queue()) == 1


@pytest.mark.parametrize(
    "said", ["La base s’appelle « orchidée » ici.", "La base s'appelle «\u202forchidée\u00a0» ici."]
)
def test_a_quote_in_french(tmp_path: Path, said: str) -> None:
    note = quoting(S1, 'La base s\'appelle \\"orchidée\\" ici', "La base s'appelle orchidée.")
    assert stored(tmp_path, {"a.md": note}, {S1: [typed(said)]}).queue() == {}


def test_blanks_beside_quotes_that_point_inwards_stay() -> None:
    assert fold("»A« und »B« ist") == '"a" und "b" ist'
    assert fold("« A » et «B» et ‹ C › »") == '"a" et "b" et "c" "'


def test_lines_that_only_announce() -> None:
    lines = [
        "Rules:",
        "- one",
        "",
        "Never:",
        "",
        "text",
        "Ports, 8080 first:",
        "| a | b |",
        "|--|--|",
        "| 1 | 2 |",
        "**So:**",
        "```",
    ]
    assert [number for number, _ in lines_to_check(NoteText("a.md", lines))] == [2, 4, 6, 7, 10]


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("`src/a.py:45` and b.ts:1-9.", "`src/a.py   ` and b.ts    ."),
        ("(see docs/x.md#L12-L20)", "(see docs/x.md        )"),
        ("db.internal:5432, https://x.org/a.py:8443, at 10:30, a.py:x", None),
    ],
)
def test_lines_of_files_are_no_values(line: str, left: str | None) -> None:
    assert without_places(line) == (left or line)
