"""Fixtures for tests of the screens."""

import time
from collections.abc import Iterator

import pytest

from tests.tui.snapshot import snap

__all__ = ["snap"]


@pytest.fixture(autouse=True)
def same_everywhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One time zone, and no colours of the terminal at hand, so that screens look the same everywhere."""
    monkeypatch.setenv("TZ", "UTC")
    for name in ("NO_COLOR", "TEXTUAL_THEME", "COLORTERM", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()
