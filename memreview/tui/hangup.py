"""A terminal that went away: closed window, lost ssh connection."""

from __future__ import annotations

import os
import select
import signal
import sys

EVERY = 1.0
"""Seconds between two looks at the terminal."""


def watchable() -> bool:
    """True where the input is a terminal that could go away."""
    stdin = sys.__stdin__
    return hasattr(select, "poll") and stdin is not None and not stdin.closed and os.isatty(stdin.fileno())


def terminal_is_gone() -> bool:
    """True once nobody can see or type anything any more.

    The signal of a hang-up reaches only the leader of the session, which may wait for this very process (make does);
    a dead terminal is then readable without end, and the input thread would turn in circles.
    """
    stdin = sys.__stdin__
    if stdin is None or stdin.closed:
        return True
    watched = select.poll()
    watched.register(stdin.fileno(), 0)
    return any(event & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, event in watched.poll(0))


def hang_up() -> None:
    """End at once, as the signal of a hang-up does: there is nothing left to draw on, every decision is saved.

    An apply that is cut off is finished or undone at the next start.
    """
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGHUP)
