"""What the claim check found, as far as decisions depend on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from memreview.model.claim import Claim, ClaimKind, Verdict, Weight
from memreview.model.dream import Review
from memreview.model.review import Accept, Decision, Decisions, Mend, TakeLines
from memreview.review.index import index_of
from memreview.text import clip, mask_secrets, visible

WORDS_CELLS = 60
"""How much of a claim is repeated where it is named."""


def is_mended(claim: Claim, mends: Iterable[Mend]) -> bool:
    """True where a person has noted the right place of a claim whose citation is wrong."""
    return claim.verdict is Verdict.ELSEWHERE and any(mend.words == claim.text for mend in mends)


def errors(review: Review, unit: str, mends: Sequence[Mend] = ()) -> tuple[Claim, ...]:
    """The claims of a change that are errors and were not mended."""
    report = review.reports.get(unit)
    if report is None:
        return ()
    return tuple(claim for claim in report.claims if claim.weight is Weight.ERROR and not is_mended(claim, mends))


def in_lines(claims: Iterable[Claim], added: Iterable[int] | None) -> tuple[Claim, ...]:
    """Those claims that stand in these added lines (0-based within the change), all of them with None."""
    wanted = None if added is None else frozenset(added)
    return tuple(claim for claim in claims if wanted is None or claim.line in wanted)


def named(claim: Claim) -> str:
    """A claim with its verdict in a few words, fit to be kept and shown: ``contradicted: 214 tests``."""
    if claim.kind is ClaimKind.SECRET:
        return "a secret"
    return clip(f"{claim.verdict.value}: {visible(mask_secrets(claim.text))}", WORDS_CELLS)


def despite_errors(review: Review, decisions: Decisions) -> Decisions:
    """The decisions, with the errors named that changes are accepted with, where a person has not been asked."""
    index = index_of(review)
    by_id: dict[str, Decision] = {}
    for unit in index.units:
        decision = index.effective(decisions, unit)
        if not isinstance(decision, Accept | TakeLines) or decision.despite:
            continue
        taken = decision.added if isinstance(decision, TakeLines) else None
        found = in_lines(errors(review, unit.id, decisions.mends.get(unit.id, ())), taken)
        if found:
            by_id[unit.id] = replace(decision, despite=tuple(dict.fromkeys(map(named, found))))
    return replace(decisions, by_id={**decisions.by_id, **by_id}) if by_id else decisions
