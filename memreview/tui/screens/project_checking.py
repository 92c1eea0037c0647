"""Runs the nightly check of one project in a worker, and shows what the last one said until it is done."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

from textual import on, work
from textual.message import Message
from textual.worker import Worker, get_current_worker

from memreview.checks.nightly import verified
from memreview.errors import MemreviewError
from memreview.model.advice import Advice, Advised
from memreview.model.dream import Project
from memreview.tui.screens.project_reading import ProjectReadingScreen
from memreview.upkeep import CheckedMemory

OFTEN = 0.2
"""Seconds between two words on how far the check is."""


class _StoppedError(MemreviewError):
    """Nobody waits for what the check says any more."""


class ProjectCheckingScreen(ProjectReadingScreen):
    """Posts what the check says; what becomes of it is the subclass's."""

    class Checked(Message):
        """What a check said: the ``last`` one, or the one that has just been made; ``reason`` is why it ended early."""

        def __init__(self, checked: CheckedMemory | None, *, last: bool = False, reason: str = "") -> None:
            super().__init__()
            self.checked = checked
            self.last = last
            self.reason = reason

    class Step(Message):
        """How far the check is."""

        def __init__(self, what: str, done: int, total: int) -> None:
            super().__init__()
            self.what = what
            self.done = done
            self.total = total

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self.checked: CheckedMemory | None = None
        self.check_step: tuple[str, int, int] | None = None
        self.check_problem = ""
        self._checker: Worker[None] | None = None
        self._stopped = False
        self._check_again = False

    def draw_check(self) -> None:
        """What the check says, or how far it is, has changed."""
        raise NotImplementedError

    @property
    def checking(self) -> bool:
        """True while the check is at work."""
        return self._checker is not None and not self._checker.is_finished

    @property
    def advice(self) -> tuple[Advised, ...]:
        """The advice on lines of notes that are as they were when they were checked."""
        return self.checked.advised if self.checked is not None else ()

    @property
    def queue(self) -> tuple[Advised, ...]:
        """What is to be reviewed or unpinned, in order of note and line."""
        return tuple(one for one in self.advice if one.advice is not Advice.KEEP)

    def advised_at(self, note: str | None, line: int) -> Advised | None:
        """The advice on a line of a note, None where there is none."""
        return next((one for one in self.advice if (one.file, one.line) == (note, line)), None)

    def took_answer(self, row: Advised) -> None:
        """A person has answered what is said against a line: it is to be kept."""
        if self.checked is not None:
            when = datetime.now(UTC).isoformat()
            rows = tuple(verified(one, when) if one == row else one for one in self.checked.advised)
            self.checked = replace(self.checked, advised=rows)

    def follow(self, notes: Mapping[str, bytes], *, begin: bool) -> None:
        """Let go of what was said of notes that are not as they were; ``begin`` a check where there are any."""
        known = self.checked
        if known is not None:
            self.checked = known.still(notes)
        if begin and (known is None or known.differs(notes)):
            self.begin_check()

    # Doing

    def action_check(self) -> None:
        """Check the notes; stop that while it is being done."""
        if self.checking:
            self.stop_check()
        else:
            self._stopped = False
            self.begin_check()

    def stop_check(self) -> None:
        """Stop the check; it begins again only when it is asked for."""
        if self._checker is not None:
            self._checker.cancel()
        self._stopped, self._check_again = True, False
        self.check_step = None
        self.check_problem = "The check was stopped: C begins it anew."
        self.draw_check()

    def begin_check(self) -> None:
        """Check the notes, unless a person has stopped that; what is being checked is ended first."""
        if self._stopped:
            return
        if self.checking:
            self._check_again = True
            return
        self.check_problem = ""
        self.check_step = ("transcripts", 0, 0)
        self._checker = self._check()
        self.draw_check()

    @work(thread=True, group="check", exit_on_error=False)
    def _check(self) -> None:
        from memreview import upkeep

        worker, told = get_current_worker(), 0.0

        def step(what: str, done: int, total: int) -> None:
            nonlocal told
            if worker.is_cancelled:
                raise _StoppedError("The check was stopped.")
            if time.monotonic() - told > OFTEN:
                told = time.monotonic()
                self.post_message(self.Step(what, done, total))

        options, project = self.memreview.options, self.project
        if self.checked is None:
            self.post_message(self.Checked(upkeep.last_check(project, options), last=True))
        try:
            checked = upkeep.check_project(project, options, step=step)
        except (MemreviewError, OSError) as error:
            checked = CheckedMemory(project, problem=str(error))
        except Exception as error:
            # The check reads whatever was ever said; a fault of ours in it must not take the screen away.
            logging.getLogger(__name__).exception("nightly check")
            checked = CheckedMemory(project, problem=f"an error of memreview, {type(error).__name__}: {error}")
        if not worker.is_cancelled:
            self.post_message(self.Checked(checked, reason=checked.problem or ""))

    @on(Step)
    def _go_on(self, event: Step) -> None:
        if self.checking:
            self.check_step = (event.what, event.done, event.total)
            self.draw_check()

    @on(Checked)
    def _take_check(self, event: Checked) -> None:
        if event.last:
            self.checked = self.checked or event.checked
        else:
            self.check_step = None
            self.check_problem = event.reason
            if not event.reason:
                self.checked = event.checked
        self.draw_check()

    @on(Worker.StateChanged)
    def _check_ended(self, event: Worker.StateChanged) -> None:
        if event.worker is self._checker and event.worker.is_finished and self._check_again:
            self._check_again = False
            self.begin_check()
