"""All project folders with the sessions in them: one look at the disk, no file opened."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from memreview.errors import TargetError

MEMORY = "memory"
SUFFIX = ".jsonl"
PACKED = ".jsonl.gz"


@dataclass(frozen=True, slots=True)
class SessionFile:
    """A transcript directly in a project folder."""

    session: str
    path: str
    size: int
    mtime_ns: int

    @property
    def name(self) -> str:
        """Its file name."""
        return os.path.basename(self.path)


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder under ``projects/``: ``sessions`` the oldest first. ``problem`` says why it cannot be listed."""

    name: str
    path: str
    has_memory: bool = False
    sessions: tuple[SessionFile, ...] = ()
    packed: tuple[str, ...] = ()
    problem: str | None = None

    @property
    def size(self) -> int:
        """Bytes of all transcripts in it."""
        return sum(session.size for session in self.sessions)


@dataclass(frozen=True, slots=True)
class Folders:
    """All of them, by name."""

    path: str
    by_name: Mapping[str, Folder] = field(default_factory=dict)

    def by_session(self) -> dict[str, tuple[SessionFile, ...]]:
        """Transcripts by session, wherever they lie. Also packed ones, with nothing in the tuple."""
        found: dict[str, tuple[SessionFile, ...]] = {}
        for folder in self.by_name.values():
            for session in folder.packed:
                found.setdefault(session, ())
            for file in folder.sessions:
                found[file.session] = (*found.get(file.session, ()), file)
        return found


def list_folders(projects_dir: str, *, missing_ok: bool = True) -> Folders:
    """Every folder in ``projects_dir``. :class:`TargetError` where that cannot be read, or is missing and must not."""
    try:
        with os.scandir(projects_dir) as entries:
            paths = sorted(e.path for e in entries if not e.name.startswith(".") and e.is_dir())
    except FileNotFoundError as error:
        if missing_ok:
            return Folders(projects_dir)
        raise TargetError(f"{projects_dir}: no such folder; name the folder that holds the projects") from error
    except OSError as error:
        raise TargetError(
            f"{projects_dir} cannot be read ({error.strerror}); name another place with --claude-dir"
        ) from error
    return Folders(projects_dir, {os.path.basename(path): list_folder(path) for path in paths})


def list_folder(path: str) -> Folder:
    """One project folder."""
    name = os.path.basename(path)
    sessions: list[SessionFile] = []
    packed: list[str] = []
    has_memory = False
    try:
        for entry in _entries(path):
            if entry.name == MEMORY:
                has_memory = entry.is_dir()
            elif entry.name.endswith(PACKED):
                packed.append(entry.name.removesuffix(PACKED))
            elif entry.name.endswith(SUFFIX):
                file = _session(entry)
                if file is not None:
                    sessions.append(file)
    except OSError as error:
        return Folder(name, path, problem=f"{path}: cannot be read ({error.strerror})")
    sessions.sort(key=lambda file: (file.mtime_ns, file.path))
    return Folder(name, path, has_memory, tuple(sessions), tuple(packed))


def _entries(path: str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(path) as entries:
        yield from entries


def _session(entry: os.DirEntry[str]) -> SessionFile | None:
    try:
        if not entry.is_file():
            return None
        state = entry.stat()
    except OSError:
        return None
    return SessionFile(entry.name.removesuffix(SUFFIX), entry.path, state.st_size, state.st_mtime_ns)
