"""What the run of a dream printed (``run.log``)."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content

from memreview.model.dream import Run
from memreview.tui import content
from memreview.tui.keys import Key, bindings
from memreview.tui.rows.model import Cell, Row
from memreview.tui.screens.base import BaseScreen
from memreview.tui.widgets.key_bar import KeyBar
from memreview.tui.widgets.lines import LineView
from memreview.tui.widgets.notice import Notice
from memreview.tui.widgets.status_line import StatusLine
from memreview.tui.widgets.title_bar import TitleBar

KEYS = (
    Key("log.down", "j,down", "scroll(1)", "j", "down", "Scroll down", "Move", 1),
    Key("log.up", "k,up", "scroll(-1)", "k", "up", "Scroll up", "Move", 2),
    Key("log.page_down", "pagedown,space,ctrl+d", "page(1)", "space", "", "Scroll down by a window", "Move"),
    Key("log.page_up", "pageup,b,ctrl+u", "page(-1)", "b", "", "Scroll up by a window", "Move"),
    Key("log.first", "home,g", "first", "g", "first", "The beginning", "Move", 3),
    Key("log.last", "end,G", "last", "G", "last", "The end", "Move", 4),
    Key("log.wrap", "w", "wrap", "w", "wrap", "Wrap long lines, or cut them", "Look", 5),
    Key("log.leave", "q,escape", "leave", "q", "back", "Back to the review", "Finish", 6),
)


class LogScreen(BaseScreen):
    """The log of ``run``."""

    KEYS = KEYS
    BINDINGS = bindings(KEYS)
    TITLE = "Run log"
    DEFAULT_CSS = """
    LogScreen #log { padding: 0 0 0 1; }
    """

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.run = run

    def compose(self) -> ComposeResult:
        """Title, the lines or what there is to say instead, keys."""
        yield TitleBar()
        yield LineView(id="log")
        yield Notice()
        yield StatusLine()
        yield KeyBar()

    def on_mount(self) -> None:
        """Fill the screen."""
        run = self.run
        view = self.query_one("#log", LineView)
        self.query_one(TitleBar).show(
            Content.assemble(("Run log ", "bold"), content.content(run.label or "")),
            Content() if run.complete else content.content("this run did not finish", "$error"),
        )
        text = (run.log_text or "").rstrip("\n")
        if text:
            view.set_rows([Row((Cell(content.shown(line.rstrip("\r"))),)) for line in text.split("\n")])
            self.query_one(StatusLine).say(run.log or "")
        elif run.log is None:
            view.display = False
            self.query_one(Notice).say(
                "There is no run.log.",
                "Only the output folder of a dream has one: its run writes there what it printed.",
            )
        else:
            view.display = False
            self.query_one(Notice).say(
                "run.log is empty.", "The run printed nothing, which is usual where it went well."
            )
            self.query_one(StatusLine).say(run.log)
        view.focus()

    @property
    def view(self) -> LineView:
        """The lines."""
        return self.query_one("#log", LineView)

    def action_scroll(self, step: int) -> None:
        """Scroll by a line."""
        self.view.scroll_relative(y=step, animate=False, immediate=True)

    def action_page(self, step: int) -> None:
        """Scroll by a window."""
        self.view.page(step)

    def action_first(self) -> None:
        """Go to the beginning."""
        self.view.scroll_home(animate=False, immediate=True)

    def action_last(self) -> None:
        """Go to the end."""
        self.view.scroll_end(animate=False, immediate=True)

    def action_wrap(self) -> None:
        """Wrap long lines, or cut them."""
        self.view.set_wrap(not self.view.wrap)

    def action_leave(self) -> None:
        """Back to the review."""
        self.memreview.leave()
