"""The rows of the screen before something is taken back, drawn for a width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.content import Content

from memreview.evidence.undo import TakingBack
from memreview.model.dream import Conflict
from memreview.model.patch import Change
from memreview.report.overview import Preview
from memreview.text import decode, mask_lines
from memreview.tui.outlook import Outlook
from memreview.tui.widgets.history_rows import quote, records_of
from memreview.tui.widgets.outlook_rows import (
    Choice,
    Look,
    failure_rows,
    file_rows,
    hanging,
    index_rows,
    repository_rows,
)
from memreview.tui.widgets.row_list import ListRow

THE_DREAMS = " since the dream read it"
"""What reasons of conflicts say of a proposal; here it is a commit that the note was changed after."""
MOST_LINES = 12
"""Lines of each side of a conflict that are shown."""


def revert_rows(back: TakingBack, outlook: Outlook, preview: Preview, width: int, *, look: Look) -> list[ListRow]:
    """All rows: what stands in the way first, then what will change, and what that rested on."""
    rows: list[ListRow] = []

    def section(title: str, made: Iterator[tuple[Content, str | None]]) -> None:
        lines = list(made)
        if lines:
            if rows:
                rows.append(ListRow(Content(" ")))
            rows.append(ListRow(Content.styled(f" {title}", "bold $accent")))
            rows.extend(ListRow(line, None if unit is None else Choice(title, unit)) for line, unit in lines)

    section("Nothing was written", failure_rows(look.failure, width))
    section("Later edits stand in the way", _conflicts(back, preview.conflicts, width, look.show_secrets))
    section("Would be taken back" if preview.conflicts else "Will be taken back", file_rows(outlook.files, width, look))
    section("What it rested on", _evidence(back, width))
    section("The index afterwards", index_rows(outlook, width))
    if preview.repository is not None:
        section("Repository", repository_rows(preview, outlook, width))
    return rows


def _conflicts(
    back: TakingBack, conflicts: Sequence[Conflict], width: int, show_secrets: bool
) -> Iterator[tuple[Content, str | None]]:
    changes = {change.id: change for file in back.review.files for change in file.changes()}
    for conflict in conflicts:
        start = Content.assemble((" ✗ ", "bold $error"))
        reason = conflict.reason.replace(THE_DREAMS, " since")
        yield hanging(start, f"{conflict.path}: {reason}", width, "$error"), conflict.change
        change = changes.get(conflict.change)
        yield from _three(conflict, change, width, show_secrets)


def _three(
    conflict: Conflict, change: Change | None, width: int, show_secrets: bool
) -> Iterator[tuple[Content, str | None]]:
    """The lines as the commit left them, as they stand now, and as they would be."""
    sides: list[tuple[str, str, Sequence[bytes]]] = []
    if change is not None:
        sides.append(("as committed", "$quiet", change.removed))
    sides.append(("stands now", "$warning", conflict.live))
    if change is not None:
        sides.append(("would be back", "$added", change.added))
    for title, style, lines in sides:
        texts = [decode(line.rstrip(b"\r\n")) for line in lines[:MOST_LINES]]
        shown = list(texts if show_secrets else mask_lines(texts)) or ["(no line)"]
        if len(lines) > MOST_LINES:
            shown.append(f"… and {len(lines) - MOST_LINES:,} more lines")
        for number, text in enumerate(shown):
            head = f"   {title if not number else '':13} │ "
            yield hanging(Content.styled(head, "$quiet"), text, width, style), None


def _evidence(back: TakingBack, width: int) -> Iterator[tuple[Content, str | None]]:
    for piece in back.pieces:
        for record in records_of(piece, back.past):
            yield Content("   ") + quote(record, width - 4), None
        if piece.kept is not None and piece.kept.cited and not records_of(piece, back.past):
            yield Content.styled("   its evidence was forgotten", "$warning"), None
