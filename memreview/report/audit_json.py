"""An audit as the JSON that scripts rely on."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from memreview.checks.audited import ProjectAudit, Recheck
from memreview.checks.layers import HOW_ESTIMATED, lifetimes
from memreview.checks.remedies import REMEDIES
from memreview.checks.retention import Retention
from memreview.checks.surroundings import Surroundings
from memreview.checks.usage import NoteUse
from memreview.model.finding import Finding

SCHEMA = 1

Json = dict[str, Any]


def audit_data(audits: Iterable[ProjectAudit], now: float, *, everything: bool = False) -> Json:
    """Everything that ``audit --format json`` prints; ``everything`` lists every note too."""
    return {"schema": SCHEMA, "projects": [project_data(audit, now, everything=everything) for audit in audits]}


def project_data(audit: ProjectAudit, now: float, *, everything: bool = False) -> Json:
    """One project; ``now`` in seconds since 1970."""
    data = _project_data(audit)
    if everything:
        data["note_list"] = [_note_data(audit, row) for row in audit.recheck(now)]
    return data


def _note_data(audit: ProjectAudit, row: Recheck) -> Json:
    note, use = audit.notes[row.path], audit.uses.get(row.path, NoteUse())
    facts = note.facts
    return {
        "file": note.path,
        "bytes": note.size,
        "name": facts.name,
        "description": facts.description,
        "type": facts.type,
        "session": facts.session,
        "modified": iso(facts.modified),
        "mtime": iso(note.mtime),
        "age_days": row.age_days,
        "age_by": "stamp" if row.by_stamp else "mtime",
        "reads": use.reads,
        "last_read": use.last_read.when if use.last_read is not None else None,
        "written_by": list(use.writers),
        "days_left": audit.retention.days_left.get(facts.session or ""),
    }


def _project_data(audit: ProjectAudit) -> Json:
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
        "headroom": _headroom(audit),
        "layers": _layers(audit),
        "where": _where(audit.surroundings),
    }


def _headroom(audit: ProjectAudit) -> Json | None:
    room = audit.headroom
    if room is None:
        return None
    return {"limit": room.limit, "entries": room.entries, "average_units": room.average_units}


def _layers(audit: ProjectAudit) -> Json:
    layers, wiki, period = audit.layers, audit.layers.wiki, audit.retention.period
    return {
        "tokens_estimated_as": HOW_ESTIMATED,
        "lifetimes": dict(lifetimes(period.days, valid=period.valid)),
        "transcripts": {"count": audit.transcripts.count, "bytes": audit.transcripts.size},
        "notes": {"count": layers.notes, "bytes": layers.note_size, "tokens": layers.note_tokens},
        "representations": None
        if wiki is None
        else {
            "pages": list(wiki.pages),
            "bytes": wiki.size,
            "source_bytes": wiki.sources,
            "ratio": round(wiki.ratio, 3) if wiki.ratio is not None else None,
            "never_read": list(wiki.unread) if audit.traced else None,
        },
        "loaded": {
            "tokens": layers.loaded_tokens,
            "files": [
                {"path": file.path, "scope": file.scope, "bytes": file.size, "tokens": file.tokens}
                for file in layers.loaded
            ],
        },
    }


def _where(near: Surroundings) -> Json:
    return {
        "root": near.root,
        "root_exists": near.root_exists,
        "memory_directory": near.elsewhere,
        "ignored_memory_directory": near.ignored,
        "link": near.link,
        "shared_with": list(near.twins),
        "sessions_in": list(near.others),
        "agents": [
            {"agent": one.agent, "scope": one.scope, "path": one.path, "notes": one.notes, "bytes": one.size}
            for one in near.agents
        ],
        "running": [
            {"pid": one.pid, "session": one.session, "cwd": one.cwd, "status": one.status, "alive": one.alive}
            for one in near.running
        ],
        "auto_memory": {"on": near.auto_memory.on, "source": near.auto_memory.source},
        "auto_dream": {"on": near.auto_dream.on, "source": near.auto_dream.source},
        "last_consolidation": iso(near.consolidated),
        "consolidation_locked": near.locked,
    }


def finding_data(finding: Finding) -> Json:
    """One finding."""
    return {
        "rule": str(finding.rule),
        "severity": finding.severity.value,
        "file": finding.file,
        "line": finding.line,
        "message": finding.message,
        "remedy": REMEDIES.get(finding.rule),
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
