"""Which pointers every session loads although no session read what they point to. Pure.

That nothing was read can only be said of a time of which enough transcripts survive.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memreview.checks.nightly import CheckRule
from memreview.checks.retention import DAY
from memreview.checks.usage import NoteUse
from memreview.model.advice import Advice, Advised
from memreview.model.memory import INDEX_NAME

IDLE_DAYS: Final = 30
COVERED_DAYS: Final = 27
"""The oldest transcript must be so old: the sweep deletes at 30 days by default, so none is older as a rule."""
FEWEST_SESSIONS: Final = 5
"""So many sessions of these days must survive."""
_POINTER: Final = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+.*?\]\(\s*<?(?:\./)?([^()\s<>#]+\.md)")


@dataclass(frozen=True, slots=True)
class Sessions:
    """When the surviving sessions of a project were last written, in seconds since 1970; ``now`` likewise."""

    written: Sequence[float]
    now: float

    @property
    def tell(self) -> bool:
        """True where enough of them survive to know what was not read."""
        recent = sum(when >= self.now - IDLE_DAYS * DAY for when in self.written)
        return recent >= FEWEST_SESSIONS and min(self.written) <= self.now - COVERED_DAYS * DAY


def pointers(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The entries of an index: 1-based line and the note that it points to."""
    for number, line in enumerate(lines, 1):
        match = _POINTER.match(line)
        if match:
            yield number, match.group(1)


def unread(
    index: Sequence[str], loaded_lines: int, ages: Mapping[str, float], uses: Mapping[str, NoteUse], sessions: Sessions
) -> tuple[Advised, ...]:
    """The loaded pointers to notes that are older than 30 days (``ages`` in days) and that no session used since."""
    if not sessions.written or not sessions.tell:
        return ()
    found: list[Advised] = []
    for number, note in pointers(index):
        if number > loaded_lines or ages.get(note, 0.0) < IDLE_DAYS or _used(uses.get(note), sessions.now):
            continue
        said = f"Every session loads this line, and none of {len(sessions.written)} read {note} in {IDLE_DAYS} days."
        found.append(Advised(INDEX_NAME, number, Advice.UNPIN, CheckRule.UNREAD, said))
    return tuple(found)


def _used(use: NoteUse | None, now: float) -> bool:
    from memreview.checks.note_facts import stamp_seconds

    if use is None:
        return False
    touches = [*use.writes, *([use.last_read] if use.last_read is not None else [])]
    times = [stamp_seconds(touch.when) for touch in touches]
    # A touch at an unknown time may be of yesterday.
    return any(time is None or time >= now - IDLE_DAYS * DAY for time in times)
