"""A dream as questions for the claim check: each change with the records it cites and the rest that may be asked."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import cached_property
from typing import Final
from zoneinfo import ZoneInfo

from memreview.checks.claims.check import Question
from memreview.checks.claims.corpus import Corpus
from memreview.checks.claims.novelty import OldText
from memreview.config import Options
from memreview.diff.lines import text_lines
from memreview.evidence.anchors import Committed, moment, relative_lines, stamp_of, written_by
from memreview.evidence.faults import FAULTS
from memreview.evidence.gather import Evidence, Gatherer, Wanted
from memreview.evidence.memories import frame_of, memory_text, proposed_memory
from memreview.model.dream import CitationStatus, Review
from memreview.model.patch import Change, FileChange
from memreview.read.finder import TranscriptFinder
from memreview.read.speech_cache import SpeechCache
from memreview.read.speech_index import SpeechIndex
from memreview.text import secret_spans

LOCALTIME: Final = "/etc/localtime"
MAX_COMMITS: Final = 40
"""Lines for which git is asked when they were written: each is a search through the history."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One change as a question. ``lead`` lines of its frame stand before its own, added and removed alike.

    ``cites`` is True where it cites something, ``unread`` where nothing of that can be read.
    """

    file: FileChange
    change: Change
    question: Question
    lead: int = 0
    unread: bool = False
    cites: bool = False


@dataclass(frozen=True, slots=True)
class Memories:
    """The memory before and after."""

    old: OldText
    new: OldText


class Questions:
    """The questions of a review, one for each change that is the dream's and more than a stamp.

    Records are prepared for the check when the first question is taken. It can be pickled before.
    """

    def __init__(self, review: Review, changes: Sequence[tuple[FileChange, Change]], memories: Memories) -> None:
        self.memories = memories
        self.evidence = Evidence()
        self.anchors: Mapping[str, datetime] = {}
        self.everything = False
        self.show_secrets = False
        self._changes = changes
        self._citations = {change.id: review.citations.get(change.id, ()) for _, change in changes}

    def __len__(self) -> int:
        return len(self._changes)

    def __iter__(self) -> Iterator[Asked]:
        return self.some(0, len(self))

    def some(self, start: int, stop: int) -> Iterator[Asked]:
        """Those with these numbers."""
        for file, change in self._changes[start:stop]:
            yield self._asked(file, change)

    def _asked(self, file: FileChange, change: Change) -> Asked:
        frame = frame_of(file, change)
        question = Question(
            added=frame.around(text_lines(change.added)),
            removed=frame.around(text_lines(change.removed)) or [*frame.before, *frame.behind],
            cited=self.evidence.cited[change.id],
            others=self._corpus,
            anchor=self.anchors.get(change.id),
            zone=local_zone(),
            old_memory=self.memories.old,
            new_memory=self.memories.new,
            everything=self.everything,
        )
        citations = self._citations[change.id]
        looked_for = any(c.status in (CitationStatus.MISSING, CitationStatus.FOUND) for c in citations)
        unread = looked_for and not self.evidence.cited[change.id]
        return Asked(file, change, question, len(frame.before), unread, bool(citations))

    @cached_property
    def _corpus(self) -> Corpus:
        """The records, ready to be asked; none where their text is such that the check fails on it."""
        zone, shown = local_zone(), secret_spans if not self.show_secrets else None
        try:
            return Corpus(self.evidence.sources.values(), zone, shown)
        except FAULTS:
            return Corpus((), zone, shown)


def ask(
    review: Review,
    options: Options,
    committed: Committed | None = None,
    *,
    everything: bool = False,
    only: Collection[str] | None = None,
) -> tuple[Memories, Questions]:
    """The questions of a review; with ``only`` just for the changes with these ids. Transcripts are read now.

    ``committed`` says when a line of a note was committed. ``everything`` has the check list what the old text claimed
    already.
    """
    memories = Memories(memory_text(review.memory), memory_text(proposed_memory(review)))
    changes = asked_changes(review, only)
    finder = TranscriptFinder(review.project, options, review.target.transcripts)
    with SpeechIndex(finder.everything(), SpeechCache(options.cache_dir)) as index:
        evidence = Gatherer(index).gather([_wanted(review, change, memories) for _, change in changes])
    questions = Questions(review, changes, memories)
    questions.anchors = _anchors(changes, evidence, committed)
    questions.evidence = Evidence(evidence.sources, evidence.cited)
    questions.everything, questions.show_secrets = everything, options.show_secrets
    return memories, questions


def local_zone() -> tzinfo | None:
    """The zone of this machine, by its name; None where it has none but UTC, as machines have that nobody sits at."""
    name = os.environ.get("TZ", "").lstrip(":")
    if not name:
        with suppress(OSError):
            _, _, name = os.path.realpath(LOCALTIME).partition("zoneinfo/")
    if not name or name.rsplit("/", 1)[-1] in ("UTC", "UCT", "GMT", "Universal", "Zulu", "UTC0", "localtime"):
        return None
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return None


def asked_changes(review: Review, only: Collection[str] | None = None) -> list[tuple[FileChange, Change]]:
    """The changes that are asked about (of ``only`` these), with their files."""
    changes = ((file, change) for file in review.files for change in file.changes() if is_asked(file, change))
    return [(file, change) for file, change in changes if only is None or change.id in only]


def is_asked(file: FileChange, change: Change) -> bool:
    """True for a change that is the dream's, and more than a stamp."""
    return not (file.during_run or change.during_run or change.stamp_only)


def _wanted(review: Review, change: Change, memories: Memories) -> Wanted:
    """What to look for: lines that are carried over from elsewhere need no evidence."""
    added, removed = text_lines(change.added), text_lines(change.removed)
    return Wanted(
        change.id,
        review.citations.get(change.id, ()),
        [line for line in added if line.strip() and memories.old.origin(line) is None],
        [line for line in removed if line.strip() and memories.new.origin(line) is None],
    )


def _anchors(
    changes: Sequence[tuple[FileChange, Change]], evidence: Evidence, committed: Committed | None
) -> Mapping[str, datetime]:
    """When the removed lines of each change were written, where that is known."""
    found: dict[str, datetime] = {}
    left = MAX_COMMITS
    for file, change in changes:
        note = file.old_path or file.path
        time = stamp_of(file.base)
        relative = relative_lines(text_lines(change.removed)) if time is None else []
        for line in relative:
            time = time or written_by(line, note, evidence.hits.get(change.id, ()))
        if time is None and committed is not None:
            for line in relative[:left]:
                left -= 1
                time = time or moment(committed(note, line))
        if time is not None:
            found[change.id] = time
    return found
