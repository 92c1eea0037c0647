"""The first line of a screen: where we are on the left, figures on the right."""

from __future__ import annotations

from textual.content import Content
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget


class TitleBar(Widget):
    """Two pieces of content in one line; the left one is cut where there is no room for both."""

    DEFAULT_CSS = """
    TitleBar { dock: top; height: 1; background: $panel; color: $foreground; padding: 0 1; }
    TitleBar:ansi { background: ansi_default; text-style: bold; }
    """

    def __init__(self, left: Content | None = None, right: Content | None = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.left = left or Content()
        self.right = right or Content()

    def show(self, left: Content, right: Content) -> None:
        """Show something else."""
        if not (left.is_same(self.left) and right.is_same(self.right)):
            self.left, self.right = left, right
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """The one line."""
        width = self.size.width
        right = self.right.truncate(width)
        room = width - right.cell_length
        gap = 2 if right else 0
        left = self.left.truncate(max(0, room - gap), ellipsis=True)
        line = left.pad_right(max(0, room - left.cell_length)) + right
        style: Style = self.visual_style
        return Strip(line.render_segments(style), width)
