"""Reads projects in a worker, names first and audits one after another, and watches their folders."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from textual import work
from textual.message import Message
from textual.worker import Worker, WorkerState, get_current_worker

from memreview.checks.audited import ProjectAudit
from memreview.errors import MemreviewError
from memreview.looks import Looked as LookedAt
from memreview.model.dream import Project
from memreview.read.watching import Difference
from memreview.report.overview import DreamRow
from memreview.tui.screens.watching import WatchingScreen

BATCH = 0.1
"""Seconds for which audits are gathered before they are shown."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What is known before anything is audited. Dreams are not looked for yet where it is not ``whole``."""

    projects: tuple[Project, ...]
    opened: Mapping[str, float] = field(default_factory=dict)
    dreams: tuple[DreamRow, ...] = ()
    whole: bool = False


class ReadingScreen(WatchingScreen):
    """Posts what it reads; what becomes of it is the subclass's."""

    class Listed(Message):
        """Projects are known, and dreams where the listing is whole."""

        def __init__(self, listing: Listing) -> None:
            super().__init__()
            self.listing = listing

    class Audited(Message):
        """Some audits have come in."""

        def __init__(self, audits: Sequence[ProjectAudit]) -> None:
            super().__init__()
            self.audits = tuple(audits)

    class Waiting(Message):
        """When the last check of projects was, and how many notes it wants reviewed, by path."""

        def __init__(self, found: Mapping[str, tuple[float | None, int | None]]) -> None:
            super().__init__()
            self.found = found

    class Compared(Message):
        """By path, how memories differ from what was last seen of them; None for those that cannot be read."""

        def __init__(self, found: Mapping[str, LookedAt | None]) -> None:
            super().__init__()
            self.found = dict(found)

    def __init__(self) -> None:
        super().__init__()
        self._reader: Worker[None] | None = None
        self._named = False
        # What is to be read once the reader is done: paths, all of them for None.
        self._wanted: set[str] | None = set()
        self._again = False

    # What subclasses say

    def could_not_read(self, reason: str) -> None:
        """Projects cannot be read, for this reason."""
        raise NotImplementedError

    def in_use(self) -> Collection[str]:
        """Paths of the projects in which sessions are open."""
        return ()

    def last_checks(self) -> Mapping[str, float | None]:
        """When the last check was of which it is known what it wants reviewed, by path."""
        return {}

    def changed_before(self) -> Collection[str]:
        """Paths of the projects that had changed when they were last compared: a review may have settled it."""
        return ()

    # Reading

    @property
    def reading(self) -> bool:
        """True while audits come in."""
        return self._reader is not None and not self._reader.is_finished

    def begin(self) -> None:
        """Read everything, then watch."""
        self.read(None)
        self.watch_folders()

    def action_reload(self) -> None:
        """Read everything again."""
        self.read(None)

    def read(self, paths: Collection[str] | None) -> None:
        """List all projects, and audit those with these paths, or all of them. What is being read is read to its end
        first."""
        if self.reading:
            self._again = True
            self._wanted = None if paths is None or self._wanted is None else self._wanted | set(paths)
            return
        self._reader = self._read(None if paths is None else tuple(paths))

    @work(thread=True, group="read", exit_on_error=False)
    def _read(self, paths: tuple[str, ...] | None) -> None:
        from memreview import upkeep, workflow

        options = self.memreview.options
        if paths is None:
            self.note_state()
        projects = tuple(workflow.projects_with_memory(options))
        if not self._named:
            # Names stand on the screen before dreams are looked for.
            self.post_message(self.Listed(Listing(projects)))
        known = workflow.last_opened(options)
        opened = {one.path: known[real] for one in projects if (real := os.path.realpath(one.path)) in known}
        self.post_message(self.Listed(Listing(projects, opened, tuple(workflow.find_dreams(options)), True)))
        self._named = True
        waiting = upkeep.notes_to_review(projects, options, self.last_checks())
        if waiting:
            self.post_message(self.Waiting(waiting))
        if paths is None or paths:
            self._audit(paths or ())
        wanted = {one.path for one in projects} if paths is None else {*paths, *self.changed_before()}
        self._compare([one for one in projects if one.path in wanted])

    def _compare(self, projects: Sequence[Project]) -> None:
        """Compare memories with what was last seen of them."""
        from memreview.looks import each_look

        worker = get_current_worker()
        found: dict[str, LookedAt | None] = {}
        for project, looked in each_look(self.memreview.options, projects):
            if worker.is_cancelled:
                return
            found[project.path] = looked
        if found:
            self.post_message(self.Compared(found))

    def _audit(self, paths: Sequence[str]) -> None:
        from memreview import workflow

        worker = get_current_worker()
        gathered: list[ProjectAudit] = []
        shown = time.monotonic()
        for audit in workflow.each_audit(self.memreview.options, paths):
            if worker.is_cancelled:
                return
            gathered.append(audit)
            if time.monotonic() - shown > BATCH:
                self.post_message(self.Audited(gathered))
                gathered, shown = [], time.monotonic()
        self.post_message(self.Audited(gathered))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Say why nothing could be read; go on with what is to be read next."""
        if event.state is WorkerState.ERROR:
            error = event.worker.error
            if not isinstance(error, (MemreviewError, OSError)):
                raise error or RuntimeError("a worker failed without an error")
            self.could_not_read(str(error))
        if event.worker is self._reader and event.worker.is_finished:
            self.post_message(self.Audited(()))
            if self._again:
                wanted, self._wanted, self._again = self._wanted, set(), False
                self.read(wanted)

    # Watching

    def on_screen_resume(self) -> None:
        """Another screen was open meanwhile: reviews have gone on, and notes may have changed."""
        if self._named:
            self.read(())
            self.look_again()
        elif self.watching:
            self.watch_folders()

    def read_changes(self, change: Difference) -> None:
        """Read again what has changed."""
        if change.settings:
            self.read(None)
        elif change.any:
            self.read({*change.changed, *(self.in_use() if change.sessions else ())})
