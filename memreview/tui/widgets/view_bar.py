"""The names of the views of a screen in one line, the present one brought out; a click goes to one."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from memreview.text import cells


class ViewBar(Widget):
    """``names`` are numbered from 1."""

    DEFAULT_CSS = """
    ViewBar { height: 1; background: $surface; }
    ViewBar:ansi { background: ansi_default; }
    """

    class Chosen(Message):
        """A view was clicked: its number from 0."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self.names = tuple(names)
        self.present = 0

    def show(self, names: Sequence[str], present: int) -> None:
        """Show other names, or another one as present."""
        if (tuple(names), present) != (self.names, self.present):
            self.names, self.present = tuple(names), present
            self.refresh()

    def _parts(self) -> list[str]:
        return [f" {number} {name} " for number, name in enumerate(self.names, 1)]

    def render_line(self, y: int) -> Strip:
        """The one line."""
        line = Content()
        for number, part in enumerate(self._parts()):
            line += Content.styled(part, "bold reverse" if number == self.present else "$quiet")
        return Strip(line.render_segments(self.visual_style)).adjust_cell_length(self.size.width, self.rich_style)

    def on_click(self, event: events.Click) -> None:
        """Go to the view under the mouse."""
        at = 0
        for number, part in enumerate(self._parts()):
            at += cells(part)
            if event.x < at:
                event.stop()
                self.post_message(self.Chosen(number))
                return
