"""Places to apply to and dreams to read, for more than one file of tests."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from memreview.apply.write import FileEdit
from memreview.read import line_index
from tests.unit.apply_work import BASE, EDITS, Start, Work
from tests.unit.dreamworld import World
from tests.unit.memory_place import Make, make_place
from tests.unit.reviews import lay


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Lays out memory folders under a git that has these settings and no others."""
    config = tmp_path / "gitconfig"
    config.write_text("[user]\n\tname = A Reviewer\n\temail = r@example.invalid\n[init]\n\tdefaultBranch = main\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    return partial(make_place, tmp_path)


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """A memory folder under no git."""
    path = tmp_path / "project" / "memory"
    path.mkdir(parents=True)
    lay(path, BASE)
    (path / "a.md").chmod(0o600)
    (path / "sub").chmod(0o750)
    return path


@pytest.fixture
def start(memory: Path) -> Start:
    """Begins applies to that folder."""

    def begin(edits: list[FileEdit] = EDITS) -> Work:
        return Work(memory, edits)

    return begin


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A project with an empty memory folder."""
    return World(tmp_path)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a few bytes, so that short files have many."""
    for module in ("line_index", "transcripts"):
        monkeypatch.setattr(f"memreview.read.{module}.BLOCK", 16)
    monkeypatch.setattr("memreview.read.transcripts._SCAN_BYTES", 24)
    monkeypatch.setattr(line_index, "CACHE_FROM_BYTES", 0)
