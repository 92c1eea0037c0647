"""Where an old value still stands after a change has given it a new one: in the index, in notes, in CLAUDE.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memreview.checks.claims.extract import Candidate, extract
from memreview.checks.claims.novelty import OldText
from memreview.checks.claims.setting import NoteText, Setting
from memreview.checks.index_lines import VALUES
from memreview.model.claim import ClaimReport
from memreview.model.finding import Finding, Severity

RULE = "old-value-stays"
_FEWEST_SHARED = 2


def old_values(
    report: ClaimReport, removed: Sequence[str], added: Sequence[str], place: str, texts: Sequence[OldText]
) -> Iterator[Finding]:
    """Findings for one change at ``place`` (``note.md:4``), whose lines are counted as in its report.

    ``texts`` are what is to be looked through, each line with where it stands. A value counts as changed where the old
    lines give one and the new lines another of the same kind, with words in common.
    """
    gone = {(one.line, one.start, one.end) for one in report.dropped if one.kind in VALUES}
    if not gone or not report.claims:
        return
    before, after = NoteText(removed), NoteText(added)
    new = [
        (candidate, after.setting(candidate))
        for candidate in extract(added)
        if any((claim.line, claim.start, claim.end) == _span(candidate) for claim in report.claims)
    ]
    told: set[str] = set()
    for candidate in extract(removed):
        if _span(candidate) not in gone or candidate.weak:
            continue
        where = before.setting(candidate)
        successor = _successor(candidate, where, new)
        if successor is None:
            continue
        for origin in _still(candidate, where, texts):
            if origin != place and origin not in told:
                told.add(origin)
                yield _finding(origin, candidate, successor, place)


def _span(candidate: Candidate) -> tuple[int, int, int]:
    return candidate.line, candidate.start, candidate.end


def _successor(old: Candidate, where: Setting, new: Sequence[tuple[Candidate, Setting]]) -> Candidate | None:
    """The value that took the place of an old one: the one with the most words in common."""
    best: tuple[int, Candidate] | None = None
    for candidate, setting in new:
        shared = len(where.words & setting.words)
        if candidate.kind is old.kind and shared and (best is None or shared > best[0]):
            best = shared, candidate
    return best[1] if best else None


def _still(candidate: Candidate, where: Setting, texts: Sequence[OldText]) -> Iterator[str]:
    enough = min(_FEWEST_SHARED, len(where.words))
    for text in texts:
        for found in text.found(candidate, where):
            if len(found.shared) >= enough:
                yield text.place(found.hit.witness.source.line)


def _finding(origin: str, old: Candidate, new: Candidate, place: str) -> Finding:
    file, _, line = origin.rpartition(":")
    message = f"{origin} still says “{old.text}”, where {place} says “{new.text}” now"
    return Finding(RULE, Severity.WARNING, message, file, int(line) if line.isdigit() else None)
