"""What the nightly check says of a project, drawn for a width: the lines to be reviewed or unpinned, note by note."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from textual.content import Content

from memreview.diff.lines import split_lines, text_lines
from memreview.model.advice import Advice, Advised
from memreview.tui import content
from memreview.tui.line_facts import ADVICE
from memreview.tui.outlook import many
from memreview.tui.rows.evidence import short_name
from memreview.tui.widgets.finding_rows import wrapped
from memreview.tui.widgets.overview_rows import since
from memreview.tui.widgets.row_list import ListRow
from memreview.upkeep import CheckedMemory


@dataclass(frozen=True, slots=True)
class CheckState:
    """What the last check said, how far the present one is, and why one ended early."""

    checked: CheckedMemory | None = None
    step: tuple[str, int, int] | None = None
    problem: str = ""


def progress(what: str, done: int, total: int) -> str:
    """How far a check is, in a few words."""
    return f"checking: {done:,} of {total:,} {what} (C stops)" if total else "checking …"


def queue_rows(
    state: CheckState, notes: Mapping[str, bytes], width: int, now: datetime, masks: bool = True
) -> list[ListRow]:
    """Head, then a row for each line that is not simply kept, below the name of its note."""
    rows = list(_head(state, width, now))
    advised = state.checked.advised if state.checked is not None else ()
    queue = [one for one in advised if one.advice is not Advice.KEEP]
    for note, of_note in groupby(queue, key=lambda one: one.file):
        rows.append(ListRow(Content.styled(f" {content.shown(note)}", "bold $accent")))
        lines = text_lines(split_lines(notes.get(note, b"")))
        rows += (_row(one, lines, width, masks) for one in of_note)
    return rows


def _head(state: CheckState, width: int, now: datetime) -> Iterator[ListRow]:
    checked = state.checked
    if state.problem:
        yield _said(state.problem, width, "$warning", "!")
    if checked is None:
        if not state.problem:
            yield _said("Not checked yet." if state.step is None else "Being checked …", width, "$quiet")
        yield from _help(width)
        return
    counts = {advice: sum(one.advice is advice for one in checked.advised) for advice in Advice}
    notes = len({one.file for one in checked.queue if one.advice is Advice.REVIEW})
    when = since(checked.when, now)
    told = [
        f"{many(counts[Advice.REVIEW], 'line')} of {many(notes, 'note')} to review" if counts[Advice.REVIEW] else "",
        f"{many(counts[Advice.UNPIN], 'pointer')} to unpin" if counts[Advice.UNPIN] else "",
        f"{counts[Advice.KEEP]} kept" if counts[Advice.KEEP] else "",
    ]
    said = ", ".join(part for part in told if part) or "no line states anything that could be checked"
    well = not checked.queue
    style, sign = ("$success", "✓") if well else ("", " ")
    yield _said(f"Checked {when}: {said}." if when else f"{said}.", width, style, sign)


def _help(width: int) -> Iterator[ListRow]:
    yield _said(
        "The check looks whether each line of the notes still has its evidence: the quote in its transcript, or what "
        "was kept of it with a commit. No model is asked. C begins it.",
        width,
        "$quiet",
    )


def _said(said: str, width: int, style: str = "", sign: str = " ") -> ListRow:
    lines = wrapped(content.shown(said), width - 4)
    text = f" {sign} {lines[0]}" + "".join(f"\n   {line}" for line in lines[1:])
    return ListRow(Content.styled(text, style) if style else Content(text))


def _row(one: Advised, lines: Sequence[str], width: int, masks: bool) -> ListRow:
    sign, style = ADVICE[one.advice]
    said = content.shown(short_name(one.reason))
    text = content.shown(lines[one.line - 1].strip()) if 0 < one.line <= len(lines) else ""
    if masks:
        said, text = content.masked(said), content.masked(text)
    number = f"{one.line:>4} "
    indent = " " * (3 + len(number))
    row = Content.assemble(" ", (sign, style), " ", (number, "$quiet"))
    row += Content(("\n" + indent).join(wrapped(said, width - len(indent) - 1)))
    if text:
        told = wrapped(text, width - len(indent) - 3)
        quoted = told[0] + (" …" if len(told) > 1 else "")
        row += Content("\n" + indent) + Content.assemble(("│ ", "$quiet"), (quoted, "$cited"))
    return ListRow(row, one)
