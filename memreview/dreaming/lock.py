"""The lock of a project: of two passes over one memory, one runs.

The lock is the kernel's, so it is free as soon as its holder is dead, however it died and whoever got its number since.
What the file says is only told to people.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from memreview.dreaming.sieve import iso
from memreview.errors import LockedError, RefusedError


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that runs a pass, and since when (ISO 8601); None where the file does not say it."""

    pid: int | None = None
    since: str | None = None

    def __str__(self) -> str:
        who = f"process {self.pid}" if self.pid is not None else "another process"
        return f"{who} since {self.since}" if self.since is not None else who


def _path(memory_dir: str, state_dir: str) -> str:
    name = hashlib.sha256(os.fsencode(os.path.realpath(memory_dir))).hexdigest()[:24]
    return os.path.join(state_dir, "locks", f"dream-{name}.lock")


@contextmanager
def dream_lock(memory_dir: str, state_dir: str) -> Iterator[None]:
    """Hold the lock of a memory's passes.

    Raises :class:`LockedError` where another living process holds it, :class:`RefusedError` where it cannot be taken.
    """
    path = _path(memory_dir, state_dir)
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise RefusedError(f"{path}: the lock cannot be taken ({error.strerror})") from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _holder(descriptor)
            raise LockedError(f"{memory_dir}: a dream is running ({holder}); wait until it has ended") from None
        os.truncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()} {iso(time.time())}\n".encode("ascii"), 0)
        yield
        os.truncate(descriptor, 0)
    finally:
        os.close(descriptor)


def running_dream(memory_dir: str, state_dir: str) -> Holder | None:
    """Who runs a pass over this memory now, None where nobody does."""
    try:
        descriptor = os.open(_path(memory_dir, state_dir), os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return _holder(descriptor)
    finally:
        os.close(descriptor)
    return None


def _holder(descriptor: int) -> Holder:
    words = os.pread(descriptor, 100, 0).decode("ascii", "replace").split()
    if len(words) != 2 or not words[0].isdigit():
        return Holder()
    return Holder(int(words[0]), words[1])
