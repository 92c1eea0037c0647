"""The pane beside the diff: cited records with what stands around them, and the words of CHANGES.md."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import partial

from textual import on
from textual.message import Message
from textual.timer import Timer
from textual.worker import get_current_worker

from memreview.config import Options
from memreview.model.dream import Citation
from memreview.model.transcript import Record
from memreview.review.index import Unit
from memreview.tui import content
from memreview.tui.items import Item, ItemKind
from memreview.tui.ledger import Ledger
from memreview.tui.passages import read_passage
from memreview.tui.rows.evidence import (
    Passage,
    by_transcript,
    entry_rows,
    evidence_rows,
    finding_rows,
    passage_of,
    place,
)
from memreview.tui.rows.model import Cell, Row
from memreview.tui.widgets.lines import LineView, Piece

KEPT = 256
"""Passages that are kept once they were read."""
PAUSE = 0.06
"""Seconds for which the cursor must rest before transcripts are read, so that running through changes stays quick."""


class EvidenceView(LineView):
    """What is cited for the row under the cursor; cited records have a bar before every line."""

    PREFIX = "evidence--"
    COMPONENT_CLASSES = {
        f"evidence--{name}"
        for name in ("title", "bad", "quiet", "entry", "cited-head", "near-head", "cited", "near", "bar")
    }

    class Read(Message):
        """A worker has read passages."""

        def __init__(self, passages: Mapping[Passage, Sequence[Record] | str]) -> None:
            super().__init__()
            self.passages = passages

    def __init__(self, ledger: Ledger, options: Options, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.ledger = ledger
        self.options = options
        self.masks = False
        self.item: Item | None = None
        self.unit: Unit | None = None
        self._passages: OrderedDict[Passage, Sequence[Record] | str] = OrderedDict()
        self._soon: Timer | None = None
        self._settled_at = 0
        self._titled = ""

    def show_item(self, item: Item | None, unit: Unit | None) -> None:
        """Show the evidence for another row of the list."""
        if item is self.item:
            return
        self.item, self.unit = item, unit
        self._show()
        self.scroll_to(y=0, animate=False)
        self._settle()
        if self._soon is not None:
            self._soon.stop()
            self._soon = None
        if self._missing():
            self._soon = self.set_timer(PAUSE, self._read)

    def forget(self) -> None:
        """Look at the review again when the next row is shown."""
        self.item = None

    def _settle(self) -> None:
        """Have the first cited record in view, where it is not already."""
        first = next((index for index, row in enumerate(self.rows) if row.kind == "cited"), None)
        if first is not None:
            last = first
            while last + 1 < len(self.rows) and self.rows[last + 1].kind == "cited":
                last += 1
            self.bring_into_view(first, last, lead=1)
        self.call_after_refresh(self._remember_where)

    def _remember_where(self) -> None:
        self._settled_at = self.scroll_offset.y

    def citations(self) -> Sequence[Citation]:
        """All that is cited for the row."""
        if self.unit is not None:
            return self.ledger.review.citations.get(self.unit.id, ())
        if self.item is not None and self.item.kind is ItemKind.ENTRY:
            return self.ledger.review.entries[self.item.index].citations
        return ()

    @property
    def is_waiting(self) -> bool:
        """True while something that is cited has still to be read."""
        return bool(self._missing())

    def _missing(self) -> list[Passage]:
        wanted = (passage_of(citation) for citation in self.citations())
        return [passage for passage in wanted if passage is not None and passage not in self._passages]

    def _show(self) -> None:
        secrets = self.options.show_secrets
        rows: list[Row] = []
        title = "  ".join(["Evidence", *(place(group) for group in by_transcript(self.citations()))])
        if not self.ledger.looked_up:
            rows = [Row((Cell("What CHANGES.md cites is being looked up …", "quiet"),))]
        elif self.unit is not None:
            rows = evidence_rows(self.ledger.review, self.unit.id, self._passages, show_secrets=secrets)
        elif self.item is not None and self.item.kind is ItemKind.ENTRY:
            rows = entry_rows(self.ledger.review.entries[self.item.index], self._passages, show_secrets=secrets)
            title = "Entry of CHANGES.md"
        elif self.item is not None and self.item.kind is ItemKind.FINDING:
            rows = finding_rows(self.ledger.review.findings[self.item.index], show_secrets=secrets)
            title = "Remark"
        if title != self._titled:
            self._titled = title
            self.border_title = content.content(title)
        if rows != self.rows:
            self.set_rows(rows)

    def _read(self) -> None:
        wanted = self._missing()
        if wanted:
            self.run_worker(partial(self._reader, wanted), thread=True, exclusive=True, group="passages")

    def _reader(self, wanted: Sequence[Passage]) -> None:
        worker = get_current_worker()
        for passage in wanted:
            if worker.is_cancelled:
                return
            self.post_message(self.Read({passage: read_passage(passage, self.options.cache_dir)}))

    @on(Read)
    def _keep(self, event: Read) -> None:
        self._passages.update(event.passages)
        while len(self._passages) > KEPT:
            self._passages.popitem(last=False)
        if any(passage_of(citation) in event.passages for citation in self.citations()):
            untouched = self.scroll_offset.y == self._settled_at
            self._show()
            if untouched:
                self._settle()

    # Drawing

    def margin_width(self, row: Row | None, cell: int) -> int:
        """A bar or its place."""
        return 2

    def margin(self, index: int, cell: int, first: bool) -> Sequence[Piece]:
        """A bar at cited records."""
        row = self.rows[index]
        if row.kind == "cited":
            return (("┃ ", "bar"),)
        if row.kind == "title":
            return (("▸ " if first else "  ", row.cells[0].style),)
        return (("  ", "near"),)

    def passage_in_view(self) -> Passage | None:
        """The passage at the top of the window, else the nearest below, else the first of all."""
        owners = [row.owner for row in self.rows]
        top = self.row_at(self.scroll_offset.y) or 0
        for owner in (*owners[top:], *owners):
            if isinstance(owner, Passage):
                return owner
        return None
