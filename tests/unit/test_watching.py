"""Whether anything has changed, told by names, sizes and times."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memreview.config import Options
from memreview.read.watching import Difference, difference, look

NOON = 1_793_620_800.0


@pytest.fixture
def place(tmp_path: Path) -> Path:
    memory = tmp_path / "claude" / "projects" / "-p" / "memory"
    (memory / "sub").mkdir(parents=True)
    (memory / "a.md").write_text("a")
    (memory / "sub" / "b.md").write_text("b")
    (tmp_path / "claude" / "projects" / "-q").mkdir()
    return tmp_path


def changed(place: Path, change: object, only: str | None = None) -> Difference:
    options = Options(str(place / "claude"), str(place / "state"), str(place / "cache"))
    before = look(options, only, NOON)
    assert not difference(before, look(options, only, NOON)).any
    assert callable(change)
    change()
    return difference(before, look(options, only, NOON))


def test_a_note_that_changes_in_place(place: Path) -> None:
    project = place / "claude" / "projects" / "-p"

    def change() -> None:
        path = project / "memory" / "sub" / "b.md"
        path.write_text("c")
        os.utime(path, (5, 5))

    assert changed(place, change) == Difference(changed=(str(project),))


@pytest.mark.parametrize("path", ["memory/new.md", "memory/sub/new.md", "session.jsonl"])
def test_what_comes(place: Path, path: str) -> None:
    project = place / "claude" / "projects" / "-p"
    assert changed(place, (project / path).touch) == Difference(changed=(str(project),))


def test_projects_come_and_go(place: Path) -> None:
    projects = place / "claude" / "projects"

    def change() -> None:
        (projects / "-q").rmdir()
        (projects / "-r").mkdir()

    assert changed(place, change) == Difference(changed=(str(projects / "-r"),), gone=(str(projects / "-q"),))


def test_settings_sessions_and_dreams(place: Path) -> None:
    claude = place / "claude"
    assert changed(place, lambda: (claude / "settings.json").write_text("{}")) == Difference(settings=True)
    assert changed(place, lambda: (claude / "sessions").mkdir()).sessions
    assert changed(place, (claude / "sessions" / "1.json").touch) == Difference(sessions=True)
    assert changed(place, lambda: (place / "state" / "dreams").mkdir(parents=True)) == Difference(dreams=True)


def test_commits_of_a_memory_change_no_mark(place: Path) -> None:
    git = place / "claude" / "projects" / "-p" / "memory" / ".git"
    (git / "objects").mkdir(parents=True)
    assert not changed(place, lambda: (git / "objects" / "x").write_text("x")).any


def test_one_project_alone(place: Path) -> None:
    projects = place / "claude" / "projects"
    assert not changed(place, (projects / "-q" / "s.jsonl").touch, str(projects / "-p")).any
    assert changed(place, (projects / "-p" / "s.jsonl").touch, str(projects / "-p")).changed == (str(projects / "-p"),)


def test_another_day_and_a_missing_place(tmp_path: Path) -> None:
    options = Options(str(tmp_path / "no"), str(tmp_path / "state"), str(tmp_path / "cache"))
    assert look(options, None, NOON).projects == {}
    assert difference(look(options, None, NOON), look(options, None, NOON + 86_400)) == Difference(settings=True)


def test_links_that_lead_in_circles(place: Path) -> None:
    memory = place / "claude" / "projects" / "-p" / "memory"
    (memory / "round").symlink_to(memory)
    assert changed(place, (memory / "x.md").touch).changed
