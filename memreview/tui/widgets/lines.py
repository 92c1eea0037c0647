"""A scrolling view of many lines, of which only the visible ones are ever drawn (Textual's Line API).

Rows are plain data; how one looks may depend on the state of the review and is asked for when it is drawn.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memreview.tui.content import Mark, masked, row_starts
from memreview.tui.rows.model import Row

LONGEST_CUT = 4_096
"""Code points that are drawn at most of a line that is cut: more than any terminal is wide."""
Piece = tuple[str, str]
"""Text that is fit to be drawn, and the name of a style."""


@dataclass(slots=True)
class _Layout:
    """Where rows begin: ``starts[cell]`` of a row, and the running sum of heights."""

    widths: tuple[int, ...] = ()
    offsets: list[int] = field(default_factory=lambda: [0])
    breaks: dict[tuple[int, int], list[int]] = field(default_factory=dict)

    @property
    def height(self) -> int:
        return self.offsets[-1]


class LineView(ScrollView, can_focus=True):
    """Rows that wrap or are cut, drawn as they come into view.

    A subclass says what stands left of a cell's text (:meth:`margin`), in which style a cell is drawn
    (:meth:`cell_style`), and names its styles in ``COMPONENT_CLASSES`` as ``PREFIX + style``.
    """

    PREFIX = "lines--"
    DEFAULT_CSS = """
    LineView {
        height: 1fr; overflow-x: hidden; overflow-y: auto; scrollbar-size-vertical: 1; scrollbar-gutter: stable;
    }
    """

    class Clicked(Message):
        """A row was clicked: which one, at which cell from the left edge, and the view."""

        def __init__(self, view: LineView, index: int, x: int) -> None:
            super().__init__()
            self.view = view
            self.index = index
            self.x = x

        @property
        def control(self) -> LineView:
            """The view in which the click happened."""
            return self.view

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.rows: Sequence[Row] = ()
        self.wrap = True
        self.masks = True
        self._layout_now = _Layout()
        self._strips: dict[int, Strip] = {}
        self._strips_key: Hashable = None
        self._base: Style | None = None
        self._width = 0
        self._shift = 0
        self._wish: tuple[int, int, int] | None = None

    # What subclasses say

    def margin_width(self, row: Row | None, cell: int) -> int:
        """Cells left of the text of a column (of every row where ``row`` is None)."""
        return 0

    def margin(self, index: int, cell: int, first: bool) -> Sequence[Piece]:
        """What stands left of the text, ``margin_width`` cells wide; ``first`` for the first row of a wrapped line."""
        return ()

    def cell_style(self, index: int, cell: int) -> str:
        """The name of the style of a cell's text and of the rest of its line."""
        return self.rows[index].cells[cell].style

    def marks(self, index: int, cell: int, style: str) -> Sequence[Mark]:
        """What is marked in the text of a cell that is drawn in ``style``."""
        ask = self.rows[index].cells[cell].marks
        return ask() if ask is not None else ()

    def columns(self, width: int) -> tuple[int, ...]:
        """The widths of the columns of a view of this width, margins included."""
        return (width,)

    def state_key(self) -> Hashable:
        """Whatever the look of rows depends on besides the rows: drawn lines are kept while it stays equal."""
        return None

    # The rows and where they are

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show these rows from now on."""
        self.rows = rows
        self._lay_out()

    def set_wrap(self, wrap: bool) -> None:
        """Wrap long lines, or cut them."""
        self.wrap = wrap
        self._shift = 0
        self._lay_out()

    def redraw_rows(self, *spans: tuple[int, int]) -> None:
        """Draw the rows from the first to the last of each span again: they look different now."""
        for first, last in spans:
            top, bottom = self.line_of(first), self.line_of(last + 1)
            start = max(top, self.scroll_offset.y)
            count = min(bottom, self.scroll_offset.y + self.size.height) - start
            for line in range(top, bottom) if bottom - top < len(self._strips) else list(self._strips):
                if top <= line < bottom:
                    self._strips.pop(line, None)
            if count > 0:
                self.refresh_lines(start, count)

    @property
    def text_width(self) -> int:
        """Cells in a line: the scrollbar's column is kept free also while there is none."""
        return self._width

    def line_of(self, index: int) -> int:
        """The first line on which a row is drawn."""
        offsets = self._layout_now.offsets
        return offsets[max(0, min(index, len(offsets) - 1))]

    def row_at(self, line: int) -> int | None:
        """The row that is drawn on a line."""
        if not 0 <= line < self._layout_now.height:
            return None
        return bisect_right(self._layout_now.offsets, line) - 1

    def bring_into_view(self, first: int, last: int, lead: int = 3) -> None:
        """Scroll, where needed, so that rows ``first`` to ``last`` are seen, ``lead`` lines below the top."""
        if not self._layout_now.widths:
            self._wish = (first, last, lead)
            return
        top, bottom = self.line_of(first), self.line_of(last + 1)
        height = self.size.height
        if top < self.scroll_offset.y + min(lead, 1) or bottom > self.scroll_offset.y + height:
            self.scroll_to(y=max(0, top - lead), animate=False)

    def shift(self, cells: int) -> None:
        """Move cut lines to the left or right."""
        longest = max((len(cell.text) for row in self.rows for cell in row.cells), default=0)
        self._shift = max(0, min(self._shift + cells, longest - 8))
        self._strips.clear()
        self.refresh()

    def _lay_out(self) -> None:
        self._width = width = self.size.width - self.styles.scrollbar_size_vertical
        if width <= 0:
            return
        columns = self.columns(width)
        layout = _Layout(columns)
        heights: list[int] = []
        for index, row in enumerate(self.rows):
            height = 1
            if self.wrap and row.wraps:
                for number, cell in enumerate(row.cells):
                    room = self._column_width(row, number, columns) - self.margin_width(row, number) - 1
                    if len(cell.text) * 2 <= room:
                        continue
                    starts = row_starts(cell.text, max(room, 2))
                    if len(starts) > 1:
                        layout.breaks[index, number] = starts
                        height = max(height, len(starts))
            heights.append(height)
        layout.offsets = list(accumulate(heights, initial=0))
        self._layout_now = layout
        self._strips.clear()
        self.virtual_size = Size(width, layout.height)
        self.refresh()

    def _column_width(self, row: Row, number: int, columns: tuple[int, ...]) -> int:
        return sum(columns) if len(row.cells) == 1 else columns[number]

    # Drawing

    def style_named(self, name: str) -> Style:
        """The style of a component class of this view."""
        return self.get_component_rich_style(self.PREFIX + name) if name else self.base_style

    def _mark_style(self, names: str) -> Style:
        """The styles of a mark, of which each changes only what it names."""
        first, *more = names.split(" ")
        style = self.get_component_rich_style(self.PREFIX + first, partial=True)
        for name in more:
            style += self.get_component_rich_style(self.PREFIX + name, partial=True)
        return style

    @property
    def base_style(self) -> Style:
        """The style of the view itself."""
        if self._base is None:
            self._base = self.rich_style
        return self._base

    def render_line(self, y: int) -> Strip:
        """The strip of a line of the window."""
        width = self.text_width
        key = self.state_key()
        if key != self._strips_key:
            self._strips.clear()
            self._strips_key = key
        line = y + self.scroll_offset.y
        strip = self._strips.get(line)
        if strip is None:
            strip = self._strips[line] = self._draw(line, width)
        return strip

    def notify_style_update(self) -> None:
        """Forget drawn lines when styles change."""
        super().notify_style_update()
        self._strips.clear()
        self._base = None

    def _draw(self, line: int, width: int) -> Strip:
        index = self.row_at(line)
        if index is None:
            return Strip.blank(width, self.base_style)
        sub = line - self._layout_now.offsets[index]
        return Strip(self.segments(index, sub)).adjust_cell_length(width, self.base_style)

    def segments(self, index: int, sub: int) -> list[Segment]:
        """What stands in the ``sub``-th line of a row."""
        segments: list[Segment] = []
        for number in range(len(self.rows[index].cells)):
            segments.extend(self._draw_cell(index, number, sub))
        return segments

    def _draw_cell(self, index: int, number: int, sub: int) -> Sequence[Segment]:
        row = self.rows[index]
        cell = row.cells[number]
        total = self._column_width(row, number, self._layout_now.widths)
        name = self.cell_style(index, number)
        style = self.style_named(name)
        segments = [Segment(text, self.style_named(name)) for text, name in self.margin(index, number, sub == 0)]
        starts = self._layout_now.breaks.get((index, number), [0])
        if sub < len(starts):
            start = starts[sub]
            end = starts[sub + 1] if sub + 1 < len(starts) else len(cell.text)
            if not self.wrap or not row.wraps:
                start = self._shift if row.wraps else 0
                end = min(end, start + LONGEST_CUT)
            marks = self.marks(index, number, name)
            segments.extend(self._marked(cell.text, marks, start, end, style))
        return list(Strip(segments).adjust_cell_length(total, style))

    def _marked(self, text: str, marks: Sequence[Mark], start: int, end: int, style: Style) -> list[Segment]:
        text = masked(text) if self.masks else text
        segments: list[Segment] = []
        at = start
        for mark in marks:
            if mark.end <= at or mark.start >= end:
                continue
            if mark.start > at:
                segments.append(Segment(text[at : mark.start], style))
            begin = max(mark.start, at)
            at = min(mark.end, end)
            segments.append(Segment(text[begin:at], style + self._mark_style(mark.style)))
        if at < end:
            segments.append(Segment(text[at:end], style))
        return segments

    # Events

    def on_resize(self, event: events.Resize) -> None:
        """Wrap anew for the new width, keeping the row at the top where it was."""
        top = self.row_at(self.scroll_offset.y)
        self._lay_out()
        if self._wish is not None:
            wish, self._wish = self._wish, None
            self.bring_into_view(*wish)
        elif top is not None:
            self.scroll_to(y=self.line_of(top), animate=False)

    def on_click(self, event: events.Click) -> None:
        """Say which row was clicked."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        index = self.row_at(offset.y + self.scroll_offset.y)
        if index is not None:
            self.post_message(self.Clicked(self, index, offset.x))
