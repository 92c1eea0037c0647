"""What both faces show before anything is written: projects, dreams that wait, and the outcome of a trial."""

from __future__ import annotations

from dataclasses import dataclass

from memreview.checks.index import IndexState
from memreview.model.dream import Conflict, Project, Target


@dataclass(frozen=True, slots=True)
class ProjectRow:
    """One project with a memory folder.

    ``notes`` counts the index too, ``dreams`` those that wait for review. ``opened`` is when a review of it was last
    open, in seconds since 1970; None where none ever was. ``problem`` says in one line why the folder cannot be read;
    then nothing is known of its notes.
    """

    project: Project
    notes: int
    index: IndexState
    dreams: int = 0
    opened: float | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class DreamRow:
    """A proposal that can be reviewed.

    ``made`` is when it was written, in seconds since 1970. ``decided`` of ``total`` units have a decision; ``total`` is
    None until it was opened once. ``complete`` is False for a run that failed: it can be looked at. ``done`` is True
    once nothing is left to be decided or applied, ``applied`` once anything was. ``problem`` says in one line why it
    cannot be opened. ``project`` is the folder's name, None where nothing says it.
    """

    target: Target
    project: str | None = None
    made: float | None = None
    decided: int = 0
    total: int | None = None
    complete: bool = True
    done: bool = False
    applied: bool = False
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """What applying the decisions would do now, without having done it.

    ``before`` and ``after`` are the index of the folder as it is and as it would be, None where there is none.
    ``message`` is the commit message that would be used. ``repository`` is the work tree that the notes are in, None
    where they are in none. ``uncommitted`` are the notes whose open lines would be committed before, on their own;
    ``ignored`` those that the repository ignores and does not hold. ``snapshots`` is True for a folder without git that
    was edited in place: a snapshot then holds what is settled.
    """

    written: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    before: IndexState | None = None
    after: IndexState | None = None
    message: str = ""
    repository: str | None = None
    uncommitted: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    applied: int = 0
    rejected: int = 0
    snapshots: bool = False
