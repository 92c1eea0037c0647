"""The evidence that was kept of one change: who said what and when, around it, and what the claim check found."""

from __future__ import annotations

from collections.abc import Sequence

from textual import on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList

from memreview.errors import MemreviewError
from memreview.evidence.undo import PastReview, Piece
from memreview.model.dream import Project
from memreview.model.kept import KeptChange, KeptEvidence
from memreview.text import encode
from memreview.tui import content
from memreview.tui.app import SHA_LENGTH
from memreview.tui.keys import Key, bindings
from memreview.tui.line_facts import Place
from memreview.tui.screens.base import BaseScreen
from memreview.tui.screens.transcript import TranscriptScreen
from memreview.tui.widgets.ground_rows import Spot
from memreview.tui.widgets.history_rows import sides_of
from memreview.tui.widgets.kept_rows import kept_rows, with_context
from memreview.tui.widgets.key_bar import KeyBar
from memreview.tui.widgets.row_list import ListRow, RowList
from memreview.tui.widgets.status_line import StatusLine
from memreview.tui.widgets.title_bar import TitleBar

KEYS = (
    Key(
        "kept.open",
        "enter,t",
        "open",
        "enter",
        "transcript",
        "The transcript at this record, where it stands",
        "Look",
        1,
    ),
    Key("kept.down", "j,down", "step(1)", "j", "next", "Next record", "Move", 2),
    Key("kept.up", "k,up", "step(-1)", "k", "previous", "Record before", "Move", 3),
    Key("kept.page_down", "pagedown,space,ctrl+d", "page(1)", "space", "", "A window down", "Move"),
    Key("kept.page_up", "pageup,b,ctrl+u", "page(-1)", "b", "", "A window up", "Move"),
    Key("kept.first", "home,g", "edge(0)", "g", "", "To the beginning", "Move"),
    Key("kept.last", "end,G", "edge(-1)", "G", "", "To the end", "Move"),
    Key("kept.leave", "q,escape", "leave", "q", "back", "Back", "Finish", 4),
)


class KeptScreen(BaseScreen):
    """What was kept of ``change`` in ``evidence``; both None where nothing was."""

    KEYS = KEYS
    BINDINGS = bindings(KEYS)
    TITLE = "Kept evidence"
    SIGNS = (("◆", "a record that the change rests on; the others were said around it"),)

    class Located(Message):
        """It is known where the records stand now, by ``KeptRecord.at``."""

        def __init__(self, places: dict[str, Place]) -> None:
            super().__init__()
            self.places = places

    def __init__(
        self,
        project: Project,
        past: PastReview,
        evidence: KeptEvidence | None,
        change: KeptChange | None,
        sides: tuple[Sequence[bytes], Sequence[bytes]] | None = None,
    ) -> None:
        super().__init__()
        self.project = project
        self.past = past
        self.evidence = evidence
        self.change = change
        self._places: dict[str, Place] | None = None
        if sides is None:
            lines = [encode(line) for line in change.added] if change is not None else []
            sides = ((), lines)
        self._sides = sides

    @classmethod
    def of_piece(cls, project: Project, past: PastReview, piece: Piece) -> KeptScreen:
        """What was kept of a change of a commit."""
        evidence = next((part for part in past.evidence if piece.kept in part.changes), None)
        return cls(project, past, evidence, piece.kept, sides_of(piece))

    def compose(self) -> ComposeResult:
        """Title, rows, what the cursor stands on, keys."""
        yield TitleBar()
        yield RowList(id="kept")
        yield StatusLine()
        yield KeyBar()

    def on_mount(self) -> None:
        """Show it, and look where its records stand."""
        where = f"{self.change.note}:{self.change.line}" if self.change is not None else self.past.subject
        left = Content.assemble(("Kept evidence ", "bold"), content.content(where))
        self.query_one(TitleBar).show(left, content.content(self.past.commit[:SHA_LENGTH]))
        self.rows.show_rows(self._rows)
        self.rows.focus()
        self._describe()
        self._locate()

    @property
    def rows(self) -> RowList:
        """Everything that was kept."""
        return self.query_one("#kept", RowList)

    def _rows(self, width: int) -> list[ListRow]:
        masks = not self.memreview.options.show_secrets
        return kept_rows(self.evidence, self.change, self._sides, self._places, width, masks)

    @work(thread=True, exclusive=True, group="locate", exit_on_error=False)
    def _locate(self) -> None:
        from memreview import upkeep

        evidence, change = self.evidence, self.change
        records = with_context(evidence, change) if evidence is not None and change is not None else []
        try:
            places = dict(upkeep.whereabouts(self.project, self.memreview.options, records))
        except (MemreviewError, OSError):
            places = {}
        self.post_message(self.Located(places))

    @on(Located)
    def _located(self, event: Located) -> None:
        at = self.rows.highlighted
        self._places = event.places
        self.rows.show_rows(self._rows)
        if at is not None:
            self.rows.highlighted = at
        self._describe()

    @on(OptionList.OptionHighlighted)
    def _describe(self) -> None:
        chosen = self.rows.chosen
        if isinstance(chosen, Spot):
            self.query_one(StatusLine).say(f"enter opens {chosen.path}:{chosen.line}")
        elif self._places is None:
            self.query_one(StatusLine).say("Looking where the records stand now …")
        else:
            self.query_one(StatusLine).say("Its words are kept with the commit, whatever becomes of the transcript.")

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        """Open the transcript at the record under the cursor."""
        chosen = self.rows.chosen
        if isinstance(chosen, Spot):
            self.app.push_screen(TranscriptScreen(chosen.path, chosen.line, self.memreview.options, (chosen.line,)))
        else:
            self.app.bell()
            self._describe()

    def action_step(self, step: int) -> None:
        """Go to another record; where there is none, scroll."""
        if self.rows.ends(step):
            self.rows.scroll_relative(y=step, animate=False, immediate=True)
        elif step > 0:
            self.rows.action_cursor_down()
        else:
            self.rows.action_cursor_up()

    def action_page(self, step: int) -> None:
        """Scroll by windows."""
        self.rows.scroll_relative(y=step * max(1, self.rows.size.height - 1), animate=False, immediate=True)

    def action_edge(self, end: int) -> None:
        """Go to the beginning or the end."""
        (self.rows.scroll_home if end == 0 else self.rows.scroll_end)(animate=False, immediate=True)
        self.rows.edge(end)

    def action_leave(self) -> None:
        """Go back."""
        self.memreview.leave()
