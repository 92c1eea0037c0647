"""Which records belong to a record: what it answers, what answers it, the call of a result.

Whose word counts how much depends on them: a result is evidence unless its call read the memory itself, a call only
where its result is no failure, and what the assistant said once the user agreed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memreview.model.transcript import Record, Speaker
from memreview.read.speech_index import Place, SpeechIndex

REACH: Final = 16
"""Lines of speech in one direction among which a call and its result are looked for."""
ANSWER_REACH: Final = 4
"""Lines of speech after the assistant's words in which the user may agree: as many as the claim check looks at."""

_TALK: Final = (Speaker.USER, Speaker.ASSISTANT)


@dataclass(frozen=True, slots=True)
class Companion:
    """A record that goes with another. ``silent`` ones only stand between: what they say is not for this question.

    Of those ``talk`` tells that somebody spoke there, so that a later yes is not taken for an answer to earlier words.
    """

    place: Place
    silent: bool = False
    talk: bool = False


def companions(index: SpeechIndex, place: Place) -> list[Companion]:
    """The records that the rank of the one at ``place`` depends on, without itself."""
    record = index.record(place)
    if record is None:
        return []
    if record.speaker is Speaker.TOOL:
        return _calls_before(index, place)
    if record.speaker is Speaker.CALL:
        return _around_call(index, place)
    if record.speaker is Speaker.ASSISTANT:
        return _answer(index, place)
    return _answered(index, place)


def _calls_before(index: SpeechIndex, place: Place) -> list[Companion]:
    """Back to the call that is answered; between them lie the other calls and results of the same turn."""
    found: list[Companion] = []
    results = 1
    for at, record in _walk(index, place, -1, REACH):
        if record.speaker in _TALK:
            break
        results += 1 if record.speaker is Speaker.TOOL else -1
        found.append(Companion(at))
        if results <= 0:
            break
    return found


def _around_call(index: SpeechIndex, place: Place) -> list[Companion]:
    """The calls that were made together with this one, and the results up to its own."""
    found: list[Companion] = []
    waiting = 1
    for at, record in _walk(index, place, -1, REACH):
        if record.speaker is not Speaker.CALL:
            break
        found.append(Companion(at))
        waiting += 1
    for at, record in _walk(index, place, 1, REACH):
        if record.speaker in _TALK:
            break
        found.append(Companion(at))
        waiting += 1 if record.speaker is Speaker.CALL else -1
        if waiting <= 0:
            break
    return found


def _answer(index: SpeechIndex, place: Place) -> list[Companion]:
    """What follows the assistant's words, up to the next words of the user."""
    found: list[Companion] = []
    for at, record in _walk(index, place, 1, ANSWER_REACH):
        if record.speaker is Speaker.USER:
            return [*found, Companion(at)]
        talk = record.speaker is Speaker.ASSISTANT
        found.append(Companion(at, silent=True, talk=talk))
        if talk:
            break
    return found


def _answered(index: SpeechIndex, place: Place) -> list[Companion]:
    """The assistant's words that the user may have agreed to."""
    for at, record in _walk(index, place, -1, ANSWER_REACH):
        if record.speaker in _TALK:
            return [Companion(at)] if record.speaker is Speaker.ASSISTANT else []
    return []


def _walk(index: SpeechIndex, place: Place, step: int, reach: int) -> Iterator[tuple[Place, Record]]:
    rows = len(index.rows(place.file))
    row = place.row
    for _ in range(reach):
        row += step
        if not 0 <= row < rows:
            return
        at = Place(place.file, row)
        record = index.record(at)
        if record is not None:
            yield at, record
