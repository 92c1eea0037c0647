"""What may have stood in the notes when a dream began: the real folder now, and what its repository remembers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from memreview.errors import MemreviewError, VcsError
from memreview.model.memory import MemoryFolder, Note
from memreview.read.left_out import reviewable

if TYPE_CHECKING:
    from memreview.vcs.revisions import FolderRevisions

OLDER_COMMITS = 60
"""Commits of a folder that are looked through for a state that a diff fits."""


class History:
    """The real folder and its repository, asked only when needed.

    ``head`` is the commit that the copy was made at, ``earlier`` are states of the notes that are known besides.
    """

    def __init__(
        self, folder: MemoryFolder, head: str | None = None, earlier: Sequence[Mapping[str, Note]] = ()
    ) -> None:
        self.folder = folder
        self.live: Mapping[str, Note] = reviewable(folder.notes)
        self._head = head
        self._earlier = earlier

    @cached_property
    def revisions(self) -> FolderRevisions | None:
        """The repository that holds the real folder, None also where git refuses to open it."""
        from memreview.vcs.revisions import open_revisions

        try:
            return open_revisions(self.folder.real_path)
        except VcsError:
            return None

    @cached_property
    def began_with(self) -> Mapping[str, Note] | None:
        """The notes of the commit that the dream's copy had checked out, None where it had none."""
        return self._notes_at(self._head) if self._head is not None else None

    @cached_property
    def latest(self) -> Mapping[str, Note] | None:
        """The notes of the latest commit of the real folder, None where it has none."""
        try:
            commit = self.revisions.resolve(None) if self.revisions is not None else None
        except MemreviewError:
            return None
        return self._notes_at(commit) if commit is not None else None

    def candidates(self, path: str) -> Iterator[bytes]:
        """Texts that a note had, the likeliest first: now, when the copy was made, in older commits."""
        seen: set[bytes] = set()
        for data in self._all(path):
            if data not in seen:
                seen.add(data)
                yield data

    def _all(self, path: str) -> Iterator[bytes]:
        if path in self.live:
            yield self.live[path].data
        if self.began_with is not None and path in self.began_with:
            yield self.began_with[path].data
        for notes in self._earlier:
            if path in notes:
                yield notes[path].data
        if self.revisions is not None:
            for commit in self.revisions.commits(OLDER_COMMITS):
                notes = self._notes_at(commit)
                if path in notes:
                    yield notes[path].data

    def _notes_at(self, commit: str) -> Mapping[str, Note]:
        from memreview.read.revision_notes import notes_at

        if commit not in self._known:
            revisions = self.revisions
            self._known[commit] = notes_at(revisions, commit, self.live) if revisions is not None else {}
        return self._known[commit]

    @cached_property
    def _known(self) -> dict[str, Mapping[str, Note]]:
        return {}
