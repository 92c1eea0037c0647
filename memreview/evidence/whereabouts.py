"""Where kept records and cited places can be looked at now, for a person who wants to read around them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memreview.config import Options
from memreview.evidence.sighting import Sighter
from memreview.model.dream import Project
from memreview.model.kept import KeptRecord
from memreview.read.finder import TranscriptFinder
from memreview.read.speech_cache import SpeechCache
from memreview.read.speech_index import SpeechIndex

Spot = tuple[str, int]
"""A transcript's path and a line of it, from 1."""


def whereabouts(
    project: Project, options: Options, records: Iterable[KeptRecord] = (), places: Sequence[str] = ()
) -> Mapping[str, Spot]:
    """Where records stand (by ``KeptRecord.at``), and where places lead (``FILE:LINE``, or a session's id: its first
    line). What is gone, or cannot be looked at, is left out; a record that moved is found by its id."""
    finder = TranscriptFinder(project, options)
    found: dict[str, Spot] = {}
    wanted = {record.at: record for record in records}
    if wanted:
        sighter = Sighter(project, options, finder)
        with SpeechIndex(finder.everything(), SpeechCache(options.cache_dir)) as index:
            sighter.look_at(index)
            for at, record in wanted.items():
                spot = sighter.spot(record)
                if spot is not None:
                    found[at] = spot
    for place in places:
        name, _, line = place.rpartition(":")
        there = finder.find(name if line.isdigit() and name else place)
        if there and place not in found:
            found[place] = (there[0].path, int(line) if line.isdigit() and name else 1)
    return found
