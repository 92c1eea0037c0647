"""The rows of the projects screen, drawn for a width: dreams that wait first, then every project."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime

from textual.content import Content

from memreview.checks.index import LINE_LIMIT, IndexStatus
from memreview.report.overview import DreamRow, ProjectRow
from memreview.text import cells, clip
from memreview.tui import content
from memreview.tui.widgets.gauge import STYLES, bar
from memreview.tui.widgets.row_list import ListRow

BAR_WIDTH = 12
SIZE_WIDTH = 12
STATE_WIDTH = 21
TIME_WIDTH = 15
WORDS = {IndexStatus.NONE: "no index", IndexStatus.OK: "", IndexStatus.NEAR: "near", IndexStatus.CUT: "cut"}


def overview_rows(
    projects: Sequence[ProjectRow], dreams: Sequence[DreamRow], width: int, now: datetime
) -> list[ListRow]:
    """Waiting dreams, newest first, then the projects as they come, then the dreams that were applied."""
    rows: list[ListRow] = []
    names = max((cells(_name(dream)) for dream in dreams), default=0)
    waiting = [_dream(dream, names, width, now) for dream in _newest_first(dreams) if not dream.done]
    done = [_dream(dream, names, width, now) for dream in _newest_first(dreams) if dream.done]
    if waiting:
        rows += [_heading("Dreams to review"), *waiting, ListRow(Content(" "))]
    if projects:
        rows.append(_project_heading(width))
        rows += [ListRow(_project(row, width, now), row) for row in projects]
    if done:
        rows += [ListRow(Content(" ")), _heading("Dreams that are done"), *done]
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


def _project_columns(width: int) -> tuple[int, bool]:
    """The width of the name, and whether there is room for the last column."""
    wide = width >= 76
    fixed = 1 + 7 + 2 + BAR_WIDTH + 1 + SIZE_WIDTH + 8 + (TIME_WIDTH + 1 if wide else 0)
    return max(12, width - fixed), wide


def _project_heading(width: int) -> ListRow:
    name, wide = _project_columns(width)
    line = f" {'Project':{name}}{'Notes':>7}  {'Index':{BAR_WIDTH + 1 + SIZE_WIDTH}}{'Dreams':>8}"
    return ListRow(Content.styled(line + (f" {'Opened':>{TIME_WIDTH}}" if wide else ""), "bold $accent"))


def _project(row: ProjectRow, width: int, now: datetime) -> Content:
    room, wide = _project_columns(width)
    name = clip(content.shown(row.project.name), room)
    index = row.index
    size = f"{index.lines}/{LINE_LIMIT} " if index.status is not IndexStatus.NONE else ""
    parts: list[Content | tuple[str, str] | str] = [
        _styled(f" {name}{' ' * (room - cells(name))}", ""),
        f"{row.notes:>7}  ",
        bar(index, BAR_WIDTH),
        (f" {size + WORDS[index.status]:{SIZE_WIDTH}}", STYLES.get(index.status, "$quiet")),
        (f"{row.dreams or '':>8}", "bold $primary"),
    ]
    if wide:
        parts.append((f" {since(row.opened, now) or '–':>{TIME_WIDTH}}", "$quiet"))
    return Content("").join(part if isinstance(part, Content) else Content.assemble(part) for part in parts)


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
