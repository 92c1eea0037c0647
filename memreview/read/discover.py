"""Projects: their folders, their repositories and the folders that hold their sessions."""

from __future__ import annotations

import difflib
import os

from memreview.config import Options
from memreview.errors import TargetError
from memreview.model.dream import Project
from memreview.read.finder import TranscriptFinder
from memreview.read.relations import Relations, encode_path
from memreview.read.worktrees import main_root

__all__ = [
    "TranscriptFinder",
    "encode_path",
    "project_of_memory",
    "projects",
    "related_folders",
    "repository_root",
    "resolve_project",
]

MEMORY = "memory"
_MOST_MEANT = 3
"""Projects of which it is asked whether they were meant."""


def projects(options: Options) -> list[Project]:
    """Every folder under ``projects/``, by name, whether it has a memory or not.

    Raises:
        TargetError: the folder exists and cannot be read.
    """
    try:
        with os.scandir(options.projects_dir) as entries:
            names = sorted(entry.name for entry in entries if not entry.name.startswith(".") and entry.is_dir())
    except FileNotFoundError:
        return []
    except OSError as err:
        raise TargetError(
            f"{options.projects_dir} cannot be read ({err.strerror}); name another place with --claude-dir"
        ) from err
    return [_project(os.path.join(options.projects_dir, name)) for name in names]


def resolve_project(name: str, options: Options) -> Project:
    """The project that a person means by ``name``.

    That is a folder name under ``projects/``, a path to such a folder or to its memory, or a path in a repository (its
    main root decides, also from a linked worktree or a subfolder).

    Raises:
        TargetError: nothing fits.
    """
    plain = name.rstrip("/") or name
    if plain and os.sep not in plain and plain not in (".", ".."):
        direct = os.path.join(options.projects_dir, plain)
        if os.path.isdir(direct):
            return _project(direct)
    path = os.path.abspath(os.path.expanduser(name))
    found = project_of_memory(path, options) or _project_folder(path, options) or _project_of_tree(path, options)
    if found is not None:
        return found
    raise TargetError(_unknown(name, options))


def project_of_memory(path: str, options: Options) -> Project | None:
    """The project whose memory folder is at ``path``, also where the one or the other is reached through links."""
    own, last = os.path.split(os.path.abspath(path))
    if last == MEMORY and os.path.dirname(own) == os.path.abspath(options.projects_dir) and os.path.isdir(own):
        return _project(os.path.join(options.projects_dir, os.path.basename(own)))
    real = os.path.realpath(path)
    for project in projects(options):
        if os.path.realpath(project.memory_dir) == real and (os.path.isdir(real) or os.path.isdir(project.path)):
            return project
    return None


def repository_root(project: Project, options: Options) -> str | None:
    """The main root of the project's repository, where it still exists."""
    root = Relations(project, options).root
    return root if root is not None and os.path.isdir(root) else None


def related_folders(project: Project, options: Options) -> tuple[str, ...]:
    """Paths of the folders that hold the project's sessions: its own first, then those of the same repository."""
    return (project.path, *Relations(project, options).related)


def _project(path: str) -> Project:
    return Project(os.path.basename(path), path, os.path.join(path, MEMORY))


def _project_folder(path: str, options: Options) -> Project | None:
    """A path to a project folder: under ``projects/``, or elsewhere if it holds a memory."""
    if not os.path.isdir(path):
        return None
    real = os.path.realpath(path)
    for project in projects(options):
        if os.path.realpath(project.path) == real:
            return project
    if os.path.isdir(os.path.join(path, MEMORY)) and os.path.basename(os.path.dirname(path)) == "projects":
        return _project(path)
    return None


def _project_of_tree(path: str, options: Options) -> Project | None:
    """The project of the repository (or plain directory) at ``path``, which may be gone by now."""
    real = os.path.realpath(path)
    for root in dict.fromkeys((main_root(path), real, path)):
        if root is not None:
            folder = os.path.join(options.projects_dir, encode_path(root))
            if os.path.isdir(folder):
                return _project(folder)
    return None


def _unknown(name: str, options: Options) -> str:
    names = [project.name for project in projects(options)]
    if not names:
        return f"no project {name!r}: {options.projects_dir} holds none; name Claude Code's folder with --claude-dir"
    holding = [one for one in names if encode_path(name).lower() in one.lower()][:_MOST_MEANT]
    near = holding or difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"see the folders in {options.projects_dir}"
    return f"no project {name!r} in {options.projects_dir}: {hint}"
