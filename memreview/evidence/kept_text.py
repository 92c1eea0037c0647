"""Kept evidence as the text of a git note: JSON that begins with lines for a person, and is read back from any mixture.

git puts two notes one behind the other when it melts commits together, or merges notes; so a note may hold several.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import Any, Final, TypeVar

from memreview.model.claim import ClaimKind, Verdict, Weight
from memreview.model.kept import Kept, KeptChange, KeptClaim, KeptEvidence, KeptRecord
from memreview.model.transcript import Speaker
from memreview.text import clip, mask_lines, mask_secrets, secret_spans, visible

SCHEMA: Final = 1
MARK: Final = "memreview"
_SHOWN: Final = 96
_SUMMED_UP: Final = 200
"""Changes of which the summary tells; the rest stand in the data only."""
_UNSEEN: Final = re.compile(
    "[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ue000-\uf8ff\ufeff\ufff0-\uffff"
    "\U000e0000-\U0010ffff]"
)
"""What would steer a terminal or stay unseen in it; it only stands inside strings, where JSON can escape it."""

Json = dict[str, Any]
Member = TypeVar("Member", bound=Enum)


def masked(evidence: KeptEvidence) -> KeptEvidence:
    """The same with every secret replaced by ``*``."""
    # One look at everything is a lot faster than one at each line, and as a rule there is nothing.
    if not secret_spans("\n".join(_texts_of(evidence))):
        return evidence
    return replace(
        evidence,
        changes=tuple(_masked_change(change) for change in evidence.changes),
        records=tuple(replace(record, text=mask_secrets(record.text)) for record in evidence.records),
    )


def _texts_of(evidence: KeptEvidence) -> Iterator[str]:
    for record in evidence.records:
        yield record.text
    for change in evidence.changes:
        yield from (*change.added, *change.removed, *change.despite, *change.quotes)
        for claim in change.claims:
            yield from (claim.text, claim.value, claim.reason)


def _masked_change(change: KeptChange) -> KeptChange:
    added = mask_lines(change.added)
    claims = tuple(
        replace(
            claim,
            text=added[claim.line][claim.start : claim.end] if claim.line < len(added) else mask_secrets(claim.text),
            value="" if claim.kind is ClaimKind.SECRET else mask_secrets(claim.value),
            reason=mask_secrets(claim.reason),
        )
        for claim in change.claims
    )
    return replace(
        change,
        added=added,
        removed=mask_lines(change.removed),
        claims=claims,
        despite=tuple(map(mask_secrets, change.despite)),
        quotes=tuple(map(mask_secrets, change.quotes)),
    )


def written(parts: Sequence[KeptEvidence]) -> bytes:
    """The text of a note; secrets are masked."""
    return "\n".join(_layout(_data(masked(part))) for part in parts).encode("utf-8")


def _layout(data: Json) -> str:
    """One row for each change and record, so that both a person and a line-wise tool find their way."""
    rows: list[str] = []
    for key, value in data.items():
        if isinstance(value, list) and value:
            rows.append(f' "{key}": [\n' + ",\n".join(f"  {_dumps(item)}" for item in value) + "\n ]")
        else:
            rows.append(f' "{key}": {_dumps(value)}')
    return "{\n" + ",\n".join(rows) + "\n}\n"


def _dumps(value: object) -> str:
    return _UNSEEN.sub(_escaped, json.dumps(value, ensure_ascii=False))


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match.group())[1:-1]


def _data(evidence: KeptEvidence) -> Json:
    return {
        MARK: SCHEMA,
        "summary": summary(evidence),
        "project": evidence.project,
        "label": evidence.label,
        "made": evidence.made,
        "folder": evidence.folder,
        "patch": evidence.patch,
        "accepted": evidence.accepted,
        "rejected": evidence.rejected,
        "total": evidence.total,
        "changes": [_change_data(change) for change in evidence.changes],
        "records": [_record_data(record) for record in evidence.records],
    }


def summary(evidence: KeptEvidence) -> list[str]:
    """Each change in one line, and below it who said what it rests on."""
    rows: list[str] = []
    by_place = {record.at: record for record in evidence.records}
    for change in evidence.changes[:_SUMMED_UP]:
        lines = [line.strip() for line in change.added or change.removed if line.strip()]
        verb = "" if change.added else "without "
        text = clip(visible(lines[0]), _SHOWN) if lines else ""
        more = f" (+{len(lines) - 1})" if len(lines) > 1 else ""
        rows.append(f"{change.note}:{change.line} {change.decision}, {_verdict(change)}: {verb}{text}{more}")
        for record in (by_place[at] for at in change.cited if at in by_place):
            words = clip(visible(" ".join(record.text.split())), _SHOWN)
            day = (record.timestamp or "")[:16].replace("T", " ")
            rows.append(f"  {record.speaker} {day} {record.at}: {words}")
    left = len(evidence.changes) - _SUMMED_UP
    return [*rows, f"and {left} more changes"] if left > 0 else rows


def _verdict(change: KeptChange) -> str:
    worst = max((claim.verdict for claim in change.claims), key=lambda verdict: verdict.badness, default=None)
    if worst is not None:
        return worst.value
    return "cited" if change.cited else "nothing cited"


def _record_data(record: KeptRecord) -> Json:
    data: Json = {
        "at": record.at,
        "speaker": record.speaker.value,
        "time": record.timestamp,
        "text": record.text,
        "cited": record.cited,
        "transcript": record.transcript,
        "line": record.line,
        "uuid": record.uuid,
        "session": record.session,
        "folder": record.folder,
        "sha256": record.sha256,
        "size": record.size,
    }
    if record.error:
        data["error"] = True
    return data


def _change_data(change: KeptChange) -> Json:
    data: Json = {
        "note": change.note,
        "line": change.line,
        "decision": change.decision.value,
        "verdict": _verdict(change),
        "added": list(change.added),
        "removed": list(change.removed),
        "cited": list(change.cited),
        "id": change.id,
        "claims": [_claim_data(claim) for claim in change.claims],
    }
    if change.despite:
        data["despite"] = list(change.despite)
    if change.quotes:
        data["quotes"] = list(change.quotes)
    return data


def _claim_data(claim: KeptClaim) -> Json:
    return {
        "line": claim.line,
        "start": claim.start,
        "end": claim.end,
        "text": claim.text,
        "kind": claim.kind.value,
        "value": claim.value,
        "verdict": claim.verdict.value,
        "severity": claim.weight.value,
        "rule": claim.rule,
        "speaker": claim.speaker.value if claim.speaker is not None else None,
        "reason": claim.reason,
    }


def read_back(data: bytes) -> tuple[KeptEvidence, ...]:
    """All evidence in the text of a note, in its order; what is none (another tool's words, a later schema) is left
    out. Never raises."""
    text = data.decode("utf-8", "replace")
    decoder = json.JSONDecoder()
    found: list[KeptEvidence] = []
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(value, dict) and value.get(MARK) == SCHEMA:
                found.append(_evidence(value))
        at = text.find("{", end)
    return tuple(found)


def _evidence(data: Mapping[str, Any]) -> KeptEvidence:
    return KeptEvidence(
        project=_text(data, "project"),
        label=_text(data, "label"),
        made=_text(data, "made"),
        folder=_text(data, "folder"),
        patch=_text(data, "patch"),
        accepted=_number(data, "accepted"),
        rejected=_number(data, "rejected"),
        total=_number(data, "total"),
        changes=tuple(_change(row) for row in _rows(data, "changes")),
        records=tuple(_record(row) for row in _rows(data, "records")),
    )


def _change(data: Mapping[str, Any]) -> KeptChange:
    return KeptChange(
        id=_text(data, "id"),
        note=_text(data, "note"),
        line=_number(data, "line"),
        decision=_member(Kept, data.get("decision"), Kept.KEPT),
        added=_texts(data, "added"),
        removed=_texts(data, "removed"),
        cited=_texts(data, "cited"),
        claims=tuple(_claim(row) for row in _rows(data, "claims")),
        despite=_texts(data, "despite"),
        quotes=_texts(data, "quotes"),
    )


def _claim(data: Mapping[str, Any]) -> KeptClaim:
    return KeptClaim(
        line=_number(data, "line"),
        start=_number(data, "start"),
        end=_number(data, "end"),
        text=_text(data, "text"),
        kind=_member(ClaimKind, data.get("kind"), ClaimKind.WORDING),
        value=_text(data, "value"),
        verdict=_member(Verdict, data.get("verdict"), Verdict.UNVERIFIABLE),
        weight=_member(Weight, data.get("severity"), Weight.WARNING),
        rule=_text(data, "rule"),
        reason=_text(data, "reason"),
        speaker=_speaker(data.get("speaker")),
    )


def _record(data: Mapping[str, Any]) -> KeptRecord:
    return KeptRecord(
        transcript=_text(data, "transcript"),
        line=_number(data, "line"),
        speaker=_speaker(data.get("speaker")) or Speaker.OTHER,
        text=_text(data, "text"),
        timestamp=_text(data, "time") or None,
        uuid=_text(data, "uuid") or None,
        session=_text(data, "session") or None,
        folder=_text(data, "folder") or None,
        sha256=_text(data, "sha256"),
        size=_number(data, "size"),
        cited=data.get("cited") is True,
        error=data.get("error") is True,
    )


def _speaker(value: object) -> Speaker | None:
    return _member(Speaker, value, Speaker.OTHER) if value is not None else None


def _member(kind: type[Member], value: object, otherwise: Member) -> Member:
    try:
        return kind(value)
    except ValueError:
        return otherwise


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    return value if isinstance(value, str) else ""


def _number(data: Mapping[str, Any], key: str) -> int:
    value = data.get(key)
    return value if isinstance(value, int) else 0


def _texts(data: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = data.get(key)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _rows(data: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    value = data.get(key)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
