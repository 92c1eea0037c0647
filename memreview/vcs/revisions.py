"""Files of a folder as git revisions hold them. Nothing here writes: not the index, not a ref, not an object."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memreview.errors import UsageError, VcsError
from memreview.vcs.process import Completed, forget_surrounding_repository, run_git


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

    ``folder`` must have its links resolved and lie in the work tree of one: :func:`open_revisions` looks for it.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def resolve(self, revision: str | None) -> str:
        """The commit id that ``revision`` (HEAD where None) names.

        Raises :class:`UsageError` for a revision that does not exist, :class:`VcsError` where there is no commit yet.
        """
        name = revision if revision is not None else "HEAD"
        found = self._run(["rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}"])
        if found.status == 0:
            return found.out.decode("ascii", "replace").strip()
        if revision is None:
            raise VcsError(f"{self.folder}: its repository has no commit yet; commit the state before the dream first")
        raise UsageError(f"{revision}: no such revision in the repository of {self.folder}")

    def knows(self, ids: Iterable[str]) -> bool:
        """True where every id is that of an object of the repository."""
        wanted = sorted(set(ids))
        if not wanted:
            return True
        lines = self._checked(["cat-file", "--batch-check=%(objecttype)"], _rows(wanted))
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
        out = self._checked(["cat-file", "--batch"], _rows(wanted))
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
            out = self._checked(["hash-object", "--stdin-paths"], listing)
            ids.update(zip(plain, out.decode("ascii").split(), strict=True))
        for path in set(paths) - set(plain):
            ids[path] = self._checked(["hash-object", "--", path]).decode("ascii").strip()
        return ids

    def filtered(self, paths: Sequence[str]) -> frozenset[str]:
        """Those of ``paths`` that filters or encodings turn into another text when they are checked out."""
        out = self._checked(
            ["check-attr", "-z", "--stdin", "filter", "ident", "working-tree-encoding"],
            b"".join(os.fsencode(path) + b"\0" for path in paths),
        )
        fields = out.split(b"\0")[:-1]
        rows = zip(fields[0::3], fields[2::3], strict=True)
        return frozenset(os.fsdecode(path) for path, value in rows if value not in {b"unspecified", b"unset"})

    def commits(self, limit: int) -> tuple[str, ...]:
        """Ids of the latest commits that touched the folder, newest first; empty where there is none."""
        found = self._run(["log", f"--max-count={limit}", "--format=%H", "--", "."])
        return tuple(found.out.decode("ascii").split()) if found.status == 0 else ()

    def last(self) -> str | None:
        """The id of the commit that last touched the folder; None where none did."""
        return next(iter(self.commits(1)), None)

    def merge_base(self, first: str, second: str) -> str:
        """The commit from which two histories part. Raises :class:`UsageError` where they have none in common."""
        found = self._run(["merge-base", first, second])
        if found.status != 0:
            raise UsageError(f"{first[:12]} and {second[:12]} have no commit in common; use '..' between them")
        return found.out.decode("ascii").strip()

    def added_on(self, path: str, line: str) -> str | None:
        """When the line was last put into the file at ``path``, as ISO 8601; None where no commit tells."""
        found = self._run(["log", "--max-count=1", "--format=%aI", f"-S{line.strip()}", "--", path])
        return found.out.decode("ascii", "replace").strip() or None if found.status == 0 else None

    def _checked(self, arguments: Sequence[str], stdin: bytes | None = None) -> bytes:
        done = self._run(arguments, stdin)
        if done.status != 0:
            raise VcsError(f"{self.folder}: git {arguments[0]} failed: {done.reason}")
        return done.out

    def _run(self, arguments: Sequence[str], stdin: bytes | None = None) -> Completed:
        return run_git(self.folder, arguments, stdin=stdin)


def open_revisions(folder: str) -> FolderRevisions | None:
    """The repository that holds a folder, None where none does.

    Raises :class:`VcsError` where git is missing or refuses the repository.
    """
    forget_surrounding_repository()
    real = os.path.realpath(folder)
    found = run_git(real, ["rev-parse", "--is-inside-work-tree"])
    if found.status == 0:
        return FolderRevisions(real) if found.out.strip() == b"true" else None
    if "not a git repository" in found.err:
        return None
    raise VcsError(f"{folder}: git cannot open its repository: {found.reason}")


def _rows(ids: Iterable[str]) -> bytes:
    return "".join(f"{oid}\n" for oid in ids).encode()
