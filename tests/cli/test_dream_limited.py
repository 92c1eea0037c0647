"""A pass that is limited to what the check wants reviewed, and one that may read the repository."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memreview.demo.faults import FAULTY, FaultyStore, build_faults
from tests.cli.conftest import Run
from tests.unit.dreaming_world import DreamPlace, place

__all__ = ["place"]


@dataclass
class Faults:
    place: DreamPlace
    store: FaultyStore
    run: Run

    def dream(self, *more: str) -> tuple[int, dict[str, Any]]:
        words = [
            "dream",
            self.store.project,
            "--client",
            str(self.place.client),
            "--days",
            "60",
            "--out",
            str(self.place.out),
        ]
        words += ["--claude-dir", self.store.claude_dir, "--format", "json", *more]
        result = self.run(*words)
        return result.exit_code, json.loads(result.stdout) if result.stdout else {}

    def add(self, name: str, text: str, message: str) -> str:
        """Commit a file to the project's repository; the commit's hash."""
        root = Path(self.store.repository)
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
        git = ["git", "-C", str(root), "-c", "user.name=A", "-c", "user.email=a@example.invalid"]
        subprocess.run([*git, "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-q", "-m", message], check=True)
        return subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def faults(place: DreamPlace, run: Run, monkeypatch: pytest.MonkeyPatch) -> Faults:
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(place.root / name))
    for name, value in place.environment().items():
        monkeypatch.setenv(name, value)
    return Faults(place, build_faults(str(place.root / "faults")), run)


def test_only_the_queue_is_asked_for_and_taken(faults: Faults) -> None:
    status, planned = faults.dream("--only", "review", "--dry-run")
    assert status == 0
    prompt = planned["prompt"]
    assert "## Only these lines" in prompt
    assert all(f"- memory/{name}, line " in prompt for name in FAULTY)
    assert "sound-number.md" not in prompt
    memory = Path(faults.store.memory)
    faults.place.scenario(
        [
            ["init"],
            ["write", "memory/changed-number.md", "changed\n"],
            ["write", "memory/sound-number.md", "changed too\n"],
            ["write", "memory/new.md", "new\n"],
            ["result"],
        ]
    )
    status, done = faults.dream("--only", "review")
    assert (status, done["files"]) == (0, ["changed-number.md"])
    assert {row["path"] for row in done["left_out"]} == {"memory/sound-number.md", "memory/new.md"}
    assert (memory / "sound-number.md").read_text() != "changed too\n"


def test_a_queue_brings_transcripts_from_before_the_window(faults: Faults) -> None:
    def names(*more: str) -> set[str]:
        return {row["name"] for row in faults.dream("--dry-run", "--days", "1", *more)[1].get("transcripts", [])}

    assert names("--only", "review") > names()


def test_nothing_to_review(faults: Faults) -> None:
    for name in os.listdir(faults.store.memory):
        if name.endswith(".md"):
            (Path(faults.store.memory) / name).unlink()
    (Path(faults.store.memory) / "MEMORY.md").write_text("# Index\n")
    assert faults.dream("--only", "review") == (0, {})
    assert not faults.place.out.exists()


def test_the_repository_is_read_and_can_be_cited(faults: Faults) -> None:
    commit = faults.add("web/package.json", '{\n  "packageManager": "pnpm@9"\n}\n', "Move to pnpm")
    faults.add("web/src/app.js", "x\n", "Add an app")
    planned = faults.dream("--with-repo", "--dry-run")[1]
    assert planned["repository"] == ["git-log.txt", "web/package.json"]
    assert "`repository/web/package.json`" in planned["prompt"]
    cited = f'(commit {commit[:12]} "Move to pnpm"; repository/web/package.json:2 "pnpm@9")'
    faults.place.scenario(
        [
            ["init"],
            ["read", "repository/git-log.txt"],
            ["read", "repository/web/package.json"],
            ["write", "repository/more.txt", "forged\n"],
            ["overwrite", "repository/web/package.json", "forged\n"],
            ["write", "memory/pnpm.md", "# pnpm\n\nThe web app uses pnpm 9.\n"],
            ["write", "CHANGES.md", f"- memory/pnpm.md: the web app moved to pnpm {cited}\n"],
            ["result"],
        ]
    )
    status, done = faults.dream("--with-repo")
    assert (status, done["files"]) == (0, ["pnpm.md"])
    assert {row["path"] for row in done["left_out"]} == {"repository/more.txt", "repository/web/package.json"}
    result = faults.run("verify", faults.place.out, "--claude-dir", faults.store.claude_dir, "--format", "json")
    (file,) = json.loads(result.stdout)["files"]
    references = file["hunks"][0]["changes"][0]["references"]
    assert [(row["kind"], row["status"]) for row in references] == [("commit", "found"), ("file", "found")]
    assert (Path(faults.store.repository) / "web" / "package.json").read_text().startswith("{")
