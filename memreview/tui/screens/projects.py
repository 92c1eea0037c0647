"""Every project with what is loaded and lost of it, and the dreams that wait: the screen to enter from."""

from __future__ import annotations

from dataclasses import replace

from textual import on, work
from textual.widgets import OptionList

from memreview.errors import MemreviewError
from memreview.model.dream import Project, Target, TargetKind
from memreview.report.overview import DreamRow
from memreview.tui.keys import Key, bindings
from memreview.tui.outlook import many
from memreview.tui.overview import Entry, Sorting
from memreview.tui.screens.projects_views import ProjectsViews, about_dream
from memreview.tui.widgets.project_columns import BY_ID, SIGNS, next_sorting
from memreview.tui.widgets.project_table import ProjectHeads, ProjectRows
from memreview.tui.widgets.status_line import StatusLine

KEYS = (
    Key("projects.open", "enter", "open", "enter", "open", "Open the project, or the review of the dream", "Open", 1),
    Key("projects.review", "r", "review", "r", "review", "Open the newest dream of the project", "Open", 4),
    Key("projects.changes", "c", "changes", "c", "changes", "Review what changed since you last looked", "Open", 7),
    Key("projects.seen", "m", "seen", "m", "", "Mark what changed as seen: keep the folder as it is", "Open"),
    Key(
        "projects.history", "h", "history", "h", "history", "Past reviews of the project, and the way back", "Open", 10
    ),
    Key("projects.dream", "d", "dream", "d", "dream", "Let Claude Code propose how to rewrite this memory", "Open", 11),
    Key("projects.down", "j,down", "step(1)", "j", "next", "Next row", "Move", 2),
    Key("projects.up", "k,up", "step(-1)", "k", "previous", "Row before", "Move", 3),
    Key("projects.page_down", "pagedown,space,ctrl+d", "page(1)", "space", "", "A window down", "Move"),
    Key("projects.page_up", "pageup,b,ctrl+u", "page(-1)", "b", "", "A window up", "Move"),
    Key("projects.first", "home,g", "edge(0)", "g", "", "First row", "Move"),
    Key("projects.last", "end,G", "edge(-1)", "G", "", "Last row", "Move"),
    Key("projects.pane", "tab,shift+tab", "pane", "tab", "", "From dreams to projects and back", "Move", 9),
    Key("projects.sort", "s,greater_than_sign", "sort(1)", "s", "sort", "Sort by the next column", "Sort", 5),
    Key("projects.sort_back", "S,less_than_sign", "sort(-1)", "S", "", "Sort by the column before", "Sort"),
    Key("projects.reverse", "R", "reverse", "R", "", "Turn the order around", "Sort"),
    Key("projects.worst", "w", "sort_by('worst')", "w", "", "What is wrong first", "Sort"),
    Key("projects.reload", "f5", "reload", "F5", "read again", "Read everything again", "Look", 8),
    Key("projects.leave", "q,escape", "leave", "q", "quit", "Leave memreview", "Finish", 6),
)


class ProjectsScreen(ProjectsViews):
    """Projects with their audits, which come in one after another, and dreams; folders are watched."""

    KEYS = KEYS
    BINDINGS = bindings(KEYS)
    TITLE = "Projects"
    SIGNS = SIGNS

    def action_step(self, step: int) -> None:
        """Go to another row; from the last dream to the first project, and back."""
        dreams, rows = self.dreams, self.table.rows
        if rows.has_focus:
            if not rows.move(step) and step < 0 and dreams.display:
                dreams.edge(-1)
                dreams.focus()
        elif step > 0 and dreams.ends(1) and rows.paths:
            rows.edge(0)
            rows.focus()
        elif not dreams.ends(step):
            if step > 0:
                dreams.action_cursor_down()
            else:
                dreams.action_cursor_up()

    def action_page(self, step: int) -> None:
        """Go by windows."""
        if self.table.rows.has_focus:
            self.table.rows.page(step)
        else:
            self.dreams.page(step)

    def action_edge(self, end: int) -> None:
        """Go to the first or the last row."""
        if self.table.rows.has_focus:
            self.table.rows.edge(end)
        else:
            self.dreams.edge(end)

    def action_pane(self) -> None:
        """Go to the other list."""
        other = self.dreams if self.table.rows.has_focus else self.table.rows
        if other.display and other.parent is not None and (other is self.dreams or self.table.display):
            other.focus()
            self.call_after_refresh(self._describe)

    def action_sort(self, step: int) -> None:
        """Sort by the column beside the present one."""
        self._sort(next_sorting(self.overview.sorting, step, self.table.heads.columns_width))

    def action_sort_by(self, column: str) -> None:
        """Sort by a column."""
        self._sort(Sorting(column))

    def action_reverse(self) -> None:
        """Turn the order around."""
        now = self.overview.sorting
        self._sort(replace(now, reverse=not now.reverse))

    @on(ProjectHeads.Clicked)
    def _head_clicked(self, event: ProjectHeads.Clicked) -> None:
        now = self.overview.sorting
        self._sort(Sorting(event.column, not now.reverse if now.column == event.column else False))

    def _sort(self, sorting: Sorting) -> None:
        self.table.show(replace(self.overview, sorting=sorting), keep_place=False)
        head = BY_ID[sorting.column].head or "what is wrong"
        said = f"Sorted by {head}{', the other way round' if sorting.reverse else ''}."
        self.say_instead(said)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_open()

    @on(ProjectRows.Opened)
    def _row_opened(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        """Open the project or the review under the cursor."""
        if not self.table.rows.has_focus:
            self._open_dream(self.dreams.chosen)
            return
        entry = self.table.rows.chosen
        if entry is None:
            self.app.bell()
            return
        self.memreview.open_project(entry.project)

    def action_review(self) -> None:
        """Open the newest dream of the project under the cursor, or the dream under it."""
        entry = self.table.rows.chosen
        if not self.table.rows.has_focus or entry is None:
            self._open_dream(self.dreams.chosen)
            return
        name = entry.project.name
        own = [dream for dream in self.known_dreams if dream.project == name and not dream.done and not dream.problem]
        if own:
            self._open_dream(max(own, key=lambda dream: dream.made or 0.0))
            return
        self.app.bell()
        self.query_one(StatusLine).say(
            "No dream of this project waits: memreview review DIR opens one, --dreams DIR finds them."
        )

    def action_dream(self) -> None:
        """Show what a dream of the project under the cursor would be given, or the one that runs."""
        entry = self.table.rows.chosen if self.table.rows.has_focus else None
        if entry is None:
            self.app.bell()
            self.query_one(StatusLine).say("d dreams about a project: tab goes to the list of projects.")
            return
        self.memreview.open_dream(entry.project)

    def action_changes(self) -> None:
        """Review what changed in the project under the cursor since one last looked."""
        entry = self.table.rows.chosen if self.table.rows.has_focus else None
        if entry is not None and entry.changed:
            self.memreview.open_review(Target(TargetKind.LIVE, live=entry.project.memory_dir))
            return
        self.app.bell()
        self.query_one(StatusLine).say(_unchanged(entry))

    def action_seen(self) -> None:
        """Keep the memory under the cursor as it is, as what was last seen of it."""
        entry = self.table.rows.chosen if self.table.rows.has_focus else None
        if entry is None:
            self.app.bell()
            return
        self._keep(entry.project)

    @work(thread=True, group="keep", exit_on_error=False)
    def _keep(self, project: Project) -> None:
        from memreview.looks import look, take_snapshot

        try:
            taken = take_snapshot(project, self.memreview.options)
            self.post_message(self.Compared({project.path: look(project, self.memreview.options)}))
            said = f"{project.name}: {many(len(taken.snapshot.notes), 'note')} as last seen, {taken.snapshot.id}"
        except MemreviewError as error:
            said = str(error)
        self.app.call_from_thread(self.say_instead, said)

    def action_history(self) -> None:
        """Open the past reviews of the project under the cursor, or of the dream's."""
        entry = self.table.rows.chosen
        if not self.table.rows.has_focus:
            dream = self.dreams.chosen
            name = dream.project if isinstance(dream, DreamRow) else None
            entry = next((one for one in self.overview.entries.values() if one.project.name == name), None)
        if entry is None:
            self.app.bell()
            self.query_one(StatusLine).say("Of no project is it known that this is about: tab goes to the projects.")
            return
        self.memreview.open_history(entry.project)

    def _open_dream(self, dream: object) -> None:
        if isinstance(dream, DreamRow) and not dream.problem:
            self.memreview.open_review(dream.target)
            return
        self.app.bell()
        self.query_one(StatusLine).say(*about_dream(dream))

    def action_leave(self) -> None:
        """Leave memreview."""
        self.memreview.leave()


def _unchanged(entry: Entry | None) -> str:
    """Why there is nothing to review under the cursor."""
    if entry is None:
        return "c reviews what changed in a project: tab goes to the list of projects."
    if entry.looked is None or not entry.looked.known:
        return f"{entry.project.name}: nothing tells what was there before; m keeps it as it is now."
    return f"{entry.project.name}: nothing changed {entry.looked.since}."
