"""The command line in this process, with a home of its own."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from memreview.cli.main import group

Run = Callable[..., Result]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith(("MEMREVIEW_", "CLAUDE_", "XDG_", "GIT_")) or name in {"NO_COLOR", "FORCE_COLOR"}:
            monkeypatch.delenv(name)
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return folder


@pytest.fixture
def run(home: Path) -> Run:
    """``run("verify", path, ...)``: a result with ``exit_code``, ``stdout`` and ``stderr``."""

    def call(*words: str | os.PathLike[str], stdin: str | None = None) -> Result:
        result = CliRunner().invoke(group, [os.fspath(word) for word in words], input=stdin, catch_exceptions=False)
        assert "Traceback" not in result.stderr
        return result

    return call
