"""Passes that run while the screens are open: plain state that a thread writes and a screen draws."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from memreview.config import Options
from memreview.dreaming.events import Event, Progress
from memreview.dreaming.run import Outcome, Request, dream
from memreview.errors import MemreviewError
from memreview.text import mask_secrets

MOST_LINES = 5_000
"""Events that are kept to be shown; run.log has all of them."""


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened, ``at`` seconds after the beginning."""

    at: float
    kind: str
    words: str


@dataclass
class DreamRun:
    """One pass. ``lines`` are what happened, the latest last; ``problem`` says why there is no outcome."""

    request: Request
    options: Options
    lines: list[Line] = field(default_factory=list)
    progress: Progress = field(default_factory=Progress)
    outcome: Outcome | None = None
    problem: str | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    dropped: int = 0
    elapsed: float = 0.0
    _began: float = field(default_factory=time.monotonic)
    _thread: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """True until there is an outcome or a problem."""
        return self.outcome is None and self.problem is None

    @property
    def folder(self) -> str | None:
        """The output folder, where there is a proposal to be looked at."""
        if self.outcome is None:
            return None
        written = self.outcome.written
        return written.folder if written.files or written.manifest.ending.complete else None

    @property
    def finished(self) -> bool:
        """True where the client came to its end."""
        return self.outcome is not None and self.outcome.manifest.ending.complete

    def begin(self, ended: Callable[[DreamRun], None]) -> None:
        """Run it in a thread of its own, which tells ``ended`` at the end."""
        self._thread = threading.Thread(target=self._work, args=(ended,), name="dream")
        self._thread.start()

    def _work(self, ended: Callable[[DreamRun], None]) -> None:
        try:
            self.outcome = dream(self.request, self.options, self._told, self.stop)
        except MemreviewError as error:
            self.problem = str(error)
        except OSError as error:
            self.problem = f"{error.filename or self.request.project.memory_dir}: {error.strerror or error}"
        finally:
            if self.running:
                self.problem = "it broke off by a fault of memreview; memreview dream says more"
            ended(self)

    def _told(self, event: Event, progress: Progress) -> None:
        self.elapsed = time.monotonic() - self._began
        if event.kind != "tick" and event.text.strip():
            self.lines.append(Line(self.elapsed, event.kind, mask_secrets(" ".join(event.text.split()))))
            if len(self.lines) > MOST_LINES:
                del self.lines[: MOST_LINES // 2]
                self.dropped += MOST_LINES // 2
        self.progress = progress

    def end(self) -> None:
        """Stop it, and wait until the client is dead and nothing of the copy is left."""
        self.stop.set()
        if self._thread is not None:
            self._thread.join()


@dataclass
class Dreams:
    """The passes of this session, the last one of each project, by the project's path."""

    runs: dict[str, DreamRun] = field(default_factory=dict)
    _asked: bool = False

    @property
    def running(self) -> list[DreamRun]:
        """Those that are still at work."""
        return [run for run in self.runs.values() if run.running]

    def may_leave(self) -> bool:
        """False once, while a pass is at work that would be stopped."""
        if not self.running or self._asked:
            return True
        self._asked = True
        return False

    def begin(self, run: DreamRun, ended: Callable[[DreamRun], None]) -> None:
        """Let a pass begin."""
        self._asked = False
        self.runs[run.request.project.path] = run
        run.begin(ended)

    def end(self) -> None:
        """Stop all and wait for them."""
        for run in self.runs.values():
            run.stop.set()
        for run in self.runs.values():
            run.end()
