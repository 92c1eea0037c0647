"""The repository that holds a memory folder, and commits made in it with the user's own git and configuration."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memreview.errors import VcsError
from memreview.vcs.index import IndexEntry, TemporaryIndex, index_info, parse_entries, path_list
from memreview.vcs.process import Completed, forget_surrounding_repository, run_git, users_environment

_BUSY = (
    ("MERGE_HEAD", "a merge"),
    ("rebase-merge", "a rebase"),
    ("rebase-apply", "a rebase or git am"),
    ("CHERRY_PICK_HEAD", "a cherry-pick"),
    ("REVERT_HEAD", "a revert"),
    ("sequencer", "a cherry-pick or revert of several commits"),
    ("BISECT_LOG", "a bisect"),
)
_LOCK_WAIT = 3.0
_LOCK_POLL = 0.1
_OID_LENGTHS = {b"sha1": 40, b"sha256": 64}


@dataclass(frozen=True, slots=True)
class GitIndex:
    """What the user's index holds of the memory folder, by path from the repository's top.

    ``hidden`` are paths that git was told not to look at (skip-worktree, assume-unchanged), ``unmerged`` those in
    conflict, ``staged`` those that differ from HEAD.
    """

    entries: Mapping[str, IndexEntry]
    staged: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()
    unmerged: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Tip:
    """Where HEAD is: a commit (None on a branch without any) and its tree (then the empty one)."""

    sha: str | None
    tree: str


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit as it was made."""

    sha: str
    tree: str
    parents: tuple[str, ...]


class Repository:
    """A repository's work tree. Paths given and returned are relative to its top, with ``/``.

    ``folder`` is the memory folder in it (links resolved), ``prefix`` its path from the top, ending in ``/`` or empty.
    ``held`` are descriptors that every git which changes something keeps open, so that a lock outlives us with it.
    """

    def __init__(self, folder: str, top: str, git_dir: str, oid_length: int = 40) -> None:
        self.folder = folder
        self.top = top
        self.git_dir = git_dir
        self.oid_length = oid_length
        inside = os.path.relpath(folder, top)
        self.prefix = "" if inside == "." else inside + "/"
        self.held: tuple[int, ...] = ()

    # ---- looking

    def head(self) -> str | None:
        """The commit that HEAD names, None on a branch without commits."""
        found = self._git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
        return found.out.decode("ascii").strip() if found.status == 0 else None

    def branch(self) -> str | None:
        """The ref that HEAD points to, None where it is detached."""
        found = self._git(["symbolic-ref", "--quiet", "HEAD"])
        return os.fsdecode(found.out.rstrip(b"\n")) if found.status == 0 else None

    def refuse_if_busy(self) -> None:
        """Raise :class:`VcsError` in the middle of a merge and the like, or while another git holds the index."""
        for name, what in _BUSY:
            if os.path.lexists(os.path.join(self.git_dir, name)):
                raise VcsError(
                    f"{self.top}: its repository is in the middle of {what}; finish or abort that first, "
                    "or use --no-commit"
                )
        lock = self._index_path() + ".lock"
        deadline = time.monotonic() + _LOCK_WAIT
        while os.path.lexists(lock):
            if time.monotonic() >= deadline:
                raise VcsError(f"{lock}: another git is at work here; wait for it, or remove this file if none is")
            time.sleep(_LOCK_POLL)

    def tip(self) -> Tip:
        """The commit that HEAD names, and its tree."""
        found = self._git(["rev-parse", "--quiet", "HEAD^{commit}", "HEAD^{tree}"])
        if found.status == 0:
            sha, tree = found.out.decode("ascii").split()
            return Tip(sha, tree)
        if self.head() is not None:
            raise VcsError(f"{self.top}: git cannot read its HEAD: {found.reason}")
        empty = self._checked(["hash-object", "-t", "tree", "-w", "--stdin"], stdin=b"")
        return Tip(None, empty.out.decode("ascii").strip())

    def git_index(self, tree: str) -> GitIndex:
        """What the user's index holds of the memory folder, compared with ``tree``."""
        entries: dict[str, IndexEntry] = {}
        hidden: set[str] = set()
        unmerged: set[str] = set()
        rows = self._checked(["ls-files", "-v", "--stage", "--full-name", "-z", "--", "."]).out
        for row in rows.split(b"\0"):
            if not row:
                continue
            meta, name = row.split(b"\t", 1)
            tag, mode, oid, stage = meta.decode("ascii").split(" ")
            path = os.fsdecode(name)
            entries[path] = IndexEntry(mode, oid)
            if tag == "S" or tag.islower():
                hidden.add(path)
            if stage != "0":
                unmerged.add(path)
        listing = self._checked(["diff-index", "--cached", "--name-only", "--no-renames", "-z", tree, "--", "."]).out
        staged = frozenset(os.fsdecode(name) for name in listing.split(b"\0") if name)
        return GitIndex(entries, staged, frozenset(hidden), frozenset(unmerged))

    def files_at(self, commit: str | None, paths: Iterable[str]) -> dict[str, IndexEntry]:
        """Those of ``paths`` in the memory folder that a commit holds."""
        if commit is None:
            return {}
        wanted = set(paths)
        listing = self._checked(["ls-tree", "-r", "-z", "--full-name", commit, "--", "."]).out
        return {path: entry for path, entry in parse_entries(listing, with_type=True) if path in wanted}

    def ignored(self, paths: Iterable[str]) -> tuple[str, ...]:
        """Those of ``paths`` that the user's ignore rules leave out and that the index does not hold."""
        # check-ignore refuses literal pathspecs, and behind ./ nothing is magic. Its paths count from where it runs.
        asked = path_list("./" + path for path in paths)
        if not asked:
            return ()
        literal = {"GIT_LITERAL_PATHSPECS": "0"}
        found = run_git(self.top, ["check-ignore", "-z", "--stdin"], stdin=asked, env=literal)
        if found.status not in (0, 1):
            raise VcsError(f"{self.top}: git cannot say what it ignores: {found.reason}")
        return tuple(os.fsdecode(name.removeprefix(b"./")) for name in found.out.split(b"\0") if name)

    def commits_since(self, parent: str | None) -> tuple[Commit, ...]:
        """The commits on the way from ``parent`` (None: from the very first) to HEAD, by first parents, oldest first.

        Empty where HEAD does not descend from ``parent``.
        """
        span = ["HEAD"] if parent is None else [f"{parent}..HEAD"]
        listing = self._git(["rev-list", "--first-parent", "--reverse", "--format=%H %T %P", *span])
        if listing.status != 0:
            return ()
        rows = [row.split() for row in listing.out.decode("ascii").split("\n") if row and not row.startswith("commit ")]
        if not rows or rows[0][2:3] != ([parent] if parent else []):
            return ()
        return tuple(Commit(sha, tree, tuple(parents)) for sha, tree, *parents in rows)

    # ---- changing the repository

    def temporary_index(self, path: str, base: str | None) -> TemporaryIndex:
        """An index file of ours that holds the tree of ``base``."""
        return TemporaryIndex(
            path,
            top=self.top,
            git_dir=self.git_dir,
            oid_length=self.oid_length,
            base=base,
            scope=self.prefix or ".",
            held=self.held,
        )

    def commit(self, index: str, message: str, parent: str | None, tree: str) -> Commit:
        """Commit what an index file describes, as the user's own ``git commit`` does it, hooks and signing included.

        Raises :class:`VcsError` where git or a hook refuses. A commit that turns out not to be ``tree`` on top of
        ``parent``, because somebody committed meanwhile or a hook changed what is committed, is taken back.
        """
        done = run_git(
            self.top,
            ["-c", "i18n.commitEncoding=UTF-8", "commit", "--quiet", "--cleanup=whitespace", "--file=-"],
            stdin=message.encode("utf-8", "replace"),
            env={"GIT_INDEX_FILE": index, **users_environment()},
            quiet=False,
            pass_fds=self.held,
        )
        made = self.commits_since(parent)
        ours = next((commit for commit in made if commit.tree == tree), None)
        if ours is not None and ours == made[0]:
            return ours
        if ours is not None:
            if ours == made[-1]:
                self.move_head(ours.sha, ours.parents[0], "memreview: take back")
            raise VcsError(f"{self.top}: somebody else committed at the same moment; try again")
        if done.status != 0:
            refused = VcsError(f"git refused the commit: {done.reason}")
            refused.detail = done.detail
            raise refused
        if len(made) != 1:
            raise VcsError(f"{self.top}: HEAD was moved while the review was being committed; try again")
        self.move_head(made[0].sha, parent, "memreview: take back")
        raise VcsError(
            f"{self.top}: a git hook changed what was to be committed, so it would not be what was accepted; "
            "switch that hook off, or use --no-commit"
        )

    def move_head(self, expected: str, target: str | None, reason: str) -> None:
        """Let HEAD's branch name ``target`` instead of ``expected`` (None: no commit at all)."""
        if target is None:
            command = ["update-ref", "-m", reason, "-d", "HEAD", expected]
        else:
            command = ["update-ref", "-m", reason, "HEAD", target, expected]
        self._checked(command, held=True)

    def save(self, ref: str, tree: str, parent: str | None, message: str) -> str:
        """Make a commit that only the new ref ``ref`` names; its id."""
        parents = ["-p", parent] if parent else []
        made = self._checked(["commit-tree", tree, *parents, "-F", "-"], stdin=message.encode("utf-8", "replace"))
        sha = made.out.decode("ascii").strip()
        self._checked(["update-ref", "-m", "memreview: save", ref, sha, ""], held=True)
        return sha

    def update_index(
        self, before: Mapping[str, IndexEntry | None], after: Mapping[str, IndexEntry | None]
    ) -> tuple[str, ...]:
        """Bring the user's index to ``after`` for the paths where it still is as ``before``; the paths left out."""
        rows = parse_entries(self._checked(["ls-files", "--stage", "--full-name", "-z", "--", "."]).out)
        now = dict(rows)
        due = {path: entry for path, entry in after.items() if now.get(path) == before.get(path) != entry}
        left = tuple(sorted(path for path, entry in after.items() if path not in due and now.get(path) != entry))
        if due:
            self._with_patience(["update-index", "-z", "--index-info"], index_info(due, self.oid_length))
        present = [path for path, entry in after.items() if entry is not None and path not in left]
        listing = path_list(path for path in present if os.path.lexists(os.path.join(self.top, path)))
        if listing:
            # Only spares the next git status from reading these files; it is no loss where it fails.
            run_git(self.top, ["add", "--refresh", "--pathspec-from-file=-", "--pathspec-file-nul"], stdin=listing)
        return left

    def remove(self) -> None:
        """Take the folder out of git again: everything that its repository holds is gone then."""
        shutil.rmtree(self.git_dir, ignore_errors=True)

    # ---- helpers

    def _with_patience(self, command: Sequence[str], stdin: bytes) -> None:
        deadline = time.monotonic() + _LOCK_WAIT
        while True:
            # Paths of --index-info count from the top, whatever the folder; so does the lock of the index.
            done = run_git(self.top, command, stdin=stdin, pass_fds=self.held)
            if done.status == 0:
                return
            if time.monotonic() >= deadline or not os.path.lexists(self._index_path() + ".lock"):
                raise VcsError(f"{self.top}: git's index could not be updated: {done.reason}")
            time.sleep(_LOCK_POLL)

    def _index_path(self) -> str:
        return os.path.join(self.git_dir, "index")

    def _git(self, arguments: Sequence[str], *, stdin: bytes | None = None, held: bool = False) -> Completed:
        return run_git(self.folder, arguments, stdin=stdin, pass_fds=self.held if held else ())

    def _checked(self, arguments: Sequence[str], *, stdin: bytes | None = None, held: bool = False) -> Completed:
        done = self._git(arguments, stdin=stdin, held=held)
        if done.status != 0:
            raise VcsError(f"{self.top}: git {arguments[0]} failed: {done.reason}")
        return done


def refuse_without_identity(folder: str) -> None:
    """Raise :class:`VcsError` where git does not know in whose name to commit."""
    for name in ("GIT_COMMITTER_IDENT", "GIT_AUTHOR_IDENT"):
        found = run_git(folder, ["var", name])
        if found.status != 0:
            why = found.err.strip().rpartition("\n")[2].removeprefix("fatal: ")
            raise VcsError(
                f"git does not know who you are ({why}); set user.name and user.email with git config --global, "
                "or use --no-commit"
            )


def open_repository(folder: str) -> Repository | None:
    """The repository whose work tree holds a folder, None where none does.

    Raises :class:`VcsError` where git is missing or refuses the repository.
    """
    forget_surrounding_repository()
    real = os.path.realpath(folder)
    questions = ["--is-inside-work-tree", "--show-object-format", "--absolute-git-dir", "--show-toplevel"]
    found = run_git(real, ["rev-parse", *questions])
    if found.status == 0 and found.out.startswith(b"true\n"):
        rows = found.out.split(b"\n")
        if len(rows) != len(questions) + 1:
            # A path with a line feed in it takes several rows.
            rows = [run_git(real, ["rev-parse", question]).out.removesuffix(b"\n") for question in questions]
        if rows[1] not in _OID_LENGTHS:
            raise VcsError(f"{folder}: the format of its repository is not understood; use --no-commit")
        return Repository(real, os.fsdecode(rows[3]), os.fsdecode(rows[2]), _OID_LENGTHS[rows[1]])
    if "not a git repository" in found.err and not os.path.lexists(os.path.join(real, ".git")):
        return None
    if found.out.startswith(b"false\n"):
        raise VcsError(f"{folder}: this folder is not in the work tree of its repository; use --no-commit")
    raise VcsError(f"{folder}: git cannot open its repository: {found.reason}")


def create_repository(folder: str, message: str, leave_out: Sequence[str] = ()) -> Repository:
    """Put a folder under git, with its present state, but for the names in ``leave_out``, as the first commit.

    Raises :class:`VcsError` where git refuses; the folder is not under git then.
    """
    forget_surrounding_repository()
    real = os.path.realpath(folder)
    inner = os.path.join(real, ".git")
    try:
        os.mkdir(inner)
    except OSError as error:
        raise VcsError(f"{inner}: no repository can be made here ({error.strerror})") from error
    excluded = [f":(top,exclude,literal){name}" for name in leave_out]
    steps: tuple[tuple[list[str], bytes | None], ...] = (
        (["init", "--quiet"], None),
        (["add", "--all", "--", ".", *excluded], None),
        (
            ["-c", "i18n.commitEncoding=UTF-8", "commit", "--quiet", "--allow-empty", "--file=-"],
            message.encode("utf-8", "replace"),
        ),
    )
    try:
        for command, stdin in steps:
            done = run_git(real, command, stdin=stdin, env=users_environment(), quiet=False)
            if done.status != 0:
                raise VcsError(f"{folder}: it cannot be put under git: {done.reason}")
        repository = open_repository(real)
        if repository is None:
            raise VcsError(f"{folder}: git init made no repository")
    except BaseException:
        shutil.rmtree(inner, ignore_errors=True)
        raise
    return repository
