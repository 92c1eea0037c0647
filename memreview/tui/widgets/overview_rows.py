"""The rows of the dreams on the projects screen, drawn for a width."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime

from textual.content import Content

from memreview.report.overview import DreamRow
from memreview.text import cells, clip
from memreview.tui import content
from memreview.tui.widgets.row_list import ListRow

STATE_WIDTH = 21
TIME_WIDTH = 15


def dream_rows(dreams: Sequence[DreamRow], width: int, now: datetime) -> list[ListRow]:
    """Waiting dreams, newest first, then those that are done."""
    rows: list[ListRow] = []
    names = max((cells(_name(dream)) for dream in dreams), default=0)
    waiting = [_dream(dream, names, width, now) for dream in _newest_first(dreams) if not dream.done]
    done = [_dream(dream, names, width, now) for dream in _newest_first(dreams) if dream.done]
    if waiting:
        rows += [_heading("Dreams to review"), *waiting]
    if done:
        rows += [_heading("Dreams that are done"), *done]
    return rows


def _heading(title: str) -> ListRow:
    return ListRow(Content.styled(f" {title}", "bold $accent"))


def _newest_first(dreams: Sequence[DreamRow]) -> list[DreamRow]:
    return sorted(dreams, key=lambda dream: dream.made or 0.0, reverse=True)


def _name(dream: DreamRow) -> str:
    return content.shown(os.path.basename(dream.target.label.rstrip("/")) or dream.target.label)


def _dream(dream: DreamRow, names: int, width: int, now: datetime) -> ListRow:
    state, style = _progress(dream)
    room = max(10, width - TIME_WIDTH - STATE_WIDTH - 6)
    names = min(names, max(room * 3 // 5, 10))
    name = clip(_name(dream), names)
    owner = clip(content.shown(dream.project) if dream.project else "of no known project", max(0, room - names))
    line = Content.assemble(
        (f" {since(dream.made, now):{TIME_WIDTH}} ", "$quiet"),
        _styled(name + " " * (names - cells(name)), "bold"),
        _styled("  " + owner + " " * (room - names - cells(owner)), "$quiet"),
        (f"  {state}", style),
    )
    return ListRow(line, dream)


def _progress(dream: DreamRow) -> tuple[str, str]:
    if dream.problem:
        return "✗ cannot be opened", "$error"
    if not dream.complete:
        return "✗ did not finish", "$warning"
    if dream.done:
        return ("✓ applied", "$success") if dream.applied else ("✗ all rejected", "$quiet")
    if dream.total is None:
        return "· not opened yet", "$foreground"
    if not dream.decided:
        return f"· 0 of {dream.total} decided", "$foreground"
    sign = "✓" if dream.decided == dream.total else "◐"
    return f"{sign} {dream.decided} of {dream.total} decided", "$primary"


def _styled(text: str, style: str) -> Content:
    """Text that has gone through ``content.shown`` already."""
    return Content.styled(text, style) if style else Content(text)


def since(moment: float | None, now: datetime) -> str:
    """When something was, in the reader's words: a time of today, yesterday, else a date; nothing for None."""
    if moment is None:
        return ""
    at = datetime.fromtimestamp(moment).astimezone(now.tzinfo)
    days = (now.date() - at.date()).days
    if days == 0:
        return f"today {at:%H:%M}"
    if days == 1:
        return f"yesterday {at:%H:%M}"
    return f"{at.day} {at:%b} {at:%H:%M}" if at.year == now.year else f"{at.day} {at:%b %Y}"
