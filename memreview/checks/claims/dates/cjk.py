"""Japanese and Chinese expressions of time, in their common forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from memreview.checks.claims.dates import cjk_words as words
from memreview.checks.claims.dates.anchor import Anchor
from memreview.checks.claims.dates.arithmetic import DAY, GRAINS, WEEK, add, begin, midnight, third
from memreview.checks.claims.dates.intervals import Grain, Interval
from memreview.checks.claims.dates.nodes import Node, Partial, around, part_of_day, partial_node, unique, with_clock

HAS_CJK = re.compile(r"[\u3041-\u30ff\u3400-\u9fff]")


def number(text: str | None) -> int | None:
    """A number of Chinese or Western digits up to 9999."""
    if not text:
        return None
    if text.isdigit() and text.isascii():
        return int(text)
    digits = "零一二三四五六七八九"
    text = text.replace("〇", "零").replace("两", "二").replace("兩", "二")
    if "十" in text:
        tens, _, ones = text.partition("十")
        if len(tens) > 1 or len(ones) > 1 or "十" in ones:
            return None
        return (digits.index(tens) if tens else 1) * 10 + (digits.index(ones) if ones else 0)
    if not all(c in digits for c in text):
        return None
    return int("".join(str(digits.index(c)) for c in text))


def find_cjk(text: str, anchor: Anchor | None, limit: int) -> Iterator[tuple[int, int, Node]]:
    """(start, end, node) of the expressions from left to right, after at most ``limit`` tries."""
    at, count = 0, len(text)
    while at < count and limit > 0:
        limit -= 1
        start = words.START.search(text, at)
        if start is None:
            return
        at = start.start()
        found = _expression(text, at, anchor)
        if found is None or not HAS_CJK.search(text, at, found[1]):
            if text[at].isascii() and text[at].isdigit():
                while at < count and text[at].isdigit():
                    at += 1
            else:
                at += 1
            continue
        yield at, found[1], found[0]
        at = found[1]


def _expression(text: str, at: int, anchor: Anchor | None) -> tuple[Node, int] | None:
    first = _point(text, at, anchor)
    if first is None:
        return _moved(text, at, anchor) or _clock(text, at)
    node, end = first
    link = words.RANGE.match(text, end)
    if link is not None and node.kind == "date":
        other = _point(text, link.end(), anchor) or _day_only(text, link.end(), node, anchor)
        if other is not None and other[0].kind == "date":
            spans = [
                Interval(a.start, b.end)
                for a in node.readings
                for b in other[0].readings
                if a.start and b.end and a.start < b.end
            ]
            if spans or anchor is None:
                return replace(node, readings=unique(spans[:1]), partials=()), other[1]
    side = words.OPEN.match(text, end)
    if side is not None and node.kind == "date" and node.readings:
        if side["since"]:
            spans = [Interval(r.start, None) for r in node.readings]
        elif side["until"] in ("まで", "为止"):
            spans = [Interval(None, r.end) for r in node.readings]
        else:
            spans = [Interval(None, r.start) for r in node.readings]
        return replace(node, readings=tuple(spans), partials=()), side.end()
    return first


def _day_only(text: str, at: int, left: Node, anchor: Anchor | None) -> tuple[Node, int] | None:
    match = re.compile(rf"({words.NUMBER})\s?[日号號]").match(text, at)
    value = number(match[1]) if match else None
    if match is None or value is None or not left.partials:
        return None
    node = partial_node(tuple(replace(p, day=value) for p in left.partials), anchor)
    return None if node is None else (node, match.end())


def _point(text: str, at: int, anchor: Anchor | None) -> tuple[Node, int] | None:
    """The longest of the forms of a date, with a part of the day and a time of day."""
    best: tuple[Node, int] | None = None
    for rule in (_date, _year, _quarter, _week, _weekday, _day, _night, _offset):
        found = rule(text, at, anchor)
        if found is not None and (best is None or found[1] > best[1]):
            best = found
    if best is None or best[0].kind != "date" or best[0].grain > Grain.DAY:
        return best
    node, end = best
    follow = end + (text[end : end + 1] in (" ", "の", "，", "、"))
    timed = _clock(text, follow)
    if timed is not None:
        return with_clock(node, timed[0]), timed[1]
    for part, hours in words.PARTS.items():
        if text.startswith(part, follow):
            return part_of_day(node, *hours), follow + len(part)
    return best


def _year_of(match: re.Match[str], anchor: Anchor | None) -> tuple[int | None, bool]:
    """(year, whether it is relative)."""
    if match["era"]:
        value = 1 if match["eray"] == "元" else number(match["eray"])
        return (None if value is None else value + (2018 if match["era"] == "令和" else 1988)), False
    if match["year"]:
        return number(match["year"]), False
    if match["relyear"]:
        return (anchor.days[0].year + words.YEAR_REL[match["relyear"]] if anchor else None), True
    return None, False


def _date(text: str, at: int, anchor: Anchor | None) -> tuple[Node, int] | None:
    match = words.DATE.match(text, at)
    if match is None or match.end() == at:
        return None
    year, relative = _year_of(match, anchor)
    day_value = number(match["day"])
    if match["day"] and day_value is None:
        return None
    if match["relmonth"]:
        months = around(anchor, "month", words.MONTH_REL[match["relmonth"]])
        node: Node | None = Node(tuple(months), Grain.MONTH, relative=True, rots=True)
        if day_value is not None and node is not None:
            spans = [
                Interval(d, d + DAY)
                for m in months
                if m.start and m.end and (d := m.start + (day_value - 1) * DAY) < m.end
            ]
            node = replace(node, readings=tuple(spans), grain=Grain.DAY)
    else:
        month = number(match["month"])
        if month is None or not 1 <= month <= 12 or text[match.end() : match.end() + 1] in ("間", "份間"):
            return None
        if relative and year is None:
            return Node((), Grain.MONTH, relative=True, rots=True), match.end()
        if (
            year is None
            and not match["day"]
            and not match["third"]
            and match["month"]
            and _counts_months(text, match.end())
        ):
            return None
        node = partial_node((Partial(year, month, day_value),), anchor)
        node = replace(node, relative=True, rots=True) if node and relative else node
    if node is None:
        return None
    if match["third"]:
        node = replace(
            node,
            readings=tuple(third(r, words.THIRDS[match["third"]]) for r in node.readings),
            grain=Grain.THIRD,
            fuzzy=True,
            partials=(),
        )
    return node, match.end()


def _counts_months(text: str, end: int) -> bool:
    return text[end : end + 1] in "亮球饼餅経刊給供額次間" and end < len(text)


def _year(text: str, at: int, anchor: Anchor | None) -> tuple[Node, int] | None:
    match = words.YEAR.match(text, at)
    if match is None:
        return None
    year, relative = _year_of(match, anchor)
    if year is None:
        return (Node((), Grain.YEAR, relative=True, rots=True), match.end()) if relative else None
    node = partial_node((Partial(year),), anchor)
    if node is None or not node.readings or node.readings[0].start is None:
        return None
    node = replace(node, relative=relative, rots=relative, partials=())
    first = node.readings[0].start
    part = _part_of_year(match)
    if part is not None and first is not None:
        months, unit, grain = part
        start = add(first, months, "month")
        readings = _from(start, unit) if start is not None else ()
        return replace(node, readings=readings, grain=grain, fuzzy=grain == Grain.SEASON), match.end()
    if match["third"]:
        return replace(
            node,
            readings=tuple(third(r, words.THIRDS[match["third"]]) for r in node.readings),
            grain=Grain.SEASON,
            fuzzy=True,
        ), match.end()
    return node, match.end()


def _part_of_year(match: re.Match[str]) -> tuple[int, str, Grain] | None:
    """(months from January, its length, its grain) of a quarter, half or season."""
    if match["quarter"]:
        return 3 * ((number(match["quarter"]) or 1) - 1), "quarter", Grain.QUARTER
    if match["halfyear"]:
        return 6 if match["halfyear"][0] == "下" else 0, "half", Grain.HALF
    if match["season"]:
        return {"春": 2, "夏": 5, "秋": 8, "冬": 11}[match["season"]], "quarter", Grain.SEASON
    return None


def _from(start: datetime, unit: str) -> tuple[Interval, ...]:
    stop = add(start, 1, unit)
    return (Interval(start, stop),) if stop else ()


def _quarter(text: str, at: int, anchor: Anchor | None) -> tuple[Node, int] | None:
    match = words.QUARTER.match(text, at)
    if match is None:
        return None
    index = (number(match["quarter"]) or 1) - 1
    spans: list[Interval] = []
    for years in (0, 1, -1):
        base = add(begin(anchor.days[0], "year"), years, "year") if anchor else None
        start = add(base, index, "quarter") if base else None
        spans += _from(start, "quarter") if start else ()
    if anchor:
        today = anchor.days[0]
        spans.sort(key=lambda r: abs((r.start or today) - today))
    return Node(tuple(spans[:2]), Grain.QUARTER, relative=True), match.end()


def _week(text: str, at: int, anchor: Anchor | None) -> tuple[Node, int] | None:
    match = words.WEEK.match(text, at)
    if match is None:
        return None
    shift = words.WEEK_REL[match["rel"]]
    node = Node(tuple(around(anchor, "week", shift)), Grain.WEEK, relative=True, rots=True)
    sign = match["wd"] or match["wd2"]
    if not sign and not match["end"]:
        return node, match.end()
    mondays = [begin(d, "week") + shift * WEEK for d in anchor.days] if anchor else []
    if match["end"]:
        return replace(node, readings=tuple(Interval(m + 5 * DAY, m + 7 * DAY) for m in mondays)), match.end()
    days = [m + words.WEEKDAYS[sign] * DAY for m in mondays]
    return replace(node, readings=tuple(Interval(d, d + DAY) for d in days), grain=Grain.DAY), match.end()


def _weekday(text: str, at: int, anchor: Anchor | None) -> tuple[Node, int] | None:
    match = words.WEEKDAY.match(text, at)
    if match is None:
        return None
    weekday = words.WEEKDAYS[match["wd"] or match["wd2"]]
    if match["every"]:
        start = datetime(1900, 1, 1) + weekday * DAY
        return Node((Interval(start, start + DAY),), Grain.DAY, "recurring"), match.end()
    node = partial_node((Partial(None, None, None, weekday),), anchor)
    return None if node is None else (node, match.end())


def _day(text: str, at: int, anchor: Anchor | None) -> tuple[Node, int] | None:
    match = words.DAY.match(text, at)
    if match is None:
        return None
    days = [add(d, words.DAY_REL[match["rel"]], "day") for d in anchor.days] if anchor else []
    end = match.end() - (match.group().endswith("の") and _clock(text, match.end()) is None)
    return Node(tuple(Interval(d, d + DAY) for d in days if d), Grain.DAY, relative=True, rots=True), end


def _night(text: str, at: int, anchor: Anchor | None) -> tuple[Node, int] | None:
    match = words.NIGHT.match(text, at)
    if match is None:
        return None
    days = [add(d, words.NIGHT_REL[match["rel"]], "day") for d in anchor.days] if anchor else []
    node = Node(tuple(Interval(d, d + DAY) for d in days if d), Grain.DAY, relative=True, rots=True)
    hours = (5, 12) if match["rel"][-1] in "朝早" else (18, 29)
    return part_of_day(node, *hours), match.end()


def _offset(text: str, at: int, anchor: Anchor | None) -> tuple[Node, int] | None:
    match = words.OFFSET.match(text, at)
    if match is None or not (match["n"] or match["few"] or match["half"]):
        return None
    unit = words.UNITS[match["unit"]]
    amount = number(match["n"]) if match["n"] else None
    if match["n"] and amount is None:
        return None
    sign = -1 if "前" in match["dir"] else 1
    clocked = unit in ("second", "minute", "hour")
    node = Node((), Grain.MINUTE if clocked else Grain.DAY, relative=True, rots=True, fuzzy=amount is None)
    spans: list[Interval] = []
    for moment in anchor.moments if anchor else ():
        if amount is None and not match["half"]:
            one, other = add(moment, sign * 2, unit), add(moment, sign * 6, unit)
            if one and other:
                first, last = min(one, other), max(one, other)
                spans.append(Interval(first, last) if clocked else Interval(midnight(first), midnight(last) + DAY))
            continue
        target = add(moment, sign * ((amount or 0) + (0.5 if match["half"] or match["h2"] else 0)), unit)
        if target is not None:
            start = target if clocked else begin(target, "day")
            spans.append(Interval(start, start + (timedelta(minutes=1) if clocked else DAY)))
    if amount is None and not clocked:
        node = replace(node, grain=max(Grain.DAY, GRAINS[unit]))
    return replace(node, readings=unique(spans)), match.end()


def _moved(text: str, at: int, anchor: Anchor | None) -> tuple[Node, int] | None:
    """``過去3日間``, ``最近两周``, ``接下来三天``."""
    match = words.SPAN.match(text, at)
    amount = number(match["n"]) if match else None
    if match is None or amount is None:
        return None
    unit = words.UNITS[match["unit"]]
    sign = 1 if match["dir"] in ("未来", "今後", "接下来") else -1
    spans = []
    for moment in (anchor.days if unit not in ("hour", "minute", "second") else anchor.moments) if anchor else ():
        target = add(moment, sign * amount, unit)
        if target is not None:
            spans.append(Interval(min(moment, target), max(moment, target)))
    return Node(tuple(spans), GRAINS[unit], relative=True, rots=True), match.end()


_EXACTLY = frozenset("钟鐘整左前之开開")


def _clock(text: str, at: int) -> tuple[Node, int] | None:
    for word, begin_hour in (("正午", 12), ("午夜", 0), ("零点", 0)):
        if text.startswith(word, at):
            return Node((), Grain.MINUTE, "time", clock=((begin_hour * 60, begin_hour * 60 + 1),)), at + len(word)
    match = words.TIME.match(text, at)
    if match is None:
        return None
    hour = number(match["hour"] or match["h2"])
    minute = 30 if match["half"] else number(match["minute"] or match["m2"]) or 0
    if (
        hour is None
        or hour > 24
        or minute > 59
        or (text[match.end() : match.end() + 1] in ("間", "间") and not match["minute"])
    ):
        return None
    part = match["part"]
    counted = match["hour"] and text[match.start("hour") + len(match["hour"])] in "点點"
    if (
        counted
        and not (part or match["half"] or match["minute"])
        and text[match.end() : match.end() + 1] not in _EXACTLY
    ):
        return None
    hours = [hour]
    if part is None and match["hour"] and 1 <= hour <= 11:
        hours = [hour, hour + 12]
    elif part is not None:
        low, high = words.PARTS[part]
        hours = [h for h in (hour, hour + 12) if low <= h < max(high, low + 1) or (h == 12 and part == "中午")] or [
            hour
        ]
    begins = [h * 60 + minute for h in hours]
    return Node((), Grain.MINUTE, "time", clock=tuple((b, b + 1) for b in begins)), match.end()
