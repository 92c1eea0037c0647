"""The pane below a note: what is known of the line under the cursor, looked up while the cursor rests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from textual import on

from memreview.checks.nightly import NoteText, lines_to_check
from memreview.checks.note_facts import note_facts
from memreview.diff.lines import split_lines, text_lines
from memreview.errors import MemreviewError
from memreview.model.dream import Project
from memreview.tui.line_facts import CommitSpot, KeptSpot, Later, LineShown, Origins, at, since_when
from memreview.tui.screens.project_views import RAW, ProjectViews
from memreview.tui.screens.transcript import TranscriptScreen
from memreview.tui.widgets.ground_rows import Spot
from memreview.tui.widgets.line_rows import line_rows
from memreview.tui.widgets.report_lines import NoteLines
from memreview.tui.widgets.row_list import ListRow, RowList
from memreview.tui.widgets.status_line import StatusLine

REST = 0.15
"""Seconds in which the cursor may go on to another line before anything is looked up."""
MOST = 200
"""Lines of which is kept what was said later."""

NoteKey = tuple[str, bytes]
LineKey = tuple[str, str | None, tuple[str, ...]]
"""A line, since when something is said later, and the places that the check names."""


class _LeftError(MemreviewError):
    """The cursor is elsewhere, so nobody waits for what is looked up."""


class ProjectLines(ProjectViews):
    """Looks up one thing at a time, for the line that is chosen when it begins."""

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self._origins: tuple[NoteKey, Origins] | None = None
        self._laters: dict[LineKey, Later] = {}
        self._looking_up = False
        self._left = False
        self._described: tuple[str | None, int] = (None, 0)

    @property
    def line_pane(self) -> RowList:
        """The pane below the note."""
        return self.query_one("#line", RowList)

    def draw_view(self) -> None:
        """Draw the view that is shown; below the lines of a note, what is known of one."""
        super().draw_view()
        if self.view == RAW:
            self._draw_line()

    @on(NoteLines.Chosen)
    def _line_chosen(self) -> None:
        if self.view == RAW:
            self._draw_line()
            # What is said of an act is not taken away by drawing the same line again.
            if self._described != (self.note, self.raw.line):
                self._described = (self.note, self.raw.line)
                self.describe()

    def _draw_line(self) -> None:
        self.line_pane.show_rows(self._line_rows)
        self.look_up()

    def _line_rows(self, width: int) -> list[ListRow]:
        line = self.line_shown()
        return line_rows(line, width, self._masks) if line is not None else []

    def line_shown(self) -> LineShown | None:
        """The chosen line with all that is known of it by now."""
        data = self.report.notes.get(self.note or "") if self.report is not None else None
        if data is None or self.note is None:
            return None
        lines, stating = _lines(self.note, data)
        number = self.raw.line
        if not 0 < number <= len(lines):
            return None
        own = self.advised_at(self.note, number)
        known = self._origins
        origins = known[1] if known is not None and known[0] == (self.note, data) else None
        line = LineShown(self.note, number, lines[number - 1], number in stating, own, origins=origins)
        later = self._laters.get(_line_key(line, data))
        return replace(line, later=later, places=later.places if later is not None else {})

    # Looking up

    def look_up(self) -> None:
        """Look up what is not known yet of the chosen line, and of the lines of its note."""
        if not self._looking_up and self._next() is not None:
            self._looking_up = True
            self.run_worker(self._look_up(), group="line")

    def on_unmount(self) -> None:
        """Nobody waits any more."""
        self._left = True

    def forget_lines(self) -> None:
        """Look everything up anew: notes, transcripts, or what is kept have changed."""
        self._origins = None
        self._laters.clear()

    async def _look_up(self) -> None:
        try:
            while (wanted := self._next()) is not None:
                await asyncio.sleep(REST)
                if wanted != self._next():
                    continue
                # A thread, as git and the transcripts are read.
                await asyncio.to_thread(self._carry_out, wanted)
                if not self._left:
                    self.line_pane.show_rows(self._line_rows)
        finally:
            self._looking_up = False

    def _next(self) -> tuple[LineShown, bytes] | None:
        """What is to be looked up next."""
        line = self.line_shown() if self.view == RAW and not self._left else None
        data = self.report.notes.get(line.note) if self.report is not None and line is not None else None
        if line is None or data is None or (line.origins is not None and (line.later is not None or not _asks(line))):
            return None
        return line, data

    def _carry_out(self, wanted: tuple[LineShown, bytes]) -> None:
        line, data = wanted
        if line.origins is None:
            self._origins = ((line.note, data), self._origins_of(line.note))
            return
        key = _line_key(line, data)

        def tell(done: int, total: int) -> None:
            if self._next() != wanted:
                raise _LeftError("The cursor has gone on.")

        try:
            later = self._later(line, key, tell)
        except _LeftError:
            return
        except (MemreviewError, OSError) as error:
            later = Later(key[1], problem=str(error))
        while len(self._laters) >= MOST:
            self._laters.pop(next(iter(self._laters)))
        self._laters[key] = later

    def _origins_of(self, note: str) -> Origins:
        from memreview import upkeep

        options = self.memreview.options
        try:
            lines = upkeep.line_origins(self.project, note)
            records = [record for origin in lines for record in origin.records]
            return Origins(lines, upkeep.whereabouts(self.project, options, records))
        except (MemreviewError, OSError) as error:
            return Origins(problem=str(error))

    def _later(self, line: LineShown, key: LineKey, tell: Callable[[int, int], None]) -> Later:
        from memreview import upkeep

        options, project = self.memreview.options, self.project
        told = upkeep.what_followed(project, options, line.text, key[1], tell) if line.states else ()
        places = [*key[2], *(at(one) for one in told)]
        return Later(key[1], told, upkeep.whereabouts(project, options, (), places))

    # Opening

    def open_spot(self, spot: object) -> None:
        """Open what a row of the pane leads to: a line of a transcript, a commit, or what was kept with it."""
        match spot:
            case Spot(path=path, line=line):
                self.app.push_screen(TranscriptScreen(path, line, self.memreview.options, (line,)))
            case CommitSpot(commit=commit, change=change):
                self.memreview.open_history(self.project, commit, change)
            case KeptSpot(commit=commit, change=change):
                self.memreview.open_history(self.project, commit, change)

    def about_spot(self, spot: object) -> str:
        """What enter does on a row of the pane."""
        match spot:
            case Spot(path=path, line=line):
                return f"enter opens {path}:{line}"
            case CommitSpot():
                return "enter opens this commit in the history, with its evidence"
            case KeptSpot():
                return "enter opens the evidence that was kept with the commit"
        return "enter opens what a row below leads to: a transcript, a commit, kept evidence"

    def describe(self) -> None:
        """Say what a row of the pane leads to."""
        if self.view == RAW and self.line_pane.has_focus:
            self.query_one(StatusLine).say(self.about_spot(self.line_pane.chosen))
        else:
            super().describe()


def _asks(line: LineShown) -> bool:
    """True for a line of which transcripts are asked: one that states something, or that the check speaks of."""
    return line.states or (line.advised is not None and bool(line.advised.places))


def _line_key(line: LineShown, data: bytes) -> LineKey:
    origin = line.origins.of(line.number) if line.origins is not None else None
    places = line.advised.places if line.advised is not None else ()
    return (line.text, since_when(origin, data), places)


@lru_cache(maxsize=8)
def _lines(note: str, data: bytes) -> tuple[tuple[str, ...], frozenset[int]]:
    """The lines of a note, and the numbers of those that state something."""
    lines = tuple(text_lines(split_lines(data)))
    text = NoteText(note, lines, note_facts(data).head_lines)
    return lines, frozenset(number for number, _ in lines_to_check(text))
