"""The output folder of a dream: which of its parts are there, how old they are, and what its log says."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from datetime import datetime

from memreview.errors import DreamError, TargetError
from memreview.model.dream import Run
from memreview.read.small_files import read_regular
from memreview.text import decode

DIFF_NAME = "memory.diff"
MEMORY_NAME = "memory"
CHANGES_NAME = "CHANGES.md"
LOG_NAME = "run.log"

LOG_LIMIT = 200_000
"""Bytes of run.log, counted from its end, that are kept for showing."""
CHANGES_LIMIT = 8_000_000
DIFF_LIMIT = 512_000_000
CLOCK_SLACK = 1.0
"""Seconds by which files of one run may seem out of order (a copied folder, coarse file times)."""

_INTERRUPTED = "Execution error"
"""Last line of a run that was interrupted: its exit status is 0 nonetheless (measured on 2.1.332)."""


@dataclass(frozen=True, slots=True)
class OutputFolder:
    """What lies in an output folder. Times are seconds since 1970; None means: not there.

    ``memory`` and ``nested`` are the paths of ``memory/`` and ``memory/memory/`` where these are folders.
    """

    path: str
    diff_time: float | None
    memory: str | None
    nested: str | None
    changes_time: float | None
    log_time: float | None

    @property
    def diff_path(self) -> str:
        """Where memory.diff lies, or would."""
        return os.path.join(self.path, DIFF_NAME)

    @property
    def changes_path(self) -> str:
        """Where CHANGES.md lies, or would."""
        return os.path.join(self.path, CHANGES_NAME)

    @property
    def log_path(self) -> str:
        """Where run.log lies, or would."""
        return os.path.join(self.path, LOG_NAME)

    @property
    def has_proposal(self) -> bool:
        """True where at least one of memory.diff and memory/ is there."""
        return self.diff_time is not None or self.memory is not None

    @property
    def date(self) -> float | None:
        """When the shown run ended: the time of memory.diff, else of the newest other part."""
        if self.diff_time is not None:
            return self.diff_time
        if self.memory is not None:
            return os.stat(self.memory).st_mtime
        return self.log_time

    @property
    def changes_are_older(self) -> bool:
        """True where CHANGES.md was left by an earlier run: the script copies it after it made memory.diff."""
        return self._before(self.changes_time, self.diff_time)

    @property
    def log_is_newer(self) -> bool:
        """True where a later run left only its log: the script makes memory.diff after the log is complete."""
        return self._before(self.diff_time, self.log_time)

    @staticmethod
    def _before(first: float | None, second: float | None) -> bool:
        return first is not None and second is not None and first < second - CLOCK_SLACK


def look_into(path: str) -> OutputFolder:
    """What lies in the output folder at ``path``; nothing is read yet.

    Raises :class:`TargetError` where no such folder can be looked into, :class:`DreamError` where a part is a link.
    """
    try:
        if not stat.S_ISDIR(os.stat(path).st_mode):
            raise TargetError(f"{path}: this is a file; name the folder that holds {DIFF_NAME} or {MEMORY_NAME}/")
    except FileNotFoundError as error:
        raise TargetError(f"{path}: no such folder") from error
    except OSError as error:
        raise TargetError(f"{path}: cannot be read ({error.strerror})") from error
    parts = {name: _lstat(os.path.join(path, name)) for name in (DIFF_NAME, MEMORY_NAME, CHANGES_NAME, LOG_NAME)}
    for name, info in parts.items():
        if info is not None and stat.S_ISLNK(info.st_mode):
            raise DreamError(
                f"{os.path.join(path, name)}: this is a link; a dream's output holds files and folders only"
            )
    memory = _folder(os.path.join(path, MEMORY_NAME))
    return OutputFolder(
        path=path,
        diff_time=_file_time(parts[DIFF_NAME]),
        memory=memory,
        nested=_folder(os.path.join(memory, MEMORY_NAME)) if memory else None,
        changes_time=_file_time(parts[CHANGES_NAME]),
        log_time=_file_time(parts[LOG_NAME]),
    )


def read_part(path: str, limit: int) -> bytes:
    """A whole part of the output. Raises :class:`DreamError` where it cannot be read or is longer than ``limit``."""
    try:
        data = read_regular(path, limit + 1)
    except OSError as error:
        raise DreamError(f"{path}: cannot be read ({error.strerror})") from error
    if data is None:
        raise DreamError(f"{path}: is not there any more")
    if len(data) > limit:
        raise DreamError(f"{path}: is longer than {limit} bytes; this is no dream's output")
    return data


def read_run(folder: OutputFolder, *, label: str | None = None, barred: str | None = None) -> Run:
    """The log of the run, its last part only, and whether the run got to its end."""
    if folder.log_time is None:
        return Run(label=label, complete=barred is None, barred=barred)
    text = log_tail(folder.log_path)
    complete = folder.has_proposal and not folder.log_is_newer and last_line(text) != _INTERRUPTED and barred is None
    return Run(log=folder.log_path, log_text=text, complete=complete, label=label, barred=barred)


def log_tail(path: str) -> str:
    """The end of a log, beginning at a line where it had to be cut; empty where it cannot be read."""
    try:
        data = read_regular(path, LOG_LIMIT + 1, tail=True) or b""
    except OSError:
        return ""
    if len(data) > LOG_LIMIT:
        data = data[1:].partition(b"\n")[2] or data[1:]
    return decode(data)


def last_line(text: str) -> str:
    """The last line that holds more than blanks."""
    return next((line.strip() for line in reversed(text.split("\n")) if line.strip()), "")


def shown_time(seconds: float) -> str:
    """A file's time for a person: date and minute, in local time."""
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")


def _lstat(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise TargetError(f"{path}: cannot be looked at ({error.strerror})") from error


def _file_time(info: os.stat_result | None) -> float | None:
    return info.st_mtime if info is not None and stat.S_ISREG(info.st_mode) else None


def _folder(path: str) -> str | None:
    info = _lstat(path)
    return path if info is not None and stat.S_ISDIR(info.st_mode) else None
