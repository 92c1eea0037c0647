"""Calendar dates with the month in words, and years."""

from __future__ import annotations

from dataclasses import replace

from memreview.checks.claims.dates.nodes import Partial, partial_node
from memreview.checks.claims.dates.numeric import full_year
from memreview.checks.claims.dates.reader import Found, Reader
from memreview.checks.claims.dates.years import year_number


def day_number(reader: Reader, at: int, *, words: bool = True) -> tuple[int, int, bool] | None:
    """(day of a month, index after it, whether it was written as an ordinal)."""
    token = reader.token(at)
    if token.number is not None:
        if not 1 <= token.number <= 31 or len(token.text) > 2:
            return None
        after = at + 1
        if reader.means(after, "suffix") and (
            reader.glued(after) or (reader.token(after).gap == 1 and reader.lexicon.code == "en")
        ):
            return token.number, after + 1, True
        if (
            reader.sign(after, ".")
            and reader.glued(after)
            and not (reader.sign(after + 1, ".") and reader.glued(after + 1))
        ):
            follows = reader.token(after + 1)
            if reader.means(after + 1, "suffix") and follows.gap == 0:
                return token.number, after + 2, True
            return token.number, after + 1, reader.lexicon.dotted
        if reader.sign(after, "°ºª"):
            return token.number, after + 1, True
        follows = reader.token(after)
        if follows.gap == 0 and follows.text[:1].isalpha() and not reader.means(after, "month"):
            return None
        return token.number, after, False
    ordinal = reader.integer(at, "ord")
    if ordinal is not None and 1 <= ordinal <= 31:
        return ordinal, at + 1, True
    number = reader.integer(at, "num") if words else None
    if number is not None and 1 <= number <= 31:
        return number, at + 1, False
    return None


def _separator(reader: Reader, at: int) -> int:
    """The index after a sign that may stand between the fields of a date: ``23/Sep/2020``, ``31-dic-1994``."""
    if reader.sign(at, "/-.") and reader.glued(at) and reader.glued(at + 1):
        return at + 1
    return at


def _month(reader: Reader, at: int) -> tuple[int, int] | None:
    """(month, index after it); a short form may have its full stop."""
    month = reader.integer(at, "month")
    if month is None:
        return None
    after = at + 1
    stopped = reader.sign(after, ".") and reader.glued(after)
    if reader.means(at, "abbr") and stopped and (not reader.glued(after + 1) or reader.sign(after + 1, ",")):
        after += 1
    return month, after


def worded_date(reader: Reader, at: int) -> Found:
    """A date with its month in words, in any order of its fields."""
    if reader.means(at, "month"):
        return _month_first(reader, at)
    start = reader.skip(at, "art")
    return _day_first(reader, start) or _year_first(reader, at)


def _with_year(
    reader: Reader, at: int, month: int, day: int | None, *, joined: bool = True
) -> tuple[Partial, int] | None:
    """The partial date and the index after its year, where one follows; after a sign only if its fields are joined."""
    after = _separator(reader, at) if joined else at
    if after == at:
        after = reader.skip_sign(at, ",")
        after = reader.skip(after, "of", "in") if year_number(reader, after + 1) else reader.skip(after, "of")
        after = reader.skip(after, "yearword")
        if reader.means(after, "of") and not year_number(reader, after):
            after += 1
    found = year_number(reader, after)
    if found is not None:
        return Partial(found[0], month, day), found[1]
    token = reader.token(after)
    if token.number is None or len(token.text) != 2:
        return None
    apart = after > at or reader.lexicon.dotted
    follows = reader.token(after + 1)
    if not apart or (follows.gap == 0 and follows.text[:1] in (":", ".", "/", "-", "h") and follows.text != "."):
        return None
    if day is None and not (reader.means(at, "of") and token.number > 31) and reader.token(at).text not in ("-", "/"):
        return None
    if reader.sign(at, ",") or (reader.means(after + 1, "oclock")) or _clock_like(reader, after):
        return None
    if day is not None and after == at and token.number < 13:
        return None
    return Partial(full_year(reader, token.text), month, day), after + 1


def _clock_like(reader: Reader, at: int) -> bool:
    """``27. Nov. 17.30``, ``4 dic 10 am``."""
    if reader.means(at + 1, "ampm") or reader.means(at + 1, "unit"):
        return True
    return (
        reader.sign(at + 1, ".:")
        and reader.glued(at + 1)
        and reader.glued(at + 2)
        and reader.token(at + 2).text.isdigit()
    )


def finish(reader: Reader, partial: Partial, end: int) -> Found:
    """The node of a partial date that ends there."""
    node = partial_node((partial,), reader.anchor)
    return None if node is None else (node, end)


def _day_first(reader: Reader, at: int) -> Found:
    """``12 November 2026``, ``the 3rd of May``, ``12. Januar``, ``5 de mayo de 2026``, ``23/Sep/2020``."""
    found = day_number(reader, at)
    if found is None:
        return None
    number, after, ordinal = found
    if reader.name(after, "unit") == "day" and ordinal:
        after += 1
    joined = _separator(reader, after)
    if joined == after:
        joined = reader.skip(after, "of")
        joined = reader.skip(joined, "art") if joined > after else joined
    if (
        (reader.sign(joined, ",") or (reader.hyphen(joined) and not reader.glued(joined)))
        and reader.means(joined + 1, "month")
        and reader.lexicon.code == "de"
    ):
        joined += 1
    month = _month(reader, joined)
    if month is None:
        if reader.lexicon.code == "es":
            return _spanish_numbers(reader, number, joined, after) or _swapped_year(reader, number, after)
        return _numbered_month(reader, at, after) or _swapped_year(reader, number, after)
    plain = joined == after and not ordinal
    glued = plain and reader.glued(joined) and reader.means(joined, "abbr")
    if glued and not (_with_year(reader, month[1], 1, 1) or reader.sign(month[1] + 1, ":")):
        return None
    low = reader.token(joined).text
    if (
        reader.means(joined, "soft")
        and reader.lexicon.code == "en"
        and plain
        and low.islower()
        and not year_number(reader, month[1])
    ):
        return None
    if (
        reader.means(joined, "soft")
        and reader.lexicon.code == "en"
        and plain
        and low.islower()
        and reader.token(at).number is None
    ):
        return None
    dated = _with_year(reader, month[1], month[0], number)
    return finish(reader, *(dated or (Partial(None, month[0], number), month[1])))


def _spanish_numbers(reader: Reader, number: int, joined: int, after: int) -> Found:
    """``9 de 8 de 1971``."""
    month = reader.token(joined).number
    if joined == after or month is None or not 1 <= month <= 12 or not reader.means(joined + 1, "of"):
        return None
    year = year_number(reader, joined + 2)
    return finish(reader, Partial(year[0], month, number), year[1]) if year else None


def _numbered_month(reader: Reader, at: int, after: int) -> Found:
    """German ``7. vierter 2016``, ``siebten vierten``, ``dritter/11.``."""
    if not reader.lexicon.dotted:
        return None
    first = day_number(reader, at, words=False)
    if first is None or not first[2]:
        return None
    joined = _separator(reader, after)
    second = day_number(reader, joined, words=False)
    if (
        second is None
        or not second[2]
        or second[0] > 12
        or (reader.token(at).number is not None and reader.token(joined).number is not None)
    ):
        return None
    dated = _with_year(reader, second[1], second[0], first[0])
    return finish(reader, *(dated or (Partial(None, second[0], first[0]), second[1])))


def _swapped_year(reader: Reader, number: int, at: int) -> Found:
    """``23-2020-September``."""
    after = _separator(reader, at)
    year = year_number(reader, after) if after > at else None
    last = _separator(reader, year[1]) if year else at
    month = _month(reader, last) if year and last > year[1] else None
    if year is None or month is None:
        return None
    return finish(reader, Partial(year[0], month[0], number), month[1])


def _month_first(reader: Reader, at: int) -> Found:
    """``November 12, 2026``, ``May the 3rd``, ``Dec-2018``, ``October 2026``, ``Sep-23-2020``."""
    month = _month(reader, at)
    if month is None:
        return None
    after = _separator(reader, month[1])
    if after == month[1]:
        after = reader.skip(after, "art") if reader.lexicon.code == "en" else after
    year = year_number(reader, after)
    if year is not None and reader.means(after, "num") is None:
        last = _separator(reader, year[1])
        day = day_number(reader, last, words=False) if last > year[1] else None
        if day is not None:
            return finish(reader, Partial(year[0], month[0], day[0]), day[1])
        return finish(reader, Partial(year[0], month[0]), year[1])
    day = day_number(reader, after, words=False)
    capitals = len(reader.token(at).text) > 1 and reader.token(at).text.isupper()
    if day is not None and after == at + 1 and reader.glued(after) and capitals:
        return None
    if day is not None and not _weak(reader, at, day[2]) and not _is_clock(reader, after):
        dated = _with_year(reader, day[1], month[0], day[0], joined=after > month[1])
        return finish(reader, *(dated or (Partial(None, month[0], day[0]), day[1])))
    dated = _with_year(reader, month[1], month[0], None)
    if dated is not None:
        return finish(reader, *dated)
    return None


def _is_clock(reader: Reader, at: int) -> bool:
    after = reader.token(at + 1)
    if reader.token(at).number is None:
        return False
    if after.text == ":" and after.gap == 0 and reader.token(at + 2).text.isdigit():
        return True
    return bool(reader.means(at + 1, "ampm"))


def _weak(reader: Reader, at: int, ordinal: bool) -> bool:
    """``may 2`` in small letters is a date only after a preposition; ``mar 12px`` never gets here."""
    if ordinal or not (reader.means(at, "soft") or reader.means(at, "abbr")):
        return False
    token = reader.token(at)
    if not token.text[:1].islower() or reader.whole:
        return False
    if reader.means(at, "soft"):
        return not any(
            reader.means(at - 1, c) for c in ("on", "until", "since", "by", "from", "weekday", "before", "after")
        )
    return False


def _year_first(reader: Reader, at: int) -> Found:
    """``2019-aug-1``, ``2020/23/Sep``, ``2026 October``."""
    year = year_number(reader, at)
    if year is None or reader.token(at).number is None:
        return None
    after = _separator(reader, year[1])
    month = _month(reader, after)
    if month is not None:
        last = _separator(reader, month[1])
        day = day_number(reader, last, words=False) if last > month[1] else None
        if day is not None:
            return finish(reader, Partial(year[0], month[0], day[0]), day[1])
        if reader.means(after, "soft"):
            return None
        return finish(reader, Partial(year[0], month[0]), month[1])
    day = day_number(reader, after, words=False) if after > year[1] else None
    last = _separator(reader, day[1]) if day else after
    month = _month(reader, last) if day and last > day[1] else None
    return finish(reader, Partial(year[0], month[0], day[0]), month[1]) if day and month else None


def bare_year(reader: Reader, at: int) -> Found:
    """A year by itself; its surroundings decide elsewhere whether it is one."""
    start = reader.skip(at, "yearword")
    if start > at:
        start = reader.skip(start, "of")
        token = reader.token(start)
        if token.number is not None and len(token.text) == 2 and reader.token(at).low == "cy":
            return finish(reader, Partial(full_year(reader, token.text)), start + 1)
    year = year_number(reader, start)
    if year is None:
        return None
    found = finish(reader, Partial(year[0]), year[1])
    return found if start > at or found is None else (replace(found[0], bare=True), found[1])
