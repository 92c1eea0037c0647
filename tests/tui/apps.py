"""The application with any screen on top, for tests and pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual.screen import Screen

from memreview.config import Options
from memreview.tui.app import MemreviewApp


def options_in(folder: Path, **more: Any) -> Options:
    """Options whose files all lie in ``folder``."""
    places = {name: str(folder / name.removesuffix("_dir")) for name in ("claude_dir", "state_dir", "cache_dir")}
    return Options(**{**places, **more})


class ScreenApp(MemreviewApp):
    """memreview, opened at a screen of the test's choice."""

    def __init__(self, make: Callable[[], Screen[Any]], options: Options) -> None:
        super().__init__(options)
        self._make = make
        self.results: list[Any] = []

    def open_projects(self) -> None:
        """Open the screen instead, and keep with what it is dismissed."""
        self.push_screen(self._make(), self.results.append)
