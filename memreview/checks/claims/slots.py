"""Values that compete for one place: the same kind of value, with the same words of the note around it.

Two values compete where the words around them that the note uses are the same; the value whose own words fit the note
better is the one that counts.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from memreview.checks.claims.answers import contradiction
from memreview.checks.claims.aside import set_aside
from memreview.checks.claims.extract import Candidate
from memreview.checks.claims.folding import W, plain_letters
from memreview.checks.claims.found import Found
from memreview.checks.claims.hits import Rival
from memreview.checks.claims.language import STOP_WORDS, content_words
from memreview.checks.claims.match import rivals
from memreview.checks.claims.match_numbers import dimension_at
from memreview.checks.claims.pieces import Piece, points_back
from memreview.checks.claims.quantities import Quantity
from memreview.checks.claims.records import Witness
from memreview.checks.claims.rules import Rule
from memreview.checks.claims.setting import Setting
from memreview.model.claim import Claim, ClaimKind
from memreview.model.transcript import Speaker

NAMED = (
    ClaimKind.NAME,
    ClaimKind.IDENTIFIER,
    ClaimKind.PATH,
    ClaimKind.URL,
    ClaimKind.HOST,
    ClaimKind.HASH,
    ClaimKind.COMMAND,
)
"""Kinds of which one thing may have many."""
_WORDS = re.compile(rf"{W}[\w.-]*")
_BEFORE = re.compile(rf"({W}+)[ *_`\"'(]{{1,3}}$")
_AFTER = re.compile(rf"(?:['’]s)?[ *_`\"')]{{1,3}}({W}+)")
_LONG = 2000
_BARE = 4
"""A sentence with fewer words may take those of the one before."""
_LEAD = 1.3


@dataclass(frozen=True, slots=True)
class Slot:
    """A rival with its clause, the words of the clause, and the words around it as far as they are needed."""

    rival: Rival
    piece: Piece
    near: frozenset[str]
    words: frozenset[str]
    shared: frozenset[str]

    def missing(self, where: Setting) -> frozenset[str]:
        """Words of the note that do not stand around the rival."""
        return where.words - self.words

    def foreign(self, where: Setting) -> frozenset[str]:
        """Words of the rival's clause that the note does not have."""
        return self.near - where.words - content_words(self.rival.text, where.language)


Enough = Callable[[frozenset[str]], bool]


def weighty(words: frozenset[str], weights: Mapping[str, float]) -> Enough:
    """True for a sentence that holds half of the weight of these words: what has less competes with nothing."""
    half = 0.5 * sum(weights.values()) - 1e-9
    return lambda said: sum(weights[word] for word in words & said) >= half


def slots(
    claim: Candidate, where: Setting, witness: Witness, dimension: str = "", enough: Enough | None = None
) -> Iterator[Slot]:
    """The rivals of a record, each with the words around it; what is denied, asked or guessed is none.

    Numbers in ``dimension``, that of the hit, compete with a claim that gives no unit. Sentences that do not hold
    ``enough`` are passed over, which costs less than to read what stands around each rival.
    """
    if enough is not None and not enough(witness.shared(where.words | where.near, where.language)):
        return
    for rival in rivals(claim, witness):
        competes = rival.competes or (bool(dimension) and dimension_at(witness, rival.start) == dimension)
        if competes and (slot := as_slot(claim, where, rival, enough)) is not None:
            yield slot


def as_slot(claim: Candidate, where: Setting, rival: Rival, enough: Enough | None = None) -> Slot | None:
    """A rival in its clause; None where the clause does not assert it."""
    witness = rival.witness
    piece = witness.statements.at(rival.start, rival.end)
    if piece is None:
        return None
    inside = piece.sentence
    common = where.words | where.near
    said = inside.words(where.language)
    back = points_back(inside)
    if not back and not common & said:
        return None
    if enough is not None and not back and len(said) >= _BARE and not enough(said):
        return None
    if inside.doubt(witness.speaker):
        return None
    if set_aside(inside.text, rival.start - inside.start, rival.end - inside.start, isinstance(claim.data, Quantity)):
        return None
    near = witness.statements.near(rival.start, rival.end, where.language)
    words = near | witness.statements.context(rival.start, rival.end, where.language, near=near)
    return Slot(rival, piece, near, words, where.words & words)


def slot_conflict(claim: Candidate, where: Setting, best: Found, cited: Sequence[Witness]) -> Claim | None:
    """The value is there, but of something else, and the claim's own subject has another value."""
    table = where.text.lstrip().startswith("|")
    near = where.near if len(where.near) > 1 else where.words
    if best.piece is None or not near or (where.alone and not table) or claim.kind is ClaimKind.QUOTE:
        return None
    if claim.kind is ClaimKind.COMMAND and best.hit.witness.speaker is Speaker.CALL:
        return None
    foreign = best.near - where.words
    own = near & best.near
    if not foreign or own == near:
        return None
    weights = _rarity(where, cited)
    heard = sum(weights[word] > 0 for word in near)
    dimension = dimension_at(best.hit.witness, best.hit.start) if isinstance(claim.data, Quantity) else ""
    found: tuple[float, Slot] | None = None
    for witness in cited:
        if witness.rank < best.hit.witness.rank:
            continue
        rows = slots(claim, where, witness, dimension, lambda said: 2 * len(near & said) >= heard)
        for slot in (*rows, *same_position(claim, where, best, witness)):
            shared = near & slot.near
            if (slot.piece is best.piece and slot.near == best.near) or not foreign - slot.near:
                continue
            if claim.kind is ClaimKind.NAME and not _names_compete(where, near, best, slot, shared):
                continue
            margin = sum(weights[w] for w in shared) - sum(weights[w] for w in own)
            enough = len(shared) >= len(own) and (4 if heard > 3 else 6) * len(shared) >= 3 * heard
            if slot.piece.sentence is not best.piece.sentence and shared <= best.piece.sentence.words(where.language):
                continue
            decisive = shared - own
            if where.ahead and not decisive & where.ahead and not table:
                continue
            if decisive and margin > 0 and enough and (found is None or margin > found[0]):
                found = margin, slot
    if found is None:
        return None
    what = f"“{claim.text}” belongs to something else there; the claim's own subject has another value"
    return contradiction(claim, found[1].rival, Rule.SLOT, what)


def same_position(claim: Candidate, where: Setting, best: Found, witness: Witness) -> Iterator[Slot]:
    """Words that stand where the hit does: "we use caddy for …" beside "we use postgres for …"."""
    if claim.kind not in (ClaimKind.NAME, ClaimKind.IDENTIFIER) or best.piece is None or not best.hit.placed:
        return
    before, after = neighbours(best.hit.witness.text, best.hit.start, min(best.hit.end, best.piece.end), best.piece)
    if not before or len(witness.text) > 20_000:
        return
    for piece in witness.statements:
        if piece is best.piece or before not in piece.text.casefold():
            continue
        words = [(m.start(), m.end(), m.group()) for m in _WORDS.finditer(piece.text)]
        for (_, _, first), (left, right, word) in itertools.pairwise(words):
            if first.casefold() != before or word.casefold() in STOP_WORDS or word.casefold() == claim.text.casefold():
                continue
            start, end = piece.start + left, piece.start + right
            if neighbours(witness.text, start, end, piece)[1] != after:
                continue
            slot = as_slot(claim, where, Rival(witness, start, end, word))
            if slot is not None:
                yield slot


def _names_compete(where: Setting, near: frozenset[str], best: Found, slot: Slot, shared: frozenset[str]) -> bool:
    """Names stand for anything: in long sentences all words around them have to be the same."""
    if on_line(slot.rival, where):
        return False
    short = max(len(slot.near), len(best.near)) <= len(near) + 2
    few = len(near) == 2 and bool(shared) and max(len(slot.near), len(best.near)) <= 3
    most = few or (len(shared) > 1 and 5 * len(shared) >= 3 * len(near))
    alike = len(near) > 2 and len(slot.near) <= 2 * len(near) + 2
    return (shared == near and (short or alike)) or (short and most)


def _rarity(where: Setting, cited: Sequence[Witness]) -> dict[str, float]:
    """How much each word of the note's clause tells: one over the number of clauses and headings it stands in."""
    counts = dict.fromkeys(where.near | where.words, 0)
    for witness in cited:
        for piece in witness.statements[:_LONG]:
            words = piece.words(where.language)
            if piece.sentence.scope:
                words = words | content_words(piece.sentence.scope, where.language)
            for word in counts.keys() & words:
                counts[word] += 1
    return lead({word: 1 / count if count else 0.0 for word, count in counts.items()}, where)


def lead(weights: Mapping[str, float], where: Setting) -> dict[str, float]:
    """The weights, that of the first word of the clause raised: it is most often what the clause speaks of."""
    first = where.subject
    return {word: weight * (_LEAD if word in first else 1) for word, weight in weights.items()}


def on_line(rival: Rival, where: Setting) -> bool:
    """True where the note's clause holds the rival's words too."""
    clause = where.piece.text if where.piece else where.text
    if plain_letters(rival.text) in plain_letters(clause):
        return True
    words = content_words(rival.text, where.language)
    return bool(words) and words <= where.words


def rival_in_slot(
    claim: Candidate, where: Setting, cited: Sequence[Witness], weights: Mapping[str, float]
) -> tuple[Slot, float] | None:
    """The cited records' own value for the very thing the claim speaks of, and how well its surroundings fit."""
    total = sum(weights.values())
    if claim.kind is ClaimKind.QUOTE or not where.words or not total:
        return None
    best: tuple[Slot, float] | None = None
    enough = weighty(where.words, weights)
    for witness in cited:
        for slot in slots(claim, where, witness, enough=enough):
            fit = sum(weights[w] for w in slot.shared) / total
            if claim.kind in NAMED and on_line(slot.rival, where):
                continue
            if claim.kind is ClaimKind.NAME and slot.missing(where) and len(slot.near) > len(where.words) + 3:
                continue
            if slot.shared and fit >= 0.5 and (best is None or fit > best[1]):
                best = slot, fit
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


def neighbours(text: str, start: int, end: int, piece: Piece | None = None) -> tuple[str, str]:
    """The words right before and after a place, folded; empty at the borders of its clause."""
    left, right = (piece.start, piece.end) if piece is not None else (0, len(text))
    before = _BEFORE.search(text[max(left, start - 40) : start])
    after = _AFTER.match(text[end : min(right, end + 40)])
    return (before.group(1).casefold() if before else "", after.group(1).casefold() if after else "")
