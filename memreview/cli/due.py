"""``memreview dream --if-due``: whether a pass is due, said in words, and run where it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from memreview.cli.output import emit, narrate
from memreview.errors import ExitCode, MemreviewError
from memreview.text import visible

if TYPE_CHECKING:
    from memreview.config import Options
    from memreview.dreaming.due import Due
    from memreview.model.dream import Project

Run = Callable[["Project"], int]


def run_if_due(
    name: str | None, options: Options, run: Run, *, hours: float | None, sessions: int | None, as_json: bool
) -> int:
    """Ask of one project, or of all that have a memory, whether a pass is due; run those. The worst exit status."""
    from memreview.dreaming.due import due

    statuses = [ExitCode.OK]
    for project in _projects(name, options):
        try:
            answer = due(project, options, hours=hours, sessions=sessions)
            if answer.due:
                # What is printed is the run's own then.
                for line in due_lines(project, answer):
                    narrate(f"memreview: {line}")
                statuses.append(ExitCode(run(project)))
            elif as_json:
                from memreview.report.json import dumps

                emit([dumps(due_data(project, answer))])
            else:
                emit(due_lines(project, answer))
        except MemreviewError as error:
            if name is not None:
                raise
            narrate(f"memreview: {project.name}: {error}")
            statuses.append(error.exit_code)
    return max(statuses)


def due_lines(project: Project, answer: Due) -> Iterator[str]:
    """The answer, and what it rests on."""
    said = "due" if answer.due else "not due"
    yield f"{visible(project.name)}: a pass is {said}: {visible('; '.join(answer.reasons))}"
    if answer.suggested is not None:
        yield f"{visible(project.name)}: {visible(answer.suggested)}"


def due_data(project: Project, answer: Due) -> dict[str, Any]:
    """The same as JSON."""
    from memreview.report.json import SCHEMA

    last, drift = answer.last, answer.drift
    return {
        "schema": SCHEMA,
        "project": project.name,
        "memory_dir": project.memory_dir,
        "due": answer.due,
        "reasons": list(answer.reasons),
        "sessions": answer.sessions,
        "last": _iso(last.started) if last is not None else None,
        "drift": {"lines": drift.lines, "usual": drift.usual, "day": drift.day, "jumped": drift.jumped}
        if drift
        else None,
        "suggested": answer.suggested,
    }


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _projects(name: str | None, options: Options) -> list[Project]:
    from memreview.errors import UsageError
    from memreview.read.discover import projects, resolve_project

    if name is None:
        return [project for project in projects(options) if os.path.isdir(project.memory_dir)]
    found = resolve_project(name, options)
    if not os.path.isdir(found.memory_dir):
        raise UsageError(f"{found.memory_dir}: no such folder; this project has no memory to dream about")
    return [found]
