"""``memreview retention``: what every note rests on, and the line that keeps it."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.test_main import loaded_by
from tests.unit.test_traces import call

OTHER = "11111111-2222-3333-4444-555555555555"
STAMP = "---\nname: {0}\nmetadata:\n  originSessionId: {1}\n  modified: 2025-01-01T00:00:00Z\n---\n\nText. {2}\n"


@pytest.fixture
def claude(home: Path) -> Path:
    folder = home / ".claude"
    project = folder / "projects" / "-srv-app"
    (project / "memory").mkdir(parents=True)
    (project / "memory" / "MEMORY.md").write_text("a.md b.md c.md\n")
    (project / "memory" / "a.md").write_text(STAMP.format("a", "here", ""))
    (project / "memory" / "b.md").write_text(STAMP.format("b", "nowhere", f"See {OTHER}:3."))
    (project / "memory" / "c.md").write_text("# C\n")
    for session, days in (("here", 20.5), (OTHER, 2.5), ("writer", 1.5)):
        file = project / f"{session}.jsonl"
        text = call("Write", str(project / "memory" / "b.md")) if session == "writer" else "{}"
        file.write_text(text + "\n" + " " * 100_000)
        then = time.time() - days * 86400
        os.utime(file, (then, then))
    (folder / ".last-cleanup").write_text("")
    return folder


def test_json(run: Run, claude: Path) -> None:
    result = run("retention", "-srv-app", "--format", "json")
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert data["last_sweep"]
    assert data["proposal"]["line"] == f'"cleanupPeriodDays": {data["proposal"]["days"]}'
    assert data["proposal"]["days"] >= 730
    assert data["proposal"]["bytes_per_day"] > 10_000
    a, b, c = data["projects"][0]["notes"]
    assert [(one["why"], one["days_left"]) for one in a["sessions"]] == [("origin", 10)]
    assert a["age_by"] == "stamp"
    assert {(one["session"], one["why"], one["exists"]) for one in b["sessions"]} == {
        ("nowhere", "origin", False),
        ("writer", "wrote", True),
        (OTHER, "cites", True),
    }
    assert b["days_left"] == 29
    assert (c["sessions"], c["age_by"], c["days_left"]) == ([], "mtime", None)


def test_text(run: Run, claude: Path) -> None:
    result = run("retention")
    assert "✗ nowhere (origin): gone" in result.stdout
    assert "MB in the end" in result.stdout
    assert not (claude / "settings.json").exists()


def test_writing(run: Run, claude: Path) -> None:
    assert run("retention", "--write").exit_code == 0
    days = json.loads((claude / "settings.json").read_text())["cleanupPeriodDays"]
    assert days >= 730
    assert "That is set already" in run("retention").stdout
    assert "what it was is in" not in run("retention", "--write").stderr
    assert [name for name in os.listdir(claude) if name.startswith("settings")] == ["settings.json"]
    (claude / "settings.json").write_text('{"cleanupPeriodDays": 7,}')
    refused = run("retention", "--write", "--days", "400")
    assert refused.exit_code == 3
    assert (claude / "settings.json").read_text() == '{"cleanupPeriodDays": 7,}'
    assert run("retention", "--days", "400").exit_code == 2


def test_neither_screens_nor_git_are_loaded(run: Run, claude: Path) -> None:
    assert set(loaded_by("retention", "--claude-dir", str(claude))) <= {"markdown_it"}
