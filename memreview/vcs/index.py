"""Index files: entries as git lists them, and an index of our own in which a commit is prepared.

A commit is prepared apart from the user's index and from the files on disk: HEAD, plus the named files as they stand
in a folder of ours. So what is staged, dirty or untracked elsewhere stays as it is, and the commit holds exactly the
bytes that it is meant to hold, passed through the user's filters.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from memreview.errors import VcsError
from memreview.vcs.process import Completed, run_git

_ATTRIBUTES = ".gitattributes"


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A file in an index or a tree: ``mode`` as git writes it (``100644``), ``oid`` the blob."""

    mode: str
    oid: str


@dataclass(frozen=True, slots=True)
class FileContent:
    """What a file shall hold in a commit: bytes as on disk, and permission bits, of which git keeps one."""

    data: bytes
    mode: int = 0o644


def parse_entries(listing: bytes, *, with_type: bool = False) -> Iterator[tuple[str, IndexEntry]]:
    """Rows of ``ls-files --stage -z`` or, where the type of the object stands in them, of ``ls-tree -z``."""
    for row in listing.split(b"\0"):
        if row:
            meta, name = row.split(b"\t", 1)
            words = meta.decode("ascii").split(" ")
            yield os.fsdecode(name), IndexEntry(words[0], words[2] if with_type else words[1])


def path_list(paths: Iterable[str]) -> bytes:
    """Paths as git reads them with ``-z`` and ``--pathspec-file-nul``."""
    return b"".join(os.fsencode(path) + b"\0" for path in paths)


def index_info(entries: Mapping[str, IndexEntry | None], oid_length: int) -> bytes:
    """Rows for ``update-index -z --index-info``; None takes an entry out."""
    rows = []
    for path, entry in entries.items():
        head = f"{entry.mode} {entry.oid} 0\t" if entry is not None else f"0 {'0' * oid_length}\t"
        rows.append(head.encode("ascii") + os.fsencode(path) + b"\0")
    return b"".join(rows)


class TemporaryIndex:
    """An index file of ours at ``path``, holding exactly the tree of ``base`` (nothing for None) at first.

    ``top`` and ``git_dir`` are those of the repository, ``scope`` the folder in it that is looked at, ``held``
    descriptors that every git keeps open. Raises :class:`VcsError` where git fails. Paths are relative to ``top``.
    """

    def __init__(
        self,
        path: str,
        *,
        top: str,
        git_dir: str,
        oid_length: int,
        base: str | None,
        scope: str = ".",
        held: Sequence[int] = (),
    ) -> None:
        self.path = path
        self._top = top
        self._git_dir = git_dir
        self._oid_length = oid_length
        self._scope = scope
        self._held = tuple(held)
        with suppress(FileNotFoundError):
            # What the user's index knows of files on disk spares git from reading all of a large repository again.
            shutil.copyfile(os.path.join(git_dir, "index"), path)
        self._git("read-tree", *(["--reset", base] if base else ["--empty"]))

    def entries(self, paths: Iterable[str]) -> dict[str, IndexEntry]:
        """Those of ``paths``, which lie in the scope, that it holds."""
        wanted = set(paths)
        listing = self._git("ls-files", "--stage", "-z", "--", self._scope).out
        return {path: entry for path, entry in parse_entries(listing) if path in wanted}

    def put(self, entries: Mapping[str, IndexEntry | None]) -> None:
        """Set entries (None: not there)."""
        self._git("update-index", "-z", "--index-info", stdin=index_info(entries, self._oid_length))

    def stage(self, folder: str, contents: Mapping[str, FileContent | None]) -> None:
        """Bring paths to the given contents (None: not there).

        ``folder`` is a folder of ours that git looks upon as the work tree, so that filters and attributes by name
        apply; what is in it goes away. Ignored names are added too: they were accepted one by one.
        """
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for path, content in contents.items():
            if content is not None:
                _put(os.path.join(folder, path), content)
        self._copy_attributes(folder, contents)
        gone = [path for path, content in contents.items() if content is None]
        tracked = self.entries(gone) if gone else {}
        # git add refuses a name that is neither on disk nor in the index.
        known = [path for path, content in contents.items() if content is not None or path in tracked]
        self._git(
            "add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul", stdin=path_list(known), tree=folder
        )
        shutil.rmtree(folder, ignore_errors=True)

    def write_tree(self) -> str:
        """Store the tree that it describes; the tree's id."""
        return self._git("write-tree").out.decode("ascii").strip()

    def _copy_attributes(self, folder: str, paths: Iterable[str]) -> None:
        """Copy the attribute files that apply to ``paths``, so that they count as they do in the work tree."""
        parents = {""}
        for path in paths:
            parts = path.split("/")[:-1]
            parents.update("/".join(parts[: depth + 1]) for depth in range(len(parts)))
        for parent in parents:
            source = os.path.join(self._top, parent, _ATTRIBUTES)
            try:
                regular = stat.S_ISREG(os.lstat(source).st_mode)
            except (FileNotFoundError, NotADirectoryError):
                continue
            if regular:
                os.makedirs(os.path.join(folder, parent), exist_ok=True)
                shutil.copyfile(source, os.path.join(folder, parent, _ATTRIBUTES))

    def _git(self, *arguments: str, stdin: bytes | None = None, tree: str | None = None) -> Completed:
        work_tree = tree or self._top
        place = [f"--git-dir={self._git_dir}", f"--work-tree={work_tree}"]
        # A file system monitor would be started for, and confused by, a work tree that is none.
        command = ["-c", "core.fsmonitor=false", *place, *arguments]
        done = run_git(work_tree, command, stdin=stdin, env={"GIT_INDEX_FILE": self.path}, pass_fds=self._held)
        if done.status != 0:
            raise VcsError(f"{self._top}: git {arguments[0]} failed: {done.reason}; nothing was committed")
        return done


def _put(path: str, content: FileContent) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content.data)
        os.fchmod(file.fileno(), 0o755 if content.mode & 0o100 else 0o644)
