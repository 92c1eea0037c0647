"""What was said about the same thing afterwards: a quote proves only what was said then. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from memreview.checks.claims import cues
from memreview.checks.claims.records import Source
from memreview.model.transcript import Speaker

SHARE: Final = 0.5
"""So much of what a line names must stand together in a record for it to speak of the same."""
SHARE_TAKEN_BACK: Final = 0.3
"""So much where the record denies something there, or takes it back."""
FEWEST: Final = 2
WINDOW: Final = 240
"""Characters that stand together: a sentence or two."""
_AGAINST: Final = (cues.TAKES_BACK, cues.NEGATION, cues.OPENS_WITH_NO)
_PLAIN_AGAINST: Final = tuple(map(cues.in_plain, _AGAINST))
_ENDS: Final = re.compile(r"[.!?]\s|\n")


class Mark(StrEnum):
    """What a later record does to what was said before."""

    SPEAKS = "speaks of it"
    DENIES = "denies"
    CORRECTS = "corrects"
    FAILS = "fails"


@dataclass(frozen=True, slots=True)
class After:
    """A later record on the same subject; ``text`` is the piece of it that speaks of that."""

    source: Source
    mark: Mark
    text: str


def followed(keys: Sequence[str], since: str | None, sources: Iterable[Source]) -> tuple[After, ...]:
    """The records after ``since`` (ISO 8601) that speak of what ``keys``, in lower case, name; the earliest first.

    Calls are left out: what they did is told by their results.
    """
    found: list[After] = []
    for source in sources:
        if source.speaker in (Speaker.CALL, Speaker.OTHER) or (since and (source.timestamp or since) <= since):
            continue
        span = together(keys, source.text, failed=source.error)
        if span is not None:
            text = _sentences(source.text, *span)
            found.append(After(source, _mark(source, text), text))
    return tuple(sorted(found, key=lambda one: (one.source.timestamp or "", one.source.transcript, one.source.line)))


def together(keys: Sequence[str], text: str, *, failed: bool = False) -> tuple[int, int] | None:
    """Where enough of ``keys`` stands together in a text, None where it does not."""
    low = text.lower()
    enough = max(min(FEWEST, len(keys)), SHARE * len(keys))
    least = max(1.0, SHARE_TAKEN_BACK * len(keys))
    there = [key for key in keys if key in low]
    if len(set(there)) < least:
        return None
    places = sorted((at, key) for key in there for at in _places(key, low))
    first, inside = 0, Counter[str]()
    for last, (place, key) in enumerate(places):
        inside[key] += 1
        while place - places[first][0] > WINDOW:
            inside[places[first][1]] -= 1
            first += 1
        count = sum(number > 0 for number in inside.values())
        if count < least:
            continue
        span = (places[first][0], places[last][0] + len(places[last][1]))
        if count >= enough or failed or _against(low, span[0] - WINDOW, span[1] + WINDOW):
            return span
    return None


def _places(key: str, text: str) -> Iterator[int]:
    at = text.find(key)
    while at >= 0:
        yield at
        at = text.find(key, at + len(key))


def _against(low: str, start: int, end: int) -> bool:
    """True where something between these places denies, or takes back."""
    spans = _cues(low)
    return any(stop <= end for begin, stop in spans[bisect_left(spans, (start, 0)) : bisect_left(spans, (end, 0))])


@lru_cache(maxsize=512)
def _cues(low: str) -> list[tuple[int, int]]:
    """Where a text denies or takes back; the same record is looked at for many lines."""
    against = _PLAIN_AGAINST if low.isascii() else _AGAINST
    return sorted(match.span() for one in against for match in one.finditer(low))


def _sentences(text: str, start: int, end: int) -> str:
    """The whole sentences that a span touches."""
    begins = [match.end() for match in _ENDS.finditer(text, max(0, start - WINDOW), start)]
    stop = _ENDS.search(text, end, end + WINDOW)
    begin = begins[-1] if begins else max(0, start - WINDOW)
    # A "No, …" stands in the sentence before, as often as not.
    if len(begins) == 1 or (len(begins) > 1 and begins[-1] - begins[-2] < FEWEST * 8):
        begin = begins[-2] if len(begins) > 1 else max(0, start - WINDOW)
    return text[begin : stop.end() if stop else end + WINDOW].strip()


def _mark(source: Source, text: str) -> Mark:
    if source.error:
        return Mark.FAILS
    low = text.lower()
    if cues.OPENS_WITH_NO.search(low) or cues.TAKES_BACK.search(low):
        return Mark.CORRECTS
    return Mark.DENIES if cues.NEGATION.search(low) else Mark.SPEAKS
