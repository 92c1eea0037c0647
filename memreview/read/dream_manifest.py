"""``manifest.json`` beside a proposal of memreview's own pass: written, and read back with distrust."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from memreview.model.dreamed import Manifest
from memreview.model.finding import Finding, Severity
from memreview.read.small_files import read_regular

MANIFEST_NAME = "manifest.json"
SCHEMA = 1
KIND = "memreview-dream"
"""What tells our own from a file of the same name that another tool left."""
_LIMIT = 64_000_000
_MAX_ROWS = 200
"""Rows of one kind that become findings; a longer list says nothing more."""


@dataclass(frozen=True, slots=True)
class RanBefore:
    """What a reader needs of a manifest. ``barred`` says why the proposal may be looked at only, None where it may be
    applied. ``since`` and ``until`` are the window of what was read."""

    memory_dir: str | None = None
    barred: str | None = None
    findings: tuple[Finding, ...] = ()
    since: str | None = None
    until: str | None = None


def encode(manifest: Manifest) -> bytes:
    """The bytes of the file: JSON in ASCII, undecodable bytes of paths as lone surrogates."""
    return (json.dumps({"schema": SCHEMA, "kind": KIND, **asdict(manifest)}, indent=1, sort_keys=False) + "\n").encode(
        "ascii"
    )


def read_manifest(folder: str, diff: bytes | None) -> RanBefore | None:
    """What the manifest in an output folder says of the proposal beside it; None where there is none.

    ``diff`` are the bytes of memory.diff. A manifest that cannot be read bars the proposal, because it may have said
    that the run was cut off; another tool's, and one that belongs to another memory.diff, say nothing.
    """
    path = os.path.join(folder, MANIFEST_NAME)
    try:
        data = read_regular(path, _LIMIT + 1)
    except OSError as error:
        return _unreadable(path, error.strerror or str(error))
    if data is None:
        return _unreadable(path, "it is no file") if os.path.lexists(path) else None
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return _unreadable(path, "it is damaged")
    if not isinstance(value, dict) or value.get("kind") != KIND:
        return None
    if value.get("schema") != SCHEMA or not isinstance(value.get("ending"), dict):
        return _unreadable(path, "it is no manifest that this version knows")
    # A manifest without a hash was written before the rest, and its run never came to write another one.
    told = value.get("diff")
    if diff is not None and told is not None and told != hashlib.sha256(diff).hexdigest():
        said = f"{MANIFEST_NAME} belongs to another run than memory.diff, so it is not heeded"
        return RanBefore(findings=(Finding("other-manifest", Severity.WARNING, said),))
    ending = value["ending"]
    barred = None
    if ending.get("complete") is not True:
        why = _text(ending.get("reason")) or "it was cut off"
        barred = f"this run did not finish: {why}"
    return RanBefore(
        _text(value.get("memory_dir")) or None,
        barred,
        tuple(_findings(value, barred)),
        _text(value.get("since")) or None,
        _text(value.get("started")) or None,
    )


def _unreadable(path: str, why: str) -> RanBefore:
    said = f"{path}: cannot be used ({why}), so nobody knows whether the run finished"
    return RanBefore(barred=said, findings=(Finding("incomplete-run", Severity.ERROR, said),))


def _findings(value: Mapping[str, Any], barred: str | None) -> Iterator[Finding]:
    if barred is not None:
        yield Finding("incomplete-run", Severity.ERROR, f"{barred}; it can be looked at, not applied")
    for remark in _list(value.get("remarks")):
        if isinstance(remark, str):
            yield Finding("dream-remark", Severity.WARNING, remark)
    for row in _rows(value.get("left_out")):
        path = _text(row.get("path"))
        said = f"the dream wrote {path}, which was left out: {_text(row.get('reason'))}"
        yield Finding("not-imported", Severity.WARNING, said, path)
    for row in _rows(value.get("unheeded")):
        what = "asked to be remembered" if row.get("kind") == "save" else "corrected"
        said = f"{_text(row.get('transcript'))}:{row.get('line')}: {what}, and not taken up: {_text(row.get('text'))}"
        yield Finding("not-taken-up", Severity.INFO, said)


def _rows(value: object) -> list[dict[str, Any]]:
    return [row for row in _list(value) if isinstance(row, dict)]


def _list(value: object) -> list[Any]:
    return value[:_MAX_ROWS] if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
