"""Checking claims while a review is on the screen: in a worker, which only posts messages."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from textual.app import App
from textual.message import Message

from memreview.errors import MemreviewError
from memreview.model.dream import Review
from memreview.tui.ledger import Ledger

Check = Callable[[Review], Review]
"""Gives a review with the answers of the claim check."""


class Checked(Message):
    """The claims of a review are checked."""

    def __init__(self, ledger: Ledger, review: Review) -> None:
        super().__init__()
        self.ledger = ledger
        self.review = review


class CheckFailed(Message):
    """They could not be checked; ``reason`` is one line."""

    def __init__(self, ledger: Ledger, reason: str) -> None:
        super().__init__()
        self.ledger = ledger
        self.reason = reason


def check_claims(app: App[Any], ledger: Ledger, review: Review, check: Check) -> None:
    """Check the claims of ``review``, and tell the application."""
    try:
        checked = check(review)
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
