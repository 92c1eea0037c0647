"""Everything that the nightly check is told of one memory: its notes, what was kept of them, what transcripts say."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from memreview.checks.nightly import NoteText, lines_to_check
from memreview.checks.note_facts import NoteFacts, note_facts
from memreview.config import Options
from memreview.diff.lines import is_binary, split_lines, text_lines
from memreview.errors import MemreviewError
from memreview.evidence.anchors import stamp_of
from memreview.evidence.gather import Gatherer, Wanted
from memreview.evidence.kept_store import Backing, KeptStore, open_store
from memreview.evidence.lines import line_key, vouched_by_line
from memreview.evidence.note_check import (
    NOTES_AT_ONCE,
    WEIGHT,
    AskedNote,
    NoteChecker,
    NoteInCheck,
    line_key_of,
    quote_key,
)
from memreview.evidence.sighting import Sighter
from memreview.model.advice import Advised
from memreview.model.dream import Citation, CitationStatus, Project
from memreview.model.kept import Kept
from memreview.model.memory import MemoryFolder
from memreview.read.finder import TranscriptFinder
from memreview.read.needles import Needle, needles_in
from memreview.read.speech_cache import SpeechCache
from memreview.read.speech_index import SpeechIndex
from memreview.read.speech_search import Hit
from memreview.read.speech_worker import Tell, carry_out, early
from memreview.text import mask_lines, mask_secrets

QUOTE_KEYS: Final = ("quote", "quotes")
SESSION_KEYS: Final = ("session", "originSessionId")
MOST_OF_LINE: Final = 10
"""Records that are looked at for one line."""
FEWEST: Final = 12
"""Characters by which a line is known wherever it stands."""


Step = Callable[[str, int, int], None]
"""Is told how many of how many transcripts, then notes, are done; what it raises ends the check."""


class MemoryCheck:
    """The check of one project's notes. Nothing is written but the cache of where speech stands."""

    def __init__(self, project: Project, options: Options, memory: MemoryFolder, store: KeptStore | None) -> None:
        self._options = options
        self._finder = TranscriptFinder(project, options)
        self._sighter = Sighter(project, options, self._finder)
        self._notes = [_note(path, note.data) for path, note in memory.notes.items() if _is_checked(path, note.data)]
        self._attach(store)

    def run(self, drifted: Mapping[tuple[str, int], str] | None = None, step: Step | None = None) -> list[Advised]:
        """The advice on every line that states something. ``drifted`` is what the repository says against lines."""
        files, cache = self._finder.everything(), SpeechCache(self._options.cache_dir)
        with (
            early(NoteChecker, WEIGHT * len(self._notes)) as helper,
            SpeechIndex(files, cache, searched(step)) as index,
        ):
            self._sighter.look_at(index)
            asked = [(note, list(self._wanted(note))) for note in self._notes]
            found = Gatherer(index).look([one for _, wanted in asked for one in wanted], MOST_OF_LINE)
            checker = NoteChecker(
                index,
                self._sighter,
                list(self._asked(asked, found, drifted or {})),
                show_secrets=self._options.show_secrets,
            )
            del asked, found
            done = carry_out(checker.tasks(), checker, self._told(step), helper)
        return [row for rows in done for row in rows]

    def _asked(
        self,
        asked: Iterable[tuple[NoteInCheck, Sequence[Wanted]]],
        found: Sequence[Sequence[Hit]],
        drifted: Mapping[tuple[str, int], str],
    ) -> Iterator[AskedNote]:
        at = 0
        for note, wanted in asked:
            count = sum(len(one.lines) for one in wanted)
            yield AskedNote(note, wanted, found[at : at + count], _of(drifted, note))
            at += count

    def _told(self, step: Step | None) -> Tell | None:
        """What the check of the notes tells ``step``."""
        count = len(self._notes)
        return (lambda done, _: step("notes", min(done * NOTES_AT_ONCE, count), count)) if step is not None else None

    def _attach(self, store: KeptStore | None) -> None:
        """Give every line what was kept of it, the latest."""
        if store is None:
            return
        by_note: dict[str, list[Backing]] = {}
        anywhere: dict[str, Backing] = {}
        vouched = vouched_by_line(store)
        for note in self._notes:
            lines = mask_lines(note.text.lines) if vouched else ()
            for number, _ in note.wanted if vouched else ():
                key = (note.text.path, line_key(lines[number - 1]))
                if key in vouched:
                    note.answers[number] = vouched[key]
        for backing in store.backings():
            if backing.change.decision is Kept.VERIFIED:
                continue
            by_note.setdefault(backing.change.note, []).append(backing)
            for line in backing.change.added if backing.change.cited else ():
                # A line that was carried over to another note, or whose note was renamed, rests on what it rested on.
                if len(line) >= FEWEST:
                    anywhere.setdefault(line_key(line), backing)
        for note in self._notes:
            _attach(note, by_note.get(note.text.path, []), anywhere)

    def _wanted(self, note: NoteInCheck) -> Iterable[Wanted]:
        own: frozenset[Needle] = frozenset()
        if note.quote is not None:
            own = frozenset(needles_in(note.quote[0]))
            yield Wanted(quote_key(note), (), [note.quote[0]])
        for number, text in note.wanted:
            if own.issuperset(needles_in(text)) and own and number not in note.backings:
                # Whatever speaks of it was found with the quote.
                note.as_quoted.add(number)
                continue
            backing = note.backings.get(number)
            yield Wanted(line_key_of(note, number), self._citations(backing), [text])

    def _citations(self, backing: Backing | None) -> list[Citation]:
        """The places at which the kept records still stand."""
        if backing is None:
            return []
        spots = [self._sighter.spot(record) for record in backing.evidence.records_of(backing.change)]
        return [
            Citation(f"{path}:{line}", os.path.basename(path), line, line, CitationStatus.FOUND, path=path)
            for path, line in filter(None, spots)
        ]


def searched(step: Step | None) -> Callable[[int, int], None] | None:
    """What a search tells ``step``."""
    return partial(step, "transcripts") if step is not None else None


def _attach(note: NoteInCheck, backings: Sequence[Backing], anywhere: Mapping[str, Backing]) -> None:
    """Give the lines of a note what was kept of them; ``backings`` are those of the note, the latest first."""
    lines = mask_lines(note.text.lines)
    standing = {line_key(line) for line in lines}
    known: dict[str, Backing] = {}
    reverted = [backing.change for backing in backings if backing.change.decision is Kept.REVERTED]
    taken_back = {line_key(line) for change in reverted for line in change.removed}
    for backing in backings:
        if backing.change.decision is Kept.REVERTED:
            continue
        for line in filter(str.strip, backing.change.added):
            known.setdefault(line_key(line), backing)
            if line_key(line) not in standing and line_key(line) not in taken_back:
                note.left.append(line)
        if note.quote is not None and mask_secrets(note.quote[0]) in backing.change.quotes:
            note.quote_records += backing.evidence.records_of(backing.change)
    for number, _ in note.wanted:
        key = line_key(lines[number - 1])
        found = known.get(key)
        if found is None or not found.change.cited:
            found = anywhere.get(key, found)
        if found is not None:
            note.backings[number] = found
            if note.quote is not None:
                note.quote_records += found.evidence.records_of(found.change)


def _is_checked(path: str, data: bytes) -> bool:
    return not is_binary(data) and os.path.basename(path) != "CLAUDE.md"


def _note(path: str, data: bytes) -> NoteInCheck:
    facts = note_facts(data)
    text = NoteText(path, text_lines(split_lines(data)), facts.head_lines)
    # The lines of an index point to notes, which are checked themselves.
    note = NoteInCheck(text, facts, stamp_of(data), list(lines_to_check(text)))
    note.quote = _quote(facts)
    return note


def quote_of(data: bytes) -> tuple[str, str] | None:
    """The quote that a note gives as its own evidence, and the session that it names; None where it has none."""
    return _quote(note_facts(data))


def _quote(facts: NoteFacts) -> tuple[str, str] | None:
    words = next((facts.keys[key] for key in QUOTE_KEYS if facts.keys.get(key)), "").strip()
    session = next((facts.keys[key] for key in SESSION_KEYS if facts.keys.get(key)), "").strip()
    return (words, session) if words and session else None


def _of(drifted: Mapping[tuple[str, int], str], note: NoteInCheck) -> dict[int, str]:
    return {number: drifted[note.text.path, number] for number, _ in note.wanted if (note.text.path, number) in drifted}


def check_memory(
    project: Project,
    options: Options,
    memory: MemoryFolder,
    drifted: Mapping[tuple[str, int], str] | None = None,
    step: Step | None = None,
) -> list[Advised]:
    """The advice on every line of a memory that states something, in order of note and line.

    A folder without git, or one whose repository git refuses, has no kept evidence.
    """
    return MemoryCheck(project, options, memory, _store(project)).run(drifted, step)


def _store(project: Project) -> KeptStore | None:
    try:
        return open_store(project.memory_dir)
    except MemreviewError:
        return None
