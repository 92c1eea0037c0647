"""Everything that the nightly check is told of one memory: its notes, what was kept of them, what transcripts say."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Final, TypeVar

from memreview.checks.claims.check import Question, check
from memreview.checks.claims.corpus import Corpus
from memreview.checks.claims.records import Source
from memreview.checks.nightly import Found, NoteEvidence, NoteText, answered, check_note, lines_to_check
from memreview.checks.note_facts import NoteFacts, note_facts
from memreview.config import Options
from memreview.diff.lines import is_binary, split_lines, text_lines
from memreview.errors import MemreviewError
from memreview.evidence.aftermath import Around, says_more, spoken_later
from memreview.evidence.anchors import stamp_of
from memreview.evidence.faults import FAULTS
from memreview.evidence.gather import Evidence, Gatherer, Wanted
from memreview.evidence.kept_store import Backing, KeptStore, open_store
from memreview.evidence.lines import line_key, vouched_by_line
from memreview.evidence.questions import local_zone
from memreview.evidence.sighting import Sighter
from memreview.model.advice import Advised, KeptLine, Quoted, Sight
from memreview.model.claim import Claim, Verdict
from memreview.model.dream import Citation, CitationStatus, Project
from memreview.model.kept import Kept, KeptRecord
from memreview.model.memory import MemoryFolder
from memreview.model.transcript import Speaker
from memreview.read.finder import TranscriptFinder
from memreview.read.needles import Needle, needles_in
from memreview.read.speech_cache import SpeechCache
from memreview.read.speech_index import SpeechIndex
from memreview.text import mask_lines, mask_secrets, secret_spans

Item = TypeVar("Item")

QUOTE_KEYS: Final = ("quote", "quotes")
SESSION_KEYS: Final = ("session", "originSessionId")
MOST_OF_LINE: Final = 10
"""Records that are looked at for one line."""
FEWEST: Final = 12
"""Characters by which a line is known wherever it stands."""
NOTES_AT_ONCE: Final = 100
_HEADING: Final = "#"


@dataclass
class _Note:
    """A note on its way through the check."""

    text: NoteText
    facts: NoteFacts
    anchor: datetime | None
    wanted: list[tuple[int, str]]
    backings: dict[int, Backing] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    quote: tuple[str, str] | None = None
    quoted: Quoted | None = None
    quote_records: list[KeptRecord] = field(default_factory=list)
    as_quoted: set[int] = field(default_factory=set)
    """Lines that name nothing but what the quote names."""
    answers: dict[int, Mapping[str, str]] = field(default_factory=dict)
    """Objections that a person has answered, with when, by line."""


Step = Callable[[str, int, int], None]
"""Is told how many of how many transcripts, then notes, are done; what it raises ends the check."""
CorpusOf = Callable[[_Note, Iterable[str]], Corpus]
"""The records around those that were found for some keys of a note."""


class MemoryCheck:
    """The check of one project's notes. Nothing is written but the cache of where speech stands."""

    def __init__(self, project: Project, options: Options, memory: MemoryFolder, store: KeptStore | None) -> None:
        self._options = options
        self._finder = TranscriptFinder(project, options)
        self._sighter = Sighter(project, options, self._finder)
        self._notes = [_note(path, note.data) for path, note in memory.notes.items() if _is_checked(path, note.data)]
        self._attach(store)
        self._step: Step | None = None
        self._done = 0

    def run(self, drifted: Mapping[tuple[str, int], str] | None = None, step: Step | None = None) -> list[Advised]:
        """The advice on every line that states something. ``drifted`` is what the repository says against lines."""
        advised: list[Advised] = []
        self._step = step
        with SpeechIndex(self._finder.everything(), SpeechCache(self._options.cache_dir), searched(step)) as index:
            self._sighter.look_at(index)
            asked = [(note, list(self._wanted(note))) for note in self._notes]
            found = Gatherer(index).look([one for _, wanted in asked for one in wanted], MOST_OF_LINE)
            # Records are many and long, so that those of some notes are held at a time.
            for batch in batched(asked, NOTES_AT_ONCE):
                wanted = [one for _, of_note in batch for one in of_note]
                count = sum(len(one.lines) for one in wanted)
                evidence = Gatherer(index).gather(wanted, found[:count])
                del found[:count]
                advised += self._batch([note for note, _ in batch], evidence, drifted or {})
        return advised

    def _batch(
        self, notes: Iterable[_Note], evidence: Evidence, drifted: Mapping[tuple[str, int], str]
    ) -> list[Advised]:
        around = Around(evidence)
        shown = secret_spans if not self._options.show_secrets else None
        zone = local_zone()
        advised: list[Advised] = []

        def corpus_of(note: _Note, keys: Iterable[str]) -> Corpus:
            places = [place for key in keys for place in (*evidence.places.get(key, ()), *around.cited(key))]
            return Corpus([*around.near(places), *_kept_sources(note)], zone, shown)

        for note in notes:
            quoted = self._see_quote(note, evidence, corpus_of)
            found = Found(self._claims(note, evidence, quoted, corpus_of), _of(drifted, note))
            rows = check_note(note.text, _evidence(note, self._sights(note)), found)
            advised += (answered(row, note.answers.get(row.line, {})) for row in rows)
            self._done += 1
            if self._step is not None:
                self._step("notes", self._done, len(self._notes))
        return advised

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

    def _wanted(self, note: _Note) -> Iterable[Wanted]:
        own: frozenset[Needle] = frozenset()
        if note.quote is not None:
            own = frozenset(needles_in(note.quote[0]))
            yield Wanted(_quote_key(note), (), [note.quote[0]])
        for number, text in note.wanted:
            if own.issuperset(needles_in(text)) and own and number not in note.backings:
                # Whatever speaks of it was found with the quote.
                note.as_quoted.add(number)
                continue
            backing = note.backings.get(number)
            yield Wanted(_line_key(note, number), self._citations(backing), [text])

    def _citations(self, backing: Backing | None) -> list[Citation]:
        """The places at which the kept records still stand."""
        if backing is None:
            return []
        spots = [self._sighter.spot(record) for record in backing.evidence.records_of(backing.change)]
        return [
            Citation(f"{path}:{line}", os.path.basename(path), line, line, CitationStatus.FOUND, path=path)
            for path, line in filter(None, spots)
        ]

    def _see_quote(self, note: _Note, evidence: Evidence, corpus_of: CorpusOf) -> list[Source]:
        """Find out what became of a note's own quote; the records in which it stands."""
        if note.quote is None:
            return []
        words, session = note.quote
        key = _quote_key(note)
        records = [(place, evidence.sources.get(place)) for place in evidence.places.get(key, ())]
        near = [(self._sighter.path_at(place.file), source) for place, source in records if source is not None]
        note.quoted = self._sighter.quote(words, session, near, corpus_of(note, [key]))
        if note.quoted.sight is not Sight.STANDS:
            return [_source(record) for record in note.quote_records]
        return [source for _, source in near if f"{source.transcript}:{source.line}" == note.quoted.place]

    def _sights(self, note: _Note) -> dict[int, dict[str, Sight]]:
        return {
            number: {record.at: self._sighter.sight(record) for record in backing.evidence.records_of(backing.change)}
            for number, backing in note.backings.items()
        }

    def _claims(
        self, note: _Note, evidence: Evidence, quoted: Sequence[Source], corpus_of: CorpusOf
    ) -> dict[int, list[Claim]]:
        """What the claim check says of every line, with its headings around it.

        It is not asked of a line that has evidence, says no more than that, and of which nothing was said later.
        """
        found: dict[int, list[Claim]] = {}
        headings: list[str] = []
        wanted = dict(note.wanted)
        for number, line in enumerate(note.text.lines, 1):
            if number > note.text.head and line.startswith(_HEADING):
                level = len(line) - len(line.lstrip(_HEADING))
                headings = [*(h for h in headings if len(h) - len(h.lstrip(_HEADING)) < level), line]
            if number not in wanted:
                continue
            key = _quote_key(note) if number in note.as_quoted else _line_key(note, number)
            cited = list(quoted) or evidence.cited.get(key, [])
            if not cited and number in note.backings:
                backing = note.backings[number]
                cited = [_source(record) for record in backing.evidence.records_of(backing.change)]
            others = [source for place in evidence.places.get(key, ()) if (source := evidence.sources.get(place))]
            if cited and not says_more(line, cited, quoted) and not spoken_later(line, cited, others):
                continue
            corpus = corpus_of(note, [key, *([_quote_key(note)] if note.quote is not None else [])])
            claims = self._asked([*headings, line], cited, corpus, note.anchor)
            if claims and not cited:
                # What somebody said once may have been taken back since: asked again with that record as the cited one.
                said = {(e.transcript, e.line) for c in claims if c.verdict is Verdict.ELSEWHERE for e in c.evidence}
                heard = [corpus.by_place[place].source for place in said if place in corpus.by_place]
                again = self._asked([*headings, line], heard, corpus, note.anchor) if heard else []
                claims = again if any(claim.verdict is Verdict.CONTRADICTED for claim in again) else claims
            found[number] = claims
        return found

    def _asked(
        self, lines: Sequence[str], cited: Sequence[Source], corpus: Corpus, anchor: datetime | None
    ) -> list[Claim]:
        """The claims of the last of ``lines``; none where the check fails on them."""
        question = Question(lines, cited=cited, others=corpus, anchor=anchor, zone=local_zone())
        try:
            report = check(question, secret_spans, show_secrets=self._options.show_secrets)
        except FAULTS:
            return []
        return [replace(claim, line=0) for claim in report.claims if claim.line == len(lines) - 1]


def searched(step: Step | None) -> Callable[[int, int], None] | None:
    """What a search tells ``step``."""
    return partial(step, "transcripts") if step is not None else None


def batched(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """The items, so many at a time."""
    for at in range(0, len(items), size):
        yield items[at : at + size]


def _quote_key(note: _Note) -> str:
    return f"{note.text.path}:quote"


def _line_key(note: _Note, number: int) -> str:
    return f"{note.text.path}:{number}"


def _attach(note: _Note, backings: Sequence[Backing], anywhere: Mapping[str, Backing]) -> None:
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


def _evidence(note: _Note, sights: Mapping[int, Mapping[str, Sight]]) -> NoteEvidence:
    kept = {
        number: KeptLine(backing.change, backing.evidence.records_of(backing.change), sights[number])
        for number, backing in note.backings.items()
    }
    quotes = (note.quoted,) if note.quoted is not None else ()
    return NoteEvidence(kept, note.left, quotes, note.quote_records)


def _is_checked(path: str, data: bytes) -> bool:
    return not is_binary(data) and os.path.basename(path) != "CLAUDE.md"


def _note(path: str, data: bytes) -> _Note:
    facts = note_facts(data)
    text = NoteText(path, text_lines(split_lines(data)), facts.head_lines)
    # The lines of an index point to notes, which are checked themselves.
    note = _Note(text, facts, stamp_of(data), list(lines_to_check(text)))
    note.quote = _quote(facts)
    return note


def quote_of(data: bytes) -> tuple[str, str] | None:
    """The quote that a note gives as its own evidence, and the session that it names; None where it has none."""
    return _quote(note_facts(data))


def _quote(facts: NoteFacts) -> tuple[str, str] | None:
    words = next((facts.keys[key] for key in QUOTE_KEYS if facts.keys.get(key)), "").strip()
    session = next((facts.keys[key] for key in SESSION_KEYS if facts.keys.get(key)), "").strip()
    return (words, session) if words and session else None


def _source(record: KeptRecord) -> Source:
    return Source(record.transcript, record.line, record.speaker, record.text, record.timestamp, record.error)


def _kept_sources(note: _Note) -> Iterable[Source]:
    """Kept records with their context, so that whose word they are can be told also where the transcript is gone."""
    for backing in note.backings.values():
        for record in backing.evidence.records:
            if record.speaker is not Speaker.OTHER:
                yield _source(record)
    for record in note.quote_records:
        yield _source(record)


def _of(drifted: Mapping[tuple[str, int], str], note: _Note) -> dict[int, str]:
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
