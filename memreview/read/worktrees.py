"""To which repository a directory belongs, read from ``.git`` files; git itself is never run."""

from __future__ import annotations

import os

_POINTER_LIMIT = 8192


def main_root(path: str) -> str | None:
    """The root of the *main* working tree that ``path`` lies in, as the client keys its memory by it.

    Links are resolved. A linked worktree answers with the root of the repository it was made from, with the
    repository's own path where that is bare; submodules and nested repositories answer with their own root.
    None where no repository is found, or the directory does not exist.
    """
    here = os.path.realpath(path)
    if not os.path.isdir(here):
        return None
    while True:
        entry = os.path.join(here, ".git")
        if os.path.isdir(entry) and os.path.exists(os.path.join(entry, "HEAD")):
            return here
        if os.path.isfile(entry):
            return _root_of_pointer(here, entry)
        parent = os.path.dirname(here)
        if parent == here:
            return None
        here = parent


def linked_worktrees(root: str) -> tuple[str, ...]:
    """The working trees that are registered with the repository at ``root``, whether they still exist or not."""
    for base in (os.path.join(root, ".git", "worktrees"), os.path.join(root, "worktrees")):
        try:
            names = sorted(os.listdir(base))
        except OSError:
            continue
        pointers = (_read_pointer(os.path.join(base, name, "gitdir")) for name in names)
        return tuple(os.path.dirname(pointer) for pointer in pointers if pointer)
    return ()


def _root_of_pointer(here: str, entry: str) -> str:
    """The main root for a directory whose ``.git`` is a file; only linked worktrees have a ``commondir``."""
    pointer = _read_pointer(entry)
    if not pointer.startswith("gitdir:"):
        return here
    gitdir = os.path.join(here, pointer.removeprefix("gitdir:").strip())
    common = _read_pointer(os.path.join(gitdir, "commondir"))
    if not common:
        return here
    shared = os.path.realpath(os.path.join(gitdir, common))
    return os.path.dirname(shared) if os.path.basename(shared) == ".git" else shared


def _read_pointer(path: str) -> str:
    try:
        with open(path, "rb") as handle:
            return os.fsdecode(handle.read(_POINTER_LIMIT).strip())
    except OSError:
        return ""
