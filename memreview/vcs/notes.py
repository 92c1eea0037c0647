"""Evidence in git notes: written, read, found again after a rewrite, carried to and from a remote, and dropped."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from memreview.errors import VcsError
from memreview.vcs.process import Completed, run_git
from memreview.vcs.repository import Repository

REF = "refs/notes/memreview"
SHORT_REF = "memreview"
REWRITE_KEY = "notes.rewriteRef"
INCOMING = "refs/memreview/incoming"
_PLAIN_DIFF = (
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--no-color",
    "--unified=3",
    "--diff-algorithm=myers",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--full-index",
)
_PATCH_ROW = re.compile(rb"([0-9a-f]{40,64}) ([0-9a-f]{40,64})")


_ROW = "--format=%H%n%P%n%aI%n%an%n%s"


@dataclass(frozen=True, slots=True)
class Dropped:
    """What forgetting did: notes dropped, objects removed, objects that lie in packs and wait for git's own gc."""

    notes: int
    removed: int = 0
    packed: int = 0


@dataclass(frozen=True, slots=True)
class LogRow:
    """A commit that touched the memory folder: its id, its first parent's (empty for the very first), the author's date
    (ISO 8601) and name, and the subject."""

    sha: str
    parent: str
    date: str
    author: str
    subject: str


class EvidenceNotes:
    """The notes below :data:`REF` of the repository that holds a memory folder."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository

    # ---- reading

    def listed(self) -> dict[str, str]:
        """The note's blob of every commit that has one."""
        found = self._git(["notes", f"--ref={REF}", "list"])
        if found.status != 0:
            return {}
        rows = (row.split() for row in found.out.decode("ascii", "replace").split("\n") if row)
        return {row[1]: row[0] for row in rows if len(row) == 2}

    def texts(self, blobs: Sequence[str]) -> dict[str, bytes]:
        """The contents of blobs; what is missing in the repository is left out."""
        wanted = list(dict.fromkeys(blobs))
        if not wanted:
            return {}
        out = self._checked(["cat-file", "--batch"], "".join(f"{oid}\n" for oid in wanted).encode()).out
        texts: dict[str, bytes] = {}
        at = 0
        for oid in wanted:
            head_end = out.index(b"\n", at)
            head = out[at:head_end].split(b" ")
            at = head_end + 1
            if len(head) == 3 and head[1] == b"blob":
                size = int(head[2])
                texts[oid] = out[at : at + size]
                at += size + 1
        return texts

    def tip(self) -> str | None:
        """The commit that :data:`REF` names, None where there are no notes."""
        found = self._git(["rev-parse", "--verify", "--quiet", REF])
        return found.out.decode("ascii").strip() if found.status == 0 else None

    def resolve(self, revision: str) -> str | None:
        """The commit that a revision names, None where it names none."""
        found = self._git(["rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"])
        return found.out.decode("ascii").strip() if found.status == 0 else None

    def patch_id(self, commit: str) -> str:
        """The patch id of one commit; empty where it changes nothing."""
        shown = self._checked(["show", "--format=commit %H", "--first-parent", *_PLAIN_DIFF, commit])
        return next(iter(self._patch_ids(shown.out).values()), "")

    def patch_ids(self) -> dict[str, str]:
        """The patch ids of all commits below HEAD that touched the memory folder, newest first."""
        shown = self._git(
            ["log", "-m", "--first-parent", "--format=commit %H", "--full-diff", "-p", *_PLAIN_DIFF, "--", "."]
        )
        return self._patch_ids(shown.out) if shown.status == 0 else {}

    def log(self, limit: int | None = None) -> tuple[LogRow, ...]:
        """The commits below HEAD that touched the memory folder, newest first."""
        most = [f"--max-count={limit}"] if limit is not None else []
        found = self._git(["log", "-z", *most, _ROW, "--", "."])
        return tuple(_rows(found.out)) if found.status == 0 else ()

    def row(self, commit: str) -> LogRow:
        """One commit by its id. Raises :class:`VcsError` where git cannot read it."""
        return next(_rows(self._checked(["log", "-z", "--max-count=1", _ROW, commit]).out))

    def _patch_ids(self, patches: bytes) -> dict[str, str]:
        done = self._checked(["patch-id", "--stable"], patches)
        rows = (_PATCH_ROW.fullmatch(row) for row in done.out.split(b"\n"))
        return {row.group(2).decode(): row.group(1).decode() for row in rows if row}

    # ---- writing

    def write(self, commit: str, data: bytes) -> None:
        """Let ``data`` be the note of a commit. Raises :class:`VcsError` where git refuses."""
        blob = self._checked(["hash-object", "-w", "--stdin"], data).out.decode("ascii").strip()
        self._checked(["notes", f"--ref={REF}", "add", "--force", "-C", blob, commit])

    def remove(self, commits: Sequence[str]) -> None:
        """Drop the notes of these commits; that a commit has none is no error."""
        if commits:
            rows = "".join(f"{commit}\n" for commit in commits).encode()
            self._checked(["notes", f"--ref={REF}", "remove", "--ignore-missing", "--stdin"], rows)

    # ---- settings and remotes

    def rewrite_refs(self) -> tuple[str, ...]:
        """The notes that git carries over when a commit is amended or rebased."""
        found = self._git(["config", "--get-all", REWRITE_KEY])
        return tuple(os.fsdecode(found.out).split("\n")[:-1]) if found.status == 0 else ()

    def carries_over(self) -> bool:
        """True where an amend or a rebase takes the evidence along."""
        return any(ref in (REF, "refs/notes/*") for ref in self.rewrite_refs())

    def carry_over(self) -> None:
        """Have amend and rebase take the evidence along: the one place where git's configuration is written."""
        self._checked(["config", "--local", "--add", REWRITE_KEY, REF])

    def push(self, remote: str) -> str:
        """Send the notes to a remote; what git said."""
        return self._transport(["push", "--", remote, f"{REF}:{REF}"], "push")

    def fetch(self, remote: str) -> str:
        """Take in a remote's notes; where both sides have one, both stay. What git said."""
        said = self._transport(["fetch", "--no-tags", "--", remote, f"+{REF}:{INCOMING}"], "fetch")
        if self.tip() is None:
            self._checked(["update-ref", "-m", "memreview: fetch", REF, INCOMING])
        else:
            self._checked(["notes", f"--ref={REF}", "merge", "--quiet", "--strategy=union", INCOMING])
        self._checked(["update-ref", "-d", INCOMING])
        return said

    def _transport(self, command: list[str], verb: str) -> str:
        # Credentials may be asked for, so this is the one git that is let ask.
        done = run_git(self.repository.folder, command, quiet=False)
        if done.status != 0:
            raise VcsError(f"{self.repository.top}: git {verb} failed: {done.reason}")
        return done.reason if done.err.strip() else ""

    # ---- forgetting

    def forget(self, keep: Mapping[str, str], *, objects: bool) -> Dropped:
        """Drop all notes but those in ``keep`` (blob by commit), and the history of the notes with them.

        ``objects`` removes what only the notes held from the repository at once, as far as it lies in files of its own.
        """
        tip = self.tip()
        if tip is None:
            return Dropped(0)
        before = self.listed()
        held = self._objects([tip]) if objects else frozenset()
        if keep:
            self.remove([commit for commit in before if commit not in keep])
            # Texts were given back by an earlier state of the notes otherwise.
            tree = self._checked(["rev-parse", REF + "^{tree}"]).out.decode("ascii").strip()
            made = self._checked(["commit-tree", tree, "-F", "-"], b"memreview: evidence that is kept\n")
            self._checked(["update-ref", "-d", REF])
            self._checked(["update-ref", "-m", "memreview: forget", REF, made.out.decode("ascii").strip()])
        else:
            self._checked(["update-ref", "-d", REF])
        removed = packed = 0
        if objects:
            needed = self._objects(["--all", "--reflog", "--indexed-objects"])
            for oid in held - needed:
                path = os.path.join(self.repository.git_dir, "objects", oid[:2], oid[2:])
                with suppress(FileNotFoundError):
                    os.chmod(path, 0o600)
                    os.unlink(path)
                    removed += 1
                    continue
                packed += 1
        return Dropped(len(before) - len(keep), removed, packed)

    def _objects(self, span: Sequence[str]) -> frozenset[str]:
        rows = self._checked(["rev-list", "--objects", "--no-object-names", *span]).out
        return frozenset(rows.decode("ascii").split())

    def remotes(self) -> tuple[str, ...]:
        """The names of the repository's remotes."""
        found = self._git(["remote"])
        return tuple(os.fsdecode(found.out).split())

    def _git(self, arguments: Sequence[str], stdin: bytes | None = None) -> Completed:
        return run_git(self.repository.folder, arguments, stdin=stdin)

    def _checked(self, arguments: Sequence[str], stdin: bytes | None = None) -> Completed:
        done = self._git(arguments, stdin)
        if done.status != 0:
            raise VcsError(f"{self.repository.top}: git {arguments[0]} failed: {done.reason}")
        return done


def _rows(listing: bytes) -> Iterator[LogRow]:
    for row in os.fsdecode(listing).split("\0"):
        fields = row.split("\n", 4)
        if len(fields) == 5:
            yield LogRow(fields[0], fields[1].split(" ")[0], fields[2], fields[3], fields[4])
