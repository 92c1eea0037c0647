"""What a person rejected in earlier reviews, by its text: the next pass is told, so that it is not proposed again."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Final

from memreview.model.dream import Project, Review
from memreview.model.review import Accept, Decisions, EditTo, Reject
from memreview.review.index import index_of
from memreview.saving import put_file
from memreview.text import decode, mask_lines

FOLDER: Final = "declined"
VERSION: Final = 1
MOST: Final = 200
"""Declined changes that are remembered of a project, the latest."""
LINES: Final = 12
CHARS: Final = 400


@dataclass(frozen=True, slots=True)
class Declined:
    """One change that was rejected, or written otherwise: ``instead`` are the person's own lines then.

    Lines are without line ends, secrets masked, long ones cut. ``when`` is ISO 8601 in UTC.
    """

    id: str
    file: str
    removed: tuple[str, ...]
    added: tuple[str, ...]
    when: str
    instead: tuple[str, ...] | None = None


def declined_of(review: Review, decisions: Decisions, when: datetime | None = None) -> Iterator[Declined]:
    """What these decisions decline: rejected changes, and those that the person wrote otherwise; no mere stamps."""
    moment = (when or datetime.now(UTC)).isoformat(timespec="seconds")
    index = index_of(review)
    for unit in index.units:
        decision = index.effective(decisions, unit)
        if (
            unit.change is None
            or unit.change.stamp_only
            or unit.during_run
            or not isinstance(decision, Reject | EditTo)
        ):
            continue
        change = unit.change
        instead = _cut(decision.lines) if isinstance(decision, EditTo) else None
        removed, added = (_cut([decode(line) for line in side]) for side in (change.removed, change.added))
        yield Declined(unit.id, unit.file.path, removed, added, moment, instead)


def taken_of(review: Review, decisions: Decisions) -> frozenset[str]:
    """The ids of what is accepted as it is: it is no longer declined, if it ever was."""
    index = index_of(review)
    return frozenset(unit.id for unit in index.units if isinstance(index.effective(decisions, unit), Accept))


class DeclinedStore:
    """The folder ``declined`` below ``state_dir``: one private file a project."""

    def __init__(self, state_dir: str) -> None:
        self._folder = os.path.join(state_dir, FOLDER)

    def known(self, project: Project) -> tuple[Declined, ...]:
        """What was declined, the latest last. A file that cannot be read is as good as none."""
        try:
            with open(self._path(project), "rb") as file:
                value = json.loads(file.read())
            if value["version"] != VERSION:
                return ()
            return tuple(_row(row) for row in value["rows"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return ()

    def remember(self, project: Project, rows: Iterable[Declined], taken: Iterable[str] = ()) -> None:
        """Add what was declined, and drop what was ``taken``. Raises :class:`OSError` where the disk refuses."""
        new = {row.id: row for row in rows}
        gone = {*new, *taken}
        before = self.known(project)
        kept = [row for row in before if row.id not in gone]
        if not new and len(kept) == len(before):
            return
        self._write(project, (*kept, *new.values())[-MOST:])

    def _path(self, project: Project) -> str:
        name = hashlib.sha256(os.fsencode(os.path.realpath(project.memory_dir))).hexdigest()[:24]
        return os.path.join(self._folder, name + ".json")

    def _write(self, project: Project, rows: Iterable[Declined]) -> None:
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        data = json.dumps({"version": VERSION, "rows": [asdict(row) for row in rows]}).encode("ascii")
        put_file(self._path(project), data)


def _cut(lines: Sequence[str]) -> tuple[str, ...]:
    masked = mask_lines([line.rstrip("\r\n") for line in lines[:LINES]])
    return tuple(line[:CHARS] for line in masked)


def _row(row: dict[str, object]) -> Declined:
    texts = [str(row[key]) for key in ("id", "file", "when")]
    removed, added, instead = (row[key] for key in ("removed", "added", "instead"))
    return Declined(texts[0], texts[1], _texts(removed), _texts(added), texts[2], _texts(instead) if instead else None)


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError(f"no lines: {value!r}")
    return tuple(str(line) for line in value)
