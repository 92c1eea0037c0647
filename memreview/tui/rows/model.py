"""Rows of text for a view of many lines."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from memreview.tui.content import Mark


@dataclass(slots=True)
class Cell:
    """One column of a row: a line of text that may wrap.

    ``text`` has gone through :func:`memreview.tui.content.shown`. ``marks`` are asked for when the row is drawn.
    ``number`` and ``sign`` stand in the margin of a diff; ``key`` says which line it is, for clicks.
    """

    text: str
    style: str = ""
    marks: Callable[[], Sequence[Mark]] | None = None
    key: Hashable = None
    number: int = 0
    sign: str = " "


@dataclass(slots=True)
class Row:
    """One logical line: one column, or two side by side. ``owner`` says what it belongs to, for clicks and styles.

    ``wraps`` is False for headers and rules, which are cut instead.
    """

    cells: tuple[Cell, ...]
    owner: Hashable = None
    kind: str = ""
    wraps: bool = True
