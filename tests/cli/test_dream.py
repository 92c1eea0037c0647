"""``memreview dream``: what it prints, what it exits with, and what it leaves behind, however it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.unit.dreaming_world import EDIT, GOOD, NAME, SAID, DreamPlace, place, stamp
from tests.unit.talk import typed

__all__ = ["place"]

WAIT = 60.0


def words(place: DreamPlace, *more: str) -> list[str]:
    return [
        "dream",
        NAME,
        "--client",
        str(place.client),
        "--claude-dir",
        str(place.claude),
        "--out",
        str(place.out),
        *more,
    ]


@pytest.fixture
def home_of(home: Path, place: DreamPlace, monkeypatch: pytest.MonkeyPatch) -> DreamPlace:
    """The place, with state, cache and configuration of its own."""
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(place.root / name))
    for name, value in place.environment().items():
        monkeypatch.setenv(name, value)
    return place


def test_a_pass_says_what_it_does_and_where_it_lies(home_of: DreamPlace, run: Run) -> None:
    result = run(*words(home_of))
    assert result.exit_code == 0, result.stderr
    assert result.stdout.split("\n")[0] == "1 note changed: testing.md"
    assert str(home_of.out) in result.stdout
    assert "read    Read memory/testing.md" in result.stderr
    assert f"memreview review {home_of.out}" in result.stderr
    assert run("verify", home_of.out, "--claude-dir", home_of.claude).exit_code in (0, 1)
    assert home_of.left_over() == []


def test_json(home_of: DreamPlace, run: Run) -> None:
    result = run(*words(home_of, "--format", "json"))
    data = json.loads(result.stdout)
    assert (data["schema"], data["complete"], data["files"], data["cost_usd"]) == (1, True, ["testing.md"], 0.25)
    assert data["out"] == str(home_of.out)


def test_without_out_it_is_found_again(home_of: DreamPlace, run: Run) -> None:
    for expected in (True, False):
        arguments = words(home_of, "--format", "json")
        del arguments[arguments.index("--out") : arguments.index("--out") + 2]
        folder = json.loads(run(*arguments).stdout)["out"]
        assert folder.endswith("-2") is not expected
    assert os.path.basename(os.path.dirname(folder)) == "dreams"


def test_a_dry_run_shows_everything_and_does_nothing(home_of: DreamPlace, run: Run) -> None:
    before = home_of.fingerprint()
    result = run(*words(home_of, "--dry-run", "--model", "m-1", "--max-turns", "9"))
    assert result.exit_code == 0
    assert f"{NAME}/s1.jsonl  2 records" in result.stdout
    assert "the configuration has no price of m-1" in result.stdout
    assert "-p PROMPT --restricted" in result.stdout
    assert "What memory is for" in result.stdout
    data = json.loads(run(*words(home_of, "--dry-run", "--format", "json")).stdout)
    assert [row["records"] for row in data["transcripts"]] == [2]
    assert data["estimate"]["tokens"] > 500
    assert data["estimate"]["cost_usd"] is None
    assert data["prompt"] in data["command"]
    assert (home_of.left_over(), home_of.out.exists(), home_of.fingerprint()) == ([], False, before)
    assert not (home_of.root / "saw.json").exists()


def test_a_cost_is_told_from_the_configuration(home_of: DreamPlace, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    config = home_of.root / "config.toml"
    config.write_text('[dream]\nmodel = "m-1"\n[dream.prices.m-1]\ninput = 1000000\n')
    monkeypatch.setenv("MEMREVIEW_CONFIG", str(config))
    estimate = json.loads(run(*words(home_of, "--dry-run", "--format", "json")).stdout)["estimate"]
    assert estimate["cost_usd"] == estimate["tokens"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--days", "0"], "--days"),
        (["--instructions", "/nowhere.md"], "--instructions"),
        (["--client", "no-such-client"], "no-such-client"),
        (["--with-repo"], "--with-repo"),
    ],
)
def test_wrong_usage(home_of: DreamPlace, run: Run, more: list[str], said: str) -> None:
    result = run(*words(home_of, *more))
    assert (result.exit_code, said in result.stderr) == (2, True)
    assert (home_of.left_over(), home_of.out.exists()) == ([], False)


def test_no_project(home_of: DreamPlace, run: Run) -> None:
    assert run("dream", "--claude-dir", home_of.claude).exit_code == 2


API = "API Error: {} went wrong"
FAILURES: dict[str, tuple[Sequence[Sequence[Any]], str]] = {
    "401": ([["init"], ["result", True, API.format(401), "success", {"api_error_status": 401}]], "not logged in"),
    "429": ([["init"], ["result", True, API.format(429), "success", {"api_error_status": 429}]], "limit of requests"),
    "500": ([["init"], ["result", True, API.format(500), "success", {"api_error_status": 500}]], "answered 500"),
    "refused": ([["init"], ["result", True, "Connection refused", "success"]], "Connection refused"),
    "no key": ([["raw", "Not logged in · Please run /login"], ["exit", 1]], "Please run /login"),
    "budget": ([["init"], EDIT, ["result", True, "", "error_max_budget_usd"]], "--max-budget-usd"),
    "turns": ([["init"], EDIT, ["result", True, "", "error_max_turns"]], "--max-turns"),
    "killed": ([["init"], EDIT, ["kill"]], "SIGKILL"),
    "bad flag": ([["err", "error: unknown option '--restricted'"], ["exit", 1]], "unknown option"),
    "no result": ([["init"], EDIT, ["exit", 0]], "no result"),
    "late": ([["init"], EDIT, ["result"], ["exit", 7]], "status 7"),
    "empty": ([["exit", 1]], "without a word"),
}


@pytest.mark.parametrize("name", list(FAILURES))
def test_a_failure_is_told_and_leaves_nothing(home_of: DreamPlace, run: Run, name: str) -> None:
    steps, said = FAILURES[name]
    before = home_of.fingerprint()
    home_of.scenario(steps)
    result = run(*words(home_of))
    assert result.exit_code == 3
    assert said in result.stdout
    assert (home_of.left_over(), home_of.fingerprint()) == ([], before)
    manifest = json.loads((home_of.out / "manifest.json").read_text())
    assert manifest["ending"]["complete"] is False
    assert set(manifest["base"]) == {"MEMORY.md", "testing.md"}
    assert (home_of.out / "memory.diff").exists() is (EDIT in steps)
    applied = run("apply", home_of.out, "--accept", "all", "--no-commit", "--claude-dir", home_of.claude)
    assert applied.exit_code in (2, 3)
    assert home_of.fingerprint() == before
    assert run("verify", home_of.out, "--claude-dir", home_of.claude).exit_code in ((0, 1) if EDIT in steps else (2, 3))


def test_no_transcripts(home_of: DreamPlace, run: Run) -> None:
    (home_of.projects / NAME / "s1.jsonl").unlink()
    home_of.session("old", [typed(SAID, stamp(40))])
    result = run(*words(home_of))
    assert (result.exit_code, "no transcripts" in result.stderr) == (3, True)
    assert (home_of.left_over(), home_of.out.exists()) == ([], False)


@pytest.mark.parametrize("deaf", [False, True])
def test_a_client_that_hangs_is_ended(
    home_of: DreamPlace, run: Run, deaf: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memreview.dreaming.client.GRACE", 0.2)
    home_of.scenario([["init"], EDIT, ["hang", deaf]])
    result = run(*words(home_of, "--timeout", "0.02"))
    assert (result.exit_code, "took longer" in result.stdout) == (3, True)
    assert home_of.left_over() == []


def test_a_full_disk_while_copying(home_of: DreamPlace) -> None:
    home_of.session("big", [typed("x" * 3_000_000, stamp(1))])
    before = home_of.fingerprint()
    done = started(home_of, limit=1_000_000).communicate(timeout=WAIT)
    assert b"cannot be copied (File too large)" in done[1]
    assert (home_of.left_over(), home_of.out.exists(), home_of.fingerprint()) == ([], False, before)


def test_a_full_disk_for_the_client(home_of: DreamPlace) -> None:
    home_of.scenario([["init"], EDIT, ["write", "memory/big.md", "x" * 3_000_000], ["result"]])
    before = home_of.fingerprint()
    process = started(home_of, limit=1_000_000)
    out, _ = process.communicate(timeout=WAIT)
    assert (process.returncode, b"no space left" in out) == (3, True), out
    assert (home_of.left_over(), home_of.fingerprint()) == ([], before)


def test_a_full_disk_while_writing_the_output(home_of: DreamPlace) -> None:
    home_of.scenario([["init"], *[["write", f"memory/{name}.md", "x\n" * 400_000] for name in "ab"], ["result"]])
    before = home_of.fingerprint()
    process = started(home_of, limit=1_000_000)
    _, err = process.communicate(timeout=WAIT)
    assert (process.returncode, b"the output cannot be written" in err) == (3, True)
    assert (home_of.left_over(), home_of.out.exists(), home_of.fingerprint()) == ([], False, before)


def started(place: DreamPlace, *more: str, limit: int | None = None) -> subprocess.Popen[bytes]:
    """A pass in a process of its own; no file may grow beyond ``limit`` bytes."""
    command = [sys.executable, "-m", "memreview", *words(place, *more)]
    if limit is not None:
        # The limit is set by a process in between: code between fork and exec is not safe in a process with threads.
        code = "import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)"
        command = [sys.executable, "-c", f"{code}; os.execv(sys.argv[2], sys.argv[2:])", str(limit), *command]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)


def until_it_hangs(place: DreamPlace, process: subprocess.Popen[bytes]) -> None:
    """Wait until the client has said its last word."""
    assert process.stderr is not None
    for line in iter(process.stderr.readline, b""):
        if b"waiting" in line:
            return
    raise AssertionError(f"ended early with {process.wait(WAIT)}")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_in_good_order(home_of: DreamPlace, number: signal.Signals) -> None:
    home_of.scenario([["init"], EDIT, ["hang"]])
    before = home_of.fingerprint()
    process = started(home_of)
    until_it_hangs(home_of, process)
    process.send_signal(number)
    out, _ = process.communicate(timeout=WAIT)
    assert (process.returncode, b"it was stopped" in out) == (130, True)
    assert (home_of.left_over(), home_of.fingerprint()) == ([], before)
    assert json.loads((home_of.out / "manifest.json").read_text())["ending"]["complete"] is False


def test_what_a_killed_pass_left_is_removed_at_the_next_start(home_of: DreamPlace, run: Run) -> None:
    home_of.scenario([["init"], EDIT, ["hang"]])
    process = started(home_of)
    until_it_hangs(home_of, process)
    process.kill()
    process.communicate(timeout=WAIT)
    (left,) = home_of.left_over()
    client = int((home_of.temporary / left / "client.pid").read_text())
    os.kill(client, 0)
    home_of.scenario(GOOD)
    result = run(*words(home_of))
    assert (result.exit_code, home_of.left_over()) == (0, [])
    assert f"removed {home_of.temporary / left}" in result.stderr
    deadline = time.monotonic() + WAIT
    while is_running(client) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_running(client)


def is_running(pid: int) -> bool:
    """True for a living process; one that is dead and not waited for by anybody is none."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
