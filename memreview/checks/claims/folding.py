"""Text brought into a form in which the same words look the same.

What was found to matter (Unicode NFKC, casefold, typographic quotes, dashes and blanks, Markdown and terminal colours
taken off) is applied alike to claims and to evidence.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

CJK = "\u3005\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
"""Kana and Han, as the inside of a character class: scripts that put no blanks between words."""
W = rf"(?-i:[^\W{CJK}])"
"""A character of a word in the scripts that do put blanks between words, for use in the borders of other patterns.

Neither of its parts has a case; without the flag it is compiled much faster.
"""

ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_TYPOGRAPHY = {
    **dict.fromkeys(map(ord, "‘’‚‛′`´ʼ＇"), "'"),
    **dict.fromkeys(map(ord, "“”„‟″«»‹›＂「」『』"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－"), "-"),
    **dict.fromkeys(map(ord, "\u00a0\u2007\u202f\u2009\u200a\u2002\u2003\u3000"), " "),
    **dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"), None),
}
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3}|_{1,3}|~~)(?=\S)(.{1,400}?)(?<=\S)\1(?![\w*])")
_LINK = re.compile(
    r"!?\[([^\]\n]{0,400})\]\(([^()\s]{0,400}(?:\([^()\s]{0,400}\)[^()\s]{0,400})?)(?:\s+\"[^\"\n]*\")?\)"
)
_FRENCH = re.compile(r"([«‹])[ \u00a0\u2009\u202f]*([^«»‹›]{1,400}?)[ \u00a0\u2009\u202f]*([»›])")
"""Quotes as the French set them, with blanks inside."""
_SHORT = 400
"""Characters of a text whose folded form is kept; that of a whole record is kept by the record."""
_OTHER_LETTERS = str.maketrans({"ø": "o", "đ": "d", "ł": "l", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"})


def without_colours(text: str) -> str:
    """The text without terminal escape sequences."""
    return ANSI.sub("", text) if "\x1b" in text else text


def without_markdown(text: str) -> str:
    """Emphasis, strike-through, back-ticks and link syntax taken off; the words of a link and its address stay."""
    if "](" in text:
        text = _LINK.sub(r"\1 \2", text)
    if "*" in text or "_" in text or "~~" in text:
        text = _EMPHASIS.sub(r"\2", text)
    return text.replace("`", "")


def fold_case_kept(text: str) -> str:
    """Words only: compatibility forms, typography, Markdown and colours folded, blanks collapsed; case as written."""
    return _fold_case_kept(text) if len(text) <= _SHORT else _fold_case_kept.__wrapped__(text)


def fold(text: str) -> str:
    """As :func:`fold_case_kept`, without upper case."""
    return _fold(text) if len(text) <= _SHORT else fold_case_kept(text).casefold()


def plain_letters(text: str) -> str:
    """Folded, and without diacritics (Zoë = zoe; ß = ss; ø = o)."""
    return _plain_letters(text) if len(text) <= _SHORT else _plain_letters.__wrapped__(text)


def _without_blanks_in_quotes(text: str) -> str:
    """French quotes without the blanks inside. Where the first one points outwards, they are German: »so« it stays."""
    first = re.search("[«»‹›]", text)
    return _FRENCH.sub(r"\1\2\3", text) if first is not None and first.group() in "«‹" else text


@lru_cache(maxsize=4096)
def _fold_case_kept(text: str) -> str:
    text = without_markdown(without_colours(text))
    if not text.isascii():
        if "»" in text or "›" in text:
            text = _without_blanks_in_quotes(text)
        text = unicodedata.normalize("NFKC", text.translate(_TYPOGRAPHY)).translate(_TYPOGRAPHY)
    return " ".join(text.split())


@lru_cache(maxsize=4096)
def _fold(text: str) -> str:
    return fold_case_kept(text).casefold()


@lru_cache(maxsize=4096)
def _plain_letters(text: str) -> str:
    folded = fold(text)
    if folded.isascii():
        return folded
    bare = (c for c in unicodedata.normalize("NFD", folded) if not unicodedata.combining(c))
    return "".join(bare).translate(_OTHER_LETTERS)


def fold_long(text: str) -> str:
    """As :func:`fold`, for long texts that are not to be held in memory."""
    return _fold_case_kept.__wrapped__(text).casefold()
