"""Verdicts put into words: every answer names the line it rests on and explains itself in one sentence."""

from __future__ import annotations

from dataclasses import replace

from memreview.checks.claims.extract import Candidate
from memreview.checks.claims.hits import Hit, Relation, Rival
from memreview.checks.claims.records import Witness, masked
from memreview.checks.claims.rules import Rule
from memreview.model.claim import Claim, Evidence, Verdict, Weight

SNIPPET = 160


def answer(
    claim: Candidate, verdict: Verdict, weight: Weight, rule: Rule, reason: str, hit: Hit | None = None
) -> Claim:
    """A claim with its verdict, and the record that it rests on."""
    return Claim(
        claim.line,
        claim.start,
        claim.end,
        claim.text,
        claim.kind,
        claim.value,
        verdict,
        weight,
        rule,
        reason,
        hit.witness.speaker if hit else None,
        (evidence(hit.witness, hit.start, hit.end),) if hit else (),
    )


def contradiction(claim: Candidate, rival: Rival, rule: Rule, what: str) -> Claim:
    """The record says another value."""
    said = clip(shown(rival))
    hit = Hit(rival.witness, rival.start, rival.end, Relation.SAME)
    reason = f"{what}: {place(rival.witness)} says “{said}”."
    return replace(answer(claim, Verdict.CONTRADICTED, Weight.ERROR, rule, reason, hit), nearest=said)


def shown(rival: Rival) -> str:
    """The rival's text with secrets masked."""
    whole = rival.end - rival.start == len(rival.text)
    if whole or rival.witness.secrets is None:
        return rival.witness.shown[rival.start : rival.end] if whole else rival.text
    return masked(rival.text, rival.witness.secrets(rival.text))


def place(witness: Witness) -> str:
    """``s.jsonl:3``."""
    return f"{witness.source.transcript}:{witness.source.line}"


def evidence(witness: Witness, start: int, end: int) -> Evidence:
    """The line of the record around a place, cut where it is long."""
    text = witness.shown
    if end <= start:
        start, end = 0, 0
    left = max(text.rfind("\n", 0, start) + 1, start - SNIPPET // 2)
    stop = text.find("\n", end)
    right = min(stop if stop >= 0 else len(text), end + SNIPPET // 2)
    return Evidence(witness.source.transcript, witness.source.line, text[left:right].strip() or clip(text))


def clip(text: str, most: int = SNIPPET) -> str:
    """One line of at most ``most`` characters."""
    flat = " ".join(text[: 20 * most].split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"
