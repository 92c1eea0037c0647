"""Texts that a person may take instead of a line in which a claim is flagged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memreview.review.index import Unit
from memreview.tui.content import decode_line
from memreview.tui.rows.claims import ClaimRow

_SMALL = (
    r"(?:since|in|on|at|by|until|till|from|as of|of|for|after|before|around|about|the|a|an|"
    r"seit|im|am|um|bis|vom|von|ab|gegen|etwa|ca\.|der|die|das|den|dem|"
    r"depuis|en|le|la|à|au|desde|el|hasta)\s+"
)
_LEADING = re.compile(rf"(?:(?<=[\s(\[])|^)(?:{_SMALL})+$", re.IGNORECASE)
"""Small words that belong to what follows, in the languages whose dates are read."""
_LED = re.compile(_SMALL, re.IGNORECASE)
_BY_ITSELF = re.compile(
    r"(?:last|this|next|yesterday|today|tonight|tomorrow|gestern|heute|morgen|hier|ayer|hoy)\b", re.I
)
"""Days that need no small word before them, and bear none that says when."""
_WHEN = re.compile(r"(?:(?<=[\s(\[])|^)(?:in|on|at|am|im|um|en|au|à)\s+$", re.IGNORECASE)
_PAIRS = {"`": "`", "“": "”", "„": "“", '"': '"', "'": "'", "(": ")", "[": "]", "*": "*", "_": "_"}
_EMPTY = re.compile(r"\(\s*\)|\[\s*\]|``|“\s*”")
_SPACE_BEFORE = re.compile(r"[ \t]+(?=[,.;:!?)\]])")
_DOUBLED = re.compile(r"(?<=\S)[ \t]{2,}(?=\S)")
_COMMAS = re.compile(r"([,;:])(?:\s*[,;:])+")
_LOOSE_END = re.compile(r"(?:\s+[—–-]|[,;:])\s*(?=[.!?]?\s*$)")
_HEAD = re.compile(r"\s*(?:[-*+>#]+\s+|\d+[.)]\s+)*(?:\[[ xX]\]\s+)?")
"""What a line begins with before its words: indentation, list sign, quote sign, box."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[\"“(`*\w])")


@dataclass(frozen=True, slots=True)
class Offer:
    """What may stand instead: all lines of the change, what is different about them, and the line that differs.

    ``line`` is None where one is left out or put back.
    """

    words: str
    lines: tuple[str, ...]
    line: int | None = None


def offers_for(row: ClaimRow, lines: Sequence[str], unit: Unit) -> tuple[Offer, ...]:
    """What may stand instead of the present ``lines`` of a change because of one row of its table.

    Of a claim that was lost the old line may come back. Nothing where the words are not in the lines any more.
    """
    if row.line.side == "removed":
        return put_back(lines, decode_line(unit.change.removed[row.line.at])) if unit.change is not None else ()
    place = found_again(lines, row.line.at, row.start, row.text)
    if place is None:
        return ()
    nearest = row.claim.nearest if row.claim is not None else None
    return offers(lines, *place, place[1] + len(row.text), nearest)


def offers(lines: Sequence[str], at: int, start: int, end: int, nearest: str | None) -> tuple[Offer, ...]:
    """What may stand instead of ``lines``, of which line ``at`` claims something from ``start`` to ``end``.

    ``nearest`` is the nearest value that the records support. No two offers lead to the same lines, and none to no
    lines at all.
    """
    found: list[Offer] = []
    seen = {tuple(lines)}
    for words, text in _texts(lines[at], start, end, nearest):
        new = (*lines[:at], *(() if text is None else (text,)), *lines[at + 1 :])
        if new and new not in seen:
            seen.add(new)
            found.append(Offer(words, new, None if text is None else at))
    return tuple(found)


def put_back(lines: Sequence[str], old: str) -> tuple[Offer, ...]:
    """An old line that the new ones have lost, before them."""
    return (Offer("with the old line as well", (old, *lines)),) if old not in lines else ()


def found_again(lines: Sequence[str], at: int, start: int, words: str) -> tuple[int, int] | None:
    """Line and place of the words of a claim in lines that a person has changed since, the nearest to where it was."""
    order = sorted(range(len(lines)), key=lambda number: (abs(number - at), number))
    for number in order:
        places = [match.start() for match in re.finditer(re.escape(words), lines[number])]
        if places:
            return number, min(places, key=lambda place: abs(place - start))
    return None


def _texts(line: str, start: int, end: int, nearest: str | None) -> Iterator[tuple[str, str | None]]:
    """Lines to put in place, None for no line, each with what it is."""
    words = line[start:end]
    if nearest and nearest != words:
        said = f"with “{nearest}”, the nearest value that is supported"
        yield said, line[: _lead(line, start, nearest)] + nearest + line[end:]
    without = without_words(line, start, end)
    if _says_something(without):
        yield "without these words", without
    for what, (begin, stop) in (("brackets", _bracket(line, start, end)), ("sentence", _sentence(line, start, end))):
        shorter = tidy(line[:begin] + line[stop:], begin)
        if stop > begin and _says_something(shorter):
            yield f"without the {what} around them", shorter
    yield "without the line", None


def _lead(line: str, start: int, nearest: str) -> int:
    """Where the words that go begin: small words before them go too where ``nearest`` brings its own or bears none."""
    small = _LEADING if _LED.match(nearest) else _WHEN if _BY_ITSELF.match(nearest) else None
    leading = small.search(line, 0, start) if small is not None else None
    return leading.start() if leading else start


def without_words(line: str, start: int, end: int) -> str:
    """A line without the words from ``start`` to ``end``, their quotes, and the small words that lead to them."""
    while start and end < len(line) and _PAIRS.get(line[start - 1]) == line[end]:
        start, end = start - 1, end + 1
    leading = _LEADING.search(line, 0, start)
    cut = leading.start() if leading else start
    return tidy(line[:cut] + line[end:], cut)


def tidy(line: str, near: int) -> str:
    """A line from which something was cut at about ``near``: no empty brackets, doubled blanks or loose signs there."""
    head = _HEAD.match(line)
    keep = head.end() if head and head.end() <= near else 0
    body = line[keep:]
    while (shorter := _EMPTY.sub("", body)) != body:
        body = shorter
    body = _COMMAS.sub(r"\1", _DOUBLED.sub(" ", _SPACE_BEFORE.sub("", body)))
    body = _LOOSE_END.sub("", body.strip(" \t"))
    return line[:keep] + re.sub(r"^[,;:.]\s*", "", body)


def _says_something(line: str) -> bool:
    head = _HEAD.match(line)
    return any(char.isalnum() for char in line[head.end() if head else 0 :])


def _bracket(line: str, start: int, end: int) -> tuple[int, int]:
    """The innermost round brackets around a place; nothing where there are none."""
    depth = 0
    for place in range(start - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(line[place], 0)
        if depth < 0:
            close = line.find(")", end)
            return (place, close + 1) if close >= 0 else (0, 0)
    return 0, 0


def _sentence(line: str, start: int, end: int) -> tuple[int, int]:
    """The sentence around a place, with the blanks behind it."""
    head = _HEAD.match(line)
    first = head.end() if head else 0
    cuts = [first, *(match.end() for match in _SENTENCE_END.finditer(line, first)), len(line)]
    begin = max((cut for cut in cuts if cut <= start), default=first)
    stop = min((cut for cut in cuts if cut >= end), default=len(line))
    return begin, stop
