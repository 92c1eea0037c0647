"""Reading cited records with what stands around them; meant for a worker, as a transcript may be large."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from memreview.config import Options
from memreview.model.dream import Review
from memreview.model.transcript import Record
from memreview.tui.rows.evidence import AROUND, Passage

LOOK_FOR = 60
"""Lines before and after that are searched for records with words."""
MOST = 400
"""Cited lines that are read for one citation."""


def read_passage(passage: Passage, cache_dir: str | None) -> Sequence[Record] | str:
    """The cited records and two with words on either side, or one sentence that says why they cannot be read."""
    from memreview.read.transcripts import open_transcript

    try:
        transcript = open_transcript(passage.path, cache_dir)
        start = max(1, passage.start - LOOK_FOR)
        end = min(passage.end, passage.start + MOST - 1)
        before = _last(record for record in transcript.records(start, passage.start - 1) if record.has_text)
        cited = list(transcript.records(passage.start, end))
        after: list[Record] = []
        for record in transcript.records(end + 1, end + LOOK_FOR):
            if record.has_text:
                after.append(record)
            if len(after) == AROUND:
                break
    except OSError as error:
        return f"{passage.path} cannot be read: {error.strerror or error}"
    return [*before, *cited, *after]


def locate(name: str, review: Review, options: Options) -> str | None:
    """The file of a transcript that is known by its name, None where none of the project's folders has it."""
    from memreview.errors import MemreviewError
    from memreview.read.discover import TranscriptFinder

    if os.path.isabs(name):
        return name
    try:
        found = TranscriptFinder(review.project, options, review.target.transcripts).find(name)
    except (MemreviewError, OSError):
        return None
    return found[0].path if found else None


def _last(records: Iterable[Record]) -> list[Record]:
    return list(records)[-AROUND:]
