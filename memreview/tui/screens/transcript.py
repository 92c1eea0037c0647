"""A whole transcript at a line: who said what and when, with the cited lines marked, and search in it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import TYPE_CHECKING

from textual import on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message
from textual.worker import Worker, WorkerState, get_current_worker

from memreview.config import Options
from memreview.errors import MemreviewError
from memreview.tui import content
from memreview.tui.keys import Key, bindings
from memreview.tui.screens.base import BaseScreen
from memreview.tui.widgets.key_bar import KeyBar
from memreview.tui.widgets.notice import Notice
from memreview.tui.widgets.prompt import Prompt
from memreview.tui.widgets.record_search import Matches, Scanned, scan
from memreview.tui.widgets.record_view import RecordLines, RecordView
from memreview.tui.widgets.records import Source, finder, moment
from memreview.tui.widgets.status_line import StatusLine
from memreview.tui.widgets.title_bar import TitleBar

if TYPE_CHECKING:
    from memreview.read.transcripts import TranscriptFile

KEYS = (
    Key("transcript.next", "j,down", "records('move', 1)", "j", "next", "Next record", "Move", 1),
    Key("transcript.previous", "k,up", "records('move', -1)", "k", "previous", "Record before", "Move", 2),
    Key(
        "transcript.page_down",
        "pagedown,space,ctrl+d",
        "records('page', 1)",
        "space",
        "",
        "Scroll down by a window",
        "Move",
    ),
    Key("transcript.page_up", "pageup,b,ctrl+u", "records('page', -1)", "b", "", "Window up", "Move"),
    Key("transcript.first", "home,g", "records('edge', 0)", "g", "", "First record", "Move"),
    Key("transcript.last", "end,G", "records('edge', -1)", "G", "", "Last record", "Move"),
    Key("transcript.line", "colon", "ask_line", ":", "line", "Go to a line by its number", "Move", 6),
    Key("transcript.cited", "c", "cited", "c", "cited", "Next cited line", "Move", 3),
    Key("transcript.search", "slash", "search", "/", "search", "Search what was said", "Search", 4),
    Key("transcript.match", "n", "match(1)", "n", "", "Next match", "Search"),
    Key("transcript.match_back", "N", "match(-1)", "N", "", "Match before", "Search"),
    Key(
        "transcript.open",
        "enter",
        "records('toggle_current')",
        "enter",
        "whole record",
        "All of a long record",
        "Look",
        7,
    ),
    Key("transcript.noise", "a", "noise", "a", "all records", "Show or hide records without words", "Look", 5),
    Key("transcript.copy", "y", "copy", "y", "copy", "Copy the citation of this line (FILE:LINE)", "Look", 9),
    Key("transcript.reload", "f5", "reload", "F5", "", "Read the file again, to its present end", "Look"),
    Key("transcript.leave", "q,escape", "leave", "q", "back", "End the search, then go back", "Finish", 8),
)


class TranscriptScreen(BaseScreen):
    """The transcript ``path`` with ``line`` (1-based) in view and the lines of ``cited`` marked."""

    KEYS = KEYS
    BINDINGS = bindings(KEYS)
    TITLE = "Transcript"

    class Opened(Message):
        """The transcript can be read."""

        def __init__(self, source: Source) -> None:
            super().__init__()
            self.source = source

    class Found(Message):
        """The search has looked at another stretch."""

        def __init__(self, matches: Matches, scanned: Scanned | None) -> None:
            super().__init__()
            self.matches = matches
            self.scanned = scanned

    def __init__(self, path: str, line: int, options: Options, cited: Iterable[int] = ()) -> None:
        super().__init__()
        self.path = path
        self.line = max(1, line)
        self.options = options
        self.file_name = PurePath(path).name
        self.cited = tuple(sorted(set(cited)))
        self._matches: Matches | None = None
        self._search: Worker[None] | None = None
        self._note: tuple[str, int] | None = None

    def compose(self) -> ComposeResult:
        """Title, records, what is known of a search, keys."""
        yield TitleBar()
        yield RecordView()
        yield Notice()
        yield StatusLine()
        yield Prompt()
        yield KeyBar()

    def on_mount(self) -> None:
        """Open the file."""
        self.query_one(RecordView).lines.focus()
        self.query_one(Notice).say("Opening the transcript …")
        self._show_title()
        self._open()

    @property
    def records(self) -> RecordLines:
        """The view of the records."""
        return self.query_one(RecordView).lines

    # Reading

    @work(thread=True, exclusive=True, group="open", exit_on_error=False)
    def _open(self) -> None:
        self.post_message(self.Opened(open_source(self.path, self.options)))

    @on(Opened)
    def _opened(self, event: Opened) -> None:
        if not event.source.line_count:
            self.query_one(Notice).say("This transcript is empty.", "Its file has no bytes.")
            return
        self.query_one(Notice).clear()
        self.records.open(event.source, self.line, cited=self.cited, mask=not self.options.show_secrets)
        self._show_status()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Say what kept a file from being read."""
        if event.state is not WorkerState.ERROR:
            return
        error = event.worker.error
        if event.worker.group == "search":
            self._show_status(f"The search stopped: {error}")
        elif isinstance(error, (MemreviewError, OSError)):
            self.query_one(Notice).say(
                "This transcript cannot be read.",
                str(error),
                "Claude Code deletes transcripts that are older than cleanupPeriodDays (30 days by default).",
            )
        elif error is not None:
            raise error

    def action_reload(self) -> None:
        """Read the file again."""
        if self.records.flow is not None:
            self.line = self.records.current
        self._stop_search()
        self._open()

    # Moving

    def action_records(self, what: str, *given: int) -> None:
        """Let the view of the records do one of its own things: ``move``, ``page``, ``edge``, ``toggle_current``."""
        getattr(self.records, what)(*given)

    def action_cited(self) -> None:
        """Go to the next cited line, from the last one to the first."""
        if not self.cited:
            self._show_status("No line of this transcript is cited by the change you came from.")
            return
        after = [line for line in self.cited if line > self.records.current]
        self.records.go(after[0] if after else self.cited[0])

    def action_ask_line(self) -> None:
        """Ask for a line."""
        flow = self.records.flow
        if flow is not None:
            self.query_one(Prompt).ask("line", f"Line (1–{flow.source.line_count})")

    def action_noise(self) -> None:
        """Show or hide records without words."""
        self._note = None
        self.records.toggle_noise()
        self._show_status()

    def action_copy(self) -> None:
        """Copy the citation of the current line."""
        citation = f"{self.file_name}:{self.records.current}"
        self.app.copy_to_clipboard(citation)
        self._show_status(f"Copied {citation}")

    @on(RecordLines.Moved)
    def _moved(self) -> None:
        self._show_title()
        self._show_status()

    # Searching

    def action_search(self) -> None:
        """Ask what to search."""
        if self.records.flow is not None:
            self.query_one(Prompt).ask("search", "Search", self._matches.needle if self._matches else "")

    @on(Prompt.Answered)
    def _answered(self, event: Prompt.Answered) -> None:
        flow = self.records.flow
        if flow is None:
            return
        if event.purpose == "line":
            self._go_to_line(event.text)
        elif event.text.strip():
            self._stop_search()
            self._matches = Matches(event.text, flow.source.line_count)
            self.records.mark_matches(finder(event.text))
            self._search = self._scan(self._matches, self.records.current)
            self._show_status()

    def _go_to_line(self, text: str) -> None:
        flow = self.records.flow
        if flow is None:
            return
        if not text.strip().isdecimal() or not 1 <= int(text) <= flow.source.line_count:
            self._show_status(f"No such line: this transcript has {flow.source.line_count:,}.")
            return
        line = int(text)
        self.records.go(line)
        if self.records.current != line:
            self._show_status(f"Nobody says anything in line {line}: this is the next one (a shows all).")

    @work(thread=True, group="search", exit_on_error=False)
    def _scan(self, matches: Matches, start: int) -> None:
        worker = get_current_worker()
        with open_source(self.path, self.options) as source:
            for scanned in scan(source, matches.needle, start):
                if worker.is_cancelled:
                    return
                self.post_message(self.Found(matches, scanned))
        self.post_message(self.Found(matches, None))

    @on(Found)
    def _found(self, event: Found) -> None:
        if event.matches is self._matches:
            event.matches.add(event.scanned)
            self._go_to_match(from_here=True)
            self._show_status()

    def action_match(self, step: int) -> None:
        """Go to another match."""
        if self._matches is None:
            self.action_search()
        else:
            self._matches.wanted = step
            self._go_to_match()

    def _go_to_match(self, *, from_here: bool = False) -> None:
        line = self._matches.target(self.records.current, from_here=from_here) if self._matches else None
        if line is not None:
            self.records.go_to_match(line)

    def _stop_search(self) -> None:
        if self._search is not None:
            self._search.cancel()
        self._search = self._matches = None
        self.records.mark_matches(None)

    def action_leave(self) -> None:
        """End the search, then go back."""
        if self._matches is not None:
            self._stop_search()
            self._show_status()
        else:
            self.memreview.leave()

    # What is said around the records

    def _show_title(self) -> None:
        left = Content.assemble(("Transcript ", "bold"), content.content(self.file_name))
        right = Content()
        record = self.records.current_record
        flow = self.records.flow
        if flow is not None and record is not None:
            at = moment(record)
            when = f" · {at.day} {at:%b %Y %H:%M}" if at else ""
            right = content.content(f"line {record.line:,} of {flow.source.line_count:,}{when}")
        self.query_one(TitleBar).show(left, right)

    def _show_status(self, said: str = "") -> None:
        """Show ``said`` until another record is current, else what there is to know of the search or the view."""
        line = self.query_one(StatusLine)
        flow = self.records.flow
        if said:
            self._note = (said, self.records.current)
        elif self._note is not None and self._note[1] != self.records.current:
            self._note = None
        if self._note is not None:
            line.say(self._note[0])
        elif self._matches is not None:
            line.say(search_state(self._matches, self.records.current))
        elif flow is not None and flow.show_all:
            line.say("Every line of the file is shown. a hides records in which nobody speaks.")
        elif flow is not None:
            line.say("Records in which nobody speaks are hidden. a shows them.")


def open_source(path: str, options: Options) -> TranscriptFile:
    """Open a transcript for reading by line."""
    from memreview.read.transcripts import open_transcript

    return open_transcript(path, options.cache_dir)


def search_state(matches: Matches, line: int) -> str:
    """What a person wants to know of a search: where we are, how many there are, how far it has come."""
    count = len(matches.lines)
    ends = "" if matches.finished else f" so far, {matches.percent} % searched, escape ends it"
    if not count:
        return f"“{matches.needle}”: no record says it{ends}"
    position = matches.position(line)
    where = f"record {position} of {count:,}" if position else f"{count:,} record{'s' if count > 1 else ''}"
    return f"“{matches.needle}”: {where}{ends} · n next · N before"
