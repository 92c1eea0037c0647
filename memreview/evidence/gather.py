"""The records of a dream: those that it cites, what belongs to them, and those of the project that may say the same.

Everything is read once for all changes, so that the check can read each record once too.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from memreview.checks.claims.records import Source
from memreview.evidence.shortened import MAX_TEXT, shortened
from memreview.evidence.surroundings import Companion, companions
from memreview.model.dream import Citation, CitationStatus
from memreview.model.transcript import Record, Speaker
from memreview.read.needles import needles_in
from memreview.read.speech_index import Place, SpeechIndex
from memreview.read.speech_search import Hit, search

MAX_RECORDS: Final = 4000
"""Records that are searched for all changes of a dream together."""
MOST_OF_LINE: Final = 300
FEWEST_OF_LINE: Final = 3
OLD_LINE_SHARE: Final = 3
"""A line that goes away gets one record where a new one gets so many: it only matters what takes it back."""
MAX_CITED_LINES: Final = 200
"""Lines of one citation that are read."""
NEWEST: Final = 3
"""Records that are taken where nothing was found at all: what nobody said is not the same as what cannot be read."""


@dataclass
class Evidence:
    """What was gathered. ``cited`` are the records of each change that could be read, by the change's id."""

    sources: dict[Place, Source] = field(default_factory=dict)
    cited: dict[str, list[Source]] = field(default_factory=dict)
    hits: dict[str, list[Record]] = field(default_factory=dict)
    places: dict[str, list[Place]] = field(default_factory=dict)
    """Where the hits of each change stand, in the same order."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The evidence that one change needs: its citations, and lines that are looked for in all speech."""

    id: str
    citations: Sequence[Citation] = ()
    lines: Sequence[str] = ()
    old_lines: Sequence[str] = ()


class Gatherer:
    """Collects the records for many changes; a record that serves several is read once."""

    def __init__(self, index: SpeechIndex) -> None:
        self._index = index
        self._evidence = Evidence()
        self._seen: dict[str, Place] = {}
        names = Counter(index.transcript(file).name for file in range(len(index)))
        self._twins = {name for name, count in names.items() if count > 1}

    def look(self, wanted: Sequence[Wanted], most: int = MOST_OF_LINE) -> list[list[Hit]]:
        """Where records stand that may speak of the lines, as many as ``most`` for each, in one pass for all."""
        lines = [line for one in wanted for line in (*one.lines, *one.old_lines)]
        return search(self._index, [needles_in(line) for line in lines], _limits(wanted, most))

    def gather(self, wanted: Sequence[Wanted], found: Sequence[Sequence[Hit]] | None = None) -> Evidence:
        """All that is needed for these changes: the cited records, and what :meth:`look` found.

        Nothing of an earlier call is in it.
        """
        self._evidence, self._seen = Evidence(), {}
        for one in wanted:
            for citation in one.citations:
                if _is_place(citation):
                    self._index.add(citation.path or "")
        lines = [(one.id, line) for one in wanted for line in (*one.lines, *one.old_lines)]
        found = self.look(wanted) if found is None else found
        for one in wanted:
            self._evidence.cited[one.id] = self._cited(one.citations, one.lines)
        for (change, line), hits in zip(lines, found, strict=True):
            for hit in hits:
                record = self._index.record(hit.place)
                if record is None or self._is_copy(hit.place, record):
                    continue
                self._take(hit.place, record, [line])
                self._evidence.hits.setdefault(change, []).append(record)
                self._evidence.places.setdefault(change, []).append(hit.place)
        if not self._evidence.sources:
            self._newest()
        return self._evidence

    def _cited(self, citations: Iterable[Citation], lines: Sequence[str]) -> list[Source]:
        found: list[Source] = []
        for citation in citations:
            if not _is_place(citation):
                continue
            file = self._index.add(citation.path or "")
            first = citation.line or 1
            last = min(citation.end_line or first, first + MAX_CITED_LINES - 1)
            for line in range(max(1, first), last + 1):
                place = self._index.place(file, line)
                record = self._index.record(place) if place is not None else None
                if place is not None and record is not None:
                    found.append(self._take(place, record, lines))
        return list({(source.transcript, source.line): source for source in found}.values())

    def _is_copy(self, place: Place, record: Record) -> bool:
        """True for a record that a forked session took over from another one: same id, other file."""
        if record.uuid is None:
            return False
        first = self._seen.setdefault(record.uuid, place)
        return first.file != place.file and place not in self._evidence.sources

    def take(self, place: Place, words: str) -> Source:
        """The record at a place, with what belongs to it, as evidence for some words; there must be one."""
        record = self._index.record(place)
        assert record is not None
        return self._take(place, record, [words])

    def _take(self, place: Place, record: Record, lines: Sequence[str]) -> Source:
        known = self._evidence.sources.get(place)
        if known is not None and known.text:
            return known
        source = self._evidence.sources[place] = self._source(place, record, _short(record.text, lines))
        for companion in companions(self._index, place):
            self._accompany(companion)
        return source

    def _accompany(self, companion: Companion) -> None:
        place = companion.place
        known = self._evidence.sources.get(place)
        record = self._index.record(place)
        if record is None or (known is not None and (known.text or companion.silent)):
            return
        if companion.silent:
            speaker = Speaker.ASSISTANT if companion.talk else Speaker.OTHER
            self._evidence.sources[place] = self._source(place, record, "", speaker)
        else:
            self._evidence.sources[place] = self._source(place, record, _short(record.text))

    def _source(self, place: Place, record: Record, text: str, speaker: Speaker | None = None) -> Source:
        return Source(
            transcript=self._name(place.file),
            line=record.line,
            speaker=speaker or record.speaker,
            text=text,
            timestamp=record.timestamp,
            error=record.error,
        )

    def _name(self, file: int) -> str:
        """A transcript's name; with its folder where several have the same."""
        transcript = self._index.transcript(file)
        if transcript.name not in self._twins:
            return transcript.name
        return os.path.join(os.path.basename(os.path.dirname(transcript.path)), transcript.name)

    def _newest(self) -> None:
        for file in range(len(self._index)):
            for row in reversed(range(len(self._index.rows(file)))):
                place = Place(file, row)
                record = self._index.record(place)
                if record is not None:
                    self._take(place, record, ())
                if len(self._evidence.sources) >= NEWEST:
                    return


def _limits(wanted: Sequence[Wanted], most: int) -> list[int]:
    """How many records are looked for for each line, in their order."""
    count = sum(OLD_LINE_SHARE * len(one.lines) + len(one.old_lines) for one in wanted)
    share = OLD_LINE_SHARE * MAX_RECORDS // max(1, count)
    new = max(FEWEST_OF_LINE, min(most, share))
    old = max(1, new // OLD_LINE_SHARE)
    return [limit for one in wanted for limit in (*([new] * len(one.lines)), *([old] * len(one.old_lines)))]


def _short(text: str, lines: Sequence[str] = ()) -> str:
    """The text; of a very long one its ends, and what stands around the words of the lines."""
    if len(text) <= MAX_TEXT:
        return text
    return shortened(text, [needle.key for line in lines for needle in needles_in(line)])


def _is_place(citation: Citation) -> bool:
    """True for a citation that leads to a line with words."""
    return citation.status is CitationStatus.FOUND and citation.path is not None and citation.line is not None
