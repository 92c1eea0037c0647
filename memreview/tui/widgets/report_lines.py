"""Lines of text with a style each, and of a note with their numbers and what a session is not told."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Mapping, Sequence

from textual.message import Message

from memreview.tui import content
from memreview.tui.rows.model import Cell, Row
from memreview.tui.widgets.lines import LineView, Piece
from memreview.tui.widgets.row_window import RowWindow

SIGNS = 3
"""Cells for the sign of a finding and of an advice left of a line's number."""


class ReportLines(LineView):
    """Lines, each in the style that its cell names."""

    PREFIX = "report--"
    COMPONENT_CLASSES = {
        "report--head",
        "report--quiet",
        "report--warning",
        "report--error",
        "report--good",
        "report--number",
        "report--here",
        "report--there",
    }
    DEFAULT_CSS = """
    ReportLines {
        padding: 0 0 0 1;
        .report--head { color: $accent; text-style: bold; }
        .report--quiet { color: $quiet; }
        .report--warning { color: $warning; }
        .report--error { color: $error; }
        .report--good { color: $success; }
        .report--number { color: $quiet; }
        .report--here { background: $primary 26%; text-style: bold; }
        .report--there { background: $panel; }
        &:ansi .report--there { background: ansi_default; text-style: underline; }
        &:ansi .report--here { text-style: bold underline; }
    }
    """

    def margin_width(self, row: Row | None, cell: int) -> int:
        """How far a line is indented; what is wrapped of it stands below its beginning."""
        return row.cells[cell].number if row is not None else 0

    def margin(self, index: int, cell: int, sub: int) -> Sequence[Piece]:
        """The indentation."""
        return ((" " * self.rows[index].cells[cell].number, ""),)


class NoteLines(ReportLines):
    """A note as it is: its lines with numbers, signs where something was found, the cut, and a line that is chosen."""

    class Chosen(Message):
        """Another line is chosen: its number."""

        def __init__(self, line: int) -> None:
            super().__init__()
            self.line = line

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.line = 0
        """The number of the chosen line, from 1; 0 where there is none."""
        self._digits = 1
        self._signs: Mapping[int, Sequence[Piece]] = {}
        self._places: list[int] = []

    def show_note(
        self, text: str, signs: Mapping[int, Sequence[Piece]], cut: int | None = None, here: int | None = None
    ) -> None:
        """Show a text. ``signs`` by line (from 1), ``SIGNS`` cells for each; from line ``cut`` on nothing is loaded;
        ``here`` is chosen, else the line that was stays so."""
        lines = text.split("\n")
        if lines and not lines[-1]:
            lines.pop()
        self._digits = len(str(max(1, len(lines))))
        self._signs = signs
        rows: list[Row] = []
        self._places = []
        for number, line in enumerate(lines, 1):
            if number == cut:
                rows.append(Row((Cell("── not loaded from here on ──", "error"),), wraps=False))
            self._places.append(len(rows))
            style = "quiet" if cut is not None and number >= cut else ""
            rows.append(Row((Cell(content.shown(line.removesuffix("\r")), style, number=number),)))
        kept = self.scroll_offset.y if here is None else 0
        self.set_rows(rows)
        self.line = max(min(1, len(lines)), min(here if here is not None else self.line, len(lines)))
        self.scroll_to(y=kept, animate=False, immediate=True)
        if here is not None and self.line:
            self._see()
        self.post_message(self.Chosen(self.line))

    @property
    def count(self) -> int:
        """How many lines the note has."""
        return len(self._places)

    def choose(self, line: int) -> None:
        """Choose a line, the last or the first one where there is none of this number."""
        line = max(1, min(line, len(self._places)))
        if self._places and line != self.line:
            self.line = line
            self.refresh()
            self.post_message(self.Chosen(line))
        if self._places:
            self._see()

    def step(self, step: int) -> None:
        """Choose the next line; of one that is longer than the window the rest is shown first."""
        if not self._places:
            return
        at = self._places[self.line - 1]
        top, bottom = self.scroll_offset.y, self.scroll_offset.y + self.size.height
        if (step > 0 and self.line_of(at + 1) > bottom) or (step < 0 and self.line_of(at) < top):
            self.scroll_relative(y=step, animate=False, immediate=True)
        else:
            self.choose(self.line + step)

    def page(self, step: int) -> None:
        """Choose a line by windows; of one that is longer than the window the rest is shown first."""
        if not self._places:
            return
        goal = self.line_of(self._places[self.line - 1]) + step * max(1, self.size.height - 1)
        row = self.row_at(max(0, min(goal, self.wrapped.height - 1)))
        found = self._number_at(row) if row is not None else self.line
        if found == self.line:
            super().page(step)
        else:
            self.choose(found)

    def _number_at(self, row: int) -> int:
        """The line that stands in a row, or in the one above where that is none of the note's."""
        return max(1, bisect_right(self._places, row))

    def _see(self) -> None:
        at = self._places[self.line - 1]
        self.bring_into_view(at, at, lead=2)

    def state_key(self) -> Hashable:
        """Which line is chosen, and whether keys go there."""
        return (self.line, self.has_focus)

    def watch_has_focus(self, focus: bool) -> None:
        """Draw the chosen line again, which looks different now."""
        super().watch_has_focus(focus)
        self.refresh()

    def cell_style(self, index: int, cell: int) -> str:
        """The chosen line is brought out."""
        own = self.rows[index].cells[cell]
        if own.number and own.number == self.line:
            return "here" if self.has_focus else "there"
        return own.style

    def margin_width(self, row: Row | None, cell: int) -> int:
        """Signs, number and a blank."""
        return SIGNS + self._digits + 1

    def margin(self, index: int, cell: int, sub: int) -> Sequence[Piece]:
        """The signs and the number of a line, in its first row."""
        number = self.rows[index].cells[cell].number
        if sub or not number:
            return ((" " * self.margin_width(None, cell), ""),)
        return (*self._signs.get(number, ((" " * SIGNS, ""),)), (f"{number:>{self._digits}} ", "number"))

    def on_row_window_clicked(self, event: RowWindow.Clicked) -> None:
        """Choose the line under the mouse."""
        event.stop()
        self.choose(self._number_at(event.index))
