"""Lines of text with a style each, and of a note with their numbers and what a session is not told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memreview.tui import content
from memreview.tui.rows.model import Cell, Row
from memreview.tui.widgets.lines import LineView, Piece

SIGN = 2
"""Cells for the sign of a finding left of a line's number."""


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
    """A note as it is: its lines with numbers, signs where something was found, and the cut."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._digits = 1
        self._signs: Mapping[int, Piece] = {}

    def show_note(self, text: str, signs: Mapping[int, Piece], cut: int | None = None, here: int | None = None) -> None:
        """Show a text. ``signs`` by line (from 1); from line ``cut`` on nothing is loaded; ``here`` is brought out."""
        lines = text.split("\n")
        if lines and not lines[-1]:
            lines.pop()
        self._digits = len(str(max(1, len(lines))))
        self._signs = signs
        rows: list[Row] = []
        at = 0
        for number, line in enumerate(lines, 1):
            if number == cut:
                rows.append(Row((Cell("── not loaded from here on ──", "error"),), wraps=False))
            if number == here:
                at = len(rows)
            style = "here" if number == here else "quiet" if cut is not None and number >= cut else ""
            rows.append(Row((Cell(content.shown(line.removesuffix("\r")), style, number=number),)))
        self.set_rows(rows)
        if here is not None:
            self.bring_into_view(at, at)
        else:
            self.scroll_home(animate=False, immediate=True)

    def margin_width(self, row: Row | None, cell: int) -> int:
        """Sign, number and a blank."""
        return SIGN + self._digits + 1

    def margin(self, index: int, cell: int, sub: int) -> Sequence[Piece]:
        """The sign and the number of a line, in its first row."""
        number = self.rows[index].cells[cell].number
        if sub or not number:
            return ((" " * self.margin_width(None, cell), ""),)
        sign, style = self._signs.get(number, (" ", ""))
        return ((f"{sign} ", style), (f"{number:>{self._digits}} ", "number"))
