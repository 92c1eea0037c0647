"""Which directory each project folder stands for, for all of them at once."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cached_property

from memreview.read.heads import SessionHead, read_head
from memreview.read.relations import ancestors, encode_path
from memreview.read.sessions import Folder, Folders
from memreview.read.worktrees import main_root

PROBED = 8
"""Transcripts of a folder that are looked into, the latest written first."""


class Roots:
    """Directories by project folder, found by what sessions recorded; each is looked for once.

    ``heads`` are heads of transcripts by path, as far as they are known; then all of them are asked.
    """

    def __init__(self, folders: Folders, heads: Mapping[str, SessionHead] | None = None) -> None:
        self._folders = folders
        self._heads = heads or {}
        self._cwds: dict[str, tuple[str, ...]] = {}

    def cwds(self, folder: Folder) -> tuple[str, ...]:
        """Directories in which sessions of this folder started, the latest first."""
        if folder.name not in self._cwds:
            found: list[str] = []
            known = self._heads
            for file in reversed(folder.sessions if known else folder.sessions[-PROBED:]):
                cwd = (known.get(file.path) or read_head(file.path)).cwd
                if cwd is not None and cwd not in found:
                    found.append(cwd)
                    if not known and encode_path(cwd) == folder.name:
                        break
            self._cwds[folder.name] = tuple(found)
        return self._cwds[folder.name]

    def root(self, folder: Folder) -> str | None:
        """The directory whose encoded path is the name, one that exists before others; None where no session tells."""
        found = list(self._candidates(folder))
        there = (path for path in found if os.path.isdir(path))
        return next(there, found[0] if found else self._elsewhere.get(folder.name))

    def _candidates(self, folder: Folder) -> Iterator[str]:
        for cwd in self.cwds(folder):
            real = main_root(cwd)
            if real is not None and encode_path(real) == folder.name:
                yield real
            else:
                yield from (above for above in ancestors(cwd) if encode_path(above) == folder.name)

    def settings_roots(self, folder: Folder) -> tuple[str, ...]:
        """Directories whose settings hold for sessions of this folder, the nearest first."""
        root = self.root(folder)
        return tuple(dict.fromkeys((*([root] if root is not None else []), *self.cwds(folder))))

    @cached_property
    def _elsewhere(self) -> dict[str, str]:
        """Directories above those of all sessions, by encoded name: a project may have none of its own."""
        found: dict[str, str] = {}
        for folder in self._folders.by_name.values():
            for cwd in self.cwds(folder)[:1]:
                real = main_root(cwd)
                for above in (*([real] if real is not None else []), *ancestors(cwd)):
                    found.setdefault(encode_path(above), above)
        return found
