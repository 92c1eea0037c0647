"""What was said later, or by somebody whose word counts more: a value that was replaced or taken back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from memreview.checks.claims import cues
from memreview.checks.claims.answers import contradiction
from memreview.checks.claims.aside import negation_target
from memreview.checks.claims.extract import Candidate
from memreview.checks.claims.found import Found, comparable, look
from memreview.checks.claims.hits import Hit, Rival
from memreview.checks.claims.names_against import in_its_place
from memreview.checks.claims.quantities import Quantity
from memreview.checks.claims.records import Witness
from memreview.checks.claims.rules import Rule
from memreview.checks.claims.setting import Setting
from memreview.checks.claims.slots import NAMED, Slot, on_line, same_position, slots, weighty
from memreview.model.claim import Claim, ClaimKind
from memreview.model.transcript import Speaker

_SETS = re.compile(
    r"\W*(?:(?:please|and|then|so|now|ok(?:ay)?|yes|bitte|und|dann)[\s,]+){0,3}"
    r"(?:set|change|raise|lower|bump|increase|decrease|reduce|extend|shorten|setz\w*|stell\w*|erhöh\w*|änder\w*|senk\w*)\b"
)
"""The user has a value set: "set the retries to 8"."""
_NO_LONGER = cues.words(
    r"no longer|not any ?more|anymore|nicht mehr|ne \w+ plus|n'\w+ plus|ya no|stopped|from now on|ab jetzt|"
    r"désormais|a partir de ahora",
    wide=r"もう|不再|今后",
)

_OLD = re.compile(r"\bold\W{1,3}$", re.IGNORECASE)


def taken_back(
    claim: Candidate,
    where: Setting,
    best: Found,
    later: Iterable[Witness],
    weights: Mapping[str, float],
    may_hold: Callable[[Witness], bool],
) -> Claim | None:
    """A later record of at least the same rank gives another value in the same place, or takes it back.

    ``later`` are the records after that of ``best``, the latest first. Whoever says it again last is right.
    ``may_hold`` is false for records that surely do not hold the value.
    """
    if (where.dated and claim.kind not in (ClaimKind.NAME, ClaimKind.DATE)) or not where.words:
        return None
    since = best.hit.witness
    for witness in later:
        if witness.rank < min(since.rank, 3) or (witness.rank == 1 and since.rank > 1):
            continue
        if witness.speaker is Speaker.CALL:
            continue
        if not may_hold(witness):
            against = _replaced_by(claim, where, witness, weights) or _corrected(claim, where, best, witness)
            if against is not None:
                return against
            continue
        found = look(claim, where, [witness])
        against = _denied_by(claim, where, found) or _replaced_by(claim, where, witness, weights, found)
        against = against or _corrected(claim, where, best, witness)
        if against is not None:
            return against
        if any(f.good and f.hit.placed and len(f.shared) * 2 >= len(where.words) for f in found):
            return None
    return None


def outranked(
    claim: Candidate,
    where: Setting,
    best: Found,
    others: Iterable[Witness],
    weights: Mapping[str, float],
    may_hold: Callable[[Witness], bool],
) -> Claim | None:
    """The assistant's word against a tool or the user, whoever spoke first."""
    if best.hit.witness.rank > 1 or not where.words:
        return None
    for witness in others:
        if witness.rank >= 2 and witness.speaker is not Speaker.CALL:
            found = look(claim, where, [witness]) if may_hold(witness) else []
            against = _denied_by(claim, where, found) or _replaced_by(claim, where, witness, weights, found, 3)
            if against is not None:
                return replace(against, rule=Rule.OUTRANKED)
    return None


def _denied_by(claim: Candidate, where: Setting, found: Sequence[Found]) -> Claim | None:
    if where.negated or where.aside:
        return None
    for one in found:
        piece, witness = one.piece, one.hit.witness
        if piece is None or piece.sentence.doubt(witness.speaker):
            continue
        inside = piece.sentence
        shared = where.words & (piece.words(where.language) | inside.words(where.language))
        near = 2 * len(shared) >= len(where.words)
        fault = one.fault
        rival = Rival(witness, inside.start, inside.end, inside.text)
        turned = fault == "superseded" or (fault == "negated" and (near or bool(_NO_LONGER.search(inside.low))))
        if turned and (shared or claim.kind is ClaimKind.NAME) and (near or not _called_old(claim, rival, one.hit)):
            return contradiction(claim, rival, Rule.TAKEN_BACK, "It was taken back later")
        denied = negation_target(inside.text, where.language)
        if near and denied and denied in where.words:
            return contradiction(claim, rival, Rule.DENIED_LATER, "A later record says otherwise")
    return None


def _called_old(claim: Candidate, said: Rival, hit: Hit) -> bool:
    """A name that is only called old: "the old English" takes back nothing."""
    before = said.text[: max(0, hit.start - said.start)]
    return claim.kind is ClaimKind.NAME and bool(_OLD.search(before))


def _replaced_by(
    claim: Candidate,
    where: Setting,
    witness: Witness,
    weights: Mapping[str, float],
    found: Sequence[Found] = (),
    spare: int = 1,
) -> Claim | None:
    if claim.kind in (ClaimKind.QUOTE, ClaimKind.SECRET) or not comparable(where, witness):
        return None
    if any(f.good and f.hit.placed for f in found):
        return None
    total = sum(weights.values())
    heard = frozenset(word for word, weight in weights.items() if weight)
    enough = None if _measured(claim) else weighty(where.words, weights)
    for slot in slots(claim, where, witness, enough=enough):
        fit = sum(weights[w] for w in slot.shared) / total if total else 0.0
        if not slot.shared or not _replaces(claim, where, slot, heard, fit, spare):
            continue
        if claim.weak and not in_its_place(claim, where, slot):
            continue
        if not (claim.kind in NAMED and on_line(slot.rival, where)):
            return contradiction(claim, slot.rival, Rule.LATER, "A later record gives another value")
    return None


def _corrected(claim: Candidate, where: Setting, best: Found, witness: Witness) -> Claim | None:
    """A correction with another word in the place of the value: "no, we use consul" after "we use nginx"."""
    for slot in same_position(claim, where, best, witness):
        low = slot.piece.sentence.low
        if (cues.TAKES_BACK.search(low) or cues.OPENS_WITH_NO.search(low)) and not on_line(slot.rival, where):
            return contradiction(claim, slot.rival, Rule.LATER, "A later record gives another value")
    return None


def _measured(claim: Candidate) -> bool:
    """A number with a unit: in a correction another one of the same unit is its rival, however short it is."""
    return isinstance(claim.data, Quantity) and bool(claim.data.dimension)


def _replaces(claim: Candidate, where: Setting, slot: Slot, heard: frozenset[str], fit: float, spare: int) -> bool:
    """The same thing is spoken of: so much is shared, or the speaker says that it is a correction.

    ``spare`` is how many other words a clause may have that names something.
    """
    low = slot.piece.sentence.low
    if cues.TAKES_BACK.search(low) or cues.OPENS_WITH_NO.search(low):
        return fit >= 0.5 or (fit > 0 and _measured(claim))
    if slot.rival.witness.speaker is Speaker.USER and _SETS.match(low) and claim.kind not in NAMED:
        return fit >= 0.5
    missing, foreign = slot.missing(where) & heard, slot.foreign(where)
    if claim.kind in NAMED:
        known = not missing or (spare > 1 and fit >= 0.6)
        few = len(slot.shared) < min(2, len(where.words)) or len(where.words) < 2
        if few or (foreign and len(slot.near) > 3):
            return False
        return known and len(foreign) <= spare and len(slot.near) <= len(where.words) + 1 + spare
    if (not missing or (spare > 1 and fit >= 0.5)) and (len(foreign) <= 1 + spare or len(where.words) > 2):
        return True
    return fit >= 0.6 and not foreign and len(slot.shared) > 1
