"""Where a project's memory is, what else is near it, and who is at work in it, as plain data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AgentMemory:
    """An agent's own memory folder: its scope (user, project, local), number of Markdown files and their bytes."""

    agent: str
    scope: str
    path: str
    notes: int
    size: int


@dataclass(frozen=True, slots=True)
class RunningSession:
    """A session that is open now, as far as the client's registry tells: ``alive`` False for a process that is gone."""

    pid: int
    session: str
    cwd: str
    status: str
    alive: bool


@dataclass(frozen=True, slots=True)
class Switch:
    """Whether something is on, and what says so (a settings source, ``environment`` or ``default``)."""

    on: bool
    source: str


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is around a memory folder.

    ``root`` is the directory the project stands for (None: nothing tells), ``root_exists`` whether it is there.
    ``elsewhere`` is the folder that ``autoMemoryDirectory`` names, ``ignored`` a value of it that the client ignores.
    ``link`` is where the memory folder leads, where it is a link. ``twins`` are other directories whose sessions share
    the folder, ``others`` project folders with sessions that load this memory. ``consolidated`` is when the client's
    own dream last ran, in seconds since 1970, ``locked`` whether one holds its lock now.
    """

    root: str | None = None
    root_exists: bool = True
    elsewhere: str | None = None
    ignored: str | None = None
    link: str | None = None
    twins: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    agents: tuple[AgentMemory, ...] = ()
    running: tuple[RunningSession, ...] = ()
    auto_memory: Switch = Switch(True, "default")
    auto_dream: Switch = Switch(False, "default")
    consolidated: float | None = None
    locked: bool = False
