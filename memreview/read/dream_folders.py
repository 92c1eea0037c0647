"""Finding the output folders of dreams again, wherever the script was started."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from memreview.config import Options
from memreview.diff.parse import parse_diff
from memreview.errors import MemreviewError
from memreview.model.dream import Project
from memreview.read.discover import project_of_memory
from memreview.read.dream_diff import choose_roots, possible_roots
from memreview.read.dream_manifest import RanBefore, read_manifest
from memreview.read.dream_output import OutputFolder, look_into
from memreview.read.small_files import read_regular

MAX_DEPTH = 2
"""Levels below a given folder that are searched."""
MAX_ENTRIES = 5_000
"""Entries of one folder that are looked at; a folder with more is no place where dreams are kept."""
HEADER_LIMIT = 4_000_000
"""Bytes of memory.diff up to which its headers are read for a list; the project of a longer one is left open."""


@dataclass(frozen=True, slots=True)
class DreamOutput:
    """An output folder: ``date`` in seconds since 1970, when the run ended.

    ``memory_dir`` is the folder that the header lines name, ``project`` the project it belongs to; both None where
    nothing tells. ``failed`` says that the last run left only its log, or did not finish.
    """

    path: str
    date: float
    memory_dir: str | None = None
    project: Project | None = None
    failed: bool = False


def find_outputs(dirs: Iterable[str], options: Options | None = None) -> list[DreamOutput]:
    """Output folders at the given folders or at most two levels below, newest first; links are not followed.

    A folder counts that holds memory.diff, or memory/ together with CHANGES.md or run.log. What cannot be read is
    passed over. ``project`` is filled in only with ``options``.
    """
    found: dict[str, DreamOutput] = {}
    for place in dirs:
        for folder in _outputs_below(place, MAX_DEPTH):
            real = os.path.realpath(folder.path)
            if real not in found:
                found[real] = _describe(folder, options)
    return sorted(found.values(), key=lambda output: (-output.date, output.path))


def is_output(folder: OutputFolder) -> bool:
    """True for what looks like a dream's output, not for a memory's own project folder."""
    beside = folder.changes_time is not None or folder.log_time is not None
    return folder.diff_time is not None or (folder.memory is not None and beside)


def _outputs_below(place: str, depth: int) -> Iterator[OutputFolder]:
    try:
        folder = look_into(place)
    except MemreviewError:
        return
    if is_output(folder):
        yield folder
        return
    if depth == 0:
        return
    for name in _folders_in(place):
        yield from _outputs_below(os.path.join(place, name), depth - 1)


def _folders_in(place: str) -> list[str]:
    names: list[str] = []
    try:
        with os.scandir(place) as entries:
            for number, entry in enumerate(entries):
                if number >= MAX_ENTRIES:
                    return []
                if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False):
                    names.append(entry.name)
    except OSError:
        return []
    return sorted(names)


def _describe(folder: OutputFolder, options: Options | None) -> DreamOutput:
    data = _diff_of(folder)
    ran = read_manifest(folder.path, data) or RanBefore()
    memory_dir, project = _named_memory(data, ran.memory_dir, options)
    failed = folder.log_is_newer or ran.barred is not None
    return DreamOutput(folder.path, folder.date or 0.0, memory_dir, project, failed)


def _diff_of(folder: OutputFolder) -> bytes | None:
    try:
        data = read_regular(folder.diff_path, HEADER_LIMIT + 1)
    except OSError:
        return None
    return data if data is not None and len(data) <= HEADER_LIMIT else None


def _named_memory(data: bytes | None, told: str | None, options: Options | None) -> tuple[str | None, Project | None]:
    """The memory folder of which the header lines speak, else the one that the manifest names (``told``)."""
    try:
        candidates = possible_roots(parse_diff(data)) if data is not None else []
    except MemreviewError:
        return None, None
    places = [roots.old for roots in candidates] or ([told] if told is not None else [])
    for place in places if options is not None else ():
        project = project_of_memory(place, options) if options is not None and os.path.isabs(place) else None
        if project is not None:
            return place, project
    chosen = choose_roots(candidates, lambda path: False)
    return (chosen.old if chosen is not None else told), None
