"""The ``.git`` that a dream's copy of a memory folder may carry along: checked against the folder's own, read as text.

``cp -r`` copies a memory folder together with its repository. git is never run on that copy, because its configuration
and hooks can name commands; what is needed of it is the commit that was checked out when the copy was made.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from memreview.errors import DreamError
from memreview.read.small_files import read_regular, same_entry

_OBJECT_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_IGNORED = (
    re.compile(r"objects/(?:[0-9a-f]{2}|pack)/[^/]+"),
    re.compile(r"objects/info/(?:packs|commit-graph|commit-graphs/.*)"),
    re.compile(r"logs/.*"),
    re.compile(r"info/refs"),
    re.compile(r"index|COMMIT_EDITMSG|MERGE_MSG|SQUASH_MSG|gc\.log|gc\.pid|[A-Z_]+_HEAD|.*\.lock"),
)
"""Files below ``.git`` that change in daily work and that cannot make git run anything."""
_REFERENCE = re.compile(r"HEAD|packed-refs|refs/.*")
_MAX_TEXT = 4_000_000
_MAX_HOPS = 5


@dataclass(frozen=True, slots=True)
class CopiedGit:
    """The repository inside a proposal: the commit of its HEAD (None before the first one).

    ``unknown`` are ids that it refers to and that no branch of the original names by now; an untouched copy holds only
    such as the original's repository still has.
    """

    head: str | None
    unknown: frozenset[str]


def steers_git(path: str) -> bool:
    """True for a path below ``.git`` that can make git run something, or whose purpose is not known."""
    inside = path.removeprefix(".git/")
    return not _REFERENCE.fullmatch(inside) and not any(pattern.fullmatch(inside) for pattern in _IGNORED)


def check_copied_git(proposal: str, real_folders: tuple[str, ...]) -> CopiedGit | None:
    """Compare ``proposal/.git`` with that of one of the folders it may be a copy of; None where there is no ``.git``.

    Configuration, hooks and everything else that steers git must be equal byte for byte; branches, the index and the
    like may have moved on since.
    Raises :class:`DreamError` for anything that is no such copy.
    """
    copy = os.path.join(proposal, ".git")
    if not os.path.lexists(copy):
        return None
    problems = [_difference(copy, os.path.join(folder, ".git")) for folder in real_folders]
    problem = next((text for text in problems if text is None), problems[0] if problems else "has no counterpart")
    if problem is not None:
        raise DreamError(
            f"{copy}: {problem}, so it is not the memory folder's own repository; "
            "look at it, and delete it there to review the notes alone"
        )
    if not os.path.isdir(copy):
        return None
    references = _references(copy)
    known = {oid for folder in real_folders for oid in _ids(_references(os.path.join(folder, ".git")))}
    return CopiedGit(_head(references), _ids(references) - known)


def _difference(copy: str, original: str) -> str | None:
    """Why ``copy`` is not a copy of ``original``, None where it is."""
    if not os.path.lexists(original):
        return "the memory folder has no .git"
    kinds = [stat.S_IFMT(os.lstat(path).st_mode) for path in (copy, original)]
    if kinds[0] != kinds[1] or kinds[0] not in {stat.S_IFDIR, stat.S_IFREG}:
        return "it is of another kind than the one in the memory folder"
    if kinds[0] == stat.S_IFREG:
        return None if same_entry(copy, original) else "it points elsewhere"
    for path in _walk(copy):
        if _REFERENCE.fullmatch(path) or any(pattern.fullmatch(path) for pattern in _IGNORED):
            if not _is_regular(os.path.join(copy, path)):
                return f"{path} is a link"
        elif not same_entry(os.path.join(copy, path), os.path.join(original, path)):
            return f"{path} differs"
    return None


def _walk(folder: str) -> Iterator[str]:
    """Relative paths of all that is no folder, links to folders included."""
    for top, folders, files in os.walk(folder, followlinks=False):
        links = [name for name in folders if os.path.islink(os.path.join(top, name))]
        for name in (*files, *links):
            yield os.path.relpath(os.path.join(top, name), folder)


def _is_regular(path: str) -> bool:
    return stat.S_ISREG(os.lstat(path).st_mode)


def _references(git_dir: str) -> dict[str, str]:
    """HEAD and every ref as they stand in the files: an object id or ``ref: NAME``; loose ones before packed ones."""
    found: dict[str, str] = {}
    packed = read_regular(os.path.join(git_dir, "packed-refs"), _MAX_TEXT) or b""
    for line in os.fsdecode(packed).split("\n"):
        if not line.startswith(("#", "^")) and " " in line:
            oid, name = line.split(" ", 1)
            found[name] = oid
    for path in _walk(git_dir):
        if _REFERENCE.fullmatch(path) and path != "packed-refs":
            data = read_regular(os.path.join(git_dir, path), _MAX_TEXT) or b""
            found[path] = os.fsdecode(data).strip()
    return found


def _ids(references: dict[str, str]) -> frozenset[str]:
    return frozenset(text for text in references.values() if _OBJECT_ID.fullmatch(text))


def _head(references: dict[str, str]) -> str | None:
    value = references.get("HEAD", "")
    for _ in range(_MAX_HOPS):
        if not value.startswith("ref: "):
            break
        value = references.get(value.removeprefix("ref: ").strip(), "")
    return value if _OBJECT_ID.fullmatch(value) else None
