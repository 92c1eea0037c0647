"""Years in digits and words."""

from __future__ import annotations

from memreview.checks.claims.dates.lexicon import listed
from memreview.checks.claims.dates.numeric import full_year
from memreview.checks.claims.dates.reader import Reader

_YEARS = range(1500, 2200)
# What may follow a year that stands after a preposition: "in 2019 we moved", not "in 2000 lines".
_AFTER_YEAR = frozenset(
    listed(
        """
    the and or but to until till through we i it they he she you there was were is are had has have did when
    while for with by from as at on in of after before between since a an this that these our my also only alone
    already not und oder bis wurde wurden war waren ist sind hat haben gab als mit von im am an auf ein eine der
    die das wir ich er sie es nicht zu für et ou à au a est était ont le la les il elle nous une un en dans pour
    y o hasta fue fueron es son el los se con por para edition released onwards onward later earlier that then
    where who which without
    """
    )
)


def year_number(reader: Reader, at: int) -> tuple[int, int] | None:
    """A year of four digits, ``'26``, or one in words, and the index after it."""
    token = reader.token(at)
    if token.number is not None and len(token.text) == 4:
        follows = reader.token(at + 1)
        place = follows.text == ":" and reader.glued(at + 2)
        if token.number not in _YEARS or (follows.gap == 0 and (follows.text[:1].isalpha() or place)):
            return None
        if follows.text in ".," and follows.gap == 0 and reader.token(at + 2).text.isdigit() and reader.glued(at + 2):
            return None
        return token.number, at + 1
    if reader.sign(at, "'’") and len(reader.token(at + 1).text) == 2 and reader.token(at + 1).number is not None:
        follows = reader.token(at + 2)
        if reader.glued(at + 1) and not (follows.gap == 0 and follows.text[:1].isalpha()):
            return full_year(reader, reader.token(at + 1).text), at + 2
    return year_words(reader, at)


def year_words(reader: Reader, at: int) -> tuple[int, int] | None:
    """``nineteen ninety six``, ``two thousand and fifteen``, ``dos mil veinte``, ``mil novecientos noventa y dos``."""
    first = reader.integer(at, "num")
    code = reader.lexicon.code
    if code == "en" and first is not None:
        if first == 2 and reader.token(at + 1).low == "thousand":
            after = reader.skip(at + 2, "and")
            rest = reader.integer(after, "num")
            return (2000 + rest, after + 1) if rest is not None and 0 < rest < 100 else (2000, at + 2)
        rest = reader.integer(at + 1, "num")
        if first in (18, 19, 20) and rest is not None and 10 <= rest < 100:
            one = reader.integer(at + 2, "num")
            if one is not None and rest % 10 == 0 and one < 10:
                return first * 100 + rest + one, at + 3
            return first * 100 + rest, at + 2
        return None
    if code == "es":
        thousands, after = 1, at
        if first == 2 and reader.token(at + 1).low == "mil":
            thousands, after = 2, at + 2
        elif reader.token(at).low == "mil":
            after = at + 1
        else:
            return None
        hundreds = {"novecientos": 900, "ochocientos": 800, "setecientos": 700}.get(reader.token(after).low, 0)
        after += bool(hundreds)
        rest = reader.integer(after, "num")
        if rest is None or rest > 99:
            return (thousands * 1000 + hundreds, after) if thousands == 2 or hundreds else None
        return thousands * 1000 + hundreds + rest, after + 1
    return _german_year(reader, at) if code == "de" else None


def _german_year(reader: Reader, at: int) -> tuple[int, int] | None:
    low = reader.token(at).low
    for lead, base in (("zweitausend", 2000), ("neunzehnhundert", 1900), ("achtzehnhundert", 1800)):
        if low.startswith(lead):
            rest = low[len(lead) :].removeprefix("und")
            number = reader.lexicon.words.get(rest, {}).get("num") if rest else 0
            return (base + number, at + 1) if isinstance(number, int) and number < 100 else None
    return None


def year_follows(reader: Reader, end: int) -> bool:
    """True where what stands after a year does not make it a number of things."""
    token = reader.token(end)
    if reader.ends(end) or not token.text[:1].isalpha():
        return token.text not in ("%", "°", "$", "€", "+", "/", "=", "*") and not (token.text[:1].isdigit())
    return (
        token.text[:1].isupper()
        or token.low in _AFTER_YEAR
        or not token.text.isascii()
        or any(
            c in token.means
            for c in ("to", "and", "until", "since", "before", "after", "by", "onwards", "edge", "in", "on")
        )
    )


def short_form_ends(reader: Reader, end: int) -> bool:
    """True where a short form like *Sun* may end: no other name follows, nor its genitive."""
    token = reader.token(end)
    if token.text in "'’" and token.text:
        return False
    return reader.ends(end) or not token.text[:1].isalpha() or bool(token.means) or token.low in _AFTER_YEAR
