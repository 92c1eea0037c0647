"""Single questions to the history, asked only when they come up: git is not started before."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memreview.errors import MemreviewError


def commit_lookup(folders: Sequence[str]) -> Callable[[str], bool]:
    """Says whether a commit exists in the repository of one of ``folders``."""

    def exists(revision: str) -> bool:
        from memreview.vcs.revisions import open_revisions

        for folder in folders:
            try:
                revisions = open_revisions(folder)
                if revisions is not None and revisions.resolve(revision):
                    return True
            except MemreviewError:
                continue
        return False

    return exists


def line_dates(folder: str) -> Callable[[str, str], str | None]:
    """Says when a line of a note in ``folder`` was committed, as ISO 8601; None where no commit tells."""

    def when(note: str, line: str) -> str | None:
        from memreview.vcs.revisions import open_revisions

        try:
            revisions = open_revisions(folder)
            return revisions.added_on(note, line) if revisions is not None else None
        except MemreviewError:
            return None

    return when
