"""Checking claims while a review is on the screen: in a worker, which only posts messages."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from textual.app import App
from textual.message import Message
from textual.worker import get_current_worker

from memreview.errors import MemreviewError
from memreview.model.dream import Review
from memreview.tui.ledger import Ledger

Progress = Callable[[int, int], None]
"""Is told how many of how many changes are done."""
Check = Callable[[Review, Progress], Review]
"""Gives a review with the answers of the claim check; what ``Progress`` raises ends it."""
OFTEN = 0.3
"""Seconds between two words on how far the check is."""


class Checked(Message):
    """The claims of a review are checked."""

    def __init__(self, ledger: Ledger, review: Review) -> None:
        super().__init__()
        self.ledger = ledger
        self.review = review


class Checking(Message):
    """How far the check is: how many of how many changes are done."""

    def __init__(self, ledger: Ledger, done: int, total: int) -> None:
        super().__init__()
        self.ledger = ledger
        self.done = done
        self.total = total


class CheckFailed(Message):
    """They could not be checked; ``reason`` is one line."""

    def __init__(self, ledger: Ledger, reason: str) -> None:
        super().__init__()
        self.ledger = ledger
        self.reason = reason


class _UnwantedError(MemreviewError):
    """Nobody waits for the answers any more."""


def check_claims(app: App[Any], ledger: Ledger, review: Review, check: Check) -> None:
    """Check the claims of ``review`` in a worker, and tell the application."""
    worker, told = get_current_worker(), time.monotonic()

    def progress(done: int, total: int) -> None:
        nonlocal told
        if worker.is_cancelled:
            raise _UnwantedError("The screens were left.")
        if time.monotonic() - told > OFTEN:
            told = time.monotonic()
            app.post_message(Checking(ledger, done, total))

    try:
        checked = check(review, progress)
    except _UnwantedError:
        return
    except MemreviewError as error:
        app.post_message(CheckFailed(ledger, str(error)))
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        app.post_message(CheckFailed(ledger, f"{where}{error.strerror or error}"))
    except Exception as error:
        # The check reads whatever was ever said; a fault of ours in it must not take the person's review away.
        logging.getLogger(__name__).exception("claim check")
        app.post_message(CheckFailed(ledger, f"an error of memreview, {type(error).__name__}: {error}"))
    else:
        app.post_message(Checked(ledger, checked))
