"""The command group: help, errors in one line, exit statuses, and what is not imported."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from memreview import __version__
from memreview.cli import main
from memreview.errors import LockedError, MemreviewError
from tests.cli.conftest import Run


def loaded_by(*words: str) -> list[str]:
    """Which of the heavy packages a real process has imported when the command ends."""
    code = """
import atexit, json, sys
heavy = sys.argv.pop(1).split(",")
atexit.register(lambda: print(json.dumps([name for name in heavy if name in sys.modules]), file=sys.stderr))
from memreview.__main__ import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", code, ",".join(HEAVY), *words], capture_output=True, text=True, check=False, timeout=60
    )
    found = json.loads(done.stderr.strip().split("\n")[-1])
    assert isinstance(found, list)
    return found


HEAVY = ("textual", "git", "unidiff", "markdown_it", "detect_secrets", "rich")


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["verify"]])
def test_light_commands_load_nothing_heavy(words: list[str]) -> None:
    assert loaded_by(*words) == []


def test_version(run: Run) -> None:
    result = run("--version")
    assert (result.exit_code, result.stdout, result.stderr) == (0, f"memreview {__version__}\n", "")


def test_help_names_every_command(run: Run) -> None:
    result = run("-h")
    assert result.exit_code == 0
    for name in main.COMMANDS:
        assert f"  {name} " in result.stdout
        assert run(name, "--help").exit_code == 0


@pytest.mark.parametrize("words", [["-h"], ["evidence", "-h"], ["cache", "-h"]])
def test_help_cuts_no_sentence(run: Run, words: list[str]) -> None:
    said = run(*words).stdout
    assert "..." not in said.split("Commands:")[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nonsense"], "No such command 'nonsense'"),
        (["--nonsense"], "No such option"),
        (["review", "a", "b"], "unexpected extra argument"),
        (["review"], "no TARGET"),
        (["review", "/nowhere/at/all"], "/nowhere/at/all: no such folder"),
        (["review", "."], "the screen needs a terminal"),
        (["review", ".", "--live", "."], "more than one target"),
        (["review", "--base", "."], "belong together"),
        (["review", ".", "--since", "HEAD"], "--since says what --live"),
        (["review", ".", "--changes", "gone.md"], "gone.md: no such file"),
        (["review", ".", "--transcripts", "gone"], "gone: no such folder"),
        ([], "the screen needs a terminal"),
    ],
)
def test_usage_errors_are_one_line_with_status_2(run: Run, words: list[str], said: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.startswith("memreview: ")
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (MemreviewError("a\nb \x1b[31m"), 3, "memreview: a b ␛[31m\n"),
        (LockedError("held"), 3, "memreview: held\n"),
        (KeyboardInterrupt(), 130, "memreview: interrupted\n"),
        (click.Abort(), 130, "memreview: interrupted\n"),
        (OSError(28, "No space left on device", "/x/y"), 3, "memreview: /x/y: No space left on device; "),
        (ZeroDivisionError("oops"), 3, "memreview: ZeroDivisionError: oops; this is a fault of memreview"),
        (UnicodeEncodeError("ascii", "\udcff", 0, 1, "no"), 3, "memreview: UnicodeEncodeError"),
    ],
)
def test_errors_become_one_line_and_a_status(
    home: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int, said: str
) -> None:
    @click.command("fails")
    def command() -> None:
        raise error

    monkeypatch.setitem(main.COMMANDS, "fails", "fails")
    monkeypatch.setattr(main.LazyGroup, "get_command", lambda *_: command)
    result = CliRunner().invoke(main.group, ["fails"])
    assert result.exit_code == status
    # click itself ends the line of the ^C first.
    assert result.stderr.removeprefix("\n").startswith(said)
    assert result.stderr.removeprefix("\n").count("\n") == 1


def test_a_fault_can_be_seen_whole(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(main.TRACEBACK_VARIABLE, "1")
    monkeypatch.setattr(main.LazyGroup, "get_command", lambda *_: 1 / 0)
    assert isinstance(CliRunner().invoke(main.group, ["verify"]).exception, ZeroDivisionError)


def test_a_wrong_configuration_file_is_a_usage_error(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = home / "own.toml"
    path.write_text("dreams = 1")
    monkeypatch.setenv("MEMREVIEW_CONFIG", str(path))
    result = run("review", ".")
    assert (result.exit_code, result.stderr) == (2, f"memreview: {path}: dreams must be a list of strings\n")


def in_a_shell(command: str, home: Path) -> subprocess.CompletedProcess[str]:
    """A real process, started by a shell that may close or redirect its streams."""
    words = f"{sys.executable} -m memreview {command}"
    return subprocess.run(["bash", "-c", words], cwd=home, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize(
    ("command", "status", "said"),
    [
        ("demo d --no-tui >/dev/full", 3, "standard output cannot be written (No space left on device)"),
        ("--help >/dev/full", 3, "No space left on device"),
        ("verify nothing 2>/dev/full", 2, ""),
        ("verify nothing <&- >&- 2>&-", 2, ""),
    ],
)
def test_streams_that_cannot_be_written(home: Path, command: str, status: int, said: str) -> None:
    done = in_a_shell(command, home)
    assert done.returncode == status
    assert said in done.stderr
    assert "ignored" not in done.stderr
