"""The application: what is opened first, the themes, and what every screen shares."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import SystemCommand
from textual.binding import Binding
from textual.css.query import NoMatches
from textual.screen import Screen

from memreview.config import Options
from memreview.model.dream import Project, Review, Target
from memreview.text import visible
from memreview.tui import hangup, keys, themes
from memreview.tui.background import DreamingApp

if TYPE_CHECKING:
    from memreview.tui.checking import Check, Checked, CheckFailed, Checking, Progress
    from memreview.tui.ledger import Ledger
    from memreview.tui.screens.opening import OpeningScreen
    from memreview.tui.screens.panes import PaneScreen


SHA_LENGTH = 12
"""Digits of a commit's id that are shown."""


class MemreviewApp(DreamingApp):
    """memreview on the terminal: Projects, or directly the review of ``target``. Its result is an exit status."""

    TITLE = "memreview"
    # Styles of a screen that come with it would have all styles parsed again when it opens.
    CSS_PATH = [Path(__file__).with_name("app.tcss"), Path(__file__).with_name("review.tcss")]
    ENABLE_COMMAND_PALETTE = True
    BINDINGS = [
        *keys.bindings(keys.COMMON),
        Binding("ctrl+c", "help_quit", "How to quit", show=False, system=True),
        Binding("ctrl+z", "suspend_process", "To the shell", show=False, system=True),
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-middle"), (170, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (30, "-high")]

    def __init__(self, options: Options, target: Target | None = None) -> None:
        super().__init__(options)
        self.target = target
        self.commits: tuple[tuple[str, str], ...] = ()
        for theme in themes.THEMES:
            self.register_theme(theme)
        self.theme = themes.default_theme()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Colours of ours for themes that do not name them."""
        return themes.variables(self.current_theme)

    def on_mount(self) -> None:
        """Open the first screen."""
        if hangup.watchable():
            self.set_interval(hangup.EVERY, self._leave_a_dead_terminal)
        self.open_first()

    def _leave_a_dead_terminal(self) -> None:
        if hangup.terminal_is_gone():
            self.end_dreams()
            hangup.hang_up()

    def open_first(self) -> None:
        """Show the review that was asked for, else every project."""
        if self.target is not None:
            self.open_review(self.target)
        else:
            self.open_projects()

    def open_projects(self) -> None:
        """Show every project."""
        from memreview.tui.screens.projects import ProjectsScreen

        self.push_screen(ProjectsScreen())

    def open_project(self, project: Project) -> None:
        """Show one project: its notes, what is wrong with them, what they rest on."""
        from memreview.tui.screens.project import ProjectScreen

        self.push_screen(ProjectScreen(project))

    def open_history(self, project: Project, commit: str | None = None, change: str | None = None) -> None:
        """Show the past reviews of a project, at a commit and a change of it where these are named."""
        from memreview.tui.screens.history import HistoryScreen

        self.push_screen(HistoryScreen(project, commit, change))

    def open_review(self, target: Target) -> None:
        """Read a proposal and show its review."""
        self.push_screen(self.opening(target))

    def opening(self, target: Target) -> OpeningScreen:
        """The screen that reads a proposal and makes way for its review."""
        from memreview.tui.screens.opening import OpeningScreen

        return OpeningScreen(target, self.read_review, self.check)

    def read_review(self, target: Target, early: Callable[[Review], None]) -> Review:
        """Read a proposal; an apply that was cut off in its memory folder is finished or undone first."""
        from memreview import workflow

        return workflow.open_review(target, self.options, recover=True, early=early)

    @property
    def check(self) -> Check | None:
        """What checks the claims of a review, None where nothing does."""
        return self._check

    def _check(self, review: Review, progress: Progress) -> Review:
        from memreview import workflow

        return workflow.check_claims(review, self.options, progress=progress)

    def on_opening_screen_looked_up(self, event: OpeningScreen.LookedUp) -> None:
        """The citations of a review are known, which may be on the screen already."""
        self._adopt(event.ledger, event.review)

    def on_checked(self, event: Checked) -> None:
        """The claims of a review are checked."""
        self._adopt(event.ledger, event.review)

    def on_checking(self, event: Checking) -> None:
        """The claims of a review are being checked."""
        event.ledger.check_goes_on(event.done, event.total)
        self._tell(event.ledger, lambda screen: screen.draw_title())

    def on_check_failed(self, event: CheckFailed) -> None:
        """The claims of a review could not be checked."""
        event.ledger.check_failed(event.reason)
        self._show_more(event.ledger)

    def check_again(self, ledger: Ledger) -> bool:
        """Check the claims of a review once more; False where that cannot be done now."""
        from memreview.tui.checking import check_claims

        check = self.check
        if check is None or ledger.checking or not ledger.looked_up:
            return False
        ledger.check_begins()

        def work() -> None:
            check_claims(self, ledger, ledger.unjudged, check)

        # Textual writes out the arguments of a partial for its log: a whole review, in this case.
        self.run_worker(work, thread=True)
        return True

    def _adopt(self, ledger: Ledger, review: Review) -> None:
        ledger.adopt(review)
        # All of a review stays. To look through it for garbage holds up a key now and then, by a tenth of a second.
        gc.freeze()
        self._show_more(ledger)

    def _show_more(self, ledger: Ledger) -> None:
        self._tell(ledger, lambda screen: screen.show_more())

    def _tell(self, ledger: Ledger, what: Callable[[PaneScreen], None]) -> None:
        """Have the screens of a review draw what is known now."""
        from memreview.tui.screens.panes import PaneScreen

        for screen in self.screen_stack:
            # One that is still to be composed draws all of it then; one that is going away has no need of it.
            if isinstance(screen, PaneScreen) and screen.ledger is ledger and screen.children:
                with suppress(NoMatches):
                    what(screen)

    def committed(self, commit: tuple[str, str]) -> None:
        """Remember a commit, by its id and the memory folder, to name it when the program ends."""
        self.commits = (*self.commits, commit)

    def leave(self, status: int = 0) -> None:
        """Go back to the screen below; from the lowest one, end with ``status``."""
        # The stack always begins with Textual's own empty screen.
        if len(self.screen_stack) > 2:
            self.pop_screen()
        elif self.may_leave():
            self.exit(status)

    def action_help(self) -> None:
        """Show the keys of the present screen."""
        from memreview.tui.screens.help import HelpScreen

        if not isinstance(self.screen, HelpScreen):
            signs = getattr(self.screen, "SIGNS", ())
            self.push_screen(HelpScreen(self.title_of(self.screen), keys.of_screen(self.screen), signs))

    def title_of(self, screen: Screen[Any]) -> str:
        """What a screen is called."""
        return screen.title or type(screen).__name__.removesuffix("Screen")

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """What the palette finds: the keys of the present screen, then Textual's own commands."""
        for key in keys.of_screen(screen):
            yield SystemCommand(key.help, f"{key.group} · key {key.shown}", self._runner(screen, key.action))
        for command in super().get_system_commands(screen):
            if command.title not in {"Keys", "Quit"}:
                yield command

    def _runner(self, screen: Screen[Any], action: str) -> Callable[[], Awaitable[None]]:
        async def run() -> None:
            await self.run_action(action, screen)

        return run


def run(options: Options, target: Target | None = None) -> int:
    """Open the screens; the exit status of the command is returned."""
    # A size that a parent left in the environment would be believed before the terminal's own.
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)
    app = MemreviewApp(options, target)
    try:
        status = app.run() or 0
    finally:
        if app.dreaming:
            print("stopping the dream …", file=sys.stderr)
        for line in app.end_dreams():
            print(line)
    for sha, folder in app.commits:
        print(f"committed {sha[:SHA_LENGTH]} in {visible(folder)}")
    return status
