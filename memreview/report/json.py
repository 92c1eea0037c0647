"""A review as the JSON that scripts rely on: a key may be added, but not renamed without another ``schema``.

Lines and paths are raw text, ASCII-escaped; bytes that are not UTF-8 appear as lone ``\\udcXX``, which the standard
library writes and orjson refuses. Secrets are masked character by character.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from memreview.model.claim import ClaimReport
from memreview.model.dream import Citation, Entry, Reference, Review
from memreview.model.dreamed import Unheeded
from memreview.model.finding import Finding
from memreview.model.memory import INDEX_NAME
from memreview.model.patch import Change, FileChange
from memreview.report.claims import claim_data, dropped_data, moved_data
from memreview.review.evidence import change_flagged, leads_nowhere, summarize
from memreview.text import decode, mask_lines, mask_secrets

SCHEMA = 1

Json = dict[str, Any]


def dumps(data: Mapping[str, Any]) -> str:
    """One line of JSON, ASCII without any control character (DEL too, which JSON itself lets through)."""
    return json.dumps(data, ensure_ascii=True, separators=(",", ":")).replace("\x7f", "\\u007f")


class ReviewReport:
    """Turns one review into plain data; ``show_secrets`` lifts the masking."""

    def __init__(self, review: Review, *, show_secrets: bool = False) -> None:
        self._review = review
        self._mask: Callable[[str], str] = str if show_secrets else mask_secrets
        self._mask_lines: Callable[[Sequence[str]], Sequence[str]] = tuple if show_secrets else mask_lines

    def data(self) -> Json:
        """Everything that ``verify --format json`` prints."""
        review = self._review
        return {
            "schema": SCHEMA,
            "target": review.target.label,
            "project": review.project.name,
            "memory_dir": review.project.memory_dir,
            "stale": review.stale,
            "moved_since": list(review.moved_since),
            "files": [self._file(file) for file in review.files],
            "entries": [self._entry(entry) for entry in review.entries],
            "run": self._run(),
            "findings": [self._finding(finding) for finding in review.findings],
            "unheeded": [self._unheeded(one) for one in review.unheeded],
            "summary": self._summary(),
        }

    def _file(self, file: FileChange) -> Json:
        review = self._review
        citations = review.citations.get(file.id, ())
        return {
            "id": file.id,
            "path": file.path,
            "change": file.kind.value,
            "old_path": file.old_path,
            "binary": file.binary,
            "old_mode": _mode(file.old_mode),
            "new_mode": _mode(file.new_mode),
            "stamp_only": file.stamp_only,
            "during_run": file.during_run,
            "moved_since": file.path in review.moved_since or file.old_path in review.moved_since,
            "conflict": file.id in review.conflicts,
            "conflict_reason": self._conflict(file.id),
            **self._applied(file.id),
            "flagged": leads_nowhere(citations),
            "citations": [self._citation(citation) for citation in citations],
            "references": [self._reference(reference) for reference in review.references.get(file.id, ())],
            "entries": list(review.explained_by.get(file.id, ())),
            "hunks": [
                {"id": hunk.id, "changes": [self._change(file, change) for change in hunk.changes]}
                for hunk in file.hunks
            ],
        }

    def _change(self, file: FileChange, change: Change) -> Json:
        review, key = self._review, change.id
        citations = review.citations.get(key, ())
        return {
            "id": key,
            "old_line": change.old_line,
            "new_line": change.new_line,
            "removed": self._lines(change.removed),
            "added": self._lines(change.added),
            "final_newline": {"removed": _ends(change.removed), "added": _ends(change.added)},
            "citations": [self._citation(citation) for citation in citations],
            "references": [self._reference(reference) for reference in review.references.get(key, ())],
            "entries": list(review.explained_by.get(key, ())),
            **self._claims(file, change),
            "during_run": change.during_run or file.during_run,
            "stamp_only": change.stamp_only,
            "flagged": change_flagged(review, key),
            "conflict": key in review.conflicts,
            "conflict_reason": self._conflict(key),
            **self._applied(key),
        }

    def _applied(self, key: str) -> Json:
        """Whether an earlier apply of this review carried it out, and by which commit."""
        carried = self._review.applied.get(key)
        return {"applied": carried is not None, "applied_in": carried.commit if carried is not None else None}

    def _claims(self, file: FileChange, change: Change) -> Json:
        """What the claim check says of a change; lines are those of the files, as everywhere else."""
        report = self._review.reports.get(change.id)
        found = report or ClaimReport()
        new, old = change.new_line, change.old_line
        return {
            "claims": [self._masked({**claim_data(one), "new_line": new + one.line}) for one in found.claims],
            "moved": [{**moved_data(one), "new_line": new + one.line} for one in found.moved],
            "promoted": [{**moved_data(one), "new_line": new + one.line} for one in found.promoted],
            "dropped": [self._masked({**dropped_data(one), "old_line": old + one.line}) for one in found.dropped],
            "verdict": report.verdict.value if report is not None else None,
            "lost": found.lost,
            "index": file.path == INDEX_NAME,
        }

    def _masked(self, data: Json) -> Json:
        """The data of a claim with secrets masked in what it quotes."""
        for key in ("text", "value", "reason", "nearest"):
            if isinstance(data.get(key), str):
                data[key] = self._mask(data[key])
        for evidence in data.get("evidence", ()):
            evidence["text"] = self._mask(evidence["text"])
        return data

    def _lines(self, lines: Sequence[bytes]) -> list[str]:
        return list(self._mask_lines([decode(line.removesuffix(b"\n")) for line in lines]))

    def _conflict(self, key: str) -> str | None:
        conflict = self._review.conflicts.get(key)
        return conflict.reason if conflict else None

    def _citation(self, citation: Citation) -> Json:
        return {
            "raw": self._mask(citation.raw),
            "transcript": citation.transcript,
            "line": citation.line,
            "end_line": citation.end_line,
            "status": citation.status.value,
            "speaker": citation.speaker.value if citation.speaker else None,
            "timestamp": citation.timestamp,
            "text": self._mask(citation.text) if citation.text is not None else None,
            "path": citation.path,
            "uuid": citation.uuid,
            "last_line": citation.last_line,
        }

    def _reference(self, reference: Reference) -> Json:
        return {
            "raw": self._mask(reference.raw),
            "kind": reference.kind.value,
            "status": "found" if reference.found else "missing",
            "path": reference.path,
            "line": reference.line,
        }

    def _entry(self, entry: Entry) -> Json:
        return {
            "text": self._mask(entry.text),
            "line": entry.line,
            "file": entry.file,
            "matched": entry.matched,
            "changes": list(entry.changes),
            "citations": [self._citation(citation) for citation in entry.citations],
            "references": [self._reference(reference) for reference in entry.references],
        }

    def _finding(self, finding: Finding) -> Json:
        return {
            "rule": finding.rule,
            "severity": finding.severity.value,
            "file": finding.file,
            "line": finding.line,
            "message": self._mask(finding.message),
        }

    def _unheeded(self, one: Unheeded) -> Json:
        return {**asdict(one), "text": self._mask(one.text)}

    def _run(self) -> Json:
        run = self._review.run
        return {"log": run.log, "complete": run.complete, "label": run.label, "barred": run.barred}

    def _summary(self) -> Json:
        summary = summarize(self._review)
        return {
            "files": summary.files,
            "hunks": summary.hunks,
            "changes": summary.changes,
            "claims": summary.claims,
            "flagged": summary.flagged,
            "flagged_claims": summary.flagged_claims,
            "lost": summary.lost,
            "by_verdict": {verdict.value: count for verdict, count in summary.by_verdict.items()},
            "citations": {status.value: count for status, count in summary.citations.items()},
            "without_entry": summary.without_entry,
            "entries_without_change": summary.entries_without_change,
            "conflicts": summary.conflicts,
            "during_run": summary.during_run,
            "confirmed": list(summary.confirmed),
            "cited": list(summary.cited),
            "unmentioned": list(summary.unmentioned),
        }


def _mode(mode: int | None) -> str | None:
    return None if mode is None else f"{mode:o}"


def _ends(lines: Sequence[bytes]) -> bool:
    return not lines or lines[-1].endswith(b"\n")
