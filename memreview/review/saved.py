"""The saved form of a review's state: one JSON object, checked in full when it is read back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from typing import Any

from memreview.model.dream import Project, Target, TargetKind
from memreview.model.review import Applied, Decision, Mend
from memreview.review.decision_file import encode_decision, encode_mend, saved_decisions, saved_mends
from memreview.review.selectors import Counts
from memreview.review.state import Delta, Step

SCHEMA = 1
MAX_STEPS_IDS = 2_000
"""So many decisions of the history are saved, the latest ones: so far can be undone after a restart."""


@dataclass(frozen=True, slots=True)
class Saved:
    """What one file of the store holds. ``fingerprint`` is that of the review the decisions were made on.

    ``twins`` are those decided ids that mean nothing in another run. ``when`` is ISO 8601 in UTC, ``applied`` the
    latest commit that carried decisions out, ``carried`` how it, and those before it, took each unit. ``open`` counts
    the units that are undecided or decided and not carried out yet.
    """

    project: Project
    target: Target
    fingerprint: str
    when: str
    counts: Counts
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    twins: frozenset[str] = frozenset()
    cursor: str | None = None
    past: Step | None = None
    applied: str | None = None
    mends: Mapping[str, tuple[Mend, ...]] = field(default_factory=dict)
    carried: Mapping[str, Applied] = field(default_factory=dict)
    open: int = 0


def encode(saved: Saved) -> bytes:
    """The bytes of the file; undecodable bytes of paths are kept as lone surrogates, escaped."""
    value = {
        "schema": SCHEMA,
        "project": asdict(saved.project),
        "target": asdict(saved.target),
        "fingerprint": saved.fingerprint,
        "when": saved.when,
        "counts": asdict(saved.counts),
        "cursor": saved.cursor,
        "applied": saved.applied,
        "twins": sorted(saved.twins),
        "decisions": _values(saved.decisions),
        "mends": _mends(saved.mends),
        "carried": {item: [encode_decision(one.decision), one.commit] for item, one in saved.carried.items()},
        "open": saved.open,
        "history": _steps(saved.past),
    }
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def decode(data: bytes) -> Saved:
    """The state in ``data``. Raises :class:`ValueError` where it is anything else than what :func:`encode` made."""
    try:
        value = json.loads(data)
        if value["schema"] != SCHEMA:
            raise ValueError(f"schema {value['schema']!r}")
        target = value["target"]
        known = {item.name for item in fields(Target)}
        if not set(target) <= known:
            raise ValueError("unknown form of target")
        counts = Counts(**{item.name: int(value["counts"].get(item.name, 0)) for item in fields(Counts)})
        applied = _optional(value["applied"])
        return Saved(
            project=Project(**{key: _text(value["project"][key]) for key in ("name", "path", "memory_dir")}),
            target=Target(
                **{
                    **{key: _optional(part) for key, part in target.items()},
                    "kind": TargetKind(target["kind"]),
                    "transcripts": tuple(_text(item) for item in target["transcripts"]),
                }
            ),
            fingerprint=_text(value["fingerprint"]),
            when=_moment(value["when"]),
            counts=counts,
            decisions=saved_decisions(value["decisions"]),
            twins=frozenset(_text(item) for item in value["twins"]),
            cursor=_optional(value["cursor"]),
            past=_history(value["history"]),
            applied=applied,
            mends=saved_mends(value.get("mends", {})),
            carried=_carried(value.get("carried", {})),
            open=int(value.get("open", counts.undecided + (0 if applied else counts.taken))),
        )
    except (KeyError, IndexError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise ValueError(f"not a saved review: {error}") from None


def _carried(values: Mapping[str, tuple[object, object]]) -> dict[str, Applied]:
    decisions = saved_decisions({item: decision for item, (decision, _) in values.items()})
    return {item: Applied(decisions[item], _optional(commit)) for item, (_, commit) in values.items()}


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"no text: {value!r}")
    return value


def _moment(value: object) -> str:
    text = _text(value)
    datetime.fromisoformat(text)
    return text


def _optional(value: object) -> Any:
    return None if value is None else value if isinstance(value, list) else _text(value)


def _values(decisions: Mapping[str, Decision | None]) -> dict[str, object]:
    return {item: None if one is None else encode_decision(one) for item, one in decisions.items()}


def _mends(mends: Mapping[str, tuple[Mend, ...]]) -> dict[str, object]:
    return {item: [encode_mend(mend) for mend in listed] for item, listed in mends.items()}


def _steps(past: Step | None) -> list[list[object]]:
    """The latest steps, the last one first, as ``[cursor, before, after]``, then what was mended before and after."""
    steps: list[list[object]] = []
    size = 0
    while past is not None:
        delta = past.delta
        size += len(delta.ids)
        if size > MAX_STEPS_IDS:
            break
        mends = [_mends(delta.mends_before), _mends(delta.mends_after)] if delta.mends_after else []
        steps.append([delta.cursor, _values(delta.before), _values(delta.after), *mends])
        past = past.rest
    return steps


def _history(values: object) -> Step | None:
    if not isinstance(values, list):
        raise ValueError("no history")
    past: Step | None = None
    for cursor, before, after, *mends in reversed(values):
        mended = [saved_mends(part) for part in mends] or [{}, {}]
        delta = Delta(_maybe(before), _maybe(after), _optional(cursor), mended[0], mended[1])
        past = Step(delta, past)
    return past


def _maybe(values: Mapping[str, object]) -> dict[str, Decision | None]:
    made: dict[str, Decision | None] = dict.fromkeys(values)
    made.update(saved_decisions({item: value for item, value in values.items() if value is not None}))
    return made
