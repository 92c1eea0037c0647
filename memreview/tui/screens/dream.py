"""A dream of one project: what it would be given, then what it does, then its review."""

from __future__ import annotations

import threading
from dataclasses import replace

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message

from memreview.dreaming.run import Request, prepare
from memreview.errors import MemreviewError
from memreview.model.dream import Project, Target, TargetKind
from memreview.model.dreamed import Planned
from memreview.report.dream import outcome_lines, preview_lines
from memreview.report.styles import plain
from memreview.tui import content
from memreview.tui.dreams import DreamRun
from memreview.tui.keys import Key, bindings
from memreview.tui.rows.model import Cell, Row
from memreview.tui.screens.base import BaseScreen
from memreview.tui.widgets.key_bar import KeyBar
from memreview.tui.widgets.lines import LineView
from memreview.tui.widgets.notice import Notice
from memreview.tui.widgets.status_line import StatusLine
from memreview.tui.widgets.title_bar import TitleBar

_PLANNING = frozenset({"dream.only", "dream.repo", "dream.agents"})
_SIGN = {"refused": "! refused: ", "text": "» ", "tool": "? "}
EVERY = 0.5
"""Seconds between two looks at what the client does."""

KEYS = (
    Key("dream.start", "ctrl+s", "start", "^s", "start it", "Let the client begin", "Dream", 1),
    Key("dream.open", "enter", "open", "enter", "review", "Open the review of what it proposes", "Dream", 3),
    Key("dream.stop", "x", "stop", "x", "stop", "Stop it; what it did until then can be looked at", "Dream", 4),
    Key(
        "dream.only",
        "o",
        "wish('only')",
        "o",
        "only to review",
        "Only the lines that the check wants reviewed, or all",
        "Plan",
        3,
    ),
    Key(
        "dream.repo",
        "g",
        "wish('repo')",
        "g",
        "git log",
        "With the repository's log and manifests, or without",
        "Plan",
        4,
    ),
    Key(
        "dream.agents",
        "a",
        "wish('subagents')",
        "a",
        "subagents",
        "With the transcripts of subagents, or without",
        "Plan",
        6,
    ),
    Key("dream.down", "j,down", "scroll(1)", "j", "", "Scroll down", "Move"),
    Key("dream.up", "k,up", "scroll(-1)", "k", "", "Scroll up", "Move"),
    Key("dream.page_down", "pagedown,space,ctrl+d", "page(1)", "space", "down", "Scroll down by a window", "Move", 5),
    Key("dream.page_up", "pageup,b,ctrl+u", "page(-1)", "b", "", "Scroll up by a window", "Move"),
    Key("dream.first", "home", "edge(0)", "home", "", "The beginning", "Move"),
    Key("dream.last", "end,G", "edge(-1)", "G", "", "The end", "Move"),
    Key("dream.leave", "q,escape", "leave", "q", "back", "Back; a dream goes on while memreview is open", "Finish", 2),
)


class DreamScreen(BaseScreen):
    """The dream of ``project``: a plan to be agreed to, or the one that runs or ran."""

    KEYS = KEYS
    BINDINGS = bindings(KEYS)
    TITLE = "Dream"
    DEFAULT_CSS = """
    DreamScreen #told { padding: 0 0 0 1; }
    DreamScreen.-said #told { display: none; }
    """

    class Prepared(Message):
        """It is known what would be sent."""

        def __init__(self, number: int, request: Request, planned: Planned) -> None:
            super().__init__()
            self.number = number
            self.request = request
            self.planned = planned

    class Refused(Message):
        """No dream can be run."""

        def __init__(self, number: int, reason: str) -> None:
            super().__init__()
            self.number = number
            self.reason = reason

    def __init__(self, project: Project) -> None:
        super().__init__()
        self.project = project
        self.request = self.agreed = Request(project)
        self.only = False
        self._plans = 0
        self.planned: Planned | None = None
        self.following = True
        self._left = threading.Event()
        self._drawn: tuple[int, bool] | None = None

    def compose(self) -> ComposeResult:
        """Title, what is or would be done, what to do about it, keys."""
        yield TitleBar()
        yield LineView(id="told")
        yield Notice()
        yield StatusLine()
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the dream that runs, or find out what one would be given."""
        self.set_interval(EVERY, self.draw)
        if self.run is None:
            self._plan()
        self.draw()
        self.view.focus()

    def on_unmount(self) -> None:
        """Nobody waits for the plan any more."""
        self._left.set()

    @property
    def run(self) -> DreamRun | None:
        """The last dream of this project in this session."""
        return self.memreview.dreams.runs.get(self.project.path)

    @property
    def mode_keys(self) -> tuple[Key, ...]:
        """Those keys that do something now."""
        run = self.run
        gone = {"dream.stop", "dream.open"} if run is None else {"dream.start", "dream.open", *_PLANNING}
        if run is not None and not run.running:
            gone = {"dream.stop", *_PLANNING} | ({"dream.open"} if run.folder is None else set())
        return tuple(key for key in KEYS if key.id not in gone)

    @property
    def view(self) -> LineView:
        """The lines."""
        return self.query_one("#told", LineView)

    # Before

    def _plan(self) -> None:
        self.planned = None
        self._plans += 1
        # What was wished before is looked for no further: it may be gigabytes.
        self._left.set()
        left = self._left = threading.Event()
        wants = "the check wants reviewed" if self.only else "was said lately"
        self._say(f"Looking for what {wants} …")
        number, request, only, options = self._plans, self.request, self.only, self.memreview.options

        def work() -> None:
            from memreview.upkeep import review_queue

            try:
                asked = replace(request, queue=review_queue(self.project, options) if only else None)
                if asked.queue == ():
                    self.post_message(
                        self.Refused(number, "The check wants nothing reviewed; o dreams about everything.")
                    )
                    return
                self.post_message(self.Prepared(number, asked, prepare(asked, options, None, left).planned()))
            except MemreviewError as error:
                self.post_message(self.Refused(number, str(error)))
            except OSError as error:
                said = f"{error.filename or self.project.path}: {error.strerror or error}"
                self.post_message(self.Refused(number, said))

        self.run_worker(work, thread=True)

    def action_wish(self, what: str) -> None:
        """Plan with or without something."""
        if self.run is not None:
            self.app.bell()
            return
        asked = self.request
        if what == "only":
            self.only = not self.only
        elif what == "repo":
            self.request = replace(asked, with_repo=not asked.with_repo)
        else:
            self.request = replace(asked, subagents=not asked.subagents)
        self._plan()
        self.draw()

    @on(Prepared)
    def _prepared(self, event: Prepared) -> None:
        if event.number != self._plans or self.run is not None:
            return
        self.agreed, self.planned = event.request, event.planned
        self._say("")
        lines = preview_lines(event.planned, plain)
        self.view.set_rows([Row((Cell(content.shown(line)),)) for line in lines])
        self.draw()

    @on(Refused)
    def _refused(self, event: Refused) -> None:
        if event.number == self._plans:
            self._say("No dream can be run so.", "", event.reason, "", "q goes back.")

    def _say(self, headline: str, *lines: str) -> None:
        self.set_class(bool(headline), "-said")
        if headline:
            self.query_one(Notice).say(headline, *lines)
        else:
            self.query_one(Notice).clear()

    def action_start(self) -> None:
        """Begin, unless one runs."""
        run = self.run
        if run is not None and not run.running:
            self._plan_anew()
            return
        if self.planned is None or run is not None:
            self.app.bell()
            return
        self.planned = None
        self._drawn = None
        self.following = True
        self.memreview.start_dream(self.agreed)
        self.draw()

    def _plan_anew(self) -> None:
        del self.memreview.dreams.runs[self.project.path]
        self._plan()

    def _wishes(self) -> str:
        asked = self.request
        wishes = ((self.only, "only to review"), (asked.with_repo, "git log"), (asked.subagents, "subagents"))
        return " · ".join(f"✓ {word}" for wanted, word in wishes if wanted)

    # While it runs, and afterwards

    def draw(self) -> None:
        """Show how far it is."""
        self.query_one(KeyBar).refresh()
        name = Content.assemble(("Dream  ", "bold"), content.content(self.project.name))
        run = self.run
        if run is None:
            self.query_one(TitleBar).show(name, content.content(self._wishes()))
            if self.planned is not None:
                self.query_one(StatusLine).say(_before(self.planned, self.memreview.options.dream.max_budget_usd))
            return
        self.query_one(TitleBar).show(name, content.content(_figures(run)))
        self.query_one(StatusLine).say(*_standing(run))
        state = (run.dropped + len(run.lines), run.running)
        if state != self._drawn:
            self._drawn = state
            self._say("")
            self.view.set_rows([Row((Cell(content.shown(line)),)) for line in _told(run)])
            if self.following:
                self.view.scroll_end(animate=False, immediate=True)

    def action_stop(self) -> None:
        """Stop it."""
        run = self.run
        if run is None or not run.running:
            self.app.bell()
            return
        run.stop.set()
        self.query_one(StatusLine).say("It is being stopped …", "warning")

    def action_open(self) -> None:
        """Open the review."""
        run = self.run
        if run is None or run.folder is None:
            self.app.bell()
            return
        self.memreview.review_dream(run)

    # Moving

    def action_scroll(self, step: int) -> None:
        """Scroll by a line."""
        self.following = False
        self.view.scroll_relative(y=step, animate=False, immediate=True)

    def action_page(self, step: int) -> None:
        """Scroll by a window."""
        self.following = False
        self.view.page(step)

    def action_edge(self, end: int) -> None:
        """Go to the beginning, or to the end and along with it."""
        self.following = end < 0
        (self.view.scroll_end if end < 0 else self.view.scroll_home)(animate=False, immediate=True)

    def action_leave(self) -> None:
        """Back; a dream goes on."""
        self.memreview.leave()


def target_of(run: DreamRun) -> Target:
    """What its review is opened on."""
    return Target(TargetKind.OUTPUT, output=run.folder, project=run.request.project.path)


def _before(planned: Planned, budget: float) -> str:
    limit = f", stopped at ${budget:g}" if budget else ""
    cost = f" (${planned.cost_usd:,.2f})" if planned.cost_usd is not None else ""
    return f"^s starts it on a copy: about {planned.tokens:,} tokens{cost} to read everything once{limit}."


def _figures(run: DreamRun) -> str:
    progress = run.progress
    said = f"turn {progress.turns} · {progress.reads} read · {progress.writes} written · "
    if progress.cost_usd is not None:
        said += f"${progress.cost_usd:,.2f} · "
    return f"{said}{_clock(run.elapsed)}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes:02}:{rest:02}"


def _standing(run: DreamRun) -> tuple[str, str]:
    if run.running:
        return ("It is being stopped …", "warning") if run.stop.is_set() else (run.progress.now or "It begins …", "")
    if run.problem is not None:
        return f"{run.problem}", "error"
    if run.finished:
        return "It has finished: enter opens the review, ^s plans another one.", ""
    assert run.outcome is not None
    look = "; enter shows what it did until then" if run.folder is not None else ""
    return f"It did not finish: {run.outcome.manifest.ending.reason}{look}", "error"


def _told(run: DreamRun) -> list[str]:
    lines = [f"… {run.dropped:,} lines before"] if run.dropped else []
    lines += [f"{_clock(line.at)}  {_SIGN.get(line.kind, '')}{line.words}" for line in run.lines]
    if run.outcome is not None:
        written = run.outcome.written
        lines += ["", *outcome_lines(written.manifest, written.folder, written.files, plain)]
    return lines
