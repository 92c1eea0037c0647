"""How the claim check's answers are shown: a sign of one cell, a word, what it means, and a style by weight."""

from __future__ import annotations

from dataclasses import dataclass

from memreview.model.claim import Fate, Verdict, Weight


@dataclass(frozen=True, slots=True)
class Sign:
    """One cell, the word for it, and what it means in a few words."""

    sign: str
    word: str
    meaning: str


VERDICTS = {
    Verdict.SUPPORTED: Sign("=", "supported", "the cited records say so"),
    Verdict.DERIVED: Sign("≈", "derived", "it follows from what was said; nobody said it"),
    Verdict.ELSEWHERE: Sign("→", "elsewhere", "another record says so: the citation is wrong (m mends it)"),
    Verdict.UNVERIFIABLE: Sign("?", "unverifiable", "what is cited cannot be read"),
    Verdict.UNSUPPORTED: Sign("∅", "unsupported", "no record says so"),
    Verdict.CONTRADICTED: Sign("≠", "contradicted", "records say otherwise"),
}
FATES = {
    Fate.MOVED: Sign("»", "moved", "it stood, or stands, elsewhere in the memory"),
    Fate.CONTRADICTED: Sign("⇄", "taken back", "a record takes back what the old text said"),
    Fate.UNVERIFIABLE: Sign("?", "dropped", "no record could take it back"),
    Fate.LOST: Sign("¬", "lost", "the old text said so, the new memory does not, and no record takes it back"),
}
WEAK = Sign("≤", "weak support", "only the assistant says so")
"""A support that is flagged: no word of the user and no result of a tool is behind it."""
MENDED = Sign("=", "mended", "you have put its citation right")

SIGNS = tuple(
    (look.sign, f"{look.word}: {look.meaning}")
    for look in (*reversed(VERDICTS.values()), WEAK, FATES[Fate.LOST], FATES[Fate.CONTRADICTED], FATES[Fate.MOVED])
)
"""What the signs mean, for the help."""


def look_of(verdict: Verdict, weight: Weight) -> Sign:
    """How an answer is shown."""
    return WEAK if verdict is Verdict.SUPPORTED and weight.flagged else VERDICTS[verdict]


STYLES = {weight: f"claim-{weight.value}" for weight in Weight}
"""Names of the styles of signs and verdicts."""
SPANS = {weight: f"span-{weight.value}" for weight in Weight}
"""Names of the styles of the words of claims."""

ORDER = (Weight.ERROR, Weight.WARNING, Weight.NOTE, Weight.OK)
"""What is shown first."""

RANKS = {
    look: rank
    for rank, look in enumerate(
        (FATES[Fate.LOST], *reversed(VERDICTS.values()), WEAK, FATES[Fate.CONTRADICTED], FATES[Fate.MOVED], MENDED)
    )
}
"""What comes first of the same weight."""
