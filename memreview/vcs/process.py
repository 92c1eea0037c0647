"""Running git through GitPython, with everything that a message or a decision needs of the outcome."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memreview.errors import VcsError

_QUIET = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_GLOB_PATHSPECS": "0",
    "GIT_NOGLOB_PATHSPECS": "0",
    "GIT_ICASE_PATHSPECS": "0",
    "GIT_OPTIONAL_LOCKS": "0",
}
"""Paths are names, never patterns, and reading leaves the index alone."""

_SELECTORS = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_GRAFT_FILE",
    "GIT_QUARANTINE_PATH",
)
"""Variables by which a git that runs us (a hook, an alias) points its children at its own repository."""

_SHOWN_LINES = 3
_KEPT_LINES = 500


@dataclass(frozen=True, slots=True)
class Completed:
    """How a git command ended: exit status, raw output, messages."""

    status: int
    out: bytes
    err: str

    @property
    def reason(self) -> str:
        """The first lines of what git, or a hook, had to say, in one line."""
        return " / ".join(line.strip() for line in self._told[:_SHOWN_LINES]) or f"exit status {self.status}"

    @property
    def detail(self) -> str:
        """All of that, in lines, where it is more than the reason holds."""
        return "\n".join(self._told[:_KEPT_LINES]) if len(self._told) > _SHOWN_LINES else ""

    @property
    def _told(self) -> list[str]:
        lines = [line.rstrip() for line in (self.err or self.out.decode("utf-8", "replace")).split("\n")]
        return [line for line in lines if line.strip() and not line.startswith("warning: in the working copy")]


def forget_surrounding_repository() -> None:
    """Drop the variables that a surrounding git command set: the repository is the one that holds the folder."""
    for name in _SELECTORS:
        os.environ.pop(name, None)


def users_environment() -> dict[str, str]:
    """The locale as the user has it, for commands that run hooks (GitPython sets ``C``)."""
    return {name: os.environ.get(name, "") for name in ("LANGUAGE", "LC_ALL")}


def run_git(
    folder: str,
    arguments: Sequence[str],
    *,
    stdin: bytes | None = None,
    env: Mapping[str, str] | None = None,
    quiet: bool = True,
    pass_fds: Sequence[int] = (),
) -> Completed:
    """Run one git command in a folder.

    ``quiet`` makes paths literal and keeps git from asking; a command that runs hooks has it off, because hooks would
    inherit that. ``pass_fds`` are descriptors that git and its hooks keep open. Raises :class:`VcsError` where git is
    not installed.
    """
    # GitPython takes long to load; what only looks at this module shall not pay for it.
    from git import Git
    from git.exc import GitCommandNotFound

    variables = {**(_QUIET if quiet else {}), **(env or {})}
    with tempfile.TemporaryFile() as source:
        if stdin is not None:
            source.write(stdin)
            source.seek(0)
        try:
            status, out, err = Git(folder).execute(
                # GitPython would run git in the folder of this process where it cannot enter the one it is given.
                ["git", "-C", folder, *arguments],
                istream=source if stdin is not None else None,
                with_extended_output=True,
                with_exceptions=False,
                stdout_as_string=False,
                strip_newline_in_stdout=False,
                env=variables,
                pass_fds=tuple(pass_fds),
            )
        except GitCommandNotFound as error:
            raise VcsError("git was not found; install it or put it on PATH") from error
    return Completed(status, out, err)
