"""While a proposal is read; and what stands there instead of a review where it is refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message

from memreview.errors import ExitCode, MemreviewError
from memreview.model.dream import Review, Target
from memreview.review.store import DecisionStore
from memreview.tui import content
from memreview.tui.keys import Key, bindings
from memreview.tui.ledger import Ledger
from memreview.tui.screens.base import BaseScreen
from memreview.tui.screens.review import ReviewScreen
from memreview.tui.widgets.key_bar import KeyBar
from memreview.tui.widgets.notice import Notice
from memreview.tui.widgets.title_bar import TitleBar

KEYS = (
    Key("opening.again", "r,f5", "again", "r", "read again", "Read the proposal again", "Read", 1),
    Key("opening.leave", "q,escape", "leave", "q", "back", "Go back without it", "Finish", 2),
)


class OpeningScreen(BaseScreen):
    """Reads ``target`` by ``read`` in a worker and makes way for its review."""

    KEYS = KEYS
    BINDINGS = bindings(KEYS)
    TITLE = "Opening"

    class Read(Message):
        """The proposal was read, and what was decided on it before."""

        def __init__(self, ledger: Ledger) -> None:
            super().__init__()
            self.ledger = ledger

    class Refused(Message):
        """The proposal cannot be reviewed."""

        def __init__(self, reason: str, status: int) -> None:
            super().__init__()
            self.reason = reason
            self.status = status

    def __init__(self, target: Target, read: Callable[[Target], Review]) -> None:
        super().__init__()
        self.target = target
        self._read = read
        self._status = 0

    def compose(self) -> ComposeResult:
        """What is read, and a place to say more."""
        yield TitleBar(Content.assemble(("memreview  ", "$quiet"), content.content(self.target.label, "bold")))
        yield Notice()
        yield KeyBar()

    def on_mount(self) -> None:
        """Begin to read."""
        self.action_again()

    def action_again(self) -> None:
        """Read, unless it is being read."""
        if not any(worker.is_running for worker in self.workers):
            self.query_one(Notice).say("Reading the proposal …", self.target.label)
            self.run_worker(partial(self._reader, self.memreview.options.state_dir), thread=True)

    def _reader(self, state_dir: str) -> None:
        try:
            review = self._read(self.target)
            store = DecisionStore(state_dir)
            ledger = Ledger(review, store.load(review), partial(store.save, review))
            # From now on Projects knows it as opened.
            ledger.keep()
        except MemreviewError as error:
            self.post_message(self.Refused(str(error), int(error.exit_code)))
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            self.post_message(self.Refused(f"{where}{error.strerror or error}", int(ExitCode.REFUSED)))
        else:
            self.post_message(self.Read(ledger))

    @on(Read)
    def _show(self, event: Read) -> None:
        self.app.switch_screen(ReviewScreen(event.ledger))

    @on(Refused)
    def _explain(self, event: Refused) -> None:
        self._status = event.status
        self.query_one(Notice).say(
            "This proposal cannot be reviewed.", "", event.reason, "", "r reads it again, q goes back."
        )

    def action_leave(self) -> None:
        """Go back; where there is nowhere to go, end with the status of the refusal."""
        self.memreview.leave(self._status)
