"""Lines in which claims stand: which one is chosen, where its words are, the sign beside them, the mouse on them."""

from __future__ import annotations

import sys

from textual import events
from textual.message import Message

from memreview.tui.ledger import Ledger
from memreview.tui.rows.claims import ClaimRow
from memreview.tui.rows.diff import LineRef
from memreview.tui.rows.flagged import FlaggedLines, Standing, row_at, sign_between
from memreview.tui.verdicts import STYLES
from memreview.tui.widgets.lines import LineView, Piece
from memreview.tui.widgets.row_window import Place


class ClaimLines(LineView):
    """Rows whose owner is the id of a change, and the keys of whose cells are its lines.

    ``current`` is the change under the cursor, ``chosen`` a row of its table of claims.
    """

    class Pointed(Message):
        """The mouse is over the words of a claim: a unit's id, and which row of its table."""

        def __init__(self, unit: str, row: int) -> None:
            super().__init__()
            self.unit = unit
            self.row = row

    def __init__(self, ledger: Ledger, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.ledger = ledger
        self.current: str | None = None
        self.chosen: int | None = None
        self.flagged = FlaggedLines(ledger.rows)
        self._pointed: tuple[str, int] | None = None

    @property
    def claim(self) -> ClaimRow | None:
        """The row of the table of claims that is chosen."""
        rows = self.ledger.rows(self.current) if self.current is not None else ()
        return rows[self.chosen] if self.chosen is not None and self.chosen < len(rows) else None

    def place_of_claim(self, first: int, last: int) -> Place | None:
        """Where the words of the chosen claim begin."""
        claim = self.claim
        if claim is None:
            return None
        for index in range(first, last + 1):
            for number, cell in enumerate(self.rows[index].cells):
                if cell.key == claim.line:
                    starts = (start for start, _, row in self.claims_in(index, number) if row is claim)
                    return Place(index, number, next(starts, 0))
        return None

    def claims_in(self, index: int, number: int) -> Standing:
        """The claims of a cell, with their places in its text."""
        row = self.rows[index]
        key = row.cells[number].key
        if not isinstance(row.owner, str) or not isinstance(key, LineRef):
            return ()
        unit = self.ledger.index.unit(row.owner)
        return self.flagged.of(unit.change, key) if unit is not None and unit.change is not None else ()

    def verdict_sign(self, index: int, cell: int, sub: int) -> Piece:
        """The sign of what is flagged in a line of a wrapped text."""
        claims = self.claims_in(index, cell)
        if not claims or self.cell_style(index, cell).endswith("-off"):
            return " ", "context"
        starts = [*self.wrapped.breaks.get((index, cell), [0]), sys.maxsize]
        row = sign_between(claims, starts[sub], starts[sub + 1]) if sub + 1 < len(starts) else None
        return (row.look.sign, STYLES[row.weight]) if row is not None else (" ", "context")

    def claim_at(self, line: int, x: int) -> tuple[str, int] | None:
        """The unit, and the row of its table of claims, whose words are drawn at a place."""
        place = self.place_at(line, x)
        if place is None:
            return None
        owner = self.rows[place.row].owner
        row = row_at(self.claims_in(place.row, place.cell), place.at)
        if row is None or not isinstance(owner, str):
            return None
        return owner, self.ledger.rows(owner).index(row)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Say when the mouse comes over the words of a claim."""
        offset = event.get_content_offset(self)
        pointed = self.claim_at(offset.y + self.scroll_offset.y, offset.x) if offset is not None else None
        if pointed != self._pointed:
            self._pointed = pointed
            if pointed is not None:
                self.post_message(self.Pointed(*pointed))
