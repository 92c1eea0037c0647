"""``memreview find``: notes and transcripts side by side."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.test_main import loaded_by
from tests.unit.talk import prose, typed


@pytest.fixture
def claude(home: Path) -> Path:
    folder = home / ".claude"
    for name, said in (("-srv-app", "We use PostgreSQL\non port 5432."), ("-srv-other", "Nothing of that.")):
        project = folder / "projects" / name
        (project / "memory").mkdir(parents=True)
        (project / "memory" / "db.md").write_text(
            '# DB\n\nPostgreSQL  on Port 5432 — "Größe"\n' if name == "-srv-app" else "x"
        )
        records = [typed(said), prose("über Größe")]
        (project / "s.jsonl").write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records))
    agents = folder / "projects" / "-srv-app" / "s" / "subagents"
    agents.mkdir(parents=True)
    (agents / "agent-1.jsonl").write_text(json.dumps(typed("a subagent on port 5432.")) + "\n")
    return folder


def found(run: Run, *words: str) -> list[dict[str, object]]:
    result = run("find", *words, "--format", "json")
    assert result.exit_code == 0
    projects = json.loads(result.stdout)["projects"]
    assert isinstance(projects, list)
    return projects


def test_both_sides(run: Run, claude: Path) -> None:
    (app,) = found(run, "postgresql", "ON", "port")
    assert app["project"] == "-srv-app"
    assert [(hit["file"], hit["line"]) for hit in app["notes"]] == [("db.md", 3)]  # type: ignore[attr-defined]
    assert [(hit["transcript"], hit["line"], hit["speaker"]) for hit in app["transcripts"]] == [  # type: ignore[attr-defined]
        ("s.jsonl", 1, "user")
    ]
    (port,) = found(run, "port 5432")
    assert len(port["transcripts"]) == 2  # type: ignore[arg-type]
    (size,) = found(run, "GRÖSSE") or found(run, "größe")
    assert size["notes"]


def test_what_is_left_out_is_counted(run: Run, claude: Path) -> None:
    (port,) = found(run, "5432", "--limit", "1")
    assert (len(port["transcripts"]), port["more_transcripts"]) == (1, 1)  # type: ignore[arg-type]


def test_text_and_projects(run: Run, claude: Path) -> None:
    result = run("find", "5432")
    assert "note       db.md:3 │" in result.stdout
    assert "user       s.jsonl:1 2026-11-01 │ We use PostgreSQL on port 5432." in result.stdout
    assert "no note" in run("find", "5432", "--project", "-srv-other").stdout
    assert run("find", " ").exit_code == 2
    assert run("find").exit_code == 2


def test_neither_screens_nor_git_are_loaded(run: Run, claude: Path) -> None:
    assert set(loaded_by("find", "5432", "--claude-dir", str(claude))) <= {"rich"}
