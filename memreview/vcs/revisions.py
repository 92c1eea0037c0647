"""Files of a folder as git revisions hold them. Nothing here writes: not the index, not a ref, not an object."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from memreview.errors import UsageError, VcsError
from memreview.vcs.process import forget_surrounding_repository

if TYPE_CHECKING:
    from git import Git

_ENVIRONMENT = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_LITERAL_PATHSPECS": "1"}


@dataclass(frozen=True, slots=True)
class TrackedFile:
    """One entry of a revision's tree: ``path`` is relative to the folder, ``mode`` as git writes it (``0o100644``)."""

    path: str
    mode: int
    oid: str

    @property
    def is_file(self) -> bool:
        """True for a regular file, False for a link or a submodule."""
        return self.mode & 0o170000 == 0o100000


class FolderRevisions:
    """What the repository that holds a folder knows about this folder's files.

    ``folder`` must have its links resolved. Obtain one by :func:`open_revisions`.
    """

    def __init__(self, folder: str) -> None:
        from git import Git

        self.folder = folder
        self._git = Git(folder)

    def resolve(self, revision: str | None) -> str:
        """The commit id that ``revision`` (HEAD where None) names.

        Raises :class:`UsageError` for a revision that does not exist, :class:`VcsError` where there is no commit yet.
        """
        name = revision if revision is not None else "HEAD"
        status, out, _ = self._run(["rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}"])
        if status == 0:
            return out.decode("ascii", "replace").strip()
        if revision is None:
            raise VcsError(f"{self.folder}: its repository has no commit yet; commit the state before the dream first")
        raise UsageError(f"{revision}: no such revision in the repository of {self.folder}")

    def knows(self, ids: Iterable[str]) -> bool:
        """True where every id is that of an object of the repository."""
        wanted = sorted(set(ids))
        if not wanted:
            return True
        lines = self._feed(["cat-file", "--batch-check=%(objecttype)"], "".join(f"{oid}\n" for oid in wanted).encode())
        kinds = lines.split(b"\n")[:-1]
        return len(kinds) == len(wanted) and not any(kind.endswith(b" missing") for kind in kinds)

    def files(self, commit: str) -> dict[str, TrackedFile]:
        """Every entry of the folder, of all subfolders, at a commit."""
        out = self._checked(["ls-tree", "-r", "-z", commit])
        found: dict[str, TrackedFile] = {}
        for row in out.split(b"\0"):
            if not row:
                continue
            meta, name = row.split(b"\t", 1)
            mode, _, oid = meta.split(b" ", 2)
            path = os.fsdecode(name)
            found[path] = TrackedFile(path, int(mode, 8), oid.decode("ascii"))
        return found

    def blobs(self, ids: Iterable[str]) -> dict[str, bytes]:
        """The contents of blobs by id, as the repository stores them."""
        wanted = list(dict.fromkeys(ids))
        if not wanted:
            return {}
        out = self._feed(["cat-file", "--batch"], "".join(f"{oid}\n" for oid in wanted).encode())
        contents: dict[str, bytes] = {}
        at = 0
        for oid in wanted:
            head_end = out.index(b"\n", at)
            head = out[at:head_end].split(b" ")
            if len(head) != 3 or head[1] != b"blob":
                raise VcsError(f"{self.folder}: its repository cannot read the object {oid} (try git fsck)")
            size = int(head[2])
            contents[oid] = out[head_end + 1 : head_end + 1 + size]
            at = head_end + 1 + size + 1
        return contents

    def checked_out(self, commit: str, path: str) -> bytes:
        """A file of a commit with the line ends and filters that a checkout would give it."""
        return self._checked(["cat-file", "--filters", f"{commit}:./{path}"])

    def ids_on_disk(self, paths: Sequence[str]) -> dict[str, str]:
        """For files on disk the blob ids that ``git add`` would give them: equal ids mean that git sees no change."""
        prefix = self._checked(["rev-parse", "--show-prefix"])[:-1]
        listed = {path: prefix + os.fsencode(path) for path in paths}
        plain = [path for path in paths if b"\n" not in listed[path] and not listed[path].startswith(b'"')]
        ids: dict[str, str] = {}
        if plain:
            # --stdin-paths takes names from the top of the work tree, whatever the working folder is.
            listing = b"".join(listed[path] + b"\n" for path in plain)
            out = self._feed(["hash-object", "--stdin-paths"], listing)
            ids.update(zip(plain, out.decode("ascii").split(), strict=True))
        for path in set(paths) - set(plain):
            ids[path] = self._checked(["hash-object", "--", path]).decode("ascii").strip()
        return ids

    def filtered(self, paths: Sequence[str]) -> frozenset[str]:
        """Those of ``paths`` that filters or encodings turn into another text when they are checked out."""
        out = self._feed(
            ["check-attr", "-z", "--stdin", "filter", "ident", "working-tree-encoding"],
            b"".join(os.fsencode(path) + b"\0" for path in paths),
        )
        fields = out.split(b"\0")[:-1]
        rows = zip(fields[0::3], fields[2::3], strict=True)
        return frozenset(os.fsdecode(path) for path, value in rows if value not in {b"unspecified", b"unset"})

    def commits(self, limit: int) -> tuple[str, ...]:
        """Ids of the latest commits that touched the folder, newest first; empty where there is none."""
        status, out, _ = self._run(["log", f"--max-count={limit}", "--format=%H", "--", "."])
        return tuple(out.decode("ascii").split()) if status == 0 else ()

    def _checked(self, arguments: Sequence[str]) -> bytes:
        status, out, err = self._run(arguments)
        if status != 0:
            raise VcsError(f"{self.folder}: git {arguments[0]} failed: {_first_line(err)}")
        return out

    def _feed(self, arguments: Sequence[str], data: bytes) -> bytes:
        with tempfile.TemporaryFile() as stdin:
            stdin.write(data)
            stdin.seek(0)
            status, out, err = self._run(arguments, stdin)
        if status != 0:
            raise VcsError(f"{self.folder}: git {arguments[0]} failed: {_first_line(err)}")
        return out

    def _run(self, arguments: Sequence[str], stdin: BinaryIO | None = None) -> tuple[int, bytes, str]:
        return _execute(self._git, arguments, stdin)


def open_revisions(folder: str) -> FolderRevisions | None:
    """The repository that holds a folder, None where none does.

    Raises :class:`VcsError` where git is missing or refuses the repository.
    """
    # GitPython takes long to load, and most dreams are read without it.
    from git import Git

    forget_surrounding_repository()
    real = os.path.realpath(folder)
    status, out, err = _execute(Git(real), ["rev-parse", "--is-inside-work-tree"])
    if status == 0:
        return FolderRevisions(real) if out.strip() == b"true" else None
    if "not a git repository" in err:
        return None
    raise VcsError(f"{folder}: git cannot open its repository: {_first_line(err)}")


def _execute(git: Git, arguments: Sequence[str], stdin: BinaryIO | None = None) -> tuple[int, bytes, str]:
    """Run one git command; its exit status, output and messages (in English, as GitPython sets the locale)."""
    from git.exc import GitCommandNotFound

    try:
        return git.execute(
            # GitPython would run git in the folder of this process where it cannot enter the one it is given.
            ["git", "-C", str(git.working_dir), *arguments],
            istream=stdin,
            with_extended_output=True,
            with_exceptions=False,
            stdout_as_string=False,
            strip_newline_in_stdout=False,
            env=_ENVIRONMENT,
        )
    except GitCommandNotFound as error:
        raise VcsError("git was not found; install it or put it on PATH") from error


def _first_line(message: str) -> str:
    return message.strip().partition("\n")[0] or "no message"
