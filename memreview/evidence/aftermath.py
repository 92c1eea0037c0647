"""What was said after the evidence of a line: for a person, and to know where the claim check is to be asked again."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import Final

from memreview.checks.after import After, followed, together
from memreview.checks.claims.corpus import Corpus
from memreview.checks.claims.folding import fold, fold_long
from memreview.checks.claims.records import Source
from memreview.config import Options
from memreview.evidence.gather import Evidence
from memreview.evidence.questions import local_zone
from memreview.evidence.surroundings import REACH
from memreview.model.dream import Project
from memreview.model.transcript import Speaker
from memreview.read.finder import TranscriptFinder
from memreview.read.needles import needles_in
from memreview.read.speech_cache import SpeechCache
from memreview.read.speech_index import Place, SpeechIndex
from memreview.read.speech_search import search
from memreview.read.speech_worker import Tell
from memreview.text import secret_spans

MOST: Final = 60
"""Records that are looked at for what followed one line."""


class Around:
    """The gathered records that stand near others: the rank of each depends on them."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._rows: dict[int, list[int]] = {}
        for place in sorted(evidence.sources):
            self._rows.setdefault(place.file, []).append(place.row)
        self._places = {id(source): place for place, source in evidence.sources.items()}

    def cited(self, key: str) -> list[Place]:
        """Where the cited records of a key stand."""
        sources = self._evidence.cited.get(key, ())
        return [self._places[id(source)] for source in sources if id(source) in self._places]

    def near(self, places: Iterable[Place]) -> list[Source]:
        """The records at these places and around them, each once."""
        found: dict[Place, Source] = {}
        for place in dict.fromkeys(places):
            rows = self._rows.get(place.file, [])
            for row in rows[bisect_left(rows, place.row - REACH) : bisect_right(rows, place.row + REACH)]:
                at = Place(place.file, row)
                found[at] = self._evidence.sources[at]
        return list(found.values())


def says_more(line: str, cited: Sequence[Source], quoted: Sequence[Source]) -> bool:
    """True where a note that quotes its evidence has words that the quoted records do not hold as they stand."""
    if not quoted:
        return False
    words = fold(line).strip(" .!;:-*•")
    return not any(words in fold_long(source.text) for source in cited)


def spoken_later(line: str, cited: Sequence[Source], others: Iterable[Source]) -> bool:
    """True where a record after the cited ones may speak of what the line says."""
    since = max((source.timestamp or "" for source in cited), default="")
    known = {(source.transcript, source.line) for source in cited}
    keys = [needle.key for needle in needles_in(line)]
    for source in others:
        if (source.transcript, source.line) in known or source.speaker is Speaker.CALL:
            continue
        if since and source.timestamp is not None and source.timestamp < since:
            continue
        if together(keys, source.text, failed=source.error) is not None:
            return True
    return False


def what_followed(
    project: Project, options: Options, line: str, since: str | None, tell: Tell | None = None
) -> tuple[After, ...]:
    """What the transcripts say of a line's subject after ``since`` (ISO 8601, None: at any time), earliest first.

    Records that are never evidence (those that show or write the memory) are left out.
    """
    needles = needles_in(line)
    finder = TranscriptFinder(project, options)
    with SpeechIndex(finder.everything(), SpeechCache(options.cache_dir), tell) as index:
        (hits,) = search(index, [needles], [MOST])
        pairs = [(index.transcript(hit.place.file).name, index.record(hit.place)) for hit in hits]
    sources = [
        Source(name, record.line, record.speaker, record.text, record.timestamp, record.error)
        for name, record in pairs
        if record is not None
    ]
    ranked = Corpus(sources, local_zone(), None if options.show_secrets else secret_spans)
    told = [witness.source for witness in ranked.witnesses if witness.rank > 0]
    return followed([needle.key for needle in needles], since, told)
