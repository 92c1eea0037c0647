"""A transcript as a scrolling view of its records, drawn from wherever it is looked at (Textual's Line API)."""

from __future__ import annotations

import re

from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.scrollbar import ScrollBar, ScrollDown, ScrollTo, ScrollUp
from textual.strip import Strip
from textual.widget import Widget

from memreview.model.transcript import Record
from memreview.tui.widgets.record_paint import RecordPainter, gutter_width
from memreview.tui.widgets.records import Place, RecordFlow, Row, Source

WHEEL_ROWS = 3


class RecordLines(Widget, can_focus=True):
    """The rows of a :class:`RecordFlow` from a place on, with a current record that keys act on."""

    COMPONENT_CLASSES = {
        "records--line",
        "records--time",
        "records--user",
        "records--tool",
        "records--call",
        "records--assistant",
        "records--other",
        "records--day",
        "records--more",
        "records--raw",
        "records--cited",
        "records--failed",
        "records--match",
        "records--current",
    }
    DEFAULT_CSS = """
    RecordLines {
        width: 1fr; height: 1fr;
        .records--line, .records--time, .records--raw, .records--other, .records--more { color: $quiet; }
        .records--more { text-style: italic; }
        .records--user { color: $primary; text-style: bold; }
        .records--tool { color: $success; }
        .records--call { color: $secondary; }
        .records--assistant { color: $foreground; }
        .records--failed { color: $error; }
        .records--day { color: $quiet; text-style: bold; }
        .records--cited { color: $cited; text-style: bold; }
        .records--match { color: $background; background: $accent; text-style: bold; }
        .records--current { background: $panel; }
        &:ansi .records--current { background: ansi_default; text-style: bold; }
        &:ansi .records--match { color: ansi_default; background: ansi_default; text-style: reverse bold; }
    }
    """

    class Moved(Message):
        """Another record is current, or other rows are in view."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.flow: RecordFlow | None = None
        self.top = Place(1)
        self.current = 1
        self._pattern: re.Pattern[str] | None = None
        self._rows: list[tuple[Place, Row]] | None = None

    # What is shown

    def open(self, source: Source, line: int, *, cited: tuple[int, ...], mask: bool) -> None:
        """Show a transcript with ``line`` as the current record, about a third down the window."""
        self.flow = RecordFlow(source, self._text_width(source), cited=cited, mask=mask)
        self.flow.opened.update(cited)
        self.go(line)

    def go(self, line: int) -> None:
        """Make the record of a line current (the next one with words, where it has none) and show it."""
        if self.flow is None or not self.flow.source.line_count:
            return
        self.current = self.flow.nearest(line)
        self.top = self.flow.moved(Place(self.current), -(self.size.height // 3))
        self._settle()

    def go_to_match(self, line: int) -> None:
        """Show a record at its first match; where a long record hides it, the record is opened."""
        self.go(line)
        if self.flow is None or self._pattern is None or self._first_match() is not None:
            return
        if line not in self.flow.opened and self.flow.block(self.current)[-1].kind == "more":
            self.flow.toggle_opened(line)
            row = self._first_match()
            if row is not None:
                self.top = self.flow.moved(Place(self.current, row), -(self.size.height // 3))
            self._settle()

    def _first_match(self) -> int | None:
        if self.flow is None or self._pattern is None:
            return None
        block = self.flow.block(self.current)
        return next((n for n, row in enumerate(block) if row.whole and self._pattern.search(row.whole)), None)

    def edge(self, end: int) -> None:
        """Go to the first (0) or the last (-1) record."""
        if self.flow is None:
            return
        self.go(self.flow.last_line() if end else self.flow.first_line())
        if end:
            self.top = self.flow.lowest_top(self.size.height)
            self._settle()

    def move(self, step: int) -> None:
        """Make the next (1) or previous (-1) record current; a record taller than the window is scrolled through."""
        if self.flow is None:
            return
        rows = self._window()
        own = [place.row for place, _ in rows if place.line == self.current]
        whole = len(self.flow.block(self.current))
        if own and whole > self.size.height:
            unseen = whole - 1 - own[-1] if step > 0 else own[0]
            if unseen > 0:
                self.scroll_rows(step * min(unseen, max(1, self.size.height - 2)))
                return
        line = self.flow.next_line(self.current) if step > 0 else self.flow.previous_line(self.current)
        if line is not None:
            self.current = line
            self._show_current()
        self._settle()

    def page(self, step: int) -> None:
        """Scroll by a window, and make a record in it current."""
        self.scroll_rows(step * max(1, self.size.height - 2))
        lines = [place.line for place, _ in self._window()]
        if lines and self.current not in lines:
            self.current = lines[0] if step > 0 else lines[-1]
            self._settle()

    def scroll_rows(self, rows: int) -> None:
        """Scroll by rows; the current record stays, in view or not."""
        if self.flow is not None:
            self.top = self.flow.moved(self.top, rows)
            self._settle()

    def toggle_current(self) -> None:
        """Show all of the current record, or its beginning again."""
        if self.flow is not None:
            self.flow.toggle_opened(self.current)
            if self.top.line == self.current:
                self.top = Place(self.current)
            self._settle()

    def toggle_noise(self) -> bool:
        """Show or hide records without words; True where they are shown now."""
        if self.flow is None:
            return False
        self.flow.set_show_all(not self.flow.show_all)
        self.go(self.current)
        return self.flow.show_all

    def mark_matches(self, pattern: re.Pattern[str] | None) -> None:
        """Mark what is searched wherever it stands."""
        self._pattern = pattern
        self.refresh()

    @property
    def current_record(self) -> Record | None:
        """The record that keys act on."""
        return self.flow.record(self.current) if self.flow is not None else None

    @property
    def seen(self) -> tuple[int, int]:
        """The first and the last line in the window."""
        rows = self._window()
        return (rows[0][0].line, rows[-1][0].line) if rows else (0, 0)

    # Where the rows are

    def _text_width(self, source: Source) -> int:
        return max(10, self.size.width - gutter_width(source.line_count) - 1)

    def _window(self) -> list[tuple[Place, Row]]:
        if self._rows is None:
            self._rows = self.flow.window(self.top, self.size.height) if self.flow is not None else []
        return self._rows

    def _show_current(self) -> None:
        if self.flow is None:
            return
        rows = self._window()
        own = [place.row for place, _ in rows if place.line == self.current]
        height = len(self.flow.block(self.current))
        if own and own[0] == 0 and own[-1] == height - 1:
            return
        if self.current <= self.top.line:
            self.top = Place(self.current)
        else:
            end = Place(self.current, min(height, self.size.height) - 1)
            self.top = self.flow.moved(end, 1 - self.size.height)

    def _settle(self) -> None:
        """Keep the window full at the transcript's end, and draw."""
        self._rows = None
        if self.flow is not None and self.size.height:
            if len(self._window()) < self.size.height:
                self.top = self.flow.lowest_top(self.size.height)
                self._rows = None
            self.post_message(self.Moved())
        self.refresh()

    # Drawing

    def render_line(self, y: int) -> Strip:
        """The strip of one row of the window."""
        rows = self._window()
        width = self.size.width
        if y >= len(rows) or self.flow is None:
            return Strip.blank(width, self.rich_style)
        place, row = rows[y]
        painter = RecordPainter(self._style, self.rich_style, self.flow.source.line_count, self.flow.cited)
        return painter.strip(row, width, current=place.line == self.current, pattern=self._pattern)

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(f"records--{name}")

    # Events

    def on_resize(self, event: events.Resize) -> None:
        """Wrap anew, with the current record in view."""
        if self.flow is not None:
            seen = self.top
            self.flow.set_width(self._text_width(self.flow.source))
            self.top = Place(seen.line)
            self._rows = None
            self._show_current()
            self._settle()

    def on_click(self, event: events.Click) -> None:
        """Make the record under the mouse current; on the line that says what is cut, open it."""
        rows = self._window()
        if event.y >= len(rows):
            return
        place, row = rows[event.y]
        self.current = place.line
        if row.kind == "more":
            self.toggle_current()
        self._settle()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll down by some rows."""
        event.stop()
        self.scroll_rows(WHEEL_ROWS)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll up by some rows."""
        event.stop()
        self.scroll_rows(-WHEEL_ROWS)


class RecordView(Horizontal):
    """The records, and a scrollbar that measures by physical lines, because rows are not known beforehand."""

    DEFAULT_CSS = """
    RecordView { height: 1fr; }
    RecordView > ScrollBar { width: 1; height: 1fr; }
    """

    def compose(self) -> ComposeResult:
        """The records and the scrollbar."""
        yield RecordLines()
        yield ScrollBar(vertical=True, thickness=1)

    @property
    def lines(self) -> RecordLines:
        """The records."""
        return self.query_one(RecordLines)

    def on_record_lines_moved(self) -> None:
        """Move the scrollbar."""
        lines, bar = self.lines, self.query_one(ScrollBar)
        if lines.flow is None:
            return
        first, last = lines.seen
        bar.window_virtual_size = max(1, lines.flow.source.line_count)
        bar.window_size = max(1, last - first + 1)
        bar.position = max(0, first - 1)

    def on_scroll_to(self, message: ScrollTo) -> None:
        """The scrollbar was dragged."""
        message.stop()
        lines = self.lines
        if message.y is not None and lines.flow is not None:
            lines.top = Place(lines.flow.nearest(int(message.y) + 1))
            lines.scroll_rows(0)

    def on_scroll_up(self, message: ScrollUp) -> None:
        """The trough above the thumb was clicked."""
        message.stop()
        self.lines.page(-1)

    def on_scroll_down(self, message: ScrollDown) -> None:
        """The trough below the thumb was clicked."""
        message.stop()
        self.lines.page(1)
