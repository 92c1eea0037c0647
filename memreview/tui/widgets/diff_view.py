"""The diff of one note: the current change stands out, flagged words are underlined, decisions are carried out."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

from textual.binding import Binding

from memreview.model.memory import INDEX_NAME
from memreview.model.patch import FileChange
from memreview.tui import content
from memreview.tui.content import Mark, matches, overlay
from memreview.tui.facts import EDITED, REJECTED, UNDECIDED
from memreview.tui.items import Item, ItemKind
from memreview.tui.ledger import Ledger
from memreview.tui.line_picker import LinePicker
from memreview.tui.rows.diff import DiffRows, LineRef, Look, diff_rows
from memreview.tui.rows.flagged import claim_marks
from memreview.tui.rows.model import Row
from memreview.tui.verdicts import SPANS
from memreview.tui.verdicts import STYLES as CLAIM_STYLES
from memreview.tui.widgets.claim_lines import ClaimLines
from memreview.tui.widgets.lines import Piece

STYLES = {"context", "gap", "label", "own", "conflict", "live", "edited", "number", "number-here", "bar", "pick"}
STYLES |= {f"{side}{part}" for side in ("removed", "added") for part in ("", "-dim", "-off", "-word")}
STYLES |= {"undecided", "accepted", "rejected", "removed-gone", "match", "span-here"}
STYLES |= {f"{style}{part}" for style in SPANS.values() for part in ("", "-dim")} | {*CLAIM_STYLES.values()}


class DiffView(ClaimLines):
    """Rows of :func:`memreview.tui.rows.diff.diff_rows`; how a line looks follows from the decision on its change."""

    PREFIX = "diff--"
    BINDINGS = [
        Binding("left", "slide(-8)", show=False),
        Binding("right", "slide(8)", show=False),
    ]
    COMPONENT_CLASSES = {f"diff--{name}" for name in STYLES}

    SIGN_COLUMNS = range(1, 2)
    """Where a click is for the decision."""

    def __init__(self, ledger: Ledger, *, id: str | None = None) -> None:
        super().__init__(ledger, id=id)
        self.diff = DiffRows()
        self.picker: LinePicker | None = None
        self.look = Look()
        self._made_for: Hashable = None
        self._drawn_for: Hashable = None
        self._picking = False

    def show_item(self, item: Item | None, picker: LinePicker | None, claim: int | None = None) -> None:
        """Show the note of a row of the list with its change as the current one, and a row of its table of claims."""
        self.picker = picker
        chosen, self.chosen = claim != self.chosen, claim
        file = self._file_of(item)
        before = self.current
        self.current = self.ledger.units[item.units[0]].id if item is not None and item.units else None
        edits = self.ledger.edits(file.id) if file is not None else {}
        made_for = (file.id if file is not None else None, self.look, tuple(edits.items()))
        state = self.ledger.version, self.ledger.state.filter.text
        drawn_for = (*state, picker.at, picker.taken) if picker is not None else state
        moved = before != self.current
        if made_for != self._made_for:
            self._made_for, moved = made_for, True
            self._show(file, edits)
        if self._picking != (picker is not None):
            # The margin is wider while lines are taken.
            self._picking, moved = picker is not None, True
            self.lay_out()
        if drawn_for != self._drawn_for:
            self.flagged.forget()
            self.refresh()
        elif moved or chosen:
            spans = self.diff.spans
            self.redraw_rows(*(spans[unit] for unit in (before, self.current) if unit is not None and unit in spans))
        self._drawn_for = drawn_for
        if self.current in self.diff.spans:
            self._follow(*self.diff.spans[self.current], moved, chosen, picker)

    def _follow(self, first: int, last: int, moved: bool, chosen: bool, picker: LinePicker | None) -> None:
        """Have the current change in view, its claim, and the line that a key would take or leave."""
        place = self.place_of_claim(first, last)
        if moved:
            self.bring_into_view(first, last, lead=min(4, self.size.height // 4), focus=place)
        elif chosen and place is not None:
            self.bring_into_view(place.row, place.row, lead=0, focus=place)
        if picker is not None:
            keys = ((index, cell.key) for index in range(first, last + 1) for cell in self.rows[index].cells)
            at = next((index for index, key in keys if key == picker.line), first)
            self.bring_into_view(at, at, lead=self.size.height // 2)

    def _show(self, file: FileChange | None, edits: Mapping[str, Sequence[str]]) -> None:
        self.diff = DiffRows()
        if file is not None:
            self.diff = diff_rows(file, self.look, edits, self.ledger.review.conflicts, mask=self.masks)
        self.set_rows(self.diff.rows)
        self.border_title = content.content(file.path if file is not None else "No note")
        if file is not None and INDEX_NAME in (file.path, file.old_path):
            self.border_title = content.assemble([file.path, ("  read by every session", "$warning")])

    def _file_of(self, item: Item | None) -> FileChange | None:
        if item is None or item.file is not None:
            return item.file if item is not None else None
        if item.units:
            return self.ledger.units[item.units[0]].file
        review = self.ledger.review
        named = review.findings[item.index].file if item.kind is ItemKind.FINDING else review.entries[item.index].file
        return next((file for file in review.files if file.path == named), None)

    def toggle(self, what: str) -> None:
        """Side by side or not, wrapped or cut, the whole note or what is near."""
        if what == "wrap":
            self.set_wrap(not self.wrap)
        elif what == "side":
            self.look = replace(self.look, side_by_side=not self.look.side_by_side)
        else:
            self.look = replace(self.look, whole=not self.look.whole)

    def state_key(self) -> Hashable:
        """The decisions, and the lines that are being taken."""
        return self._drawn_for

    def columns(self, width: int) -> tuple[int, ...]:
        """Two halves; rows of one column take both."""
        left = width // 2
        return (left, width - left)

    def margin_width(self, row: Row | None, cell: int) -> int:
        """Bar, decision, verdict, number, sign, and a blank after each of the last two.

        The right half has neither bar nor decision.
        """
        lead = 4 if cell == 0 else 3
        return lead + self.diff.digits + 3 + 2 * self._picking

    def margin(self, index: int, cell: int, sub: int) -> Sequence[Piece]:
        """The bar of the current change, its decision, the verdict of what is flagged, the line's number and sign."""
        row, first = self.rows[index], sub == 0
        owner = row.owner if isinstance(row.owner, str) else None
        here = owner is not None and owner == self.current
        shown_cell = row.cells[cell]
        pieces: list[Piece] = []
        bar = "▌" if here else " "
        if cell == 0:
            pieces.append((bar, "bar"))
            if owner is not None and first and index == self.diff.spans.get(owner, (-1, -1))[0]:
                look = self.ledger.look_by_id(owner)
                pieces.append((look.sign, look.style if look.style != "edited" else "own"))
            else:
                pieces.append((" ", "context"))
        else:
            pieces.append(("│", "gap"))
        pieces.append(self.verdict_sign(index, cell, sub))
        number = str(shown_cell.number) if shown_cell.number and first else ""
        pieces.append((f" {number:>{self.diff.digits}} ", "number-here" if here else "number"))
        pieces.append(self._sign(index, cell, first, here))
        return pieces

    def _sign(self, index: int, cell: int, first: bool, here: bool) -> Piece:
        row = self.rows[index]
        shown_cell = row.cells[cell]
        style = self.cell_style(index, cell)
        if style.endswith(("-off", "-gone")):
            style = "number"
        if not first:
            return "  " + "  " * self._picking, style
        if here and self.picker is not None and isinstance(shown_cell.key, LineRef):
            taken = self.picker.taken
            on = shown_cell.key.at in (taken.removed if shown_cell.key.side == "removed" else taken.added)
            box = "◉" if on else "○"
            return f"{box} {shown_cell.sign} ", "pick" if shown_cell.key == self.picker.line else style
        return "  " * self._picking + f"{shown_cell.sign} ", style

    def cell_style(self, index: int, cell: int) -> str:
        """By side, by decision, and dimmed where another change is the current one."""
        row = self.rows[index]
        part = row.cells[cell]
        side = part.style
        if side not in ("removed", "added") or not isinstance(row.owner, str):
            return side or "context"
        outcome = self._outcome(row.owner, part.key, side)
        if outcome == "off":
            return f"{side}-off"
        if outcome == "done" and side == "removed":
            return "removed-gone"
        return side if row.owner == self.current else f"{side}-dim"

    def marks(self, index: int, cell: int, style: str) -> Sequence[Mark]:
        """Changed words in the current change, where it comes true; flagged ones and what was searched, everywhere."""
        layers = [super().marks(index, cell, style)] if style in ("removed", "added") else []
        claims = self.claims_in(index, cell)
        if claims and not style.endswith("-off"):
            here = self.rows[index].owner == self.current
            layers.append(claim_marks(claims, current=here, here=self.claim if here else None))
        searched = self.ledger.state.filter.text
        if searched:
            layers.append(matches(self.rows[index].cells[cell].text, searched, "match"))
        return overlay(*layers)

    def _outcome(self, owner: str, key: Hashable, side: str) -> str:
        """What the decision makes of a line: ``done``, ``off`` where it is not carried out, ``open`` if undecided."""
        picking = self.picker is not None and owner == self.current
        taken = self.picker.taken if self.picker is not None and picking else self.ledger.taken_lines(owner)
        if taken is not None and isinstance(key, LineRef):
            on = key.at in (taken.removed if side == "removed" else taken.added)
            return ("open" if picking else "done") if on else "off"
        look = self.ledger.look_by_id(owner)
        if look is REJECTED or (look is EDITED and side == "added"):
            return "off"
        return "open" if look is UNDECIDED else "done"

    def unit_at(self, index: int) -> str | None:
        """The change or note that a row belongs to."""
        owner = self.rows[index].owner
        return owner if isinstance(owner, str) else None

    def line_at(self, index: int, x: int) -> LineRef | None:
        """The line of a change at a place."""
        cells = self.rows[index].cells
        right = len(cells) > 1 and x >= self.columns(self.text_width)[0]
        key = cells[1 if right else 0].key
        return key if isinstance(key, LineRef) else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While lines are taken the arrows are the screen's, to go from line to line."""
        return self.picker is None or action not in ("scroll_down", "scroll_up")

    def action_slide(self, cells: int) -> None:
        """Move cut lines sideways."""
        if not self.wrap:
            self.shift(cells)
