"""How full an index is: a bar, and the figures in words, so that it is read without colour too."""

from __future__ import annotations

from textual.content import Content

from memreview.checks.index import LINE_LIMIT, UNIT_LIMIT, IndexState, IndexStatus

FULL, EMPTY = "━", "╌"
STYLES = {IndexStatus.NEAR: "$warning", IndexStatus.CUT: "$error"}


def share(lines: int, units: int) -> float:
    """How much of the limit that binds first is used; over 1 where the index is cut."""
    return max(lines / LINE_LIMIT, units / UNIT_LIMIT)


def bar(state: IndexState, width: int) -> Content:
    """The bar of an index, ``width`` cells wide."""
    used = share(state.lines, state.units)
    filled = min(width, round(used * width)) if used else 0
    filled = max(filled, 1) if state.lines else 0
    return Content.assemble((FULL * filled, STYLES.get(state.status, "$success")), (EMPTY * (width - filled), "$quiet"))


def figures(state: IndexState) -> str:
    """Lines and UTF-16 units against their limits."""
    return f"{state.lines:,} of {LINE_LIMIT} lines · {state.units:,} of {UNIT_LIMIT:,} units"
