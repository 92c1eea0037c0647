"""The client's list of typed prompts, ``history.jsonl``: which sessions there were, also those that are gone."""

from __future__ import annotations

import os
from dataclasses import dataclass

import orjson

from memreview.config import Options
from memreview.read.relations import encode_path
from memreview.read.small_files import open_regular

MAX_BYTES = 512 << 20
"""Of a larger file only the end is read."""


@dataclass(frozen=True, slots=True)
class PastSession:
    """A session on record: the folder of its transcript, and when its last prompt was typed (seconds since 1970)."""

    session: str
    folder: str
    last: float


def past_sessions(options: Options) -> tuple[PastSession, ...]:
    """Every session that the history tells of; an unreadable history tells of none."""
    path = os.path.join(options.claude_dir, "history.jsonl")
    found: dict[str, PastSession] = {}
    names: dict[str, str] = {}
    try:
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > MAX_BYTES:
                file.seek(size - MAX_BYTES)
                file.readline(MAX_BYTES)
            for line in file:
                one = _parse(line, names)
                known = found.get(one.session) if one is not None else None
                if one is not None and (known is None or known.last < one.last):
                    found[one.session] = one
    except OSError:
        pass
    return tuple(found.values())


def _parse(line: bytes, names: dict[str, str]) -> PastSession | None:
    try:
        entry = orjson.loads(line)
    except ValueError:
        return None
    if not isinstance(entry, dict):
        return None
    session, project, when = entry.get("sessionId"), entry.get("project"), entry.get("timestamp")
    if not isinstance(session, str) or not isinstance(project, str) or isinstance(when, bool):
        return None
    if not session or not isinstance(when, int | float):
        return None
    if project not in names:
        names[project] = encode_path(project)
    return PastSession(session, names[project], when / 1000)
