"""The tree of a project's notes, drawn for a width."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from memreview.model.advice import Advice
from memreview.text import cells, clip
from memreview.tui import content
from memreview.tui.line_facts import ADVICE
from memreview.tui.note_tree import Branch, Standing
from memreview.tui.widgets.row_list import ListRow

WORDS_FROM = 34
"""From this width on, the sign of a note has its word beside it."""


def tree_rows(branches: Sequence[Branch], width: int) -> list[ListRow]:
    """A row for each folder and note."""
    return [ListRow(_row(branch, width), branch.path + "/" if branch.folder else branch.path) for branch in branches]


def _row(branch: Branch, width: int) -> Content:
    indent = "  " * min(branch.depth, 6)
    if branch.folder:
        sign = "▶" if branch.folded else "▼"
        name, end = f"{content.shown(branch.name)}/", (f"{branch.notes} ", "$quiet")
        mark = (f"{sign} ", "$quiet")
    else:
        standing = branch.standing
        name = content.shown(branch.name if standing is not Standing.DANGLING else branch.path)
        end = (f"{standing.word} ", standing.style) if width >= WORDS_FROM else ("", "")
        mark = (f"{standing.sign} ", standing.style)
    flags = (f"!{branch.flags}" if branch.flags else "", "$warning")
    leaving = ("◇" if branch.expiring else "", "$warning")
    extra = [part for part in (flags, *_advice(branch), leaving) if part[0]]
    right = sum(cells(text) + 1 for text, _ in extra) + cells(end[0])
    room = max(4, width - 1 - len(indent) - 2 - right - 1)
    name = clip(name, room)
    line = Content(f" {indent}") + _styled(*mark) + Content(name)
    for text, style in extra:
        line += Content(" ") + _styled(text, style)
    line += Content(" " * max(1, width - line.cell_length - cells(end[0])))
    return line + _styled(*end)


def _advice(branch: Branch) -> list[tuple[str, str]]:
    """How many lines are to be reviewed and unpinned; where there are none, how many are kept."""
    waiting = [one for one in (Advice.REVIEW, Advice.UNPIN) if branch.advice.get(one)]
    shown = waiting or [one for one in (Advice.KEEP,) if branch.advice.get(one)]
    return [(f"{ADVICE[one][0]}{branch.advice[one]}", ADVICE[one][1]) for one in shown]


def _styled(text: str, style: str) -> Content:
    return Content.styled(text, style) if style and text else Content(text)
