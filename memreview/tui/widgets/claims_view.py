"""The table of claims below the hunk: one row a claim, and the whole reason of the one that is chosen."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import pairwise

from rich.segment import Segment
from textual import events
from textual.binding import Binding
from textual.content import Content

from memreview.text import cells, clip
from memreview.tui import content
from memreview.tui.content import masked, row_starts, shown
from memreview.tui.ledger import Ledger
from memreview.tui.rows.claims import ClaimRow
from memreview.tui.rows.evidence import short_name
from memreview.tui.rows.model import Cell, Row
from memreview.tui.verdicts import STYLES
from memreview.tui.widgets.lines import LineView

LEAD = 4
"""Cells before the text of a claim: bar, sign, and a blank around it."""
GAP = 2
KIND, VERDICT = 10, 12
"""Cells for the longest kind and the longest verdict."""
TEXT_SHARE = 0.3
LEAST_REASON = 16
"""A reason with less room than this is left out of a row that is not chosen."""


class ClaimsView(LineView):
    """Drawn from the rows of :mod:`memreview.tui.rows.claims`; the screen says which one is chosen."""

    PREFIX = "claims--"
    COMPONENT_CLASSES = {
        f"claims--{name}" for name in (*STYLES.values(), "text", "quiet", "reason", "here", "here-text", "bad")
    }
    BINDINGS = [
        Binding("down,j", "screen.claim(1)", show=False),
        Binding("up,k", "screen.claim(-1)", show=False),
        Binding("home,g", "screen.claim(-1000000)", show=False),
        Binding("end,G", "screen.claim(1000000)", show=False),
    ]

    def __init__(self, ledger: Ledger, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.wrap = False
        self.ledger = ledger
        self.unit: str | None = None
        self.chosen = 0
        self._shown: Hashable = None
        self._widths = (0, 0)
        self._titled: Content | None = None

    @property
    def claims(self) -> tuple[ClaimRow, ...]:
        """The rows of the table."""
        return self.ledger.rows(self.unit) if self.unit is not None else ()

    def show_unit(self, unit: str | None, chosen: int) -> None:
        """Show the table of a change, with one of its rows chosen."""
        self.unit, self.chosen = unit, chosen
        wanted = (unit, chosen, self.ledger.version, self.size.width)
        if wanted != self._shown:
            self._shown = wanted
            self._fill()
        title = self._title()
        if self._titled is None or not title.is_same(self._titled):
            self._titled = title
            self.border_title = title

    def _title(self) -> Content:
        rows = self.claims
        flagged = sum(row.flagged for row in rows)
        parts: list[str | tuple[str, str]] = ["Claims"]
        if rows:
            parts.append((f"  {flagged} of {len(rows)} flagged" if flagged else f"  {len(rows)}, none flagged", ""))
        if self.ledger.checking:
            parts.append(("  checking claims …", "$accent"))
        elif self.ledger.unchecked:
            parts.append(("  not checked", "$error"))
        return content.assemble(parts)

    def lines_wanted(self, width: int) -> int:
        """How many lines the table would take with its longest reason shown."""
        rows = self.claims
        if not rows:
            return len(self._said(width))
        return len(rows) + max(len(self._reason(row, width)) for row in rows)

    # Rows

    def _said(self, width: int) -> list[str]:
        """What stands here instead of a table."""
        if self.ledger.unchecked:
            said = f"The claims could not be checked: {self.ledger.unchecked}. F5 tries again."
        elif self.ledger.checking:
            said = "What is claimed here is being checked against the transcripts …"
        else:
            return ["Nothing new is claimed here."] if self.ledger.judged.checked and self.unit is not None else []
        return _wrapped(said, max(8, width - 3))

    def _fill(self) -> None:
        width = self.size.width - self.styles.scrollbar_size_vertical
        self._widths = self._columns(width)
        rows: list[Row] = []
        first = last = 0
        for number, claim in enumerate(self.claims):
            if number == self.chosen:
                first = len(rows)
            rows.append(Row((Cell("", "claim"),), number, wraps=False))
            if number == self.chosen and width > 0:
                rows += [Row((Cell(line, "reason"),), number, wraps=False) for line in self._reason(claim, width)]
                last = len(rows) - 1
        if not rows:
            rows = [Row((Cell(line, "said"),), None, wraps=False) for line in self._said(width)]
        self.set_rows(rows)
        if rows:
            self.bring_into_view(first, last, lead=0)

    def _columns(self, width: int) -> tuple[int, int]:
        """Cells for the text of a claim and for its reason."""
        longest = max((cells(shown(row.text)) for row in self.claims), default=0)
        text = min(longest, max(8, int(width * TEXT_SHARE)))
        return text, width - LEAD - text - KIND - VERDICT - 3 * GAP - 1

    def _reason(self, claim: ClaimRow, width: int) -> list[str]:
        """The lines below the chosen row."""
        said, place = _reason_of(claim), self._place(claim)
        return _wrapped(f"{said}  {place}" if place else said, max(8, width - LEAD - 1))

    def _place(self, claim: ClaimRow) -> str:
        """The record on which the verdict rests, where the reason does not name it already."""
        evidence = claim.claim.evidence if claim.claim is not None else ()
        if not evidence:
            return ""
        place = f"{shown(short_name(evidence[0].transcript))}:{evidence[0].line}"
        return "" if place in _reason_of(claim) else f"({place})"

    # Drawing

    def state_key(self) -> Hashable:
        """The table and what is chosen."""
        return self._shown

    def segments(self, index: int, sub: int) -> list[Segment]:
        """One line of the table."""
        row, width = self.rows[index], self.text_width
        what = row.cells[0]
        if not isinstance(row.owner, int):
            bad = bool(self.ledger.unchecked)
            return [Segment(clip(f"  {what.text}", width), self.style_named("bad" if bad else "quiet"))]
        claim, here = self.claims[row.owner], row.owner == self.chosen
        bar = Segment("▌ " if here else "  ", self.style_named("here" if here else "quiet"))
        if what.style == "reason":
            return [bar, Segment(" " * (LEAD - 2) + what.text, self.style_named("reason"))]
        return [bar, *self._claim(claim, here)]

    def _claim(self, claim: ClaimRow, here: bool) -> list[Segment]:
        text_width, reason_width = self._widths
        verdict = STYLES[claim.weight]
        text = masked(shown(claim.text))
        pieces = [
            Segment(f"{claim.look.sign} ", self.style_named(verdict)),
            Segment(_padded(text, text_width + GAP), self.style_named("here-text" if here else "text")),
            Segment(_padded(claim.kind, KIND + GAP), self.style_named("quiet")),
            Segment(_padded(claim.look.word, VERDICT + GAP), self.style_named(verdict)),
        ]
        if here:
            pieces.append(Segment(clip(claim.rule, max(0, reason_width)), self.style_named("quiet")))
        elif reason_width >= LEAST_REASON:
            pieces.append(Segment(clip(_reason_of(claim), reason_width), self.style_named("quiet")))
        return pieces

    def on_resize(self, event: events.Resize) -> None:
        """Wrap the reason anew."""
        self._shown = None
        self._fill()
        super().on_resize(event)

    def row_of(self, index: int) -> int | None:
        """Which row of the table a line belongs to."""
        owner = self.rows[index].owner
        return owner if isinstance(owner, int) else None


def _reason_of(claim: ClaimRow) -> str:
    return masked(shown(short_name(claim.reason)))


def _padded(text: str, width: int) -> str:
    text = clip(text, width - GAP)
    return text + " " * (width - cells(text))


def _wrapped(text: str, width: int) -> list[str]:
    starts = [*row_starts(text, width), len(text)]
    return [text[start:end].rstrip() for start, end in pairwise(starts)]
