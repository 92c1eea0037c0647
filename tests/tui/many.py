"""The app on projects with everything that an audit finds."""

from __future__ import annotations

import os
from datetime import datetime, tzinfo
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from memreview.model.dream import Project
from memreview.tui.app import MemreviewApp
from memreview.tui.screens.project import ProjectScreen
from tests import many
from tests.many import LANTERN, NOW
from tests.tui.apps import ScreenApp, options_in

CLAUDE = "home/.claude"
"""Where it lies below the working folder: paths stand on the screens, so they are the same at every run."""


class FixedClock(datetime):
    """A clock that stands still."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> FixedClock:
        """The morning on which the projects were last written."""
        return cls.fromtimestamp(NOW.timestamp(), tz)


def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the screens and the audit see the same time at every run."""
    monkeypatch.setattr("memreview.tui.screens.projects_views.datetime", FixedClock)
    monkeypatch.setattr("memreview.tui.screens.project_views.datetime", FixedClock)
    monkeypatch.setattr("memreview.auditing.audit.time", SimpleNamespace(time=NOW.timestamp))
    watch_every(3_600.0, monkeypatch)


def watch_every(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the screens look at the folders by themselves so often; else a slow machine decides when they do."""
    monkeypatch.setattr("memreview.tui.screens.watching.EVERY", seconds)


def built(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The projects below ``folder``, which is the working folder from now on."""
    still(monkeypatch)
    monkeypatch.chdir(folder)
    return many.build(folder / CLAUDE)


def projects_app(folder: Path, **more: Any) -> MemreviewApp:
    """The app as it opens."""
    return MemreviewApp(options_in(Path(), **{"claude_dir": CLAUDE, "managed_settings": "no/managed.json", **more}))


def project_app(folder: Path, name: str = LANTERN) -> ScreenApp:
    """The app at one project."""
    place = os.path.join(CLAUDE, "projects", name)
    project = Project(name, place, os.path.join(place, "memory"))
    options = options_in(Path(), claude_dir=CLAUDE, managed_settings="no/managed.json")
    return ScreenApp(lambda: ProjectScreen(project), options)
