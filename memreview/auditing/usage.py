"""Collects what all sessions did with all notes, by project."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence

from memreview.checks.usage import NoteUse, Touch, uses_of
from memreview.config import Options
from memreview.read.sessions import Folders
from memreview.read.traces import WRITES, Progress, Trace, TraceCache, transcripts_of

_NOTE = re.compile(r"[\\/]projects[\\/]([^\\/]+)[\\/]memory[\\/](.+)\Z", re.DOTALL)


class Usage:
    """All traces of one folder of projects; they are read (or taken from the cache) when it is made."""

    def __init__(
        self, folders: Folders, options: Options, custom: Sequence[str] = (), progress: Progress | None = None
    ) -> None:
        wanted: list[tuple[str, str]] = []
        for folder in folders.by_name.values():
            wanted += ((file.session, file.path) for file in folder.sessions)
            names = _folders_in(folder.path) if folder.sessions else set()
            own = [file.session for file in folder.sessions if file.session in names]
            wanted += transcripts_of(folder.path, own)
        self.traces: list[Trace] = TraceCache(options.cache_dir).traces(wanted, progress)
        self._touches: dict[str, list[Touch]] = {}
        for trace in self.traces:
            for call in trace.calls:
                place = _place(call.path, custom)
                if place is not None:
                    touch = Touch(trace.session, trace.path, call.line, call.when, place[1], call.tool in WRITES)
                    self._touches.setdefault(place[0], []).append(touch)

    def of(self, project: str) -> Mapping[str, NoteUse]:
        """What was done with the notes of a project (or of a memory folder elsewhere, by its path)."""
        return uses_of(self._touches.get(project, ()))

    @property
    def owners(self) -> dict[str, set[str]]:
        """Project folders by the name of the project whose memory their sessions loaded."""
        found: dict[str, set[str]] = {}
        for trace in self.traces:
            if trace.head.memory is not None:
                found.setdefault(trace.head.memory, set()).add(os.path.basename(os.path.dirname(trace.path)))
        return found


def _folders_in(path: str) -> set[str]:
    try:
        with os.scandir(path) as entries:
            return {entry.name for entry in entries if entry.is_dir(follow_symlinks=False)}
    except OSError:
        return set()


def _place(path: str, custom: Sequence[str]) -> tuple[str, str] | None:
    """Whose note is at ``path``: the project (or the custom folder) and the note's path in its memory."""
    for folder in custom:
        if path.startswith(folder.rstrip("/") + "/"):
            return folder, path[len(folder.rstrip("/")) + 1 :]
    match = _NOTE.search(path)
    return (match.group(1), match.group(2).replace("\\", "/")) if match else None
