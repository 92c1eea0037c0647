"""From a text to its expressions of time: which parts are read, and which of what the grammar reads is kept."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from memreview.checks.claims.dates.amounts import duration
from memreview.checks.claims.dates.anchor import Anchor, make_anchor
from memreview.checks.claims.dates.cjk import HAS_CJK, find_cjk
from memreview.checks.claims.dates.compose import expression
from memreview.checks.claims.dates.dispatch import date
from memreview.checks.claims.dates.guards import acceptable
from memreview.checks.claims.dates.intervals import DateMatch, Interval
from memreview.checks.claims.dates.languages import OWNERS, languages
from memreview.checks.claims.dates.lexicon import Lexicon, listed
from memreview.checks.claims.dates.nodes import Node, unique
from memreview.checks.claims.dates.reader import Found, Reader
from memreview.checks.claims.dates.repeats import WEEKLY
from memreview.checks.claims.dates.tokens import BREAK, Token, tokenize

LIMIT = 12_000
"""So many tries and finds are spent on one text, and what follows is not read any more: a log of 100 KB needs them, a
line of a megabyte made of nothing but dates would take minutes."""
_CHUNK, _OVERLAP = 3000, 150
_REACH = 9
_HOT = frozenset(
    listed(
        """
    month weekday unit dayref pod holiday recur hw season tonight num ord decadeof todaypart nowphrase weekdays edgeof
        """
    )
)
_NEVER_FIRST = frozenset(
    listed("of and or on at to suffix oclock clockpast clockto clockat all other for onwards ampm")
)
_LEADS = _NEVER_FIRST | frozenset(
    listed("art a in by from between since before after until starting about within inpre agopre rel")
)


@dataclass(frozen=True, slots=True)
class _Place:
    start: int
    end: int
    node: Node


@dataclass(slots=True)
class _Text:
    """The text and what is known about it; ``left`` counts down from ``LIMIT``."""

    text: str
    anchor: Anchor | None
    tz: tzinfo | None
    left: int = LIMIT


def find_dates(
    text: str, anchor: datetime | None = None, tz: tzinfo | None = None, lang: str | None = None
) -> tuple[DateMatch, ...]:
    """The expressions of time in a text, from left to right, without overlaps.

    ``anchor`` is when the text was said, aware or naive (then local); ``tz`` is the local zone, without which a moment
    near midnight may lie on the next or last day; ``lang`` (``en``, ``de``, ``fr``, ``es``) overrules the guess at the
    language. Never raises on content. What ``LIMIT`` leaves out at the end of a huge text is not read.
    """
    point = make_anchor(anchor, tz)
    whole = _Text(text, point, tz)
    found: list[_Place] = []
    if not text.isascii() and HAS_CJK.search(text):
        found = [_Place(start, end, node) for start, end, node in find_cjk(text, point, LIMIT)]
    last = 0
    for start, end in _chunks(text):
        part = text if end - start == len(text) else text[start:end]
        for lexicon, strong in languages(part, lang):
            places = _read(whole, start, end, lexicon, strong)
            found = _joined(found, [p for p in places if p.start >= last])
        last = end - _OVERLAP
        if whole.left <= 0:
            break
    return tuple(_match(text, p) for p in found)


def _chunks(text: str) -> Iterator[tuple[int, int]]:
    """Parts of a long text, cut at line ends, else at blanks; there they overlap by the length of an expression."""
    start, size = 0, len(text)
    while size - start > _CHUNK:
        cut = text.rfind("\n", start + _CHUNK // 2, start + _CHUNK)
        if cut > 0:
            yield start, cut
            start = cut
            continue
        cut = text.rfind(" ", start + _CHUNK // 2, start + _CHUNK)
        cut = cut if cut > 0 else start + _CHUNK
        yield start, cut
        again = text.find(" ", cut - _OVERLAP, cut)
        start = again if again > 0 else cut
    if size > start:
        yield start, size


def _joined(found: list[_Place], more: list[_Place]) -> list[_Place]:
    """Both from left to right; of two that overlap the one that was there before."""
    if not found or not more:
        return found or more
    starts = [p.start for p in found[-400:]] if more[0].start >= found[-1].start else [p.start for p in found]
    base = len(found) - len(starts)
    fresh: list[_Place] = []
    for place in more:
        k = bisect_left(starts, place.end) - 1
        if k < 0 or found[base + k].end <= place.start:
            fresh.append(place)
    if fresh and fresh[0].start >= found[-1].end:
        found.extend(fresh)
        return found
    return sorted([*found, *fresh], key=lambda p: p.start)


def _read(whole: _Text, start: int, end: int, lexicon: Lexicon, strong: bool) -> list[_Place]:
    tokens = tokenize(whole.text, start, end, lexicon)
    alone = end - start == len(whole.text) and len(tokens) <= 18
    alone = alone and all(t.means or not (t.text[0].isalpha() or t.text in "[]{}()<>=|`'\"") for t in tokens)
    reader = Reader(whole.text, tokens, lexicon, whole.anchor, whole.tz, alone, date)
    return list(_scan(whole, reader, lexicon.code if strong else ""))


def _near(reader: Reader) -> list[bool]:
    """For each token whether a word or number of time stands there or shortly after it in the same line."""
    tokens, triggers = reader.tokens, reader.lexicon.triggers
    near = [False] * len(tokens)
    left = 0
    for k in range(len(tokens) - 1, -1, -1):
        token = tokens[k]
        if token.text == BREAK:
            left = 0
        elif token.text[0].isdigit() or token.low in triggers or (token.means and not _HOT.isdisjoint(token.means)):
            left = _REACH
        near[k] = left > 0
        left -= 1
    return near


def _starts(reader: Reader, at: int) -> bool:
    """Whether an expression may begin at the token: function words begin one only before another word of time."""
    token = reader.token(at)
    if token.text[0].isdigit() or token.text in "'’~" or token.low in ("q", "h", "w", "t"):
        return True
    if token.means.keys() <= _NEVER_FIRST:
        return False
    if not token.means.keys() <= _LEADS:
        return True
    following = reader.token(at + 1)
    return bool(following.means) or following.text[:1].isdigit() or following.text[:1] in ("'", "’", "Q", "H", "W")


def _scan(whole: _Text, reader: Reader, owner: str) -> Iterator[_Place]:
    tokens, near = reader.tokens, _near(reader)
    at = 0
    while at < len(tokens) and whole.left > 0:
        if not near[at] or not _starts(reader, at):
            at += 1
            continue
        whole.left -= 1
        found = _accepted(reader, at)
        if found is None or (owner and not any(OWNERS.get(t.low) == owner for t in tokens[at : found[1]])):
            at += 1
            continue
        whole.left -= 1
        yield _Place(_first(reader, at, found[1]).start, tokens[found[1] - 1].end, found[0])
        at = reader.last = found[1]


def _first(reader: Reader, at: int, end: int) -> Token:
    """The token at which the expression begins for the eye: not at its article, unless a bare number would be left."""
    if reader.means(at, "art") and at + 1 < end and not (at + 2 == end and reader.token(at + 1).text.isdigit()):
        return reader.token(at + 1)
    return reader.token(at)


def _accepted(reader: Reader, at: int) -> Found:
    found = expression(reader, at)
    if found is not None and found[1] > at and acceptable(reader, found[0], at, found[1]):
        return found
    amount = duration(reader, at)
    return amount if amount is not None and acceptable(reader, amount[0], at, amount[1]) else None


def _match(text: str, place: _Place) -> DateMatch:
    node = place.node
    readings = node.readings
    if node.kind == "time":
        readings = unique(
            [Interval(WEEKLY + timedelta(minutes=a), WEEKLY + timedelta(minutes=b)) for a, b in node.clock]
        )
    return DateMatch(
        place.start,
        place.end,
        text[place.start : place.end],
        node.kind,
        readings,
        node.grain,
        node.relative,
        node.rots,
        node.fuzzy,
        node.clock,
    )
