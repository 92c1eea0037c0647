"""Numbers in words, read by ``text2num``; the numerals of Chinese and Japanese."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from text_to_num import text2num

from memreview.checks.claims.folding import CJK, plain_letters
from memreview.checks.claims.language import language_of

_STEMS = {
    "en": """zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
        eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million""",
    "de": """null zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig vierzig fünfzig sechzig
        siebzig achtzig neunzig hundert tausend million millionen""",
    "fr": """deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante
        cinquante soixante cent mille million""",
    "es": """dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete
        dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete
        veintiocho veintinueve treinta cuarenta cincuenta sesenta setenta ochenta noventa cien ciento doscientos
        doscientas trescientos trescientas cuatrocientos cuatrocientas quinientos quinientas seiscientos seiscientas
        mil millón""",
}
_VOCABULARY = {code: frozenset(words.split()) for code, words in _STEMS.items()}
_JOINERS = {"en": {"and", "one", "a"}, "de": {"und"}, "fr": {"et", "un", "une"}, "es": {"y", "uno", "una", "un"}}
_DOZENS = {"dozen": 12, "dozens": 12, "dutzend": 12, "douzaine": 12, "douzaines": 12, "docena": 12, "docenas": 12}
_EVERY = frozenset(_DOZENS).union(*_VOCABULARY.values())
# Words that mean something else as well, and so count only in a text of their own language.
_AMBIGUOUS = frozenset(["once", "cent", "dos", "mil", "sept", "elf", "six", "mille", "ocho", "null", "million", "acht"])
_CODES = {"english": "en", "german": "de", "french": "fr", "spanish": "es"}
_WORDS = re.compile(rf"[^\W\d_{CJK}]+(?:-[^\W\d_{CJK}]+)*")
_COMPOUND = re.compile(r"zig|ßig|hundert|tausend|zehn")
_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_TENS = {"十": 10, "百": 100, "千": 1000}
_WIDE = re.compile(r"[零〇一二三四五六七八九两十百千万]+(?=[\u3040-\u9fff])")


@lru_cache(maxsize=1)
def _values() -> dict[int, frozenset[str]]:
    """The words of each value, without diacritics."""
    found: dict[int, set[str]] = {}
    for code, words in _VOCABULARY.items():
        for word in words:
            value = _value(word, code)
            if value is not None:
                found.setdefault(value, set()).add(plain_letters(word))
    return {value: frozenset(words) for value, words in found.items()}


@lru_cache(maxsize=512)
def words_for(number: int) -> frozenset[str]:
    """Words of which at least one stands in a text that gives the number in words; compounds of German left out."""
    values = _values()
    found = set(values.get(number, ()))
    if 20 < number < 100:
        found |= values.get(number - number % 10, frozenset())
        found.update(("dieciseis", "soixante", "quatre") if number > 60 else ())
    if number >= 100:
        for large in (100, 1000, 10**6):
            found |= values.get(large, frozenset()) if number >= large else frozenset()
        found.update(w for hundred in range(2, 10) for w in values.get(100 * hundred, ()))
    if number % 12 == 0:
        found.update(_DOZENS)
    return frozenset(found)


class Worded(NamedTuple):
    """A number in words: its place, its value, and where the word after it stands."""

    start: int
    end: int
    amount: int
    after: tuple[int, int] | None


def _number_words(text: str) -> set[str]:
    """Words of a text that may be numbers, in lower case: in most texts none, which is found out fast."""
    words = set(_WORDS.findall(text.lower()))
    found = words & _EVERY
    found.update(word for word in words if "-" in word or (len(word) > 6 and _COMPOUND.search(word)))
    return found


def worded_numbers(text: str) -> list[Worded]:
    """The numbers in words of a text, those of its own language first."""
    found: list[Worded] = []
    words = _number_words(text)
    if words:
        own = _CODES.get(language_of(text[:2000].casefold()), "en")
        row = [(match, match.group().lower()) for match in _WORDS.finditer(text)]
        for code in dict.fromkeys((own, "en", "de", "fr", "es")):
            for number in _runs(text, row, frozenset(low for low in words if _is_number(low, code)), code):
                first = text[number.start : number.end].split()[0].split("-")[0].lower()
                if code != own and first in _AMBIGUOUS:
                    continue
                if not any(number.start < o.end and o.start < number.end for o in found):
                    found.append(number)
    for match in _WIDE.finditer(text):
        amount = wide_amount(match.group())
        if amount is not None and amount > 1:
            found.append(Worded(match.start(), match.end(), amount, (match.end(), min(len(text), match.end() + 2))))
    return found


@lru_cache(maxsize=512)
def _value(words: str, code: str) -> int | None:
    try:
        return int(text2num(words, code))
    except (ValueError, KeyError, OverflowError):
        return None


def _is_number(low: str, code: str) -> bool:
    if low in _VOCABULARY[code] or low in _DOZENS:
        return True
    if code == "de" and len(low) > 6 and _COMPOUND.search(low):
        return _value(low, "de") is not None
    if "-" in low and code in ("en", "fr"):
        return all(part in _VOCABULARY[code] or part in _JOINERS[code] for part in low.split("-"))
    return False


def _runs(text: str, row: list[tuple[re.Match[str], str]], numbers: frozenset[str], code: str) -> Iterator[Worded]:
    """Words of ``row`` that are a number together; ``numbers`` are those that are one by themselves."""
    if not numbers:
        return
    run: list[re.Match[str]] = []
    for word, low in row:
        if not run:
            if low in numbers:
                run = [word]
            continue
        adjoins = text[run[-1].end() : word.start()].strip(" -") == ""
        if adjoins and (low in numbers or low in _JOINERS[code]):
            run.append(word)
            continue
        yield from _closed(text, run, word, code)
        run = [word] if low in numbers else []
    yield from _closed(text, run, None, code)


def _closed(text: str, run: list[re.Match[str]], after: re.Match[str] | None, code: str) -> Iterator[Worded]:
    while run and run[-1].group().lower() in _JOINERS[code]:
        run.pop()
    if not run:
        return
    words = [m.group().lower() for m in run]
    amount = _amount(words, code)
    end = run[-1].end()
    if amount is None:
        amount, end = _amount(words[:1], code), run[0].end()
    if amount is not None:
        adjoins = after is not None and text[end : after.start()].strip(" -") == ""
        yield Worded(run[0].start(), end, amount, after.span() if adjoins and after is not None else None)


def _amount(words: list[str], code: str) -> int | None:
    if words and words[-1] in _DOZENS:
        times = _value(" ".join(words[:-1]), code) if words[:-1] else 1
        return None if times is None else times * _DOZENS[words[-1]]
    joined = " ".join(words)
    return _value(joined, code) if code == "fr" else (_value(joined.replace("-", " "), code) or _value(joined, code))


def wide_amount(digits: str) -> int | None:
    """The value of Chinese or Japanese numerals."""
    total, section, digit = 0, 0, 0
    for sign in digits:
        if sign in _DIGITS:
            digit = digit * 10 + _DIGITS[sign] if digit else _DIGITS[sign]
        elif sign in _TENS:
            section += (digit or 1) * _TENS[sign]
            digit = 0
        elif sign == "万":
            total += (section + digit or 1) * 10000
            section = digit = 0
    return total + section + digit
