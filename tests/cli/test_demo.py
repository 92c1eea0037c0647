"""``memreview demo``."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Run


def test_it_writes_the_sample_and_says_what_comes_next(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "a demo"
    result = run("demo", folder, "--no-tui")
    assert result.exit_code == 0
    assert str(folder) in result.stderr
    words = shlex.split(result.stdout)
    assert words[-4:] == ["review", str(folder / "dream-2026-11-01"), "--claude-dir", str(folder / "claude")]
    assert sorted(os.listdir(folder)) == ["claude", "dream-2026-11-01"]
    again = run("demo", folder, "--no-tui")
    assert again.exit_code == 2
    assert again.stderr == f"memreview: {folder}: is not empty; name a new folder for the demo\n"


def test_a_name_with_control_characters_is_quoted_for_the_shell(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "it's\x1b[2J\nhere"
    result = run("demo", folder, "--no-tui")
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout + result.stderr
    assert result.stdout.count("\n") == 1
    told = subprocess.run(["bash", "-c", f"printf '%s\\0' {result.stdout}"], capture_output=True, check=True)
    assert told.stdout.split(b"\0")[-2] == os.fsencode(folder / "claude")


def test_without_a_folder_it_makes_one(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    result = run("demo", "--no-tui")
    target = shlex.split(result.stdout)[-3]
    assert os.path.isfile(os.path.join(target, "memory.diff"))
    assert Path(target).is_relative_to(tmp_path)
