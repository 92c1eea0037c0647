"""The saved form of a snapshot: one JSON object, checked in full when it is read back."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime

from memreview.model.memory import Note, Stranger
from memreview.model.snapshot import KeptNote, Snapshot, SnapshotKind

SCHEMA = 1
_HEX = frozenset("0123456789abcdef")


def digest_of(notes: Iterable[Note]) -> str:
    """A hash over names and contents of notes; times and modes take no part."""
    whole = hashlib.sha256()
    for note in sorted(notes, key=lambda note: note.path):
        name = os.fsencode(note.path)
        whole.update(b"%d %d " % (len(name), len(note.data)) + name + note.data)
    return whole.hexdigest()


def encode(snapshot: Snapshot) -> bytes:
    """The bytes of the file; undecodable bytes of paths are kept as lone surrogates, escaped."""
    value = {
        "schema": SCHEMA,
        "id": snapshot.id,
        "memory_dir": snapshot.memory_dir,
        "taken": snapshot.taken,
        "kind": snapshot.kind.value,
        "digest": snapshot.digest,
        "head": snapshot.head,
        "notes": [asdict(note) for note in snapshot.notes.values()],
        "strangers": [[one.path, one.reason] for one in snapshot.strangers],
    }
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def decode(data: bytes) -> Snapshot:
    """The snapshot in ``data``. Raises :class:`ValueError` where it is anything else than what :func:`encode` made."""
    try:
        value = json.loads(data)
        if value["schema"] != SCHEMA:
            raise ValueError(f"schema {value['schema']!r}")
        notes = [_note(row) for row in value["notes"]]
        datetime.fromisoformat(_text(value["taken"]))
        return Snapshot(
            id=_text(value["id"]),
            memory_dir=_text(value["memory_dir"]),
            taken=_text(value["taken"]),
            kind=SnapshotKind(value["kind"]),
            digest=_text(value["digest"]),
            notes={note.path: note for note in notes},
            strangers=tuple(Stranger(_text(path), _text(reason)) for path, reason in value["strangers"]),
            head=None if value["head"] is None else _text(value["head"]),
        )
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"not a snapshot: {error}") from None


def _note(row: dict[str, object]) -> KeptNote:
    digest, path = _text(row["digest"]), _text(row["path"])
    numbers = [row["size"], row["mode"], row["mtime_ns"]]
    size, mode, mtime = (number if isinstance(number, int) else _text(None) for number in numbers)
    # The digest becomes a file's name, the path one below a folder that a person names.
    if len(digest) != 64 or not _HEX.issuperset(digest) or ".." in path.split("/") or path.startswith("/"):
        raise ValueError(f"no note: {path!r}")
    return KeptNote(path, digest, int(size), int(mode) & 0o777, int(mtime))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"no text: {value!r}")
    return value
