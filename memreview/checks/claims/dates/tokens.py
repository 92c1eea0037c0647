"""Words, numbers and signs of a text, with what they may mean in one language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from memreview.checks.claims.dates.lexicon import Lexicon, Meaning

_PIECE = re.compile(r"[^\W\d_]+|\d+|\n|[^\s]")
_NOTHING: Meaning = {}
BREAK = "\n"


@dataclass(slots=True)
class Token:
    """A piece of the text. ``gap`` is the number of blanks before it; ``number`` is set for digits."""

    start: int
    end: int
    text: str
    low: str
    gap: int
    means: Meaning
    number: int | None = None


def tokenize(text: str, start: int, end: int, lexicon: Lexicon) -> list[Token]:
    """The tokens of a part of the text; phrases of the lexicon are one token each."""
    pieces = _pieces(text, start, end, lexicon)
    phrases = lexicon.phrases
    out: list[Token] = []
    at, count = 0, len(pieces)
    while at < count:
        token = pieces[at]
        found = _phrase(pieces, at, phrases) if token.low in phrases else None
        if found is None:
            out.append(token)
            at += 1
            continue
        size, means = found
        last = pieces[at + size - 1]
        out.append(Token(token.start, last.end, text[token.start : last.end], token.low, token.gap, means))
        at += size
    return out


def _pieces(text: str, start: int, end: int, lexicon: Lexicon) -> list[Token]:
    words, fold, compound = lexicon.words, lexicon.fold, lexicon.compound
    out: list[Token] = []
    before = start
    for match in _PIECE.finditer(text, start, end):
        piece, first, last = match.group(), match.start(), match.end()
        gap = first - before
        before = last
        head = piece[0]
        if head.isdigit():
            number = int(piece) if len(piece) < 9 and piece.isascii() else None
            out.append(Token(first, last, piece, piece, gap, _NOTHING, number))
            continue
        if not head.isalpha():
            out.append(Token(first, last, piece, piece, gap, words.get(piece, _NOTHING)))
            continue
        low = fold(piece)
        means = words.get(low, _NOTHING)
        parts = compound.match(low) if compound is not None and not means and len(low) == len(piece) else None
        if parts is None:
            out.append(Token(first, last, piece, low, gap, means))
            continue
        cut = first + parts.end(1) + (1 if low[parts.end(1) : parts.start(2)] == "s" else 0)
        head_word, tail_word = parts[1], parts[2]
        out.append(Token(first, cut, text[first:cut], head_word, gap, words.get(head_word, _NOTHING)))
        out.append(Token(cut, last, text[cut:last], tail_word, 0, words.get(tail_word, _NOTHING)))
    return out


def _phrase(
    pieces: list[Token], at: int, phrases: Mapping[str, tuple[tuple[tuple[str, ...], Meaning], ...]]
) -> tuple[int, Meaning] | None:
    """The longest phrase that begins here: (its pieces, its meaning)."""
    for parts, means in phrases[pieces[at].low]:
        size = len(parts)
        if at + size > len(pieces):
            continue
        if all(pieces[at + k].low == parts[k] and pieces[at + k].gap <= 2 for k in range(1, size)):
            return size, means
    return None


END = Token(-1, -1, "", "", 0, _NOTHING)
