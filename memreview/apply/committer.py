"""The commits of one apply, from the opening of the repository to the last touch on the user's index."""

from __future__ import annotations

from memreview.apply import commit
from memreview.apply.commit import CommitPlan, Contents, Messages
from memreview.apply.git_state import refuse_ignored
from memreview.apply.in_place import repository_of
from memreview.apply.journal import Area, GitJournal
from memreview.apply.message import first_message, review_message, saved_message, state_message
from memreview.apply.planned import Plan, PlannedFile
from memreview.apply.request import Request
from memreview.errors import VcsError
from memreview.lock import FOREIGN_LOCK_NAME
from memreview.text import visible
from memreview.vcs.index import FileContent
from memreview.vcs.repository import Repository, create_repository, open_repository, refuse_without_identity

SAVED_REFS = "refs/memreview/before/"


def open_committer(request: Request, plan: Plan) -> GitCommits:
    """The repository of the folder, ready to be committed to.

    Raises :class:`VcsError` where there is none and none shall be made, in the middle of a merge and the like, where
    git does not know the user, and where the repository ignores what would be committed.
    """
    repository = _usable(request, plan)
    if repository is not None:
        return GitCommits(request, plan, repository)
    made = create_repository(request.memory_dir, first_message(request.review), [FOREIGN_LOCK_NAME])
    commits = GitCommits(request, plan, made, created=True)
    try:
        if not request.add_ignored:
            refuse_ignored(made, request.memory_dir, plan)
    except BaseException:
        commits.abandon()
        raise
    return commits


def refusal(request: Request, plan: Plan) -> str | None:
    """Why the commit of a plan would be refused as things stand, None where nothing is known against it."""
    try:
        _usable(request, plan)
    except VcsError as error:
        return str(error)
    return None


def _usable(request: Request, plan: Plan) -> Repository | None:
    """The repository to commit to, None where one shall be made; nothing is changed."""
    if request.in_place:
        repository: Repository | None = repository_of(request.memory_dir)
    else:
        repository = open_repository(request.memory_dir)
    if repository is None and not request.init:
        raise VcsError(
            f"{visible(request.memory_dir)}: no git repository holds this folder, so nothing could be undone "
            "later; use --init to make one here, or --no-commit"
        )
    if repository is not None and not request.no_commit:
        repository.refuse_if_busy()
    refuse_without_identity(request.memory_dir)
    if repository is not None and not (request.no_commit or request.add_ignored):
        refuse_ignored(repository, request.memory_dir, plan)
    return repository


class GitCommits:
    """A :class:`~memreview.apply.request.Committer` for a folder under git."""

    def __init__(self, request: Request, plan: Plan, repository: Repository, *, created: bool = False) -> None:
        self._request = request
        self._plan = plan
        self._repository = repository
        self._commits: CommitPlan | None = None
        self._parent: str | None = None
        self._first: str | None = None
        self.before_ref: str | None = None
        self.remarks: tuple[str, ...] = ()
        if created:
            self._first = repository.head()
            self.remarks = (
                f"{visible(repository.top)}: this folder is under git now; its first commit is what was there",
            )

    def prepare(self, area: Area) -> GitJournal | None:
        """Prepare the commits in the area; the journal keeps git running processes from being overlooked."""
        self._repository.held = (area.alive,)
        review, plan = self._request.review, self._plan
        if self._request.in_place and plan.files:
            ref = SAVED_REFS + area.name
            message = saved_message(review)
            sha = commit.save_state(self._repository, area, ref, _before(plan.files), message)
            self.before_ref = ref
            self.remarks += (f"the notes as they were on disk are kept in {ref} ({sha[:12]})",)
        if self._request.no_commit:
            return None
        messages = Messages(
            review_message(review, plan, self._request.message),
            state_message(review),
            state_message(review, staged=True),
        )
        if self._request.in_place:
            after = _after(plan.committed or ())
            self._commits = commit.prepare_part(self._repository, area, after, messages) if after else None
        else:
            before, after = _before(plan.files), _after(plan.files)
            self._commits = commit.prepare(self._repository, area, before, after, messages)
        if self._commits is None or not self._commits.steps:
            return None
        return self._commits.journal

    def commit_state(self) -> None:
        """Commit what lay uncommitted in the notes that change."""
        if self._commits is not None:
            self._parent = commit.commit_before(self._repository, self._commits)

    def commit_review(self) -> str | None:
        """Commit what was accepted."""
        if self._commits is None:
            return None
        return commit.commit_review(self._repository, self._commits, self._parent)

    def finish(self) -> tuple[str, ...]:
        """Let the user's index follow."""
        if self._commits is None or not self._commits.steps:
            return ()
        return commit.finish_index(self._repository, self._commits.journal)

    def take_back(self) -> bool:
        """Take back the commits made so far."""
        return self._commits is None or commit.take_back(self._repository, self._commits.journal)

    def abandon(self) -> None:
        """Remove a repository that was made for this apply, while nothing but its first commit is in it."""
        if self._first is not None and self._repository.head() == self._first:
            self._repository.remove()


def _before(files: tuple[PlannedFile, ...]) -> Contents:
    return {file.path: FileContent(file.old.data, file.old.mode) if file.old else None for file in files}


def _after(files: tuple[PlannedFile, ...]) -> Contents:
    return {file.path: FileContent(file.new, mode_of(file)) if file.new is not None else None for file in files}


def mode_of(file: PlannedFile) -> int:
    """The permission bits of a planned file."""
    like = file.old or file.like
    return like.mode if like is not None else 0o644
