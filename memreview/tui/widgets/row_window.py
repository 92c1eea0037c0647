"""Rows in a scrolling window: how they wrap, on which lines they stand, which one is clicked."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memreview.tui.content import row_starts
from memreview.tui.rows.model import Row


@dataclass(slots=True)
class Wrapped:
    """Where rows stand: ``offsets`` is the running sum of their heights, ``breaks`` where the lines of a cell begin."""

    widths: tuple[int, ...] = ()
    offsets: list[int] = field(default_factory=lambda: [0])
    breaks: dict[tuple[int, int], list[int]] = field(default_factory=dict)

    @property
    def height(self) -> int:
        """Lines of all rows."""
        return self.offsets[-1]

    def width(self, row: Row, cell: int) -> int:
        """Cells for a column of a row, its margin included: a row of one column has them all."""
        return sum(self.widths) if len(row.cells) == 1 else self.widths[cell]


class RowWindow(ScrollView, can_focus=True):
    """Lays rows out and scrolls over them; what a line looks like is the subclass's."""

    DEFAULT_CSS = """
    RowWindow {
        height: 1fr; overflow-x: hidden; overflow-y: auto; scrollbar-size-vertical: 1; scrollbar-gutter: stable;
    }
    """

    class Clicked(Message):
        """A row was clicked: which one, at which cell from the left edge, and the window."""

        def __init__(self, view: RowWindow, index: int, x: int) -> None:
            super().__init__()
            self.view = view
            self.index = index
            self.x = x

        @property
        def control(self) -> RowWindow:
            """The window in which the click happened."""
            return self.view

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.rows: Sequence[Row] = ()
        self.wrap = True
        self.wrapped = Wrapped()
        self.shifted = 0
        self.strips: dict[int, Strip] = {}
        self.text_width = 0
        """Cells in a line: the scrollbar's column is kept free also while there is none."""
        self._wish: tuple[int, int, int] | None = None

    def margin_width(self, row: Row | None, cell: int) -> int:
        """Cells left of the text of a column (of every row where ``row`` is None)."""
        return 0

    def columns(self, width: int) -> tuple[int, ...]:
        """The widths of the columns of a window of this width, margins included."""
        return (width,)

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show these rows from now on."""
        self.rows = rows
        self.lay_out()

    def set_wrap(self, wrap: bool) -> None:
        """Wrap long lines, or cut them."""
        self.wrap = wrap
        self.shifted = 0
        self.lay_out()

    def shift(self, cells: int) -> None:
        """Move cut lines to the left or right."""
        longest = max((len(cell.text) for row in self.rows for cell in row.cells), default=0)
        self.shifted = max(0, min(self.shifted + cells, longest - 8))
        self.strips.clear()
        self.refresh()

    def lay_out(self) -> None:
        """Find out anew which rows stand on which lines."""
        self.text_width = width = self.size.width - self.styles.scrollbar_size_vertical
        if width <= 0:
            return
        wrapped = Wrapped(self.columns(width))
        heights: list[int] = []
        for index, row in enumerate(self.rows):
            height = 1
            for number, cell in enumerate(row.cells if self.wrap and row.wraps else ()):
                # One cell stays free, so that text does not touch the scrollbar.
                room = wrapped.width(row, number) - self.margin_width(row, number) - 1
                if len(cell.text) * 2 <= room:
                    continue
                starts = row_starts(cell.text, max(room, 2))
                if len(starts) > 1:
                    wrapped.breaks[index, number] = starts
                    height = max(height, len(starts))
            heights.append(height)
        wrapped.offsets = list(accumulate(heights, initial=0))
        self.wrapped = wrapped
        self.strips.clear()
        self.virtual_size = Size(width, wrapped.height)
        self.refresh()

    def line_of(self, index: int) -> int:
        """The first line on which a row is drawn."""
        offsets = self.wrapped.offsets
        return offsets[max(0, min(index, len(offsets) - 1))]

    def row_at(self, line: int) -> int | None:
        """The row that is drawn on a line."""
        if not 0 <= line < self.wrapped.height:
            return None
        return bisect_right(self.wrapped.offsets, line) - 1

    def bring_into_view(self, first: int, last: int, lead: int = 3) -> None:
        """Scroll, where needed, so that rows ``first`` to ``last`` are seen, ``lead`` lines below the top."""
        if not self.wrapped.widths:
            self._wish = (first, last, lead)
            return
        # Scrolling waits for the next layout: what is seen now is not what is seen once that is done.
        self.call_after_refresh(self._scroll_into_view, first, last, lead)

    def _scroll_into_view(self, first: int, last: int, lead: int) -> None:
        if not self.wrapped.widths:
            return
        top, bottom = self.line_of(first), self.line_of(last + 1)
        if top < self.scroll_offset.y + min(lead, 1) or bottom > self.scroll_offset.y + self.size.height:
            self.scroll_to(y=max(0, top - lead), animate=False, immediate=True)

    def redraw_rows(self, *spans: tuple[int, int]) -> None:
        """Draw the rows from the first to the last of each span again: they look different now."""
        for first, last in spans:
            top, bottom = self.line_of(first), self.line_of(last + 1)
            for line in [line for line in self.strips if top <= line < bottom]:
                del self.strips[line]
            start = max(top, self.scroll_offset.y)
            count = min(bottom, self.scroll_offset.y + self.size.height) - start
            if count > 0:
                self.refresh_lines(start, count)

    def on_resize(self, event: events.Resize) -> None:
        """Wrap anew for the new width, keeping the row at the top where it was."""
        top = self.row_at(self.scroll_offset.y)
        self.lay_out()
        if self._wish is not None:
            wish, self._wish = self._wish, None
            self.bring_into_view(*wish)
        elif top is not None:
            self.scroll_to(y=self.line_of(top), animate=False)

    def on_click(self, event: events.Click) -> None:
        """Say which row was clicked."""
        offset = event.get_content_offset(self)
        # The end of a selection is no wish to go anywhere.
        if offset is None or self.screen.get_selected_text():
            return
        index = self.row_at(offset.y + self.scroll_offset.y)
        if index is not None:
            self.post_message(self.Clicked(self, index, offset.x))
