"""A memory folder as it lies on disk: an index and notes, as bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

INDEX_NAME = "MEMORY.md"


@dataclass(frozen=True, slots=True)
class Note:
    """One Markdown file of a memory folder.

    ``path`` is relative to the folder, with ``/``, undecodable bytes as lone surrogates (``os.fsdecode``).
    ``mode`` holds the permission bits only.
    """

    path: str
    data: bytes
    mode: int = 0o644
    mtime_ns: int = 0

    @property
    def is_index(self) -> bool:
        """True for the index that every session loads."""
        return self.path == INDEX_NAME


@dataclass(frozen=True, slots=True)
class Stranger:
    """A directory entry that is no note and is never written: ``reason`` says why in a few words."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class MemoryFolder:
    """All notes of one folder. ``path`` is the folder as named, ``real_path`` with links resolved."""

    path: str
    real_path: str
    notes: Mapping[str, Note] = field(default_factory=dict)
    strangers: tuple[Stranger, ...] = ()
