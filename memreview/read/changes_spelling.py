"""Numbers of lines that are not written in plain digits: ``line three``, ``第三行``, ``line 1,024``, ``L3C5``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memreview.read import changes_words as words
from memreview.read.changes_tokens import Kind, Token

_LINE_KINDS = (Kind.LINE, Kind.LINES)
_GROUPED = re.compile(r"\d{1,3}(?:[.']\d{3})+")
_WITH_COLUMNS = re.compile(r"[lL](\d{1,15})[cC]\d+(?:-[lL](\d{1,15})[cC]\d+)?")
_CHINESE = re.compile(r"[〇零一二三四五六七八九十百千]+")
_CHINESE_LINES = re.compile(r"第[〇零一二三四五六七八九十百千]+(?:行|至|到)|[〇零一二三四五六七八九十百千]+行目")
_CHINESE_VALUES: Final = {"十": 10, "百": 100, "千": 1000}
_CHINESE_DIGITS: Final = "零一二三四五六七八九"


def spell_out(tokens: list[Token]) -> list[Token]:
    """The same tokens with numbers in place of what spells them, where a line is meant."""
    if not any(token.kind in (*_LINE_KINDS, Kind.DENSE, Kind.MIXED) for token in tokens):
        return tokens
    return list(_spelled(tokens))


def _spelled(tokens: Sequence[Token]) -> Iterator[Token]:
    counting = False
    at = 0
    while at < len(tokens):
        token = tokens[at]
        at += 1
        if token.kind is Kind.DENSE and _CHINESE_LINES.search(token.text):
            yield from _chinese(token)
        elif token.kind is Kind.MIXED and (columns := _WITH_COLUMNS.fullmatch(token.text)):
            yield from _without_columns(token, columns)
        elif token.kind is Kind.WORD and at < len(tokens) and tokens[at].kind in _LINE_KINDS:
            ordinal = words.ORDINALS.get(token.text.casefold())
            yield token if ordinal is None else token._replace(kind=Kind.MIXED, text=f"{ordinal}th")
        elif counting and token.kind is Kind.WORD and token.text.casefold() in words.NUMERALS:
            yield token._replace(kind=Kind.NUMBER, value=words.NUMERALS[token.text.casefold()])
        elif counting and token.kind is Kind.MIXED and _GROUPED.fullmatch(token.text):
            yield token._replace(kind=Kind.NUMBER, value=int(re.sub(r"\D", "", token.text)[:15]))
        elif counting and (grouped := _grouped_by_comma(tokens, at - 1)) is not None:
            yield grouped
            at += 2
        else:
            yield token
        counting = token.kind in _LINE_KINDS or (counting and _goes_on(token))


def _goes_on(token: Token) -> bool:
    """True for what may stand between a word for "line" and the numbers that it counts."""
    if token.kind in (Kind.NUMBER, Kind.DASH, Kind.PUNCTUATION, Kind.MIXED):
        return True
    folded = token.text.casefold()
    return folded in words.JOINS or folded in words.NUMBER_WORD or folded in words.NUMERALS


def _grouped_by_comma(tokens: Sequence[Token], at: int) -> Token | None:
    """``1,024`` behind "line" is one number; behind "lines" only if the second part cannot be a line of its own."""
    if at + 2 >= len(tokens):
        return None
    first, comma, second = tokens[at : at + 3]
    if first.kind is not Kind.NUMBER or second.kind is not Kind.NUMBER or comma.text != ",":
        return None
    tied = comma.glued and second.glued and len(first.text) <= 3 and len(second.text) == 3
    single = at > 0 and tokens[at - 1].kind is Kind.LINE
    if not tied or not (single or second.text.startswith("0")):
        return None
    return first._replace(text=first.text + second.text, end=second.end, value=first.value * 1000 + second.value)


def _without_columns(token: Token, match: re.Match[str]) -> Iterator[Token]:
    for group in (1, 2):
        digits = match.group(group)
        if digits is None:
            return
        start, end = token.start + match.start(group), token.start + match.end(group)
        if group == 2:
            yield Token(Kind.DASH, "-", start - 2, start - 1, True)
        yield Token(Kind.ANCHOR, "L", start - 1, start, token.glued if group == 1 else True)
        yield Token(Kind.NUMBER, digits, start, end, True, int(digits))


def _chinese(token: Token) -> Iterator[Token]:
    """A run of characters with its numerals as numbers, where they stand beside the sign for a line."""
    at = 0
    for match in _CHINESE.finditer(token.text):
        before, after = token.text[at : match.start()], token.text[match.end() :]
        if not (before.endswith(("第", "至", "到")) or after.startswith("行目")):
            continue
        if before:
            yield Token(
                Kind.DENSE, before, token.start + at, token.start + match.start(), token.glued if at == 0 else True
            )
        start, end = token.start + match.start(), token.start + match.end()
        yield Token(Kind.NUMBER, match.group(), start, end, True, _chinese_value(match.group()))
        at = match.end()
    if at < len(token.text):
        yield Token(Kind.DENSE, token.text[at:], token.start + at, token.end, token.glued if at == 0 else True)


def _chinese_value(text: str) -> int:
    """The value of a numeral: ``十二`` is 12, ``二十`` 20, ``一二`` 12."""
    total = digit = 0
    for letter in text[:12]:
        unit = _CHINESE_VALUES.get(letter)
        if unit is None:
            digit = digit * 10 + max(_CHINESE_DIGITS.find(letter), 0)
        else:
            total += (digit or 1) * unit
            digit = 0
    return total + digit
