"""While a proposal is read; and what stands there instead of a review where it is refused."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from threading import Event

from textual import on
from textual.app import App, ComposeResult
from textual.content import Content
from textual.message import Message
from textual.worker import Worker

from memreview.errors import ExitCode, MemreviewError
from memreview.model.dream import Review, Target
from memreview.model.finding import Finding, Severity
from memreview.review.store import DecisionStore
from memreview.tui import content
from memreview.tui.checking import Check, CheckFailed, check_claims
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
LONGEST_DRAWING = 1.0
"""Seconds for which looking up citations waits for the first picture of the review."""


class OpeningScreen(BaseScreen):
    """Reads ``target`` by ``read`` in a worker and makes way for its review; then its claims go through ``check``."""

    KEYS = KEYS
    BINDINGS = bindings(KEYS)
    TITLE = "Opening"

    class Read(Message):
        """The proposal was read, and what was decided on it before."""

        def __init__(self, ledger: Ledger) -> None:
            super().__init__()
            self.ledger = ledger

    class LookedUp(Message):
        """For the application: what CHANGES.md cites is known as well."""

        def __init__(self, ledger: Ledger, review: Review) -> None:
            super().__init__()
            self.ledger = ledger
            self.review = review

    class Refused(Message):
        """The proposal cannot be reviewed."""

        def __init__(self, reason: str, status: int) -> None:
            super().__init__()
            self.reason = reason
            self.status = status

    def __init__(
        self, target: Target, read: Callable[[Target, Callable[[Review], None]], Review], check: Check | None = None
    ) -> None:
        super().__init__()
        self.target = target
        self._read = read
        self._check = check
        self._status = 0
        self._worker: Worker[None] | None = None
        self._drawn = Event()

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
        if self._worker is None or not self._worker.is_running:
            self.query_one(Notice).say("Reading the proposal …", self.target.label)
            # The worker is the application's: it still looks up citations when the review has taken this place.
            work = partial(self._reader, self.app, self.memreview.options.state_dir)
            self._worker = self.app.run_worker(work, thread=True)

    def _reader(self, app: App[object], state_dir: str) -> None:
        ledgers: list[Ledger] = []
        store = DecisionStore(state_dir)

        def show(review: Review, looked_up: bool) -> None:
            checking = self._check is not None and not review.checked
            state, save = store.load(review), partial(store.save, review)
            ledger = Ledger(review, state, save, looked_up=looked_up, checking=checking)
            # From now on Projects knows it as opened.
            ledger.keep()
            ledgers.append(ledger)
            self.post_message(self.Read(ledger))
            # Drawing and looking up would share one core; the person waits for the drawing.
            self._drawn.wait(LONGEST_DRAWING)

        # Reading makes hundreds of thousands of objects that all stay; looking for garbage among them costs a tenth.
        gc.disable()
        try:
            review = self._read(self.target, partial(show, looked_up=False))
            if ledgers:
                app.post_message(self.LookedUp(ledgers[0], review))
            else:
                show(review, True)
        except (MemreviewError, OSError) as error:
            reason, status = _reason(error)
            if ledgers:
                said = Finding("citations-unread", Severity.ERROR, f"What CHANGES.md cites is not known: {reason}")
                known = ledgers[0].review
                app.post_message(self.LookedUp(ledgers[0], replace(known, findings=(said, *known.findings))))
                app.post_message(CheckFailed(ledgers[0], reason))
            else:
                self.post_message(self.Refused(reason, status))
            return
        finally:
            gc.enable()
        if self._check is not None and ledgers and not review.checked:
            check_claims(app, ledgers[0], review, self._check)

    @on(Read)
    def _show(self, event: Read) -> None:
        screen = ReviewScreen(event.ledger)
        self.app.switch_screen(screen)
        screen.call_after_refresh(self._drawn.set)

    @on(Refused)
    def _explain(self, event: Refused) -> None:
        self._status = event.status
        self.query_one(Notice).say(
            "This proposal cannot be reviewed.", "", event.reason, "", "r reads it again, q goes back."
        )

    def action_leave(self) -> None:
        """Go back; where there is nowhere to go, end with the status of the refusal."""
        self.memreview.leave(self._status)


def _reason(error: MemreviewError | OSError) -> tuple[str, int]:
    """One line that says what is wrong, and the status of a command that ends with it."""
    if isinstance(error, MemreviewError):
        return str(error), int(error.exit_code)
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}", int(ExitCode.REFUSED)
