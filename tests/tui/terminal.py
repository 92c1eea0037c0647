"""A program in a real terminal (tmux), which types and reads as a person does."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

PATIENCE = 20.0
"""Seconds until something that should appear counts as missing."""


def missing_tmux() -> str | None:
    """Why no terminal can be had here, None where one can."""
    return None if shutil.which("tmux") else "tmux is not installed"


def _contains(text: str, shown: str) -> bool:
    return text in shown


class Terminal:
    """A tmux server of its own with one window; it ends with the block."""

    def __init__(
        self, command: Sequence[str], folder: Path, size: tuple[int, int], environment: Mapping[str, str]
    ) -> None:
        self._socket = str(folder / "tmux")
        self._size = size
        self._folder = folder
        self._environment = {**os.environ, **environment, "TERM": "xterm-256color"}
        self._environment.pop("TMUX", None)
        self._command = list(command)

    def __enter__(self) -> Self:
        columns, lines = (str(number) for number in self._size)
        self._tmux(
            # The window stays when its program ends, so that its last words can be read.
            *("-f", "/dev/null", "new-session", "-d", "-x", columns, "-y", lines, "-c", str(self._folder)),
            *("-e", "LC_ALL=C.UTF-8", *self._command, ";", "set", "-g", "remain-on-exit", "on"),
            *(";", "set", "-g", "escape-time", "0", ";", "set", "-g", "status", "off"),
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._tmux("kill-server", check=False)

    def _tmux(self, *words: str, check: bool = True) -> str:
        command = ["tmux", "-u", "-S", self._socket, *words]
        done = subprocess.run(command, env=self._environment, capture_output=True, text=True, check=False, timeout=30)
        if check and done.returncode:
            raise AssertionError(f"tmux {words[0]}: {done.stderr.strip()}")
        return done.stdout

    def type(self, *keys: str) -> None:
        """Press keys, by tmux's names for them; anything else is typed as it is."""
        for key in keys:
            self._tmux("send-keys", key)

    def screen(self) -> str:
        """What stands on the screen."""
        return self._tmux("capture-pane", "-p")

    def wait_for(self, what: str | Callable[[str], bool]) -> str:
        """The screen as soon as it shows a text (or a test on it holds)."""
        holds = what if callable(what) else partial(_contains, what)
        end = time.monotonic() + PATIENCE
        while True:
            shown = self.screen()
            if holds(shown):
                return shown
            if time.monotonic() > end:
                raise AssertionError(f"{what!r} did not appear; the screen shows:\n{shown}")
            time.sleep(0.05)

    def ended(self) -> bool:
        """True where the program has ended."""
        return self._tmux("display", "-p", "#{pane_dead}").strip() == "1"
