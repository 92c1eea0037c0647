"""Locks of a memory folder: our own, and those of a foreign dream."""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from memreview.errors import LockedError, RefusedError

FOREIGN_LOCK_NAME = ".consolidate-lock"
"""The file by which Claude Code's own dream keeps others out; it holds the process id of the holder."""
FOREIGN_LOCK_SECONDS = 3600
"""A foreign lock whose process cannot be seen (another host, a container) counts for an hour after it was written."""
DEFAULT_WAIT = 5.0
"""Seconds to wait for a lock before giving up."""
_POLL = 0.1


@dataclass(frozen=True, slots=True)
class ForeignLock:
    """A dream's own lock file. ``held`` is False for one that its holder left behind; ``pid`` is None if unreadable."""

    path: str
    pid: int | None
    held: bool

    @property
    def holder(self) -> str:
        """Who holds it, for a message."""
        return f"process {self.pid}" if self.pid is not None else "an unnamed process"


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def foreign_lock(memory_dir: str) -> ForeignLock | None:
    """The lock that a foreign dream keeps in a memory folder, None where there is none.

    It counts as held while the process that it names lives, or for an hour after it was written.
    """
    path = os.path.join(memory_dir, FOREIGN_LOCK_NAME)
    try:
        info = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise RefusedError(f"{path}: cannot be looked at ({error.strerror})") from error
    pid = _read_pid(path) if stat.S_ISREG(info.st_mode) else None
    held = (pid is not None and _lives(pid)) or time.time() - info.st_mtime < FOREIGN_LOCK_SECONDS
    return ForeignLock(path, pid, held)


def _read_pid(path: str) -> int | None:
    """The number that a lock file begins with, None where it holds none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        words = os.read(descriptor, 64).split()
    finally:
        os.close(descriptor)
    if not words or not words[0].isdigit():
        return None
    pid = int(words[0])
    return pid if 0 < pid < 2**31 else None


def await_foreign_lock(memory_dir: str, wait: float = DEFAULT_WAIT) -> ForeignLock | None:
    """Wait until no foreign dream holds the folder; the stale lock that lies there, or None.

    Raises :class:`LockedError` when it is still held after ``wait`` seconds.
    """
    deadline = time.monotonic() + wait
    while True:
        lock = foreign_lock(memory_dir)
        if lock is None or not lock.held:
            return lock
        left = deadline - time.monotonic()
        if left <= 0:
            raise LockedError(
                f"{lock.path}: a dream ({lock.holder}) is working in this folder; wait for it to end, "
                "or remove this file if none runs"
            )
        time.sleep(min(_POLL, left))


@contextmanager
def memory_lock(memory_dir: str, state_dir: str, wait: float = DEFAULT_WAIT) -> Iterator[None]:
    """Hold the one lock of a memory folder, whatever name or link it was reached by.

    The lock file lies in ``state_dir``, because nothing but notes is written into a memory folder. Raises
    :class:`LockedError`, naming the holder, when another process still holds it after ``wait`` seconds.
    """
    from filelock import FileLock, Timeout

    real = os.path.realpath(memory_dir)
    name = hashlib.sha256(os.fsencode(real)).hexdigest()[:24]
    folder = os.path.join(state_dir, "locks")
    path = os.path.join(folder, f"{name}.lock")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        lock = FileLock(path, timeout=max(wait, 0), mode=0o600)
        lock.acquire(poll_interval=_POLL)
    except Timeout:
        pid = _read_pid(path)
        holder = f"process {pid}" if pid is not None else "another process"
        raise LockedError(f"{memory_dir}: {holder} is applying a review here; try again when it has ended") from None
    except OSError as error:
        raise RefusedError(f"{path}: the lock cannot be taken ({error.strerror or error})") from error
    try:
        _write_holder(path, f"{os.getpid()}\n")
        yield
    finally:
        _write_holder(path, "")
        lock.release()


def _write_holder(path: str, text: str) -> None:
    """Say in the lock file who holds it; the lock itself does not depend on it."""
    with suppress(OSError), open(path, "r+b", buffering=0) as file:
        file.truncate(0)
        file.write(text.encode("ascii"))
