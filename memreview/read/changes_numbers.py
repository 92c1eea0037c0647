"""Line numbers among the tokens of an entry: lists, ranges, and whether a number is a line at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memreview.read import changes_words as words
from memreview.read.changes_tokens import Kind, Token

DRESS: Final = "`*_\"'“”„‟‘’‚«»‹›"
OPENERS: Final = "([{<「『【《〈"
CLOSERS: Final = ")]}>」』】》〉"
MAX_LIST: Final = 2000

_SOFT = ",@/=|+§→⇒>;~!、"
_ENDS = CLOSERS + DRESS + OPENERS + ",;.!?|。、…"
_REACH = 10
_LINE_KINDS = (Kind.LINE, Kind.LINES)


@dataclass(frozen=True, slots=True)
class Lines:
    """Ranges of lines (first and last, both inclusive), and the index of the token after them.

    ``tight`` is True where the numbers are bound to what stands before them by a colon or a hash.
    """

    pairs: tuple[tuple[int, int], ...]
    end: int
    tight: bool = False


class Numbers:
    """Reads line numbers at a place in a list of tokens; None means that there is none."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.size = len(tokens)
        self.a_means_and = False
        self._plain_until = 0

    def behind(self, at: int) -> Lines | None:
        """The lines that belong to the transcript before ``at``."""
        here, marks, tied = self._over_marks(at)
        if here >= self.size:
            return None
        token = self.tokens[here]
        tight = tied and token.glued and (":" in marks or "#" in marks)
        if token.kind in (*_LINE_KINDS, Kind.WEAK):
            return self._after_word(here) or self._unknown_word(here, marks)
        if token.kind is Kind.ANCHOR:
            return self._list(here, plural=False, free=True, tight=tight)
        if token.kind is Kind.DASH and tight and self._is_number(here + 1, glued=True):
            value = -self.tokens[here + 1].value
            return Lines(((value, value),), here + 2, True)
        if token.kind is Kind.NUMBER:
            if "#" in marks and not tied and marks != "#":
                return None
            dense = self._dense_at(here + 1)
            free = tight or bool(words.CJK_LINE_AFTER.match(dense))
            return self._list(here, plural=False, free=free, tight=tight)
        if token.kind is Kind.DENSE:
            return self._dense_behind(here)
        return self._unknown_word(here, marks)

    def behind_file(self, at: int, is_note: bool) -> Lines | None:
        """The lines that belong to the note or source file before ``at``: only what is clearly bound to it."""
        here, marks, tied = self._over_marks(at)
        if here >= self.size:
            return None
        token = self.tokens[here]
        if "|" in marks:
            return None
        tight = tied and token.glued and (":" in marks or "#" in marks)
        if token.kind in _LINE_KINDS:
            apart = not self.tokens[here].glued and (":" in marks or any(mark in "-–—→" for mark in marks))
            return None if is_note and apart else self._after_word(here)
        if token.kind is Kind.ANCHOR or (token.kind is Kind.NUMBER and tight):
            return self._list(here, plural=False, free=True, tight=tight)
        return None

    def alone(self, at: int) -> Lines | None:
        """Lines that name no transcript: ``line 9``, ``第9行``, ``9行目``, ``3. Zeile``, ``L9``."""
        token = self.tokens[at]
        if token.kind in _LINE_KINDS or (token.kind is Kind.WORD and self._is_abbreviation(at)):
            return self._after_word(at)
        if token.kind is Kind.ANCHOR:
            return self._bare_anchor(at)
        if token.kind is Kind.DENSE:
            if words.CJK_LINE_BEFORE.search(token.text) and self._is_number(at + 1):
                return self._list(at + 1, plural=True, free=True)
            if words.CJK_NTH.search(token.text) and self._is_number(at + 1):
                return self._dense_list(at + 1, words.CJK_LINE_AFTER.match)
            return None
        if token.kind in (Kind.NUMBER, Kind.MIXED):
            return self._ordinal(at)
        return None

    def linked(self, at: int) -> Lines | None:
        """Numbers that are the whole text of a link."""
        if not self._is_number(at) or self._text(at - 1) != "[":
            return None
        lines = self._list(at, plural=True, free=True)
        return lines if lines and self._text(lines.end) == "]" and self._glued_text(lines.end + 1) == "(" else None

    def bare(self, at: int) -> Lines | None:
        """``:9`` and ``#L9`` where nothing stands before that the number could belong to."""
        if self._owner_before(at):
            return None
        here = at + 1
        anchored = here < self.size and self.tokens[here].kind is Kind.ANCHOR and self.tokens[here].glued
        if self.tokens[at].text == "#" and not anchored:
            return None
        if not anchored and not self._is_number(here, glued=True):
            return None
        lines = self._list(here, plural=False, free=True, tight=True)
        closing = lines is not None and lines.end < self.size and self.tokens[lines.end]
        return None if closing and closing.text == ":" and closing.glued else lines

    def host(self, at: int) -> int | None:
        """The index after ``word:123``, ``14:30`` and the like, where such a pair begins at ``at``."""
        if self.tokens[at].kind not in (Kind.WORD, Kind.MIXED, Kind.NUMBER, Kind.WEAK, *_LINE_KINDS):
            return None
        here = at
        while here + 2 < self.size and self._glued_text(here + 1) == ":" and self._is_number(here + 2, glued=True):
            here += 2
        if here == at or self.tokens[at].kind in (Kind.WEAK, *_LINE_KINDS):
            return None
        return here + 1

    def _over_marks(self, at: int) -> tuple[int, str, bool]:
        """Skip quotes, brackets and separators; also say which were seen and whether no space was among them."""
        here, marks, tied = at, "", True
        while here < min(self.size, at + _REACH):
            token = self.tokens[here]
            tied = tied and token.glued
            if token.kind is Kind.DASH and not (marks.endswith(":") and self._is_number(here + 1, glued=True)):
                marks += "-"
            elif token.kind is Kind.CELL:
                marks += "|"
            elif token.kind is Kind.PUNCTUATION and token.text in DRESS + OPENERS + CLOSERS + _SOFT + ":#":
                marks += token.text
            else:
                break
            here += 1
        return here, marks, tied

    def _after_word(self, at: int) -> Lines | None:
        """The numbers behind a word for "line"."""
        plural = self.tokens[at].kind is Kind.LINES
        self.a_means_and = self._text(at) in words.A_MEANS_AND
        here = at + 1
        ranged = self._text(at - 1) in words.BETWEEN
        for _ in range(6):
            if here >= self.size:
                return None
            token = self.tokens[here]
            folded = token.text.casefold()
            if token.kind in (Kind.NUMBER, Kind.ANCHOR):
                return self._list(here, plural=plural or ranged, free=True, between=ranged)
            if token.kind is Kind.DASH and self._is_number(here + 1, glued=True):
                value = -self.tokens[here + 1].value
                return Lines(((value, value),), here + 2)
            if folded in words.FROM and token.kind is not Kind.PUNCTUATION:
                ranged = ranged or folded in words.BETWEEN
                plural = True
                if self._text(here + 1) in words.ARTICLE:
                    here += 1
                if not self._reads_range(here + 1, ranged):
                    return None
            elif token.kind is Kind.PUNCTUATION and token.text == "(" and self._text(here + 2) == ")":
                plural, here = True, here + 2
            elif (
                not (token.kind is Kind.PUNCTUATION and token.text in DRESS + ":#=.°º№([")
                and folded not in words.NUMBER_WORD
            ):
                return None
            here += 1
        return None

    def _reads_range(self, at: int, between: bool) -> bool:
        lines = self._list(at, plural=True, free=True, between=between) if self._is_number(at) else None
        return lines is not None and lines.pairs[0][0] != lines.pairs[0][1]

    def _list(self, at: int, *, plural: bool, free: bool, tight: bool = False, between: bool = False) -> Lines | None:
        """``3``, ``3-5``, ``3, 5 and 9``. Numbers that are not ``free`` count only where nothing counted follows."""
        pairs: list[tuple[int, int]] = []
        end = at
        start: int | None = at
        glued_list = True
        while start is not None and len(pairs) < MAX_LIST:
            item = self._item(start, plural=plural, between=between)
            if item is None:
                break
            pair, after = item
            led = self.tokens[start].kind in (Kind.ANCHOR, *_LINE_KINDS) or (pairs and self._text(start) == ":")
            first_is_free = free and not pairs
            if not (first_is_free or plural or led or (pairs and glued_list and tight) or self._closed(after)):
                break
            pairs.append(pair)
            end = after
            start, glued_list = self._next_in_list(after)
        return Lines(tuple(pairs), end, tight) if pairs else None

    def _item(self, at: int, *, plural: bool, between: bool = False) -> tuple[tuple[int, int], int] | None:
        """One number or one range, and the index after it."""
        here = self._to_number(at)
        if here is None:
            return None
        low = self.tokens[here].value
        after = self._over_column(here + 1)
        second = self._range_end(after, between)
        if second is not None:
            spaced = not (self.tokens[after].glued and self.tokens[second].glued)
            after_second = self._over_column(second + 1)
            worded = self.tokens[after].kind in (Kind.WORD, Kind.DENSE)
            if plural or not (spaced or worded) or self._closed(after_second):
                return _ordered(low, self.tokens[second]), after_second
        return (low, low), after

    def _to_number(self, at: int) -> int | None:
        """The index of the number at ``at``, over an ``L``, a word for "line" or dress before it."""
        for here in range(at, min(at + 4, self.size)):
            token = self.tokens[here]
            if token.kind is Kind.NUMBER:
                return here
            lead = token.kind in (Kind.ANCHOR, *_LINE_KINDS) or (
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
            return self._to_number(at + 1)
        if token.kind is Kind.DENSE and words.CJK_TO.match(token.text):
            return self._to_number(at + 1)
        if folded == "a" and self.a_means_and:
            return None
        if token.kind is Kind.WORD and (folded in words.TO or folded == "up" or (between and folded in words.AND)):
            more = at + 1
            while more < at + 3 and (self._text(more) in words.TO or self._text(more) in words.ARTICLE):
                more += 1
            return self._to_number(more)
        return None

    def _over_column(self, at: int) -> int:
        """Behind a line number a column may follow (``3:15``)."""
        if self._glued_text(at) == ":" and self._is_number(at + 1, glued=True):
            return at + 2
        return at

    def _next_in_list(self, after: int) -> tuple[int | None, bool]:
        """Where the next number of a list would begin, and whether it is written without any space."""
        here, glued, joined = after, True, False
        while here < min(self.size, after + 4):
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
        number = self._to_number(here)
        if not joined or number is None:
            return None, False
        return here, glued and all(self.tokens[index].glued for index in range(here, number + 1))

    def _closed(self, at: int) -> bool:
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
            return self._to_number(at + 1) is not None or self._kind(at + 1) in (Kind.TRANSCRIPT, Kind.ID)
        return token.kind in (Kind.TRANSCRIPT, Kind.ID)

    def _dense_behind(self, here: int) -> Lines | None:
        """``…の13行目``, ``…的第3–5行``, ``…行 3`` behind a transcript."""
        text = self.tokens[here].text
        if words.CJK_LINE_BEFORE.search(text) and self._is_number(here + 1):
            return self._list(here + 1, plural=True, free=True)
        if words.CJK_POSSESSIVE.match(text) and self._is_number(here + 1):
            return self._dense_list(here + 1, words.CJK_LINE_AFTER.match)
        return None

    def _dense_list(self, at: int, ends: object) -> Lines | None:
        """Numbers that a word for "line" must follow."""
        lines = self._list(at, plural=True, free=True)
        if lines is None or not callable(ends) or not ends(self._dense_at(lines.end)):
            return None
        return lines

    def _unknown_word(self, at: int, marks: str) -> Lines | None:
        """One or two words of a language that is not known here, with a number that nothing else can mean."""
        if not any(mark in ",:(-|" for mark in marks):
            return None
        here = at
        while here < min(self.size, at + 2) and self.tokens[here].kind in (Kind.WORD, Kind.WEAK, *_LINE_KINDS):
            if self._text(here) in words.NOT_A_LINE or not self.tokens[here].text.isalpha():
                return None
            here += 1
        if here == at:
            return None
        while self._text(here) in {".", ":", "#", "№", "°"} or self._text(here) in words.NUMBER_WORD:
            here += 1
            if here > at + 4:
                return None
        if not self._is_number(here):
            return None
        lines = self._list(here, plural=False, free=False)
        if lines is None or not self._bracketed(lines.end):
            return None
        return lines

    def _bracketed(self, at: int) -> bool:
        """True at the end of the text, of a cell or of what stands in brackets."""
        if at >= self.size or self.tokens[at].kind is Kind.CELL:
            return True
        text = self.tokens[at].text
        return text in CLOSERS or (text in ";." and self._bracketed_end(at + 1))

    def _bracketed_end(self, at: int) -> bool:
        return at >= self.size or not self.tokens[at].glued

    def _bare_anchor(self, at: int) -> Lines | None:
        """``L9`` alone is a line only in a list or in brackets: there are caches and layers of that name."""
        if self.tokens[at].text != "L" or not self._is_number(at + 1, glued=True):
            return None
        before = self._text(at - 1)
        led = before in words.AND or before in words.OF or (before and before in OPENERS + DRESS + ",;&/+#@:→")
        if not led:
            return None
        lines = self._list(at, plural=False, free=False)
        return lines if lines is not None and self._closed(lines.end) else None

    def _ordinal(self, at: int) -> Lines | None:
        """``9行目``, ``3. Zeile``, ``3rd line``, ``5–7. sor``."""
        token = self.tokens[at]
        if token.kind is Kind.MIXED:
            value = _leading_number(token.text)
            if value is None or self._kind(at + 1) not in _LINE_KINDS:
                return None
            return Lines(((value, value),), at + 2)
        if at < self._plain_until:
            return None
        lines = self._list(at, plural=True, free=True)
        if lines is None:
            return None
        if words.CJK_ORDINAL_AFTER.match(self._dense_at(lines.end)):
            return lines
        if self._glued_text(lines.end) == "." and self._kind(lines.end + 1) in _LINE_KINDS:
            return Lines(lines.pairs, lines.end + 2)
        # A shorter list with the same end would be no other thing.
        self._plain_until = lines.end
        return None

    def _is_abbreviation(self, at: int) -> bool:
        """``l. 3``, ``Z. 3``, ``Lin. 3``."""
        text = self.tokens[at].text
        return text in ("l", "L", "Z", "z", "Lin", "lin", "Lig", "lig", "lg", "ř", "Ř", "в", "w") and (
            self._glued_text(at + 1) == "." and self._is_number(at + 2)
        )

    def _owner_before(self, at: int) -> bool:
        """True where a colon is glued, also over closing quotes, to a word or a number."""
        here = at
        while here > 0 and self.tokens[here].glued:
            before = self.tokens[here - 1]
            if before.kind is not Kind.PUNCTUATION:
                return before.kind not in (Kind.CELL, Kind.DASH, Kind.ELLIPSIS, Kind.DENSE)
            if before.text in OPENERS + ",;":
                return False
            if before.text not in DRESS + CLOSERS:
                return before.text in "]:"
            here -= 1
        return False

    def _is_number(self, at: int, *, glued: bool = False) -> bool:
        if not 0 <= at < self.size or self.tokens[at].kind is not Kind.NUMBER:
            return False
        return self.tokens[at].glued or not glued

    def _is_mark(self, at: int, marks: str) -> bool:
        return self._kind(at) is Kind.PUNCTUATION and self.tokens[at].text in marks

    def _glued_text(self, at: int) -> str:
        return self.tokens[at].text if 0 <= at < self.size and self.tokens[at].glued else ""

    def _text(self, at: int) -> str:
        return self.tokens[at].text.casefold() if 0 <= at < self.size else ""

    def _kind(self, at: int) -> Kind | None:
        return self.tokens[at].kind if 0 <= at < self.size else None

    def _dense_at(self, at: int) -> str:
        return self.tokens[at].text if self._kind(at) is Kind.DENSE else ""


def _ordered(low: int, end: Token) -> tuple[int, int]:
    """A range whose end is shortened (``110-15``) or turned round still has a first and a last line."""
    high = end.value
    if high < low and len(end.text) < len(str(low)):
        high = int(str(low)[: -len(end.text)] + end.text)
    return min(low, high), max(low, high)


def _leading_number(text: str) -> int | None:
    """The number of an ordinal such as ``3rd``, ``3ème``, ``3-я``."""
    digits = len(text) - len(text.lstrip("0123456789"))
    rest = text[digits:].lstrip("-.")
    if not digits or digits > 9 or len(rest) > 5 or not rest.isalpha():
        return None
    return int(text[:digits])
