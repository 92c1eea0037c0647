"""What a pass that memreview ran says of itself: the manifest in its output folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CopiedTranscript:
    """A transcript as the pass was given it.

    ``name`` is its path in the copy, ``path`` the real one. ``lines`` counts the lines of the copy, ``kept`` those that
    are not empty there; ``first`` and ``last`` are the times of the kept records. ``sha256`` is of the copy, ``source``
    of the real file as it was read, of which ``size`` are the bytes.
    """

    name: str
    path: str
    lines: int
    kept: int
    kept_bytes: int
    size: int
    sha256: str
    source: str
    first: str | None = None
    last: str | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that the pass wrote and that is not taken over; ``reason`` in a few words."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Unheeded:
    """Something that the user said in the window and that no note of the proposal holds and no entry cites.

    ``kind`` is ``save`` (asked to be remembered) or ``correction``. ``text`` is what was said, secrets masked.
    """

    kind: str
    transcript: str
    line: int
    text: str
    timestamp: str | None = None
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Ending:
    """How the client ended. ``complete`` only where it said so itself; ``reason`` is one sentence where it is not."""

    complete: bool
    reason: str = ""
    subtype: str | None = None
    terminal_reason: str | None = None
    exit_status: int | None = None
    turns: int | None = None
    cost_usd: float | None = None
    denials: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Manifest:
    """All that can be said of one pass. Times are ISO 8601 in UTC; hashes are SHA-256 in hexadecimal.

    ``base`` and ``proposed`` are hashes by the notes' paths, ``diff`` that of memory.diff, by which a manifest is
    known to belong to it. ``remarks`` are sentences that a reviewer should read.
    """

    project: str
    project_path: str
    memory_dir: str
    started: str
    ended: str
    since: str
    days: int
    ending: Ending
    diff: str | None = None
    memreview: str = ""
    client: str | None = None
    client_version: str | None = None
    model: str | None = None
    instructions: str = ""
    masked: bool = False
    only: str | None = None
    with_repo: bool = False
    tokens: int = 0
    base: Mapping[str, str] = field(default_factory=dict)
    proposed: Mapping[str, str] = field(default_factory=dict)
    transcripts: tuple[CopiedTranscript, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    unheeded: tuple[Unheeded, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Planned:
    """What a pass would be given. ``notes`` are paths with their bytes, ``repository`` names of files of the copy.

    ``tokens`` is about what it takes to read everything once, ``cost_usd`` what that costs where the price of the model
    is configured. ``command`` is the whole call, ``environment`` what is set besides the user's own.
    """

    project: str
    memory_dir: str
    since: str
    until: str
    days: int
    notes: tuple[tuple[str, int], ...]
    transcripts: tuple[CopiedTranscript, ...]
    tokens: int
    prompt: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    cost_usd: float | None = None
    repository: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    model: str | None = None
