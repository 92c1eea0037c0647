"""Reads one project in a worker, first without its transcripts, and watches its folder."""

from __future__ import annotations

from textual import work
from textual.message import Message
from textual.worker import Worker, WorkerState, get_current_worker

from memreview.auditing.project import ProjectReport
from memreview.errors import MemreviewError
from memreview.model.dream import Project
from memreview.read.watching import Difference
from memreview.tui.screens.watching import WatchingScreen


class _LeftError(Exception):
    """The screen is gone, so nobody waits for what is read."""


class ProjectReadingScreen(WatchingScreen):
    """Posts what it reads of ``project``; what becomes of it is the subclass's."""

    class Read(Message):
        """The project was read."""

        def __init__(self, report: ProjectReport) -> None:
            super().__init__()
            self.report = report

    class Progress(Message):
        """Transcripts are gone through: so many of so many are done."""

        def __init__(self, done: int, total: int) -> None:
            super().__init__()
            self.done = done
            self.total = total

    def __init__(self, project: Project) -> None:
        super().__init__(project.path)
        self.project = project
        self._reader: Worker[None] | None = None
        self._again = False
        self._begun = False

    def could_not_read(self, reason: str) -> None:
        """The project cannot be read, for this reason."""
        raise NotImplementedError

    def begin(self) -> None:
        """Read it, then watch."""
        self._begun = True
        self.action_reload()
        self.watch_folders()

    def action_reload(self) -> None:
        """Read it again; what is being read is read to its end first."""
        if self._reader is not None and not self._reader.is_finished:
            self._again = True
            return
        self._reader = self._read()

    @work(thread=True, group="read", exit_on_error=False)
    def _read(self) -> None:
        from memreview import workflow

        worker, options = get_current_worker(), self.memreview.options

        def tell(done: int, total: int, size: int) -> None:
            if worker.is_cancelled:
                raise _LeftError
            self.post_message(self.Progress(done, total))

        self.note_state()
        self.post_message(self.Read(workflow.project_report(options, self.project)))
        try:
            self.post_message(self.Read(workflow.project_report(options, self.project, traces=True, progress=tell)))
        except _LeftError:
            return

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Say why it could not be read; read again where that was asked for meanwhile."""
        if event.state is WorkerState.ERROR:
            error = event.worker.error
            if not isinstance(error, (MemreviewError, OSError)):
                raise error or RuntimeError("a worker failed without an error")
            self.could_not_read(str(error))
        if event.worker is self._reader and event.worker.is_finished and self._again:
            self._again = False
            self.action_reload()

    # Watching

    def read_changes(self, change: Difference) -> None:
        """Read it again where it has changed."""
        if change.changed or change.settings or change.sessions:
            self.action_reload()

    def on_screen_resume(self) -> None:
        """A review was open meanwhile: notes may have changed."""
        if self._begun:
            self.action_reload()
            self.watch_folders()
