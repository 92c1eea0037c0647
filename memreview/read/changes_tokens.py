"""Words, numbers and names in the text of an entry.

Names of transcripts are cut out first, because they may hold everything else: digits, dots, dates, dashes. What is left
falls into runs of one kind. Every character is looked at a bounded number of times.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum
from typing import NamedTuple

from memreview.read import changes_words as words
from memreview.read.finder import UUID

MAX_NAME = 1024
MAX_NUMBER = 10**15
"""Longer numbers are no lines of any file; they are kept as this one."""

Known = Callable[[str], bool]


class Kind(Enum):
    """What a token is."""

    TRANSCRIPT = "transcript"
    ID = "id"
    UUID = "uuid"
    NOTE = "note"
    SOURCE = "source"
    NUMBER = "number"
    ANCHOR = "anchor"
    """The ``L`` of ``L3``."""
    LINE = "line"
    LINES = "lines"
    WEAK = "weak"
    """A word that means a line only behind a transcript's name."""
    WORD = "word"
    DENSE = "dense"
    """A run of a script that is written without spaces."""
    DASH = "dash"
    ELLIPSIS = "ellipsis"
    MIXED = "mixed"
    """Letters with digits, decimals, dates, versions."""
    CELL = "cell"
    PUNCTUATION = "punctuation"


class Token(NamedTuple):
    """``glued`` is False where white space stands before; ``value`` is that of a number."""

    kind: Kind
    text: str
    start: int
    end: int
    glued: bool
    value: int = 0


DENSE = (  # inside of a character class
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035"
    "\u3040-\u30fa\u30fc-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff"
)
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
_LETTER = f"(?:[^\\W_{DENSE}]|[{_MARKS}])"
_PIECE = re.compile(
    f"(?P<space>\\s+)|(?P<dense>[{DENSE}]+)|(?P<run>{_LETTER}(?:{_LETTER}|(?:[./\\\\-]|_+)(?={_LETTER}))*)"
    "|(?P<ellipsis>…|\\.{2,})|(?P<dash>[-–—―−‒〜～~]+)|(?P<cell>\x00)|(?P<other>.)",
    re.DOTALL,
)
_SUFFIX = re.compile(
    r"(?:(?<=[0-9a-fA-F-])\*|\[(?:…|\.{3})\])?\.jsonl"
    r"(?:\.gz|\.(?:superseded|orphaned)-[\w.-]{1,200}(?<=\w)|\.(?:bak|old|orig|backup|\d{1,3}))?(?![A-Za-z0-9_])",
    re.IGNORECASE,
)
_NAME_STOP = re.compile(r"[\s()\[\]{}<>\"'`|,;:*?=\x00。、「」『』【】《》〈〉“”„‟‘’‚«»‹›–—―→⇒]")
_SEPARATORS = re.compile(r"[\\/]+")
_BROKEN = re.compile(r"(?<=[-/_.])[ ]*\n[ ]*")
_MAX_WIDENINGS = 6
_LINES_BEHIND = re.compile(r"[`*_\"'”»)\]]{0,3}(?:[:#][lL]?\d|,?\s?\(?([^\W\d_]{1,14})\.?\s\d)")
_PAIR = re.compile(r"\d{1,12}(?:-\d{1,12})?[/&+]")
_RANGE = re.compile(r"([lL]?)(\d+)-([lL]?)(\d+)")
_ANCHORED = re.compile(r"[lL](\d+)")
_FRACTION = re.compile(r"\d+(?:/\d+)+")
_FOLLOWING = re.compile(r"(\d+)ff?")
_NAMED_LINE = re.compile(r"([^\W\d_]{2,20})[-.]?(\d+)(?:-(\d+))?")
_FILE = re.compile(r"(?:.*[\w])\.([A-Za-z][A-Za-z0-9]{0,9})", re.DOTALL)
_HEX_PART = re.compile(r"[0-9a-f][0-9a-f-]{2,35}", re.IGNORECASE)


def tokenize(text: str, known: Known) -> list[Token]:
    """All tokens of ``text``; ``known`` says whether a word is the name or the id of a transcript."""
    tokens: list[Token] = []
    at = 0
    for start, end, name in _transcript_spans(text, known):
        tokens.extend(_pieces(text, at, start, known))
        tokens.append(Token(Kind.TRANSCRIPT, name, start, end, start > 0 and not text[start - 1].isspace()))
        at = end
    tokens.extend(_pieces(text, at, len(text), known))
    return _join_short_ids(text, tokens)


def _transcript_spans(text: str, known: Known) -> Iterator[tuple[int, int, str]]:
    """Where the names of transcripts stand, and what they are. A path belongs to its name."""
    free = 0
    for match in _SUFFIX.finditer(text):
        low = max(free, match.start() - MAX_NAME)
        start = match.start()
        while start > low and not _NAME_STOP.match(text[start - 1]):
            start -= 1
        if start > 1 and text[start - 1] == ":" and text[start] in "\\/" and text[start - 2].isalpha():
            start -= 2
        pair = _PAIR.match(text, start, match.start()) if start == free + 1 and text[free] == ":" else None
        start = pair.end() if pair else start
        name = text[start : match.end()]
        if not known(_SEPARATORS.split(name)[-1]):
            start, name = _wider_name(text, low, start, match.end(), known)
        if re.search(r"\w", name[: match.start() - match.end()]):
            free = match.end()
            yield start, free, name


def _wider_name(text: str, low: int, start: int, end: int, known: Known) -> tuple[int, str]:
    """A name may hold spaces, colons and brackets, or be broken over two lines; only one that exists is taken so."""
    here = start
    for _ in range(_MAX_WIDENINGS):
        stop = here
        while stop > low and _NAME_STOP.match(text[stop - 1]):
            stop -= 1
        if stop == low or here - stop > 20:
            break
        here = stop
        while here > low and not _NAME_STOP.match(text[here - 1]):
            here -= 1
        name = text[here:end]
        if "\n" in name:
            name = _BROKEN.sub("", name)
        if "\n" not in name and known(_SEPARATORS.split(name)[-1]):
            return here, name
    return start, text[start:end]


def _pieces(text: str, start: int, end: int, known: Known) -> Iterator[Token]:
    glued = start > 0
    for match in _PIECE.finditer(text, start, end):
        if match.lastgroup == "space":
            glued = False
            continue
        piece, low, high = match.group(), match.start(), match.end()
        if match.lastgroup == "run":
            if piece.isalpha() and _is_bare_name(text, piece, high, known):
                yield Token(Kind.ID, piece, low, high, glued)
            else:
                yield from _run(piece, low, high, glued, known)
        else:
            yield Token(_SIMPLE[match.lastgroup or "other"], piece, low, high, glued)
        glued = True


def _is_bare_name(text: str, word: str, end: int, known: Known) -> bool:
    """A transcript may be named without ``.jsonl``; a mere word is one only with a line right behind it."""
    lines = _LINES_BEHIND.match(text, end)
    if lines is None or len(word) < 2:
        return False
    return (lines.group(1) is None or _word_kind(lines.group(1)) in (Kind.LINE, Kind.LINES)) and known(word)


_SIMPLE = {
    "dense": Kind.DENSE,
    "ellipsis": Kind.ELLIPSIS,
    "dash": Kind.DASH,
    "cell": Kind.CELL,
    "other": Kind.PUNCTUATION,
}


def _run(piece: str, start: int, end: int, glued: bool, known: Known) -> Iterator[Token]:
    """A run of letters, digits and inner dots, dashes and slashes, as one token or taken apart."""
    if piece.isdecimal():
        kind = Kind.ID if len(piece) == 8 and known(piece) else Kind.NUMBER
        yield Token(kind, piece, start, end, glued, _value(piece))
        return
    if piece[0].isalpha() and piece.isalpha():
        yield Token(_word_kind(piece), piece, start, end, glued)
        return
    parts = list(_numbers_in(piece, start, glued))
    if parts:
        yield from parts
        return
    yield Token(_name_kind(piece, known), piece, start, end, glued)


def _name_kind(piece: str, known: Known) -> Kind:
    if UUID.fullmatch(piece):
        return Kind.ID if known(piece) else Kind.UUID
    if 4 <= len(piece) <= 200 and known(piece):
        return Kind.ID
    extension = _FILE.fullmatch(piece)
    if extension:
        return Kind.NOTE if extension.group(1).lower() == "md" else Kind.SOURCE
    if not any(letter.isdecimal() for letter in piece):
        return _word_kind(piece)
    return Kind.MIXED


def _numbers_in(piece: str, start: int, glued: bool) -> Iterator[Token]:
    """``3-5``, ``L3-L5``, ``3/5``, ``L3``, ``3ff`` and ``line3`` hold numbers of lines; other mixtures do not."""
    match = _RANGE.fullmatch(piece) or _ANCHORED.fullmatch(piece) or _FOLLOWING.fullmatch(piece)
    match = match or _FRACTION.fullmatch(piece)
    if match is None:
        match = _NAMED_LINE.fullmatch(piece)
        if match is None or _word_kind(match.group(1)) not in (Kind.LINE, Kind.LINES):
            return
    for part in re.finditer(r"\d+|[^\W\d_]+|[-/]", piece):
        text = part.group()
        low, high = start + part.start(), start + part.end()
        tied = glued if part.start() == 0 else True
        if text.isdecimal():
            yield Token(Kind.NUMBER, text, low, high, tied, _value(text))
        elif text in "lL":
            yield Token(Kind.ANCHOR, text, low, high, tied)
        elif text == "-":
            if part.start() and piece[part.start() - 1].isdecimal():
                yield Token(Kind.DASH, text, low, high, tied)
        elif text == "/":
            yield Token(Kind.PUNCTUATION, text, low, high, tied)
        elif text not in ("f", "ff"):
            yield Token(_word_kind(text), text, low, high, tied)


def _word_kind(word: str) -> Kind:
    folded = word.casefold()
    if folded in words.LINES:
        return Kind.LINES
    if folded in words.LINE:
        return Kind.LINE
    return Kind.WEAK if folded in words.WEAK else Kind.WORD


def _value(digits: str) -> int:
    return int(digits) if len(digits) <= 15 else MAX_NUMBER


def _join_short_ids(text: str, tokens: list[Token]) -> list[Token]:
    """``4f2a91c7…``, ``4f2a91c7-…`` and ``4f2a…1e30`` are one id each."""
    if not any(token.kind is Kind.ELLIPSIS for token in tokens):
        return tokens
    joined: list[Token] = []
    at = 0
    while at < len(tokens):
        last = _end_of_short_id(tokens, at)
        first = tokens[at]
        if last is not None:
            joined.append(
                Token(Kind.ID, text[first.start : tokens[last].end], first.start, tokens[last].end, first.glued)
            )
            at = last + 1
        else:
            joined.append(first)
            at += 1
    return joined


def _end_of_short_id(tokens: list[Token], at: int) -> int | None:
    """The index of the last token of an id with a part left out that begins at ``at``."""
    first = tokens[at]
    named = first.kind is Kind.ID or first.text.lower().startswith("agent-")
    if not named and not (first.kind in _MAY_BEGIN_ID and _HEX_PART.fullmatch(first.text)):
        return None
    here = at + 1
    if here < len(tokens) and tokens[here].kind is Kind.DASH and tokens[here].glued and tokens[here].text == "-":
        here += 1
    if here >= len(tokens) or tokens[here].kind is not Kind.ELLIPSIS or not tokens[here].glued:
        return None
    if not named and not _looks_cut(first.text):
        return None
    after = here + 1
    if after < len(tokens) and tokens[after].glued and tokens[after].kind in _MAY_BEGIN_ID:
        if not _HEX_PART.fullmatch(tokens[after].text):
            return None
        return after
    return here


def _looks_cut(text: str) -> bool:
    """Numbers and words like "added" are hexadecimal too, but seldom the beginning of an id."""
    digits = sum(letter.isdecimal() for letter in text)
    return len(text) >= 8 or (len(text) >= 4 and 0 < digits < len(text))


_MAY_BEGIN_ID = (Kind.NUMBER, Kind.MIXED, Kind.WORD)
