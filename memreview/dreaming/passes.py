"""What is remembered of a memory between two passes: when passes ran, and how much the nightly check found drifted.

One small file a memory in the state folder, replaced as a whole. A file that cannot be read is as good as none.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final

from memreview.saving import put_file

FOLDER: Final = "passes"
VERSION: Final = 1
MOST_PASSES: Final = 20
MOST_COUNTS: Final = 60


@dataclass(frozen=True, slots=True)
class PassRun:
    """One pass. Times are seconds since 1970; ``complete`` is False for one that did not finish."""

    started: float
    ended: float
    complete: bool
    folder: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DriftCount:
    """How many lines the check of one day (ISO 8601, UTC) found to have drifted."""

    day: str
    lines: int


@dataclass(frozen=True, slots=True)
class PassBook:
    """Passes and counts, the latest last."""

    passes: tuple[PassRun, ...] = ()
    drift: tuple[DriftCount, ...] = field(default=())

    @property
    def last(self) -> PassRun | None:
        """The latest pass that finished."""
        return next((one for one in reversed(self.passes) if one.complete), None)

    @property
    def last_try(self) -> PassRun | None:
        """The latest pass, whatever came of it."""
        return self.passes[-1] if self.passes else None


def read_book(memory_dir: str, state_dir: str) -> PassBook:
    """What is remembered of a memory."""
    try:
        with open(_path(memory_dir, state_dir), "rb") as file:
            value = json.loads(file.read())
        if value["version"] != VERSION:
            return PassBook()
        passes = tuple(_run(row) for row in value["passes"])
        return PassBook(passes, tuple(DriftCount(str(row["day"]), int(row["lines"])) for row in value["drift"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        return PassBook()


def note_pass(memory_dir: str, state_dir: str, run: PassRun) -> None:
    """Remember a pass. Raises :class:`OSError` where the disk refuses; what was remembered before then still is."""
    book = read_book(memory_dir, state_dir)
    _write(memory_dir, state_dir, replace(book, passes=(*book.passes, run)[-MOST_PASSES:]))


def note_drift(memory_dir: str, state_dir: str, lines: int, now: float) -> None:
    """Remember what a check found; of several on one day the last. That it cannot be written is no error."""
    book = read_book(memory_dir, state_dir)
    day = datetime.fromtimestamp(now, UTC).date().isoformat()
    if book.drift and book.drift[-1] == DriftCount(day, lines):
        return
    counts = [one for one in book.drift if one.day != day]
    with contextlib.suppress(OSError):
        _write(memory_dir, state_dir, replace(book, drift=(*counts, DriftCount(day, lines))[-MOST_COUNTS:]))


def _run(row: dict[str, Any]) -> PassRun:
    complete = row["complete"] is True
    return PassRun(float(row["started"]), float(row["ended"]), complete, str(row["folder"]), str(row["reason"]))


def _path(memory_dir: str, state_dir: str) -> str:
    name = hashlib.sha256(os.fsencode(os.path.realpath(memory_dir))).hexdigest()[:24]
    return os.path.join(state_dir, FOLDER, name + ".json")


def _write(memory_dir: str, state_dir: str, book: PassBook) -> None:
    path = _path(memory_dir, state_dir)
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    value = {
        "version": VERSION,
        "passes": [asdict(one) for one in book.passes],
        "drift": [asdict(one) for one in book.drift],
    }
    put_file(path, json.dumps(value).encode("ascii"))
