"""Ranges of times of day."""

from __future__ import annotations

from memreview.checks.claims.dates.clock import clock, clock_node, hour_range_end, options
from memreview.checks.claims.dates.intervals import Grain
from memreview.checks.claims.dates.nodes import Node
from memreview.checks.claims.dates.reader import Found, Reader


def clock_range(reader: Reader, at: int, *, bare: bool = False) -> Found:
    """``from 9 to 5``, ``10:30-12``, ``zwischen 14 und 16 Uhr``; two bare hours only after a date."""
    between = bool(reader.means(at, "between"))
    led = between or bool(reader.means(at, "from"))
    start = at + 1 if led else at
    start = reader.skip(start, "about") if reader.token(start).low in ("around", "about") else start
    first = clock(reader, start) or _bare_hour(reader, start, bare or led)
    if first is None:
        return None
    left, link = first
    if not _links(reader, link, between):
        return None
    second = clock(reader, link + 1) or _bare_hour(reader, link + 1, True)
    if (
        second is None
        or (left.bare and second[0].bare and not bare)
        or (reader.hyphen(link) and left.bare and second[0].bare and not bare)
    ):
        return None
    if second[0].bare and not free_after(reader, second[1]):
        return None
    spans = _hours(left, second[0])
    return (Node((), Grain.HOUR, "time", clock=tuple(spans)), second[1]) if spans else None


def _links(reader: Reader, at: int, between: bool) -> bool:
    return (
        reader.hyphen(at)
        or reader.means(at, "to") is not None
        or reader.means(at, "until") is not None
        or (between and reader.means(at, "and") is not None)
    )


def _bare_hour(reader: Reader, at: int, allowed: bool) -> Found:
    hour = hour_range_end(reader, at) if allowed else None
    return None if hour is None else (clock_node(options(hour), bare=True), at + 1)


def _hours(left: Node, right: Node) -> list[tuple[int, int]]:
    """Pairs of begin and end: the shortest, twice where both halves of the day are open."""
    pairs = sorted(
        ((b if b > a else b + 1440) - a, a, b if b > a else b + 1440) for a, _ in left.clock for b, _ in right.clock
    )
    if not pairs:
        return []
    sure = len(right.clock) == 1 or len(left.clock) == 1
    best = pairs[0][0]
    chosen = [(a, b) for size, a, b in pairs if size == best]
    return sorted(chosen[:1] if sure else chosen)


def free_after(reader: Reader, at: int) -> bool:
    """True where a bare hour may end: no unit and no noun follows."""
    token = reader.token(at)
    return reader.ends(at) or (
        not token.text[:1].isdigit()
        and not reader.means(at, "unit")
        and (not token.text[:1].isalpha() or bool(token.means))
    )
