"""What the transcripts say of one note after the other: each by its own records, so that processes can share them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from memreview.checks.claims.check import Question, check
from memreview.checks.claims.corpus import Corpus
from memreview.checks.claims.records import Source
from memreview.checks.claims.rules import Rule
from memreview.checks.nightly import Found, NoteEvidence, NoteText, answered, check_note, without_places
from memreview.checks.note_facts import NoteFacts
from memreview.evidence.aftermath import Around, says_more, spoken_later
from memreview.evidence.faults import FAULTS
from memreview.evidence.gather import Evidence, Gatherer, Wanted
from memreview.evidence.kept_store import Backing
from memreview.evidence.questions import local_zone
from memreview.evidence.sighting import Sighter, whose
from memreview.model.advice import Advised, KeptLine, Quoted, Sight
from memreview.model.claim import Claim, Verdict
from memreview.model.kept import KeptRecord
from memreview.model.transcript import Speaker
from memreview.read.speech_index import Place, SpeechIndex
from memreview.read.speech_search import Hit
from memreview.text import secret_spans

NOTES_AT_ONCE: Final = 20
"""Notes that a process takes at a time."""
WEIGHT: Final = 100_000
"""Bytes that are scanned in the time in which one note is looked at."""
_HEADING: Final = "#"


@dataclass
class NoteInCheck:
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


CorpusOf = Callable[[Iterable[str]], Corpus]
"""The records around those that were found for some keys of a note."""


@dataclass(frozen=True, slots=True)
class AskedNote:
    """A note, what is wanted for it, and what was found for each of the lines of that."""

    note: NoteInCheck
    wanted: Sequence[Wanted]
    found: Sequence[Sequence[Hit]]
    drifted: Mapping[int, str]
    """What the repository says against its lines."""


@dataclass(frozen=True, slots=True)
class Notes:
    """Some of the notes, by their numbers."""

    start: int
    stop: int

    @property
    def weight(self) -> int:
        """See :class:`memreview.read.speech_worker.Task`."""
        return WEIGHT * (self.stop - self.start)


class NoteChecker:
    """Says what there is to be said of notes."""

    def __init__(self, index: SpeechIndex, sighter: Sighter, asked: Sequence[AskedNote], *, show_secrets: bool) -> None:
        self._gatherer = Gatherer(index)
        self._sighter = sighter
        self._asked_notes = asked
        self._show_secrets = show_secrets
        self._zone = local_zone()

    def tasks(self) -> list[Notes]:
        """All notes, some at a time."""
        count = len(self._asked_notes)
        return [Notes(at, min(at + NOTES_AT_ONCE, count)) for at in range(0, count, NOTES_AT_ONCE)]

    def carry_out(self, notes: Notes, /) -> list[Advised]:
        """The advice on these notes, in their order."""
        return [row for asked in self._asked_notes[notes.start : notes.stop] for row in self._check(asked)]

    def finish(self) -> None:
        """Nothing is gathered besides."""

    def absorb(self, rest: None, /) -> None:
        """Nothing is gathered besides."""

    def _check(self, asked: AskedNote) -> list[Advised]:
        note = asked.note
        evidence = self._gatherer.gather(asked.wanted, asked.found)
        corpus_of = self._corpus_of(note, evidence)
        quoted = self._see_quote(note, evidence, corpus_of)
        found = Found(self._claims(note, evidence, quoted, corpus_of), asked.drifted)
        rows = check_note(note.text, _evidence(note, self._sights(note)), found)
        return [answered(row, note.answers.get(row.line, {})) for row in rows]

    def _corpus_of(self, note: NoteInCheck, evidence: Evidence) -> CorpusOf:
        shown = secret_spans if not self._show_secrets else None
        made: dict[tuple[Place, ...], Corpus] = {}

        def corpus_of(keys: Iterable[str]) -> Corpus:
            around = Around(evidence)
            places = (place for key in keys for place in (*evidence.places.get(key, ()), *around.cited(key)))
            wanted = tuple(dict.fromkeys(places))
            if wanted not in made:
                made[wanted] = Corpus([*around.near(wanted), *_kept_sources(note)], self._zone, shown)
            return made[wanted]

        return corpus_of

    def _see_quote(self, note: NoteInCheck, evidence: Evidence, corpus_of: CorpusOf) -> list[Source]:
        """Find out what became of a note's own quote; the records in which it stands."""
        if note.quote is None:
            return []
        words, session = note.quote
        key = quote_key(note)
        records = [(place, evidence.sources.get(place)) for place in evidence.places.get(key, ())]
        near = [(self._sighter.path_at(place.file), source) for place, source in records if source is not None]
        note.quoted, place = self._sighter.quote(words, session, near, corpus_of([key]))
        if place is not None:
            # It is evidence like a record that the search found, and its rank depends on those around it.
            source = self._gatherer.take(place, words)
            evidence.places.setdefault(key, []).append(place)
            note.quoted = replace(note.quoted, speaker=whose(source, corpus_of([key])))
            return [source]
        if note.quoted.sight is not Sight.STANDS:
            return [_source(record) for record in note.quote_records]
        return [source for _, source in near if f"{source.transcript}:{source.line}" == note.quoted.place]

    def _sights(self, note: NoteInCheck) -> dict[int, dict[str, Sight]]:
        return {
            number: {record.at: self._sighter.sight(record) for record in backing.evidence.records_of(backing.change)}
            for number, backing in note.backings.items()
        }

    def _claims(
        self, note: NoteInCheck, evidence: Evidence, quoted: Sequence[Source], corpus_of: CorpusOf
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
            line = without_places(line)
            key = quote_key(note) if number in note.as_quoted else line_key_of(note, number)
            cited = list(quoted) or evidence.cited.get(key, [])
            if not cited and number in note.backings:
                backing = note.backings[number]
                cited = [_source(record) for record in backing.evidence.records_of(backing.change)]
            others = [source for place in evidence.places.get(key, ()) if (source := evidence.sources.get(place))]
            if cited and not says_more(line, cited, quoted) and not spoken_later(line, cited, others):
                continue
            corpus = corpus_of([key, *([quote_key(note)] if note.quote is not None else [])])
            # Where a quote or a kept record says so, only what speaks against the line matters.
            backed = note.quoted is not None or (number in note.backings and note.backings[number].change.cited)
            wording = not (cited and backed)
            claims = self._asked([*headings, line], cited, corpus, note.anchor, wording=wording)
            if claims and not cited:
                # What somebody said once may have been taken back since: asked again with that record as the cited one.
                said = {(e.transcript, e.line) for c in claims if c.verdict is Verdict.ELSEWHERE for e in c.evidence}
                heard = [corpus.by_place[place].source for place in said if place in corpus.by_place]
                again = self._asked([*headings, line], heard, corpus, note.anchor) if heard else []
                claims = again if any(claim.verdict is Verdict.CONTRADICTED for claim in again) else claims
            if claims and all(claim.rule == Rule.DATE_ROTS and claim.flagged for claim in claims):
                # Its day says nothing any more; what is left may still have been said.
                rest = self._asked([*headings, _without(line, claims)], cited, corpus, note.anchor)
                claims = rest or claims
            found[number] = [_as_agreed(claim, corpus) for claim in claims]
        return found

    def _asked(
        self,
        lines: Sequence[str],
        cited: Sequence[Source],
        corpus: Corpus,
        anchor: datetime | None,
        *,
        wording: bool = True,
    ) -> list[Claim]:
        """The claims of the last of ``lines``; none where the check fails on them."""
        question = Question(lines, cited=cited, others=corpus, anchor=anchor, zone=self._zone, wording=wording)
        try:
            report = check(question, secret_spans, show_secrets=self._show_secrets)
        except FAULTS:
            return []
        return [replace(claim, line=0) for claim in report.claims if claim.line == len(lines) - 1]


def quote_key(note: NoteInCheck) -> str:
    """By what the records of a note's quote are known."""
    return f"{note.text.path}:quote"


def line_key_of(note: NoteInCheck, number: int) -> str:
    """By what the records of a line are known."""
    return f"{note.text.path}:{number}"


def _evidence(note: NoteInCheck, sights: Mapping[int, Mapping[str, Sight]]) -> NoteEvidence:
    kept = {
        number: KeptLine(backing.change, backing.evidence.records_of(backing.change), sights[number])
        for number, backing in note.backings.items()
    }
    quotes = (note.quoted,) if note.quoted is not None else ()
    return NoteEvidence(kept, note.left, quotes, note.quote_records)


def _source(record: KeptRecord) -> Source:
    return Source(record.transcript, record.line, record.speaker, record.text, record.timestamp, record.error)


def _kept_sources(note: NoteInCheck) -> Iterable[Source]:
    """Kept records with their context, so that whose word they are can be told also where the transcript is gone."""
    for backing in note.backings.values():
        for record in backing.evidence.records:
            if record.speaker is not Speaker.OTHER:
                yield _source(record)
    for record in note.quote_records:
        yield _source(record)


def _without(line: str, claims: Iterable[Claim]) -> str:
    """The line with blanks in the place of these claims."""
    for claim in claims:
        line = line[: claim.start] + " " * (claim.end - claim.start) + line[claim.end :]
    return line


def _as_agreed(claim: Claim, corpus: Corpus) -> Claim:
    """The claim as the user's where it rests on words of the assistant that the user agreed to; where its record holds
    another value, whose word that is."""
    if claim.speaker not in (Speaker.ASSISTANT, None) or not claim.evidence:
        return claim
    witness = corpus.by_place.get((claim.evidence[0].transcript, claim.evidence[0].line))
    return replace(claim, speaker=whose(witness.source, corpus)) if witness is not None else claim
