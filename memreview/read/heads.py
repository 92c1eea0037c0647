"""What the first records of a session tell about where it ran."""

from __future__ import annotations

import contextlib
import gzip
import os
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any, cast

import orjson

from memreview.read.small_files import open_regular

MAX_LINES = 64
MAX_BYTES = 1 << 20

_MEMORY_PATH = re.compile(r"[\\/]projects[\\/]([^\\/]+)[\\/]memory[\\/]")


@dataclass(frozen=True, slots=True)
class SessionHead:
    """Where a session started.

    ``memory`` is the project folder whose index the client loaded into the session; ``in_git`` and ``in_worktree``
    (a linked one) are what the client said about its directory. Each is None where the first records do not tell.
    """

    cwd: str | None = None
    memory: str | None = None
    in_git: bool | None = None
    in_worktree: bool | None = None


def read_head(path: str) -> SessionHead:
    """Read the first records of the transcript at ``path``; an unreadable one tells nothing."""
    cwd: str | None = None
    in_git: bool | None = None
    in_worktree: bool | None = None
    try:
        for record in _records(path):
            if cwd is None and isinstance(record.get("cwd"), str):
                cwd = record["cwd"]
            branch = record.get("gitBranch")
            # Outside of git the client writes "HEAD", which is also what a detached head looks like.
            if in_git is None and isinstance(branch, str) and branch not in ("", "HEAD"):
                in_git = True
            attachment = record.get("attachment")
            if not isinstance(attachment, dict):
                continue
            snapshot = attachment.get("snapshot")
            if isinstance(snapshot, dict):
                in_git = _flag(snapshot, "isGitRepo", in_git)
                in_worktree = _flag(snapshot, "isWorktree", in_worktree)
            memory = _memory_owner(attachment)
            if memory is not None:
                return SessionHead(cwd, memory, in_git, in_worktree)
    except (OSError, EOFError, zlib.error):
        pass
    return SessionHead(cwd, None, in_git, in_worktree)


def _flag(snapshot: dict[str, Any], key: str, known: bool | None) -> bool | None:
    value = snapshot.get(key)
    return value if isinstance(value, bool) else known


def _records(path: str) -> Iterator[dict[str, Any]]:
    with _open(path) as handle:
        left = MAX_BYTES
        for _ in range(MAX_LINES):
            line = handle.readline(left)
            left -= len(line)
            if not line or left <= 0:
                return
            if b'"cwd"' not in line and b'"attachment"' not in line:
                continue
            try:
                record = orjson.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict):
                yield record


def _open(path: str) -> IO[bytes]:
    file = open_regular(path)
    if not path.endswith(".gz"):
        return file
    file.close()
    return cast(IO[bytes], gzip.open(path, "rb"))


def _memory_owner(attachment: dict[str, Any]) -> str | None:
    files = attachment.get("files")
    if attachment.get("type") != "instructions" or not isinstance(files, list):
        return None
    for file in files:
        if isinstance(file, dict) and file.get("type") == "AutoMem" and isinstance(file.get("path"), str):
            match = _MEMORY_PATH.search(file["path"])
            if match:
                return match.group(1)
    return None


def newest_transcripts(folder: str, limit: int) -> tuple[str, ...]:
    """Paths of up to ``limit`` transcripts directly in ``folder``, the latest written first."""
    found: list[tuple[int, str]] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith((".jsonl", ".jsonl.gz")):
                    with contextlib.suppress(OSError):
                        if entry.is_file():
                            found.append((entry.stat().st_mtime_ns, entry.path))
    except OSError:
        return ()
    return tuple(path for _, path in sorted(found, reverse=True)[:limit])
