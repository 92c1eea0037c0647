"""The way back: past reviews of a project, their changes with the evidence that was kept, and what takes them back."""

from __future__ import annotations

from textual import on, work
from textual.message import Message
from textual.widgets import OptionList

from memreview.errors import MemreviewError
from memreview.evidence.undo import PastReview, Piece, TakingBack
from memreview.tui.keys import Key, bindings
from memreview.tui.screens.history_views import HistoryViews
from memreview.tui.screens.kept import KeptScreen
from memreview.tui.widgets.history_rows import KeptRow
from memreview.tui.widgets.row_list import RowList
from memreview.tui.widgets.status_line import StatusLine

KEYS = (
    Key("history.open", "enter", "open", "enter", "open", "Changes of a review; evidence of a change", "Look", 1),
    Key(
        "history.change",
        "r",
        "take_back(False)",
        "r",
        "revert change",
        "Take back this change",
        "Back",
        2,
    ),
    Key("history.review", "R", "take_back(True)", "R", "revert review", "Take back the whole review", "Back", 3),
    Key("history.pane", "tab,shift+tab", "pane", "tab", "pane", "From the reviews to the changes and back", "Look", 5),
    Key("history.next", "n", "review(1)", "n", "older", "The review before this one", "Move", 6),
    Key("history.before", "N", "review(-1)", "N", "", "The review after this one", "Move"),
    Key("history.down", "j,down", "step(1)", "j", "", "Next row", "Move"),
    Key("history.up", "k,up", "step(-1)", "k", "", "Row before", "Move"),
    Key("history.page_down", "pagedown,space,ctrl+d", "page(1)", "space", "", "A window down", "Move"),
    Key("history.page_up", "pageup,b,ctrl+u", "page(-1)", "b", "", "A window up", "Move"),
    Key("history.first", "home,g", "edge(0)", "g", "", "First row", "Move"),
    Key("history.last", "end,G", "edge(-1)", "G", "", "Last row", "Move"),
    Key("history.copy", "y", "copy", "y", "copy id", "Copy the id of the commit", "Look", 8),
    Key("history.reload", "f5", "reload", "F5", "", "Read the history again", "Look"),
    Key("history.leave", "q,escape", "leave", "q", "back", "Back to where you came from", "Finish", 4),
)
SIGNS = (
    ("✓5 ✗2", "changes of the review that were accepted, and rejected"),
    ("9 open", "changes of the review that were not decided"),
    ("◆ kept", "the records that it rests on are kept with the commit"),
    ("◆ 2 forgotten", "so many changes have lost theirs: memreview evidence forget"),
    ("A D R M", "a note that came, went, was renamed; lines of one that changed"),
    ("− +", "lines that the commit took away, and those that it brought"),
)


class HistoryScreen(HistoryViews):
    """The commits that changed notes of ``project``, at ``commit`` and ``change`` (an id) where these are named."""

    KEYS = KEYS
    BINDINGS = bindings(KEYS)
    TITLE = "History"
    SIGNS = SIGNS

    class Ready(Message):
        """It is known what is to be taken back; ``reason`` is why it cannot be."""

        def __init__(self, back: TakingBack | None, reason: str = "") -> None:
            super().__init__()
            self.back = back
            self.reason = reason

    # Keys

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        """The changes of the review under the cursor, or the evidence of the change."""
        self._instead = ""
        past, chosen = self.past, self.changes.chosen
        if not self.changes.has_focus:
            self.changes.focus()
            self.call_after_refresh(self.describe)
        elif past is not None and isinstance(chosen, Piece):
            self.app.push_screen(KeptScreen.of_piece(self.project, past, chosen))
        elif past is not None and isinstance(chosen, KeptRow):
            self.app.push_screen(KeptScreen(self.project, past, chosen.evidence, chosen.change))

    def action_take_back(self, whole: bool) -> None:
        """Show what taking back would do: the whole review, or the change under the cursor."""
        past, chosen = self.past, self.changes.chosen
        if past is None:
            self.app.bell()
            return
        if not past.pieces:
            self._ring("This commit changed no note, so there is nothing to take back.")
        elif whole:
            self._prepare(past, ())
        elif not self.changes.has_focus or not isinstance(chosen, Piece):
            self._ring("r takes back one change: enter goes to the changes. R takes back the whole review.")
        else:
            self._prepare(past, (chosen.id,))

    def _ring(self, said: str) -> None:
        self.app.bell()
        self.query_one(StatusLine).say(said)

    @work(thread=True, exclusive=True, group="prepare", exit_on_error=False)
    def _prepare(self, past: PastReview, changes: tuple[str, ...]) -> None:
        from memreview import upkeep

        try:
            self.post_message(self.Ready(upkeep.taking_back(self.project, past.commit, changes)))
        except (MemreviewError, OSError) as error:
            self.post_message(self.Ready(None, str(error)))

    @on(Ready)
    def _open_revert(self, event: Ready) -> None:
        from memreview.tui.screens.revert import RevertScreen

        if event.back is None:
            self._ring(event.reason)
            return
        self.app.push_screen(RevertScreen(self.project, event.back))

    def action_pane(self) -> None:
        """Go to the other pane."""
        self._instead = ""
        (self.listing if self.changes.has_focus else self.changes).focus()
        self.call_after_refresh(self.describe)

    def action_review(self, step: int) -> None:
        """Go to another review, whichever pane has the keys."""
        self._instead = ""
        if not self.listing.ends(step):
            (self.listing.action_cursor_down if step > 0 else self.listing.action_cursor_up)()

    @property
    def _pane(self) -> RowList:
        return self.changes if self.changes.has_focus else self.listing

    def action_step(self, step: int) -> None:
        """Go to another row."""
        self._instead = ""
        if not self._pane.ends(step):
            (self._pane.action_cursor_down if step > 0 else self._pane.action_cursor_up)()

    def action_page(self, step: int) -> None:
        """Go by windows."""
        self._instead = ""
        self._pane.page(step)

    def action_edge(self, end: int) -> None:
        """Go to the first or the last row."""
        self._instead = ""
        self._pane.edge(end)

    def action_copy(self) -> None:
        """Copy the id of the commit under the cursor."""
        past = self.past
        if past is not None:
            self.app.copy_to_clipboard(past.commit)
            self.query_one(StatusLine).say(f"Copied {past.commit}")

    def action_leave(self) -> None:
        """Back to the reviews from the changes; from there to where one came from."""
        if self.changes.has_focus and self.listing.display:
            self.listing.focus()
            self.call_after_refresh(self.describe)
        else:
            self.memreview.leave()
