"""``memreview dream --if-due`` and ``--schedule``."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memreview.dreaming.passes import note_drift
from tests.cli.conftest import Run
from tests.unit.dreaming_world import NAME, DreamPlace, stamp
from tests.unit.talk import typed

NOON = 1_793_620_800.0


@pytest.fixture
def place(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> DreamPlace:
    made = DreamPlace(tmp_path / "world")
    for name, value in made.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(made.claude))
    monkeypatch.setenv("MEMREVIEW_STATE_DIR", made.options.state_dir)
    monkeypatch.setenv("MEMREVIEW_CACHE_DIR", made.options.cache_dir)
    return made


def sessions(place: DreamPlace, count: int) -> None:
    for number in range(count):
        place.session(f"more{number}", [typed("hello", stamp(1))])


def test_not_due_is_explained(run: Run, place: DreamPlace) -> None:
    done = run("dream", NAME, "--if-due")
    assert done.exit_code == 0
    assert done.stdout == (
        f"{NAME}: a pass is not due: no pass of memreview has finished here yet; 1 session was at work in the last "
        "14 days; that is not more than 5\n"
    )
    data = json.loads(run("dream", NAME, "--if-due", "--format", "json").stdout)
    assert (data["due"], data["sessions"], data["last"], data["drift"]) == (False, 1, None, None)


def test_a_jump_of_the_drift_suggests_a_pass(run: Run, place: DreamPlace) -> None:
    for day, lines in enumerate((0, 1, 0, 8)):
        note_drift(str(place.memory), place.options.state_dir, lines, NOON + day * 86_400)
    done = run("dream", NAME, "--if-due")
    assert "8 drifted lines on" in done.stdout
    assert done.stdout.split("\n")[1].endswith("a pass with --only review is worth while")


def test_due_is_explained_and_run(run: Run, place: DreamPlace) -> None:
    sessions(place, 6)
    words = ("--client", place.client, "--out", place.out)
    done = run("dream", NAME, "--if-due", *words)
    assert done.exit_code == 0, done.stderr
    assert "a pass is due: no pass of memreview has finished" in done.stderr
    assert (place.out / "memory.diff").exists()
    again = run("dream", NAME, "--if-due", *words)
    assert "a pass is not due: the last pass began 0 minutes ago; that is less than 24 hours" in again.stdout


def test_all_projects_and_other_gates(run: Run, place: DreamPlace) -> None:
    other = place.projects / "-home-dev-other" / "memory"
    other.mkdir(parents=True)
    done = run("dream", "--if-due", "--sessions", "0", "--hours", "0", "--client", place.client)
    assert done.exit_code == 0, done.stderr
    assert f"{NAME}: a pass is due" in done.stderr
    assert "-home-dev-other: a pass is not due" in done.stdout


def test_units_are_printed(run: Run, place: DreamPlace) -> None:
    done = run("dream", "--schedule", NAME)
    assert done.exit_code == 0
    assert "dream --if-due --claude-dir" in done.stdout
    assert f" -- {NAME}" in done.stdout
    assert "[Timer]" in done.stdout


def test_units_repeat_what_was_asked_for(run: Run, place: DreamPlace) -> None:
    words = ("--model", "opus", "--days", "3", "--with-repo", "--hours", "6", "--instructions", "mine.md", "--out", "x")
    done = run("dream", "--schedule", *words, NAME)
    (line,) = [line for line in done.stdout.split("\n") if line.startswith("ExecStart=")]
    for word in (
        "--model opus",
        "--days 3",
        "--with-repo",
        "--hours 6",
        f"--instructions {os.path.abspath('mine.md')}",
    ):
        assert f" {word} " in line
    assert "--schedule" not in line
    assert "--out" not in line
    assert "--timeout" not in line


@pytest.mark.parametrize(
    "words",
    [
        (NAME, "--hours", "3"),
        (),
        ("--if-due", "--out", "x"),
        ("nobody", "--if-due"),
        (NAME, "--if-due", "--hours", "-1"),
    ],
)
def test_what_makes_no_sense(run: Run, place: DreamPlace, words: tuple[str, ...]) -> None:
    assert run("dream", *words).exit_code == 2
