"""The app on a project with past reviews, and on one with planted faults, at a time that stands still."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from textual.screen import Screen

from memreview import workflow
from memreview.config import Options
from memreview.demo.faults import FaultyStore, build_faults
from memreview.model.dream import Project
from memreview.report.overview import Preview
from tests.tui.apps import ScreenApp, options_in
from tests.tui.many import FixedClock, still
from tests.unit.kept_demo import KeptDemo, applied

WHEN = "2026-11-02T08:00:00+00:00"
NAME = "-home-demo-beacon"
FAULTS_NOW = datetime(2026, 11, 2, 8, 15, tzinfo=UTC)


def at_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """One time, and one identity for every commit."""
    still(monkeypatch)
    monkeypatch.setattr("memreview.evidence.keep.datetime", FixedClock)
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "ada@lantern.invalid")
        monkeypatch.setenv(f"GIT_{role}_DATE", WHEN)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)


def reviewed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> KeptDemo:
    """The sample project, its supported changes accepted."""
    at_rest(monkeypatch)
    return applied(folder)


def app_at(demo: KeptDemo, make: Callable[[Project], Screen[Any]]) -> ScreenApp:
    """The app at a screen of the sample project."""
    return ScreenApp(lambda: make(demo.project), demo.options)


@dataclass(frozen=True)
class Faulty:
    """A memory with planted faults: where it lies, and how the app finds it."""

    store: FaultyStore
    project: Project
    options: Options

    @property
    def named(self) -> Project:
        """The project under a name that is the same wherever it lies; who read what is not found by it."""
        return replace(self.project, name=NAME)

    def note(self, name: str) -> Path:
        """One of its notes."""
        return Path(self.store.memory) / name


def faulty(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Faulty:
    """A memory with planted faults."""
    at_rest(monkeypatch)
    store = build_faults(str(folder / "beacon"), FAULTS_NOW)
    project = Project(store.project, os.path.dirname(store.memory), store.memory)
    return Faulty(store, project, options_in(folder, claude_dir=store.claude_dir, managed_settings="no/managed.json"))


def placed_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what a trial says name no path of this machine."""
    real = workflow.preview

    def preview(*given: Any) -> Preview:
        found = real(*given)
        return replace(found, repository=found.repository and "/home/demo/memory")

    monkeypatch.setattr(workflow, "preview", preview)
