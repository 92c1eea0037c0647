"""What the screen of a project shows: the tree on one side, one of five views on the other."""

from __future__ import annotations

from collections.abc import Hashable
from datetime import datetime

from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widget import Widget

from memreview.auditing.project import ProjectReport
from memreview.checks.audited import weight
from memreview.checks.index import IndexStatus
from memreview.checks.note_facts import note_facts
from memreview.model.dream import Project
from memreview.model.finding import Finding, Severity
from memreview.model.memory import INDEX_NAME
from memreview.text import decode
from memreview.tui import content
from memreview.tui.line_facts import ADVICE
from memreview.tui.note_tree import Standing, branches, standings
from memreview.tui.outlook import many
from memreview.tui.rows.layers import layer_rows
from memreview.tui.screens.project_checking import ProjectCheckingScreen
from memreview.tui.screens.project_reading import ProjectReadingScreen
from memreview.tui.widgets.finding_rows import SIGNS as SEVERITIES
from memreview.tui.widgets.finding_rows import finding_rows
from memreview.tui.widgets.gauge import STYLES, figures
from memreview.tui.widgets.ground_rows import OFFER, Spot, ground_rows
from memreview.tui.widgets.key_bar import KeyBar
from memreview.tui.widgets.lines import Piece
from memreview.tui.widgets.note_page import NotePage
from memreview.tui.widgets.notice import Notice
from memreview.tui.widgets.queue_rows import CheckState, progress, queue_rows
from memreview.tui.widgets.report_lines import NoteLines, ReportLines
from memreview.tui.widgets.row_list import ListRow, RowList
from memreview.tui.widgets.status_line import StatusLine
from memreview.tui.widgets.title_bar import TitleBar
from memreview.tui.widgets.tree_rows import tree_rows
from memreview.tui.widgets.view_bar import ViewBar

PAGE, RAW, FINDINGS, GROUNDS, LAYERS, QUEUE = range(6)
VIEWS = ("page", "raw", "findings", "grounds", "layers", "queue")
LINE_STYLES = {
    "$error": "error",
    "$warning": "warning",
    "$quiet": "quiet",
    "$success": "good",
    "$primary": "number",
}


class ProjectViews(ProjectCheckingScreen):
    """Draws what is known; what keys do is the subclass's."""

    DEFAULT_CSS = """
    ProjectViews {
        #sides { height: 1fr; }
        #side { height: 1fr; }
        #tree { height: 30%; min-height: 4; }
        &.-middle #sides, &.-wide #sides { layout: horizontal; }
        &.-middle #tree, &.-wide #tree { width: 40; height: 1fr; border-right: solid $rule; }
        &.-wide #tree { width: 56; }
        &.-said #sides { display: none; }
        #side > .-away { display: none; }
        #line { height: 45%; min-height: 5; border-top: solid $rule; }
    }
    """

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self.report: ProjectReport | None = None
        self.note: str | None = None
        self.view = PAGE
        self.folded: frozenset[str] = frozenset()
        self.here: int | None = None
        self._traced = (0, 0)
        self._raw_key: Hashable = None
        self._raw_note: str | None = None

    def compose(self) -> ComposeResult:
        """Title, the tree, the views, what the cursor stands on, keys."""
        yield TitleBar(Content.assemble(("memreview  ", "$quiet"), content.content(self.project.name, "bold")))
        with Container(id="sides"):
            yield RowList(id="tree")
            with Vertical(id="side"):
                yield ViewBar(self._names())
                yield NotePage(id="page")
                yield NoteLines(id="raw")
                yield RowList(id="line")
                yield RowList(id="findings")
                yield RowList(id="grounds")
                yield ReportLines(id="layers")
                yield RowList(id="queue")
        yield Notice()
        yield StatusLine()
        yield KeyBar()

    def on_mount(self) -> None:
        """Read the project."""
        masks = not self.memreview.options.show_secrets
        self.raw.masks = self.query_one("#layers", ReportLines).masks = masks
        self._show_view()
        self._say("Reading the project …", self.project.path)
        self.begin()

    # Parts

    @property
    def notes_tree(self) -> RowList:
        """The tree of the notes."""
        return self.query_one("#tree", RowList)

    @property
    def raw(self) -> NoteLines:
        """The note as it is."""
        return self.query_one("#raw", NoteLines)

    @property
    def shown(self) -> Widget:
        """The view that is shown."""
        return self.query_one("#" + VIEWS[self.view])

    @property
    def _masks(self) -> bool:
        return not self.memreview.options.show_secrets

    # What has come in

    @on(ProjectReadingScreen.Read)
    def _take(self, event: ProjectReadingScreen.Read) -> None:
        first = self.report is None
        self.report = event.report
        self.query_one(Notice).clear()
        self.remove_class("-said")
        if event.report.audit.problem is not None:
            self.could_not_read(event.report.audit.problem)
            return
        there = {branch.path for branch in branches(event.report)}
        if self.note not in there:
            self.note = INDEX_NAME if INDEX_NAME in there else min(event.report.notes, default=None)
        self.follow(event.report.notes, begin=event.report.audit.traced)
        self.draw()
        if first or self.focused is None:
            (self.notes_tree if there else self.shown).focus()

    @on(ProjectReadingScreen.Progress)
    def _tell(self, event: ProjectReadingScreen.Progress) -> None:
        self._traced = (event.done, event.total)
        self._draw_title()

    def could_not_read(self, reason: str) -> None:
        """Say why nothing can be shown."""
        self._say("This project cannot be read.", "", reason, "", "F5 reads it again, q goes back.")

    def _say(self, headline: str, *lines: str) -> None:
        self.add_class("-said")
        self.query_one(Notice).say(headline, *lines)

    # Drawing

    def draw(self) -> None:
        """Draw everything that is shown."""
        self._draw_title()
        self.notes_tree.show_rows(self.tree_rows)
        self.draw_view()

    def draw_check(self) -> None:
        """Draw what the check says, and how far it is."""
        if self.report is not None:
            self.draw()

    def _draw_title(self) -> None:
        report = self.report
        if report is None:
            return
        audit = report.audit
        left = Content.assemble(("memreview  ", "$quiet"), content.content(self.project.name, "bold"))
        parts: list[Content] = []
        if not audit.traced and self._traced[1]:
            parts.append(content.content(f"{self._traced[0]:,} of {self._traced[1]:,} transcripts …", "$quiet"))
        elif audit.index.status is not IndexStatus.NONE:
            parts.append(content.content(figures(audit.index), STYLES.get(audit.index.status, "")))
        if self.check_step is not None:
            parts.insert(0, content.content(progress(*self.check_step), "$quiet"))
        if any(one.alive for one in audit.surroundings.running):
            parts.insert(0, content.content("● a session is running", "$success"))
        self.query_one(TitleBar).show(left, Content(" · ").join(parts))

    def _names(self) -> list[str]:
        findings = self.report.audit.findings if self.report is not None else ()
        count = sum(finding.severity is not Severity.INFO for finding in findings)
        wrong = f"Findings {count}+{len(findings) - count}" if findings else "Findings"
        waiting = len(self.queue)
        return ["Note", "Lines", wrong, "Evidence", "Layers", f"Check {waiting}" if waiting else "Check"]

    def tree_rows(self, width: int) -> list[ListRow]:
        """The rows of the tree."""
        return tree_rows(branches(self.report, self.folded, self.advice), width) if self.report is not None else []

    def _show_view(self) -> None:
        for number, name in enumerate(VIEWS):
            self.query_one("#" + name).set_class(number != self.view, "-away")
        self.query_one("#line").set_class(self.view != RAW, "-away")

    def draw_view(self) -> None:
        """Draw the view that is shown."""
        self.query_one(ViewBar).show(self._names(), self.view)
        report = self.report
        if report is None:
            return
        match self.view:
            case 0:
                self._draw_page(report)
            case 1:
                self._draw_raw(report)
            case 2:
                self.query_one("#findings", RowList).show_rows(self._finding_rows)
            case 3:
                self.query_one("#grounds", RowList).show_rows(self._ground_rows)
            case 5:
                self.query_one("#queue", RowList).show_rows(self._queue_rows)
            case _:
                self.query_one("#layers", ReportLines).set_rows(layer_rows(report, now()))
        self.describe()

    def _cut(self, report: ProjectReport) -> int | None:
        return report.audit.index.first_lost_line if self.note == INDEX_NAME else None

    def _draw_page(self, report: ProjectReport) -> None:
        page = self.query_one(NotePage)
        data = report.notes.get(self.note or "")
        if data is not None:
            page.show_note(data, note_facts(data), cut=self._cut(report), masks=self._masks)
        else:
            page.show_nothing(self._why_nothing())

    def _why_nothing(self) -> str:
        if self.note is not None:
            return f"{self.note} is not there: the index links to it all the same. 3 shows the remedy."
        return "This project has no notes yet: Claude Code writes them while it works, into the folder named in view 5."

    def _draw_raw(self, report: ProjectReport) -> None:
        data = report.notes.get(self.note or "")
        signs = self._signs(report)
        key = (self.note, data, tuple(signs.items()))
        if key == self._raw_key and self.here is None:
            return
        fresh = self.note != self._raw_note
        here = self.here if self.here is not None or not fresh else first_line(data or b"")
        self._raw_key, self._raw_note, self.here = key, self.note, None
        if data is None:
            self.raw.show_note(self._why_nothing(), {}, here=1)
        else:
            self.raw.show_note(decode(data), signs, self._cut(report), here)

    def _signs(self, report: ProjectReport) -> dict[int, tuple[Piece, ...]]:
        """For each line the sign of its heaviest finding, and that of the advice on it."""
        found: dict[int, Finding] = {}
        for finding in report.audit.findings:
            if finding.file == self.note and finding.line is not None:
                known = found.get(finding.line)
                if known is None or weight(known.severity) < weight(finding.severity):
                    found[finding.line] = finding
        advice = {one.line: one.advice for one in self.advice if one.file == self.note}
        signs: dict[int, tuple[Piece, ...]] = {}
        for line in found.keys() | advice.keys():
            sign, style = SEVERITIES[found[line].severity] if line in found else (" ", "")
            mark, look = ADVICE[advice[line]] if line in advice else (" ", "")
            signs[line] = ((sign, LINE_STYLES.get(style, "")), (f"{mark} ", LINE_STYLES.get(look, "")))
        return dict(sorted(signs.items()))

    def _finding_rows(self, width: int) -> list[ListRow]:
        report = self.report
        if report is None:
            return []
        rows = finding_rows(report.audit.findings, report.remedies, width, self._masks)
        return rows or [ListRow(Content.styled(" ✓ Nothing is wrong here, as far as an audit can tell.", "$success"))]

    def _ground_rows(self, width: int) -> list[ListRow]:
        return ground_rows(self.report, self.note, width, now()) if self.report is not None else []

    def _queue_rows(self, width: int) -> list[ListRow]:
        if self.report is None:
            return []
        state = CheckState(self.checked, self.check_step, self.check_problem)
        return queue_rows(state, self.report.notes, width, now(), self._masks)

    # What the cursor stands on

    def describe(self) -> None:
        """Say it in the status line."""
        report, status = self.report, self.query_one(StatusLine)
        if report is None:
            return
        if self.view == FINDINGS and self.shown.has_focus:
            chosen = self.query_one("#findings", RowList).chosen
            if isinstance(chosen, Finding):
                ways = report.remedies.get(chosen, ())
                how = (
                    f"{chosen.rule}: enter opens the remedy in a review" if ways else f"{chosen.rule}: o opens the line"
                )
                status.say(how, {Severity.ERROR: "error", Severity.WARNING: "warning"}.get(chosen.severity, ""))
                return
        if self.view == GROUNDS and self.shown.has_focus:
            spot = self.query_one("#grounds", RowList).chosen
            if isinstance(spot, Spot):
                status.say(f"enter opens {spot.path}:{spot.line}")
                return
            if spot == OFFER:
                status.say("enter shows a sentence for CLAUDE.md, and what it costs")
                return
        self._describe_note(report, status)

    def _describe_note(self, report: ProjectReport, status: StatusLine) -> None:
        if self.note is None:
            status.say(self.project.memory_dir)
            return
        standing = standings(report).get(self.note, Standing.UNKNOWN)
        said = [self.note, standing.word] if standing.word else [self.note]
        findings = [one for one in report.audit.findings if one.file == self.note]
        if findings:
            said.append(f"{many(len(findings), 'finding')}: 3 shows {'it' if len(findings) == 1 else 'them'}")
        kind = {"$error": "error", "$warning": "warning"}.get(standing.style, "")
        status.say(" · ".join(said), kind)


def first_line(data: bytes) -> int:
    """The first line of a note that is read: below its frontmatter, and no blank one."""
    lines = decode(data).split("\n")
    head = note_facts(data).head_lines
    return next((number for number, line in enumerate(lines, 1) if number > head and line.strip()), head + 1)


def now() -> datetime:
    """The present time in the reader's zone."""
    return datetime.now().astimezone()
