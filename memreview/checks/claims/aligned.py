"""Clauses of the cited records that speak of the same thing as a clause of the note."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memreview.checks.claims.answers import clip, place
from memreview.checks.claims.folding import fold
from memreview.checks.claims.language import content_words
from memreview.checks.claims.pieces import Piece
from memreview.checks.claims.records import Witness
from memreview.checks.claims.rules import Rule
from memreview.checks.claims.setting import NoteText
from memreview.model.claim import Claim, ClaimKind, Evidence, Verdict, Weight

_MOST = 8


@dataclass(frozen=True)
class NoteClause:
    """One clause of an added line; ``start`` and ``end`` are places in the line."""

    line: int
    start: int
    end: int
    text: str
    piece: Piece
    words: frozenset[str]
    language: str


@dataclass(frozen=True)
class Aligned:
    """A clause of a record with the words that it shares with the note's."""

    witness: Witness
    piece: Piece
    words: frozenset[str]
    shared: frozenset[str]

    @property
    def sentence(self) -> str:
        """The folded sentence."""
        return self.piece.sentence.low

    @property
    def said(self) -> str:
        """The sentence, cut for a reason."""
        inside = self.piece.sentence
        return clip(self.witness.shown[inside.start : inside.end], 120)

    @property
    def place(self) -> str:
        """Where it was said."""
        return place(self.witness)

    def fits(self, clause: NoteClause, fifths: int = 3) -> bool:
        """True where at least two words and so many fifths of the note's clause are shared."""
        return len(self.shared) >= min(2, len(clause.words)) and 5 * len(self.shared) >= fifths * len(clause.words)


def clauses_of(note: NoteText, line: int, body: int) -> list[NoteClause]:
    """The clauses of one added line from its text on."""
    at = note.offsets[line]
    text = note.lines[line].rstrip("\r\n")
    language = note.language_of(line)
    out = []
    for piece in note.pieces(line):
        start, end = max(piece.start - at, body), min(piece.end - at, len(text))
        part = text[start:end] if start < end else ""
        if not part.strip():
            continue
        start += len(part) - len(part.lstrip())
        words = content_words(part, language)
        if len(words) < 2:
            words = words | piece.sentence.words(language)
        out.append(NoteClause(line, start, start + len(part.strip()), part.strip(), piece, words, language))
    return out


def align(clause: NoteClause, among: Sequence[Witness]) -> list[Aligned]:
    """Clauses that share two words with the note's, or half of its words, best first."""
    found: list[Aligned] = []
    for witness in among:
        if not witness.shared(clause.words, clause.language):
            continue
        for piece in witness.statements:
            words = piece.words(clause.language)
            if len(words) < 2:
                words = words | piece.sentence.words(clause.language)
            shared = clause.words & words
            if shared and (len(shared) >= 2 or 2 * len(shared) >= len(clause.words)):
                found.append(Aligned(witness, piece, words, shared))
    found.sort(key=lambda a: (-len(a.shared), -a.witness.rank))
    return found[:_MOST]


def modal_claim(
    clause: NoteClause, place: tuple[int, int], verdict: Verdict, weight: Weight, rule: Rule, reason: str, best: Aligned
) -> Claim:
    """A claim of kind modality on a place of the clause's text."""
    source = best.witness.source
    start, end = place
    text = clause.text[start:end]
    return Claim(
        clause.line,
        clause.start + start,
        clause.start + end,
        text,
        ClaimKind.MODALITY,
        fold(text),
        verdict,
        weight,
        rule,
        reason,
        source.speaker,
        (Evidence(source.transcript, source.line, best.said),),
    )
