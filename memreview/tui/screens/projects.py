"""Every project with its index, and the dreams that wait for review: the screen to enter from."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from textual import on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.worker import Worker, WorkerState

from memreview.errors import MemreviewError
from memreview.report.overview import DreamRow, ProjectRow
from memreview.tui import content
from memreview.tui.keys import Key, bindings
from memreview.tui.outlook import many
from memreview.tui.screens.base import BaseScreen
from memreview.tui.widgets.key_bar import KeyBar
from memreview.tui.widgets.notice import Notice
from memreview.tui.widgets.overview_rows import overview_rows
from memreview.tui.widgets.row_list import ListRow, RowList
from memreview.tui.widgets.status_line import StatusLine
from memreview.tui.widgets.title_bar import TitleBar

KEYS = (
    Key("projects.open", "enter", "open", "enter", "open", "Open the review", "Open", 1),
    Key("projects.down", "j,down", "step(1)", "j", "next", "Next row", "Move", 2),
    Key("projects.up", "k,up", "step(-1)", "k", "previous", "Row before", "Move", 3),
    Key("projects.first", "home,g", "edge(0)", "g", "", "First row", "Move"),
    Key("projects.last", "end,G", "edge(-1)", "G", "", "Last row", "Move"),
    Key("projects.reload", "f5", "reload", "F5", "reload", "Look again for projects and dreams", "Look", 4),
    Key("projects.leave", "q,escape", "leave", "q", "quit", "Leave memreview", "Finish", 5),
)


class ProjectsScreen(BaseScreen):
    """What ``workflow.list_projects`` and ``workflow.find_dreams`` find."""

    KEYS = KEYS
    BINDINGS = bindings(KEYS)
    TITLE = "Projects"
    DEFAULT_CSS = """
    ProjectsScreen {
        &.-said RowList { display: none; }
    }
    """

    class Found(Message):
        """Projects and dreams are known."""

        def __init__(self, projects: Sequence[ProjectRow], dreams: Sequence[DreamRow]) -> None:
            super().__init__()
            self.projects = tuple(projects)
            self.dreams = tuple(dreams)

    def __init__(self) -> None:
        super().__init__()
        self._projects: tuple[ProjectRow, ...] = ()
        self._dreams: tuple[DreamRow, ...] = ()
        self._read = False

    def compose(self) -> ComposeResult:
        """Title, rows or what there is to say instead, what the cursor stands on, keys."""
        yield TitleBar()
        yield RowList()
        yield Notice()
        yield StatusLine()
        yield KeyBar()

    def on_mount(self) -> None:
        """Look for projects."""
        self._say("Looking for projects and dreams …")
        self.action_reload()

    def on_screen_resume(self) -> None:
        """A review was open meanwhile: its progress has changed."""
        if self._read:
            self.action_reload()

    # Reading

    def action_reload(self) -> None:
        """Look again."""
        self._look()

    @work(thread=True, exclusive=True, group="look", exit_on_error=False)
    def _look(self) -> None:
        from memreview import workflow

        options = self.memreview.options
        self.post_message(self.Found(workflow.list_projects(options), workflow.find_dreams(options)))

    @on(Found)
    def _found(self, event: Found) -> None:
        self._read = True
        self._projects, self._dreams = event.projects, event.dreams
        waiting = sum(not dream.done and dream.complete and not dream.problem for dream in self._dreams)
        self.query_one(TitleBar).show(
            Content.assemble(("memreview ", "bold"), content.content(self.memreview.options.claude_dir, "$quiet")),
            content.content(f"{many(len(self._projects), 'project')} · {many(waiting, 'dream')} to review"),
        )
        if not self._projects and not self._dreams:
            self._say_empty()
            return
        self.query_one(Notice).clear()
        self.remove_class("-said")
        self.query_one(RowList).show_rows(self._make_rows)
        self.query_one(RowList).focus()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Say why nothing could be read."""
        if event.state is not WorkerState.ERROR:
            return
        error = event.worker.error
        if not isinstance(error, (MemreviewError, OSError)):
            raise error or RuntimeError("a worker failed without an error")
        self._say("Projects cannot be read.", str(error), "", "F5 looks again, q leaves.")

    def _say_empty(self) -> None:
        options = self.memreview.options
        self._say(
            f"There is no project with a memory folder under {options.projects_dir}.",
            "",
            "memreview --claude-dir DIR   where Claude Code keeps its files, if not there",
            "memreview --dreams DIR       a folder in which outputs of dreams lie",
            "memreview review DIR         the output of one dream",
            "memreview demo               a sample project with a dream, to try everything",
        )

    def _say(self, headline: str, *lines: str) -> None:
        self.add_class("-said")
        self.query_one(Notice).say(headline, *lines)

    # Showing

    def _make_rows(self, width: int) -> list[ListRow]:
        return overview_rows(self._projects, self._dreams, width, datetime.now().astimezone())

    @on(OptionList.OptionHighlighted)
    def _highlighted(self) -> None:
        self.query_one(StatusLine).say(*_about(self.query_one(RowList).chosen))

    # Keys

    def action_step(self, step: int) -> None:
        """Go to another row."""
        rows = self.query_one(RowList)
        if step > 0:
            rows.action_cursor_down()
        else:
            rows.action_cursor_up()

    def action_edge(self, end: int) -> None:
        """Go to the first or the last row."""
        self.query_one(RowList).edge(end)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        """Open the review under the cursor, or the newest one of the project under it."""
        chosen = self.query_one(RowList).chosen
        dream = chosen if isinstance(chosen, DreamRow) else None
        if isinstance(chosen, ProjectRow):
            own = [
                dream
                for dream in self._dreams
                if dream.project == chosen.project.name and not dream.done and not dream.problem
            ]
            dream = max(own, key=lambda dream: dream.made or 0.0, default=None)
        if dream is None or dream.problem:
            self.app.bell()
            self.query_one(StatusLine).say(*_about(chosen))
            return
        self.memreview.open_review(dream.target)

    def action_leave(self) -> None:
        """Leave memreview."""
        self.memreview.leave()


def _about(chosen: object) -> tuple[str, str]:
    """What the row under the cursor leads to, and how urgent it is."""
    match chosen:
        case DreamRow(problem=str(problem)):
            return problem, "error"
        case DreamRow(complete=False, target=target):
            return f"{target.label}: its run failed; enter shows what there is.", "warning"
        case DreamRow(target=target):
            return target.label, ""
        case ProjectRow(dreams=0):
            return "No dream of this project waits: memreview review DIR opens one, --dreams DIR finds them.", ""
        case ProjectRow(project=project):
            return f"{project.memory_dir}: enter opens its newest dream.", ""
    return "", ""
