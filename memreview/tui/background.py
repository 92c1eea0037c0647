"""What the application does for dreams that run while other screens are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from textual.app import App
from textual.message import Message

from memreview.config import Options
from memreview.model.dream import Project, Target
from memreview.text import visible

if TYPE_CHECKING:
    from memreview.dreaming.run import Request
    from memreview.tui.dreams import DreamRun, Dreams
    from memreview.tui.screens.opening import OpeningScreen

NOTICED = 30.0
"""Seconds for which something is said that nobody may be looking at yet."""


class DreamEnded(Message):
    """A dream that ran in the background has ended."""

    def __init__(self, run: DreamRun) -> None:
        super().__init__()
        self.run = run


class DreamingApp(App[int]):
    """An application in which dreams run."""

    def __init__(self, options: Options) -> None:
        super().__init__()
        self.options = options
        self._dreams: Dreams | None = None

    def opening(self, target: Target) -> OpeningScreen:
        """The screen that reads a proposal and makes way for its review."""
        raise NotImplementedError

    def may_leave(self) -> bool:
        """False once, while a dream is running that would be stopped; that is said."""
        if self._dreams is None or self._dreams.may_leave():
            return True
        self.bell()
        self.notify("A dream is running; once more stops it and leaves.", timeout=NOTICED, markup=False)
        return False

    @property
    def dreams(self) -> Dreams:
        """The dreams of this session."""
        from memreview.tui.dreams import Dreams

        if self._dreams is None:
            self._dreams = Dreams()
        return self._dreams

    def open_dream(self, project: Project) -> None:
        """Show what a dream of a project would be given, or the one that runs or ran."""
        from memreview.tui.screens.dream import DreamScreen

        self.push_screen(DreamScreen(project))

    def start_dream(self, request: Request) -> None:
        """Run a dream in the background."""
        from memreview.tui.dreams import DreamRun

        self.dreams.begin(DreamRun(request, self.options), self._dream_ended)

    def _dream_ended(self, run: DreamRun) -> None:
        self.post_message(DreamEnded(run))

    def on_dream_ended(self, event: DreamEnded) -> None:
        """Open its review where one is waiting for it; else say that it has ended."""
        from memreview.tui.screens.dream import DreamScreen

        run, screen = event.run, self.screen
        if isinstance(screen, DreamScreen) and screen.project.path == run.request.project.path:
            screen.draw()
            if run.finished:
                self.review_dream(run)
            return
        name = visible(run.request.project.name)
        said = "has ended, its review can be opened" if run.finished else "did not finish"
        kind: Literal["information", "warning"] = "information" if run.finished else "warning"
        self.notify(f"The dream of {name} {said}: key d.", severity=kind, timeout=NOTICED, markup=False)

    def review_dream(self, run: DreamRun) -> None:
        """Put the review of a dream in the place of its progress."""
        from memreview.tui.screens.dream import target_of

        self.switch_screen(self.opening(target_of(run)))

    @property
    def dreaming(self) -> bool:
        """True while a dream is running."""
        return self._dreams is not None and bool(self._dreams.running)

    def end_dreams(self) -> list[str]:
        """Stop all dreams, and wait until nothing is left of them; what is to be said of those that were stopped."""
        if self._dreams is None:
            return []
        stopped = self._dreams.running
        self._dreams.end()
        said: list[str] = []
        for run in stopped:
            name = visible(run.request.project.name)
            where = f"; what it did until then is in {visible(run.folder)}" if run.folder is not None else ""
            said.append(f"the dream of {name} was stopped{where}")
        return said
