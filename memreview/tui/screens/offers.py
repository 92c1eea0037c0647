"""What may stand instead of words that the claim check flags: a list to choose from, over the review."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList

from memreview.diff.words import changed_words
from memreview.tui import content
from memreview.tui.content import Mark, masked, row_starts, shown_with_marks
from memreview.tui.keys import Key, bindings
from memreview.tui.rewrite import Offer
from memreview.tui.widgets.row_list import ListRow, RowList

KEYS = (
    Key("offers.take", "enter", "take", "enter", "take", "Take this text instead; u undoes it", "Offers", 1),
    Key("offers.down", "j,down", "step(1)", "j", "next", "Next text", "Offers", 2),
    Key("offers.up", "k,up", "step(-1)", "k", "previous", "Text before", "Offers", 3),
    Key("offers.cancel", "escape,q,v", "cancel", "esc", "cancel", "Leave it as it is", "Offers", 4),
)
INDENT = 4


class OffersScreen(ModalScreen["Offer | None"]):
    """Is dismissed with the offer that was chosen; ``lines`` are what stands there now, ``title`` names the claim."""

    KEYS: ClassVar[tuple[Key, ...]] = KEYS
    BINDINGS = bindings(KEYS)
    TITLE = "Another text"
    DEFAULT_CSS = """
    OffersScreen {
        align: center middle;
        #offers {
            width: 92%; max-width: 120; height: auto; max-height: 80%; padding: 0 1;
            border: round $primary; background: $surface;
        }
        RowList { height: auto; max-height: 100%; background: $surface; }
        &:ansi #offers, &:ansi RowList { background: ansi_default; }
    }
    """

    def __init__(self, title: str, lines: Sequence[str], offers: Sequence[Offer]) -> None:
        super().__init__()
        self._about = title
        self._lines = tuple(lines)
        self._offers = tuple(offers)

    def compose(self) -> ComposeResult:
        """The list in a frame."""
        with Vertical(id="offers") as frame:
            frame.border_title = content.content(self._about)
            frame.border_subtitle = Content("enter takes · j k chooses · esc leaves it")
            yield RowList()

    def on_mount(self) -> None:
        """Show the offers."""
        rows = self.query_one(RowList)
        rows.show_rows(self._rows)
        rows.focus()

    def _rows(self, width: int) -> list[ListRow]:
        return [ListRow(self._row(offer, width - INDENT - 1), offer) for offer in self._offers]

    def _row(self, offer: Offer, width: int) -> Content:
        parts = [content.content(f" {offer.words}", "bold $accent")]
        parts += [Content(" " * INDENT) + part for part in self._result(offer, width)]
        return Content("\n").join([*parts, Content(" ")])

    def _result(self, offer: Offer, width: int) -> list[Content]:
        """The line that differs as it would be, with what is new in it marked; where a line goes, the others."""
        if offer.line is None:
            left = [line for line in offer.lines if line.strip()][:3]
            return [piece for line in left for piece in _wrapped(line, (), width)]
        old, new = self._lines[offer.line], offer.lines[offer.line]
        return _wrapped(new, [Mark(*span, "$added bold") for span in changed_words(old, new)[1]], width)

    # Keys

    def action_step(self, step: int) -> None:
        """Go to another offer."""
        rows = self.query_one(RowList)
        if step > 0:
            rows.action_cursor_down()
        else:
            rows.action_cursor_up()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_take()

    def action_take(self) -> None:
        """Take the offer under the cursor."""
        chosen = self.query_one(RowList).chosen
        if isinstance(chosen, Offer):
            self.dismiss(chosen)

    def action_cancel(self) -> None:
        """Take none."""
        self.dismiss(None)


def _wrapped(line: str, marks: Sequence[Mark], width: int) -> list[Content]:
    text, placed = shown_with_marks(line, marks)
    whole = Content(masked(text))
    for mark in placed:
        whole = whole.stylize(mark.style, mark.start, mark.end)
    starts = [*row_starts(text, max(8, width)), len(text)]
    return [whole[start:end] for start, end in pairwise(starts)]
