"""Finds out where a project's memory is and what is around it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import orjson

from memreview.auditing.roots import Roots
from memreview.checks.period import SettingsFile, Source
from memreview.checks.surroundings import AgentMemory, RunningSession, Surroundings, Switch
from memreview.config import Options
from memreview.errors import MemreviewError
from memreview.lock import FOREIGN_LOCK_NAME, foreign_lock
from memreview.read.relations import encode_path
from memreview.read.sessions import MEMORY, Folder
from memreview.read.small_files import open_regular

DISABLE_VARIABLE = "CLAUDE_CODE_DISABLE_AUTO_MEMORY"
AGENT_FOLDERS = (("agent-memory", "project"), ("agent-memory-local", "local"))


class Neighbourhood:
    """What all projects share of this: running sessions, agents' memories of the user, the environment."""

    def __init__(self, options: Options, roots: Roots, owners: Mapping[str, set[str]]) -> None:
        self._options = options
        self._roots = roots
        self._owners = owners

    def of(self, folder: Folder, settings: Sequence[SettingsFile]) -> Surroundings:
        """What is around one project."""
        memory = os.path.join(folder.path, MEMORY)
        root = self._roots.root(folder)
        elsewhere, ignored = memory_directory(settings)
        cwds = self._roots.cwds(folder)
        return Surroundings(
            root=root,
            root_exists=root is None or os.path.isdir(root),
            elsewhere=elsewhere,
            ignored=ignored,
            link=os.path.realpath(memory) if os.path.islink(memory) else None,
            twins=tuple(sorted({cwd for cwd in cwds if encode_path(cwd) == folder.name and cwd != root}))
            if root
            else (),
            others=tuple(sorted(self._owners.get(folder.name, set()) - {folder.name})),
            agents=(*self._user_agents, *_agents_of(root)),
            running=tuple(one for one in self.running if self._belongs(one, folder, root)),
            auto_memory=_memory_switch(settings),
            auto_dream=_switch(settings, "autoDreamEnabled", default=False),
            consolidated=_mtime(os.path.join(memory, FOREIGN_LOCK_NAME)),
            locked=_is_locked(memory),
        )

    @staticmethod
    def _belongs(one: RunningSession, folder: Folder, root: str | None) -> bool:
        if encode_path(one.cwd) == folder.name:
            return True
        return root is not None and (one.cwd + os.sep).startswith(root.rstrip(os.sep) + os.sep)

    @cached_property
    def running(self) -> tuple[RunningSession, ...]:
        """Every session in the client's registry."""
        found: list[RunningSession] = []
        place = os.path.join(self._options.claude_dir, "sessions")
        try:
            with os.scandir(place) as entries:
                paths = sorted(e.path for e in entries if e.name.endswith(".json") and e.is_file())
        except OSError:
            return ()
        for path in paths:
            values = _json(path)
            pid = values.get("pid")
            if isinstance(pid, int) and not isinstance(pid, bool) and pid > 0:
                session, cwd, status = (str(values.get(key) or "") for key in ("sessionId", "cwd", "status"))
                found.append(RunningSession(pid, session, cwd, status, _lives(pid)))
        return tuple(found)

    @cached_property
    def _user_agents(self) -> tuple[AgentMemory, ...]:
        return tuple(_agents_in(os.path.join(self._options.claude_dir, "agent-memory"), "user"))


def memory_directory(settings: Iterable[SettingsFile]) -> tuple[str | None, str | None]:
    """The memory folder that ``autoMemoryDirectory`` names, and a value of it that the client ignores.

    Measured on 2.1.332: absolute, or below the home as ``~/x``; anything else is ignored and the default used.
    """
    ignored: str | None = None
    by_source = {file.source: file for file in settings if file.values is not None}
    for source in Source:
        file = by_source.get(source)
        value = file.values.get("autoMemoryDirectory") if file is not None and file.values is not None else None
        if value is None:
            continue
        text = value if isinstance(value, str) else repr(value)
        fine = isinstance(value, str) and "\0" not in value and not value.startswith(("//", "\\\\"))
        if fine and value.startswith("~/") and value.strip("~/"):
            return os.path.normpath(os.path.expanduser(value)), ignored
        if fine and value.startswith("/") and value.strip("/"):
            return os.path.normpath(value), ignored
        ignored = text
    return None, ignored


def _switch(settings: Iterable[SettingsFile], key: str, *, default: bool) -> Switch:
    by_source = {file.source: file.values for file in settings if file.values is not None}
    for source in Source:
        values = by_source.get(source)
        if values is not None and isinstance(values.get(key), bool):
            return Switch(values[key], source.value)
    return Switch(default, "default")


def _memory_switch(settings: Iterable[SettingsFile]) -> Switch:
    """The environment beats settings, both ways (measured on 2.1.332)."""
    given = os.environ.get(DISABLE_VARIABLE, "").strip().lower()
    if given in {"1", "true"}:
        return Switch(False, "environment")
    if given == "0":
        return Switch(True, "environment")
    return _switch(settings, "autoMemoryEnabled", default=True)


def _agents_of(root: str | None) -> list[AgentMemory]:
    found: list[AgentMemory] = []
    for name, scope in AGENT_FOLDERS if root is not None else ():
        found += _agents_in(os.path.join(root or "", ".claude", name), scope)
    return found


def _agents_in(place: str, scope: str) -> list[AgentMemory]:
    try:
        with os.scandir(place) as entries:
            folders = sorted(e.path for e in entries if e.is_dir(follow_symlinks=False))
    except OSError:
        return []
    found: list[AgentMemory] = []
    for folder in folders:
        sizes: list[int] = []
        for here, _, names in os.walk(folder):
            for name in names:
                if name.endswith(".md"):
                    info = _lstat(os.path.join(here, name))
                    sizes += [info.st_size] if info is not None and stat.S_ISREG(info.st_mode) else []
        found.append(AgentMemory(os.path.basename(folder), scope, folder, len(sizes), sum(sizes)))
    return found


def _lstat(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except OSError:
        return None


def _mtime(path: str) -> float | None:
    info = _lstat(path)
    return info.st_mtime if info is not None else None


def _is_locked(memory: str) -> bool:
    try:
        lock = foreign_lock(memory)
    except MemreviewError:
        return False
    return lock is not None and lock.held


def _json(path: str) -> dict[str, object]:
    try:
        if os.path.getsize(path) > 1 << 20:
            return {}
        with open_regular(path) as file:
            values = orjson.loads(file.read())
    except (OSError, ValueError):
        return {}
    return values if isinstance(values, dict) else {}


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (ProcessLookupError, OverflowError, OSError):
        return False
    return True
