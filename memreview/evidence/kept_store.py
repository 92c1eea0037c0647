"""The evidence that goes with the commits of a memory folder: put there, found again, and listed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from memreview.config import Options
from memreview.evidence.kept_text import read_back, written
from memreview.lock import DEFAULT_WAIT, memory_lock
from memreview.model.kept import KeptChange, KeptEvidence
from memreview.vcs.notes import EvidenceNotes
from memreview.vcs.repository import open_repository


@dataclass(frozen=True, slots=True)
class Backing:
    """One kept change, in the evidence that it belongs to, on the commit whose note that is."""

    commit: str
    evidence: KeptEvidence
    change: KeptChange


class KeptStore:
    """All evidence of one memory folder."""

    def __init__(self, notes: EvidenceNotes) -> None:
        self.notes = notes
        self.folder = notes.repository.prefix

    @cached_property
    def blobs(self) -> Mapping[str, str]:
        """The note of each commit that has one, of this folder or of another one in the same repository."""
        return self.notes.listed()

    @cached_property
    def by_commit(self) -> Mapping[str, tuple[KeptEvidence, ...]]:
        """The evidence of this folder, by the commit that it lies on."""
        texts = self.notes.texts(list(self.blobs.values()))
        found: dict[str, tuple[KeptEvidence, ...]] = {}
        for commit, blob in self.blobs.items():
            parts = tuple(part for part in read_back(texts.get(blob, b"")) if part.folder == self.folder)
            if parts:
                found[commit] = parts
        return found

    @cached_property
    def state(self) -> str:
        """Changes whenever any evidence does."""
        return self.notes.tip() or ""

    @cached_property
    def _by_patch(self) -> Mapping[str, str]:
        return {part.patch: commit for commit, parts in self.by_commit.items() for part in parts if part.patch}

    def of_commit(self, commit: str) -> tuple[KeptEvidence, ...]:
        """The evidence of a commit, also where it was left on the one that this one was made from."""
        own = self.by_commit.get(commit)
        if own is not None:
            return own
        if not self._by_patch:
            return ()
        old = self._by_patch.get(self.notes.patch_id(commit))
        return self.by_commit[old] if old is not None else ()

    def of_history(self) -> dict[str, tuple[KeptEvidence, ...]]:
        """The evidence of every commit below HEAD that has any, newest first."""
        found: dict[str, tuple[KeptEvidence, ...]] = {}
        for commit, patch in self.notes.patch_ids().items():
            parts = self.by_commit.get(commit) or self.by_commit.get(self._by_patch.get(patch, ""))
            if parts:
                found[commit] = parts
        return found

    def backings(self) -> Iterator[Backing]:
        """Every kept change, the latest kept first."""
        parts = [(part, commit) for commit, of_commit in self.by_commit.items() for part in of_commit]
        for part, commit in sorted(parts, key=lambda pair: pair[0].made, reverse=True):
            for change in part.changes:
                yield Backing(commit, part, change)

    def add(self, commit: str, evidence: KeptEvidence, options: Options, wait: float = DEFAULT_WAIT) -> None:
        """Put evidence on a commit, beside what lies there already.

        Raises :class:`~memreview.errors.MemreviewError` where that fails; the commit is as it was then.
        """
        # All folders of a repository share one ref, so the lock is the repository's.
        with memory_lock(self.notes.repository.git_dir, options.state_dir, wait):
            blob = self.notes.listed().get(commit)
            before = self.notes.texts([blob]).get(blob, b"") if blob is not None else b""
            whole = replace(evidence, folder=self.folder, patch=self.notes.patch_id(commit))
            rest = before.rstrip(b"\n") + b"\n\n" if before.strip() else b""
            self.notes.write(commit, rest + written([whole]))
        for name in ("blobs", "by_commit", "state", "_by_patch"):
            self.__dict__.pop(name, None)


def open_store(memory_dir: str) -> KeptStore | None:
    """The evidence of a memory folder, None where it is not under git. Raises :class:`VcsError` as git does."""
    repository = open_repository(memory_dir)
    return KeptStore(EvidenceNotes(repository)) if repository is not None else None
