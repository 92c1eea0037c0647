"""What to look for in gigabytes of speech, so that the records that a line of a note may rest on are found.

A line gives its values (numbers, dates, names, paths, identifiers) and its words. They are looked for in the bytes of
records as they lie in the file, in JSON: whatever is found is read and checked afterwards, so a needle may well find
too much. It should not find too little, which is why words lose their endings and numbers their separators.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import Final

from memreview.checks.claims.dates import Grain, find_dates

_TOKEN: Final = re.compile(r"\w+(?:[-.:/@+,'’]\w+)*")
_PARTS: Final = re.compile(r"[-.:/@+,'’]")
_NUMERIC: Final = re.compile(r"\d+(?:[-.:/,'’]\d+)+")
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:[.,'’]\d{3})+")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_ENDING: Final = re.compile(r"(?:ations?|ings?|ments?|ed|es|en|ly|e|s)\Z")
_CJK: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_MARKUP: Final = re.compile(r"[*`~]+|\]\([^)\s]*\)")
_DATED: Final = re.compile(
    r"\d{4}-\d|\d[./]\d{1,2}(?:[./]|\b)|月|\d.*(?:jan|ene|f[eé]b|m[aä]r|a[pbv]r|ma[iy]|ju[nil]|a[ug][go]|ao[uû]|sep|o[ck]t|nov|d[eéi][cz])"
    r"|(?:jan|ene|f[eé]b|m[aä]r|a[pbv]r|ma[iy]|ju[nil]|a[ug][go]|ao[uû]|sep|o[ck]t|nov|d[eéi][cz]).*\d",
    re.IGNORECASE,
)
"""What every line has that names a day; finding out which day takes a while."""
_CODE: Final = re.compile(r"`([^`\n]+)`")
_NOT_HEX: Final = b"[^0-9a-f]"
"""Around a number: ids and hashes are full of digits. The letters of JSON's escapes are none of these."""
_MARKS: Final = (b",", b".", b" ", b"'", b"_")
"""What people put between thousands."""
_NO_LETTER: Final = (rb"(?:[^a-z]|\\[nrt])", b"[^a-z]")
"""Before and behind a short word; what ends a line in JSON looks like a letter."""
_MAX_FORM: Final = 64
"""Characters of a name that are looked for; the rest of a longer one is checked when it is read."""
_SHORT: Final = 3
"""A word of so many letters is looked for as a whole word, since it stands in too many others. Numbers and names of
fewer characters stand everywhere."""
_MIN_STEM: Final = 4
_MAX_LINE: Final = 4000
"""Characters of a line that are looked at."""

_MONTHS: Final = (
    ["jan", "ene"],
    ["feb", "fév"],
    ["mar", "mär"],
    ["apr", "avr", "abr"],
    ["may", "mai"],
    ["jun", "juin"],
    ["jul", "juil"],
    ["aug", "août", "ago"],
    ["sep"],
    ["oct", "okt"],
    ["nov"],
    ["dec", "dez", "déc", "dic"],
)
"""How the names of months begin in the languages of the dates."""


@dataclass(frozen=True, slots=True)
class Needle:
    """One thing to look for, known by ``key``: texts as they stand, and expressions for the scanner, in bytes.

    ASCII letters are found in either case. ``value`` is True for what names one thing, and False for a common word.
    """

    key: str
    value: bool = False
    literals: tuple[bytes, ...] = ()
    expressions: tuple[bytes, ...] = ()


@lru_cache(maxsize=8192)
def needles_in(line: str) -> tuple[Needle, ...]:
    """What a line of a note gives to look for, each once, values first."""
    line = line[:_MAX_LINE]
    found: dict[str, Needle] = {}
    for needle in (*_days(line), *_tokens(line, _SHORT + 1)):
        found.setdefault(needle.key, needle)
    if not found:
        found = {needle.key: needle for needle in _tokens(line, 2)}
    return tuple(sorted(found.values(), key=lambda needle: not needle.value))


def _tokens(line: str, shortest: int) -> Iterator[Needle]:
    """Needles of a line; its common words have ``shortest`` letters or more."""
    code = " ".join(_CODE.findall(line))
    in_code = set(_TOKEN.findall(code))
    text = _MARKUP.sub(lambda match: " " * len(match.group()), line)
    first = True
    for match in _TOKEN.finditer(text):
        token = match.group()[:_MAX_FORM]
        yield from _token(token, shortest, named=not first or token in in_code, code=token in in_code)
        first = text[match.end() : match.end() + 1] in (".", "!", "?", ":")


def _token(token: str, shortest: int, *, named: bool, code: bool) -> Iterator[Needle]:
    parts = _PARTS.split(token)
    if len(parts) > 1:
        yield from _composite(token)
    for part in (part.strip("_") for part in parts):
        if part.isdigit():
            if len(part) >= _SHORT and not _YEAR.fullmatch(part):
                yield _number(part)
        elif _CJK.search(part):
            yield from _pairs(part)
        elif len(part) >= shortest or (len(part) > 1 and (code or part.isupper() or (named and part[:1].isupper()))):
            exact = code or "_" in part or any(char.isdigit() for char in part)
            yield _word(part, value=exact or (named and part[:1].isupper()), exact=exact)


def _composite(token: str) -> Iterator[Needle]:
    """A version, an address, a path, a name of several parts: as it stands."""
    if _NUMERIC.fullmatch(token):
        if _THOUSANDS.fullmatch(token):
            yield _number("".join(_PARTS.split(token)))
        else:
            yield Needle(token, True, literals=(token.encode(),))
    elif "'" not in token and "’" not in token and len(token) > _SHORT:
        yield Needle(token.lower(), True, literals=_spellings(token))


def _number(digits: str) -> Needle:
    """A number; a short one stands in many ids, a long one is written with separators as well."""
    if len(digits) <= _SHORT:
        return Needle(digits, True, expressions=(_NOT_HEX + digits.encode() + _NOT_HEX,))
    groups = [digits[max(0, end - 3) : end].encode() for end in range(len(digits), 0, -3)][::-1]
    return Needle(digits, True, (digits.encode(), *(mark.join(groups) for mark in _MARKS)))


def _word(word: str, *, value: bool, exact: bool) -> Needle:
    """A word without its ending, or as it stands."""
    low = word.lower()
    if len(low) <= _SHORT:
        before, behind = _NO_LETTER
        return Needle(low, value, expressions=tuple(before + re.escape(form) + behind for form in _spellings(low)))
    stem = low if exact else _ENDING.sub("", low)
    stem = stem if len(stem) >= _MIN_STEM else low
    return Needle(stem, value, literals=_spellings(stem))


def _pairs(text: str) -> Iterator[Needle]:
    """Every two signs of a script that uses no blanks."""
    for match in _CJK.finditer(text):
        run = match.group()
        for at in range(max(1, len(run) - 1)):
            yield Needle(run[at : at + 2], literals=_spellings(run[at : at + 2]))


def _spellings(text: str) -> tuple[bytes, ...]:
    """A text as it may stand in JSON: in its letters, whose case the scanner does not know, or escaped."""
    if text.isascii():
        return (text.encode(),)
    forms = dict.fromkeys((text, text.lower(), text.upper(), text[:1].upper() + text[1:].lower()))
    plain = [form.encode("utf-8", "surrogatepass") for form in forms]
    escaped = [_escaped(form) for form in forms]
    return tuple(dict.fromkeys((*plain, *escaped)))


def _escaped(text: str) -> bytes:
    units = text.encode("utf-16-be", "surrogatepass")
    codes = [units[at] << 8 | units[at + 1] for at in range(0, len(units), 2)]
    return "".join(chr(code) if code < 128 else f"\\u{code:04x}" for code in codes).encode()


def _days(line: str) -> Iterator[Needle]:
    """Single days that a line names, in the ways in which people write them."""
    for found in find_dates(line) if _DATED.search(line) else ():
        if found.kind != "date" or found.relative or found.grain is not Grain.DAY:
            continue
        for reading in found.readings:
            start, end = reading.start, reading.end
            if start is not None and end is not None and end - start == timedelta(days=1):
                yield _day(start.date())


def _day(day: date) -> Needle:
    names = [re.escape(form) for name in _MONTHS[day.month - 1] for form in _spellings(name)]
    month = b"(?:" + b"|".join(names) + b")"
    number = str(day.day).encode()
    digits = [f"{day.day}", f"{day.month}", f"0?{day.day}", f"0?{day.month}"]
    short = [f"{digits[2]}[./]{digits[3]}[^0-9]", f"{digits[3]}/{digits[2]}[^0-9]"]
    iso = f"{day.year}-?{day.month:02d}-?{day.day:02d}[^0-9t]"
    return Needle(
        day.isoformat() + " day",
        True,
        expressions=(
            b"[^0-9]" + number + b"[a-z.]{0,2}[ -]{0,2}(?:of |de )?" + month,
            month + b"[a-z.]{0,8} {0,2}" + number + b"[^0-9]",
            iso.encode(),
            *(b"[^0-9]" + form.encode() for form in short),
        ),
    )
