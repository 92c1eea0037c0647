"""Where in the note a claim stands: its clause, the words around it, and how the sentence is meant."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from memreview.checks.claims import cues
from memreview.checks.claims import pieces as _pieces
from memreview.checks.claims.aside import set_aside
from memreview.checks.claims.extract import Candidate
from memreview.checks.claims.folding import fold
from memreview.checks.claims.language import content_words, language_of
from memreview.checks.claims.pieces import Piece, Statements
from memreview.checks.claims.quantities import Quantity
from memreview.model.claim import ClaimKind

STATES = re.compile(
    r"^\W*(?:[\w'`./-]+\s+){0,4}?(?:is|are|was|were|has|have|had|will|gets?|got|ist|sind|war|waren|hat|haben|wird|"
    r"wurde|werden|wurden|est|sont|es|son|está|fue)\b",
    re.IGNORECASE,
)
_CONDITIONAL = re.compile(
    r"\b(?:if|when|whenever|unless|in case|wenn|falls|sobald|si|quand|lorsque|cuando)\b|場合|とき|如果|若",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Setting:
    """The surroundings of one claim.

    ``words`` are the content words around it as far as they are needed, ``near`` those of its clause and headings, in
    the line's ``language``; ``ahead`` are those that stand before it in its clause, and ``alone`` is true in a list
    of things; ``valued`` where the clause has a value of another kind. ``aside`` says why the note itself sets the
    value aside.
    """

    text: str
    piece: Piece | None
    near: frozenset[str]
    words: frozenset[str]
    language: str
    aside: str
    dated: bool
    ahead: frozenset[str] = frozenset()
    alone: bool = False
    valued: bool = False

    @cached_property
    def sentence(self) -> str:
        """The sentence with the headings above it."""
        if self.piece is None:
            return self.text
        return f"{self.piece.sentence.scope} {self.piece.sentence.text}"

    @cached_property
    def doubted(self) -> bool:
        """True where the note presents it as a plan, a wish, a guess or a question."""
        return _pieces.tells_doubt(self.sentence)

    @cached_property
    def fails(self) -> bool:
        """True where the note tells of a failure."""
        return _pieces.tells_failure(self.sentence)

    @cached_property
    def conditional(self) -> bool:
        """True where the note states a condition too."""
        return bool(_CONDITIONAL.search(self.sentence))

    @cached_property
    def negated(self) -> bool:
        """True where the clause holds a negation."""
        return bool(self.piece and self.piece.negated)

    @cached_property
    def states(self) -> bool:
        """True where the clause says how something is or was, and does not tell to do it."""
        return bool(STATES.search(self.piece.sentence.text if self.piece else self.text))

    @cached_property
    def first_word(self) -> frozenset[str]:
        """The stem of the first word of the sentence: the verb, where it tells to do something."""
        found = re.search(r"[^\W\d_]+", self.piece.sentence.text if self.piece else self.text)
        return content_words(found.group(), self.language) if found else frozenset()

    @cached_property
    def subject(self) -> frozenset[str]:
        """The first content word of the clause."""
        for word in re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*", self.piece.text if self.piece else self.text):
            stems = content_words(word, self.language)
            if stems:
                return stems
        return frozenset()

    @cached_property
    def clause_words(self) -> frozenset[str]:
        """All content words of the clause, those of the value as well."""
        return self.piece.words(self.language) if self.piece else content_words(self.text, self.language)


@dataclass
class NoteText:
    """The added lines as one text, so that a line is read below its heading."""

    lines: Sequence[str]
    offsets: list[int] = field(default_factory=list)
    candidates: dict[int, list[Candidate]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        at = 0
        for line in self.lines:
            self.offsets.append(at)
            at += len(line.rstrip("\r\n")) + 1

    @cached_property
    def statements(self) -> Statements:
        """The clauses of all lines."""
        return _pieces.split("\n".join(line.rstrip("\r\n") for line in self.lines))

    @cached_property
    def _clauses(self) -> Counter[int]:
        return Counter(piece.sentence.start for piece in self.statements)

    @cached_property
    def _by_line(self) -> dict[int, list[Piece]]:
        found: dict[int, list[Piece]] = {}
        for piece in self.statements:
            found.setdefault(bisect_right(self.offsets, piece.start) - 1, []).append(piece)
        return found

    def pieces(self, line: int) -> Sequence[Piece]:
        """The clauses of one line."""
        return self._by_line.get(line, ())

    @cached_property
    def language(self) -> str:
        """The language of the lines together."""
        return language_of(fold("\n".join(self.lines))[:4000])

    def language_of(self, line: int) -> str:
        """The language of one line; where it is too short to tell, that of all."""
        own = language_of(fold(self.lines[line]))
        return own if own != "english" else self.language

    def words(self, line: int) -> frozenset[str]:
        """All content words of a line."""
        return content_words(self.lines[line], self.language_of(line))

    def setting(self, claim: Candidate, dated: bool = False) -> Setting:
        """The surroundings of a claim of these lines."""
        at = self.offsets[claim.line]
        start, end = at + claim.start, at + claim.end
        language = self.language_of(claim.line)
        piece = self.statements.at(start, end)
        near = self.statements.near(start, end, language)
        words = self.statements.context(start, end, language)
        aside = ""
        if piece is not None:
            inside = piece.sentence
            counted = isinstance(claim.data, Quantity)
            aside = set_aside(inside.text, start - inside.start, end - inside.start, counted)
        ahead, alone = frozenset[str](), False
        if piece is not None:
            ahead = content_words(piece.text[: max(0, start - piece.start)], language)
            alone = self._clauses[piece.sentence.start] > 2 and not piece.words_around(start, end, language)
        text = self.lines[claim.line].rstrip("\r\n")
        valued = piece is not None and any(
            other.kind is not ClaimKind.NAME and piece.start <= at + other.start < piece.end
            for other in self.candidates.get(claim.line, ())
        )
        return Setting(text, piece, near, words, language, aside, dated, ahead, alone, valued)


def in_condition(sentence: str, at: int) -> bool:
    """True for a place in the part of a sentence that only states a condition."""
    low = sentence.lower()
    for match in cues.IF_CLAUSE.finditer(low):
        if match.end() <= at:
            between = low[match.end() : at]
            if not re.search(r",|\bthen\b|\bdann\b|\balors\b|\bentonces\b|:", between):
                return True
    return False
