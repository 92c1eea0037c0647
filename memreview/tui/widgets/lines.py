"""A scrolling view of many lines, of which only the visible ones are ever drawn (Textual's Line API).

Rows are plain data; how one looks may depend on the state of the review and is asked for when it is drawn.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rich.segment import Segment
from rich.style import Style
from textual.selection import Selection
from textual.strip import Strip

from memreview.tui.content import Mark, masked
from memreview.tui.widgets.row_window import RowWindow

LONGEST_CUT = 4_096
"""Code points that are drawn at most of a line that is cut: more than any terminal is wide."""
Piece = tuple[str, str]
"""Text that is fit to be drawn, and the name of a style."""


class LineView(RowWindow):
    """Rows that wrap or are cut, drawn as they come into view.

    A subclass says what stands left of a cell's text (:meth:`margin`), in which style a cell is drawn
    (:meth:`cell_style`), and names its styles in ``COMPONENT_CLASSES`` as ``PREFIX + style``.
    """

    PREFIX = "lines--"
    ALLOW_SELECT = True

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.masks = True
        self._strips_key: Hashable = None
        self._base: Style | None = None

    # What subclasses say

    def margin(self, index: int, cell: int, sub: int) -> Sequence[Piece]:
        """What stands left of the ``sub``-th line of a wrapped text, ``margin_width`` cells wide."""
        return ()

    def cell_style(self, index: int, cell: int) -> str:
        """The name of the style of a cell's text and of the rest of its line."""
        return self.rows[index].cells[cell].style

    def marks(self, index: int, cell: int, style: str) -> Sequence[Mark]:
        """What is marked in the text of a cell that is drawn in ``style``."""
        ask = self.rows[index].cells[cell].marks
        return ask() if ask is not None else ()

    def state_key(self) -> Hashable:
        """Whatever the look of rows depends on besides the rows: drawn lines are kept while it stays equal."""
        return None

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
        key = self.state_key()
        if key != self._strips_key:
            self.strips.clear()
            self._strips_key = key
        line = y + self.scroll_offset.y
        strip = self.strips.get(line)
        if strip is None:
            strip = self.strips[line] = self._draw(line, self.text_width)
        selection = self.text_selection
        return strip if selection is None else self._selected(strip, line, selection)

    def notify_style_update(self) -> None:
        """Forget drawn lines when styles change."""
        super().notify_style_update()
        self.strips.clear()
        self._base = None

    def _draw(self, line: int, width: int) -> Strip:
        index = self.row_at(line)
        if index is None:
            return Strip.blank(width, self.base_style)
        sub = line - self.wrapped.offsets[index]
        drawn = Strip(self.segments(index, sub)).adjust_cell_length(width, self.base_style)
        return drawn.apply_offsets(0, line)

    def segments(self, index: int, sub: int) -> list[Segment]:
        """What stands in the ``sub``-th line of a row."""
        segments: list[Segment] = []
        for number in range(len(self.rows[index].cells)):
            segments.extend(self._draw_cell(index, number, sub))
        return segments

    def _draw_cell(self, index: int, number: int, sub: int) -> Sequence[Segment]:
        row = self.rows[index]
        cell = row.cells[number]
        name = self.cell_style(index, number)
        style = self.style_named(name)
        segments = [Segment(text, self.style_named(part)) for text, part in self.margin(index, number, sub)]
        starts = self.wrapped.breaks.get((index, number), [0])
        if sub < len(starts):
            start = starts[sub]
            end = starts[sub + 1] if sub + 1 < len(starts) else len(cell.text)
            if not self.wrap or not row.wraps:
                start = self.shifted if row.wraps else 0
                end = min(end, start + LONGEST_CUT)
            segments.extend(self._marked(cell.text, self.marks(index, number, name), start, end, style))
        width = self.wrapped.width(row, number)
        strip = Strip(segments)
        if not self.wrap and strip.cell_length > width > 0:
            strip = Strip.join([strip.crop(0, width - 1), Strip([Segment("…", style)])])
        return list(strip.adjust_cell_length(width, style))

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

    # Selecting with the mouse

    def _selected(self, strip: Strip, line: int, selection: Selection) -> Strip:
        span = selection.get_span(line)
        if span is None:
            return strip
        text = strip.text
        start, end = span[0], len(text) if span[1] < 0 else span[1]
        places = [strip.index_to_cell_position(min(place, len(text))) for place in (start, end)]
        if places[0] >= places[1]:
            return strip
        style = self.screen.get_component_rich_style("screen--selection")
        cell_length = strip.cell_length
        return Strip.join(
            [
                strip.crop(0, places[0]),
                strip.crop(places[0], places[1]).apply_style(style),
                strip.crop(places[1], cell_length),
            ]
        )

    def selection_updated(self, selection: Selection | None) -> None:
        """Draw the selection."""
        self.refresh()

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text without margins; what was wrapped is one line again."""
        first = selection.start.y if selection.start is not None else 0
        last = selection.end.y if selection.end is not None else self.wrapped.height - 1
        parts: list[str] = []
        for line in range(max(0, first), min(last, self.wrapped.height - 1) + 1):
            index, span = self.row_at(line), selection.get_span(line)
            if index is None or span is None:
                continue
            margin, text = self._text_of(index, line - self.wrapped.offsets[index])
            end = len(text) if span[1] < 0 else max(0, span[1] - margin)
            piece = text[max(0, span[0] - margin) : end]
            if line > self.wrapped.offsets[index] and parts:
                parts[-1] += piece
            else:
                parts.append(piece)
        return "\n".join(part.rstrip() for part in parts), "\n"

    def _text_of(self, index: int, sub: int) -> tuple[int, str]:
        """The width of the margin and the text in a line of a row; of two columns all that is drawn."""
        row = self.rows[index]
        if len(row.cells) > 1:
            return 0, "".join(segment.text for segment in self.segments(index, sub))
        text = masked(row.cells[0].text) if self.masks else row.cells[0].text
        starts = [*self.wrapped.breaks.get((index, 0), [0]), len(text)]
        return self.margin_width(row, 0), text[starts[sub] : starts[sub + 1]]
