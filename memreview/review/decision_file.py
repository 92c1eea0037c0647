"""Decisions as JSON: the file of ``--decisions`` and the form in which they are saved."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from memreview.errors import UsageError
from memreview.model.dream import Review
from memreview.model.patch import Change
from memreview.model.review import ACCEPT, REJECT, Accept, Decision, Decisions, EditTo, Mend, Reject, TakeLines
from memreview.review.index import ReviewIndex, index_of

SCHEMA = 1


class _ProblemError(Exception):
    """What is wrong with one decision."""


class _TwiceError(Exception):
    """A key stands twice in one object."""


def parse_decisions(data: bytes, review: Review, name: str = "the decisions file") -> Decisions:
    """Decisions from a file of ``--decisions``, all of them about this review; ``name`` is what errors call the file.

    An edit, or single lines, of a hunk or file with exactly one change is put on that change. Raises
    :class:`UsageError` with one line for anything that is not understood: a wrong schema or type, an unknown id, a key
    that stands twice, an index outside the change. Nothing is guessed.
    """
    index = index_of(review)
    by_id: dict[str, Decision] = {}
    inner: dict[str, Decision] = {}
    for item, value in _read(data, name).items():
        try:
            if not index.knows(item):
                raise _ProblemError("is no id of this review; take the ids from memreview verify")
            decision = decode_decision(value)
            if isinstance(decision, Accept | Reject):
                by_id[item] = decision
            else:
                change = _only_change(index, item)
                _check_lines(decision, change)
                (by_id if change.id == item else inner)[change.id] = decision
        except _ProblemError as problem:
            raise UsageError(f"{name}: {_show(item)} {problem}") from None
    return Decisions({**inner, **by_id})


def decode_decision(value: object) -> Decision:
    """One decision from its JSON value; :class:`_ProblemError` where it is none."""
    if value == "accept":
        return ACCEPT
    if value == "reject":
        return REJECT
    if not isinstance(value, dict):
        raise _ProblemError(f'is decided as {_show(value)}; use "accept", "reject", {{"edit": …}} or {{"lines": …}}')
    if set(value) == {"edit"}:
        return EditTo(tuple(_line(line) for line in _list(value["edit"], "edit")))
    if set(value) == {"accept"}:
        return Accept(_despite(value["accept"]))
    if set(value) == {"lines"}:
        lines = value["lines"]
        if not isinstance(lines, dict) or not set(lines) <= {"removed", "added", "despite"}:
            raise _ProblemError('has "lines" that are no object of "removed" and "added"')
        removed, added = (_indices(lines.get(side, []), side) for side in ("removed", "added"))
        return TakeLines(removed, added, _despite(lines))
    keys = ", ".join(sorted(_show(key) for key in value)) or "nothing"
    raise _ProblemError(f'is decided by an object with {keys}; it must have "edit" or "lines", and nothing else')


def encode_decision(decision: Decision) -> object:
    """The JSON value of a decision."""
    if isinstance(decision, EditTo):
        return {"edit": list(decision.lines)}
    if isinstance(decision, Reject):
        return "reject"
    despite = {"despite": list(decision.despite)} if decision.despite else {}
    if isinstance(decision, TakeLines):
        return {"lines": {"removed": sorted(decision.removed), "added": sorted(decision.added), **despite}}
    return {"accept": despite} if despite else "accept"


def encode_mend(mend: Mend) -> dict[str, object]:
    """The JSON value of a mended citation."""
    return {"words": mend.words, "transcript": mend.transcript, "line": mend.line, "path": mend.path}


def saved_mends(values: object) -> dict[str, tuple[Mend, ...]]:
    """Mended citations by id from a saved state. Raises :class:`ValueError` where they are not such as were saved."""
    if not isinstance(values, dict):
        raise ValueError("no mended citations")
    return {item: tuple(_mend(value) for value in listed) for item, listed in values.items()}


def _mend(value: object) -> Mend:
    match value:
        case {"words": str(words), "transcript": str(transcript), "line": int(line), "path": str() | None as path}:
            return Mend(words, transcript, line, path)
    raise ValueError(f"no mended citation: {value!r}")


def saved_decisions(values: object) -> dict[str, Decision]:
    """Decisions by id from a saved state. Raises :class:`ValueError` where they are not such as were saved."""
    if not isinstance(values, dict):
        raise ValueError("no decisions")
    try:
        return {item: decode_decision(value) for item, value in values.items()}
    except _ProblemError as problem:
        raise ValueError(str(problem)) from None


def _read(data: bytes, name: str) -> Mapping[str, object]:
    try:
        top = json.loads(data, object_pairs_hook=_object)
    except _TwiceError as twice:
        raise UsageError(f"{name}: {_show(twice.args[0])} stands there twice; leave one") from None
    except (ValueError, RecursionError) as error:
        why = str(error).splitlines()[0] if str(error) else "too deep"
        raise UsageError(
            f'{name}: this is no JSON ({why}); write {{"schema": 1, "decisions": {{ID: "accept"}}}}'
        ) from None
    if not isinstance(top, dict):
        raise UsageError(f'{name}: an object with "schema" and "decisions" is needed, not {_show(top)}')
    schema = top.get("schema")
    if isinstance(schema, bool) or schema != SCHEMA:
        raise UsageError(f'{name}: "schema" must be {SCHEMA}, not {_show(schema)}')
    values = top.get("decisions")
    if not isinstance(values, dict):
        raise UsageError(f'{name}: "decisions" must be an object by id, not {_show(values)}')
    return values


def _object(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise _TwiceError(key)
        result[key] = value
    return result


def _show(value: object) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else text[:57] + "…"


def _list(value: object, key: str) -> list[object]:
    if not isinstance(value, list):
        raise _ProblemError(f'has "{key}" that is no list')
    return value


def _despite(value: object) -> tuple[str, ...]:
    if not isinstance(value, dict) or not set(value) <= {"removed", "added", "despite"}:
        raise _ProblemError('has an "accept" that is no object of "despite"')
    return tuple(_line(words) for words in _list(value.get("despite", []), "despite"))


def _line(value: object) -> str:
    if not isinstance(value, str):
        raise _ProblemError(f"has an edited line that is no text: {_show(value)}")
    if "\n" in value:
        raise _ProblemError(f"has an edited line with a line end in it: {_show(value)}; give each line by itself")
    try:
        value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise _ProblemError(f"has an edited line that cannot be written as UTF-8: {_show(value)}") from None
    return value


def _indices(value: object, side: str) -> frozenset[int]:
    numbers: list[int] = []
    for number in _list(value, side):
        if isinstance(number, bool) or not isinstance(number, int):
            raise _ProblemError(f"has {_show(number)} among its {side} lines; they are counted from 0")
        numbers.append(number)
    if len(set(numbers)) != len(numbers):
        raise _ProblemError(f"names one of its {side} lines twice")
    return frozenset(numbers)


def _only_change(index: ReviewIndex, item: str) -> Change:
    unit = index.unit(item)
    if unit is not None and unit.change is not None:
        return unit.change
    changes = index.hunks[item][1].changes if item in index.hunks else tuple(index.files[item].changes())
    if not changes:
        raise _ProblemError("is a note that is decided as a whole; accept or reject it")
    if len(changes) != 1:
        raise _ProblemError(f"has {len(changes)} changes; edit them, or take their lines, one by one")
    return changes[0]


def _check_lines(decision: Decision, change: Change) -> None:
    if not isinstance(decision, TakeLines):
        return
    for side, numbers, size in (
        ("removed", decision.removed, len(change.removed)),
        ("added", decision.added, len(change.added)),
    ):
        wrong = sorted(number for number in numbers if not 0 <= number < size)
        if wrong:
            raise _ProblemError(f"has no {side} line {wrong[0]}: it has {size}, counted from 0")
