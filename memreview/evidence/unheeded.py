"""What the user asked to be remembered or corrected in the window of a dream, and what the dream did not take up."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from memreview.checks.unheeded import Held, Statement, may_state, statements
from memreview.config import Options
from memreview.evidence.anchors import moment
from memreview.evidence.memories import memory_text, proposed_memory
from memreview.model.dream import Citation, Review, TargetKind
from memreview.model.dreamed import Unheeded
from memreview.model.transcript import Record, Speaker
from memreview.read.finder import TranscriptFinder
from memreview.read.speech_cache import SpeechCache
from memreview.read.speech_index import Place, SpeechIndex

MOST: Final = 40
"""Statements that are listed, the latest."""
LONGEST_RECORD: Final = 32 << 10
"""Bytes of a record of a person; results of tools and pastes are longer as a rule."""
SLACK: Final = timedelta(minutes=10)
"""What was said right after the window may have been in the copy."""

_USER: Final = b'"user"'
_RESULT: Final = b'"tool_result"'
_AGENTS: Final = "subagents"


def find_unheeded(review: Review, options: Options) -> tuple[Unheeded, ...]:
    """What the notes as proposed do not hold of what the user asked for or corrected in the window, the latest last.

    What the dream cites was taken up. Of an edit in place, and of a dream that does not tell its window, the days of
    the configuration before it count. Secrets are not masked here.
    """
    if not _is_asked(review, options):
        return ()
    since, until = _window(review, options)
    held = Held(memory_text(proposed_memory(review)).lines)
    cited = _cited(review)
    found: dict[str, Unheeded] = {}
    finder = TranscriptFinder(review.project, options, review.target.transcripts)
    recent = [
        (folder, one)
        for folder, one in finder.everything()
        if one.mtime_ns / 1e9 >= since.timestamp() and _AGENTS not in one.path.split(os.sep)
    ]
    with SpeechIndex(recent, SpeechCache(options.cache_dir)) as index:
        for file in range(len(index)):
            path = index.transcript(file).path
            for record in _typed(index, file):
                said = moment(record.timestamp)
                if said is None or not since <= said <= until or (os.path.realpath(path), record.line) in cited:
                    continue
                for one in _missing(record, held):
                    found.setdefault(one.text, _row(one, path, record))
    return tuple(sorted(found.values(), key=lambda row: (row.timestamp or "", row.transcript, row.line))[-MOST:])


def _is_asked(review: Review, options: Options) -> bool:
    """Remedies and edits by hand are proposals of memreview itself: nobody expects them to take anything up."""
    own = os.path.join(os.path.realpath(options.state_dir), "")
    proposed = review.target.proposed
    return proposed is None or not os.path.realpath(proposed).startswith(own)


def _window(review: Review, options: Options) -> tuple[datetime, datetime]:
    until = moment(review.run.until) or datetime.now(UTC)
    since = moment(review.run.since) or until - timedelta(days=options.dream.days)
    return since, until if review.target.kind is TargetKind.LIVE else until + SLACK


def _typed(index: SpeechIndex, file: int) -> Iterator[Record]:
    """The records of a transcript that a person typed."""
    lines = index.rows(file)
    for row in range(len(lines)):
        if lines.lengths[row] > LONGEST_RECORD:
            continue
        raw = index.raw(Place(file, row))
        if raw is None or _USER not in raw or _RESULT in raw or not may_state(raw):
            continue
        record = index.record(Place(file, row))
        if record is not None and record.speaker is Speaker.USER and not record.sidechain:
            yield record


def _missing(record: Record, held: Held) -> Iterator[Statement]:
    return (one for one in statements(record.text) if not held.holds(one.text))


def _cited(review: Review) -> set[tuple[str, int]]:
    """Lines of transcripts that the dream gives as its reasons; those that wrote an edit in place are none."""
    listed: list[Citation] = [] if review.traced else [one for own in review.citations.values() for one in own]
    listed += [one for entry in review.entries for one in entry.citations]
    return {
        (os.path.realpath(one.path), line)
        for one in listed
        if one.path is not None and one.line is not None
        for line in range(one.line, min((one.end_line or one.line), one.line + 200) + 1)
    }


def _row(one: Statement, path: str, record: Record) -> Unheeded:
    return Unheeded(one.kind, os.path.basename(path), record.line, one.text, record.timestamp, path)
