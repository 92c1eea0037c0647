"""Open the screen, where there is a terminal to draw on."""

from __future__ import annotations

import sys

from memreview.config import Options
from memreview.errors import UsageError
from memreview.model.dream import Target


def open_screen(options: Options, target: Target | None = None) -> int:
    """Run the screen until it is closed; the exit status. :class:`UsageError` where there is no terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("the screen needs a terminal; use `memreview verify` and `memreview apply` without one")
    from memreview.tui.app import run

    return run(options, target)
