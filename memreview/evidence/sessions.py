"""Which sessions the kept evidence of a memory folder speaks of, by note."""

from __future__ import annotations

import os

from memreview.errors import MemreviewError
from memreview.read.worktrees import main_root

REF = "refs/notes/memreview"
"""Where evidence is kept; looked for as a file first, since most folders have none and git takes its time."""
_MAX_PACKED = 64 << 20


def kept_sessions(memory_dir: str) -> dict[str, dict[str, str]]:
    """By note the sessions that its reviewed changes cite, each with the latest commit that keeps their words.

    Nothing where no evidence is kept or git does not tell; git is asked only where the ref is there.
    """
    root = main_root(memory_dir)
    if root is None or not _has_ref(os.path.join(root, ".git")):
        return {}
    from memreview.evidence.kept_store import open_store

    found: dict[str, dict[str, str]] = {}
    try:
        store = open_store(memory_dir)
        for backing in store.backings() if store is not None else ():
            cited = set(backing.change.cited)
            for record in backing.evidence.records:
                if record.at in cited:
                    session = record.session or record.transcript.split(".jsonl")[0]
                    found.setdefault(backing.change.note, {}).setdefault(session, backing.commit)
    except MemreviewError:
        return {}
    return found


def _has_ref(git_dir: str) -> bool:
    if os.path.exists(os.path.join(git_dir, REF)):
        return True
    try:
        with open(os.path.join(git_dir, "packed-refs"), "rb") as file:
            return REF.encode() in file.read(_MAX_PACKED)
    except OSError:
        return False
