"""Past reviews as lines and as data, for ``log`` and ``revert``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from memreview.report.json import SCHEMA
from memreview.report.styles import Role, Style
from memreview.text import visible

if TYPE_CHECKING:
    from memreview.evidence.undo import PastReview, Piece, Reverted

Json = dict[str, Any]


def log_data(found: Sequence[PastReview]) -> Json:
    """What ``log --format json`` prints."""
    return {
        "schema": SCHEMA,
        "reviews": [
            {
                "commit": past.commit,
                "date": past.date,
                "subject": past.subject,
                "evidence": bool(past.evidence),
                "changes": [_piece(piece) for piece in past.pieces],
            }
            for past in found
        ],
    }


def revert_data(done: Reverted) -> Json:
    """What ``revert --format json`` prints, on exit 3 as well."""
    result = done.result
    return {
        "schema": SCHEMA,
        "reverted": done.past.commit,
        "changes": [_piece(piece) for piece in done.pieces],
        "written": list(result.written),
        "deleted": list(result.deleted),
        "commit": result.commit,
        "conflicts": [
            {"file": conflict.path, "change": conflict.change, "reason": conflict.reason}
            for conflict in result.conflicts
        ],
    }


def _piece(piece: Piece) -> Json:
    kept = piece.kept
    return {
        "id": piece.id,
        "file": piece.note,
        "line": piece.line,
        "text": piece.text,
        "decision": kept.decision.value if kept is not None else None,
        "cited": list(kept.cited) if kept is not None else [],
    }


def log_lines(found: Sequence[PastReview], style: Style) -> Iterator[str]:
    """Each commit with its changes."""
    for past in found:
        mark = "evidence kept" if past.evidence else "no evidence kept"
        yield f"{style(past.commit[:12], Role.PATH)} {past.date[:10]} {visible(past.subject)} ({mark})"
        for piece in past.pieces:
            yield f"  {piece.id}  {visible(piece.note)}:{piece.line}  back to: {visible(piece.text)}"


def evidence_lines(done: Reverted) -> Iterator[str]:
    """What is taken back, and what it rested on."""
    for piece in done.pieces:
        yield f"{piece.id}  {visible(piece.note)}:{piece.line}  back to: {visible(piece.text)}"
        for part in done.past.evidence:
            for record in part.records_of(piece.kept) if piece.kept is not None else ():
                words = " ".join(record.text.split())
                yield f"  it rested on {record.speaker} {(record.timestamp or '')[:10]} {record.at}: {visible(words)}"
