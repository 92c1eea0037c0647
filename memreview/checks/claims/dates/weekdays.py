"""Weekdays with the date beside them, and days of a month by their number alone."""

from __future__ import annotations

from dataclasses import replace

from memreview.checks.claims.dates.absolute import day_number, finish, worded_date
from memreview.checks.claims.dates.intervals import Grain
from memreview.checks.claims.dates.nodes import Node, Partial, partial_node
from memreview.checks.claims.dates.numeric import numeric_date, short_date
from memreview.checks.claims.dates.reader import Found, Reader


def weekday_date(reader: Reader, at: int) -> Found:
    """A weekday with a date on either side (``Tue May 9``, ``Friday, the 26th``, ``24.8. Monday``), or by itself."""
    weekday = reader.integer(at, "weekday")
    if weekday is None or reader.means(at, "plural"):
        return None
    after = at + 1
    if reader.means(at, "abbr") and reader.glued(after) and not reader.sign(after, ".,-–:;)/!?"):
        return None
    if reader.means(at, "abbr"):
        after = reader.skip_sign(after, ".") if reader.glued(after) else after
    inner = reader.skip_sign(after, ",(/") if reader.glued(after) or reader.sign(after, "(") else after
    inner = reader.skip(inner, "art")
    found = (
        numeric_date(reader, inner)
        or short_date(reader, inner)
        or worded_date(reader, inner)
        or _monthless(reader, inner, apart=inner > after and bool(reader.means(at, "abbr")))
    )
    if found is not None and not (
        inner == after and not reader.token(inner).gap and reader.token(inner).number is None
    ):
        node, end = found
        if node.grain == Grain.DAY:
            node = replace(_narrowed(reader, node, weekday), bare=False)
            return node, reader.skip_sign(end, ")") if reader.sign(inner - 1, "(") else end
    bare = partial_node((Partial(None, None, None, weekday),), reader.anchor)
    return None if bare is None else (replace(bare, bare=bool(reader.means(at, "abbr"))), after)


def _narrowed(reader: Reader, node: Node, weekday: int) -> Node:
    """Where the year, the month or the order is open, the weekday decides; a wrong weekday decides nothing."""
    partials = tuple(replace(p, weekday=weekday) for p in node.partials)
    if not partials:
        return node
    whole = partial_node(partials, reader.anchor)
    if whole is None or partials[0].year is None:
        return whole or node
    fitting = tuple(r for r in whole.readings if r.start is not None and r.start.weekday() == weekday)
    return replace(whole, readings=fitting or whole.readings)


def _monthless(reader: Reader, at: int, *, apart: bool) -> Found:
    """``Monday 21``, ``Tue 13th``, ``martes 4``: a day of some month."""
    found = day_number(reader, at, words=reader.lexicon.code == "es" and reader.means(at - 1, "art") is not None)
    if found is None:
        return None
    number, after, ordinal = found
    if ordinal:
        return finish(reader, Partial(None, None, number), after)
    if apart:
        return None
    follows = reader.token(after)
    signed = follows.text in (":", "-", "–", "/", ".") and follows.gap == 0
    if signed and reader.token(after + 1).text[:1].isdigit():
        return None
    ranged = reader.means(after, "to") and not reader.means(after, "clockat")
    if ranged or any(reader.means(after, c) for c in ("ampm", "oclock", "unit", "month")):
        return None
    return finish(reader, Partial(None, None, number), after)


def ordinal_day(reader: Reader, at: int) -> Found:
    """``the 3rd``, ``am 18.``, ``el 15``, ``le 17``, ``el día 21``: a day of this month or one beside it."""
    start = reader.skip(at, "art")
    start = reader.skip(start, "art") if start > at else start
    led = reader.means(at - 1, "on") or reader.means(at - 1, "of")
    if start == at and not led:
        return None
    named = reader.token(start - 1).low in ("dia", "día") or reader.means(at - 1, "on") is not None
    found = day_number(reader, start, words=reader.lexicon.code == "es" and named)
    if found is None:
        return None
    number, after, ordinal = found
    spelt = reader.token(start).number is None and reader.lexicon.code in ("en", "de")
    if spelt and (number < 13 or reader.token(after).text[:1].isalpha()):
        return None
    if not ordinal and not (reader.lexicon.code in ("es", "fr") and _articled(reader, at, start)):
        return None
    if not reader.ends(after) and not _goes_on(reader, after):
        return None
    return finish(reader, Partial(None, None, number), after)


def _articled(reader: Reader, at: int, start: int) -> bool:
    return any(reader.token(k).low in ("el", "le", "dia") for k in range(at - 1, start) if k >= 0)


def _goes_on(reader: Reader, at: int) -> bool:
    """What may follow "the 3rd" when it is a day, and not the third of something."""
    means = reader.token(at).means
    if "pod" in means:
        return True
    if any(c in means for c in ("unit", "month", "ord", "of")) and not any(c in means for c in ("from", "at", "to")):
        return False
    return any(
        c in means
        for c in (
            "at",
            "pod",
            "to",
            "until",
            "from",
            "and",
            "or",
            "since",
            "before",
            "after",
            "between",
            "on",
            "in",
            "for",
        )
    ) or (
        reader.token(at).low
        in ("we", "i", "is", "was", "works", "they", "it", "he", "she", "wird", "ist", "war", "night")
    )
