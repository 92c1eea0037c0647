"""The folder in which a pass works: private, known by its locks, and deleted on every way out.

A scratch folder holds two lock files. ``owner.lock`` is held by memreview and by nothing that it starts, so that it is
free as soon as memreview is dead, however it died. ``client.lock`` is inherited by the client, so that it tells whether
a client outlived its memreview. Whoever starts next removes what has no owner, and ends such a client first.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from memreview.errors import RefusedError

PREFIX = "memreview-dream-"
TEMPORARY = "tmp"
"""The client's folder for temporary files: it leaves some (measured on 2.1.332)."""
WORK = "work"
"""The client's working folder, the only part that it can reach."""
OWNER_LOCK = "owner.lock"
CLIENT_LOCK = "client.lock"
CLIENT_PID = "client.pid"
PLACES = "scratch-places"
"""File of the state folder that names the temporary folders in which scratch folders were made."""
GRACE = 5.0
"""Seconds that a client has between SIGTERM and SIGKILL."""
_UNOWNED = 60.0
"""Age in seconds from which a scratch folder without any lock file was left by somebody who died while making it."""
_POLL = 0.05


@dataclass(frozen=True, slots=True)
class Scratch:
    """An own scratch folder. ``client_lock`` is the descriptor that the client inherits."""

    path: str
    client_lock: int

    @property
    def work(self) -> str:
        """The client's working folder."""
        return os.path.join(self.path, WORK)

    @property
    def temporary(self) -> str:
        """The client's folder for temporary files."""
        return os.path.join(self.path, TEMPORARY)

    def started(self, pid: int) -> None:
        """Note which process group the client is."""
        with open(os.path.join(self.path, CLIENT_PID), "w", encoding="ascii") as stream:
            stream.write(f"{pid}\n")


@contextmanager
def open_scratch(state_dir: str) -> Iterator[Scratch]:
    """A new scratch folder, gone at the end whatever happens.

    Raises :class:`RefusedError` where it cannot be made. What others left behind is removed by :func:`sweep`.
    """
    parent = os.path.realpath(tempfile.gettempdir())
    descriptors: list[int] = []
    path: str | None = None
    try:
        _remember(state_dir, parent)
        path = tempfile.mkdtemp(prefix=PREFIX, dir=parent)
        descriptors += (_locked(os.path.join(path, OWNER_LOCK)), _locked(os.path.join(path, CLIENT_LOCK)))
        for name in (WORK, TEMPORARY):
            os.mkdir(os.path.join(path, name), 0o700)
    except OSError as error:
        _give_back(path, descriptors)
        where = error.filename or parent
        raise RefusedError(f"{where}: no scratch folder can be made ({error.strerror}); free some space") from error
    except BaseException:
        _give_back(path, descriptors)
        raise
    try:
        yield Scratch(path, descriptors[1])
    finally:
        _give_back(path, descriptors)


def _give_back(path: str | None, descriptors: list[int]) -> None:
    # The folder goes before its locks: nobody else may take it for a dead one's while it is being removed.
    if path is not None:
        remove_tree(path)
    for descriptor in descriptors:
        os.close(descriptor)


def _locked(path: str) -> int:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return descriptor


def _remember(state_dir: str, parent: str) -> None:
    """Note where scratch folders are made, for a start with another temporary folder."""
    os.makedirs(state_dir, mode=0o700, exist_ok=True)
    if parent not in _places(state_dir):
        with open(os.path.join(state_dir, PLACES), "ab") as stream:
            stream.write(os.fsencode(parent) + b"\n")


def _places(state_dir: str) -> list[str]:
    try:
        with open(os.path.join(state_dir, PLACES), "rb") as stream:
            named = [os.fsdecode(line) for line in stream.read(1 << 16).split(b"\n") if line]
    except OSError:
        named = []
    return named


def remove_tree(path: str) -> None:
    """Delete a folder with all that is in it, also what was made unreadable; links in it are not followed."""
    shutil.rmtree(path, ignore_errors=True)
    if os.path.lexists(path):
        for folder, inner, _files in os.walk(path):
            # A folder is listed after its parent was gone through, so it can be read by then.
            for place in (os.path.join(folder, name) for name in inner):
                with suppress(OSError):
                    if not os.path.islink(place):
                        os.chmod(place, 0o700)
        shutil.rmtree(path, ignore_errors=True)


def sweep(state_dir: str, grace: float = GRACE) -> tuple[str, ...]:
    """Remove the scratch folders of passes that were killed, after ending clients that outlived them.

    The paths of what was removed are returned. Folders of a living memreview, of other users and whatever only looks
    like a scratch folder are left alone.
    """
    removed: list[str] = []
    for parent in dict.fromkeys((os.path.realpath(tempfile.gettempdir()), *_places(state_dir))):
        try:
            names = sorted(name for name in os.listdir(parent) if name.startswith(PREFIX))
        except OSError:
            continue
        for name in names:
            path = os.path.join(parent, name)
            if _is_own_folder(path) and _remove_dead(path, grace):
                removed.append(path)
    return tuple(removed)


def _is_own_folder(path: str) -> bool:
    try:
        info = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISDIR(info.st_mode) and info.st_uid == os.geteuid()


def _remove_dead(path: str, grace: float) -> bool:
    try:
        owner = os.open(os.path.join(path, OWNER_LOCK), os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        with suppress(OSError):
            if time.time() - os.lstat(path).st_mtime > _UNOWNED:
                remove_tree(path)
                return not os.path.lexists(path)
        return False
    except OSError:
        return False
    try:
        if not _free(owner):
            return False
        _end_client(path, grace)
        remove_tree(path)
    finally:
        os.close(owner)
    return not os.path.lexists(path)


def _free(descriptor: int) -> bool:
    """Take the lock where nobody holds it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _end_client(path: str, grace: float) -> None:
    """End a client that still holds its lock; nothing is signalled where nobody holds it."""
    try:
        descriptor = os.open(os.path.join(path, CLIENT_LOCK), os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return
    try:
        with suppress(OSError, ValueError), open(os.path.join(path, CLIENT_PID), encoding="ascii") as stream:
            group = int(stream.read(32))
            for number in (signal.SIGTERM, signal.SIGKILL):
                if _wait_free(descriptor, 0.0) or group <= 1:
                    return
                os.killpg(group, number)
                if _wait_free(descriptor, grace):
                    return
    finally:
        os.close(descriptor)


def _wait_free(descriptor: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not _free(descriptor):
        if time.monotonic() >= deadline:
            return False
        time.sleep(_POLL)
    return True
