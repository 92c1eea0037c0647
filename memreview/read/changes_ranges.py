"""Lists and ranges of numbers among the tokens of an entry."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memreview.read import changes_words as words
from memreview.read.changes_tokens import Kind, Token

DRESS: Final = "`*_\"'“”„‟‘’‚«»‹›"
OPENERS: Final = "([{<「『【《〈"
CLOSERS: Final = ")]}>」』】》〉"
MAX_LIST: Final = 2000

_SOFT = ",@/=|+§→⇒>;~!、·•∙⋅‧"
_ENDS = CLOSERS + DRESS + OPENERS + ",;.!?|。、…"
_REACH = 10
LINE_KINDS = (Kind.LINE, Kind.LINES)


@dataclass(frozen=True, slots=True)
class Lines:
    """Ranges of lines (first and last, both inclusive), and the index of the token after them.

    ``tight`` is True where the numbers are bound to what stands before them by a colon or a hash.
    """

    pairs: tuple[tuple[int, int], ...]
    end: int
    tight: bool = False


class Ranges:
    """Reads numbers, ranges and lists of them at a place in a list of tokens."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.size = len(tokens)
        self.a_means_and = False
        self._plain_until = 0

    def over_marks(self, at: int) -> tuple[int, str, bool]:
        """Skip quotes, brackets and separators; also say which were seen and whether no space was among them."""
        here, marks, tied = at, "", True
        while here < min(self.size, at + _REACH):
            token = self.tokens[here]
            tied = tied and token.glued
            if token.kind is Kind.DASH and not (marks.endswith(":") and self.is_number(here + 1, glued=True)):
                marks += "-"
            elif token.kind is Kind.CELL:
                marks += "|"
            elif token.kind is Kind.PUNCTUATION and token.text in DRESS + OPENERS + CLOSERS + _SOFT + ":#":
                marks += token.text
            elif token.kind is Kind.PUNCTUATION and unicodedata.category(token.text) in ("So", "Sk"):
                marks += "→"
            else:
                break
            here += 1
        return here, marks, tied

    def number_list(
        self, at: int, *, plural: bool, free: bool, tight: bool = False, between: bool = False
    ) -> Lines | None:
        """``3``, ``3-5``, ``3, 5 and 9``. Numbers that are not ``free`` count only where nothing counted follows."""
        pairs: list[tuple[int, int]] = []
        end = at
        start: int | None = at
        glued_list = True
        while start is not None and len(pairs) < MAX_LIST:
            item = self._item(start, plural=plural, between=between, columns=free or bool(pairs))
            if item is None:
                break
            pair, after = item
            led = self.tokens[start].kind in (Kind.ANCHOR, *LINE_KINDS) or (pairs and self.text_at(start) == ":")
            first_is_free = free and not pairs
            if not (first_is_free or plural or led or (pairs and glued_list and tight) or self.is_closed(after)):
                break
            pairs.append(pair)
            end = after
            start, glued_list = self._next_in_list(after)
        return Lines(tuple(pairs), end, tight) if pairs else None

    def _item(self, at: int, *, plural: bool, between: bool, columns: bool) -> tuple[tuple[int, int], int] | None:
        """One number or one range, and the index after it. Without ``columns``, ``14:30`` is a time."""
        here = self.to_number(at)
        if here is None:
            return None
        low = self.tokens[here].value
        after = self._over_column(here + 1)
        if after != here + 1 and not columns:
            return None
        second = self._range_end(after, between)
        if second is not None:
            spaced = not (self.tokens[after].glued and self.tokens[second].glued)
            after_second = self._over_column(second + 1)
            worded = self.tokens[after].kind in (Kind.WORD, Kind.DENSE)
            if plural or not (spaced or worded) or self.is_closed(after_second):
                return _ordered(low, self.tokens[second]), after_second
        return (low, low), after

    def to_number(self, at: int) -> int | None:
        """The index of the number at ``at``, over an ``L``, a word for "line" or dress before it."""
        for here in range(at, min(at + 4, self.size)):
            token = self.tokens[here]
            if token.kind is Kind.NUMBER:
                return here
            lead = token.kind in (Kind.ANCHOR, *LINE_KINDS) or (
                token.kind is Kind.PUNCTUATION and token.text in DRESS + ":#"
            )
            if not lead:
                return None
        return None

    def _range_end(self, at: int, between: bool) -> int | None:
        """The index of the number that ends a range whose first number stands before ``at``."""
        if at >= self.size:
            return None
        token = self.tokens[at]
        folded = token.text.casefold()
        if token.kind in (Kind.DASH, Kind.ELLIPSIS):
            return self.to_number(at + 1)
        if token.kind is Kind.DENSE and words.CJK_TO.match(token.text):
            return self.to_number(at + 1)
        if folded == "a" and self.a_means_and:
            return None
        if token.kind is Kind.WORD and (folded in words.TO or folded == "up" or (between and folded in words.AND)):
            more = at + 1
            while more < at + 3 and (self.text_at(more) in words.TO or self.text_at(more) in words.ARTICLE):
                more += 1
            return self.to_number(more)
        return None

    def _over_column(self, at: int) -> int:
        """Behind a line number a column may follow (``3:15``)."""
        if self.glued_text(at) == ":" and self.is_number(at + 1, glued=True):
            return at + 2
        return at

    def _next_in_list(self, after: int) -> tuple[int | None, bool]:
        """Where the next number of a list would begin, and whether it is written without any space."""
        here, glued, joined = self._over_remark(after), True, False
        for _ in range(4):
            if here >= self.size:
                break
            token = self.tokens[here]
            folded = token.text.casefold()
            glued = glued and token.glued
            word = token.kind in (Kind.WORD, Kind.LINE, Kind.LINES) and folded in words.AND
            dense = token.kind is Kind.DENSE and bool(words.CJK_AND.match(token.text)) and token.text != ""
            if word or dense or (token.kind is Kind.PUNCTUATION and token.text in ",;/&+、"):
                joined = True
                glued = glued and not word
            elif not (token.kind is Kind.PUNCTUATION and token.text in DRESS):
                break
            here += 1
        number = self.to_number(here)
        if not joined or number is None:
            return None, False
        return here, glued and all(self.tokens[index].glued for index in range(here, number + 1))

    def _over_remark(self, at: int) -> int:
        """``5 (user) and 7``: a short remark in brackets does not end a list."""
        if self.text_at(at) != "(":
            return at
        if self.text_at(at + 1) in words.AND:
            return at + 1
        for here in range(at + 1, min(at + 9, self.size)):
            if self.tokens[here].kind in (Kind.TRANSCRIPT, Kind.ID):
                break
            if self.tokens[here].text == ")":
                goes_on = self.text_at(here + 1) in words.AND or self.is_mark(here + 1, ",;&")
                return here + 1 if goes_on else at
        return at

    def is_closed(self, at: int) -> bool:
        """True where what follows a number does not count or measure anything by it."""
        if at >= self.size:
            return True
        token = self.tokens[at]
        if token.kind in (Kind.CELL, Kind.DASH, Kind.ELLIPSIS):
            return True
        if token.kind is Kind.PUNCTUATION:
            return token.text in _ENDS
        if token.kind is Kind.DENSE:
            return bool(words.CJK_LINE_AFTER.match(token.text))
        if token.kind is Kind.WORD and token.text.casefold() in words.JOINS:
            return self.to_number(at + 1) is not None or self.kind_at(at + 1) in (Kind.TRANSCRIPT, Kind.ID)
        return token.kind in (Kind.TRANSCRIPT, Kind.ID)

    def is_number(self, at: int, *, glued: bool = False) -> bool:
        """True where a number stands, without space before it if ``glued``."""
        if not 0 <= at < self.size or self.tokens[at].kind is not Kind.NUMBER:
            return False
        return self.tokens[at].glued or not glued

    def is_mark(self, at: int, marks: str) -> bool:
        """True where one of these marks stands."""
        return self.kind_at(at) is Kind.PUNCTUATION and self.tokens[at].text in marks

    def glued_text(self, at: int) -> str:
        """The text of a token that no space precedes; empty for others and outside."""
        return self.tokens[at].text if 0 <= at < self.size and self.tokens[at].glued else ""

    def text_at(self, at: int) -> str:
        """The text of a token without case; empty outside."""
        return self.tokens[at].text.casefold() if 0 <= at < self.size else ""

    def kind_at(self, at: int) -> Kind | None:
        """The kind of a token; None outside."""
        return self.tokens[at].kind if 0 <= at < self.size else None

    def dense_at(self, at: int) -> str:
        """The text of a token of a script without spaces; empty for others."""
        return self.tokens[at].text if self.kind_at(at) is Kind.DENSE else ""


def _ordered(low: int, end: Token) -> tuple[int, int]:
    """A range whose end is shortened (``110-15``) or turned round still has a first and a last line."""
    high = end.value
    if high < low and len(end.text) < len(str(low)):
        high = int(str(low)[: -len(end.text)] + end.text)
    return min(low, high), max(low, high)
