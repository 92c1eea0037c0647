"""Where claims stand in the lines of a diff: what is underlined, and the sign beside the line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from memreview.model.patch import Change
from memreview.tui.content import Mark, decode_line, overlay, shown_with_marks
from memreview.tui.rows.claims import ClaimRow
from memreview.tui.rows.diff import LineRef
from memreview.tui.verdicts import SPANS

WHOLE = frozenset({"wording", "modality", "line", "lines"})
"""Kinds that take up most of a line: a background would drown what else is in it."""

Standing = tuple[tuple[int, int, ClaimRow], ...]
"""Start and end in a shown line, and the row of the table; the most urgent first."""


def rows_by_line(rows: Sequence[ClaimRow]) -> Mapping[LineRef, tuple[ClaimRow, ...]]:
    """The rows of a change by the line in which they stand."""
    found: dict[LineRef, list[ClaimRow]] = {}
    for row in rows:
        found.setdefault(row.line, []).append(row)
    return {line: tuple(own) for line, own in found.items()}


def standing(rows: Sequence[ClaimRow], raw: str) -> Standing:
    """Where the claims of one line stand in it when it is shown; what goes beyond the line is cut."""
    size = len(raw)
    spans = [Mark(min(row.start, size), min(max(row.end, row.start), size), "") for row in rows]
    marks = shown_with_marks(raw, spans)[1]
    return tuple((mark.start, mark.end, row) for mark, row in zip(marks, rows, strict=True))


class FlaggedLines:
    """The claims of every line of the changes that are drawn, worked out once; ``rows_of`` gives a change's table."""

    def __init__(self, rows_of: Callable[[str], Sequence[ClaimRow]]) -> None:
        self._rows_of = rows_of
        self._known: dict[str, Mapping[LineRef, Standing]] = {}

    def forget(self) -> None:
        """Other claims may be known from now on."""
        self._known.clear()

    def of(self, change: Change, line: LineRef) -> Standing:
        """The claims of a line of a change."""
        found = self._known.get(change.id)
        if found is None:
            found = self._known[change.id] = self._all(change)
        return found.get(line, ())

    def _all(self, change: Change) -> Mapping[LineRef, Standing]:
        sides = {"added": change.added, "removed": change.removed}
        return {
            line: standing(rows, decode_line(sides[line.side][line.at]))
            for line, rows in rows_by_line(self._rows_of(change.id)).items()
            if line.at < len(sides[line.side])
        }


def claim_marks(claims: Standing, *, current: bool, here: ClaimRow | None) -> tuple[Mark, ...]:
    """What is marked in a line: flagged words, stronger in the ``current`` change, and those of the row that is chosen.

    Of words that several claims share, the most urgent claim's mark is the upper one.
    """
    marks: list[Mark] = []
    for start, end, row in reversed(claims):
        if row.flagged:
            weak = not current or row.kind in WHOLE
            marks.append(Mark(start, end, SPANS[row.weight] + ("-dim" if weak else "")))
    marks += [Mark(start, end, "span-here") for start, end, row in claims if row is here]
    return overlay(marks)


def sign_between(claims: Standing, start: int, end: int) -> ClaimRow | None:
    """The most urgent flagged row whose words begin in this part of a shown line."""
    return next((row for begin, _, row in claims if row.flagged and start <= begin < end), None)


def row_at(claims: Standing, at: int) -> ClaimRow | None:
    """The row whose words hold a place in a shown line: of several the one with the fewest words."""
    over = [(end - start, number, row) for number, (start, end, row) in enumerate(claims) if start <= at < end]
    return min(over, key=lambda one: one[:2])[2] if over else None
