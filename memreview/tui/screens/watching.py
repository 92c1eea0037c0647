"""Looks at the folders every now and then while a screen is in front."""

from __future__ import annotations

import time

from textual import on, work
from textual.message import Message
from textual.timer import Timer
from textual.worker import Worker

from memreview.read.watching import Difference, Look, difference, look
from memreview.tui.screens.base import BaseScreen

EVERY = 2.0
"""Seconds between two looks at the folders, where a look takes next to no time."""
REST = 20
"""How many times as long as a look takes is waited before the next one."""


class WatchingScreen(BaseScreen):
    """Tells its subclass what has changed since the last look: in the project folder ``watched``, in all for None."""

    class Looked(Message):
        """The folders were looked at, in so many seconds; ``fresh`` where they are read after that anyway."""

        def __init__(self, seen: Look, took: float, fresh: bool) -> None:
            super().__init__()
            self.seen = seen
            self.took = took
            self.fresh = fresh

    def __init__(self, watched: str | None = None) -> None:
        super().__init__()
        self._watched = watched
        self._looker: Worker[None] | None = None
        self._seen: Look | None = None
        self._timer: Timer | None = None

    def read_changes(self, change: Difference) -> None:
        """Something may have changed since the last look."""
        raise NotImplementedError

    @property
    def watching(self) -> bool:
        """True once it has begun to."""
        return self._timer is not None

    def watch_folders(self) -> None:
        """Look a while from now, and again and again; begun anew where it rested below another screen."""
        self._look_in(EVERY)

    def note_state(self) -> None:
        """Look now, from the worker that reads everything next."""
        self.post_message(self.Looked(look(self.memreview.options, self._watched), 0.0, True))

    def look_again(self) -> None:
        """Look whether anything has changed, unless that is being done."""
        if self._looker is None or self._looker.is_finished:
            self._looker = self._look()

    @work(thread=True, group="watch", exit_on_error=False)
    def _look(self) -> None:
        begun = time.monotonic()
        seen = look(self.memreview.options, self._watched)
        self.post_message(self.Looked(seen, time.monotonic() - begun, False))

    @on(Looked)
    def _looked(self, event: Looked) -> None:
        before, self._seen = self._seen, event.seen
        if event.fresh:
            return
        self._look_in(max(EVERY, event.took * REST))
        if before is not None:
            self.read_changes(difference(before, event.seen))

    def _look_in(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(seconds, self._look_if_seen)

    def _look_if_seen(self) -> None:
        # Below another screen nothing is drawn; what has changed meanwhile is found when this one is back.
        if self.is_current:
            self.look_again()
