"""What the nightly check advises for the lines of a memory, and the facts that it is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from memreview.model.kept import KeptChange, KeptRecord
from memreview.model.transcript import Speaker


class Advice(StrEnum):
    """What to do with a line of a note."""

    KEEP = "keep"
    REVIEW = "review"
    UNPIN = "unpin"


@dataclass(frozen=True, slots=True)
class Advised:
    """One line of a note (1-based) and the advice on it. ``rule`` is a stable id, ``reason`` one sentence.

    ``places`` are the records that it rests on, or that speak against it, as citations are written.
    """

    file: str
    line: int
    advice: Advice
    rule: str
    reason: str
    places: tuple[str, ...] = ()


class Sight(StrEnum):
    """What can be seen now of something that once stood in a transcript.

    ``absent`` is said of a transcript that could be read to its end, ``damaged`` of one that could be read in part,
    ``unseen`` where nobody can look: a folder or a file that is there and cannot be read, a place that is not mounted.
    """

    STANDS = "stands"
    ELSEWHERE = "elsewhere"
    ABSENT = "absent"
    DAMAGED = "damaged"
    GONE = "gone"
    UNSEEN = "unseen"


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quote that a note gives as its own evidence, and what became of it. ``place`` is where it was found."""

    words: str
    session: str
    sight: Sight
    place: str | None = None
    speaker: Speaker | None = None


@dataclass(frozen=True, slots=True)
class KeptLine:
    """What was kept of one line: its change, the cited records, and what can be seen of each of them now."""

    change: KeptChange
    records: tuple[KeptRecord, ...] = ()
    sights: Mapping[str, Sight] = field(default_factory=dict)
