"""Rows in a scrolling window: how they wrap, on which lines they stand, which one is clicked."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

from rich.cells import cell_len
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memreview.tui.content import row_starts
from memreview.tui.rows.model import Row


class Place(NamedTuple):
    """A code point in a cell of a row."""

    row: int
    cell: int
    at: int


class Wish(NamedTuple):
    """Rows that should be seen, ``lead`` lines below the top; where they are too many, the line of ``focus`` is."""

    first: int
    last: int
    lead: int
    focus: Place | None


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
        height: 1fr; overflow-x: hidden; overflow-y: scroll; scrollbar-size-vertical: 1;
    }
    """

    class Clicked(Message):
        """A row was clicked: which one, at which cell from the left edge, on which line, and the window."""

        def __init__(self, view: RowWindow, index: int, x: int, line: int) -> None:
            super().__init__()
            self.view = view
            self.index = index
            self.x = x
            self.line = line

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
        self._wish: Wish | None = None
        self._wished_at = 0

    @property
    def allow_vertical_scroll(self) -> bool:
        """True where there is something to scroll; else keys that would scroll are the screen's."""
        return super().allow_vertical_scroll and self.max_scroll_y > 0

    def margin_width(self, row: Row | None, cell: int) -> int:
        """Cells left of the text of a column (of every row where ``row`` is None)."""
        return 0

    def columns(self, width: int) -> tuple[int, ...]:
        """The widths of the columns of a window of this width, margins included."""
        return (width,)

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show these rows from now on."""
        self.rows = rows
        self._wish = None
        self.lay_out()

    def set_wrap(self, wrap: bool) -> None:
        """Wrap long lines, or cut them."""
        kept = self.is_where_wished
        self.wrap = wrap
        self.shifted = 0
        self.lay_out()
        if kept and self._wish is not None:
            self._grant(self._wish)

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
            # It is hidden, and may be drawn once before it is told its new size: no place of fewer rows may be left.
            if len(self.wrapped.offsets) > len(self.rows) + 1:
                self.wrapped = Wrapped()
                self.strips.clear()
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
        self._set_height(max(wrapped.height, self.size.height))
        self.refresh()

    def _set_height(self, height: int) -> None:
        """Scroll over so many lines; where the width stays, nothing else on the screen has to be laid out anew.

        The scrollbar is always there, and empty where there is nothing to scroll.
        """
        size = Size(self.text_width, height)
        if self.virtual_size.width != size.width:
            self.virtual_size = size
            return
        self.set_reactive(ScrollView.virtual_size, size)
        self.vertical_scrollbar.window_virtual_size = height
        if self.scroll_offset.y > self.max_scroll_y:
            self.scroll_to(y=self.max_scroll_y, animate=False, force=True, immediate=True)

    def line_of(self, index: int) -> int:
        """The first line on which a row is drawn."""
        offsets = self.wrapped.offsets
        return offsets[max(0, min(index, len(offsets) - 1))]

    def row_at(self, line: int) -> int | None:
        """The row that is drawn on a line."""
        if not 0 <= line < self.wrapped.height:
            return None
        return bisect_right(self.wrapped.offsets, line) - 1

    def line_of_place(self, place: Place) -> int:
        """The line on which a code point of a row is drawn."""
        starts = self.wrapped.breaks.get((place.row, place.cell), [0])
        return self.line_of(place.row) + bisect_right(starts, place.at) - 1

    def place_at(self, line: int, x: int) -> Place | None:
        """The code point that is drawn on a line, ``x`` cells from the left; None where none is."""
        index = self.row_at(line)
        if index is None or x < 0:
            return None
        row = self.rows[index]
        cell, left = 0, 0
        if len(row.cells) > 1 and x >= self.wrapped.widths[0]:
            cell, left = 1, self.wrapped.widths[0]
        sub = line - self.wrapped.offsets[index]
        starts = self.wrapped.breaks.get((index, cell), [0])
        cells = x - left - self.margin_width(row, cell)
        if sub >= len(starts) or cells < 0:
            return None
        text = row.cells[cell].text
        at = starts[sub] + (0 if self.wrap or not row.wraps else self.shifted)
        end = starts[sub + 1] if sub + 1 < len(starts) else len(text)
        for char in text[at:end]:
            cells -= cell_len(char)
            if cells < 0:
                return Place(index, cell, at)
            at += 1
        return None

    def bring_into_view(self, first: int, last: int, lead: int = 3, focus: Place | None = None) -> None:
        """Scroll, where needed, so that rows ``first`` to ``last`` are seen, ``lead`` lines below the top.

        Where there is no room for all of them, the line of ``focus`` is seen. It holds also when the size changes, as
        long as nobody scrolls.
        """
        self._wish = Wish(first, last, lead, focus)
        if self.wrapped.widths:
            self._grant(self._wish)

    def page(self, step: int) -> None:
        """Scroll by windows, down where ``step`` is positive."""
        # At once: of two quick keys the second would else start where the first one did.
        self.scroll_relative(y=step * max(1, self.size.height - 2), animate=False, immediate=True)

    def _grant(self, wish: Wish) -> None:
        height, now = self.size.height, self.scroll_offset.y
        top, bottom = self.line_of(wish.first), self.line_of(wish.last + 1)
        wanted = now
        if top < now + min(wish.lead, 1) or bottom > now + height:
            wanted = max(0, top - min(wish.lead, max(0, height - (bottom - top))))
        if wish.focus is not None:
            self._show_char(wish.focus)
            line = self.line_of_place(wish.focus)
            if line >= wanted + height:
                wanted = line - height + min(2, height)
            elif line < wanted:
                wanted = max(0, line - 1)
        if wanted != now:
            self.scroll_to(y=wanted, animate=False, force=True, immediate=True)
        self._wished_at = self.scroll_offset.y

    def _show_char(self, place: Place) -> None:
        """Move cut lines so that a code point is seen."""
        if self.wrap:
            return
        row = self.rows[place.row]
        room = self.wrapped.width(row, place.cell) - self.margin_width(row, place.cell) - 2
        if not self.shifted <= place.at < self.shifted + room:
            self.shifted = max(0, place.at - room // 2)
            self.strips.clear()
            self.refresh()

    @property
    def is_where_wished(self) -> bool:
        """True while nobody has scrolled away from what was brought into view."""
        return self._wish is not None and self.scroll_offset.y == self._wished_at

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
        """Wrap anew for the new width; what was brought into view is so again, else the row at the top stays there."""
        top, fresh = self.row_at(self.scroll_offset.y), not self.wrapped.widths
        kept = self.is_where_wished
        self.lay_out()
        if self._wish is not None and (fresh or kept):
            self._grant(self._wish)
        elif top is not None:
            self.scroll_to(y=self.line_of(top), animate=False, force=True, immediate=True)

    def on_click(self, event: events.Click) -> None:
        """Say which row was clicked."""
        offset = event.get_content_offset(self)
        # The end of a selection is no wish to go anywhere.
        if offset is None or self.screen.get_selected_text():
            return
        line = offset.y + self.scroll_offset.y
        index = self.row_at(line)
        if index is not None:
            self.post_message(self.Clicked(self, index, offset.x, line))
