"""What the screen of all projects shows: dreams that wait, then the list of projects."""

from __future__ import annotations

from datetime import datetime

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList

from memreview.report.overview import DreamRow
from memreview.tui import content
from memreview.tui.outlook import many
from memreview.tui.overview import Overview
from memreview.tui.screens.reading import ReadingScreen
from memreview.tui.widgets.key_bar import KeyBar
from memreview.tui.widgets.notice import Notice
from memreview.tui.widgets.overview_rows import dream_rows
from memreview.tui.widgets.project_columns import about
from memreview.tui.widgets.project_table import ProjectRows, ProjectTable
from memreview.tui.widgets.row_list import ListRow, RowList
from memreview.tui.widgets.status_line import StatusLine
from memreview.tui.widgets.title_bar import TitleBar


class ProjectsViews(ReadingScreen):
    """Projects with their audits, which come in one after another, and dreams; folders are watched."""

    DEFAULT_CSS = """
    ProjectsViews {
        #dreams { height: auto; max-height: 34%; margin-bottom: 1; }
        &.-no-dreams #dreams { display: none; }
        &.-no-projects ProjectTable { display: none; }
        &.-no-projects #dreams { max-height: 100%; }
        &.-said #dreams, &.-said ProjectTable { display: none; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.known_dreams: tuple[DreamRow, ...] = ()
        self._fresh = True
        # What is said instead of the row under the cursor until another one is, and that row.
        self._instead = ""
        self._instead_of: object = None

    def compose(self) -> ComposeResult:
        """Title, dreams, projects or what there is to say instead, what the cursor stands on, keys."""
        yield TitleBar()
        yield RowList(id="dreams")
        yield ProjectTable(_now)
        yield Notice()
        yield StatusLine()
        yield KeyBar()

    def on_mount(self) -> None:
        """Look for projects."""
        self._say("Looking for projects and dreams …")
        self.begin()

    @property
    def dreams(self) -> RowList:
        """The list of dreams."""
        return self.query_one("#dreams", RowList)

    @property
    def table(self) -> ProjectTable:
        """The list of projects."""
        return self.query_one(ProjectTable)

    @property
    def overview(self) -> Overview:
        """What the list of projects holds."""
        return self.table.rows.overview

    # What has come in

    @on(ReadingScreen.Listed)
    def _listed(self, event: ReadingScreen.Listed) -> None:
        listing = event.listing
        self.known_dreams = listing.dreams
        waiting: dict[str, int] = {}
        for dream in listing.dreams:
            if dream.project is not None and not dream.done and not dream.problem:
                waiting[dream.project] = waiting.get(dream.project, 0) + 1
        overview = self.overview.listed(listing.projects, listing.opened).waiting(waiting)
        if listing.whole and not listing.projects and not listing.dreams:
            self._show(overview)
            self._say_empty()
            return
        if not listing.projects and not listing.whole:
            return
        self.query_one(Notice).clear()
        self.remove_class("-said")
        self.set_class(not listing.dreams, "-no-dreams")
        self.set_class(not listing.projects, "-no-projects")
        self.dreams.show_rows(self._dream_rows)
        self._show(overview)
        if self._fresh or self.focused is None or not self.focused.display:
            (self.dreams if self._waiting or not listing.projects else self.table.rows).focus()
        self._fresh = self._fresh and not listing.whole

    @on(ReadingScreen.Audited)
    def _audited(self, event: ReadingScreen.Audited) -> None:
        self._show(self.overview.audited(event.audits))

    @on(ReadingScreen.Waiting)
    def _waiting_notes(self, event: ReadingScreen.Waiting) -> None:
        self._show(self.overview.to_review(event.found))

    def last_checks(self) -> dict[str, float | None]:
        """When the last check was of which it is known what it wants reviewed, by path."""
        entries = dict(self.overview.entries)
        return {path: entry.checked for path, entry in entries.items() if entry.reviews is not None}

    @on(ReadingScreen.Compared)
    def _compared(self, event: ReadingScreen.Compared) -> None:
        self._show(self.overview.compared(event.found))

    def could_not_read(self, reason: str) -> None:
        """Say why nothing could be read."""
        self._say("Projects cannot be read.", reason, "", "F5 looks again, q leaves.")

    def in_use(self) -> set[str]:
        """Paths of the projects in which sessions are open."""
        return {path for path, entry in self.overview.entries.items() if entry.running}

    def changed_before(self) -> set[str]:
        """Paths of the projects that had changed when they were last compared."""
        return {path for path, entry in self.overview.entries.items() if entry.changed}

    # Showing

    def _show(self, overview: Overview) -> None:
        self.table.show(overview)
        totals = overview.totals
        self.query_one(TitleBar).show(
            Content.assemble(("memreview ", "bold"), content.content(self.memreview.options.claude_dir, "$quiet")),
            _figures(overview, self._waiting, self.reading and totals.known < len(overview.entries)),
        )

    @property
    def _waiting(self) -> int:
        return sum(not dream.done and dream.complete and not dream.problem for dream in self.known_dreams)

    def _dream_rows(self, width: int) -> list[ListRow]:
        return dream_rows(self.known_dreams, width, _now())

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

    @property
    def _under_cursor(self) -> object:
        entry = self.table.rows.chosen
        return entry.project.path if self.table.rows.has_focus and entry is not None else None

    def say_instead(self, said: str) -> None:
        """Say something in the place of what the cursor stands on; drawing the row anew does not wipe it out."""
        self._instead, self._instead_of = said, self._under_cursor
        self._describe()

    @on(OptionList.OptionHighlighted)
    @on(ProjectRows.Moved)
    def _describe(self) -> None:
        """Say what the cursor of the pane with the focus stands on."""
        entry = self.table.rows.chosen
        if self._instead and self._under_cursor != self._instead_of:
            self._instead = ""
        if self._instead:
            self.query_one(StatusLine).say(self._instead)
        elif self.table.rows.has_focus and entry is not None:
            self.query_one(StatusLine).say(*about(entry, _now()))
        elif not self.table.rows.has_focus:
            self.query_one(StatusLine).say(*about_dream(self.dreams.chosen))


def _now() -> datetime:
    return datetime.now().astimezone()


def _figures(overview: Overview, waiting: int, reading: bool) -> Content:
    totals, count = overview.totals, len(overview.entries)
    if reading:
        return content.content(f"{totals.known:,} of {count:,} projects read …")
    parts = [content.content(f"{count:,} project{'' if count == 1 else 's'}")]
    for number, word, style in ((totals.cut, "cut", "$error"), (totals.near, "near", "$warning")):
        if number:
            parts.append(content.content(f"{number:,} {word}", style))
    if totals.expiring:
        parts.append(content.content(f"{totals.expiring:,} expiring", "$warning"))
    reviews = sum(entry.reviews or 0 for entry in overview.entries.values())
    if reviews:
        parts.append(content.content(f"{many(reviews, 'note')} to review", "$warning"))
    changed = sum(bool(entry.changed) for entry in overview.entries.values())
    if changed:
        parts.append(content.content(f"{changed:,} changed", "$primary"))
    if waiting:
        parts.append(content.content(f"{many(waiting, 'dream')} to review", "bold"))
    return Content(" · ").join(parts)


def about_dream(chosen: object) -> tuple[str, str]:
    """What the row under the cursor leads to, and how urgent it is."""
    match chosen:
        case DreamRow(problem=str(problem)):
            return problem, "error"
        case DreamRow(complete=False, target=target):
            return f"{target.label}: its run failed; enter shows what there is.", "warning"
        case DreamRow(target=target):
            return target.label, ""
    return "", ""
