"""How one row of a transcript is drawn: mark, line, time, speaker, words."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from memreview.tui.widgets.records import Row, time_of

TIME_WIDTH = 5
SPEAKER_WIDTH = 9


def line_digits(line_count: int) -> int:
    """Cells for the number of a line."""
    return max(3, len(str(line_count)))


def gutter_width(line_count: int) -> int:
    """Cells left of the words."""
    return 1 + line_digits(line_count) + 1 + TIME_WIDTH + 1 + SPEAKER_WIDTH + 1


@dataclass(frozen=True, slots=True)
class RecordPainter:
    """Draws rows. ``style`` gives a style by its name, ``base`` is that of the view, ``cited`` are the marked lines."""

    style: Callable[[str], Style]
    base: Style
    line_count: int
    cited: frozenset[int]

    def strip(self, row: Row, width: int, *, current: bool, pattern: re.Pattern[str] | None) -> Strip:
        """One row, ``width`` cells wide; what ``pattern`` finds in it is marked."""
        if row.kind == "day":
            text = " " * gutter_width(self.line_count) + row.text
            return Strip([Segment(text, self.style("day"))]).adjust_cell_length(width, self.base)
        segments = [*self._left(row, current), *self._words(row, pattern)]
        strip = Strip(segments).adjust_cell_length(width, self.base)
        if not current:
            return strip
        return Strip([Segment(text, self._as_current(style or self.base)) for text, style, _ in strip], width)

    def _as_current(self, style: Style) -> Style:
        """The style of text in the current record: a mark keeps its own background."""
        current = self.style("current")
        marked = style.bgcolor is not None and style.bgcolor != self.base.bgcolor
        return style + Style(bgcolor=None if marked else current.bgcolor, bold=current.bold or None)

    def _left(self, row: Row, current: bool) -> list[Segment]:
        record = row.record
        cited = record.line in self.cited
        mark = "▌" if cited else "›" if current and row.first else " "
        line, time, speaker = ("", "", "")
        if row.first:
            line, time, speaker = str(record.line), time_of(record), record.speaker.value
        return [
            Segment(mark, self.style("cited")),
            Segment(f"{line:>{line_digits(self.line_count)}} ", self.style("cited" if cited else "line")),
            Segment(f"{time:{TIME_WIDTH}} ", self.style("time")),
            Segment(f"{speaker:{SPEAKER_WIDTH}} ", self.style("failed" if record.error else record.speaker.value)),
        ]

    def _words(self, row: Row, pattern: re.Pattern[str] | None) -> list[Segment]:
        style = self.style(row.kind) if row.kind in ("raw", "more") else self.base
        if pattern is None or not row.whole:
            return [Segment(row.text, style)]
        segments: list[Segment] = []
        at = row.start
        end = row.start + len(row.text)
        for match in pattern.finditer(row.whole):
            begin, stop = max(match.start(), at), min(match.end(), end)
            if begin >= stop:
                continue
            segments.append(Segment(row.whole[at:begin], style))
            segments.append(Segment(row.whole[begin:stop], self.style("match")))
            at = stop
        segments.append(Segment(row.whole[at:end], style))
        return segments
