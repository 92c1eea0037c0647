"""What of the new text is new: lines and values that the old memory already held are carried over, not claimed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from memreview.checks.claims.corpus import Corpus
from memreview.checks.claims.extract import Candidate
from memreview.checks.claims.folding import fold
from memreview.checks.claims.found import Found, weigh
from memreview.checks.claims.hits import Relation
from memreview.checks.claims.language import content_words
from memreview.checks.claims.markdown import MARKER
from memreview.checks.claims.match import hits
from memreview.checks.claims.pieces import Piece
from memreview.checks.claims.records import Source, Witness
from memreview.checks.claims.setting import Setting
from memreview.checks.claims.slots import slot_conflict
from memreview.checks.claims.whens import SOME_DAY
from memreview.model.transcript import Speaker


def bare(line: str) -> str:
    """A line without list marker, markup and case: what makes two lines the same statement."""
    return fold(MARKER.sub("", line)).rstrip(".")


def _same_surroundings(where: Setting, found: Found) -> bool:
    """Half of the words of the clause, or of those around the value, are the same."""
    close = where.near & found.words
    return 2 * len(close) >= min(len(where.near), 4) or 2 * len(found.shared) >= min(len(where.words), 4)


@dataclass(frozen=True)
class OldText:
    """Lines of a memory with where they stand (``note.md:4``); built once, asked for every change."""

    lines: Sequence[str]
    origins: Sequence[str] = field(default_factory=tuple)

    @cached_property
    def by_bare(self) -> dict[str, int]:
        """Index of each statement's first line."""
        found: dict[str, int] = {}
        for index, line in enumerate(self.lines):
            found.setdefault(bare(line), index)
        return found

    @cached_property
    def corpus(self) -> Corpus:
        """The lines as records, so that they can be asked like ones."""
        day = SOME_DAY.isoformat()
        return Corpus(
            Source("", number, Speaker.USER, line, day) for number, line in enumerate(self.lines) if line.strip()
        )

    def place(self, index: int) -> str:
        """Where a line stands."""
        return self.origins[index] if index < len(self.origins) else f"line {index + 1}"

    def origin(self, line: str) -> str | None:
        """Where a line stood in the old memory, or None."""
        statement = bare(line)
        index = self.by_bare.get(statement) if statement else None
        return None if index is None else self.place(index)

    def of_note(self, name: str) -> OldText:
        """The lines of one note."""
        picked = [
            i for i in range(min(len(self.lines), len(self.origins))) if self.origins[i].rpartition(":")[0] == name
        ]
        return OldText([self.lines[i] for i in picked], [self.origins[i] for i in picked])

    def found(self, claim: Candidate, where: Setting) -> list[Found]:
        """The lines' own hits of a claim, relative dates counted from the same day."""
        if claim.fixed is not None:
            claim = replace(claim, data=claim.fixed)
        rows = self.corpus.holding(claim, where.words, where.language)
        found = (weigh(claim, where, hit) for witness in rows for hit in hits(claim, witness) if hit.placed)
        return [f for f in found if f.hit.relation is Relation.SAME and f.fault in ("", "doubt")]

    def holds(self, claim: Candidate, where: Setting, strict: bool) -> bool:
        """True where the text already makes this claim.

        Another value for the same thing in the text shows that it does not. ``strict`` asks for half of the words
        around the value as well.
        """
        for found in self.found(claim, where):
            if strict and where.words and not _same_surroundings(where, found):
                continue
            if slot_conflict(claim, where, found, list(self.corpus.about(where.words, where.language))) is None:
                return True
        return False

    def pieces_about(self, words: frozenset[str], language: str) -> list[Piece]:
        """Clauses that share words with these."""
        rows: list[Witness] = list(self.corpus.about(words, language))
        return [p for w in rows for p in w.statements if p.words(language) & words]

    def coverage(self, text: str, language: str) -> float:
        """The share of a line's content words that stand in the text."""
        words = content_words(text, language)
        if not words:
            return 1.0
        counts = self.corpus.counts(words, language)
        return sum(counts[word] > 0 for word in words) / len(words)
