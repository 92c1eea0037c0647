"""The rows of the table of claims: what the check found in one change, the most urgent first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memreview.model.claim import Claim, ClaimReport, Dropped, Fate, Moved, Weight
from memreview.model.patch import Change
from memreview.model.review import Mend
from memreview.review.claims import is_mended
from memreview.tui.content import decode_line
from memreview.tui.rows.diff import LineRef
from memreview.tui.verdicts import FATES, MENDED, ORDER, Sign, look_of


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One row: a claim of an added line, one that was dropped with a removed line, or lines that were moved here.

    ``line`` is the line of the change in which it stands, ``start``/``end`` are code points in it. ``claim`` is None
    for what was dropped or moved. Texts come from outside.
    """

    look: Sign
    weight: Weight
    text: str
    kind: str
    reason: str
    rule: str
    line: LineRef
    start: int
    end: int
    claim: Claim | None = None

    @property
    def flagged(self) -> bool:
        """True where a person should look."""
        return self.weight.flagged


def claim_rows(report: ClaimReport, change: Change, mends: Sequence[Mend] = ()) -> tuple[ClaimRow, ...]:
    """All rows of a change, flagged ones first; ``mends`` are the citations that were put right."""
    rows = [
        *(_of_claim(claim, mends) for claim in report.claims),
        *(_of_dropped(dropped) for dropped in report.dropped),
        *_of_moved(report.moved, change),
    ]
    return tuple(sorted(rows, key=_urgency))


def brief_rows(report: ClaimReport, mends: Sequence[Mend] = ()) -> list[tuple[Sign, Weight]]:
    """Sign and weight of all rows but those of moved lines, in no order: enough to count them."""
    rows = [(look_of(claim.verdict, claim.weight), claim.weight) for claim in report.claims]
    if mends:
        rows = [
            (MENDED, Weight.OK) if is_mended(claim, mends) else row
            for claim, row in zip(report.claims, rows, strict=True)
        ]
    rows += [(FATES[dropped.fate], _weight(dropped)) for dropped in report.dropped]
    return rows if rows or not report.moved else [(FATES[Fate.MOVED], Weight.OK)]


def _weight(dropped: Dropped) -> Weight:
    return Weight.WARNING if dropped.flagged else Weight.NOTE


def _urgency(row: ClaimRow) -> tuple[int, bool, bool, int, int]:
    """Errors, what was lost, warnings; then the rest, claims before what was dropped or moved."""
    lost = row.look is FATES[Fate.LOST]
    rank = ORDER.index(row.weight)
    return rank, not lost if row.flagged else False, row.claim is None, row.line.at, row.start


def _of_claim(claim: Claim, mends: Sequence[Mend]) -> ClaimRow:
    look, weight, reason = look_of(claim.verdict, claim.weight), claim.weight, claim.reason
    if is_mended(claim, mends):
        look, weight = MENDED, Weight.OK
        places = ", ".join(f"{mend.transcript}:{mend.line}" for mend in mends if mend.words == claim.text)
        reason = f"You have put the citation right: {places}."
    return ClaimRow(
        look,
        weight,
        claim.text,
        claim.kind.value,
        reason,
        claim.rule,
        LineRef("added", claim.line),
        claim.start,
        claim.end,
        claim,
    )


def _of_dropped(dropped: Dropped) -> ClaimRow:
    return ClaimRow(
        FATES[dropped.fate],
        _weight(dropped),
        dropped.text,
        dropped.kind.value,
        dropped.reason,
        dropped.rule,
        LineRef("removed", dropped.line),
        dropped.start,
        dropped.end,
    )


def _of_moved(moved: Sequence[Moved], change: Change) -> Iterator[ClaimRow]:
    """One row for lines that stood one below the other and still do."""
    for run in _runs(moved):
        first = run[0]
        if not 0 <= first.line < len(change.added):
            continue
        text = decode_line(change.added[first.line])
        body = text.strip()
        count = f" and {len(run) - 1} more" if len(run) > 1 else ""
        yield ClaimRow(
            FATES[Fate.MOVED],
            Weight.OK,
            body,
            "line" if len(run) == 1 else "lines",
            f"from {first.origin}{count}",
            "",
            LineRef("added", first.line),
            text.find(body),
            text.find(body) + len(body),
        )


def _runs(moved: Sequence[Moved]) -> Iterator[list[Moved]]:
    run: list[Moved] = []
    for one in sorted(moved, key=lambda moved: moved.line):
        if run and not (one.line == run[-1].line + 1 and _place(one) == _place(run[-1], 1)):
            yield run
            run = []
        run.append(one)
    if run:
        yield run


def _place(moved: Moved, later: int = 0) -> tuple[str, int]:
    """Where a line stood, or the line ``later`` below it."""
    path, _, line = moved.origin.rpartition(":")
    return (path, int(line) + later) if line.isdecimal() else (moved.origin, later)
