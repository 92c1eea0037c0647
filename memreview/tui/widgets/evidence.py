"""The pane beside the diff: cited records with what stands around them, and the words of CHANGES.md."""

from __future__ import annotations

import os
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import partial

from textual import on
from textual.message import Message
from textual.timer import Timer
from textual.worker import get_current_worker

from memreview.config import Options
from memreview.model.claim import Claim
from memreview.model.dream import Citation
from memreview.model.review import Mend
from memreview.model.transcript import Record
from memreview.review.index import Unit
from memreview.tui import content
from memreview.tui.content import Mark
from memreview.tui.items import Item, ItemKind, unheeded_entry
from memreview.tui.ledger import Ledger
from memreview.tui.passages import locate, read_passage
from memreview.tui.places import Places
from memreview.tui.rows.agreeing import agreeing_marks, record_rows
from memreview.tui.rows.claims import ClaimRow
from memreview.tui.rows.evidence import (
    Found,
    Passage,
    by_transcript,
    entry_rows,
    evidence_rows,
    finding_rows,
    passage_of,
    place,
    short_name,
    unheeded_rows,
)
from memreview.tui.rows.model import Cell, Row
from memreview.tui.widgets.lines import LineView, Piece
from memreview.tui.widgets.row_window import Place

KEPT = 256
"""Passages that are kept once they were read."""
TITLES = {
    ItemKind.ENTRY: "Entry of CHANGES.md",
    ItemKind.FINDING: "Remark",
    ItemKind.UNHEEDED: "Said, and not taken up",
}
HIGH = 14
"""Lines from which on what was said before a cited record stays in view."""
LONG = 0.2
"""Seconds after which what was read so far is shown."""
PAUSE = 0.06
"""Seconds for which the cursor must rest before transcripts are read, so that running through changes stays quick."""


class EvidenceView(LineView):
    """What is cited for the row under the cursor, and the record on which the chosen claim rests.

    Cited records have a bar before every line; words on which claims rest are marked.
    """

    PREFIX = "evidence--"
    COMPONENT_CLASSES = {
        f"evidence--{name}"
        for name in ("title", "found", "bad", "quiet", "entry", "cited-head", "near-head", "cited", "near", "bar")
    } | {"evidence--match", "evidence--match-here"}

    class Read(Message):
        """A worker has read passages, and knows where transcripts of these names lie."""

        def __init__(self, passages: Mapping[Passage, Sequence[Record] | str], located: Mapping[str, str]) -> None:
            super().__init__()
            self.passages = passages
            self.located = located

    def __init__(self, ledger: Ledger, options: Options, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.ledger = ledger
        self.options = options
        self.masks = False
        self.item: Item | None = None
        self.unit: Unit | None = None
        self.claim: ClaimRow | None = None
        self._passages: OrderedDict[Passage, Sequence[Record] | str] = OrderedDict()
        self._places = Places(ledger)
        self._marks: Mapping[int, Sequence[Mark]] = {}
        self._soon: Timer | None = None
        self._titled = ""
        self._found: tuple[Found, ...] = ()

    def show_item(self, item: Item | None, unit: Unit | None, claim: ClaimRow | None = None) -> None:
        """Show the evidence for another row of the list, or for another claim of it."""
        same_item, same_claim = item is self.item, claim is self.claim
        if same_item and same_claim:
            return
        self.item, self.unit, self.claim = item, unit, claim
        found = self._places.found(unit, claim)
        if same_item and found == self._found:
            self._mark()
        else:
            self._found = found
            self._show()
        self._settle(afresh=not same_item)
        if self._soon is not None:
            self._soon.stop()
            self._soon = None
        if self._missing():
            self._soon = self.set_timer(PAUSE, self._read)

    def forget(self) -> None:
        """Look at the review again when the next row is shown."""
        self.item = None

    def _settle(self, *, afresh: bool = False) -> None:
        """Have the record of the chosen claim in view, or else the first cited one."""
        span = self._rows_of_claim() or self._first_cited()
        if span is None:
            if afresh:
                self.scroll_to(y=0, animate=False, force=True, immediate=True)
            return
        first, last = span
        marked = (
            Place(index, 0, mark.start)
            for index in range(first, last + 1)
            for mark in self._marks.get(index, ())
            if "match-here" in mark.style
        )
        focus = next(marked, Place(first, 0, 0))
        if self.size.height < HIGH:
            # There is no room for what stands before it.
            last = len(self.rows)
        elif afresh:
            self.scroll_to(y=0, animate=False, force=True, immediate=True)
        self.bring_into_view(first, last, lead=0, focus=focus)

    def _first_cited(self) -> tuple[int, int] | None:
        first = next((index for index, row in enumerate(self.rows) if row.kind == "cited"), None)
        return None if first is None else self._record_from(first)

    def _rows_of_claim(self) -> tuple[int, int] | None:
        """The rows of the record on which the chosen claim rests."""
        place = self._places.of_claim(self.unit, self.claim)
        if place is None:
            return None
        for index, row in enumerate(self.rows):
            owner = row.owner
            if row.kind in ("cited", "near") and isinstance(owner, Passage) and (owner.path, owner.start) == place[:2]:
                return self._record_from(index)
        return None

    def _record_from(self, first: int) -> tuple[int, int]:
        last = first
        while last + 1 < len(self.rows) and self.rows[last + 1].owner == self.rows[first].owner:
            last += 1
        return first, last

    def mend_for(self, claim: Claim) -> Mend:
        """The right place of a claim's words, as it is kept with the decisions."""
        first = claim.evidence[0]
        path = self._places.path_of(first.transcript)
        return Mend(claim.text, first.transcript, first.line, path if os.path.isabs(path) else None)

    def citations(self) -> Sequence[Citation]:
        """All that is cited for the row."""
        if self.unit is not None:
            return self.ledger.review.citations.get(self.unit.id, ())
        if self.item is not None and self.item.kind is ItemKind.ENTRY:
            return self.ledger.review.entries[self.item.index].citations
        if self.item is not None and self.item.kind is ItemKind.UNHEEDED:
            return unheeded_entry(self.ledger.review, self.item.index).citations
        return ()

    @property
    def is_waiting(self) -> bool:
        """True while something that is shown has still to be read."""
        return bool(self._missing())

    def _wanted(self) -> list[Passage]:
        cited = [passage for passage in map(passage_of, self.citations()) if passage is not None]
        return [*(found.passage for found in self._found), *cited]

    def _missing(self) -> list[Passage]:
        return [passage for passage in self._wanted() if passage not in self._passages]

    def _show(self) -> None:
        secrets = self.options.show_secrets
        rows: list[Row] = []
        if not self.ledger.looked_up:
            rows = [Row((Cell("What CHANGES.md cites is being looked up …", "quiet"),))]
        elif self.unit is not None:
            rows = evidence_rows(
                self.ledger.review, self.unit.id, self._passages, found=self._found, show_secrets=secrets
            )
        elif self.item is not None and self.item.kind is ItemKind.ENTRY:
            rows = entry_rows(self.ledger.review.entries[self.item.index], self._passages, show_secrets=secrets)
        elif self.item is not None and self.item.kind is ItemKind.UNHEEDED:
            said = unheeded_entry(self.ledger.review, self.item.index)
            rows = unheeded_rows(said, self._passages, show_secrets=secrets)
        elif self.item is not None and self.item.kind is ItemKind.FINDING:
            rows = finding_rows(self.ledger.review.findings[self.item.index], show_secrets=secrets)
        if rows != self.rows:
            self.set_rows(rows)
        self._mark()

    def _title(self) -> str:
        """The record of the chosen claim, else all that is cited."""
        if self.item is not None and self.item.kind in TITLES:
            return TITLES[self.item.kind]
        record = self._places.of_claim(self.unit, self.claim)
        if record is not None:
            return f"Evidence  {short_name(os.path.basename(record[0]))}:{record[1]}"
        return "  ".join(["Evidence", *(place(group) for group in by_transcript(self.citations()))])

    def _mark(self) -> None:
        """Work out which words the claims rest on."""
        title = self._title()
        if title != self._titled:
            self._titled = title
            self.border_title = content.content(title)
        table = self.ledger.rows(self.unit.id) if self.unit is not None else ()
        marks = agreeing_marks(record_rows(self.rows), table, self.claim, self._places.path_of) if table else {}
        if marks != self._marks:
            self._marks = marks
            self.strips.clear()
            self.refresh()

    def _read(self) -> None:
        wanted = self._missing()
        if wanted:
            self.run_worker(partial(self._reader, wanted), thread=True, exclusive=True, group="passages")

    def _reader(self, wanted: Sequence[Passage]) -> None:
        worker, review = get_current_worker(), self.ledger.review
        read: dict[Passage, Sequence[Record] | str] = {}
        located: dict[str, str] = {}
        begun = time.monotonic()
        for passage in wanted:
            if worker.is_cancelled:
                return
            path = locate(passage.path, review, self.options)
            if path is None:
                read[passage] = f"no transcript called {passage.path} is in the project's folders"
            else:
                found = passage._replace(path=path)
                read[found] = read_passage(found, self.options.cache_dir)
                located[passage.path] = path
            if time.monotonic() - begun > LONG:
                self.post_message(self.Read(read, located))
                read, located, begun = {}, {}, time.monotonic()
        self.post_message(self.Read(read, located))

    @on(Read)
    def _keep(self, event: Read) -> None:
        self._passages.update(event.passages)
        self._places.located.update(event.located)
        while len(self._passages) > KEPT:
            self._passages.popitem(last=False)
        self._found = self._places.found(self.unit, self.claim)
        if any(passage in event.passages for passage in self._wanted()):
            untouched = self.is_where_wished or self.scroll_offset.y == 0
            self._show()
            if untouched:
                self._settle()

    # Drawing

    def margin_width(self, row: Row | None, cell: int) -> int:
        """A bar or its place."""
        return 2

    def marks(self, index: int, cell: int, style: str) -> Sequence[Mark]:
        """Words on which claims rest."""
        return self._marks.get(index, ())

    def margin(self, index: int, cell: int, sub: int) -> Sequence[Piece]:
        """A bar at cited records."""
        row = self.rows[index]
        if row.kind == "cited":
            return (("┃ ", "bar"),)
        if row.kind == "title":
            return (("▸ " if sub == 0 else "  ", row.cells[0].style),)
        return (("  ", "near"),)

    def passage_in_view(self) -> Passage | None:
        """The record of the chosen claim, else the passage at the top of the window, the nearest below, the first."""
        span = self._rows_of_claim() if self.is_where_wished else None
        owners = [row.owner for row in self.rows]
        top = span[0] if span is not None else self.row_at(self.scroll_offset.y) or 0
        for owner in (*owners[top:], *owners):
            if isinstance(owner, Passage):
                return owner
        return None
