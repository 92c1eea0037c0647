"""Ranges and open sides: what is made of points."""

from __future__ import annotations

from dataclasses import replace

from memreview.checks.claims.dates.absolute import day_number
from memreview.checks.claims.dates.amounts import amount, from_moments
from memreview.checks.claims.dates.dispatch import date
from memreview.checks.claims.dates.intervals import Grain, Interval
from memreview.checks.claims.dates.lexicon import listed
from memreview.checks.claims.dates.nodes import Node, Partial, partial_node, unique
from memreview.checks.claims.dates.points import clock_first, only_weekday, point
from memreview.checks.claims.dates.reader import Found, Reader
from memreview.checks.claims.dates.relative import this_moment
from memreview.checks.claims.dates.repeats import recurring
from memreview.checks.claims.dates.years import short_form_ends

_ARTICLES = frozenset(listed("zum den dem the el au le"))
_CLOCKLIKE = frozenset(listed("pod num half quarterword threequarterword halbclock about between from at ampm a"))
_REPEATED = frozenset(listed("every plural recur weekdays weekday ord art"))


def expression(reader: Reader, at: int) -> Found:
    """The longest expression that begins at the token."""
    token = reader.token(at)
    means = token.means.keys()
    best: Found = None
    if means & _REPEATED:
        best = recurring(reader, at)
    for rule in (date_range, bound, point):
        found = rule(reader, at)
        if found is not None and (best is None or found[1] > best[1]):
            best = found
    if token.text[0].isdigit() or means & _CLOCKLIKE:
        found = clock_first(reader, at)
        if found is not None and (best is None or found[1] > best[1]):
            best = found
    return best


def date_range(reader: Reader, at: int) -> Found:
    """``9–13 November 2026``, ``from Nov 9 until Nov 13, 2026``, ``vom 3. bis 5. Mai``, ``between 2015 and 2018``."""
    between = bool(reader.means(at, "between"))
    led = between or reader.means(at, "from") is not None or reader.means(at, "since") is not None
    if reader.token(at).text.lower() == "from now":
        left = this_moment(reader, at, named=True)
        return _range_to(reader, left[0], left[1], between=False, led=True) if left else None
    start = at + 1 if led else at
    short = _short_range(reader, start, between)
    if short is not None:
        return short
    left = (
        point(reader, start)
        or (this_moment(reader, start) if led else None)
        or (_numbered_day(reader, start) if led else None)
    )
    if left is None:
        return None
    return _range_to(reader, left[0], left[1], between=between, led=led)


def _range_to(reader: Reader, node: Node, link: int, *, between: bool, led: bool) -> Found:
    """The range from the node to what follows."""
    after = _after_link(reader, node, link, between)
    if after is None:
        return None
    right = point(reader, after) or this_moment(reader, after) or _follower(reader, after, node)
    if right is not None and right[0].clock and not node.clock and only_weekday(node) is not None:
        right = date(reader, after)
    if right is None or right[0].kind != "date" or node.kind != "date":
        return None
    joined = _join(reader, node, right[0])
    return None if joined is None else (replace(joined, bare=node.bare and right[0].bare and not led), right[1])


def _after_link(reader: Reader, node: Node, link: int, between: bool) -> int | None:
    """The index after a dash or word that stands between the sides of a range."""
    dots = reader.sign(link, ".") and reader.sign(link + 1, ".") and not reader.sign(link + 2, ".")
    months = reader.sign(link, "/") and node.bare and node.grain == Grain.MONTH and reader.means(link + 1, "month")
    if not dots and not months and not _links(reader, link, between):
        return None
    after = link + 2 if dots else link + 1
    while reader.means(after, "until") or (reader.token(after).low in _ARTICLES and not reader.means(after, "month")):
        if reader.token(after).low == "the" and point(reader, after) is not None:
            break
        after += 1
    return after


def _links(reader: Reader, at: int, between: bool) -> bool:
    if reader.hyphen(at) or reader.sign(at, "→"):
        return True
    if reader.means(at, "to") is not None or reader.means(at, "until") is not None:
        return not reader.means(at, "and") or between
    return between and reader.means(at, "and") is not None


def _short_range(reader: Reader, at: int, between: bool) -> Found:
    """Days first and the month once: ``9–13 November``, ``Nov 19-20``, ``3. bis 5. Mai``, ``06.09.-07.09.2017``."""
    first_at = reader.skip(at, "art")
    first = day_number(reader, first_at)
    if first is not None:
        link = first[1]
        if _links(reader, link, between):
            right_at = link + 1
            while reader.means(right_at, "art"):
                right_at += 1
            right = date(reader, right_at)
            worded = right is not None and (first[2] or _is_worded(reader, right_at, right[1]))
            if right is not None and worded and right[0].partials and all(p.day and p.month for p in right[0].partials):
                lefts = tuple(replace(p, day=first[0]) for p in right[0].partials)
                left = partial_node(lefts, reader.anchor)
                joined = _join(reader, left, right[0]) if left else None
                if joined is not None:
                    return joined, right[1]
    return _month_range(reader, at)


def _is_worded(reader: Reader, start: int, end: int) -> bool:
    return any(reader.means(k, "month") for k in range(start, end)) or not reader.token(start).text.isdigit()


def _month_range(reader: Reader, at: int) -> Found:
    """``November 19-20, 2026``, ``april 9th through seventeenth``."""
    if not reader.means(at, "month"):
        return None
    left = date(reader, at)
    if left is None or not left[0].partials or left[0].partials[0].day is None:
        return None
    if not _links(reader, left[1], False):
        return None
    start = reader.skip(left[1] + 1, "art")
    right = day_number(reader, start, words=False)
    if right is None or right[0] <= (left[0].partials[0].day or 0) or reader.means(right[1], "month"):
        return None
    follows = reader.token(right[1])
    if (
        (follows.gap == 0 and (follows.text in (":", "/") or reader.means(right[1], "ampm")))
        or reader.means(right[1], "oclock")
        or reader.means(right[1], "ampm")
    ):
        return None
    year_at = reader.skip_sign(right[1], ",")
    year = reader.token(year_at).number
    end = right[1]
    partial = left[0].partials[0]
    if year is not None and len(reader.token(year_at).text) == 4 and 1900 <= year < 2200 and partial.year is None:
        partial, end = replace(partial, year=year), year_at + 1
    first = partial_node((partial,), reader.anchor)
    last = partial_node((replace(partial, day=right[0]),), reader.anchor)
    joined = _join(reader, first, last) if first and last else None
    return None if joined is None else (joined, end)


def _numbered_day(reader: Reader, at: int) -> Found:
    """``between the 21st and …``, ``vom 3. bis …``."""
    found = day_number(reader, reader.skip(at, "art"), words=False)
    if found is None or not found[2]:
        return None
    node = partial_node((Partial(None, None, found[0]),), reader.anchor)
    return None if node is None else (node, found[1])


def _follower(reader: Reader, at: int, left: Node) -> Found:
    """The second day of a range by its number alone: ``from april the ninth till the seventeenth``."""
    if left.grain != Grain.DAY or not left.partials or not left.partials[0].day:
        return None
    start = reader.skip(at, "art")
    found = day_number(reader, start, words=False)
    if found is None or not (found[2] or start > at):
        return None
    node = partial_node(tuple(replace(p, day=found[0], weekday=None) for p in left.partials), reader.anchor)
    return None if node is None else (node, found[1])


def _join(reader: Reader, left: Node, right: Node) -> Node | None:
    """From the begin of the left to the end of the right; each lends the other the year and month that it lacks."""
    left, right = _completed(reader, left, right)
    if left.clock and not right.clock and right.grain > Grain.DAY:
        return None
    left, right = _same_year(left, right)
    readings: list[Interval] = []
    dated = all(p.year for p in left.partials + right.partials)
    paired = dated and len(left.readings) == len(right.readings)
    for k, b in enumerate(right.readings):
        starts = [a.start for a in left.readings if a.start is not None and (b.end is None or a.start < b.end)]
        if starts and b.start is not None:
            twin = left.readings[k].start if paired else None
            first = twin if twin in starts and twin is not None else max(starts)
            stop = b.start if right.grain <= Grain.MINUTE else b.end
            if stop is not None and first < stop:
                readings.append(Interval(first, stop))
    if not readings and (left.readings and right.readings):
        return None
    grain = max(left.grain, right.grain)
    return Node(
        unique(readings),
        grain,
        relative=left.relative or right.relative,
        rots=left.rots or right.rots,
        fuzzy=left.fuzzy or right.fuzzy,
    )


def _same_year(left: Node, right: Node) -> tuple[Node, Node]:
    """``Q1-Q2 2020``, ``2020 Q1 to Q3``: a part of some year is one of the year on the other side."""
    if left.relative == right.relative or left.rots or right.rots or left.partials or right.partials:
        return left, right
    loose, fixed = (left, right) if left.relative else (right, left)
    years = {r.start.year for r in fixed.readings if r.start is not None}
    if len(years) != 1 or loose.grain not in (Grain.QUARTER, Grain.HALF, Grain.SEASON):
        return left, right
    (year,) = years
    spans: list[Interval] = []
    for r in loose.readings[:1]:
        if r.start is not None and r.end is not None:
            spans.append(Interval(r.start.replace(year=year), r.end.replace(year=year + r.end.year - r.start.year)))
    moved = replace(loose, readings=tuple(spans), relative=False)
    return (moved, right) if left.relative else (left, moved)


def _completed(reader: Reader, left: Node, right: Node) -> tuple[Node, Node]:
    """Both with their year: "from Nov 9 until Nov 13, 2026", "26 June 2019 to 28 June"."""
    if not left.partials or not right.partials or left.clock or right.clock:
        return left, right
    last = right.partials[-1]
    if last.year is not None and left.partials[0].year is None:
        twins = right.partials if len(right.partials) == len(left.partials) else (last,) * len(left.partials)
        lent = [replace(p, year=q.year, month=p.month or q.month) for p, q in zip(left.partials, twins, strict=True)]
        lent = [replace(p, year=p.year - 1) if p.year and _later(p, q) else p for p, q in zip(lent, twins, strict=True)]
        return partial_node(tuple(lent), reader.anchor) or left, right
    first = left.partials[0]
    if first.year is not None and last.year is None:
        given = [replace(p, year=first.year, month=p.month or first.month) for p in right.partials]
        given = [replace(p, year=p.year + 1) if p.year and _later(first, p) else p for p in given]
        return left, partial_node(tuple(given), reader.anchor) or right
    if first.month is None and first.day and last.month:
        lent = [replace(p, month=last.month) for p in left.partials]
        if first.day > (last.day or 31):
            lent = [replace(p, month=(last.month - 2) % 12 + 1) for p in left.partials]
        return partial_node(tuple(lent), reader.anchor) or left, right
    return left, right


def _later(one: Partial, other: Partial) -> bool:
    return ((one.month or 1), (one.day or 1)) > ((other.month or 12), (other.day or 31))


def bound(reader: Reader, at: int) -> Found:
    """One open side: ``since August``, ``until Friday``, ``before 2018``, ``after Thursday``, ``from 30 Oct on``."""
    led = _openers(reader, at)
    if led is None:
        return _onwards(reader, at)
    side, after = led
    after += reader.token(after).low in ("den", "dem", "zum", "el", "le", "la", "the") and point(reader, after) is None
    found = point(reader, after) or (
        this_moment(reader, after) or _as_long_as(reader, after) if side == "since" else None
    )
    if found is None and side in ("before", "after", "until", "by"):
        clocked = clock_first(reader, after)
        return _time_bound(clocked, side) if clocked else None
    if found is None or found[0].kind != "date":
        return None
    node, end = found
    if node.bare and reader.means(after, "abbr") and not short_form_ends(reader, end):
        return None
    if side == "from":
        if not reader.means(end, "onwards") or reader.means(end, "to"):
            return None
        side, end = "since", end + 1
    spans = []
    for r in node.readings:
        spans.append({"since": Interval(r.start, None), "until": Interval(None, r.end), "by": Interval(None, r.end),
                      "before": Interval(None, r.start), "after": Interval(r.end, None)}[side])  # fmt: skip
    if side == "since" and reader.means(at, "since") is not None and reader.anchor is not None:
        now = reader.anchor.moment
        spans = [s for s in spans if s.start is not None and s.start <= now] or spans
    return replace(node, readings=unique(spans), partials=(), bare=False), end


def _as_long_as(reader: Reader, at: int) -> Found:
    """``seit drei Tagen``, ``depuis trois semaines``, ``desde hace un mes``."""
    found = amount(reader, reader.skip(at, "agopre"))
    if found is None:
        return None
    moments = reader.anchor.moments if reader.anchor else ()
    return replace(from_moments(moments, found[0], -1), rots=True), found[1]


def _time_bound(found: tuple[Node, int], side: str) -> Found:
    """``before 4pm`` stays a time of day."""
    node, end = found
    if node.kind != "time":
        return None
    spans = tuple((a, 1440) if side == "after" else (0, a or 1440) for a, _ in node.clock)
    return replace(node, clock=spans), end


def _openers(reader: Reader, at: int) -> tuple[str, int] | None:
    means = reader.token(at).means
    if not means:
        return None
    if "by" in means and "until" not in means:
        return "by", at + 1
    if "since" in means or "starting" in means:
        return "since", at + 1
    if "until" in means or reader.token(at).low in ("through", "thru"):
        return "until", at + 1
    if "before" in means:
        return "before", at + 1
    if "after" in means and "of" not in means:
        return "after", at + 1
    return ("from", at + 1) if "from" in means else None


def _onwards(reader: Reader, at: int) -> Found:
    """``2012 or later``, ``1/1/2016 and later``, ``2018 o más tarde``."""
    found = point(reader, at)
    if found is None or not reader.means(found[1], "onwards") or reader.token(found[1]).low in ("on", "an"):
        return None
    node, end = found
    return replace(
        node, readings=unique([Interval(r.start, None) for r in node.readings]), partials=(), bare=False
    ), end + 1
