"""What sessions did with the notes of one project, as their transcripts tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Touch:
    """One call on a note: the session, the transcript's path, the 1-based line, the timestamp as written."""

    session: str
    transcript: str
    line: int
    when: str
    note: str
    wrote: bool


@dataclass(frozen=True, slots=True)
class NoteUse:
    """The last reading of a note and all that was written to it, the oldest first."""

    reads: int = 0
    last_read: Touch | None = None
    writes: tuple[Touch, ...] = ()

    @property
    def writers(self) -> tuple[str, ...]:
        """Sessions that wrote or edited it, each once."""
        return tuple(dict.fromkeys(touch.session for touch in self.writes))


def uses_of(touches: Iterable[Touch]) -> Mapping[str, NoteUse]:
    """What was done with each note, by path."""
    found: dict[str, NoteUse] = {}
    for touch in sorted(touches, key=lambda one: (one.when, one.line)):
        use = found.get(touch.note, NoteUse())
        if touch.wrote:
            found[touch.note] = replace(use, writes=(*use.writes, touch))
        else:
            found[touch.note] = replace(use, reads=use.reads + 1, last_read=touch)
    return found
