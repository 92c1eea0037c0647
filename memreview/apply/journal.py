"""The journal of an apply: what it is about to do, written down before the first note changes.

It lies in ``<folder above memory>/.memreview/apply-…/``: the same file system as the notes, so that files move there
and back by renaming, and not in the memory folder, where only notes are written. While the folder is there, an apply is
under way or was cut off; the file ``journal`` in it says that notes may have changed.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any

from memreview.apply.names import Place
from memreview.errors import LockedError, MemreviewError, RefusedError
from memreview.text import visible

AREA_NAME = ".memreview"
_PREFIX = "apply-"
_DONE = "done-"
_KEPT = "kept-"
_JOURNAL = "journal"
_OLD = "old"
_ALIVE = "alive"
_IGNORE = ".gitignore"
_SCHEMA = 1
_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class TargetFile:
    """One file: ``old``/``new`` are the hashes of its text before and after, None where there is no file.

    ``mode`` and ``mtime_ns`` are those of the old file. Its bytes are ``length`` bytes at ``offset`` of the file
    ``old``. ``slot`` is the name under which the new file waits in the area, and later the old one is kept.
    """

    path: str
    slot: str
    old: str | None
    new: str | None
    mode: int = 0o644
    mtime_ns: int = 0
    offset: int = 0
    length: int = 0


@dataclass(frozen=True, slots=True)
class GitStep:
    """One commit that the apply makes: the tree that it must have, by which it is recognised afterwards."""

    tree: str
    review: bool = False


@dataclass(frozen=True, slots=True)
class GitJournal:
    """Where the repository stood, and what is to become of it.

    ``before``/``after`` are entries ``(mode, oid)`` of the user's index, by path from the repository's top.
    """

    head: str | None
    branch: str | None
    steps: tuple[GitStep, ...]
    before: Mapping[str, tuple[str, str] | None] = field(default_factory=dict)
    after: Mapping[str, tuple[str, str] | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Journal:
    """All that is needed to finish an apply or to undo it.

    ``memory`` is the name of the memory folder beside the area. ``made_folders`` did not exist before, outermost
    first; ``folder_modes`` are permission bits of folders that may have been removed because nothing was left in them.
    """

    id: str
    memory: str
    started: str
    targets: tuple[TargetFile, ...]
    made_folders: tuple[str, ...] = ()
    folder_modes: Mapping[str, int] = field(default_factory=dict)
    git: GitJournal | None = None


def dump(journal: Journal) -> bytes:
    """The journal as JSON. Undecodable names survive: every character outside ASCII is escaped."""
    return json.dumps({"schema": _SCHEMA, **asdict(journal)}).encode("ascii")


def parse(data: bytes) -> Journal:
    """The journal that :func:`dump` wrote. Raises :class:`ValueError` where it is something else."""
    try:
        raw: dict[str, Any] = json.loads(data)
        if raw.pop("schema") != _SCHEMA:
            raise ValueError("of another version")
        raw["targets"] = tuple(TargetFile(**target) for target in raw["targets"])
        raw["made_folders"] = tuple(raw["made_folders"])
        if raw["git"] is not None:
            git = raw["git"]
            git["steps"] = tuple(GitStep(**step) for step in git["steps"])
            for side in ("before", "after"):
                git[side] = {path: (entry[0], entry[1]) if entry else None for path, entry in git[side].items()}
            raw["git"] = GitJournal(**git)
        return Journal(**raw)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ValueError("not understood") from error


class Area:
    """The folder of one apply, locked for as long as this process, or a git that it started, is alive."""

    def __init__(self, home: str, name: str) -> None:
        self.home = home
        self.name = name
        self.path = os.path.join(home, name)
        self.folder = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            self.alive = os.open(
                _ALIVE, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=self.folder
            )
        except BaseException:
            os.close(self.folder)
            raise
        try:
            fcntl.flock(self.alive, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self._close()
            raise LockedError(
                f"{visible(self.path)}: an apply, or a git that it started, is still at work here; try again later"
            ) from error

    # ---- files in it

    def place(self, name: str) -> Place:
        """A name in it."""
        return Place(self.folder, name)

    def write(self, name: str, data: bytes, mode: int | None = None, owner: tuple[int, int] | None = None) -> None:
        """Write a new file; :meth:`sync` makes it last.

        ``mode`` are exact permission bits (else ``0644`` as the umask has it), ``owner`` user and group, as far as
        the system lets us give files away.
        """
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(name, flags, 0o644, dir_fd=self.folder)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
            made = os.fstat(descriptor)
            if owner is not None and owner != (made.st_uid, made.st_gid):
                with suppress(PermissionError):
                    os.fchown(descriptor, *owner)
            if mode is not None:
                os.fchmod(descriptor, mode)
        finally:
            os.close(descriptor)

    def sync(self, names: Iterable[str]) -> None:
        """Make files last through a power failure. All at once, as the first one takes most of the others along."""
        for name in names:
            descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=self.folder)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def write_old(self, data: bytes) -> None:
        """Keep the bytes of all old files."""
        self.write(_OLD, data, 0o600)
        self.sync([_OLD])

    def read_old(self, target: TargetFile) -> bytes:
        """The bytes of one old file. Raises :class:`OSError` where they cannot be read."""
        descriptor = os.open(_OLD, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=self.folder)
        with os.fdopen(descriptor, "rb") as file:
            file.seek(target.offset)
            return file.read(target.length)

    def write_journal(self, journal: Journal) -> None:
        """From here on the apply is finished or undone, whatever happens."""
        self.write(_JOURNAL + ".new", dump(journal), 0o600)
        self.sync([_JOURNAL + ".new"])
        os.rename(_JOURNAL + ".new", _JOURNAL, src_dir_fd=self.folder, dst_dir_fd=self.folder)
        os.fsync(self.folder)

    def read_journal(self) -> Journal | None:
        """The journal; None where the apply was cut off before it changed anything.

        Raises :class:`MemreviewError` for one that cannot be read.
        """
        path = os.path.join(self.path, _JOURNAL)
        try:
            with open(path, "rb") as file:
                return parse(file.read())
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise MemreviewError(
                f"{visible(path)}: cannot be read ({error}), so an apply that was cut off cannot be undone; "
                "old texts are in the file old beside it; remove the folder when they are no longer needed"
            ) from error

    # ---- its end

    def keep_old(self, targets: Sequence[TargetFile]) -> str:
        """Leave the old bytes of some files beside the area, under their own names; the folder that holds them."""
        kept = os.path.join(self.home, _KEPT + self.name.removeprefix(_PREFIX))
        for target in targets:
            path = os.path.join(kept, target.path)
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            with open(path, "wb") as file:
                file.write(self.read_old(target))
                file.flush()
                os.fsync(file.fileno())
        return kept

    def settle(self) -> None:
        """From here on nothing is left to be finished or undone; one renaming says so.

        Should it be lost in a power failure, the next start finds that nothing is left to be done.
        """
        settled = os.path.join(self.home, _DONE + self.name.removeprefix(_PREFIX))
        os.rename(self.path, settled)
        self.path = settled

    def close(self) -> None:
        """Let go of the area and leave it as it is."""
        fcntl.flock(self.alive, fcntl.LOCK_UN)
        self._close()

    def discard(self) -> None:
        """Settle and remove an area whose journal was never acted upon."""
        try:
            self.settle()
        finally:
            self.remove_if_settled()

    def remove_if_settled(self) -> None:
        """Remove the area, and the folder around it when nothing else is in there.

        Where something is still to be undone it is left for the next one that starts.
        """
        if os.path.basename(self.path).startswith(_DONE):
            shutil.rmtree(self.path, ignore_errors=True)
            self.close()
            _leave(self.home)
        else:
            self.close()

    def _close(self) -> None:
        os.close(self.alive)
        os.close(self.folder)


def new_area(memory: str, beside: Area | None = None) -> Area:
    """Make the area of an apply to the memory folder at the real path ``memory``; ``beside`` is one of ours already.

    Raises :class:`LockedError` where another apply, though of another state folder, is at work,
    :class:`RefusedError` where something is in the way, :class:`OSError` where the system refuses.
    """
    home = _home(memory)
    name = f"{_prefix(memory)}{time.strftime('%Y%m%dT%H%M%S')}-{os.urandom(4).hex()}"
    try:
        for attempt in range(_ATTEMPTS):
            with suppress(FileExistsError):
                os.mkdir(home, 0o700)
            if os.path.islink(home) or not os.path.isdir(home):
                raise RefusedError(f"{visible(home)}: this is in the way; a folder of this name is needed for a moment")
            try:
                _keep_from_git(home)
                os.mkdir(os.path.join(home, name), 0o700)
                break
            except FileNotFoundError:
                # An apply to a folder beside this one may just have removed it.
                if attempt == _ATTEMPTS - 1:
                    raise
        area = Area(home, name)
        try:
            _refuse_others(area, memory, beside)
        except BaseException:
            area.close()
            raise
        return area
    except BaseException:
        shutil.rmtree(os.path.join(home, name), ignore_errors=True)
        _leave(home)
        raise


def _refuse_others(area: Area, memory: str, beside: Area | None) -> None:
    """Of two that made their areas at the same moment, each sees the other's: none of them goes on then."""
    ours = {area.name, beside.name if beside is not None else None}
    for name in os.listdir(area.home):
        if name not in ours and name.startswith(_prefix(memory)):
            with suppress(FileNotFoundError):
                Area(area.home, name).close()
                raise LockedError(f"{visible(area.home)}: an apply was cut off here at this moment; start again")


def open_areas(memory: str) -> list[Area]:
    """The areas that applies to the folder at the real path ``memory`` left behind; settled ones are removed.

    Raises :class:`LockedError` where one is still at work.
    """
    home = _home(memory)
    if os.path.islink(home):
        return []
    try:
        present = sorted(os.listdir(home))
    except (FileNotFoundError, NotADirectoryError):
        return []
    for name in present:
        if name.startswith(_prefix(memory, _DONE)):
            shutil.rmtree(os.path.join(home, name), ignore_errors=True)
    _leave(home)
    names = [name for name in present if name.startswith(_prefix(memory))]
    areas: list[Area] = []
    try:
        for name in names:
            with suppress(FileNotFoundError, NotADirectoryError):
                areas.append(Area(home, name))
    except BaseException:
        for area in areas:
            area.close()
        raise
    return areas


def has_areas(memory_dir: str) -> bool:
    """True where an apply to this folder is at work or was cut off; costs one look at the folder above."""
    memory = os.path.realpath(memory_dir)
    try:
        names = os.listdir(_home(memory))
    except OSError:
        return False
    return names in ([], [_IGNORE]) or any(name.startswith((_prefix(memory), _prefix(memory, _DONE))) for name in names)


def refuse_half_written(memory_dir: str) -> None:
    """Raise :class:`RefusedError` where an apply to this folder is at work or was cut off: what lies there may be half
    of something."""
    if has_areas(memory_dir):
        raise RefusedError(
            f"{memory_dir}: an apply is at work here or was cut off; memreview review finishes or undoes it"
        )


def _home(memory: str) -> str:
    return os.path.join(os.path.dirname(memory), AREA_NAME)


def _prefix(memory: str, kind: str = _PREFIX) -> str:
    """What the areas of one memory folder begin with: several folders may lie side by side."""
    name = hashlib.sha256(os.fsencode(os.path.basename(memory))).hexdigest()[:8]
    return f"{kind}{name}-"


def _keep_from_git(home: str) -> None:
    """A repository around the folder shall not see it, whatever its hooks add."""
    try:
        descriptor = os.open(os.path.join(home, _IGNORE), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        return
    with os.fdopen(descriptor, "wb") as file:
        file.write(b"*\n")


def _leave(home: str) -> None:
    """Remove the folder of the areas if none is left in it."""
    with suppress(OSError):
        if os.listdir(home) == [_IGNORE]:
            os.unlink(os.path.join(home, _IGNORE))
        os.rmdir(home)
