"""The columns of the list of projects: their heads, their order, and what stands in each."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from textual.content import Content

from memreview.checks.index import LINE_LIMIT, UNIT_LIMIT, IndexState, IndexStatus
from memreview.checks.retention import EXPIRING_DAYS
from memreview.text import cells, clip
from memreview.tui import content
from memreview.tui.outlook import many
from memreview.tui.overview import Entry, Overview, Sorting
from memreview.tui.widgets.gauge import STYLES, bar
from memreview.tui.widgets.overview_rows import since

LOST, ORPHAN, DANGLING, EXPIRING, RUNNING, CHANGED = "↓", "○", "→", "◇", "●", "Δ"
REVIEW = "?"
WORST = {2: ("✗", "$error"), 1: ("!", "$warning"), 0: (" ", ""), -1: ("…", "$quiet")}
NEVER = sys.maxsize
WIDE = 100
"""From this width on, heads are whole words and there are more columns."""
WIDEST = 132
"""From this width on, there is room for all columns."""
STATUS_WORDS = {IndexStatus.CUT: "cut", IndexStatus.NEAR: "near", IndexStatus.OK: "", IndexStatus.NONE: ""}

SIGNS = (
    (WORST[2][0], "an error: a part of the index is not loaded"),
    (WORST[1][0], "something else flags; the line below says what"),
    (RUNNING, "a session is open in this project: its notes may change"),
    (CHANGED, "notes changed since you last looked: c reviews them, m marks them as seen"),
    ("━╌", f"the index against what a session loads: {LINE_LIMIT} lines, {UNIT_LIMIT // 1000}k UTF-16 units"),
    ("cut near", "a part is not loaded; four fifths of a limit are used"),
    (LOST, "Lost: notes that are named only behind the cut"),
    (ORPHAN, "Orphans: notes that no line of the index names"),
    (DANGLING, "Dangling: links of the index that lead nowhere"),
    (EXPIRING, f"Expiring: transcripts that notes rest on, deleted within {EXPIRING_DAYS} days"),
    ("Oldest", "age of the oldest transcript, in days"),
    ("Left", "days until the first transcript that notes rest on is deleted"),
    (REVIEW, "Review: notes that the last check wants reviewed or unpinned; ✓ it keeps all, nothing: never checked"),
    ("Dreams", "dreams that wait for review (New on a narrow screen)"),
    ("▲ ▼", "the column by which the list is sorted"),
)


@dataclass(frozen=True, slots=True)
class Column:
    """One column. ``key`` puts what matters most first; ``draw`` gives text and its style, or content, for a width."""

    id: str
    head: str
    short: str
    width: int
    wide_width: int
    key: Callable[[Entry], Any]
    draw: Callable[[Entry, int, datetime], Content | tuple[str, str]]
    right: bool = True
    from_width: int = 0


def _count(sign: str, style: str, number: Callable[[Entry], int]) -> Callable[[Entry, int, datetime], tuple[str, str]]:
    def draw(entry: Entry, width: int, now: datetime) -> tuple[str, str]:
        found = number(entry)
        return (f"{sign}{found:,}", style) if found else ("", "")

    return draw


def _lost(entry: Entry) -> int:
    return len(entry.audit.index.lost) if entry.audit is not None else 0


def _orphans(entry: Entry) -> int:
    return len(entry.audit.index.orphans) if entry.audit is not None else 0


def _dangling(entry: Entry) -> int:
    return len(entry.audit.index.dangling) if entry.audit is not None else 0


def _notes(entry: Entry) -> int:
    return len(entry.audit.notes) if entry.audit is not None else -1


def _tokens(entry: Entry) -> int:
    return entry.audit.layers.loaded_tokens if entry.audit is not None else -1


def _trouble(entry: Entry) -> tuple[int, int, int]:
    """What is wrong first: the heaviest finding, then an index that is cut or near, then how many flag."""
    return (-entry.worst, -max(entry.fullness[0], 1), -entry.flagged)


def _draw_worst(entry: Entry, width: int, now: datetime) -> Content:
    running = (RUNNING, "$success") if entry.running else (" ", "")
    # There is room for one of the two: the words below tell both.
    return Content.assemble(WORST[entry.worst], (CHANGED, "$primary") if entry.changed else running)


def _draw_name(entry: Entry, width: int, now: datetime) -> tuple[str, str]:
    return (tail(content.shown(entry.project.name), width), "")


def _draw_index(entry: Entry, width: int, now: datetime) -> Content:
    if entry.audit is None:
        return Content.styled("…", "$quiet")
    index = entry.audit.index
    if entry.audit.problem is not None:
        return Content.styled("unreadable", "$error")
    if index.status is IndexStatus.NONE:
        return Content.styled("no index", "$quiet")
    size = width - 13
    figure = f" {binding(index):>7} {STATUS_WORDS[index.status]:4}"
    return Content.assemble(bar(index, size), (figure, STYLES.get(index.status, "$quiet")))


def _draw_number(number: Callable[[Entry], int]) -> Callable[[Entry, int, datetime], tuple[str, str]]:
    def draw(entry: Entry, width: int, now: datetime) -> tuple[str, str]:
        found = number(entry)
        return (f"{found:,}" if found >= 0 else "", "")

    return draw


def _draw_oldest(entry: Entry, width: int, now: datetime) -> tuple[str, str]:
    return ("" if entry.oldest is None else f"{entry.oldest}d", "$quiet")


def _draw_left(entry: Entry, width: int, now: datetime) -> tuple[str, str]:
    if entry.left is None:
        return ("", "")
    return (f"{entry.left}d", "$warning" if entry.left <= EXPIRING_DAYS else "$quiet")


def _draw_dreams(entry: Entry, width: int, now: datetime) -> tuple[str, str]:
    return (str(entry.dreams) if entry.dreams else "", "bold $primary")


def _draw_reviews(entry: Entry, width: int, now: datetime) -> tuple[str, str]:
    if entry.reviews is None:
        return ("", "")
    return (f"{REVIEW}{entry.reviews:,}", "$warning") if entry.reviews else ("✓", "$success")


COLUMNS: tuple[Column, ...] = (
    Column(
        "worst",
        "",
        "",
        2,
        2,
        lambda one: (-one.worst, -max(one.fullness[0], 1), -one.flagged),
        _draw_worst,
        right=False,
    ),
    Column("name", "Project", "Project", 0, 0, lambda one: one.project.name, _draw_name, right=False),
    Column(
        "index",
        "Index",
        "Index",
        19,
        20,
        lambda one: (-one.fullness[0], -one.fullness[1]),
        _draw_index,
        right=False,
    ),
    Column("notes", "Notes", "Notes", 6, 7, lambda one: -_notes(one), _draw_number(_notes)),
    Column("lost", "Lost", "Lost", 5, 6, lambda one: -_lost(one), _count(LOST, "$error", _lost)),
    Column("orphans", "Orphans", "Orph", 5, 8, lambda one: -_orphans(one), _count(ORPHAN, "$warning", _orphans)),
    Column("dangling", "Dangling", "Dang", 5, 9, lambda one: -_dangling(one), _count(DANGLING, "$warning", _dangling)),
    Column(
        "expiring",
        "Expiring",
        "Exp",
        5,
        9,
        lambda one: -one.expiring,
        _count(EXPIRING, "$warning", lambda one: one.expiring),
    ),
    Column(
        "oldest",
        "Oldest",
        "Old",
        5,
        7,
        lambda one: -1 if one.oldest is None else -one.oldest - 2,
        _draw_oldest,
        from_width=WIDE,
    ),
    Column("left", "Left", "Left", 5, 6, lambda one: NEVER if one.left is None else one.left, _draw_left),
    Column("review", "Review", "Rev", 5, 7, lambda one: -(one.reviews or 0), _draw_reviews),
    Column("dreams", "Dreams", "New", 4, 7, lambda one: -one.dreams, _draw_dreams),
    Column(
        "changed",
        "Changed",
        "",
        0,
        8,
        lambda one: -one.changed,
        _count(CHANGED, "$primary", lambda one: one.changed),
        from_width=WIDE,
    ),
    Column("tokens", "Tokens", "", 0, 8, lambda one: -_tokens(one), _draw_number(_tokens), from_width=WIDEST),
)
BY_ID = {column.id: column for column in COLUMNS}


@dataclass(frozen=True, slots=True)
class Placed:
    """A column where it stands: from which cell on, how many, and its head."""

    column: Column
    start: int
    width: int
    head: str


def placed(width: int) -> list[Placed]:
    """The columns of a list that is ``width`` cells wide; the name has what the others leave."""
    wide = width >= WIDE
    shown = [column for column in COLUMNS if width >= column.from_width]
    widths = {column.id: column.wide_width if wide else column.width for column in shown}
    # One blank in front, and one each around the name and the index.
    widths["name"] = max(10, width - sum(widths.values()) - 3)
    found: list[Placed] = []
    at = 1
    for column in shown:
        found.append(Placed(column, at, widths[column.id], column.head if wide else column.short))
        at += widths[column.id] + (1 if column.id in ("worst", "name") else 0)
    return found


def ordered(overview: Overview) -> list[str]:
    """The paths of all projects in the order in which they are shown; those that are not known yet come last."""
    column = BY_ID[overview.sorting.column]
    entries = sorted(overview.entries.values(), key=lambda entry: (entry.project.name, entry.project.path))
    entries.sort(key=column.key, reverse=overview.sorting.reverse)
    if column.id != "name":
        entries.sort(key=lambda entry: entry.audit is None)
    return [entry.project.path for entry in entries]


def next_sorting(now: Sorting, step: int, width: int) -> Sorting:
    """The sorting by the column beside the present one."""
    ids = [place.column.id for place in placed(width)]
    at = ids.index(now.column) if now.column in ids else 0
    return Sorting(ids[(at + step) % len(ids)])


def heads(width: int, sorting: Sorting) -> Content:
    """The line of heads."""
    line = Content()
    for place in placed(width):
        sorted_by = place.column.id == sorting.column
        arrow = ("▲" if sorting.reverse else "▼") if sorted_by else ""
        head = clip(place.head, place.width - len(arrow))
        head = f"{head}{arrow}" if not place.column.right else f"{arrow}{head}"
        line += Content(" " * (place.start - line.cell_length))
        line += Content.styled(_in_cells(head, place.width, place.column.right), "bold $accent")
    return line


def row(entry: Entry, width: int, now: datetime) -> Content:
    """The line of a project."""
    line = Content()
    for place in placed(width):
        drawn = place.column.draw(entry, place.width, now)
        piece = drawn if isinstance(drawn, Content) else Content.styled(*drawn) if drawn[1] else Content(drawn[0])
        blanks = max(0, place.width - piece.cell_length)
        line += Content(" " * (place.start - line.cell_length + (blanks if place.column.right else 0)))
        line += piece
    return line


def binding(index: IndexState) -> str:
    """The size against the limit that is nearer: lines, or UTF-16 units in thousands."""
    if index.units / UNIT_LIMIT > index.lines / LINE_LIMIT:
        size = index.units / 1000
        return f"{size:.0f}k/{UNIT_LIMIT // 1000}k" if index.units < 10_000_000 else f"{size / 1000:.0f}M/25k"
    return f"{index.lines}/{LINE_LIMIT}" if index.lines < 1000 else f"{index.lines / 1000:.0f}k/{LINE_LIMIT}"


def tail(shown: str, width: int) -> str:
    """The end of a text that has no room: what tells folders of one home apart."""
    if cells(shown) <= width:
        return shown
    kept = shown
    while kept and cells(kept) > width - 1:
        kept = kept[1:]
    return "…" + kept


def _in_cells(text: str, width: int, right: bool) -> str:
    blanks = " " * max(0, width - cells(text))
    return blanks + text if right else text + blanks


def about(entry: Entry, now: datetime) -> tuple[str, str]:
    """What is the matter with a project, in words, and how urgent that is."""
    audit = entry.audit
    if audit is None:
        return f"{entry.project.name}: not read yet", ""
    if audit.problem is not None:
        return audit.problem, "error"
    said = list(_matters(entry))
    kind = {2: "error", 1: "warning"}.get(entry.worst, "")
    if not said:
        said.append("an index that is loaded whole" if audit.index.lines else "no index yet")
    if entry.reviews and entry.checked is not None:
        said.append(f"{many(entry.reviews, 'note')} to review, checked {since(entry.checked, now)}")
    if entry.changed:
        said.append(f"{many(entry.changed, 'note')} changed since you last looked")
    if entry.opened is not None:
        said.append(f"reviewed {since(entry.opened, now)}")
    return " · ".join(said), kind


def _matters(entry: Entry) -> Sequence[str]:
    audit = entry.audit
    assert audit is not None
    index, retention, said = audit.index, audit.retention, []
    if index.first_lost_line is not None:
        said.append(f"cut from line {index.first_lost_line} on")
    if index.lost:
        said.append(f"{many(len(index.lost), 'note')} lost behind the cut")
    if index.status is IndexStatus.NEAR and audit.headroom is not None:
        said.append(f"room for {audit.headroom.entries} more entries")
    if index.orphans:
        said.append(many(len(index.orphans), "orphan"))
    if index.dangling:
        said.append(many(len(index.dangling), "dead link"))
    if retention.expiring:
        first = retention.expiring[0].days_left
        when = f"in {many(first, 'day')}" if first else "at the next sweep"
        said.append(f"evidence goes {when}")
    if retention.gone:
        said.append(f"{many(len(retention.gone), 'session')} gone")
    if not retention.period.valid:
        said.append("a settings file is void")
    rest = entry.flagged - len(index.orphans) - len(index.dangling) - len(index.lost) - len(retention.expiring)
    rest -= int(index.status in (IndexStatus.CUT, IndexStatus.NEAR)) + int(not retention.period.valid)
    if rest > 0:
        said.append(many(rest, "other warning"))
    if entry.running:
        said.append(f"{many(len(entry.running), 'session')} running")
    return said
