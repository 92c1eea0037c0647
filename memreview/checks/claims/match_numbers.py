"""Numbers, ratios and versions of a claim against those of a record."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from memreview.checks.claims import scan
from memreview.checks.claims.extract import Candidate
from memreview.checks.claims.folding import W
from memreview.checks.claims.hits import Hit, Relation, Rival, places_of
from memreview.checks.claims.quantities import Quantity, find_quantities, numbers_of, rounds, same
from memreview.checks.claims.records import Witness
from memreview.checks.claims.whole import whole

_VERSIONS = re.compile(
    rf"(?<!{W})(?<!\.)[vV]?(\d{{1,4}}(?:\.\d{{1,5}}){{0,3}}(?:-?[a-z]+[\w.]*)?)(?!{W}|\.\d)", re.ASCII
)
_AMOUNT = re.compile(r"\d+\.\d+(?:[mnuµ]?s|sec|min|h|[kmgt]i?b|mb/s|px|em|rem|ms|hz|[kmg]hz|%)", re.ASCII)
"""Digits with a unit that the pattern of versions takes for one with a suffix."""
_MAJORS = re.compile(rf"(?<!{W})([^\W\d_]{{2,}})[\s\"':=@^~v)(-]{{1,4}}(\d{{1,4}})\.\d")
_PASSED = re.compile(r"\b(\d+)\s+(?:\w+\s+)?(?:passed|passing|ok|succeeded|done|green|bestanden)\b", re.IGNORECASE)
_FAILED = re.compile(r"\b([1-9]\d*)\s+(?:failed|failures?|errors?|failing|skipped)\b", re.IGNORECASE)

_LINE = 500
"""Characters of a text that may be a line of a note, and so be read again."""


def quantities_of(witness: Witness) -> list[Quantity]:
    """The numbers of a record, read once."""
    if "quantities" not in witness.parsed:
        text = witness.text
        witness.parsed["quantities"] = numbers_of(text) if len(text) <= _LINE else find_quantities(text)
    found = witness.parsed["quantities"]
    assert isinstance(found, list)
    return found


def number_hits(claim: Candidate, witness: Witness) -> Iterator[Hit]:
    """The same amount, or a more exact one that the claim rounds with a hedge."""
    if not isinstance(claim.data, Quantity):
        yield from _ratio_hits(claim, witness)
        return
    if _may_hold(claim.data, witness):
        for found in quantities_of(witness):
            if same(claim.data, found):
                yield Hit(witness, found.start, found.end, Relation.SAME)
            elif rounds(claim.data, found):
                yield Hit(witness, found.start, found.end, Relation.COARSER)
            elif rounds(found, claim.data, always=True):
                yield Hit(witness, found.start, found.end, Relation.FINER)
    yield from _written_otherwise(claim, claim.data, witness)


def _may_hold(wanted: Quantity, witness: Witness) -> bool:
    """False where none of a record's numbers can be the one that is looked for: most records are passed over so."""
    if "amounts" not in witness.parsed:
        rows = quantities_of(witness)
        amounts = frozenset(amount for q in rows for amount in (*q.amounts, *q.bare))
        witness.parsed["amounts"] = amounts, max((q.step for q in rows), default=Decimal(0))
    parsed = witness.parsed["amounts"]
    assert isinstance(parsed, tuple)
    if wanted.hedged or wanted.step < parsed[1]:
        return True
    return not (parsed[0].isdisjoint(wanted.amounts) and parsed[0].isdisjoint(wanted.bare))


def _written_otherwise(claim: Candidate, wanted: Quantity, witness: Witness) -> Iterator[Hit]:
    """The same digits where they are no number: an id with zeros in front, the major of a dotted version."""
    digits = re.sub(r"\D", "", claim.text)
    if wanted.dimension or not digits or wanted.worded or digits not in witness.text:
        return
    text = witness.text
    if digits.startswith("0") or len(digits) >= 5:
        for start, end in whole(text, digits, before=".,:"):
            if not (text[end : end + 1] in (".", ",", ":") and text[end + 1 : end + 2].isdigit()):
                yield Hit(witness, start, end, Relation.SAME)
    if claim.before:
        for match in _MAJORS.finditer(text):
            if match.group(2) == digits and match.group(1).casefold() == claim.before.casefold():
                yield Hit(witness, match.start(2), match.end(), Relation.COARSER)


def number_rivals(claim: Candidate, witness: Witness) -> Iterator[Rival]:
    """Other amounts of the same dimension; for a bare number those of any, which do not compete by themselves."""
    if not isinstance(claim.data, Quantity):
        yield from _ratio_rivals(claim, witness)
        return
    for found in quantities_of(witness):
        comparable = found.dimension == claim.data.dimension or not found.dimension or not claim.data.dimension
        if comparable and not found.trivial and not same(claim.data, found) and not rounds(claim.data, found):
            yield Rival(witness, found.start, found.end, found.text, competes(claim.data, found))


def dimension_at(witness: Witness, start: int) -> str:
    """What the number at a place of a record measures; empty for a bare number or none."""
    return next((q.dimension for q in quantities_of(witness) if q.start == start), "")


def competes(claim: Quantity, found: Quantity) -> bool:
    """True where both amounts could stand in one place: ``7 days`` is no rival of ``7 rows``."""
    if claim.dimension or found.dimension:
        return claim.dimension == found.dimension
    return not (claim.noun and found.noun) or claim.noun == found.noun


def _ratio_hits(claim: Candidate, witness: Witness) -> Iterator[Hit]:
    part, _, total = claim.value.partition("/")
    for place in places_of(witness, "ratios", scan.find_ratios):
        if place.value == claim.value:
            yield Hit(witness, place.start, place.end, Relation.SAME)
    by_amount: dict[str, list[Quantity]] = {}
    for quantity in quantities_of(witness):
        for amount in quantity.bare:
            by_amount.setdefault(str(amount), []).append(quantity)
    for a in by_amount.get(part, ()):
        near = [b for b in by_amount.get(total, ()) if abs(b.start - a.start) < 160]
        if not near or (part != total and all(b.start < a.start for b in near)):
            continue
        passed = any(match.group(1) == part for match in _PASSED.finditer(witness.text))
        if part != total or passed or not _FAILED.search(witness.text):
            yield Hit(witness, a.start, a.end, Relation.SAME)
            return


def _ratio_rivals(claim: Candidate, witness: Witness) -> Iterator[Rival]:
    for place in places_of(witness, "ratios", scan.find_ratios):
        if place.value != claim.value:
            yield Rival(witness, place.start, place.end, place.text)


def version_hits(claim: Candidate, witness: Witness) -> Iterator[Hit]:
    """The same version, or one with more parts than the claim gives."""
    wanted = claim.value.removesuffix(".x").lower()
    for match in _VERSIONS.finditer(witness.text) if wanted in witness.low else ():
        found = match.group(1).lower()
        if _AMOUNT.fullmatch(found):
            continue
        if found == wanted and (wanted.count(".") or _named(claim, witness.text, match.start())):
            yield Hit(witness, match.start(1), match.end(1), Relation.SAME)
        elif found.startswith(f"{wanted}."):
            yield Hit(witness, match.start(1), match.end(1), Relation.COARSER)
    shorter = wanted.rpartition(".")[0].partition(".")[0]
    known = shorter and shorter in witness.low
    for place in places_of(witness, "versions", scan.find_versions) if known else ():
        if wanted.startswith(f"{place.value.lower()}.") and _same_product(claim, witness.text, place.start):
            yield Hit(witness, place.start, place.end, Relation.FINER)


def _named(claim: Candidate, text: str, at: int) -> bool:
    """A bare major needs its product's name, or a v, near it."""
    near = text[max(0, at - 40) : at + 1].lower()
    return bool(re.search(r"(?<![a-z])v\d?$", near)) or not claim.before or claim.before.lower()[:4] in near


def _same_product(claim: Candidate, text: str, at: int) -> bool:
    return not claim.before or claim.before.lower() in text[max(0, at - 40) : at].lower()


def version_rivals(claim: Candidate, witness: Witness) -> Iterator[Rival]:
    """Other versions."""
    wanted = claim.value.removesuffix(".x").lower()
    for place in places_of(witness, "versions", scan.find_versions):
        found = place.value.lower()
        if found != wanted and not found.startswith(f"{wanted}.") and not wanted.startswith(f"{found}."):
            yield Rival(witness, place.start, place.end, place.text)
