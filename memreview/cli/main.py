"""The command group."""

from __future__ import annotations


def run() -> None:
    """Parse the command line and run a command."""
