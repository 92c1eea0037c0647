"""The keys of a screen, grouped, in as many columns as there is room for."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.widgets import Static

from memreview.text import cells
from memreview.tui.keys import Key

COLUMNS = (0, 64, 150)
"""The least widths for one column, two and three."""
GAP = 2

Group = tuple[str, tuple[Key, ...]]


def groups(keys: Sequence[Key]) -> tuple[Group, ...]:
    """Keys by their group, in the order in which the groups first appear."""
    found: dict[str, list[Key]] = {}
    for key in keys:
        found.setdefault(key.group, []).append(key)
    return tuple((name, tuple(members)) for name, members in found.items())


def columns(sections: Sequence[Group], count: int) -> list[list[Group]]:
    """The sections in ``count`` columns, in order, the tallest column as low as possible."""
    heights = [len(members) + 2 for _, members in sections]
    limit = max(max(heights, default=0), -(-sum(heights) // max(count, 1)))
    while True:
        made: list[list[Group]] = [[]]
        room = limit
        for section, height in zip(sections, heights, strict=True):
            if height > room:
                made.append([])
                room = limit
            made[-1].append(section)
            room -= height
        if len(made) <= count:
            return made
        limit += 1


class KeyTable(Static):
    """A table of keys that is laid out anew whenever its width changes."""

    def __init__(self, keys: Sequence[Key], *, id: str | None = None) -> None:
        super().__init__(Content(), markup=False, id=id)
        self._keys = keys
        self._key_width = max((cells(key.shown) for key in keys), default=0) + 2

    def on_resize(self, event: events.Resize) -> None:
        """Lay the table out for the new width."""
        self.update(self.table(self.size.width))

    def table(self, width: int) -> Content:
        """The table for a width in cells."""
        sections = groups(self._keys)
        count = sum(width >= least for least in COLUMNS)
        room = (width - GAP * (count - 1)) // count
        drawn = [self._column(column, room) for column in columns(sections, count)]
        height = max(len(lines) for lines in drawn)
        gap = Content(" " * GAP)
        return Content("\n").join(
            gap.join(lines[row] if row < len(lines) else Content(" " * room) for lines in drawn)
            for row in range(height)
        )

    def _column(self, sections: Sequence[Group], width: int) -> list[Content]:
        lines: list[Content] = []
        for name, members in sections:
            if lines:
                lines.append(Content(" " * width))
            lines.append(_fit(Content.styled(name, "bold $accent"), width))
            for key in members:
                for number, piece in enumerate(_wrap(key.help, width - self._key_width)):
                    lines.append(
                        _fit(
                            Content.assemble((f"{key.shown if not number else '':{self._key_width}}", "bold"), piece),
                            width,
                        )
                    )
        return lines


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
