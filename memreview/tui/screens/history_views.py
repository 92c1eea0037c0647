"""What the history shows: past reviews of a project, and the changes of one of them; read in a worker."""

from __future__ import annotations

import time

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.worker import Worker, WorkerState, get_current_worker

from memreview.errors import MemreviewError
from memreview.evidence.undo import PastReview, Piece
from memreview.model.dream import Project
from memreview.tui import content
from memreview.tui.outlook import many
from memreview.tui.screens.base import BaseScreen
from memreview.tui.widgets.history_rows import KeptRow, change_rows, review_rows
from memreview.tui.widgets.key_bar import KeyBar
from memreview.tui.widgets.notice import Notice
from memreview.tui.widgets.row_list import ListRow, RowList
from memreview.tui.widgets.status_line import StatusLine
from memreview.tui.widgets.title_bar import TitleBar

BATCH = 0.15
"""Seconds for which commits are gathered before they are shown."""


class HistoryViews(BaseScreen):
    """The panes of :class:`memreview.tui.screens.history.HistoryScreen`."""

    DEFAULT_CSS = """
    HistoryViews {
        #past-panes { height: 1fr; }
        #past-reviews { height: 34%; min-height: 4; border-bottom: solid $rule; }
        #past-changes { height: 1fr; }
        &.-middle #past-panes, &.-wide #past-panes { layout: horizontal; }
        &.-middle #past-reviews { width: 46; height: 1fr; border-bottom: none; border-right: solid $rule; }
        &.-wide #past-reviews { width: 64; height: 1fr; border-bottom: none; border-right: solid $rule; }
        &.-said #past-panes { display: none; }
    }
    """

    class Read(Message):
        """Some commits were read, the newest first; ``whole`` where these are all of them."""

        def __init__(self, reviews: tuple[PastReview, ...], whole: bool) -> None:
            super().__init__()
            self.reviews = reviews
            self.whole = whole

    def __init__(self, project: Project, commit: str | None = None, change: str | None = None) -> None:
        super().__init__()
        self.project = project
        self.reviews: tuple[PastReview, ...] = ()
        self.whole = False
        self._wanted = (commit, change)
        self._shown: str | None = None
        # What is said instead of what the cursor stands on, until a key is pressed.
        self._instead = ""
        # The change to go to once its commit is shown.
        self._change: tuple[str, object] | None = None
        self._reader: Worker[None] | None = None

    def compose(self) -> ComposeResult:
        """Title, the reviews, the changes of one, or what there is to say instead; state and keys."""
        yield TitleBar()
        with Container(id="past-panes"):
            yield RowList(id="past-reviews")
            yield RowList(id="past-changes")
        yield Notice()
        yield StatusLine()
        yield KeyBar()

    def on_mount(self) -> None:
        """Read the history."""
        self._say("Reading the history …", self.project.memory_dir)
        self.action_reload()

    def on_screen_resume(self) -> None:
        """Something may have been taken back meanwhile."""
        if self._reader is not None and self._reader.is_finished:
            self.action_reload()

    # Parts

    @property
    def listing(self) -> RowList:
        """The reviews."""
        return self.query_one("#past-reviews", RowList)

    @property
    def changes(self) -> RowList:
        """The changes of the review under the cursor."""
        return self.query_one("#past-changes", RowList)

    @property
    def past(self) -> PastReview | None:
        """The review under the cursor."""
        chosen = self.listing.chosen
        return next((one for one in self.reviews if one.commit == chosen), None)

    # Reading

    def action_reload(self) -> None:
        """Read the history again."""
        if self._reader is None or self._reader.is_finished:
            self._reader = self._read()

    @work(thread=True, exclusive=True, group="read", exit_on_error=False)
    def _read(self) -> None:
        from memreview import upkeep

        worker, shown = get_current_worker(), time.monotonic()
        found: list[PastReview] = []
        for past in upkeep.each_past_review(self.project):
            if worker.is_cancelled:
                return
            found.append(past)
            # What stands on the screen already is not taken away while the rest is read.
            if time.monotonic() - shown > BATCH and len(found) > len(self.reviews):
                self.post_message(self.Read(tuple(found), False))
                shown = time.monotonic()
        self.post_message(self.Read(tuple(found), True))

    @on(Read)
    def _take(self, event: Read) -> None:
        first = not self.reviews
        self.reviews, self.whole = event.reviews, event.whole
        self._draw_title()
        if not event.reviews:
            if event.whole:
                self._say(
                    "No review of this project has been committed yet.",
                    "Every commit of accepted changes stands here, with the evidence of each, and can be taken back.",
                    "The very first commit has nothing before it, so it is not listed.",
                )
            return
        self.query_one(Notice).clear()
        self.remove_class("-said")
        self.listing.show_rows(lambda width: review_rows(self.reviews, width))
        if first:
            self.listing.focus()
        self._go_where_wanted()
        self._draw_changes()

    def _go_where_wanted(self) -> None:
        commit, change = self._wanted
        past = next((one for one in self.reviews if commit is not None and one.commit.startswith(commit)), None)
        if past is None:
            if commit is not None and self.whole:
                self._wanted = (None, None)
                self._instead = f"{commit[:12]} is not in this list: it is the very first commit, or was rewritten."
                self.describe()
            return
        self._wanted = (None, None)
        piece = next((one for one in past.pieces if change is not None and change in one.ids), None)
        kept = next((one for one in _kept_rows(past) if one.change.id == change), None)
        if piece is not None or kept is not None:
            self._change = (past.commit, piece if piece is not None else kept)
        self.listing.choose(past.commit)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Say why the history cannot be read."""
        if event.state is WorkerState.ERROR:
            error = event.worker.error
            if not isinstance(error, (MemreviewError, OSError)):
                raise error or RuntimeError("a worker failed without an error")
            self._say("The history cannot be read.", str(error), "", "F5 reads it again, q goes back.")

    # Drawing

    def _say(self, headline: str, *lines: str) -> None:
        self.add_class("-said")
        self.query_one(Notice).say(headline, *lines)
        self._draw_title()

    def _draw_title(self) -> None:
        left = Content.assemble(("History ", "bold"), content.content(self.project.name))
        more = "" if self.whole else " …"
        right = many(len(self.reviews), "commit") + more if self.reviews else ""
        self.query_one(TitleBar).show(left, content.content(right))

    def _draw_changes(self) -> None:
        past = self.past
        self.changes.show_rows(self._change_rows)
        if past is not None and past.commit != self._shown:
            self._shown = past.commit
            wanted = self._change
            if wanted is not None and wanted[0] == past.commit:
                self._change = None
                self.changes.choose(wanted[1])
                self.changes.focus()
            else:
                self.changes.edge(0)
        self.describe()

    def _change_rows(self, width: int) -> list[ListRow]:
        past = self.past
        return change_rows(past, width, not self.memreview.options.show_secrets) if past is not None else []

    def describe(self) -> None:
        """Say what the keys would do here."""
        past, status = self.past, self.query_one(StatusLine)
        if self._instead:
            status.say(self._instead, "warning")
            return
        if past is None:
            return
        if self.changes.has_focus:
            chosen = self.changes.chosen
            if isinstance(chosen, Piece):
                status.say(f"r takes back this change of {chosen.note}: {chosen.text}")
            elif isinstance(chosen, KeptRow):
                status.say("enter shows what was kept of this line")
            return
        told = [f"{past.commit[:12]}: {many(len(past.pieces), 'change')}"]
        for part in past.evidence:
            if part.label:
                told.append(part.label)
        status.say(" · ".join(dict.fromkeys(told)) + " · R takes it back")

    @on(OptionList.OptionHighlighted, "#past-reviews")
    def _review_chosen(self) -> None:
        self._draw_changes()

    @on(OptionList.OptionHighlighted, "#past-changes")
    def _change_chosen(self) -> None:
        self.describe()

    def on_descendant_focus(self) -> None:
        """What the keys would do depends on the pane."""
        self.describe()


def _kept_rows(past: PastReview) -> list[KeptRow]:
    return [KeptRow(part, change) for part in past.evidence for change in part.changes]
