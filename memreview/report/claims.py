"""Claims as the JSON that scripts rely on."""

from __future__ import annotations

from typing import Any

from memreview.model.claim import Claim, ClaimReport, Dropped, Moved

Json = dict[str, Any]


def claim_data(claim: Claim) -> Json:
    """One claim; ``new_line`` is the index in the added lines of its change."""
    return {
        "new_line": claim.line,
        "start": claim.start,
        "end": claim.end,
        "text": claim.text,
        "kind": claim.kind.value,
        "value": claim.value,
        "verdict": claim.verdict.value,
        "severity": claim.weight.value,
        "flagged": claim.flagged,
        "rule": claim.rule,
        "speaker": claim.speaker.value if claim.speaker else None,
        "evidence": [{"transcript": e.transcript, "line": e.line, "text": e.text} for e in claim.evidence],
        "nearest": claim.nearest,
        "reason": claim.reason,
    }


def dropped_data(dropped: Dropped) -> Json:
    """A claim of the old text that is no longer made; ``old_line`` is the index in the removed lines."""
    return {
        "old_line": dropped.line,
        "start": dropped.start,
        "end": dropped.end,
        "text": dropped.text,
        "kind": dropped.kind.value,
        "verdict": dropped.fate.value,
        "flagged": dropped.flagged,
        "rule": dropped.rule,
        "reason": dropped.reason,
    }


def moved_data(moved: Moved) -> Json:
    """An added line that was carried over from elsewhere in the old memory."""
    return {"new_line": moved.line, "from": moved.origin}


def report_data(report: ClaimReport, *, with_dropped: bool) -> Json:
    """All that the check says of one change; what was dropped only where the new memory was known."""
    data: Json = {
        "verdict": report.verdict.value,
        "flagged": report.flagged,
        "claims": [claim_data(claim) for claim in report.claims],
        "moved": [moved_data(moved) for moved in report.moved],
    }
    if with_dropped:
        data["dropped"] = [dropped_data(dropped) for dropped in report.dropped]
        data["lost"] = sum(dropped.flagged for dropped in report.dropped)
    return data
