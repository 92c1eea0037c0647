"""What a shell is offered when it completes a command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from memreview.cli.main import group
from tests.cli.conftest import Run


def offered(*words: str) -> list[tuple[str, str]]:
    *before, incomplete = words
    found = ShellComplete(group, {}, "memreview", "_MEMREVIEW_COMPLETE").get_completions(before, incomplete)
    return [(item.type, item.value) for item in found]


@pytest.mark.parametrize(
    "words",
    [
        ("review", "dre"),
        ("apply", "dre"),
        ("verify", "--base", "dre"),
        ("verify", "--live", "dre"),
        ("demo", "dre"),
        ("--claude-dir", "dre"),
        ("--dreams", "dre"),
        ("verify", "--transcripts", "dre"),
    ],
)
def test_folders(home: Path, words: tuple[str, ...]) -> None:
    assert offered(*words) == [("dir", "dre")]


def test_files(home: Path) -> None:
    assert offered("apply", "--decisions", "d") == [("file", "d")]
    assert offered("verify", "--changes", "C") == [("file", "C")]


def test_projects_by_name(home: Path, tmp_path: Path) -> None:
    for name in ("-home-dev-app", "-home-dev-web", "other"):
        (tmp_path / "claude" / "projects" / name).mkdir(parents=True)
    words = ("verify", "--claude-dir", str(tmp_path / "claude"), "--project")
    assert offered(*words, "o") == [("plain", "other")]
    assert offered(*words, "") == [("plain", "-home-dev-app"), ("plain", "-home-dev-web"), ("plain", "other")]
    assert offered(*words, "/srv") == [("dir", "/srv")]
    assert offered("--claude-dir", str(tmp_path / "claude"), "verify", "--project", "o") == [("plain", "other")]
    assert offered("verify", "--project", "x") == [("dir", "x")]


def test_a_folder_of_claude_code_that_is_not_there_is_said(run: Run, tmp_path: Path) -> None:
    result = run("--claude-dir", tmp_path / "nowhere")
    assert result.exit_code == 2
    assert result.stderr == (
        f"memreview: {tmp_path / 'nowhere'}: no such folder; --claude-dir is where Claude Code keeps its files\n"
    )
