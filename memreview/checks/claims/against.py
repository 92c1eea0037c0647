"""What speaks against a value: another one in its slot, or a later record that replaces it or takes it back.

A *slot* is a kind of value together with the words around it. Two values compete for one slot where the words around
them that the note uses are the same; the value whose own words fit the note better is the one that counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from memreview.checks.claims import cues
from memreview.checks.claims.answers import contradiction
from memreview.checks.claims.aside import negation_target, set_aside
from memreview.checks.claims.extract import Candidate
from memreview.checks.claims.folding import W, plain_letters
from memreview.checks.claims.found import Found, comparable, look, weigh
from memreview.checks.claims.hits import Rival
from memreview.checks.claims.language import content_words
from memreview.checks.claims.match import hits, rivals
from memreview.checks.claims.match_numbers import dimension_at
from memreview.checks.claims.pieces import Piece
from memreview.checks.claims.quantities import Quantity
from memreview.checks.claims.records import Witness
from memreview.checks.claims.rules import Rule
from memreview.checks.claims.setting import Setting
from memreview.model.claim import Claim, ClaimKind
from memreview.model.transcript import Speaker

_LONG = 2000
_NO_LONGER = cues.words(
    r"no longer|not any ?more|anymore|nicht mehr|ne \w+ plus|n'\w+ plus|ya no|stopped|from now on|ab jetzt|"
    r"désormais|a partir de ahora",
    wide=r"もう|不再|今后",
)
_NEVER_REPLACED = (ClaimKind.QUOTE, ClaimKind.COMMAND, ClaimKind.SECRET)


@dataclass(frozen=True, slots=True)
class Slot:
    """A rival with its clause, the words of the clause, and the words around it as far as they are needed."""

    rival: Rival
    piece: Piece
    near: frozenset[str]
    words: frozenset[str]
    shared: frozenset[str]


def slots(claim: Candidate, where: Setting, witness: Witness, dimension: str = "") -> Iterator[Slot]:
    """The rivals of a record, each with the words around it; what is denied, asked or guessed is none.

    Numbers in ``dimension``, that of the hit, compete with a claim that gives no unit.
    """
    for rival in rivals(claim, witness):
        piece = witness.statements.at(rival.start, rival.end)
        competes = rival.competes or (bool(dimension) and dimension_at(witness, rival.start) == dimension)
        if piece is None or not competes or piece.sentence.doubt(witness.speaker):
            continue
        inside = piece.sentence
        counted = isinstance(claim.data, Quantity)
        if set_aside(inside.text, rival.start - inside.start, rival.end - inside.start, counted):
            continue
        near = witness.statements.near(rival.start, rival.end, where.language)
        words = near | witness.statements.context(rival.start, rival.end, where.language)
        yield Slot(rival, piece, near, words, where.words & words)


def slot_conflict(claim: Candidate, where: Setting, best: Found, cited: Sequence[Witness]) -> Claim | None:
    """The value is there, but of something else, and the claim's own subject has another value."""
    if best.piece is None or not where.near or claim.kind is ClaimKind.QUOTE:
        return None
    foreign = best.near - where.words
    own = where.near & best.near
    if not foreign or own == where.near:
        return None
    weights = _rarity(where, cited)
    heard = sum(weight > 0 for weight in weights.values())
    dimension = dimension_at(best.hit.witness, best.hit.start) if isinstance(claim.data, Quantity) else ""
    found: tuple[float, Slot] | None = None
    for witness in cited:
        if witness.rank < best.hit.witness.rank:
            continue
        for slot in slots(claim, where, witness, dimension):
            shared = where.near & slot.near
            if (slot.piece is best.piece and slot.near == best.near) or not foreign - slot.near:
                continue
            if claim.kind is ClaimKind.NAME and (shared != where.near or on_line(slot.rival, where)):
                continue
            margin = sum(weights[w] for w in shared) - sum(weights[w] for w in own)
            enough = len(shared) >= len(own) and (4 if heard > 3 else 6) * len(shared) >= 3 * heard
            if slot.piece.sentence is not best.piece.sentence and shared <= _sentence_words(best, where):
                continue
            if shared - own and margin > 0 and enough and (found is None or margin > found[0]):
                found = margin, slot
    if found is None:
        return None
    what = f"“{claim.text}” belongs to something else there; the claim's own subject has another value"
    return contradiction(claim, found[1].rival, Rule.SLOT, what)


def _sentence_words(best: Found, where: Setting) -> frozenset[str]:
    assert best.piece is not None
    return best.piece.sentence.words(where.language)


def _rarity(where: Setting, cited: Sequence[Witness]) -> dict[str, float]:
    """How much each word of the note's clause tells: one over the number of clauses and headings it stands in."""
    counts = dict.fromkeys(where.near, 0)
    for witness in cited:
        for piece in witness.statements[:_LONG]:
            words = piece.words(where.language)
            if piece.sentence.scope:
                words = words | content_words(piece.sentence.scope, where.language)
            for word in where.near & words:
                counts[word] += 1
    return {word: 1 / count if count else 0.0 for word, count in counts.items()}


def on_line(rival: Rival, where: Setting) -> bool:
    """True where the note's clause holds the rival's words too."""
    clause = where.piece.text if where.piece else where.text
    return (
        plain_letters(rival.text) in plain_letters(clause) or content_words(rival.text, where.language) <= where.words
    )


def taken_back(claim: Candidate, where: Setting, best: Found, later: Iterable[Witness]) -> Claim | None:
    """A later record of at least the same rank gives another value in the same place, or takes it back.

    ``later`` are the records after that of ``best``, the latest first. Whoever says it again last is right.
    """
    if (where.dated and claim.kind is not ClaimKind.NAME) or not where.words:
        return None
    since = best.hit.witness
    for witness in later:
        if witness.rank < min(since.rank, 3) or (witness.rank == 1 and since.rank > 1):
            continue
        if witness.speaker is Speaker.CALL:
            continue
        against = _denied_by(claim, where, witness) or _replaced_by(claim, where, witness)
        if against is not None:
            return against
        if any(
            f.good and f.hit.placed and len(f.shared) * 2 >= len(where.words) for f in look(claim, where, [witness])
        ):
            return None
    return None


def _denied_by(claim: Candidate, where: Setting, witness: Witness) -> Claim | None:
    if where.negated or where.aside:
        return None
    for hit in hits(claim, witness):
        piece = witness.statements.at(hit.start, hit.end) if hit.placed else None
        if piece is None or piece.sentence.doubt(witness.speaker):
            continue
        inside = piece.sentence
        shared = where.words & (piece.words(where.language) | inside.words(where.language))
        near = 2 * len(shared) >= len(where.words)
        fault = weigh(claim, where, hit).fault
        rival = Rival(witness, inside.start, inside.end, inside.text)
        turned = fault == "superseded" or (fault == "negated" and (near or _NO_LONGER.search(inside.low)))
        if turned and (shared or claim.kind is ClaimKind.NAME):
            return contradiction(claim, rival, Rule.TAKEN_BACK, "It was taken back later")
        denied = negation_target(inside.text, where.language)
        if near and denied and denied in where.words:
            return contradiction(claim, rival, Rule.DENIED_LATER, "A later record says otherwise")
    return None


def _replaced_by(claim: Candidate, where: Setting, witness: Witness) -> Claim | None:
    if claim.kind in _NEVER_REPLACED or (claim.kind is ClaimKind.NAME and claim.weak):
        return None
    if not comparable(where, witness) or any(f.good and f.hit.placed for f in look(claim, where, [witness])):
        return None
    named = claim.kind is ClaimKind.NAME
    strict = named or claim.kind in (ClaimKind.IDENTIFIER, ClaimKind.PATH, ClaimKind.URL, ClaimKind.HASH)
    for slot in slots(claim, where, witness):
        shared, size = len(slot.shared), len(where.words)
        takes_back = bool(
            cues.TAKES_BACK.search(slot.piece.sentence.low) or cues.OPENS_WITH_NO.search(slot.piece.sentence.low)
        )
        if strict:
            enough = shared == size and (takes_back or (not named and len(slot.words) <= size + 1))
            enough = enough and not on_line(slot.rival, where)
        else:
            enough = shared >= max(2, round(0.6 * size)) or (takes_back and 2 * shared >= size)
        if enough and shared:
            return contradiction(claim, slot.rival, Rule.LATER, "A later record gives another value")
    return None


def outranked(claim: Candidate, where: Setting, best: Found, others: Iterable[Witness]) -> Claim | None:
    """The assistant's word against a tool or the user, whoever spoke first."""
    if best.hit.witness.rank > 1 or not where.words:
        return None
    for witness in others:
        if witness.rank >= 2 and witness.speaker is not Speaker.CALL:
            against = _denied_by(claim, where, witness) or _replaced_by(claim, where, witness)
            if against is not None:
                return replace(against, rule=Rule.OUTRANKED)
    return None


def rival_in_slot(claim: Candidate, where: Setting, cited: Sequence[Witness]) -> tuple[Slot, int] | None:
    """The cited records' own value for the very thing the claim speaks of, and how many words they share."""
    if claim.kind in (ClaimKind.QUOTE, ClaimKind.COMMAND) or not where.words:
        return None
    named = claim.kind in (ClaimKind.NAME, ClaimKind.IDENTIFIER)
    best: tuple[Slot, int] | None = None
    for witness in cited:
        for slot in slots(claim, where, witness):
            shared = len(slot.shared)
            if named and (shared < len(where.words) or on_line(slot.rival, where)):
                continue
            if shared >= max(min(2, len(where.words)), round(0.6 * len(where.words))) and (
                best is None or shared > best[1]
            ):
                best = slot, shared
    return best


def nearest(claim: Candidate, where: Setting, cited: Sequence[Witness]) -> Rival | None:
    """The value of the same kind whose surroundings are most like the claim's."""
    best, most = None, (-1, 0)
    for witness in cited:
        for rival in rivals(claim, witness):
            if not rival.competes:
                continue
            words = witness.statements.context(rival.start, rival.end, where.language)
            key = (len(where.words & words), witness.rank)
            if key > most:
                best, most = rival, key
    return best if best is not None and (most[0] > 0 or claim.kind is not ClaimKind.NUMBER) else None


def other_name(
    claim: Candidate, where: Setting, witnesses: Sequence[Witness], cited: Sequence[Witness]
) -> Claim | None:
    """A capitalised word that may be none but a word is a claim where the evidence has another name in its place."""
    if not where.words or any(hits(claim, w) for w in witnesses if w.rank > 0):
        return None
    spare = 2 if len(where.words) > 1 else 0
    before, after = _neighbours(where.text, claim.start, claim.end)
    for witness in cited:
        for slot in slots(claim, where, witness):
            theirs = _neighbours(witness.text, slot.rival.start, slot.rival.end)
            opens = not witness.text[slot.piece.start : slot.rival.start].strip()
            if where.language == "german" or not opens:
                opens = bool(before and before == theirs[0]) or (not before and bool(after and after == theirs[1]))
            if not opens or on_line(slot.rival, where):
                continue
            if where.words <= slot.words and len(slot.words - where.words) <= spare:
                return contradiction(claim, slot.rival, Rule.OTHER_NAME, "The cited record names something else")
    return None


def _neighbours(text: str, start: int, end: int) -> tuple[str, str]:
    """The words right before and after a place, folded; empty at the borders of a clause."""
    before = re.search(rf"({W}+)[ *_`\"'(]{{1,3}}$", text[max(0, start - 40) : start])
    after = re.match(rf"(?:['’]s)?[ *_`\"')]{{1,3}}({W}+)", text[end : end + 40])
    return (before.group(1).casefold() if before else "", after.group(1).casefold() if after else "")
