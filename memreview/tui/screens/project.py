"""One project: its notes as a tree, each as it reads and as it is, what is wrong, what it rests on, what is loaded."""

from __future__ import annotations

import posixpath
from urllib.parse import unquote

from textual import on
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Markdown, OptionList

from memreview.model.finding import Finding
from memreview.tui.keys import Key, bindings
from memreview.tui.note_tree import Standing
from memreview.tui.screens.project_queue import ProjectQueue
from memreview.tui.screens.project_views import FINDINGS, GROUNDS, QUEUE, RAW
from memreview.tui.widgets.ground_rows import OFFER
from memreview.tui.widgets.report_lines import NoteLines
from memreview.tui.widgets.row_list import RowList
from memreview.tui.widgets.row_window import RowWindow
from memreview.tui.widgets.status_line import StatusLine
from memreview.tui.widgets.view_bar import ViewBar

KEYS = (
    Key("project.open", "enter", "open", "enter", "open", "The note; the remedy of a finding; a transcript", "Open", 1),
    Key("project.history", "h", "history", "h", "history", "Past reviews of this project, and the way back", "Open", 9),
    Key("project.page", "1", "view(0)", "1-6", "views", "The note as it reads", "Look", 2),
    Key("project.raw", "2", "view(1)", "2", "", "Its lines, and where each comes from", "Look"),
    Key("project.findings", "3", "view(2)", "3", "", "What is wrong in this project, and the remedies", "Look"),
    Key("project.grounds", "4", "view(3)", "4", "", "What the note rests on, and for how long", "Look"),
    Key("project.layers", "5", "view(4)", "5", "", "What every session loads, and what it costs", "Look"),
    Key("project.queue", "6", "view(5)", "6", "", "What the nightly check says: lines to review", "Look"),
    Key("project.pane", "tab", "pane(1)", "tab", "pane", "From the tree to the view, and on", "Look", 3),
    Key("project.pane_back", "shift+tab", "pane(-1)", "⇧tab", "", "To the pane before", "Look"),
    Key("project.down", "j,down", "step(1)", "j", "", "Down", "Move"),
    Key("project.up", "k,up", "step(-1)", "k", "", "Up", "Move"),
    Key("project.page_down", "pagedown,space,ctrl+d", "page(1)", "space", "", "A window down", "Move"),
    Key("project.page_up", "pageup,b,ctrl+u", "page(-1)", "b", "", "A window up", "Move"),
    Key("project.first", "home,g", "edge(0)", "g", "", "To the beginning", "Move"),
    Key("project.last", "end,G", "edge(-1)", "G", "", "To the end", "Move"),
    Key("project.next_note", "n", "note(1)", "n", "next note", "Next note, whichever pane has the keys", "Move", 6),
    Key("project.note_before", "N", "note(-1)", "N", "", "Note before", "Move"),
    Key("project.review", "r", "review_line(1)", "r", "to review", "Next line to review, of all notes", "Check", 10),
    Key("project.review_back", "R", "review_line(-1)", "R", "", "Line to review before", "Check"),
    Key("project.check", "C", "check", "C", "check", "Check the notes against their evidence, or stop", "Check", 11),
    Key("project.verify", "v", "verify", "v", "", "This line is right: the check keeps it from now on", "Check"),
    Key("project.drop", "D,delete", "drop", "D", "", "Drop this line; a review decides", "Check"),
    Key("project.unpin", "p", "unpin", "p", "", "Unpin what no session reads; a review decides", "Check"),
    Key("project.fold", "left,right", "fold", "→", "", "Fold a folder of the tree, or unfold it", "Look"),
    Key("project.line", "o", "line", "o", "line", "The line of a finding, in its note", "Look", 8),
    Key("project.wrap", "w", "wrap", "w", "", "Wrap long lines of the note, or cut them", "Look"),
    Key("project.other", "x", "other", "x", "", "Another remedy of the finding, in a review", "Change"),
    Key("project.all", "A", "all", "A", "all remedies", "All usual remedies, in one review", "Change", 7),
    Key("project.edit", "e", "edit", "e", "edit", "Edit the note in $EDITOR; a review decides", "Change", 4),
    Key(
        "project.dream", "d", "dream", "d", "dream", "Let Claude Code propose how to rewrite this memory", "Change", 12
    ),
    Key("project.reload", "f5", "reload", "F5", "", "Read the project again", "Look"),
    Key("project.leave", "q,escape", "leave", "q", "back", "Back to all projects", "Finish", 5),
)

SIGNS = (
    *(
        (one.sign, f"{one.word}: {said}")
        for one, said in (
            (Standing.LOADED, "a line of the index that a session gets names it"),
            (Standing.LOST, "its line is not loaded"),
            (Standing.ORPHAN, "no line of the index names it"),
            (Standing.SECOND, "another note leads to it"),
            (Standing.DANGLING, "the index links to it, and it is missing"),
            (Standing.UNLISTED, "the client does not list it"),
        )
    ),
    ("!2", "findings that flag in a note"),
    ("?3", "lines that the check wants reviewed: their evidence is missing, or speaks against them"),
    ("⇣1", "pointers that every session loads and none follows"),
    ("✓9", "lines that the check keeps, behind the name of a note"),
    ("◇", "a transcript that it rests on is about to be deleted"),
    ("◆", "words of a transcript that is gone, kept in a commit"),
    ("●", "a session is running: notes may change"),
    ("Findings 3+9", "three that flag, nine that are worth a look"),
)


class ProjectScreen(ProjectQueue):
    """One project. Whatever would change a note becomes a proposal that a review opens."""

    KEYS = KEYS
    BINDINGS = bindings(KEYS)
    TITLE = "Project"
    SIGNS = SIGNS

    def action_dream(self) -> None:
        """Show what a dream of this project would be given, or the one that runs."""
        self.memreview.open_dream(self.project)

    # Looking

    def action_view(self, number: int) -> None:
        """Show a view; the keys go there, or stay in the tree for those of a note."""
        in_tree = self.notes_tree.has_focus
        self.view = number
        self._show_view()
        if not in_tree or number in (FINDINGS, GROUNDS, QUEUE):
            self.shown.focus()
        self.draw_view()
        self.call_after_refresh(self.describe)

    @on(ViewBar.Chosen)
    def _view_chosen(self, event: ViewBar.Chosen) -> None:
        self.action_view(event.number)

    def action_pane(self, step: int) -> None:
        """Go to the next pane, or the one before."""
        panes: list[Widget] = [self.notes_tree, self.shown, *([self.line_pane] if self.view == RAW else [])]
        at = panes.index(self.focused) if self.focused in panes else 0
        panes[(at + step) % len(panes)].focus()
        self.call_after_refresh(self.describe)

    @on(OptionList.OptionHighlighted, "#tree")
    def _note_chosen(self) -> None:
        chosen = self.notes_tree.chosen
        if isinstance(chosen, str) and not chosen.endswith("/") and chosen != self.note:
            self.note, self.here = chosen, None
            self.draw_view()

    @on(OptionList.OptionHighlighted, "#findings,#grounds,#queue,#line")
    def _row_chosen(self) -> None:
        self.describe()

    def action_note(self, step: int) -> None:
        """Go to another note."""
        if not self.notes_tree.ends(step):
            (self.notes_tree.action_cursor_down if step > 0 else self.notes_tree.action_cursor_up)()

    def go_to(self, note: str, line: int | None = None) -> None:
        """Show a note, in its raw form at a line where one is given."""
        self.folded = frozenset(folder for folder in self.folded if not note.startswith(folder + "/"))
        self.note, self.here = note, line
        self.notes_tree.show_rows(self.tree_rows)
        self.notes_tree.choose(note)
        if line is not None:
            self.action_view(RAW)
            self.raw.focus()
        else:
            self.draw_view()

    def action_fold(self) -> None:
        """Fold the folder under the cursor, or unfold it."""
        chosen = self.notes_tree.chosen
        if isinstance(chosen, str) and chosen.endswith("/"):
            self.folded ^= {chosen.removesuffix("/")}
            self.notes_tree.show_rows(self.tree_rows)

    def action_wrap(self) -> None:
        """Wrap long lines, or cut them."""
        self.raw.set_wrap(not self.raw.wrap)

    def action_line(self) -> None:
        """Show the line of the finding under the cursor."""
        chosen = self.query_one("#findings", RowList).chosen
        if self.view != FINDINGS or not isinstance(chosen, Finding) or chosen.file is None:
            self.ring("o opens the line of a finding: 3 shows the findings.")
        elif self.report is None or chosen.file not in self.report.notes:
            self.ring(f"{chosen.file} is no note that could be shown.")
        else:
            self.go_to(chosen.file, chosen.line or 1)

    @on(Markdown.LinkClicked)
    def _link_clicked(self, event: Markdown.LinkClicked) -> None:
        event.stop()
        if self.report is None or self.note is None:
            return
        target = unquote(event.href.partition("#")[0])
        path = posixpath.normpath(posixpath.join(posixpath.dirname(self.note), target))
        if path in self.report.notes:
            self.go_to(path)
        else:
            self.query_one(StatusLine).say(f"{event.href} is no note of this project.")

    # Moving

    def action_step(self, step: int) -> None:
        """Down or up in the pane that has the keys."""
        pane = self.focused
        if isinstance(pane, NoteLines):
            pane.step(step)
        elif isinstance(pane, RowList):
            if not pane.ends(step):
                (pane.action_cursor_down if step > 0 else pane.action_cursor_up)()
        elif isinstance(pane, (RowWindow, VerticalScroll)):
            pane.scroll_relative(y=step, animate=False, immediate=True)

    def action_page(self, step: int) -> None:
        """A window down or up."""
        pane = self.focused
        if isinstance(pane, (RowList, RowWindow)):
            pane.page(step)
        elif isinstance(pane, VerticalScroll):
            pane.scroll_relative(y=step * max(1, pane.size.height - 2), animate=False, immediate=True)

    def action_edge(self, end: int) -> None:
        """To the beginning or the end."""
        pane = self.focused
        if isinstance(pane, NoteLines):
            pane.choose(1 if end == 0 else pane.count)
        elif isinstance(pane, RowList):
            pane.edge(end)
        elif isinstance(pane, (RowWindow, VerticalScroll)):
            (pane.scroll_home if end == 0 else pane.scroll_end)(animate=False, immediate=True)

    # Opening

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        """What the cursor stands on: the note, the remedy of a finding in a review, the line of a transcript."""
        if self.notes_tree.has_focus:
            chosen = self.notes_tree.chosen
            if isinstance(chosen, str) and chosen.endswith("/"):
                self.action_fold()
            else:
                self.shown.focus()
        elif self.view == FINDINGS:
            self.propose_remedy(0)
        elif self.view == GROUNDS:
            spot = self.query_one("#grounds", RowList).chosen
            if spot == OFFER:
                self._open_sentence()
            else:
                self.open_spot(spot)
        elif self.view == QUEUE:
            row = self.row_at_hand
            if row is not None:
                self.go_to(row.file, row.line)
        elif self.view == RAW:
            if self.line_pane.has_focus:
                self.open_spot(self.line_pane.chosen)
            else:
                self.line_pane.focus()

    def _open_sentence(self) -> None:
        from memreview.tui.screens.sentence import SentenceScreen, claude_files

        root = self.report.audit.surroundings.root if self.report is not None else None
        self.app.push_screen(SentenceScreen(claude_files(root, self.memreview.options.claude_dir)))

    def action_history(self) -> None:
        """Open the past reviews of this project."""
        self.memreview.open_history(self.project)

    def action_leave(self) -> None:
        """Back to all projects."""
        self.memreview.leave()
