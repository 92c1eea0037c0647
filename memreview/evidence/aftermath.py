"""Which lines need the claim check again: those of which something was said after their evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from memreview.checks.claims import cues
from memreview.checks.claims.folding import fold, fold_long
from memreview.checks.claims.records import Source
from memreview.evidence.gather import Evidence
from memreview.evidence.surroundings import REACH
from memreview.model.transcript import Speaker
from memreview.read.needles import needles_in
from memreview.read.speech_index import Place

SHARE: Final = 0.5
"""So much of what a line names must stand together in a later record for it to speak of the same."""
SHARE_TAKEN_BACK: Final = 0.3
"""So much where the record denies something there, or takes it back."""
FEWEST: Final = 2
WINDOW: Final = 240
"""Characters that stand together: a sentence or two."""


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
            for row in self._rows.get(place.file, ()):
                if abs(row - place.row) <= REACH:
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
        if _speaks_of(keys, source.text, failed=source.error):
            return True
    return False


def _speaks_of(keys: Sequence[str], text: str, *, failed: bool) -> bool:
    """True where enough of what was looked for stands together in a text."""
    low = text.lower()
    enough = max(min(FEWEST, len(keys)), SHARE * len(keys))
    least = max(1.0, SHARE_TAKEN_BACK * len(keys))
    places = sorted((match.start(), key) for key in keys for match in re.finditer(re.escape(key), low))
    first = 0
    for last in range(len(places)):
        while places[last][0] - places[first][0] > WINDOW:
            first += 1
        count = len({key for _, key in places[first : last + 1]})
        if count >= enough:
            return True
        if count >= least and (
            failed or _takes_back(low[max(0, places[first][0] - WINDOW) : places[last][0] + WINDOW])
        ):
            return True
    return False


def _takes_back(text: str) -> bool:
    return any(cue.search(text) for cue in (cues.TAKES_BACK, cues.NEGATION, cues.OPENS_WITH_NO))
