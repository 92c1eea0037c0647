"""A project with sessions of the last days, and a client that does what a test says."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import tests.standin as standin
from memreview.config import Options
from memreview.dream_settings import DreamSettings
from memreview.dreaming.events import Event, Progress
from memreview.dreaming.run import Outcome, Request, dream
from memreview.model.dream import Project, Target, TargetKind
from tests.unit.talk import Json, prose, returned, snapshot, typed, write

NAME = "-home-dev-app"
DAY = 86_400.0
INDEX = "# Index\n\n- [Testing](testing.md) — how tests are run\n"
TESTING = "# Testing\n\n- The test database listens on 5432.\n- Run the linter first.\n"
SAID = "use port 6380 for the test database, 5432 is taken, see line 3 of other.jsonl:9"
TRANSCRIPT = f"transcripts/{NAME}/s1.jsonl"
CHANGES = f'- memory/testing.md: the test database listens on another port ({TRANSCRIPT}:2 "{SAID}")\n'
EDIT = ["edit", "memory/testing.md", "listens on 5432", "listens on 6380"]
GOOD: list[list[Any]] = [
    ["init"],
    ["read", "memory/testing.md"],
    EDIT,
    ["write", "CHANGES.md", CHANGES],
    ["result"],
]


def stamp(days_ago: float, now: float | None = None) -> str:
    moment = (time.time() if now is None else now) - days_ago * DAY
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")


@dataclass
class DreamPlace:
    """``claude`` is Claude Code's folder, ``temporary`` where scratch folders are made."""

    root: Path
    told: list[tuple[Event, Progress]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.memory.mkdir(parents=True)
        self.temporary.mkdir()
        (self.memory / "MEMORY.md").write_text(INDEX)
        (self.memory / "testing.md").write_text(TESTING)
        self.session("s1", [snapshot("use port 1111"), typed(SAID, stamp(2), uuid="u1"), prose("ok", stamp(2))])
        self.client.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{standin.__file__}" "$@"\n')
        self.client.chmod(0o755)
        self.scenario(GOOD)

    @property
    def claude(self) -> Path:
        return self.root / "claude"

    @property
    def projects(self) -> Path:
        return self.claude / "projects"

    @property
    def memory(self) -> Path:
        return self.projects / NAME / "memory"

    @property
    def temporary(self) -> Path:
        return self.root / "tmp"

    @property
    def client(self) -> Path:
        return self.root / "claude-standin"

    @property
    def out(self) -> Path:
        return self.root / "out"

    @property
    def project(self) -> Project:
        return Project(NAME, str(self.projects / NAME), str(self.memory))

    @property
    def options(self) -> Options:
        return Options(
            claude_dir=str(self.claude),
            state_dir=str(self.root / "state"),
            cache_dir=str(self.root / "cache"),
            dream=DreamSettings(client=str(self.client)),
        )

    @property
    def saw(self) -> Json:
        """Arguments, environment and folder of the last call."""
        seen = json.loads((self.root / "saw.json").read_text())
        assert isinstance(seen, dict)
        return seen

    def session(self, name: str, records: Sequence[Json], project: str = NAME) -> Path:
        return write(self.projects / project / f"{name}.jsonl", records)

    def scenario(self, steps: Sequence[Sequence[Any]]) -> None:
        (self.root / "steps.json").write_text(json.dumps(steps))

    def environment(self) -> dict[str, str]:
        return {
            "STANDIN": str(self.root / "steps.json"),
            "STANDIN_SAW": str(self.root / "saw.json"),
            "TMPDIR": str(self.temporary),
        }

    def request(self, **given: Any) -> Request:
        return Request(self.project, **{"out": str(self.out), **given})

    def run(self, steps: Sequence[Sequence[Any]] | None = None, **given: Any) -> Outcome:
        if steps is not None:
            self.scenario(steps)
        return dream(self.request(**given), self.options, lambda event, progress: self.told.append((event, progress)))

    def words(self, kind: str) -> list[str]:
        return [event.text for event, _ in self.told if event.kind == kind]

    def target(self) -> Target:
        return Target(TargetKind.OUTPUT, output=str(self.out))

    def left_over(self) -> list[str]:
        return sorted(os.listdir(self.temporary))

    def fingerprint(self) -> dict[str, str]:
        """Every file of Claude Code's folder with its hash, mode and time."""
        found: dict[str, str] = {}
        for path in sorted(self.claude.rglob("*")):
            info = path.lstat()
            data = path.read_bytes() if path.is_file() else b""
            digest = hashlib.sha256(data).hexdigest()[:12]
            found[str(path.relative_to(self.claude))] = f"{digest} {info.st_mode:o} {info.st_mtime_ns if data else ''}"
        return found


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DreamPlace:
    """Nothing may be left in its temporary folder, nor changed in Claude Code's."""
    made = DreamPlace(tmp_path)
    for name, value in made.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("CLAUDE_CODE_MAX_RETRIES", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(made.temporary))
    return made


def result_text(text: str, days_ago: float) -> Json:
    return returned(text, stamp(days_ago))
