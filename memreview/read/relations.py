"""Which project folders hold sessions of one repository.

Memory is keyed by the main root of a repository, transcripts by the directory a session started in. So the evidence
for one memory folder lies in several folders under ``projects/``: those of subfolders and of linked worktrees. A name
tells little, because different paths share one encoded name; what the sessions recorded decides.
"""

from __future__ import annotations

import ntpath
import os
import posixpath
import re
from collections.abc import Iterator
from functools import cached_property

from memreview.config import Options
from memreview.model.dream import Project
from memreview.read.heads import SessionHead, newest_transcripts, read_head
from memreview.read.worktrees import linked_worktrees, main_root

MAX_NAME_UNITS = 200
"""Longer encoded names are cut here and told apart by a hash (as measured on Claude Code 2.1.332)."""

_PROBED = 8
_WORKTREE_INFIX = "--claude-worktrees-"
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz"


def encode_path(path: str) -> str:
    """The name of the folder under ``projects/`` for a directory, as the client makes it.

    Every UTF-16 unit that is no ASCII letter or digit becomes ``-``. A result of more than 200 units is cut and
    carries a hash of the whole path.
    """
    units = path.encode("utf-16-le", "surrogatepass")
    codes = [units[at] | units[at + 1] << 8 for at in range(0, len(units), 2)]
    name = "".join(chr(code) if code < 128 and chr(code).isalnum() else "-" for code in codes)
    if len(name) <= MAX_NAME_UNITS:
        return name
    value = 0
    for code in codes:
        value = (value * 31 + code) & 0xFFFFFFFF
    if value >= 1 << 31:
        value -= 1 << 32
    return f"{name[:MAX_NAME_UNITS]}-{_base36(abs(value))}"


def _base36(value: int) -> str:
    digits = ""
    while True:
        value, digit = divmod(value, 36)
        digits = _BASE36[digit] + digits
        if not value:
            return digits


def ancestors(path: str) -> Iterator[str]:
    """``path`` and every directory above it, nearest first, by the rules of the system that wrote it."""
    flavour = ntpath if _DRIVE.match(path) else posixpath
    here = flavour.normpath(path)
    while True:
        yield here
        parent = flavour.dirname(here)
        if parent == here or not parent:
            return
        here = parent


class Relations:
    """Decides for one project whether a session that lies in another folder belongs to its repository."""

    def __init__(self, project: Project, options: Options) -> None:
        self.project = project
        self.projects_dir = options.projects_dir
        self._heads: dict[str, SessionHead] = {}
        self._has_memory: dict[str, bool] = {}

    def head(self, path: str) -> SessionHead:
        """The head of a transcript, read once."""
        if path not in self._heads:
            self._heads[path] = read_head(path)
        return self._heads[path]

    @cached_property
    def root(self) -> str | None:
        """The directory whose encoded path is the project's name; None where no session tells."""
        own = self._root_from(self.project.path)
        if own is not None:
            return own
        for folder in self.other_folders:
            root = self._root_from(folder)
            if root is not None:
                return root
        return None

    @cached_property
    def other_folders(self) -> tuple[str, ...]:
        """Every other folder under ``projects/``, by name."""
        own = os.path.realpath(self.project.path)
        try:
            with os.scandir(self.projects_dir) as entries:
                found = sorted(entry.path for entry in entries if entry.is_dir())
        except OSError:
            return ()
        return tuple(path for path in found if os.path.realpath(path) != own)

    @cached_property
    def related(self) -> tuple[str, ...]:
        """The other folders that hold at least one session of this repository."""
        if self._outside_git:
            return ()
        return tuple(
            folder
            for folder in self.other_folders
            if any(self.owns(path) for path in newest_transcripts(folder, _PROBED))
        )

    def owns(self, path: str) -> bool:
        """True where the session at ``path``, in another project folder, belongs to this project's repository."""
        if self._outside_git:
            return False
        head = self.head(path)
        if head.memory is not None:
            return head.memory == self.project.name
        if head.cwd is None:
            return self._folder_of(path).startswith(self.project.name + _WORKTREE_INFIX)
        if head.in_git is False:
            return False
        if os.path.isdir(head.cwd):
            root = main_root(head.cwd)
            if root is not None:
                return encode_path(root) == self.project.name
            if head.in_git is None:
                return False
        return (
            self._registered(head.cwd)
            or self._owner_above(head.cwd)
            or (head.in_worktree is True and self._named_after_root(head.cwd))
        )

    @cached_property
    def _outside_git(self) -> bool:
        """Without a repository every directory has a memory of its own."""
        for path in newest_transcripts(self.project.path, _PROBED):
            head = self.head(path)
            if head.cwd is None or encode_path(head.cwd) != self.project.name:
                continue
            if os.path.isdir(head.cwd):
                return main_root(head.cwd) is None
            if head.in_git is not None:
                return not head.in_git
        return False

    @cached_property
    def _worktrees(self) -> tuple[str, ...]:
        return linked_worktrees(self.root) if self.root is not None else ()

    def _registered(self, cwd: str) -> bool:
        """True below a working tree that the repository still knows, although its directory is gone."""
        above = set(ancestors(cwd))
        return any(tree in above for tree in self._worktrees)

    def _owner_above(self, cwd: str) -> bool:
        """The nearest directory at or above ``cwd`` that has a memory folder of its own decides.

        The client makes that folder for the root of every repository it is started in, so a nested one stops here.
        """
        names = [encode_path(path) for path in ancestors(cwd)]
        for name in names:
            if name == self.project.name:
                return True
            if self._with_memory(name):
                return False
        return False

    def _named_after_root(self, cwd: str) -> bool:
        """``app-fix`` beside ``app``, for what the client called a linked worktree and that has no memory of its own.

        Where several roots fit, the longest owns it.
        """
        if self.root is None or not cwd.startswith(self.root) or cwd[len(self.root) :][:1].isalnum():
            return False
        name = encode_path(cwd)
        longer = (name[:size] for size in range(len(name), len(self.project.name), -1))
        return not any(self._with_memory(prefix) for prefix in longer)

    def _with_memory(self, name: str) -> bool:
        if name not in self._has_memory:
            self._has_memory[name] = os.path.isdir(os.path.join(self.projects_dir, name, "memory"))
        return self._has_memory[name]

    def _root_from(self, folder: str) -> str | None:
        for path in newest_transcripts(folder, _PROBED):
            cwd = self.head(path).cwd
            if cwd is None:
                continue
            real = main_root(cwd)
            if real is not None and encode_path(real) == self.project.name:
                return real
            for above in ancestors(cwd):
                if encode_path(above) == self.project.name:
                    return above
        return None

    def _folder_of(self, path: str) -> str:
        relative = os.path.relpath(path, self.projects_dir)
        return relative.split(os.sep, 1)[0]
