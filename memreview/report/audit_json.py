"""An audit as the JSON that scripts rely on."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from memreview.checks.audited import ProjectAudit
from memreview.checks.retention import Retention
from memreview.model.finding import Finding

SCHEMA = 1

Json = dict[str, Any]


def audit_data(audits: Iterable[ProjectAudit]) -> Json:
    """Everything that ``audit --format json`` prints."""
    return {"schema": SCHEMA, "projects": [project_data(audit) for audit in audits]}


def project_data(audit: ProjectAudit) -> Json:
    """One project."""
    index, transcripts = audit.index, audit.transcripts
    return {
        "project": audit.project.name,
        "memory_dir": audit.project.memory_dir,
        "status": index.status.value,
        "lines": index.lines,
        "units": index.units,
        "bytes": audit.index_bytes,
        "loaded_lines": index.loaded_lines,
        "first_lost_line": index.first_lost_line,
        "dangling": [{"line": pointer.line, "target": pointer.target} for pointer in index.dangling],
        "orphans": list(index.orphans),
        "lost_pointers": [{"line": pointer.line, "note": pointer.target} for pointer in index.lost],
        "second_level": list(index.second_level),
        "notes": len(audit.notes),
        "findings": [finding_data(finding) for finding in audit.findings],
        "transcripts": {
            "count": transcripts.count,
            "bytes": transcripts.size,
            "oldest": iso(transcripts.oldest),
            "newest": iso(transcripts.newest),
        },
        "retention": retention_data(audit.retention),
    }


def finding_data(finding: Finding) -> Json:
    """One finding."""
    return {
        "rule": str(finding.rule),
        "severity": finding.severity.value,
        "file": finding.file,
        "line": finding.line,
        "message": finding.message,
    }


def retention_data(retention: Retention) -> Json:
    """What becomes of the evidence of one project."""
    period = retention.period
    return {
        "configured_days": period.days,
        "source": period.source.value,
        "observed_days": retention.observed_days,
        "valid": period.valid,
        "settings": period.path,
        "problem": period.problem,
        "expiring": [
            {
                "transcript": one.evidence.name,
                "path": one.evidence.path,
                "days_left": one.days_left,
                "notes": list(one.notes),
            }
            for one in retention.expiring
        ],
        "gone": [{"session": one.session, "notes": list(one.notes)} for one in retention.gone],
    }


def iso(seconds: float | None) -> str | None:
    """A time in UTC to the second, as ISO 8601; None for none, and for one that no calendar has."""
    if seconds is None:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    except (ValueError, OverflowError, OSError):
        return None
