"""A snapshot: how a memory folder stood at one moment, kept outside of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from memreview.model.memory import Stranger


class SnapshotKind(StrEnum):
    """Why a snapshot was taken; whether it counts as a look at the folder depends on it."""

    ASKED = "asked for"
    REVIEWED = "after a review"
    PASS = "before a pass"
    SAVED = "before taking back"

    @property
    def looked(self) -> bool:
        """True where a person had seen, or settled, what the folder held."""
        return self in (SnapshotKind.ASKED, SnapshotKind.REVIEWED)


@dataclass(frozen=True, slots=True)
class KeptNote:
    """One note of a snapshot: ``digest`` is the SHA-256 of its bytes, by which these are kept."""

    path: str
    digest: str
    size: int
    mode: int = 0o644
    mtime_ns: int = 0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """``taken`` is ISO 8601 in UTC, ``digest`` tells apart what the folder held.

    ``head`` is the commit that had last touched the folder then, None where none had. ``partial`` says that only the
    notes that were about to change are in it. ``strangers`` are what else lay in the folder.
    """

    id: str
    memory_dir: str
    taken: str
    kind: SnapshotKind
    digest: str
    notes: Mapping[str, KeptNote] = field(default_factory=dict)
    strangers: tuple[Stranger, ...] = ()
    head: str | None = None

    @property
    def partial(self) -> bool:
        """True where it does not hold the whole folder."""
        return self.kind is SnapshotKind.SAVED

    @property
    def size(self) -> int:
        """Bytes of all its notes."""
        return sum(note.size for note in self.notes.values())
