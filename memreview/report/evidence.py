"""Kept evidence as JSON for scripts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memreview.checks.after import After
from memreview.model.kept import KeptEvidence, KeptRecord, LineOrigin
from memreview.report.json import SCHEMA
from memreview.text import mask_secrets

Json = dict[str, Any]


def shown_data(
    evidence: Sequence[tuple[str, KeptEvidence]],
    note: str | None,
    lines: Sequence[LineOrigin],
    after: Sequence[After] = (),
) -> Json:
    """What ``evidence show --format json`` prints."""
    return {
        "schema": SCHEMA,
        "evidence": [
            {
                "commit": commit,
                "made": part.made,
                "label": part.label,
                "changes": [
                    {
                        "file": change.note,
                        "line": change.line,
                        "decision": change.decision.value,
                        "added": list(change.added),
                        "removed": list(change.removed),
                        "id": change.id,
                        "despite": list(change.despite),
                        "claims": [
                            {"text": claim.text, "kind": claim.kind.value, "verdict": claim.verdict.value}
                            for claim in change.claims
                        ],
                        "evidence": [record_data(record) for record in part.records_of(change)],
                    }
                    for change in part.changes
                ],
            }
            for commit, part in evidence
        ],
        "lines": [
            {
                "file": note,
                "line": origin.line,
                "text": origin.text,
                "commit": origin.commit,
                "since": origin.date,
                "session": origin.session,
                "speaker": origin.speaker.value if origin.speaker is not None else None,
                "verified": origin.verified,
                "evidence": [record_data(record) for record in origin.records],
            }
            for origin in lines
        ],
        "after": [
            {
                "transcript": one.source.transcript,
                "line": one.source.line,
                "speaker": one.source.speaker.value,
                "timestamp": one.source.timestamp,
                "mark": one.mark.value,
                "text": mask_secrets(one.text),
            }
            for one in after
        ],
    }


def record_data(record: KeptRecord) -> Json:
    """One kept record."""
    return {
        "transcript": record.transcript,
        "line": record.line,
        "speaker": record.speaker.value,
        "timestamp": record.timestamp,
        "uuid": record.uuid,
        "text": record.text,
    }
