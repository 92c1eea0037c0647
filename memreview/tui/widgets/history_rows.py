"""Past reviews, drawn for a width: one row for each; the changes of one, with the evidence that was kept of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from textual.content import Content

from memreview.evidence.undo import PastReview, Piece
from memreview.model.kept import Kept, KeptChange, KeptEvidence, KeptRecord
from memreview.model.patch import ChangeKind
from memreview.report.times import local_time
from memreview.text import clip, decode, mask_lines
from memreview.tui import content
from memreview.tui.outlook import many
from memreview.tui.verdicts import VERDICTS
from memreview.tui.widgets.line_rows import DECISIONS
from memreview.tui.widgets.row_list import ListRow

SHORT = 8
"""Digits of a commit's id in the list."""
MOST_LINES = 3
"""Lines that come and that go of one change that are shown in the list."""
WHOLE = {
    ChangeKind.ADDED: ("A", "new note"),
    ChangeKind.DELETED: ("D", "deleted"),
    ChangeKind.RENAMED: ("R", "renamed"),
    ChangeKind.MODIFIED: ("M", "changed as a whole"),
}


@dataclass(frozen=True, slots=True)
class KeptRow:
    """A row stands for something that was kept with a commit without being a change of it."""

    evidence: KeptEvidence
    change: KeptChange


def review_rows(reviews: Sequence[PastReview], width: int) -> list[ListRow]:
    """For each commit what it was, below that when, its id and who decided; how many changes, and what was kept."""
    return [ListRow(_review(past, width), past.commit) for past in reviews]


def _review(past: PastReview, width: int) -> Content:
    subject = Content.styled(clip(content.shown(past.subject), max(8, width - 2)), "bold")
    author = clip(content.shown(past.author), 20)
    where = Content.styled(f"   {local_time(past.date)} · {past.commit[:SHORT]} · {author}", "$quiet")
    figures = Content(" · ").join(Content.styled(text, style) for text, style in _figures(past))
    between = " · " if where.cell_length + figures.cell_length + 4 <= width else "\n   "
    return Content(" ") + subject + Content("\n") + where + Content(between) + figures


def _figures(past: PastReview) -> Iterator[tuple[str, str]]:
    counts = past.counts
    if counts is not None:
        accepted, rejected, total = counts
        left = total - accepted - rejected
        yield f"✓{accepted}", "$success"
        if rejected:
            yield f"✗{rejected}", "$error"
        if left:
            yield f"{left} open", "$quiet"
    else:
        yield many(len(past.pieces), "change"), ""
    if past.forgotten:
        yield f"◆ {past.forgotten} forgotten", "$warning"
    elif any(part.records for part in past.evidence):
        yield "◆ kept", "$primary"
    else:
        yield "no evidence", "$quiet"


def change_rows(past: PastReview, width: int, masks: bool = True) -> list[ListRow]:
    """The changes of a commit note by note, and what was kept with it afterwards."""
    rows: list[ListRow] = []
    for note, pieces in groupby(past.pieces, key=lambda piece: piece.note):
        rows.append(ListRow(Content.styled(f" {content.shown(note)}", "bold $accent")))
        rows += [ListRow(_piece(piece, past, width, masks), piece) for piece in pieces]
    if not past.pieces:
        rows.append(ListRow(Content.styled(" It changed no note.", "$quiet")))
    later = [
        KeptRow(part, change)
        for part in past.evidence
        for change in part.changes
        if change.decision in (Kept.KEPT, Kept.VERIFIED)
    ]
    if later:
        rows.append(ListRow(Content.styled(" Kept with this commit afterwards", "bold $accent")))
        rows += [ListRow(_kept(row, width, masks), row) for row in later]
    return rows


def _piece(piece: Piece, past: PastReview, width: int, masks: bool) -> Content:
    kept = piece.kept
    sign, words = ("M", f"line {piece.line}") if piece.edit is not None else WHOLE[piece.file.kind]
    told = [words]
    if kept is not None:
        told.append(DECISIONS[kept.decision])
    if kept is not None and kept.claims:
        worst = max((claim.verdict for claim in kept.claims), key=lambda verdict: verdict.badness)
        told.append(f"{VERDICTS[worst].sign} {VERDICTS[worst].word}")
    row = Content.assemble((f" {sign} ", "bold $primary"), " · ".join(told))
    old, new = sides_of(piece)
    row += _lines(old, "−", "$removed", width, masks) + _lines(new, "+", "$added", width, masks)
    records = records_of(piece, past)
    for record in records[:2]:
        row += Content("\n     ") + quote(record, width - 6)
    if kept is None:
        row += Content.styled("\n     no evidence was kept of it", "$quiet")
    elif kept.cited and not records:
        row += Content.styled("\n     its evidence was forgotten", "$warning")
    elif not kept.cited and kept.decision not in (Kept.REVERTED,):
        row += Content.styled("\n     nothing was cited for it", "$quiet")
    return row


def sides_of(piece: Piece) -> tuple[Sequence[bytes], Sequence[bytes]]:
    """The lines that the commit took away, and those that it brought."""
    if piece.edit is not None:
        return piece.edit.added, piece.edit.removed
    changes = list(piece.file.changes())
    return [line for one in changes for line in one.removed], [line for one in changes for line in one.added]


def _lines(lines: Sequence[bytes], mark: str, style: str, width: int, masks: bool) -> Content:
    row = Content()
    texts = [decode(line.rstrip(b"\r\n")) for line in lines[:MOST_LINES]]
    for text in mask_lines(texts) if masks else texts:
        row += Content("\n   ") + Content.styled(f"{mark} {clip(content.shown(text), max(8, width - 6))}", style)
    if len(lines) > MOST_LINES:
        row += Content.styled(f"\n     … {len(lines) - MOST_LINES:,} more", "$quiet")
    return row


def records_of(piece: Piece, past: PastReview) -> tuple[KeptRecord, ...]:
    """The kept records that a change was accepted on."""
    if piece.kept is None:
        return ()
    return tuple(
        record for part in past.evidence if piece.kept in part.changes for record in part.records_of(piece.kept)
    )


def quote(record: KeptRecord, width: int) -> Content:
    """Who said what, in one line."""
    who = f"{record.speaker} {local_time(record.timestamp)}: "
    words = clip(content.shown(" ".join(record.text.split())), max(8, width - len(who) - 2))
    return Content.assemble(("│ ", "$quiet"), (who, "$quiet"), (words, "$cited"))


def _kept(row: KeptRow, width: int, masks: bool) -> Content:
    change = row.change
    text = next((line for line in change.added if line.strip()), "")
    text = mask_lines([text])[0] if masks else text
    head = f"{change.note}:{change.line} {DECISIONS[change.decision]} {local_time(row.evidence.made)}"
    mark = "✓" if change.decision is Kept.VERIFIED else "◆"
    found = Content.assemble((f" {mark} ", "$success"), content.shown(head))
    found += Content("\n     ") + Content.styled(clip(content.shown(text.strip()), max(8, width - 6)), "$cited")
    for objection in change.despite:
        found += Content("\n     ") + Content.styled(
            clip(content.shown(f"although {objection}"), max(8, width - 6)), "$warning"
        )
    return found
