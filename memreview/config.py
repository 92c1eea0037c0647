"""Options of one invocation: command line before environment before file before default."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

APP = "memreview"


def default_claude_dir() -> str:
    """Where Claude Code keeps its files: ``$CLAUDE_CONFIG_DIR``, else ``~/.claude``."""
    return os.environ.get("CLAUDE_CONFIG_DIR") or str(Path.home() / ".claude")


def default_state_dir() -> str:
    """Where decisions and the list of known dreams live: ``$MEMREVIEW_STATE_DIR``, else the platform's place."""
    return os.environ.get("MEMREVIEW_STATE_DIR") or platformdirs.user_state_dir(APP, appauthor=False)


def default_cache_dir() -> str:
    """Where line indexes and the like live: ``$MEMREVIEW_CACHE_DIR``, else the platform's place."""
    return os.environ.get("MEMREVIEW_CACHE_DIR") or platformdirs.user_cache_dir(APP, appauthor=False)


@dataclass(frozen=True, slots=True)
class Options:
    """What every command needs to know. All paths are absolute."""

    claude_dir: str = field(default_factory=default_claude_dir)
    state_dir: str = field(default_factory=default_state_dir)
    cache_dir: str = field(default_factory=default_cache_dir)
    managed_settings: str | None = None
    dream_dirs: tuple[str, ...] = ()
    show_secrets: bool = False

    @property
    def projects_dir(self) -> str:
        """The folder that holds one folder a project."""
        return os.path.join(self.claude_dir, "projects")
