"""What the history of a project's own repository says of files that came and went. Nothing here writes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from memreview.vcs.process import run_git

MAX_COMMITS = 20_000
"""Commits of the history that are looked through, the latest."""
MAX_VERSIONS = 200
"""Versions of one file that are read, the latest."""
_MERGED = re.compile(
    r"Merge (?:remote-tracking )?branch '(?:origin/)?([^']+)'|Merge pull request #\d+ from [^/\s]+/(\S+)"
)
_MARK = b"\x01"


def head_of(root: str) -> str | None:
    """The commit that is checked out, None where there is none."""
    found = run_git(root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
    return found.out.decode("ascii").strip() if found.status == 0 else None


def tracked(root: str) -> frozenset[str]:
    """Every path of HEAD, and of the index."""
    paths: set[str] = set()
    for command in (["ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD"], ["ls-files", "-z"]):
        found = run_git(root, command)
        if found.status == 0:
            paths.update(os.fsdecode(name) for name in found.out.split(b"\0") if name)
    return frozenset(paths)


def gone(root: str) -> Iterator[tuple[str, str, str | None]]:
    """Paths that commits below HEAD deleted or renamed, the latest first: path, date (ISO 8601), new name."""
    command = ["log", f"--max-count={MAX_COMMITS}", "--diff-filter=DR", "--find-renames", "--name-status", "-z"]
    found = run_git(root, [*command, "--format=%x01%aI", "HEAD"])
    if found.status != 0:
        return
    date = ""
    fields = iter(found.out.split(b"\0"))
    for raw in fields:
        field = raw.strip(b"\n")
        if field.startswith(_MARK):
            date = field[1:].decode("ascii", "replace")
        elif field[:1] == b"D":
            yield os.fsdecode(next(fields, b"")), date, None
        elif field[:1] == b"R":
            old = os.fsdecode(next(fields, b""))
            yield old, date, os.fsdecode(next(fields, b""))


def versions_of(root: str, path: str) -> Iterator[bytes]:
    """The texts that a file at the top had in earlier commits, the latest first."""
    found = run_git(root, ["log", f"--max-count={MAX_VERSIONS}", "--format=%H", "HEAD", "--", path])
    commits = found.out.decode("ascii").split() if found.status == 0 else []
    if not commits:
        return
    rows = "".join(f"{commit}:{path}\n" for commit in commits).encode()
    done = run_git(root, ["cat-file", "--batch"], stdin=rows)
    at = 0
    for _ in commits:
        end = done.out.find(b"\n", at)
        if end < 0:
            return
        head = done.out[at:end].split(b" ")
        at = end + 1
        if len(head) == 3 and head[1] == b"blob":
            size = int(head[2])
            yield done.out[at : at + size]
            at += size + 1


def branches(root: str) -> frozenset[str]:
    """Names of all branches, those of remotes without the remote's name."""
    found = run_git(root, ["for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes"])
    names = os.fsdecode(found.out).split("\n") if found.status == 0 else []
    return frozenset(_branch_name(name) for name in names if name)


def _branch_name(ref: str) -> str:
    parts = ref.split("/")
    return "/".join(parts[3:] if parts[1] == "remotes" else parts[2:])


def merged_branches(root: str) -> frozenset[str]:
    """Names of branches that the subjects of merges below HEAD tell of."""
    found = run_git(root, ["log", f"--max-count={MAX_COMMITS}", "--merges", "-z", "--format=%s", "HEAD"])
    subjects = os.fsdecode(found.out).split("\0") if found.status == 0 else []
    matches = (_MERGED.match(subject) for subject in subjects)
    return frozenset(match.group(1) or match.group(2) for match in matches if match)


def existing(root: str, revisions: Sequence[str]) -> frozenset[str]:
    """Those of these abbreviated ids that name a commit."""
    if not revisions:
        return frozenset()
    rows = "".join(f"{revision}^{{commit}}\n" for revision in revisions).encode()
    done = run_git(root, ["cat-file", "--batch-check=%(objectname)"], stdin=rows)
    answers = done.out.decode("ascii", "replace").split("\n")
    return frozenset(
        revision for revision, answer in zip(revisions, answers, strict=False) if answer.startswith(revision)
    )
