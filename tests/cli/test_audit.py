"""``memreview audit``: what it prints, its exit status, and what it loads."""

from __future__ import annotations

import json
import os
import shlex
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.cli.test_main import loaded_by

STAMP = "---\nname: {0}\ndescription: about {0}\nmetadata:\n  originSessionId: s-{0}\n---\n\nText of {0}.\n"


@pytest.fixture
def claude(home: Path) -> Path:
    """One project with a bit of everything, and one that is in order."""
    folder = home / ".claude"
    memory = folder / "projects" / "-srv-app" / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("# Memory\n\n- [A](a.md) — hook\n- [Gone](gone.md) — hook\n")
    for name in ("a", "b"):
        (memory / f"{name}.md").write_text(STAMP.format(name))
    outside = home / "elsewhere.md"
    outside.write_text("x")
    (memory / "link.md").symlink_to(outside)
    session = folder / "projects" / "-srv-app" / "s-a.jsonl"
    session.write_text('{"type":"user","cwd":"/srv/app"}\n')
    old = time.time() - 27.5 * 86400
    os.utime(session, (old, old))
    fine = folder / "projects" / "-srv-fine" / "memory"
    fine.mkdir(parents=True)
    (fine / "MEMORY.md").write_text("- [C](c.md)\n")
    (fine / "c.md").write_text("# C\n")
    return folder


def audited(run: Run, *words: str | Path, status: int = 1) -> dict[str, Any]:
    result = run("audit", *words, "--format", "json")
    assert result.exit_code == status
    assert result.stdout.isascii()
    return {project["project"]: project for project in json.loads(result.stdout)["projects"]}


def rules(project: dict[str, Any]) -> set[str]:
    return {finding["rule"] for finding in project["findings"] if finding["severity"] != "info"}


def test_json(run: Run, claude: Path) -> None:
    projects = audited(run)
    app = projects["-srv-app"]
    assert app["dangling"] == [{"line": 4, "target": "gone.md"}]
    assert app["orphans"] == ["b.md"]
    assert rules(app) == {"dangling-link", "orphan-note", "symlink-outside", "evidence-expiring"}
    assert app["retention"]["expiring"][0]["days_left"] == 3
    assert app["retention"]["gone"] == [{"session": "s-b", "notes": ["b.md"]}]
    assert app["transcripts"]["count"] == 1
    assert rules(projects["-srv-fine"]) == set()


def test_which_projects(run: Run, claude: Path, tmp_path: Path) -> None:
    assert set(audited(run, "--project", "-srv-fine", status=0)) == {"-srv-fine"}
    assert set(audited(run, claude / "projects" / "-srv-fine", status=0)) == {"-srv-fine"}
    assert set(audited(run, claude / "projects")) == {"-srv-app", "-srv-fine"}
    (tmp_path / "none").mkdir()
    assert audited(run, tmp_path / "none", status=0) == {}
    assert run("audit", tmp_path / "missing").exit_code == 2
    assert run("audit", "--project", "nobody").exit_code == 2


def test_what_fails(run: Run, claude: Path) -> None:
    fine = ("audit", "--project", "-srv-fine")
    assert run(*fine).exit_code == 0
    assert run(*fine, "--fail-on", "info").exit_code == 1
    assert run("audit", "--fail-on", "error").exit_code == 0
    assert run("audit", "--settings", '{"cleanupPeriodDays": 0}', "--project", "-srv-fine").exit_code == 1


def test_text(run: Run, claude: Path) -> None:
    result = run("audit")
    assert "! warning dangling-link MEMORY.md:4: the link to gone.md leads nowhere" in result.stdout
    assert "unstamped-note" not in result.stdout
    assert "unstamped-note" in run("audit", "--all").stdout
    assert "\x1b" not in result.stdout


def test_a_fresh_machine(run: Run, home: Path) -> None:
    assert run("audit").exit_code == 0


def test_neither_screens_nor_git_are_loaded(run: Run, claude: Path) -> None:
    assert set(loaded_by("audit", "--claude-dir", str(claude))) <= {"markdown_it"}


def test_an_index_through_a_link_is_loaded(run: Run, claude: Path, home: Path) -> None:
    index = claude / "projects" / "-srv-fine" / "memory" / "MEMORY.md"
    index.rename(home / "index.md")
    index.symlink_to(home / "index.md")
    fine = audited(run, "--project", "-srv-fine")["-srv-fine"]
    assert (fine["status"], fine["orphans"], rules(fine)) == ("ok", [], {"symlink-outside"})


def test_a_link_that_git_wrote_as_text(run: Run, claude: Path, home: Path) -> None:
    memory = claude / "projects" / "-srv-fine" / "memory"
    (memory / "shared.md").write_text("../../../../elsewhere.md")
    fine = audited(run, "--project", "-srv-fine")["-srv-fine"]
    assert (fine["orphans"], rules(fine)) == ([], {"symlink-outside"})
    (home / "elsewhere.md").unlink()
    assert audited(run, "--project", "-srv-fine")["-srv-fine"]["orphans"] == ["shared.md"]


def test_remedies_as_a_proposal(run: Run, claude: Path) -> None:
    result = run("audit", "--propose")
    (line,) = [line for line in result.stderr.split("\n") if line.startswith("memreview review")]
    review = run("verify", *shlex.split(line)[2:], "--format", "json")
    data = json.loads(review.stdout)
    assert [file["path"] for file in data["files"]] == ["MEMORY.md"]
    added = [text for change in data["files"][0]["hunks"][0]["changes"] for text in change["added"]]
    assert added == ["- [b](b.md) — about b"]
    assert "gone.md" in (claude / "projects" / "-srv-app" / "memory" / "MEMORY.md").read_text()


@pytest.mark.parametrize("command", ["audit", "retention", "find", "check"])
def test_pipes_among_the_files_are_passed_over(run: Run, home: Path, command: str) -> None:
    places = ["settings.json", "history.jsonl", "CLAUDE.md", ".last-cleanup", "sessions/1.json"]
    places += [f"projects/-h-p/{name}" for name in ("x.jsonl", "x.jsonl.gz", "s/subagents/y.jsonl")]
    places += [f"projects/-h-p/memory/{name}" for name in ("b.md", ".consolidate-lock")]
    for place in places:
        (home / place).parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(home / place)
    (home / "projects/-h-p/memory/MEMORY.md").write_text("- [a](a.md) the port\n")
    (home / "projects/-h-p/memory/a.md").write_text("Port 1234.\n")
    (home / "projects/-h-p/s.jsonl").write_text(
        '{"type":"user","timestamp":"2026-11-01T00:00:00Z","message":{"role":"user","content":"Port 1234"}}\n'
    )
    result = run(command, *(["1234"] if command == "find" else []), "--claude-dir", str(home))
    assert result.exit_code in (0, 1)
    assert "Traceback" not in result.stderr


def test_remarks_that_are_not_printed_can_be_found(run: Run, home: Path) -> None:
    memory = home / ".claude" / "projects" / "-srv-fine" / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("- [C](c.md)\n")
    (memory / "c.md").write_text("# C\n")
    quiet, told = run("audit").stdout, run("audit", "--all").stdout
    assert "0 errors, 0 warnings" in quiet
    assert quiet.rstrip().endswith("; --all lists the remarks.")
    assert "--all" not in told
