"""The commits of an apply: what lay uncommitted, then what was accepted; and how they are taken back."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memreview.apply.journal import Area, GitJournal, GitStep, Journal
from memreview.errors import VcsError
from memreview.text import visible
from memreview.vcs.index import FileContent, IndexEntry
from memreview.vcs.repository import Repository

_TREE = "tree"
_TAKE_BACK = "memreview: take back the state before review"
Contents = Mapping[str, FileContent | None]


@dataclass(frozen=True, slots=True)
class CommitStep:
    """One commit to be made: the index file that describes it, the tree that it must have, its message."""

    index: str
    tree: str
    message: str
    review: bool


@dataclass(frozen=True, slots=True)
class CommitPlan:
    """The commits to be made on top of ``journal.head``; without any, git sees nothing to commit."""

    steps: tuple[CommitStep, ...]
    journal: GitJournal


@dataclass(frozen=True, slots=True)
class Messages:
    """What the commits say: the review's, and those that keep what was uncommitted or staged before."""

    review: str
    before: str
    staged: str


def prepare(repository: Repository, area: Area, before: Contents, after: Contents, messages: Messages) -> CommitPlan:
    """Prepare the review's commit, and one below it for what is uncommitted in the same notes.

    ``before``/``after`` are the contents on disk of every note that changes, by path in the memory folder. Nothing
    that git shows changes yet. Raises :class:`VcsError` where git must not or cannot commit them.
    """
    tip = repository.tip()
    head = tip.sha
    old, new = _from_top(repository, before), _from_top(repository, after)
    state = repository.git_index(tip.tree)
    _refuse_hidden(repository, old, state.hidden, "git was told not to look at it; undo skip-worktree")
    _refuse_hidden(repository, old, state.unmerged, "it is in conflict in git's index; settle that first")
    tree = os.path.join(area.path, _TREE)
    present = repository.temporary_index(os.path.join(area.path, "index-before"), head)
    present.stage(tree, old)
    on_disk = present.entries(old)
    steps: list[CommitStep] = []
    # What is staged but neither in HEAD nor on disk would be lost from the index; a commit keeps it.
    staged: dict[str, IndexEntry | None] = {
        path: state.entries[path]
        for path in old
        if path in state.staged and path in state.entries and state.entries[path] != on_disk.get(path)
    }
    last = tip.tree
    if staged:
        index = repository.temporary_index(os.path.join(area.path, "index-staged"), head)
        index.put(staged)
        last = index.write_tree()
        steps.append(CommitStep(index.path, last, messages.staged, False))
    now = present.write_tree()
    if now != last:
        steps.append(CommitStep(_copy(present.path, area, "index-now"), now, messages.before, False))
    present.stage(tree, new)
    then = present.write_tree()
    if then == now:
        return CommitPlan((), GitJournal(head, None, ()))
    steps.append(CommitStep(present.path, then, messages.review, True))
    return CommitPlan(tuple(steps), _journal(repository, head, steps, state.entries, present.entries(new), tuple(new)))


def prepare_part(repository: Repository, area: Area, after: Contents, messages: Messages) -> CommitPlan:
    """Prepare a commit of texts that need not be those on disk (None: not there), on top of HEAD.

    The user's index follows only where it held what HEAD holds. Raises :class:`VcsError` like :func:`prepare`.
    """
    tip = repository.tip()
    head = tip.sha
    new = _from_top(repository, after)
    state = repository.git_index(tip.tree)
    _refuse_hidden(repository, new, state.hidden, "git was told not to look at it; undo skip-worktree")
    _refuse_hidden(repository, new, state.unmerged, "it is in conflict in git's index; settle that first")
    index = repository.temporary_index(os.path.join(area.path, "index-review"), head)
    index.stage(os.path.join(area.path, _TREE), new)
    then = index.write_tree()
    if then == tip.tree:
        return CommitPlan((), GitJournal(head, None, ()))
    steps = [CommitStep(index.path, then, messages.review, True)]
    follows = tuple(path for path in new if path not in state.staged)
    return CommitPlan(tuple(steps), _journal(repository, head, steps, state.entries, index.entries(new), follows))


def save_state(repository: Repository, area: Area, ref: str, present: Contents, message: str) -> str:
    """Keep texts as they are on disk in a commit that only ``ref`` names; the commit's id."""
    head = repository.head()
    index = repository.temporary_index(os.path.join(area.path, "index-saved"), head)
    index.stage(os.path.join(area.path, _TREE), _from_top(repository, present))
    return repository.save(ref, index.write_tree(), head, message)


def commit_before(repository: Repository, plan: CommitPlan) -> str | None:
    """Commit what was uncommitted; the commit on which the review's follows. Takes all back where one is refused."""
    parent = plan.journal.head
    try:
        for step in plan.steps:
            if not step.review:
                parent = repository.commit(step.index, step.message, parent, step.tree).sha
    except BaseException:
        take_back(repository, plan.journal)
        raise
    return parent


def commit_review(repository: Repository, plan: CommitPlan, parent: str | None) -> str | None:
    """Make the review's commit; its id, None where git sees nothing to commit."""
    for step in plan.steps:
        if step.review:
            return repository.commit(step.index, step.message, parent, step.tree).sha
    return None


def finish_index(repository: Repository, journal: GitJournal) -> tuple[str, ...]:
    """Let the user's index follow the review's commit; what is to be told of it."""
    before, after = _entries(journal.before), _entries(journal.after)
    try:
        left = repository.update_index(before, after)
    except (VcsError, OSError) as error:
        # The review's commit is made; that the index lags behind is no reason to fail.
        return (f"git's index was not brought up to date ({error}); git reset does it",)
    return tuple(f"{visible(path)}: what was staged of it meanwhile stays staged" for path in left)


def made_so_far(repository: Repository, journal: GitJournal) -> tuple[str, ...]:
    """The commits of an apply that were made, oldest first; recognised by their trees and their order."""
    made: list[str] = []
    for commit, step in zip(repository.commits_since(journal.head), journal.steps, strict=False):
        if commit.tree != step.tree:
            break
        made.append(commit.sha)
    return tuple(made)


def take_back(repository: Repository, journal: GitJournal) -> bool:
    """Take back the commits that kept what was uncommitted; False where others were made on top of them."""
    made = made_so_far(repository, journal)
    if not made:
        return True
    if repository.head() != made[-1] or repository.branch() != journal.branch:
        return False
    repository.move_head(made[-1], journal.head, _TAKE_BACK)
    return True


def review_commit(repository: Repository, journal: Journal) -> str | None:
    """The review's commit of an apply that was cut off, None where it was not made."""
    if journal.git is None or not journal.git.steps:
        return None
    made = made_so_far(repository, journal.git)
    return made[-1] if len(made) == len(journal.git.steps) else None


def _from_top(repository: Repository, contents: Contents) -> dict[str, FileContent | None]:
    return {repository.prefix + path: content for path, content in contents.items()}


def _refuse_hidden(repository: Repository, paths: Contents, hidden: frozenset[str], why: str) -> None:
    for path in paths:
        if path in hidden:
            raise VcsError(f"{visible(os.path.join(repository.top, path))}: {why}, or use --no-commit")


def _copy(path: str, area: Area, name: str) -> str:
    copy = os.path.join(area.path, name)
    shutil.copyfile(path, copy)
    return copy


def _journal(
    repository: Repository,
    head: str | None,
    steps: Sequence[CommitStep],
    before: Mapping[str, IndexEntry],
    after: Mapping[str, IndexEntry],
    follows: Sequence[str],
) -> GitJournal:
    return GitJournal(
        head=head,
        branch=repository.branch(),
        steps=tuple(GitStep(step.tree, step.review) for step in steps),
        before={path: _pair(before.get(path)) for path in follows},
        after={path: _pair(after.get(path)) for path in follows},
    )


def _pair(entry: IndexEntry | None) -> tuple[str, str] | None:
    return (entry.mode, entry.oid) if entry is not None else None


def _entries(pairs: Mapping[str, tuple[str, str] | None]) -> dict[str, IndexEntry | None]:
    return {path: IndexEntry(*pair) if pair is not None else None for path, pair in pairs.items()}
