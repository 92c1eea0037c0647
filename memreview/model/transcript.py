"""Transcripts: one physical line is one record, and every record has a speaker."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Speaker(StrEnum):
    """Whose words a record holds."""

    USER = "user"
    """Words that a person typed (or the prompt of a headless run)."""
    TOOL = "tool"
    """What a tool returned."""
    CALL = "call"
    """The input of a tool call, and nothing else in the record."""
    ASSISTANT = "assistant"
    """The model's prose."""
    OTHER = "other"
    """Nobody's words: never evidence."""


@dataclass(frozen=True, slots=True)
class Record:
    """One physical line of a transcript, as far as it can be understood.

    ``line`` counts from 1 and splits on ``\\n`` only. ``text`` is what was said or returned, without thinking,
    system reminders and the like; it is empty where the record has no such words. ``kind`` is the record's
    own ``type``, or one of ``blank``, ``malformed`` (no JSON), ``not-object``, ``partial`` (an unfinished last line).
    ``timestamp`` is the text of the file (ISO 8601) or None.
    """

    line: int
    kind: str
    speaker: Speaker
    text: str
    timestamp: str | None = None
    uuid: str | None = None
    session: str | None = None
    sidechain: bool = False
    error: bool = False
    tool: str | None = None

    @property
    def has_text(self) -> bool:
        """True where somebody said something or a tool returned something."""
        return bool(self.text.strip())


@dataclass(frozen=True, slots=True)
class Transcript:
    """Where a transcript lies: ``path`` of the file, ``project`` the folder name under ``projects/`` (or None)."""

    path: str
    project: str | None = None
    size: int = 0
    mtime_ns: int = 0

    @property
    def name(self) -> str:
        """The file's own name, the last part of its path."""
        return self.path.replace("\\", "/").rsplit("/", 1)[-1]
