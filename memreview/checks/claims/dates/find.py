"""From a text to its expressions of time: which languages, which places, which of what the grammar reads is kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from memreview.checks.claims.dates.amounts import duration
from memreview.checks.claims.dates.anchor import Anchor, make_anchor
from memreview.checks.claims.dates.cjk import HAS_CJK, find_cjk
from memreview.checks.claims.dates.compose import WEEKLY, expression
from memreview.checks.claims.dates.guards import acceptable
from memreview.checks.claims.dates.intervals import DateMatch, Interval
from memreview.checks.claims.dates.lexicon import Lexicon, listed
from memreview.checks.claims.dates.nodes import Node, unique
from memreview.checks.claims.dates.points import date
from memreview.checks.claims.dates.reader import Found, Reader
from memreview.checks.claims.dates.tokens import BREAK, Token, tokenize
from memreview.checks.claims.dates.words_de import GERMAN
from memreview.checks.claims.dates.words_en import ENGLISH
from memreview.checks.claims.dates.words_es import SPANISH
from memreview.checks.claims.dates.words_fr import FRENCH

LEXICONS: dict[str, Lexicon] = {"en": ENGLISH, "de": GERMAN, "fr": FRENCH, "es": SPANISH}
_WORD = re.compile(r"[^\W\d_]+")
_NUMERIC = re.compile(
    r"\d{1,4}[./-]\d|\d ?[:.h] ?\d\d|\d\s?[ap]\.?\s?m\b|\d\d\d\d|\d\s?(?:uhr|h)\b|\d(?:st|nd|rd|th)\b"
    r"|\b[QHT][1-4]\b|\d\.(?!\d)|W\d\d|\b\d\d \d\d \d\d|nineteen |two thousand|o'?clock|\b(?:the|le|el) \d"
    r"|\b(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)\d",
    re.IGNORECASE,
)
_DOTS = re.compile(r"(?<![\d.])\d{1,2}\. ?\d{1,2}\.(?!\d\.)")
_SIGNS = {s: c for c, signs in (("de", "äöüß."), ("fr", "çèêœ"), ("es", "ñ¿¡áíó")) for s in signs}
"""Letters of one language; a full stop stands for dates with dots."""
_AMPM = re.compile(r"\d\s?[ap]\.?m\b", re.IGNORECASE)
_LONG, _BEFORE, _AFTER = 3000, 90, 220
_REACH = 9


def _owners() -> dict[str, str]:
    """Words that start an expression in one language only and are no everyday words of another."""
    found: dict[str, str] = {}
    for code, lexicon in LEXICONS.items():
        for word in lexicon.triggers:
            others = [o for c, o in LEXICONS.items() if c != code]
            if len(word) > 3 and not any(word in o.words or word in o.cues for o in others):
                found[word] = code
    return found


def _speaks() -> dict[str, frozenset[str]]:
    """The languages of each everyday or time word."""
    found: dict[str, set[str]] = {}
    for code, lexicon in LEXICONS.items():
        for word in lexicon.cues | lexicon.words.keys():
            found.setdefault(word, set()).add(code)
    return {word: frozenset(codes) for word, codes in found.items()}


_OWNERS = _owners()
_SPEAKS = _speaks()
_TRIGGERS = frozenset().union(*(lexicon.triggers for lexicon in LEXICONS.values()))


@dataclass(frozen=True, slots=True)
class _Place:
    start: int
    end: int
    node: Node


def find_dates(
    text: str, anchor: datetime | None = None, tz: tzinfo | None = None, lang: str | None = None
) -> tuple[DateMatch, ...]:
    """The expressions of time in a text, from left to right, without overlaps.

    ``anchor`` is when the text was said, aware or naive (then local); ``tz`` is the local zone, without which a moment
    near midnight may lie on the next or last day; ``lang`` (``en``, ``de``, ``fr``, ``es``, ``ja``, ``zh``) overrules
    the guess at the language. Never raises on content.
    """
    point = make_anchor(anchor, tz)
    found: list[_Place] = []
    if not text.isascii() and HAS_CJK.search(text):
        found += [_Place(start, end, node) for start, end, node in find_cjk(text, point)]
    words = {w.lower() for w in _WORD.findall(text)}
    if "am" in words and _AMPM.search(text):
        words.discard("am")
    hot = not words.isdisjoint(_TRIGGERS) or _folded(text, words) or _compounds(words)
    if hot or _NUMERIC.search(text):
        for lexicon, strong in _languages(words, _signs(text, words), lang):
            for place in _read(text, lexicon, point, tz, strong):
                if not any(place.start < p.end and p.start < place.end for p in found):
                    found.append(place)
    found.sort(key=lambda p: p.start)
    return tuple(_match(text, p) for p in found)


def _folded(text: str, words: set[str]) -> bool:
    return not text.isascii() and any(not w.isascii() and FRENCH.fold(w) in _TRIGGERS for w in words)


def _compounds(words: set[str]) -> bool:
    return any(len(w) > 8 and GERMAN.compound is not None and GERMAN.compound.match(w) for w in words)


def _signs(text: str, words: set[str]) -> set[str]:
    signs = set() if text.isascii() else {c for w in words if not w.isascii() for c in w} | set("¿¡").intersection(text)
    return signs | {"."} if _DOTS.search(text) or _compounds(words) else signs


def _languages(words: set[str], signs: set[str], lang: str | None) -> Iterator[tuple[Lexicon, bool]]:
    """The likely language first, then those of which a word stands in the text; only their own words count there."""
    folded = words | {FRENCH.fold(w) for w in words if not w.isascii()}
    scores = dict.fromkeys(LEXICONS, 0)
    for word in folded:
        for code in _SPEAKS.get(word, ()):
            scores[code] += 1 if len(_SPEAKS[word]) > 1 else 3
    for sign, code in _SIGNS.items():
        if sign in signs:
            scores[code] += 3
    first = lang if lang in LEXICONS else max(scores, key=lambda c: scores[c])
    yield LEXICONS[first], False
    for code, lexicon in LEXICONS.items():
        if code != first and any(_OWNERS.get(w) == code for w in folded):
            yield lexicon, True


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """The parts of a text in which something can be; a long text is not read as a whole."""
    if len(text) <= _LONG:
        yield 0, len(text)
        return
    places = sorted(
        [m.start() for m in _NUMERIC.finditer(text)]
        + [
            m.start()
            for m in _WORD.finditer(text)
            if m.group().lower() in _TRIGGERS or FRENCH.fold(m.group()) in _TRIGGERS
        ]
    )
    start = end = -1
    for place in places:
        if place - _BEFORE > end:
            if end > start:
                yield start, end
            start = _blank(text, max(0, place - _BEFORE, end), place)
        end = min(len(text), place + _AFTER)
        following = text.find(" ", end, end + 60)
        end = following if following > 0 else end
    if end > start:
        yield start, end


def _blank(text: str, low: int, high: int) -> int:
    """The first blank from ``low`` on, so that no word is cut; else ``low``."""
    found = text.find(" ", low, high)
    return low if low == 0 or found < 0 else found


def _read(text: str, lexicon: Lexicon, anchor: Anchor | None, tz: tzinfo | None, strong: bool) -> Iterator[_Place]:
    for start, end in _windows(text):
        tokens = tokenize(text, start, end, lexicon)
        whole = (
            end - start == len(text) and len(tokens) <= 18 and all(t.means or not t.text[:1].isalpha() for t in tokens)
        )
        reader = Reader(text, tokens, lexicon, anchor, tz, whole, date)
        yield from _scan(reader, lexicon.code if strong else "")


def _hot(token: Token, lexicon: Lexicon) -> bool:
    return token.text[:1].isdigit() or token.low in lexicon.triggers or bool(token.means.keys() & _HOT_MEANS)


_HOT_MEANS = frozenset(
    listed(
        """
    month weekday unit dayref pod holiday recur hw season tonight num ord decadeof todaypart nowphrase
    """
    )
)


def _scan(reader: Reader, owner: str) -> Iterator[_Place]:
    tokens = reader.tokens
    count = len(tokens)
    near = [False] * (count + 1)
    left = 0
    for k in range(count - 1, -1, -1):
        token = tokens[k]
        if token.text == BREAK:
            left = 0
        elif _hot(token, reader.lexicon):
            left = _REACH
        near[k] = left > 0
        left -= 1
    at = 0
    while at < count:
        token = tokens[at]
        if not near[at] or not (
            token.means or token.text[:1].isdigit() or token.text in "'’~" or token.low in ("q", "h", "w", "t")
        ):
            at += 1
            continue
        found = _accepted(reader, at)
        if found is None or (owner and not _owned(reader, at, found[1], owner)):
            at += 1
            continue
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


def _owned(reader: Reader, first: int, end: int, owner: str) -> bool:
    return any(_OWNERS.get(t.low) == owner for t in reader.tokens[first:end])


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
