"""Keys and signs with what they mean, grouped, in as many columns as there is room for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual import events
from textual.content import Content
from textual.widgets import Static

from memreview.text import cells

COLUMNS = (0, 64, 150)
"""The least widths for one column, two and three."""
GAP = 2


class Entry(NamedTuple):
    """A key or a sign as it is shown, and what it means; ``group`` is its heading."""

    group: str
    shown: str
    words: str


Group = tuple[str, tuple[Entry, ...]]


def groups(entries: Sequence[Entry]) -> tuple[Group, ...]:
    """Entries by their group, in the order in which the groups first appear."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(entry.group, []).append(entry)
    return tuple((name, tuple(members)) for name, members in found.items())


def columns(heights: Sequence[int], count: int) -> list[list[int]]:
    """Sections of these heights by number, in order, in ``count`` columns of which the tallest is as low as can be."""
    limit = max(max(heights, default=0), -(-sum(heights) // max(count, 1)))
    while True:
        made: list[list[int]] = [[]]
        room = limit
        for number, height in enumerate(heights):
            if height > room:
                made.append([])
                room = limit
            made[-1].append(number)
            room -= height
        if len(made) <= count:
            return made
        limit += 1


class KeyTable(Static):
    """A table that is laid out anew whenever its width changes."""

    def __init__(self, entries: Sequence[Entry], *, id: str | None = None) -> None:
        super().__init__(Content(), markup=False, id=id)
        self._entries = entries
        self._shown_width = max((cells(entry.shown) for entry in entries), default=0) + 2

    def on_resize(self, event: events.Resize) -> None:
        """Lay the table out for the new width."""
        self.update(self.table(self.size.width))

    def table(self, width: int) -> Content:
        """The table for a width in cells."""
        sections = groups(self._entries)
        count = sum(width >= least for least in COLUMNS)
        room = (width - GAP * (count - 1)) // count
        drawn = [self._section(name, members, room) for name, members in sections]
        placed = columns([len(lines) for lines in drawn], count)
        stacks = [[line for number in column for line in drawn[number]][:-1] for column in placed]
        height = max(len(lines) for lines in stacks)
        gap = Content(" " * GAP)
        return Content("\n").join(
            gap.join(lines[row] if row < len(lines) else Content(" " * room) for lines in stacks)
            for row in range(height)
        )

    def _section(self, name: str, members: Sequence[Entry], width: int) -> list[Content]:
        """The lines of a group, with an empty one behind."""
        lines = [_fit(Content.styled(name, "bold $accent"), width)]
        for entry in members:
            shown = entry.shown
            for piece in _wrap(entry.words, width - self._shown_width):
                start = (f"{shown}{' ' * (self._shown_width - cells(shown))}", "bold")
                lines.append(_fit(Content.assemble(start, piece), width))
                shown = ""
        return [*lines, Content(" " * width)]


def _fit(line: Content, width: int) -> Content:
    return line.truncate(width, pad=True)


def _wrap(text: str, width: int) -> list[str]:
    """Words of ours in lines of a width."""
    lines = [""]
    for word in text.split():
        if lines[-1] and cells(lines[-1]) + 1 + cells(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return lines
