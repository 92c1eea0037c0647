"""Reviews with answers of the claim check that a test has written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memreview.model.claim import (
    Claim,
    ClaimKind,
    ClaimReport,
    Dropped,
    Evidence,
    Fate,
    Moved,
    Verdict,
    Weight,
)
from memreview.model.dream import Review
from memreview.model.patch import Change
from memreview.tui.content import decode_line


@dataclass(frozen=True)
class Said:
    """A claim by its words: ``line`` is a part of the added line in which they stand."""

    line: str
    words: str
    verdict: Verdict
    weight: Weight
    reason: str = "Because it is so."
    kind: ClaimKind = ClaimKind.NUMBER
    rule: str = "a-rule"
    evidence: tuple[Evidence, ...] = ()
    nearest: str | None = None


@dataclass(frozen=True)
class Gone:
    """A dropped claim by its words: ``line`` is a part of the removed line in which they stood."""

    line: str
    words: str
    fate: Fate
    reason: str = "The new text holds it nowhere."
    kind: ClaimKind = ClaimKind.NUMBER


@dataclass(frozen=True)
class Carried:
    """An added line that stood elsewhere: ``line`` is a part of it."""

    line: str
    origin: str


def judge(review: Review, found: Sequence[Said | Gone | Carried]) -> Review:
    """The review as it is after the check has found this; every change without a report was checked as well."""
    reports: dict[str, ClaimReport] = {change.id: ClaimReport() for _, change in review.units() if change is not None}
    for one in found:
        change, number, text = _line(review, one)
        report = reports[change.id]
        if isinstance(one, Carried):
            reports[change.id] = replace(report, moved=(*report.moved, Moved(number, one.origin)))
            continue
        start = text.index(one.words)
        end = start + len(one.words)
        if isinstance(one, Gone):
            flagged = one.fate is Fate.LOST
            dropped = Dropped(number, start, end, one.words, one.kind, one.fate, flagged, "lost", one.reason)
            reports[change.id] = replace(report, dropped=(*report.dropped, dropped))
            continue
        claim = Claim(
            number,
            start,
            end,
            one.words,
            one.kind,
            one.words,
            one.verdict,
            one.weight,
            one.rule,
            one.reason,
            evidence=one.evidence,
            nearest=one.nearest,
        )
        reports[change.id] = replace(report, claims=(*report.claims, claim))
    return replace(review, reports=reports, checked=True)


def _line(review: Review, one: Said | Gone | Carried) -> tuple[Change, int, str]:
    for _, change in review.units():
        lines = () if change is None else change.removed if isinstance(one, Gone) else change.added
        for number, line in enumerate(lines):
            text = decode_line(line)
            if one.line in text and change is not None:
                return change, number, text
    raise AssertionError(f"no line with {one.line!r}")
