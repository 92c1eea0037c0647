"""Whether anything has changed since the last look: by names, sizes and times, no file is opened."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from memreview.config import Options
from memreview.read.sessions import MEMORY

MAX_DEPTH = 12
"""Folders that lie deeper in a memory are not looked into."""


@dataclass(frozen=True, slots=True)
class Look:
    """One look: a mark for each project folder by its path, for what holds for all projects, and for other places.

    Equal marks mean that nothing has changed that an audit or the list of dreams would see. ``settings`` changes with
    the day as well, since evidence grows older. Transcripts that only grow change no mark.
    """

    projects: Mapping[str, int] = field(default_factory=dict)
    settings: int = 0
    sessions: int = 0
    dreams: int = 0


@dataclass(frozen=True, slots=True)
class Difference:
    """What is different in a later look: ``changed`` are folders that are new or other than before."""

    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    settings: bool = False
    sessions: bool = False
    dreams: bool = False

    @property
    def any(self) -> bool:
        """True where anything is different."""
        return bool(self.changed or self.gone or self.settings or self.sessions or self.dreams)


def look(options: Options, only: str | None = None, now: float | None = None) -> Look:
    """Look at all project folders, or at the one with the path ``only``. Never raises for what lies there."""
    paths = [only] if only is not None else _folders(options.projects_dir)
    day = time.strftime("%Y-%m-%d", time.localtime(now))
    settings = [os.path.join(options.claude_dir, "settings.json"), options.managed_settings or ""]
    return Look(
        {path: _mark_of_project(path) for path in paths},
        hash((day, *map(_mark, settings))),
        _mark_of_names(os.path.join(options.claude_dir, "sessions")),
        hash(tuple(_mark(path) for path in _dream_places(options))),
    )


def difference(before: Look, now: Look) -> Difference:
    """What is different between two looks at the same places."""
    return Difference(
        tuple(path for path, mark in now.projects.items() if before.projects.get(path) != mark),
        tuple(path for path in before.projects if path not in now.projects),
        before.settings != now.settings,
        before.sessions != now.sessions,
        before.dreams != now.dreams,
    )


def _folders(place: str) -> list[str]:
    try:
        with os.scandir(place) as entries:
            return sorted(entry.path for entry in entries if not entry.name.startswith(".") and entry.is_dir())
    except OSError:
        return []


def _dream_places(options: Options) -> Sequence[str]:
    return (options.state_dir, os.path.join(options.state_dir, "dreams"), *options.dream_dirs)


def _mark(path: str) -> tuple[int, ...]:
    try:
        info = os.stat(path)
    except (OSError, ValueError):
        return ()
    return (info.st_ino, info.st_size, info.st_mtime_ns)


def _mark_of_names(place: str) -> int:
    try:
        return hash(tuple(sorted(os.listdir(place))))
    except OSError:
        return 0


def _mark_of_project(path: str) -> int:
    # The folder's own time tells of transcripts that come and go.
    own = os.path.join(path, ".claude", "settings.json")
    return hash((_mark(path), _mark(own), *sorted(_marks_below(os.path.join(path, MEMORY)))))


def _marks_below(place: str, depth: int = 0) -> Iterator[tuple[str | int, ...]]:
    try:
        with os.scandir(place) as entries:
            for entry in entries:
                try:
                    info = entry.stat(follow_symlinks=False)
                except OSError:
                    continue
                yield (entry.path, info.st_ino, info.st_size, info.st_mtime_ns, info.st_mode)
                # What git keeps changes with every commit, and no note lies there.
                if stat.S_ISDIR(info.st_mode) and entry.name != ".git" and depth < MAX_DEPTH:
                    yield from _marks_below(entry.path, depth + 1)
    except OSError:
        return
