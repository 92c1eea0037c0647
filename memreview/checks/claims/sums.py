"""Numbers that nobody said but that follow from one cited record: a sum, a difference, a count of lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from memreview.checks.claims.extract import Candidate
from memreview.checks.claims.hits import Hit, Relation
from memreview.checks.claims.match_numbers import quantities_of
from memreview.checks.claims.quantities import Quantity
from memreview.checks.claims.records import Witness
from memreview.model.claim import ClaimKind
from memreview.model.transcript import Speaker

_MOST = 12
_SHOWN = 4


def sum_hit(claim: Candidate, words: frozenset[str], witnesses: Sequence[Witness], language: str) -> Hit | None:
    """The record in which like numbers add up to the claim's; ``note`` shows the sum."""
    if claim.kind is not ClaimKind.NUMBER or not isinstance(claim.data, Quantity):
        return None
    for witness in witnesses:
        if words and not words & witness.words(language) and witness.language == language:
            continue
        like = [q for q in quantities_of(witness) if q.dimension == claim.data.dimension and not q.trivial]
        if 2 <= len(like) <= 4 * _MOST:
            shown = _adds_up(claim.data, like)
            if shown:
                return Hit(witness, like[0].start, like[-1].end, Relation.DERIVED, shown)
        shown = _counted(claim.data, witness)
        if shown:
            return Hit(witness, 0, max(1, len(witness.text)), Relation.DERIVED, shown)
    return None


def _adds_up(wanted: Quantity, like: list[Quantity]) -> str:
    target = set(wanted.amounts)
    by_noun: dict[str, list[Quantity]] = {}
    for q in like:
        by_noun.setdefault(q.noun, []).append(q)
    groups = [group for group in by_noun.values() if len(group) > 1]
    for group in groups:
        if len(group) <= _MOST and _total(group) in target:
            return _shown(group)
    for first in range(len(like)):
        total = like[first].amounts[0]
        for last in range(first + 1, min(len(like), first + _MOST)):
            total += like[last].amounts[0]
            if total in target:
                return _shown(like[first : last + 1])
    for group in groups or [like]:
        for i, a in enumerate(group[:_MOST]):
            for b in group[i + 1 : _MOST]:
                if a.amounts[0] + b.amounts[0] in target and (a.noun or wanted.dimension):
                    return _shown([a, b])
                if abs(a.amounts[0] - b.amounts[0]) in target and (wanted.dimension or a.noun) and not wanted.small:
                    return f"it is the difference of {a.text} and {b.text}"
    return ""


def _total(group: list[Quantity]) -> Decimal:
    return sum((q.amounts[0] for q in group), Decimal(0))


def _shown(group: list[Quantity]) -> str:
    parts = [q.text for q in group]
    shown = " + ".join(parts[:_SHOWN]) + (f" + … ({len(parts)} numbers)" if len(parts) > _SHOWN else "")
    return f"it is the sum of {shown}"


def _counted(wanted: Quantity, witness: Witness) -> str:
    """A tool printed as many lines as the claim says, or a sentence lists as many things."""
    amount = wanted.amounts[0]
    if wanted.dimension or amount < 2 or amount > 200:
        return ""
    lines = [line for line in witness.text.split("\n") if line.strip()]
    if witness.speaker is Speaker.TOOL and len(lines) == amount:
        return f"it is the count of the {amount} lines"
    marked = [line for line in lines if re.match(r"\s*(?:[-*•+]|\d+[.)]|\[[ xX]\])\s", line)]
    if len(marked) == amount:
        return f"it is the count of the {amount} items"
    return ""
