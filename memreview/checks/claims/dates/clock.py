"""Times of day: in digits, in words, with and without their half of the day."""

from __future__ import annotations

import re
from dataclasses import replace

from memreview.checks.claims.dates.intervals import Grain
from memreview.checks.claims.dates.lexicon import PARTS
from memreview.checks.claims.dates.nodes import Node
from memreview.checks.claims.dates.reader import Found, Reader

_COLON = re.compile(
    r"(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?![\d:])"
    r"(?:[ \u00a0]?(?:([ap])\.?[ \u00a0]?m\b\.?|([ap])(?![\w'])|(uhr|h)\b))?",
    re.IGNORECASE,
)
_POINT = re.compile(
    r"(\d{1,2})\.(\d\d)(?![\d.]\d)(?:[ \u00a0]?(?:([ap])\.?[ \u00a0]?m\b\.?|(uhr|h)\b))?", re.IGNORECASE
)
_AMPM = re.compile(r"(\d{1,2})(\d\d)?[ \u00a0]?(?:([ap])\.?[ \u00a0]?m\b\.?|([ap])(?![\w']))", re.IGNORECASE)
_FRENCH = re.compile(r"(\d{1,2})[ \u00a0]?(?:h|heures?)[ \u00a0]?(\d\d)?(?!\w)", re.IGNORECASE)
_HOURS = re.compile(r"(\d{1,2})[ \u00a0]?(?:uhr|hs|hrs)\b(?:[ \u00a0]?(\d\d)(?![\d.:]))?", re.IGNORECASE)
_FOUR = re.compile(r"([01]\d|2[0-4])([0-5]\d)(?!\d)")
_ZONE = re.compile(
    r"[ \u00a0]?(?:(?:UTC|GMT)(?:[+-]\d{1,2})?|CES?T|[PMCE][SD]?T|BST|JST|IST|MES?Z)\b|Z\b"
    r"|[ \u00a0]?\+(?:0\d|1[0-4]):?[0-5]\d\b"
    r"|(?:(?<=\d\d:\d\d:\d\d)|[ \u00a0])-(?:0\d|1[0-2]):?(?:00|30|45)\b"
)


def clock_node(
    options: list[tuple[int, int]], grain: Grain = Grain.MINUTE, *, bare: bool = False, fuzzy: bool = False
) -> Node:
    """A time of day with its alternatives."""
    return Node((), grain, "time", clock=tuple(dict.fromkeys(options)), bare=bare, fuzzy=fuzzy)


def options(hour: int, minute: int = 0, half: str = "", *, sure: bool = False, size: int = 1) -> list[tuple[int, int]]:
    """The minutes that a time may mean; ``half`` is am or pm, ``sure`` a clock of 24 hours."""
    if half == "am":
        hours = [hour % 12]
    elif half == "pm":
        hours = [hour % 12 + 12]
    elif sure or hour == 0 or hour > 12:
        hours = [hour % 24 if hour != 24 else 24]
    else:
        hours = [12, 0] if hour == 12 else [hour, hour + 12]
    return [(h * 60 + minute, h * 60 + minute + size) for h in hours]


def clock(reader: Reader, at: int, *, after_date: bool = False) -> Found:
    """A time of day. After a date also what would be too little by itself: a bare hour, ``0930``."""
    token = reader.token(at)
    if token.start < 0:
        return None
    at, fuzzy = _hedged(reader, at)
    if reader.token(at).text.isdigit():
        found = _digits(reader, at, after_date)
    else:
        found = _words(reader, at)
        if found is None and after_date:
            found = _bare_word(reader, at)
    if found is None:
        return None
    node, end = half_of_day(reader, *found)
    return replace(node, fuzzy=node.fuzzy or fuzzy), end


def _hedged(reader: Reader, at: int) -> tuple[int, bool]:
    """The index after words like *about* (``gegen ca. 20 Uhr``), and whether they blur the time."""
    fuzzy = False
    for _ in range(3):
        if not reader.means(at, "about") or reader.means(at, "from") or reader.means(at, "dayref"):
            break
        fuzzy = fuzzy or reader.token(at).low != "um"
        at = reader.skip_sign(at + 1, ".") if len(reader.token(at).text) <= 3 else at + 1
    return at, fuzzy


def _digits(reader: Reader, at: int, after_date: bool) -> Found:
    start = reader.token(at).start
    text = reader.text
    match = _COLON.match(text, start)
    if match is not None and int(match[1]) <= 24 and int(match[2]) < 60:
        half = _half(match[4] or match[5])
        sure = match[1][0] == "0" or bool(match[6] or reader.means(reader.at_char(match.end()), "oclock"))
        end = _zone(reader, reader.skip(reader.at_char(match.end()), "oclock"))
        grain = Grain.SECOND if match[3] else Grain.MINUTE
        return clock_node(options(int(match[1]), int(match[2]), half, sure=sure), grain), end
    match = _AMPM.match(text, start)
    named = match is not None and (match[3] or (after_date and not match[2]))
    if match is not None and named and 1 <= int(match[1]) <= 12 and int(match[2] or 0) < 60:
        node = clock_node(options(int(match[1]), int(match[2] or 0), _half(match[3] or match[4])))
        return node, _zone(reader, reader.at_char(match.end()))
    return _pointed(reader, at, after_date) or _named_hour(reader, at, after_date) or _spoken(reader, at, after_date)


def _pointed(reader: Reader, at: int, after_date: bool) -> Found:
    """``18.12 Uhr``, ``8.30pm``; after a date the bare ``16.30``."""
    match = _POINT.match(reader.text, reader.token(at).start)
    if match is None or int(match[1]) > 24 or int(match[2]) > 59:
        return None
    named = match[3] or match[4]
    if not named and not (after_date and not reader.glued(at)):
        return None
    sure = bool(match[4]) or match[1][0] == "0" or reader.lexicon.dotted
    return clock_node(options(int(match[1]), int(match[2]), _half(match[3]), sure=sure)), reader.at_char(match.end())


def _named_hour(reader: Reader, at: int, after_date: bool) -> Found:
    """``14 Uhr``, ``18 Uhr 12``, ``14h30``; after a date ``0930``."""
    start, code = reader.token(at).start, reader.lexicon.code
    match = _HOURS.match(reader.text, start) if code != "en" else None
    if match is None and (code in ("fr", "es", "de") or after_date):
        french = _FRENCH.match(reader.text, start)
        if french is not None and (after_date or code == "fr" or french[2]):
            match = french
    if match is not None and int(match[1]) <= 24 and int(match[2] or 0) < 60:
        hour = int(match[1])
        return clock_node(options(hour, int(match[2] or 0), sure=True), Grain.MINUTE), reader.at_char(match.end())
    if reader.means(at + 1, "oclock") and 1 <= int(reader.token(at).text[:3]) <= 24 and code == "en":
        return clock_node(options(int(reader.token(at).text))), at + 2
    match = _FOUR.match(reader.text, start)
    spelt = reader.token(at + 1).low in ("hours", "hrs", "uhr") and reader.token(at).text[0] in "01"
    signed = (
        reader.token(at + 1).text in ("-", "–", "/", ".") and reader.glued(at + 1) and reader.token(at + 2).gap == 0
    )
    if match is not None and spelt:
        return clock_node(options(int(match[1]), int(match[2]), sure=True)), at + 2
    if match is not None and after_date and not signed:
        return clock_node(options(int(match[1]), int(match[2]), sure=True)), reader.at_char(match.end())
    return None


def _half(letter: str | None) -> str:
    return "" if not letter else "am" if letter.lower() == "a" else "pm"


def _zone(reader: Reader, at: int) -> int:
    """The index after a time zone, where one stands there."""
    if at <= 0:
        return at
    match = _ZONE.match(reader.text, reader.token(at - 1).end)
    return at if match is None else reader.at_char(match.end())


def _hour_word(reader: Reader, at: int) -> int | None:
    number = reader.token(at).number
    if number is None:
        number = reader.integer(at, "num")
    return number if number is not None and 0 <= number <= 24 else None


def _words(reader: Reader, at: int) -> Found:
    """``noon``, ``half past nine``, ``halb zehn``, ``viertel nach drei``, ``les sept heures moins dix``."""
    part = reader.name(at, "pod")
    if part in ("noon", "midnight"):
        hour = PARTS[part][0]
        return clock_node([(hour * 60, hour * 60 + 1)]), at + 1
    if reader.lexicon.code == "de":
        found = _german(reader, at)
    elif reader.lexicon.code == "en":
        found = _english(reader, at)
    else:
        found = None
    return found or _spoken(reader, at, False)


def _english(reader: Reader, at: int) -> Found:
    minutes, after = None, at
    if reader.means(at, "half"):
        minutes, after = 30, at + 1
    elif reader.means(at, "quarterword") or (reader.means(at, "a") and reader.means(at + 1, "quarterword")):
        minutes, after = 15, at + (1 if reader.means(at, "quarterword") else 2)
    else:
        number = _minutes(reader, at)
        if number is not None:
            minutes, after = number, at + 1
            after = reader.skip(after, "unit") if reader.name(after, "unit") == "minute" else after
    if minutes is None or not 1 <= minutes <= 59:
        return None
    past, to = reader.means(after, "clockpast"), reader.means(after, "clockto")
    hour = _hour_word(reader, after + 1)
    if hour is None or hour > 12 or not (past or to) or reader.token(after).low in ("of", "before", "after"):
        return None
    end = reader.skip(after + 2, "oclock")
    if reader.token(at).number is not None and end == after + 2 and not _dayparts(reader, end):
        return None
    return _counted(hour, minutes if past else -minutes), end


def _dayparts(reader: Reader, at: int) -> bool:
    return bool(reader.means(at, "ampm") or reader.means(at, "pod") or reader.means(reader.skip(at, "in"), "art"))


def _minutes(reader: Reader, at: int) -> int | None:
    token = reader.token(at)
    return token.number if token.number is not None and len(token.text) <= 2 else reader.integer(at, "num")


def _counted(hour: int, minutes: int, *, sure: bool = False) -> Node:
    total = hour * 60 + minutes
    return clock_node([((t := (total + extra) % 1440), t + 1) for extra in ((0,) if sure or hour > 12 else (0, 720))])


def _german(reader: Reader, at: int) -> Found:
    """``halb zehn`` is 9:30, ``viertel zehn`` 9:15, ``dreiviertel zehn`` 9:45; ``fünf vor halb drei`` 2:25."""
    low = reader.token(at).low
    if low == "halb" or reader.means(at, "quarterword") or reader.means(at, "threequarterword"):
        ahead = reader.means(at + 1, "clockpast") or reader.means(at + 1, "clockto")
        hour = _hour_word(reader, at + (2 if ahead else 1))
        if hour is None or hour > 12 or (ahead and low == "halb"):
            return None
        end = reader.skip(at + (3 if ahead else 2), "oclock")
        if ahead:
            return _counted(hour, 15 if reader.means(at + 1, "clockpast") else -15), end
        return _counted(hour, {"halb": -30, "viertel": -45}.get(low, -15)), end
    minutes = _minutes(reader, at)
    if minutes is None or not 1 <= minutes <= 29:
        return None
    after = reader.skip(at + 1, "unit") if reader.name(at + 1, "unit") == "minute" else at + 1
    past = bool(reader.means(after, "clockpast"))
    if not past and not reader.means(after, "clockto"):
        return None
    half = reader.token(after + 1).low == "halb"
    hour = _hour_word(reader, after + (2 if half else 1))
    if hour is None or hour > 12 or (reader.token(at).number is not None and not half):
        return None
    return _counted(hour, (minutes if past else -minutes) - (30 if half else 0)), after + (3 if half else 2)


def _spoken(reader: Reader, at: int, after_date: bool) -> Found:
    """An hour with its word: ``nine o'clock``, ``neun Uhr``, ``sept heures et demie``, ``las 8 menos cuarto``."""
    hour = _hour_word(reader, at)
    if hour is None:
        return None
    after = reader.skip(at + 1, "oclock")
    named = after > at + 1
    minutes, end = _added(reader, after)
    if minutes is None and not named:
        return None
    node = _counted(hour % 24, minutes or 0, sure=named and reader.lexicon.code in ("de", "fr") and hour > 12)
    return node, end


def _added(reader: Reader, at: int) -> tuple[int | None, int]:
    """Minutes after the hour: ``y media``, ``moins le quart``, ``menos veinte``, German ``Uhr dreißig``."""
    for category, minutes in (("halfpast", 30), ("quarterpast", 15), ("quarterto", -15)):
        if reader.means(at, category):
            return minutes, reader.skip(at + 1, "oclock")
    code = reader.lexicon.code
    sign = -1 if reader.means(at, "minus") else 1
    spelt = reader.token(at - 1).number is None or reader.means(at - 2, "at") is not None
    plus = at + 1 if sign < 0 or (code == "es" and spelt and reader.means(at, "clockpast")) else at
    number = reader.integer(plus, "num")
    if number is None and plus > at:
        number = reader.token(plus).number
    if (
        number is None
        or not 1 <= number <= 59
        or (code == "en")
        or (plus == at and at and not reader.means(at - 1, "oclock"))
    ):
        return None, at
    end = plus + 1
    return sign * number, reader.skip(end, "unit") if reader.name(end, "unit") == "minute" else end


def _bare_word(reader: Reader, at: int) -> Found:
    """After a date: ``nine thirty``, ``six forty three``, ``six``."""
    hour = reader.integer(at, "num")
    if hour is None or not 1 <= hour <= 12:
        return None
    minute = reader.integer(at + 1, "num")
    if reader.hyphen(at + 1) and reader.integer(at + 2, "num"):
        minute, at = reader.integer(at + 2, "num"), at + 1
    if minute is not None and 1 <= minute <= 59:
        end = at + 2
        return clock_node(options(hour, minute)), end + (reader.name(end, "unit") == "minute")
    return clock_node(options(hour), bare=True), at + 1


def half_of_day(reader: Reader, node: Node, end: int) -> tuple[Node, int]:
    """``9 in the morning``, ``5 Uhr nachmittags``, ``las 3 de la tarde``."""
    half = reader.name(end, "ampmafter") or reader.name(end, "ampm")
    after = end + 1
    part = None
    if half is None:
        after = end
        if reader.means(after, "in") or reader.token(after).low in ("at", "am", "por la", "du", "de la", "a"):
            after = reader.skip(after + 1, "art")
        part = reader.name(after, "pod")
        if (
            part is None
            or part == "daytime"
            or (reader.means(after, "dayref") and after == end and reader.lexicon.code == "es")
        ):
            return node, end
        after += 1
    times = [
        *node.clock,
        *((a + 720, b + 720) for a, b in node.clock if a < 720 and (a + 720, b + 720) not in node.clock),
    ]
    chosen = [(begin, stop) for begin, stop in times if _in_half(begin // 60, half, part)]
    if not chosen:
        return node, end
    return Node((), node.grain, "time", clock=tuple(chosen), fuzzy=node.fuzzy), after


def _in_half(hour: int, half: str | None, part: str | None) -> bool:
    """Whether an hour lies in am or pm, or in the part of the day."""
    if half is not None:
        return (hour < 12) == (half == "am")
    low, high = PARTS[part or "morning"]
    early = low - (part not in ("noon", "midnight"))
    if early <= hour < high or early <= hour + 24 < high:
        return True
    return (part == "night" and hour < 6) or (part in ("early-morning", "morning") and hour < 12)


def hour_range_end(reader: Reader, at: int) -> int | None:
    """A bare hour that closes or opens a range of times: ``9`` in ``9 to 5``."""
    token = reader.token(at)
    if token.number is not None and len(token.text) <= 2 and token.number <= 24:
        after = reader.token(at + 1)
        return None if after.gap == 0 and after.text[:1].isalpha() else token.number
    number = reader.integer(at, "num")
    return number if number is not None and number <= 24 else None
