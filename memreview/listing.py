"""What there is to enter from: projects with a memory, and every proposal that can be found again.

As in :mod:`memreview.workflow`, which hands these on, everything that a use case needs is imported inside it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from memreview.config import Options
from memreview.errors import MemreviewError
from memreview.model.dream import Project, Target, TargetKind

if TYPE_CHECKING:
    from memreview.checks.index import IndexState
    from memreview.model.memory import MemoryFolder
    from memreview.report.overview import DreamRow, ProjectRow
    from memreview.review.store import KnownReview

DREAMS_FOLDER = "dreams"
"""Folder below the state folder in which dreams may lie."""
DREAM_PREFIX = "dream-"
"""How the dream script begins the name of its output folder, in the folder in which it was started."""


def projects_with_memory(options: Options) -> list[Project]:
    """Every project that has a memory folder, by name; nothing in these folders is read."""
    from memreview.read.discover import projects

    return [project for project in projects(options) if os.path.isdir(project.memory_dir)]


def last_opened(options: Options) -> dict[str, float]:
    """When a review of each project was last open, in seconds since 1970, by the real path of its folder."""
    opened: dict[str, float] = {}
    for known in _known(options):
        place, when = os.path.realpath(known.project.path), _seconds(known.when)
        opened[place] = max(when, opened.get(place, when))
    return opened


def list_projects(options: Options) -> list[ProjectRow]:
    """Every project that has a memory folder, by name."""
    from memreview.model.memory import MemoryFolder
    from memreview.report.overview import ProjectRow

    waiting: dict[str, int] = {}
    for row in find_dreams(options):
        if row.project is not None and not row.done and row.problem is None:
            waiting[row.project] = waiting.get(row.project, 0) + 1
    opened = last_opened(options)
    rows: list[ProjectRow] = []
    for project in projects_with_memory(options):
        problem, live = None, MemoryFolder(project.memory_dir, project.memory_dir)
        try:
            live = read_memory(project.memory_dir)
        except MemreviewError as error:
            problem = str(error)
        rows.append(
            ProjectRow(
                project=project,
                notes=len(live.notes),
                index=index_state(live, {}),
                dreams=waiting.get(project.name, 0),
                opened=opened.get(os.path.realpath(project.path)),
                problem=problem,
            )
        )
    return rows


def find_dreams(options: Options) -> list[DreamRow]:
    """Every dream that can be found again, the newest first.

    They are those that were opened before, those in the state folder, those below ``--dreams``, and the output folders
    of the dream script in the working folder.
    """
    from memreview.read.dream_folders import find_outputs
    from memreview.report.overview import DreamRow

    known = {_place(one.target): one for one in reversed(_remembered_dreams(options)) if _place(one.target)}
    places = [os.path.join(options.state_dir, DREAMS_FOLDER), *options.dream_dirs, *_started_here()]
    places += [one.target.output for one in known.values() if one.target.output is not None]
    rows: list[DreamRow] = []
    for output in find_outputs(places, options):
        target = Target(TargetKind.OUTPUT, output=output.path)
        one = known.pop(os.path.realpath(output.path), None)
        row = DreamRow(
            target=one.target if one is not None else target,
            project=output.project.name if output.project is not None else one.project.name if one else None,
            made=output.date,
            complete=not output.failed,
        )
        rows.append(_with_counts(row, one) if one is not None else row)
    for one in known.values():
        settled = _is_settled(one.target, options)
        if settled and one.applied is None:
            continue
        label = one.target.label
        row = DreamRow(
            target=one.target,
            project=one.project.name,
            made=_seconds(one.when),
            problem=None if os.path.exists(label) else f"{label}: is not there any more",
        )
        row = _with_counts(row, one)
        rows.append(replace(row, done=row.done or settled))
    return sorted(rows, key=lambda row: (-(row.made or 0.0), row.target.label))


def _is_settled(target: Target, options: Options) -> bool:
    """True for an edit in place of which nothing is left: it was committed, taken back or marked as seen."""
    if target.kind is not TargetKind.LIVE or target.since is not None or not os.path.isdir(target.live or ""):
        return False
    from memreview.read.dreams import read_proposal

    try:
        return not read_proposal(target, options).files
    except MemreviewError:
        # Whatever keeps it from being read is told when it is opened.
        return False


def _with_counts(row: DreamRow, known: KnownReview) -> DreamRow:
    carried_out = known.applied is not None or (known.counts.total > 0 and row.target.kind is not TargetKind.LIVE)
    done = carried_out and not known.open and (row.made is None or row.made <= _seconds(known.when))
    applied = known.applied is not None
    return replace(row, decided=known.counts.decided, total=known.counts.total, done=done, applied=applied)


def _known(options: Options) -> tuple[KnownReview, ...]:
    from memreview.review.store import DecisionStore

    return DecisionStore(options.state_dir).known()


def _remembered_dreams(options: Options) -> tuple[KnownReview, ...]:
    """What was opened before; the review of a sample in a temporary folder is forgotten when that is gone."""
    from memreview.demo import TEMPORARY_PREFIX
    from memreview.review.store import DecisionStore

    kept: list[KnownReview] = []
    for one in _known(options):
        parts = one.target.label.split(os.sep)
        if any(part.startswith(TEMPORARY_PREFIX) for part in parts) and not os.path.isdir(one.target.label):
            with suppress(MemreviewError):
                DecisionStore(options.state_dir).forget(one.id)
            continue
        kept.append(one)
    return tuple(kept)


def _place(target: Target) -> str:
    return os.path.realpath(target.label) if target.label else ""


def _started_here() -> list[str]:
    try:
        with os.scandir(os.getcwd()) as entries:
            return sorted(entry.path for entry in entries if entry.name.startswith(DREAM_PREFIX) and entry.is_dir())
    except OSError:
        return []


def _seconds(when: str) -> float:
    return datetime.fromisoformat(when).timestamp()


def read_memory(path: str) -> MemoryFolder:
    """A memory folder as it is now, an empty one where there is none."""
    from memreview.read.memory import read_folder

    return read_folder(path, missing_ok=True)


def index_state(live: MemoryFolder, changed: Mapping[str, bytes | None]) -> IndexState:
    """The index of a folder with other texts at some paths, None for those that go."""
    from memreview.checks.index import examine

    notes = {path: note.data for path, note in live.notes.items()}
    for path, data in changed.items():
        if data is None:
            notes.pop(path, None)
        else:
            notes[path] = data
    gone = {path for path, data in changed.items() if data is None}
    return examine(notes, lambda path: path not in gone and os.path.lexists(os.path.join(live.real_path, path)))
