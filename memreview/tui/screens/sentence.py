"""The sentence for CLAUDE.md that has the agent write the evidence of its notes: shown and copied, never written."""

from __future__ import annotations

import os

from textual import on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message

from memreview.read.small_files import open_regular
from memreview.report.sentence import SENTENCE, cost, holds_sentence
from memreview.tui import content
from memreview.tui.keys import Key, bindings
from memreview.tui.rows.model import Cell, Row
from memreview.tui.screens.base import BaseScreen
from memreview.tui.widgets.key_bar import KeyBar
from memreview.tui.widgets.report_lines import ReportLines
from memreview.tui.widgets.status_line import StatusLine
from memreview.tui.widgets.title_bar import TitleBar

KEYS = (
    Key("sentence.copy", "y,enter", "copy", "y", "copy", "Copy the sentence", "Do", 1),
    Key("sentence.down", "j,down", "scroll(1)", "j", "", "Scroll down", "Move"),
    Key("sentence.up", "k,up", "scroll(-1)", "k", "", "Scroll up", "Move"),
    Key("sentence.leave", "q,escape", "leave", "q", "back", "Back to the evidence", "Finish", 2),
)
EXAMPLE = (
    "---",
    "name: dev-server",
    "session: 3c5bba7c-d8af-5042-b6f9-23bca40bc17e",
    "quote: The dev server moved to port 5173",
    "---",
)
MOST_BYTES = 1 << 20
"""So much of a CLAUDE.md is looked through for the sentence."""


class SentenceScreen(BaseScreen):
    """The sentence, what it costs, what it brings, and which of the ``files`` has it already: the CLAUDE.md of the
    project and of the user."""

    KEYS = KEYS
    BINDINGS = bindings(KEYS)
    TITLE = "A note's own evidence"

    class Looked(Message):
        """Which files hold the sentence, and which are there at all."""

        def __init__(self, holding: tuple[str, ...], there: tuple[str, ...]) -> None:
            super().__init__()
            self.holding = holding
            self.there = there

    def __init__(self, files: tuple[str, ...]) -> None:
        super().__init__()
        self.files = files
        self._found: SentenceScreen.Looked | None = None

    def compose(self) -> ComposeResult:
        """Title, text, state, keys."""
        yield TitleBar(Content.styled(self.TITLE, "bold"))
        yield ReportLines(id="sentence")
        yield StatusLine()
        yield KeyBar()

    def on_mount(self) -> None:
        """Show it."""
        self._draw()
        self.text.focus()
        self.query_one(StatusLine).say("y copies the sentence; nothing is written here.")
        self._look()

    @property
    def text(self) -> ReportLines:
        """The text."""
        return self.query_one("#sentence", ReportLines)

    @work(thread=True, group="look", exit_on_error=False)
    def _look(self) -> None:
        holding: list[str] = []
        there: list[str] = []
        for path in self.files:
            try:
                with open_regular(path) as file:
                    data = file.read(MOST_BYTES)
            except OSError:
                continue
            there.append(path)
            if holds_sentence(data.decode("utf-8", "replace")):
                holding.append(path)
        self.post_message(self.Looked(tuple(holding), tuple(there)))

    @on(Looked)
    def _looked(self, event: Looked) -> None:
        self._found = event
        self._draw()

    def _draw(self) -> None:
        rows = [
            _row("A sentence for CLAUDE.md", "head"),
            _row(f"  {SENTENCE}"),
            _row(),
            _row(f"  It is opt-in: {cost()}.", "quiet"),
            _row(),
            _row("What it brings", "head"),
            _row("  The agent writes the session and a quote into each note, such as:"),
            *(_row(f"    {line}", "number") for line in EXAMPLE),
            _row("  The check finds a wrong quote, a wrong session, and a value that the quoted record does not say."),
            _row(),
            _row("Where it goes", "head"),
        ]
        found = self._found
        for path in self.files:
            if found is not None and path in found.holding:
                rows.append(_row(f"  ✓ {path}: has it", "good"))
            else:
                state = "" if found is None else "" if path in found.there else " (not there yet)"
                rows.append(_row(f"  · {path}{state}"))
        rows.append(_row("  memreview instructions PROJECT --offer evidence --write writes it there.", "quiet"))
        self.text.set_rows(rows)

    def action_copy(self) -> None:
        """Copy the sentence."""
        self.app.copy_to_clipboard(SENTENCE)
        self.query_one(StatusLine).say("Copied: paste it into one of the files below “Where it goes”.")

    def action_scroll(self, step: int) -> None:
        """Scroll by a line."""
        self.text.scroll_relative(y=step, animate=False, immediate=True)

    def action_leave(self) -> None:
        """Go back."""
        self.memreview.leave()


def _row(text: str = "", style: str = "") -> Row:
    indent = len(text) - len(text.lstrip(" "))
    return Row((Cell(content.shown(text[indent:]), style, number=indent),))


def claude_files(root: str | None, claude_dir: str) -> tuple[str, ...]:
    """The CLAUDE.md of a project, where its directory is known, and that of the user."""
    own = (os.path.join(root, "CLAUDE.md"),) if root is not None else ()
    return (*own, os.path.join(claude_dir, "CLAUDE.md"))
