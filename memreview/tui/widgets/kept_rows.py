"""All that was kept of one change, drawn for a width: its lines, its claims, and the records with their context."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from textual.content import Content

from memreview.model.claim import Weight
from memreview.model.kept import KeptChange, KeptEvidence, KeptRecord
from memreview.report.times import local_time
from memreview.text import decode, mask_lines
from memreview.tui import content
from memreview.tui.line_facts import Place
from memreview.tui.rows.evidence import short_name
from memreview.tui.verdicts import VERDICTS
from memreview.tui.widgets.finding_rows import wrapped
from memreview.tui.widgets.ground_rows import Spot
from memreview.tui.widgets.line_rows import DECISIONS, Writer
from memreview.tui.widgets.row_list import ListRow

AROUND = 2
"""Records before and behind a cited one that are shown with it."""
WEIGHTS = {Weight.ERROR: "$error", Weight.WARNING: "$warning", Weight.NOTE: "$primary", Weight.OK: "$success"}
Sides = tuple[Sequence[bytes], Sequence[bytes]]
"""Lines that went, and lines that came."""


def kept_rows(
    evidence: KeptEvidence | None,
    change: KeptChange | None,
    sides: Sides,
    places: Mapping[str, Place] | None,
    width: int,
    masks: bool = True,
) -> list[ListRow]:
    """The rows; a record that stands in its transcript leads there.

    ``places`` says where records stand now, by ``KeptRecord.at``; None while that is looked up.
    """
    writer = Writer(width, masks)
    rows = [writer.head("What changed"), *_sides(sides, width, masks)]
    if change is None or evidence is None:
        return [*rows, writer.said("No evidence was kept of this change.", "$quiet", "·")]
    rows += [ListRow(Content(" ")), writer.head("How it was decided"), *_decision(evidence, change, writer)]
    rows += [ListRow(Content(" ")), writer.head("What it rests on")]
    records = with_context(evidence, change)
    if not records:
        said = "The records that it was accepted on were forgotten." if change.cited else "Nothing was cited for it."
        rows.append(writer.said(said, "$warning", "!"))
    return [*rows, *(_record(record, record.at in change.cited, places, writer) for record in records)]


def _sides(sides: Sides, width: int, masks: bool) -> Iterator[ListRow]:
    for lines, mark, style in ((sides[0], "−", "$removed"), (sides[1], "+", "$added")):
        texts = [decode(line.rstrip(b"\r\n")) for line in lines]
        for text in mask_lines(texts) if masks else texts:
            for number, part in enumerate(wrapped(content.shown(text), width - 5)):
                yield ListRow(Content.styled(f" {mark if not number else ' '} {part}", style))


def _decision(evidence: KeptEvidence, change: KeptChange, writer: Writer) -> Iterator[ListRow]:
    yield writer.said(f"{DECISIONS[change.decision]} on {local_time(evidence.made)}, {evidence.label or 'a review'}")
    for objection in change.despite:
        yield writer.said(f"although {objection}", "$warning", "!")
    for claim in change.claims:
        look = VERDICTS[claim.verdict]
        said = f"{look.word} · {claim.kind.value} “{claim.text}” · {claim.reason}"
        yield writer.said(said, WEIGHTS[claim.weight], look.sign)


def _record(record: KeptRecord, cited: bool, places: Mapping[str, Place] | None, writer: Writer) -> ListRow:
    there = places.get(record.at) if places is not None else None
    stands = "" if places is None or not cited else " · stands" if there is not None else " · gone, kept here"
    who = f"{record.speaker}{', failed' if record.error else ''}"
    head = wrapped(
        writer.safe(f"{who} · {local_time(record.timestamp)} · {short_name(record.at)}{stands}"), writer.width - 4
    )
    row = Content.styled(" ◆ ", "$primary") if cited else Content("   ")
    row += Content("\n   ").join(Content(part) for part in head)
    style = "$cited" if cited else "$quiet"
    for text in record.text.rstrip("\n").split("\n"):
        for part in wrapped(writer.safe(text), writer.width - 7):
            row += Content("\n   ") + Content.assemble(("│ ", "$quiet"), (part, style))
    return ListRow(row, Spot(*there) if there is not None else record)


def with_context(evidence: KeptEvidence, change: KeptChange) -> list[KeptRecord]:
    """The records of a change with those that were kept around them, by transcript and line."""
    ordered = sorted(evidence.records, key=lambda record: (record.transcript, record.line))
    cited = [number for number, record in enumerate(ordered) if record.at in change.cited]

    def is_near(number: int, record: KeptRecord) -> bool:
        return any(abs(number - at) <= AROUND and ordered[at].transcript == record.transcript for at in cited)

    return [record for number, record in enumerate(ordered) if is_near(number, record)]
