"""Line numbers among the tokens of an entry, and whether a number is one at all."""

from __future__ import annotations

from memreview.read import changes_words as words
from memreview.read.changes_ranges import CLOSERS, DRESS, LINE_KINDS, OPENERS, Lines, Ranges
from memreview.read.changes_tokens import Kind


class Numbers(Ranges):
    """Reads line numbers at a place in a list of tokens; None means that there is none."""

    def behind(self, at: int) -> Lines | None:
        """The lines that belong to the transcript before ``at``."""
        here, marks, tied = self.over_marks(at)
        if here >= self.size:
            return None
        token = self.tokens[here]
        tight = tied and token.glued and (":" in marks or "#" in marks)
        if token.kind in (*LINE_KINDS, Kind.WEAK):
            return self._after_word(here) or self._unknown_word(here, marks)
        if token.kind is Kind.ANCHOR:
            return self.number_list(here, plural=False, free=True, tight=tight)
        if token.kind is Kind.DASH and tight and self.is_number(here + 1, glued=True):
            value = -self.tokens[here + 1].value
            return Lines(((value, value),), here + 2, True)
        if token.kind is Kind.NUMBER:
            if "#" in marks and not tied and marks != "#":
                return None
            dense = self.dense_at(here + 1)
            free = tight or bool(words.CJK_LINE_AFTER.match(dense))
            return self.number_list(here, plural=False, free=free, tight=tight)
        if token.kind is Kind.DENSE:
            return self._dense_behind(here)
        if self._is_abbreviation(here, behind_name=True):
            return self._after_word(here)
        return self._unknown_word(here, marks)

    def behind_file(self, at: int, is_note: bool) -> Lines | None:
        """The lines that belong to the note or source file before ``at``: only what is clearly bound to it."""
        here, marks, tied = self.over_marks(at)
        if here >= self.size:
            return None
        token = self.tokens[here]
        if "|" in marks:
            return None
        tight = tied and token.glued and (":" in marks or "#" in marks)
        if token.kind in LINE_KINDS:
            apart = not self.tokens[here].glued and (":" in marks or any(mark in "-–—→" for mark in marks))
            return None if is_note and apart else self._after_word(here)
        if token.kind is Kind.ANCHOR or (token.kind is Kind.NUMBER and tight):
            return self.number_list(here, plural=False, free=True, tight=tight)
        return None

    def alone(self, at: int) -> Lines | None:
        """Lines that name no transcript: ``line 9``, ``第9行``, ``9行目``, ``3. Zeile``, ``L9``."""
        token = self.tokens[at]
        if token.kind in LINE_KINDS or (token.kind is Kind.WORD and self._is_abbreviation(at)):
            return self._after_word(at)
        if token.kind is Kind.ANCHOR:
            return self._bare_anchor(at)
        if token.kind is Kind.DENSE:
            if words.CJK_LINE_BEFORE.search(token.text) and self.is_number(at + 1):
                return self.number_list(at + 1, plural=True, free=True)
            if words.CJK_NTH.search(token.text) and self.is_number(at + 1):
                return self._dense_list(at + 1, words.CJK_LINE_AFTER.match)
            return None
        if token.kind in (Kind.NUMBER, Kind.MIXED):
            return self._ordinal(at)
        return None

    def weak(self, at: int) -> Lines | None:
        """The numbers behind a word that means a line only together with a transcript's name."""
        if self.tokens[at].kind is Kind.ANCHOR:
            return self.number_list(at, plural=False, free=True)
        return self._after_word(at)

    def linked(self, at: int) -> Lines | None:
        """Numbers that are the whole text of a link."""
        if not self.is_number(at) or self.text_at(at - 1) != "[":
            return None
        lines = self.number_list(at, plural=True, free=True)
        return lines if lines and self.text_at(lines.end) == "]" and self.glued_text(lines.end + 1) == "(" else None

    def bare(self, at: int) -> Lines | None:
        """``:9`` and ``#L9`` where nothing stands before that the number could belong to."""
        if self._owner_before(at):
            return None
        here = at + 1
        anchored = here < self.size and self.tokens[here].kind is Kind.ANCHOR and self.tokens[here].glued
        if self.tokens[at].text == "#" and not anchored:
            return None
        if not anchored and not self.is_number(here, glued=True):
            return None
        lines = self.number_list(here, plural=False, free=True, tight=True)
        closing = lines is not None and lines.end < self.size and self.tokens[lines.end]
        return None if closing and closing.text == ":" and closing.glued else lines

    def host(self, at: int) -> int | None:
        """The index after ``word:123``, ``14:30`` and the like, where such a pair begins at ``at``."""
        if self.tokens[at].kind not in (Kind.WORD, Kind.MIXED, Kind.NUMBER):
            return None
        here = at
        while here + 2 < self.size and self.glued_text(here + 1) == ":" and self.is_number(here + 2, glued=True):
            here += 2
        if here == at:
            return None
        return here + 1

    def _after_word(self, at: int) -> Lines | None:
        """The numbers behind a word for "line"."""
        plural = self.tokens[at].kind is Kind.LINES
        self.a_means_and = self.text_at(at) in words.A_MEANS_AND
        here = at + 1
        ranged = self.text_at(at - 1) in words.BETWEEN
        for _ in range(6):
            if here >= self.size:
                return None
            token = self.tokens[here]
            folded = token.text.casefold()
            if token.kind in (Kind.NUMBER, Kind.ANCHOR):
                return self.number_list(here, plural=plural or ranged, free=True, between=ranged)
            if token.kind is Kind.DASH and self.is_number(here + 1, glued=True):
                value = -self.tokens[here + 1].value
                return Lines(((value, value),), here + 2)
            if folded in words.FROM and token.kind is not Kind.PUNCTUATION:
                ranged = ranged or folded in words.BETWEEN
                plural = True
                if self.text_at(here + 1) in words.ARTICLE:
                    here += 1
                if not self._reads_range(here + 1, ranged):
                    return None
            elif token.kind is Kind.PUNCTUATION and token.text == "(" and self.text_at(here + 2) == ")":
                plural, here = True, here + 2
            elif (
                not (token.kind is Kind.PUNCTUATION and token.text in DRESS + ":#=.°º№([")
                and folded not in words.NUMBER_WORD
            ):
                return None
            here += 1
        return None

    def _reads_range(self, at: int, between: bool) -> bool:
        lines = self.number_list(at, plural=True, free=True, between=between) if self.is_number(at) else None
        return lines is not None and lines.pairs[0][0] != lines.pairs[0][1]

    def _dense_behind(self, here: int) -> Lines | None:
        """``…の13行目``, ``…的第3–5行``, ``…行 3`` behind a transcript."""
        text = self.tokens[here].text
        if words.CJK_LINE_BEFORE.search(text) and self.is_number(here + 1):
            return self.number_list(here + 1, plural=True, free=True)
        if words.CJK_POSSESSIVE.match(text) and self.is_number(here + 1):
            return self._dense_list(here + 1, words.CJK_LINE_AFTER.match)
        return None

    def _dense_list(self, at: int, ends: object) -> Lines | None:
        """Numbers that a word for "line" must follow."""
        lines = self.number_list(at, plural=True, free=True)
        if lines is None or not callable(ends) or not ends(self.dense_at(lines.end)):
            return None
        return lines

    def _unknown_word(self, at: int, marks: str) -> Lines | None:
        """One or two words of a language that is not known here, with a number that nothing else can mean."""
        if not any(mark in ",:(-|" for mark in marks):
            return None
        here = at
        while here < min(self.size, at + 2) and self.tokens[here].kind in (Kind.WORD, Kind.WEAK, *LINE_KINDS):
            if self.text_at(here) in words.NOT_A_LINE or not self.tokens[here].text.isalpha():
                return None
            here += 1
        if here == at:
            return None
        while self.text_at(here) in {".", ":", "#", "№", "°"} or self.text_at(here) in words.NUMBER_WORD:
            here += 1
            if here > at + 4:
                return None
        if not self.is_number(here):
            return None
        lines = self.number_list(here, plural=False, free=False)
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
        if self.tokens[at].text != "L" or not self.is_number(at + 1, glued=True):
            return None
        before = self.text_at(at - 1)
        led = before in words.AND or before in words.OF or (before and before in OPENERS + DRESS + ",;&/+#@:→")
        if not led:
            return None
        lines = self.number_list(at, plural=False, free=False)
        return lines if lines is not None and self.is_closed(lines.end) else None

    def _ordinal(self, at: int) -> Lines | None:
        """``9行目``, ``3. Zeile``, ``3rd line``, ``5–7. sor``."""
        token = self.tokens[at]
        if token.kind is Kind.MIXED:
            value = _leading_number(token.text)
            if value is None or self.kind_at(at + 1) not in LINE_KINDS:
                return None
            return Lines(((value, value),), at + 2)
        if at < self._plain_until:
            return None
        lines = self.number_list(at, plural=True, free=True)
        if lines is None:
            return None
        if words.CJK_ORDINAL_AFTER.match(self.dense_at(lines.end)):
            return lines
        if self.glued_text(lines.end) == "." and self.kind_at(lines.end + 1) in LINE_KINDS:
            return Lines(lines.pairs, lines.end + 2)
        # A shorter list with the same end would be no other thing.
        self._plain_until = lines.end
        return None

    def _is_abbreviation(self, at: int, *, behind_name: bool = False) -> bool:
        """``l. 3``, ``Z. 3``, ``L:3``; ``L 3`` only behind a transcript's name."""
        if self.text_at(at) not in words.LINE_SHORT:
            return False
        marked = self.text_at(at + 1) in (".", ":") and self.is_number(at + 2)
        return marked or (behind_name and self.is_number(at + 1))

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


def _leading_number(text: str) -> int | None:
    """The number of an ordinal such as ``3rd``, ``3ème``, ``3-я``."""
    digits = len(text) - len(text.lstrip("0123456789"))
    rest = text[digits:].lstrip("-.")
    if not digits or digits > 9 or len(rest) > 5 or not rest.isalpha():
        return None
    return int(text[:digits])
