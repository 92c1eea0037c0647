"""Where a value stands in a text as a whole word. Looking costs less than compiling a pattern for it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memreview.checks.claims.folding import CJK

_WIDE = re.compile(f"[{CJK}]")


def is_word(char: str) -> bool:
    """True for a letter, digit or underscore of a script that puts blanks between words."""
    return (char.isalnum() or char == "_") and (char < "\u3000" or not _WIDE.match(char))


def lowered(text: str) -> str:
    """The text in lower case, each character still in its place."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def whole(text: str, value: str, *, before: str = "", after: str = "", joins: str = "") -> Iterator[tuple[int, int]]:
    """Places of ``value`` that are no part of a longer word.

    Neither one of ``before`` may stand in front of it nor one of ``after`` behind it, nor one of ``joins`` behind it
    that goes on into a word.
    """
    if not value:
        return
    at, size = text.find(value), len(value)
    while at >= 0:
        end = at + size
        left, right = text[at - 1 : at], text[end : end + 1]
        free = not (left and ((is_word(left) and is_word(value[0])) or left in before))
        if free and right:
            free = not ((is_word(right) and is_word(value[-1])) or right in after)
            free = free and not (right in joins and end + 1 < len(text) and is_word(text[end + 1]))
        if free:
            yield at, end
        at = text.find(value, at + 1)
