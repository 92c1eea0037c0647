"""The list of projects: heads that sort it, and a row for each, of which only those in view are ever drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from memreview.tui.overview import Entry, Overview
from memreview.tui.widgets.project_columns import heads, ordered, placed, row


class ProjectHeads(Widget):
    """The heads of the columns; a click on one sorts by it."""

    DEFAULT_CSS = """
    ProjectHeads { height: 1; }
    """

    class Clicked(Message):
        """A head was clicked."""

        def __init__(self, column: str) -> None:
            super().__init__()
            self.column = column

    def __init__(self) -> None:
        super().__init__()
        self.overview = Overview()

    @property
    def columns_width(self) -> int:
        """Cells for the columns: the one behind them is the scrollbar's."""
        return self.size.width - 1

    def render_line(self, y: int) -> Strip:
        """The one line."""
        line = heads(self.columns_width, self.overview.sorting)
        return Strip(line.render_segments(self.visual_style)).adjust_cell_length(self.size.width, self.rich_style)

    def on_click(self, event: events.Click) -> None:
        """Sort by the column whose head is under the mouse."""
        event.stop()
        for place in reversed(placed(self.columns_width)):
            if event.x >= place.start:
                self.post_message(self.Clicked(place.column.id))
                return


class ProjectRows(ScrollView, can_focus=True):
    """The rows. The cursor is on a project, whatever place it has among the others."""

    COMPONENT_CLASSES = {"project-rows--cursor", "project-rows--cursor-quiet"}
    DEFAULT_CSS = """
    ProjectRows {
        height: 1fr; overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1;
        .project-rows--cursor { background: $primary 26%; text-style: bold; }
        .project-rows--cursor-quiet { background: $panel; }
        &:ansi .project-rows--cursor { background: ansi_default; text-style: bold underline; }
        &:ansi .project-rows--cursor-quiet { background: ansi_default; text-style: underline; }
    }
    """

    class Moved(Message):
        """The cursor is on another project, or what is known of it has changed."""

    class Opened(Message):
        """A project was chosen."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        super().__init__()
        self.overview = Overview()
        self.paths: list[str] = []
        self._places: dict[str, int] = {}
        self._clock = clock

    # State

    @property
    def at(self) -> int:
        """The row of the cursor."""
        return self._places.get(self.overview.cursor or "", 0)

    @property
    def chosen(self) -> Entry | None:
        """The project under the cursor."""
        return self.overview.entries[self.paths[self.at]] if self.paths else None

    def show(self, overview: Overview, keep_place: bool = True) -> None:
        """Show this; the project under the cursor stays on its line of the screen, wherever it is sorted to."""
        line = self.at - self.scroll_offset.y
        stays = overview.cursor is not None and overview.cursor in self._places
        old, last = self.at, overview.cursor
        self.overview = overview
        self.paths = ordered(overview)
        self._places = {path: number for number, path in enumerate(self.paths)}
        if last is not None and last not in self._places and self.paths:
            # The project under the cursor is gone: the one that took its place has it now.
            self.overview = replace(overview, cursor=self.paths[min(old, len(self.paths) - 1)])
        size = Size(self.size.width - 1, len(self.paths))
        if size != self.virtual_size:
            self.virtual_size = size
        if stays and keep_place:
            self.scroll_to(y=max(0, self.at - line), animate=False, force=True, immediate=True)
        self._see_cursor()
        self.refresh()
        self.post_message(self.Moved())

    def move(self, step: int) -> bool:
        """Go ``step`` rows; False where the cursor is at the end already."""
        return self._go(self.at + step)

    def page(self, step: int) -> None:
        """Go by windows."""
        self._go(self.at + step * max(1, self.size.height - 1))

    def edge(self, end: int) -> None:
        """Go to the first (0) or the last (-1) row."""
        self._go(0 if end == 0 else len(self.paths) - 1)

    def _go(self, to: int) -> bool:
        if not self.paths:
            return False
        to = max(0, min(to, len(self.paths) - 1))
        moves = to != self.at
        self.overview = replace(self.overview, cursor=self.paths[to])
        self._see_cursor()
        self.refresh()
        self.post_message(self.Moved())
        return moves

    def _see_cursor(self) -> None:
        top, height = self.scroll_offset.y, self.size.height
        wanted = min(max(top, self.at - height + 1), self.at) if height else top
        if wanted != top:
            self.scroll_to(y=wanted, animate=False, force=True, immediate=True)

    # Drawing

    def render_line(self, y: int) -> Strip:
        """The row on a line of the window."""
        number, width = y + self.scroll_offset.y, self.size.width
        if number >= len(self.paths):
            return Strip.blank(width, self.rich_style)
        path = self.paths[number]
        style = self.visual_style
        if number == self.at:
            name = "project-rows--cursor" if self.has_focus else "project-rows--cursor-quiet"
            style = self.get_visual_style(name)
        # The last column is the scrollbar's, whether or not there is one.
        line: Content = row(self.overview.entries[path], width - 1, self._clock())
        return Strip(line.pad_right(max(0, width - line.cell_length)).render_segments(style)).crop(0, width)

    def on_resize(self, event: events.Resize) -> None:
        """Keep the cursor in view."""
        self.virtual_size = Size(self.size.width, len(self.paths))
        self._see_cursor()

    def on_focus(self) -> None:
        """The cursor looks different."""
        self.refresh()
        self.post_message(self.Moved())

    def on_blur(self) -> None:
        """The cursor looks different."""
        self.refresh()

    # The mouse

    def on_click(self, event: events.Click) -> None:
        """Go to the row under the mouse; open it where the cursor is there already."""
        event.stop()
        number = event.y + self.scroll_offset.y
        if number >= len(self.paths):
            return
        if number == self.at and self.overview.cursor is not None:
            self.post_message(self.Opened())
        else:
            self._go(number)


class ProjectTable(Vertical):
    """Heads and rows."""

    DEFAULT_CSS = """
    ProjectTable { height: 1fr; }
    """

    def __init__(self, clock: Callable[[], datetime]) -> None:
        super().__init__()
        self.heads = ProjectHeads()
        self.rows = ProjectRows(clock)

    def compose(self) -> ComposeResult:
        """Heads above rows."""
        yield self.heads
        yield self.rows

    def show(self, overview: Overview, keep_place: bool = True) -> None:
        """Show this in both."""
        if overview.sorting != self.heads.overview.sorting:
            self.heads.refresh()
        self.heads.overview = overview
        self.rows.show(overview, keep_place)
