"""What a note rests on, drawn for a width: sessions there or gone, who read and wrote it, how long it stays."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from textual.content import Content

from memreview.auditing.project import ProjectReport
from memreview.checks.keeping import Ground, NoteGrounds
from memreview.checks.note_facts import note_facts
from memreview.checks.retention import EXPIRING_DAYS
from memreview.checks.usage import NoteUse, Touch
from memreview.text import mask_secrets
from memreview.tui import content
from memreview.tui.outlook import many
from memreview.tui.rows.layers import size_of
from memreview.tui.widgets.finding_rows import wrapped
from memreview.tui.widgets.overview_rows import since
from memreview.tui.widgets.row_list import ListRow

MOST_TOUCHES = 20
"""Calls that wrote a note are listed up to so many, the latest first."""
WHY = {
    "origin": "it came from this session",
    "wrote": "this session wrote it",
    "cites": "it cites this session",
    "reviewed": "a reviewed change of it cites this session",
}


@dataclass(frozen=True, slots=True)
class Spot:
    """A line of a transcript that a row leads to."""

    path: str
    line: int = 1


OFFER = "sentence"
"""The value of the row that leads to the sentence for CLAUDE.md."""


def ground_rows(report: ProjectReport, note: str | None, width: int, now: datetime) -> list[ListRow]:
    """What the note rests on; the period, and what would keep it, for every note."""
    rows: list[ListRow] = []
    if note is not None:
        rows += _note(report, note, width, now)
    rows += _period(report, width, now)
    rows += _own(report, note, width)
    return rows


def _own(report: ProjectReport, note: str | None, width: int) -> Iterator[ListRow]:
    """The evidence that a note names itself, and the offer to have the agent write it."""
    yield ListRow(Content(" "))
    yield _head("A note's own evidence")
    keys = note_facts(report.notes.get(note or "", b"")).keys
    quote, session = keys.get("quote", ""), keys.get("session", "")
    if quote and session:
        row = _said(f"it quotes session {session}: “{mask_secrets(quote)}”", width, "", "✓")
    else:
        row = _said("it names no session and no quote of its own", width, "$quiet")
    yield row
    offer = _said("a sentence for CLAUDE.md has the agent write both: enter shows it", width, "", "+")
    yield ListRow(offer.content, OFFER)


def _head(title: str) -> ListRow:
    return ListRow(Content.styled(f" {title}", "bold $accent"))


def _said(said: str, width: int, style: str = "", sign: str = " ") -> ListRow:
    lines = wrapped(content.shown(said), width - 4)
    text = f" {sign} {lines[0]}" + "".join(f"\n   {line}" for line in lines[1:])
    return ListRow(Content.styled(text, style) if style else Content(text))


def _note(report: ProjectReport, note: str, width: int, now: datetime) -> Iterator[ListRow]:
    grounds = report.grounds.get(note)
    yield _head(f"What {content.shown(note)} rests on")
    if grounds is None:
        yield _said("The client lists no such note, so nothing is known of where it comes from.", width, "$quiet")
    else:
        yield from _grounds(grounds, report.audit.uses.get(note), width)
    if not report.audit.traced:
        yield _said("Who read and wrote it is being looked up in the transcripts …", width, "$quiet")
    elif grounds is not None:
        yield from _use(report.audit.uses.get(note, NoteUse()), width, now)


def _grounds(grounds: NoteGrounds, use: NoteUse | None, width: int) -> Iterator[ListRow]:
    by = "by its stamp" if grounds.by_stamp else "by its mtime, which a copy resets"
    yield _said(f"last written {many(grounds.age_days, 'day')} ago, {by}", width, "$quiet")
    if not grounds.grounds:
        yield _said("Nothing says where it comes from: no session, no stamp, no citation.", width, "$warning", "!")
    for ground in grounds.grounds:
        row = _ground(ground, width)
        touched = [one for one in use.writes if one.session == ground.session] if use is not None else []
        if ground.path:
            where = Spot(touched[-1].transcript, touched[-1].line) if touched else Spot(ground.path)
            row = ListRow(row.content, where)
        yield row


def _ground(ground: Ground, width: int) -> ListRow:
    who = f"{ground.session}: {WHY.get(ground.why, ground.why)}"
    if ground.path is None and ground.commit is not None:
        return _said(f"{who}. Its transcript is gone, its words are kept in {ground.commit[:12]}.", width, "", "◆")
    if ground.path is None:
        return _said(f"{who}. Its transcript is gone.", width, "$error", "✗")
    if ground.path == "":
        return _said(f"{who}. Its transcript is packed (.gz) and stays.", width, "", "✓")
    if ground.days_left is None:
        return _said(f"{who}. Its transcript is there and is not swept.", width, "", "✓")
    left = f"{many(ground.days_left, 'day')} left" if ground.days_left else "goes at the next sweep"
    if ground.days_left <= EXPIRING_DAYS:
        return _said(f"{who}. Its transcript is there: {left}.", width, "$warning", "◇")
    return _said(f"{who}. Its transcript is there: {left}.", width, "", "✓")


def _use(use: NoteUse, width: int, now: datetime) -> Iterator[ListRow]:
    yield _head("Who read and wrote it, as far as transcripts are left")
    if use.last_read is not None:
        times = many(use.reads, "time")
        yield _touch(f"read {times}, last {_when(use.last_read, now)}", use.last_read, width)
    else:
        yield _said("no session that is left has read it", width, "$quiet")
    for touch in list(reversed(use.writes))[:MOST_TOUCHES]:
        yield _touch(f"written {_when(touch, now)}", touch, width)
    if len(use.writes) > MOST_TOUCHES:
        yield _said(f"{len(use.writes) - MOST_TOUCHES} more before that", width, "$quiet")


def _when(touch: Touch, now: datetime) -> str:
    try:
        return since(datetime.fromisoformat(touch.when).timestamp(), now)
    except (ValueError, OverflowError):
        return "at no known time"


def _touch(said: str, touch: Touch, width: int) -> ListRow:
    name = os.path.basename(touch.transcript)
    row = _said(f"{said} ({name}:{touch.line})", width, "", "·")
    return ListRow(row.content, Spot(touch.transcript, touch.line))


def _period(report: ProjectReport, width: int, now: datetime) -> Iterator[ListRow]:
    period, retention = report.audit.retention.period, report.audit.retention
    yield ListRow(Content(" "))
    yield _head("For how long transcripts stay")
    if not period.valid:
        yield _said(f"{period.path}: {period.problem}; nothing is deleted while that is so", width, "$warning", "!")
    else:
        where = f", {period.path}" if period.path else ""
        yield _said(f"{many(period.days, 'day')} after they were last written ({period.source.value}{where})", width)
    if retention.observed_days is not None:
        yield _said(f"the oldest of this project was last written {many(retention.observed_days, 'day')} ago", width)
    else:
        yield _said("no transcript of this project is left", width)
    swept = since(report.last_sweep, now)
    yield _said(f"last swept {swept}" if swept else "no sweep is on record", width)
    keeping = report.keeping
    if keeping is None or (period.valid and period.days >= keeping.days):
        return
    cost = f", about {size_of(keeping.cost)} in the end" if keeping.cost is not None else ""
    yield _said(f"To keep what the notes rest on, write in {report.settings}:", width)
    yield _said(f"  {keeping.line}", width, "bold")
    yield _said(
        f"(memreview retention --write does, with a backup{cost}; transcripts hold every secret that was printed)",
        width,
        "$quiet",
    )
