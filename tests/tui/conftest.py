"""Fixtures for tests of the screens."""

from tests.tui.snapshot import snap

__all__ = ["snap"]
