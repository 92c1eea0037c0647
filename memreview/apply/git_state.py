"""What the repository around a memory folder says of notes: what is open in it, and what it ignores.

Ignored notes are committed only where a person says so.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from memreview.apply.planned import Plan
from memreview.errors import MemreviewError, VcsError
from memreview.model.memory import MemoryFolder
from memreview.text import visible
from memreview.vcs.repository import Repository, open_repository
from memreview.vcs.revisions import FolderRevisions

_SHOWN = 3
ADD_IGNORED = "--add-ignored"


@dataclass(frozen=True, slots=True)
class GitState:
    """The work tree that holds a folder (None: none does), and which notes that are to change are open or ignored.

    ``uncommitted`` are not committed as they lie on disk; ``ignored`` are neither tracked nor meant to be.
    """

    top: str | None = None
    uncommitted: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()


def git_state(memory_dir: str, plan: Plan, live: MemoryFolder) -> GitState:
    """What a commit of a plan meets in the repository; nothing is changed."""
    repository = open_repository(memory_dir)
    if repository is None:
        return GitState()
    ignored = ignored_of(repository, committed_paths(plan))
    changed = [file.path for file in plan.files if file.old is not None and file.path not in ignored]
    head = repository.head()
    if head is None or not changed:
        return GitState(repository.top, tuple(changed), ignored)
    revisions = FolderRevisions(live.real_path)
    committed, present = revisions.files(head), revisions.ids_on_disk(changed)
    open_notes = [path for path in changed if path not in committed or committed[path].oid != present.get(path)]
    return GitState(repository.top, tuple(open_notes), ignored)


def committed_paths(plan: Plan) -> tuple[str, ...]:
    """The notes that the commit of a plan would hold."""
    return tuple(file.path for file in (plan.files if plan.committed is None else plan.committed))


def ignored_of(repository: Repository, paths: Iterable[str]) -> tuple[str, ...]:
    """Those of ``paths``, in the memory folder, that the repository ignores and does not hold already."""
    prefix = repository.prefix
    return tuple(path.removeprefix(prefix) for path in repository.ignored(prefix + path for path in paths))


def find_ignored(memory_dir: str, paths: Iterable[str]) -> tuple[str, ...]:
    """Like :func:`ignored_of`, for a folder in whatever repository; nothing where git does not tell."""
    real = os.path.realpath(memory_dir)
    if not _under_git(real):
        return ()
    try:
        repository = open_repository(real)
        return ignored_of(repository, paths) if repository is not None else ()
    except MemreviewError:
        # Whatever keeps git from answering is said by the apply that needs it.
        return ()


def refuse_ignored(repository: Repository, memory_dir: str, plan: Plan) -> None:
    """Raise :class:`VcsError` where a commit would hold notes that the repository ignores."""
    ignored = ignored_of(repository, committed_paths(plan))
    if ignored:
        raise VcsError(
            f"{visible(memory_dir)}: the repository at {visible(repository.top)} ignores {named(ignored)}; "
            f"use --no-commit to write without a commit, or {ADD_IGNORED} to commit all the same"
        )


def named(paths: tuple[str, ...]) -> str:
    """The first of some paths, and how many more there are."""
    shown = ", ".join(map(visible, paths[:_SHOWN]))
    return f"{shown} and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else shown


def _under_git(folder: str) -> bool:
    """True where a repository may hold a folder; spares loading git where none can."""
    while True:
        if os.path.lexists(os.path.join(folder, ".git")):
            return True
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above
