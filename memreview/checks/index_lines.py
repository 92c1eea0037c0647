"""What is asked of lines of the index beyond other lines: every session reads them.

A warning counts as an error there. What a line of the index says must stand in the note that it points to, since
whoever doubts it looks there. A line that says what a note said is a promotion.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from urllib.parse import unquote

from memreview.checks.claims.extract import Candidate, extract
from memreview.checks.claims.hits import Relation
from memreview.checks.claims.language import content_words
from memreview.checks.claims.match import hits, rivals
from memreview.checks.claims.novelty import OldText, bare
from memreview.checks.claims.rules import Rule
from memreview.checks.claims.setting import NoteText, Setting
from memreview.model.claim import Claim, ClaimKind, ClaimReport, Moved, Verdict, Weight
from memreview.model.memory import INDEX_NAME

VALUES = frozenset(ClaimKind) - {ClaimKind.NAME, ClaimKind.WORDING, ClaimKind.MODALITY, ClaimKind.SECRET}
"""Kinds of claims that can be looked for in another text word by word."""

_LINK = re.compile(r"\]\(\s*<?([^()\s<>#]+\.md)(?:#[^()\s<>]*)?>?(?:\s+\"[^\"]*\")?\s*\)")
_FEWEST_WORDS = 4
_SAME_WORDS = 0.8


def targets(line: str) -> list[str]:
    """Paths of the notes that a line of the index links to, relative to the memory folder."""
    paths = (posixpath.normpath(unquote(match.group(1))) for match in _LINK.finditer(line))
    return list(dict.fromkeys(path for path in paths if not path.startswith((".", "/"))))


def of_index(report: ClaimReport, added: Sequence[str], old: OldText, new: OldText) -> ClaimReport:
    """The report of a change to the index, with what holds there alone.

    ``added`` are the lines as the report counts them, ``old`` and ``new`` the whole memory before and after.
    """
    claims = tuple(_against_notes(report.claims, added, new))
    claims = tuple(_heavier(claim) for claim in claims)
    return replace(report, claims=claims, promoted=tuple(_promoted(report, added, old)))


def _heavier(claim: Claim) -> Claim:
    return replace(claim, weight=Weight.ERROR) if claim.weight is Weight.WARNING else claim


def _against_notes(claims: Sequence[Claim], added: Sequence[str], new: OldText) -> Iterator[Claim]:
    """The claims, those that the note behind the line does not hold turned into claims against it."""
    candidates: dict[tuple[int, int, int], Candidate] | None = None
    note = NoteText(added)
    for claim in claims:
        names = targets(added[claim.line]) if claim.kind in VALUES else []
        texts = [text for name in names if (text := new.of_note(name)).lines]
        if not texts or claim.weight is Weight.ERROR:
            yield claim
            continue
        if candidates is None:
            candidates = {(c.line, c.start, c.end): c for c in extract(added)}
        candidate = candidates.get((claim.line, claim.start, claim.end))
        if candidate is None or any(_holds(text, candidate) for text in texts):
            yield claim
        else:
            yield _beyond(claim, candidate, note.setting(candidate), names[0], texts)


def _holds(text: OldText, candidate: Candidate) -> bool:
    """True where a note gives the value, or a finer one."""
    return any(
        hit.relation is not Relation.FINER
        for witness in text.corpus.witnesses
        for hit in hits(candidate, witness)
        if hit.placed
    )


def _beyond(claim: Claim, candidate: Candidate, where: Setting, name: str, texts: Sequence[OldText]) -> Claim:
    other = _other_value(candidate, where, texts)
    if other is not None:
        reason = f"{name}, to which the line points, gives another value: “{other}”."
        return replace(
            claim,
            verdict=Verdict.CONTRADICTED,
            weight=Weight.ERROR,
            rule=Rule.AGAINST_ITS_NOTE,
            reason=reason,
            nearest=other,
        )
    reason = f"{name}, to which the line points, does not hold it."
    return replace(claim, verdict=Verdict.UNSUPPORTED, weight=Weight.ERROR, rule=Rule.NOT_IN_ITS_NOTE, reason=reason)


def _other_value(candidate: Candidate, where: Setting, texts: Sequence[OldText]) -> str | None:
    """A value of the same kind that the note gives where it speaks of the same."""
    best: tuple[int, str] | None = None
    for text in texts:
        for witness in text.corpus.about(where.words, where.language):
            shared = len(where.words & witness.words(where.language))
            if not shared or 2 * shared < len(where.words):
                continue
            for rival in rivals(candidate, witness):
                if rival.competes and (best is None or shared > best[0]):
                    best = shared, rival.text
    return best[1] if best else None


def _promoted(report: ClaimReport, added: Sequence[str], old: OldText) -> Iterator[Moved]:
    """Lines that stood in a note, or say nearly the same in the same words."""
    moved = {one.line: one.origin for one in report.moved}
    in_index = {bare(line) for line, origin in zip(old.lines, old.origins, strict=False) if _is_index(origin)}
    for number, line in enumerate(added):
        if not line.strip() or bare(line) in in_index:
            continue
        origin = moved.get(number) or _told_before(line, old)
        if origin is not None and not _is_index(origin):
            yield Moved(number, origin)


def _told_before(line: str, old: OldText) -> str | None:
    """Where a note says what this line says, in nearly the same words."""
    words = content_words(_LINK.sub("] ", line))
    if len(words) < _FEWEST_WORDS:
        return None
    best, place = _SAME_WORDS, None
    for other, origin in zip(old.lines, old.origins, strict=False):
        if _is_index(origin) or not other.strip():
            continue
        said = content_words(other)
        share = len(words & said) / len(words | said) if said else 0.0
        if share >= best:
            best, place = share, origin
    return place


def _is_index(origin: str) -> bool:
    return origin.rpartition(":")[0] == INDEX_NAME
