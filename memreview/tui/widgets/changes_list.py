"""The list of a review: notes and their changes, with the decision, the verdict and the most urgent flag of each."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding

from memreview.model.memory import INDEX_NAME
from memreview.model.patch import FileChange
from memreview.review.index import Unit
from memreview.text import clip
from memreview.tui.content import decode_line, masked, shown
from memreview.tui.facts import KIND_SIGNS, change_sign, texts
from memreview.tui.items import Item, ItemKind
from memreview.tui.judged import by_urgency
from memreview.tui.ledger import Ledger
from memreview.tui.rows.model import Cell, Row
from memreview.tui.verdicts import STYLES as CLAIM_STYLES
from memreview.tui.widgets.lines import LineView

_LINK = re.compile(r"\[([^\[\]]+)\]\([^()\s]*\)")
"""A Markdown link: in a list its words say enough."""
BRIEF = 1000
"""Bytes of a line that are looked at for its summary."""
LEAD = 5
"""Cells before the text of a change: cursor, decision, verdict, flag, blank."""


STYLES = {"file", "file-here", "count", "unit", "done", "cursor", "section", "quiet"}
STYLES |= {"undecided", "accepted", "rejected", "edited", "flag", "every", *CLAIM_STYLES.values()}
EVERY_SESSION = "  every session"
"""Said of the index: whoever works in the project reads it."""


class ChangesList(LineView):
    """Drawn from items; what a change looks like is asked of the review when its row comes into view."""

    PREFIX = "list--"
    BINDINGS = [
        Binding("up", "screen.go('previous')", show=False),
        Binding("down", "screen.go('next')", show=False),
        Binding("home", "screen.go('first')", show=False),
        Binding("end", "screen.go('last')", show=False),
    ]
    COMPONENT_CLASSES = {f"list--{name}" for name in STYLES}
    SIGN_COLUMNS = range(1, 3)
    """Where a click is for the decision."""

    def __init__(self, ledger: Ledger, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.wrap = False
        self.ledger = ledger
        self.items: tuple[Item, ...] = ()
        self.position = 0
        self._version = -1

    def show_items(self, items: tuple[Item, ...]) -> None:
        """Show this list."""
        self.items = items
        self.set_rows([Row((Cell(""),), index, item.kind.value, wraps=False) for index, item in enumerate(items)])

    def move_to(self, position: int) -> None:
        """Put the cursor on a row."""
        before, self.position = self.position, position
        if self.ledger.version != self._version:
            self._version = self.ledger.version
            self.refresh()
        elif before != position:
            self.redraw_rows(*((row, row) for row in {before, position, self._head(before), self._head(position)}))
        if self.items:
            # The name of the note above its first change comes along.
            above = position > 0 and self.size.height > 1 and self.items[position - 1].kind is ItemKind.FILE
            self.bring_into_view(position - 1 if above else position, position, lead=self.size.height // 3)

    def _head(self, position: int) -> int:
        """The row that names the note of a row."""
        position = min(position, len(self.items) - 1)
        file = self.items[position].file if position >= 0 else None
        while position > 0 and file is not None and self.items[position].kind is not ItemKind.FILE:
            position -= 1
        return position

    def state_key(self) -> Hashable:
        """The decisions."""
        return self.ledger.version

    def segments(self, index: int, sub: int) -> list[Segment]:
        """One row of the list."""
        item = self.items[index]
        width = self.text_width
        if item.kind is ItemKind.FILE and item.file is not None:
            return self._file(item, item.file, width)
        if item.kind is ItemKind.SECTION:
            return [self._piece(clip(f"── {item.title} " + "─" * width, width, ""), "section")]
        here = index == self.position
        style = "cursor" if here else "unit"
        lead = [self._piece("▌" if here else " ", style)]
        if item.kind is ItemKind.UNIT:
            return lead + self._unit(item.units[0], width - 1, here)
        text = clip(self._other(item), width - 1)
        return [*lead, self._piece(text + " " * (width - 1 - cell_len(text)), style)]

    def _piece(self, text: str, style: str, over: str = "") -> Segment:
        look = self.style_named(style)
        if not over:
            return Segment(text, look)
        # A terminal's own colours are not to be trusted on the reversed line of the cursor.
        colour = None if self.app.native_ansi_color else look.color
        return Segment(text, self.style_named(over) + Style(color=colour))

    def _file(self, item: Item, file: FileChange, width: int) -> list[Segment]:
        here = any(number in item.units for number in self._units_here())
        done = sum(self.ledger.look(number).style != "undecided" for number in item.units)
        count = f" {done}/{len(item.units)} "
        sign = KIND_SIGNS[file.kind][0]
        tally = by_urgency(self.ledger.judged.tally(self.ledger.units[number].id for number in item.units))
        flagged = f" {tally[0][0].sign}{sum(number for _, _, number in tally)}" if tally else ""
        room = max(4, width - len(count) - len(flagged) - 2)
        name = clip_left(shown(file.path), room)
        more = EVERY_SESSION if INDEX_NAME in (file.path, file.old_path) else ""
        more = more if cell_len(name) + len(more) <= room else ""
        style = "file-here" if here else "file"
        return [
            self._piece(f"{sign} ", "quiet"),
            self._piece(name, style),
            self._piece(more + " " * max(0, room - cell_len(name) - len(more)), "every"),
            self._piece(flagged, CLAIM_STYLES[tally[0][1]] if tally else "count"),
            self._piece(count, "accepted" if done == len(item.units) else "count"),
        ]

    def _units_here(self) -> tuple[int, ...]:
        return self.items[self.position].units if self.items else ()

    def _unit(self, number: int, width: int, here: bool) -> list[Segment]:
        look = self.ledger.look(number)
        found = self.ledger.flags(number)
        worst = self.ledger.judged.worst(self.ledger.units[number].id)
        style = "cursor" if here else "unit" if look.style == "undecided" else "done"
        unit = self.ledger.units[number]
        text = f"{change_sign(unit)} {clip(summary(unit, self.masks), width - LEAD - 1)}"
        over = "cursor" if here else ""
        return [
            self._piece(look.sign, look.style, over),
            self._piece(worst.look.sign, CLAIM_STYLES[worst.weight], over) if worst else self._piece(" ", style),
            self._piece(found[0].sign if found else " ", "flag", over),
            self._piece(" ", style),
            self._piece(text + " " * (width - LEAD + 1 - cell_len(text)), style),
        ]

    def _other(self, item: Item) -> str:
        if item.kind is ItemKind.STAMPS:
            looks = {self.ledger.look(number).sign for number in item.units}
            sign = looks.pop() if len(looks) == 1 else "·"
            return f"{sign}   {len(item.units)} renewed “modified” stamps (enter opens)"
        if item.kind is ItemKind.FINDING:
            return "• " + shown(self.ledger.review.findings[item.index].message)
        if item.kind is ItemKind.UNHEEDED:
            said = shown(" ".join(self.ledger.review.unheeded[item.index].text.split()))
            return "“ " + (masked(said) if self.masks else said)
        return "○ " + shown(" ".join(self.ledger.review.entries[item.index].text.split()))


def summary(unit: Unit, mask: bool = True) -> str:
    """The first line with words in a change, the new ones first, without its list sign; fit to be drawn."""
    file = unit.file
    if unit.change is None:
        if file.old_path is not None:
            return shown(f"renamed from {file.old_path}")
        return "whole note" if not file.binary else "not text"
    for line in _body(tuple(texts(unit))):
        text = _LINK.sub(r"\1", decode_line(line[:BRIEF]).strip().lstrip("-*#>+ ").strip())
        if text:
            return masked(shown(text[:200])) if mask else shown(text[:200])
    return "blank lines"


def _body(lines: Sequence[bytes]) -> Sequence[bytes]:
    """Lines without the frontmatter that they begin with, unless they are nothing else."""
    if lines and lines[0].rstrip() == b"---":
        for number, line in enumerate(lines[1:40], 1):
            if line.rstrip() == b"---":
                return lines[number + 1 :] or lines
    return lines


def clip_left(text: str, width: int) -> str:
    """Text cut at its beginning: of a path the end says most."""
    if cell_len(text) <= width:
        return text
    while text and cell_len(text) > width - 1:
        text = text[1:]
    return "…" + text
