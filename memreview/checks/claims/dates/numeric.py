"""Dates in digits: ISO, with slashes, dots or dashes, and what surrounds them that makes them dates or not."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

from memreview.checks.claims.dates.arithmetic import iso_week
from memreview.checks.claims.dates.intervals import Grain, Interval
from memreview.checks.claims.dates.nodes import Node, Partial, partial_node
from memreview.checks.claims.dates.reader import Found, Reader

_ISO = re.compile(
    r"(\d{4})-(\d\d?)-(\d\d?)(?!\d)"
    r"(?:(?:[Tt]| (?=\d\d:\d\d(?::\d\d)?(?:[.,]\d|Z|\s?[+-]\d\d:?\d\d)))(\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d{1,9})?)?"
    r"(\s?(?:Z\b|[+-]\d\d:?\d\d(?!\d)))?)?"
)
_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)?(Z|[+-]\d\d:?\d\d)?")
_WEBLOG = re.compile(r"(\d\d)/([A-Z][a-z]{2})/(\d{4}):(\d\d):(\d\d):(\d\d)( [+-]\d{4})?")
_WEEK = re.compile(r"(\d{4})-?W(\d\d)(?:-?([1-7]))?(?!\w)")
_BIG = re.compile(r"(\d{4})([/.])(\d\d?)\2(\d\d?)(?![\d/])")
_FULL = re.compile(
    r"(\d{1,2})([./-]|\. )(\d{1,2})(\2|\.\.|\.? (?=\d{4}(?!\d)))(\d{4}|\d\d)"
    r"(?![\d/])(?!\.\d)(?!-\d(?!\d?[-/.]\d{1,2}[-/.]\d))"
)
_SPACED = re.compile(r"(\d{4}) (\d\d?) (\d\d?)(?!\d)|(\d\d) (\d\d) (\d{4}|\d\d)(?!\d)")
_MONTH = re.compile(r"(\d{4})[-/.](\d\d?)(?![\d/.:-]|\w)|(\d\d?)[-/](\d{4})(?![\d/:-]|\w)")
_DOTTED = re.compile(r"(\d{1,2})\. ?(\d{1,2})\.(?!\d)|(\d{1,2})\.(\d{1,2})(?![\d%])(?!\.\d)")
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})(?![\d/%])(?!\.\d)(?:,? (\d{4})(?![\d/:.]))?")


def numeric_date(reader: Reader, at: int) -> Found:
    """A calendar date in digits that begins at the token."""
    token = reader.token(at)
    if token.number is None and not token.text.isdigit():
        return None
    for rule in (_compact, _iso, _weblog, _iso_week, _year_first, _day_first, _spaced, _month_and_year):
        found = rule(reader, at)
        if found is not None:
            return found
    return None


def short_date(reader: Reader, at: int) -> Found:
    """Day and month in digits, without a year: ``22.10.``, ``5/12``. Whether it is a date, its surroundings say."""
    token = reader.token(at)
    if token.number is None or len(token.text) > 2:
        return None
    match = _DOTTED.match(reader.text, token.start)
    if match is not None:
        first, second = int(match[1] or match[3]), int(match[2] or match[4])
        if not (reader.lexicon.dotted or reader.whole or _timed(reader, at, match.end())):
            return None
        partials = _both(first, second, None, reader.lexicon.month_first and match[1] is None)
        if match[1] is not None or not reader.lexicon.month_first:
            partials = partials[:1]
    else:
        match = _SLASHED.match(reader.text, token.start)
        if match is None:
            return None
        if _is_fraction(reader, at, match[1], match[2]):
            return None
        year = int(match[3]) if match[3] and 1900 <= int(match[3]) < 2100 else None
        partials = _both(int(match[1]), int(match[2]), year, reader.lexicon.month_first)
        if year is not None:
            return _made(reader, partials, match.end())
        if match[3]:
            return None
    found = _made(reader, partials, match.end())
    return None if found is None else (replace(found[0], bare=True), found[1])


def _is_fraction(reader: Reader, at: int, upper: str, lower: str) -> bool:
    """``3/4`` is a part of a whole, unless a word before asks for a day."""
    if lower not in ("2", "3", "4", "5", "8") or int(upper) >= int(lower):
        return False
    if reader.sign(at - 3, "/") and (reader.hyphen(at - 1) or reader.means(at - 1, "to") is not None):
        return False
    leads = ("on", "weekday", "since", "until", "dayref", "pod")
    return not any(reader.means(k, c) is not None for k in (at - 1, at - 2) for c in leads)


def _timed(reader: Reader, at: int, end: int) -> bool:
    """Where dots are not usual in dates, a weekday before or a time of day after makes one of ``7.6``."""
    after = reader.at_char(end)
    clock = reader.sign(after + 1, ":") and reader.token(after + 2).text.isdigit()
    led = any(reader.means(k, "weekday") is not None for k in (at - 1, at - 2))
    return (
        led or clock or any(reader.means(k, "pod") or reader.means(k, "weekday") for k in (after, after + 1, after + 2))
    )


def _made(reader: Reader, partials: tuple[Partial, ...], end: int) -> Found:
    node = partial_node(partials, reader.anchor) if partials else None
    return None if node is None else (node, reader.at_char(end))


def _both(first: int, second: int, year: int | None, month_first: bool) -> tuple[Partial, ...]:
    """Both orders of day and month, the usual one of the language first."""
    orders = [(second, first), (first, second)]
    if month_first:
        orders.reverse()
    found = [Partial(year, month, day) for month, day in orders if 1 <= month <= 12 and 1 <= day <= 31]
    return tuple(dict.fromkeys(found))


def full_year(reader: Reader, digits: str) -> int:
    """A year of two digits is the one between 80 years ago and 20 years ahead."""
    number = int(digits)
    if len(digits) > 2:
        return number
    now = reader.anchor.moment.year if reader.anchor else 2030
    year = now // 100 * 100 + number
    if year > now + 20:
        return year - 100
    return year + 100 if year < now - 79 else year


def _iso(reader: Reader, at: int) -> Found:
    match = _ISO.match(reader.text, reader.token(at).start)
    if match is None:
        return None
    partial = Partial(int(match[1]), int(match[2]), int(match[3]))
    if match[4] is None:
        return _made(reader, (partial,), match.end(3))
    return _moment(reader, partial, match)


def _weblog(reader: Reader, at: int) -> Found:
    """``03/Nov/2026:02:14:09 +0000``."""
    match = _WEBLOG.match(reader.text, reader.token(at).start)
    month = reader.lexicon.words.get(match[2].lower(), {}).get("month") if match is not None else None
    if match is None or not isinstance(month, int):
        return None
    return _moment(reader, Partial(int(match[3]), month, int(match[1])), match)


def _compact(reader: Reader, at: int) -> Found:
    match = _COMPACT.match(reader.text, reader.token(at).start)
    if match is None:
        return None
    return _moment(reader, Partial(int(match[1]), int(match[2]), int(match[3])), match)


def _moment(reader: Reader, partial: Partial, match: re.Match[str]) -> Found:
    """Day and time, brought to the local zone where both zones are known."""
    found = _made(reader, (partial,), match.end(3))
    hour, minute, second = int(match[4]), int(match[5]), int(match[6] or 0)
    if found is None or hour > 24 or minute > 59:
        return found
    node, _ = found
    size = timedelta(seconds=1) if match[6] else timedelta(minutes=1)
    first = node.readings[0].start
    if first is None:
        return found
    written = first + timedelta(hours=hour, minutes=minute, seconds=min(second, 59))
    readings = localized(reader, written, match[7])
    spans = tuple(Interval(r, r + size) for r in readings)
    grain = Grain.SECOND if match[6] else Grain.MINUTE
    minutes = hour * 60 + minute
    return replace(node, readings=spans, grain=grain, partials=(), clock=((minutes, minutes + 1),)), reader.at_char(
        match.end()
    )


def localized(reader: Reader, written: datetime, offset: str | None) -> list[datetime]:
    """The moment in the local zone first, then as it is written."""
    zone = _offset(offset)
    if zone is None or reader.tz is None or not 2 < written.year < 9998:
        return [written]
    local = written.replace(tzinfo=zone).astimezone(reader.tz).replace(tzinfo=None)
    return list(dict.fromkeys([local, written]))


def _offset(text: str | None) -> timezone | None:
    text = (text or "").strip()
    if not text:
        return None
    if text in ("Z", "z"):
        return UTC
    digits = text[1:].replace(":", "")
    size = timedelta(hours=int(digits[:2]), minutes=int(digits[2:] or 0))
    if size >= timedelta(hours=24):
        return None
    return timezone(-size if text[0] == "-" else size)


def _iso_week(reader: Reader, at: int) -> Found:
    match = _WEEK.match(reader.text, reader.token(at).start)
    if match is None:
        return None
    week = iso_week(int(match[1]), int(match[2]))
    if week is None or week.start is None:
        return None
    if match[3]:
        first = week.start + timedelta(days=int(match[3]) - 1)
        return Node((Interval(first, first + timedelta(days=1)),), Grain.DAY), reader.at_char(match.end())
    return Node((week,), Grain.WEEK), reader.at_char(match.end())


def _year_first(reader: Reader, at: int) -> Found:
    match = _BIG.match(reader.text, reader.token(at).start)
    if match is None or (match[2] == "." and (len(match[3]) < 2 or len(match[4]) < 2)):
        return None
    if not 1000 <= int(match[1]) <= 2999:
        return None
    led = reader.whole or any(reader.means(at - 1, c) is not None for c in ("on", "since", "until", "by", "weekday"))
    if match[2] == "." and not led and not reader.lexicon.dotted:
        return None
    return _made(reader, (Partial(int(match[1]), int(match[3]), int(match[4])),), match.end())


def _day_first(reader: Reader, at: int) -> Found:
    match = _FULL.match(reader.text, reader.token(at).start)
    if match is None:
        return None
    first, sign, second, year = int(match[1]), match[2][0], int(match[3]), match[5]
    if not first or not second or (len(year) == 4 and not 1900 <= int(year) < 2100):
        return None
    if len(year) == 2 and (sign == "-" or (sign == "." and not _dotted_short_year(reader, at, match))):
        return None
    partials = _both(first, second, full_year(reader, year), sign != "." and reader.lexicon.month_first)
    if sign == "." and len(partials) == 2 and not reader.lexicon.month_first:
        partials = partials[:1]
    return _made(reader, partials, match.end())


def _dotted_short_year(reader: Reader, at: int, match: re.Match[str]) -> bool:
    """``21.07.17`` is a date among German words, or by itself; elsewhere, and as ``2.13.13``, it may be a version."""
    before = reader.token(at - 1)
    led = any(
        c in before.means for c in ("on", "until", "since", "weekday", "by", "before", "after", "from", "starting")
    )
    if led or (at > 1 and before.text in ".," and reader.means(at - 2, "weekday") is not None):
        return True
    full = len(match[1]) == len(match[3]) == 2
    return (reader.whole and at == 0) or (full and (reader.lexicon.dotted or reader.whole))


def _spaced(reader: Reader, at: int) -> Found:
    """``2016 10 16`` and ``02 04 2009``, alone between words."""
    match = _SPACED.match(reader.text, reader.token(at).start)
    if match is None or reader.token(at - 1).number is not None or reader.hyphen(at - 1) or reader.sign(at - 1, "+"):
        return None
    after = reader.at_char(match.end())
    if reader.token(after).number is not None or reader.hyphen(after):
        return None
    if match[1]:
        year = int(match[1])
        return (
            _made(reader, (Partial(year, int(match[2]), int(match[3])),), match.end()) if 1900 <= year < 2100 else None
        )
    if len(match[6]) == 2 and not reader.means(at + 3, "on") and not _lone(reader, at, after):
        return None
    partials = _both(int(match[4]), int(match[5]), full_year(reader, match[6]), reader.lexicon.month_first)
    return _made(reader, partials, match.end())


def _lone(reader: Reader, at: int, after: int) -> bool:
    return bool(reader.token(at - 1).means.get("on")) or reader.lexicon.code == "fr" or (at == 0 and reader.ends(after))


def _month_and_year(reader: Reader, at: int) -> Found:
    match = _MONTH.match(reader.text, reader.token(at).start)
    if match is None:
        return None
    year, month = int(match[1] or match[4]), int(match[2] or match[3])
    if not 1900 <= year < 2100 or not 1 <= month <= 12:
        return None
    lead = reader.text[match.start() - 1 : match.start()]
    sign = reader.text[match.end(1) if match[1] else match.end(3)]
    if lead in ("-", "/", ".", "+", "#") or (sign == "." and len(match[2]) != 2):
        return None
    if sign == "." and not reader.lexicon.dotted:
        return None
    return _made(reader, (Partial(year, month),), match.end())
