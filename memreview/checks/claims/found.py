"""Hits with what they are worth: how much of the note's own words stands around them, and what takes them away."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from memreview.checks.claims import cues
from memreview.checks.claims.aside import set_aside
from memreview.checks.claims.extract import Candidate
from memreview.checks.claims.hits import Hit, Relation
from memreview.checks.claims.match import hits
from memreview.checks.claims.pieces import Piece
from memreview.checks.claims.quantities import Quantity
from memreview.checks.claims.records import Witness
from memreview.checks.claims.setting import Setting, in_condition
from memreview.model.claim import ClaimKind
from memreview.model.transcript import Speaker

_RELATIONS = {Relation.SAME: 3, Relation.COARSER: 2, Relation.DERIVED: 1, Relation.FINER: 0}
_MOST = 400
_LONG_SENTENCE = 90
_BUT = re.compile(r"[,;] (?:but|aber|doch|mais|pero) ", re.IGNORECASE)


@dataclass(frozen=True)
class Found:
    """A hit.

    ``near`` are the words of its clause, ``words`` those around it as far as they are needed, ``shared`` those of them
    that the note has too; ``fault`` takes the hit away.
    """

    hit: Hit
    piece: Piece | None
    near: frozenset[str]
    words: frozenset[str]
    shared: frozenset[str]
    fault: str

    @property
    def good(self) -> bool:
        """True where nothing takes it away."""
        return not self.fault

    @property
    def worth(self) -> tuple[int, int, int, int]:
        """Sorts the best hit last: whose word, how exact, how near."""
        placed = 1 if self.hit.placed else 0
        return self.hit.witness.rank, _RELATIONS[self.hit.relation], len(self.shared), placed


def look(claim: Candidate, where: Setting, among: Iterable[Witness]) -> list[Found]:
    """All hits of a claim among records."""
    found: list[Found] = []
    for witness in among:
        for number, hit in enumerate(hits(claim, witness)):
            if number >= _MOST:
                break
            found.append(weigh(claim, where, hit))
    return found


def weigh(claim: Candidate, where: Setting, hit: Hit) -> Found:
    """One hit with the words around it and its fault."""
    witness = hit.witness
    if hit.placed:
        piece = witness.statements.at(hit.start, hit.end)
        near = witness.statements.near(hit.start, hit.end, where.language)
        words = near | witness.statements.context(hit.start, hit.end, where.language, near=near)
    else:
        piece, words = None, witness.words(where.language)
        near = words
    return Found(hit, piece, near, words, where.words & words, fault(claim, where, hit, piece))


def fault(claim: Candidate, where: Setting, hit: Hit, piece: Piece | None) -> str:
    """Why the record does not assert the value: refused, failed, negated, superseded, doubt; or nothing."""
    witness = hit.witness
    if witness.refused:
        return "refused"
    if witness.failed and witness.speaker is Speaker.CALL and not where.fails:
        return "failed"
    if piece is None or claim.kind is ClaimKind.QUOTE:
        return ""
    inside = piece.sentence
    start, end = hit.start - inside.start, hit.end - inside.start
    if witness.speaker is not Speaker.CALL and not where.aside and not where.negated:
        aside = set_aside(inside.text, start, end, isinstance(claim.data, Quantity))
        if aside:
            return aside
    if witness.confirmed or where.doubted:
        return ""
    doubt = inside.doubt(witness.speaker)
    if doubt in ("plan", "guess") and _doubt_is_elsewhere(piece, doubt, witness.speaker):
        doubt = ""
    if doubt == "plan" and witness.speaker is Speaker.USER and _decided(where, piece):
        doubt = ""
    if not doubt and witness.speaker is Speaker.USER and not where.conditional and in_condition(inside.text, start):
        doubt = "condition"
    return "doubt" if doubt else ""


def _doubt_is_elsewhere(piece: Piece, doubt: str, speaker: Speaker) -> bool:
    """True where only another clause of a long sentence is in doubt: "Zoe opened the shop, and it may close".

    Another one is one that comes later, or stands before a "but".
    """
    inside = piece.sentence
    if len(inside.text) < _LONG_SENTENCE:
        return False
    end = piece.end - inside.start
    turns = [match.start() for match in _BUT.finditer(inside.text, 0, max(0, piece.start - inside.start) + 8)]
    start = turns[-1] if turns else 0
    if not start and len(inside.text) - end < 20:
        return False
    return replace(inside, text=inside.text[start:end]).doubt(speaker) != doubt


def _decided(where: Setting, piece: Piece) -> bool:
    """True where the user's intention is an instruction, and the note gives it as one."""
    inside = piece.sentence
    if cues.DECISION.search(inside.low) and not cues.PLAN.search(cues.DECISION.sub(" ", inside.low)):
        return True
    return not where.states and bool(where.first_word & inside.words(where.language))


def too_small(claim: Candidate, where: Setting, found: Found) -> bool:
    """Small whole numbers stand everywhere: without a word in common they prove nothing."""
    if not (isinstance(claim.data, Quantity) and claim.data.small) or found.shared or not where.words:
        return False
    return comparable(where, found.hit.witness)


def comparable(where: Setting, witness: Witness) -> bool:
    """False for texts of two languages, whose words cannot be compared."""
    return where.language == witness.language or len(witness.folded) < 25


def telling(claim: Candidate) -> bool:
    """True for values that do not turn up by chance."""
    if isinstance(claim.data, Quantity):
        return len(re.sub(r"\D", "", claim.text)) >= 4
    if claim.kind in (ClaimKind.NAME, ClaimKind.TIME):
        return False
    return claim.kind is not ClaimKind.IDENTIFIER or len(claim.text) > 5
