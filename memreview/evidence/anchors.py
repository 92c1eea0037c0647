"""When an old line was written, so that its "yesterday" is a day: by stamp, by the record that wrote it, by commit.

A file's own time says nothing: copying, restoring and ``touch`` change it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Final

from memreview.checks.claims.dates import find_dates
from memreview.diff.frontmatter import frontmatter_end
from memreview.diff.lines import split_lines
from memreview.model.transcript import Record, Speaker
from memreview.text import decode

_STAMP: Final = re.compile(r"^\s*modified:\s*[\"']?([0-9][0-9T:.Z+\- ]*?)[\"']?\s*$")
_MEMORY: Final = re.compile(r"[/\\]memory[/\\]")
_FEWEST: Final = 12
"""Characters of a line by which the record that wrote it can be told."""

Committed = Callable[[str, str], str | None]
"""When a line of a note was committed, as ISO 8601."""


def stamp_of(data: bytes | None) -> datetime | None:
    """The time in the ``modified:`` stamp of a note's frontmatter; None where it has none."""
    if data is None:
        return None
    lines = split_lines(data)
    for line in lines[: frontmatter_end(lines)]:
        match = _STAMP.match(decode(line))
        if match:
            return moment(match.group(1))
    return None


def moment(text: str | None) -> datetime | None:
    """An ISO 8601 time with its zone, UTC where it names none; None where it is no time."""
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def relative_lines(lines: Iterable[str]) -> list[str]:
    """Those lines whose time depends on when they were written."""
    return [line for line in lines if any(found.relative for found in find_dates(line))]


def written_by(line: str, note: str, records: Iterable[Record]) -> datetime | None:
    """When a call wrote this line into this note; of several calls the first. None where none of these did."""
    text = line.strip()
    if len(text) < _FEWEST:
        return None
    inside = json.dumps(text, ensure_ascii=False)[1:-1]
    name = note.rsplit("/", 1)[-1]
    times = [
        moment(record.timestamp)
        for record in records
        if record.speaker is Speaker.CALL
        and inside in record.text
        and name in record.text
        and _MEMORY.search(record.text)
    ]
    return min((time for time in times if time is not None), default=None)
