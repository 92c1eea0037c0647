"""What pieces of printed text are, for whoever colours them."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class Role(StrEnum):
    """What a piece of text is, for whoever colours it."""

    PATH = "path"
    ADDED = "added"
    REMOVED = "removed"
    GOOD = "good"
    BAD = "bad"
    DIM = "dim"
    HEADING = "heading"


Style = Callable[[str, Role], str]


def plain(text: str, _role: Role) -> str:
    """No colour."""
    return text


def counted(count: int, one: str, many: str | None = None) -> str:
    """``1 change``, ``2 changes``."""
    return f"{count} {one if count == 1 else many or one + 's'}"
