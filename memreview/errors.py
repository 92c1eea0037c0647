"""Exceptions and exit statuses.

Every error that a user can cause or must act on is a :class:`MemreviewError` with one line of text that names the
file and the remedy; the command line prints it without a traceback.
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit statuses of every command."""

    OK = 0
    FLAGGED = 1
    USAGE = 2
    REFUSED = 3
    INTERRUPTED = 130


class MemreviewError(Exception):
    """A refusal or a failure with a one-line message for the user."""

    exit_code: ExitCode = ExitCode.REFUSED
    detail: str = ""
    """All lines of what another program said of it, where the message holds only the first."""


class UsageError(MemreviewError):
    """The command line, a decisions file or the configuration is not usable."""

    exit_code = ExitCode.USAGE


class TargetError(UsageError):
    """What was named for review does not exist or is no dream's output."""


class DreamError(MemreviewError):
    """A dream's output cannot be trusted: cut, unfitting, escaping its folder."""


class TranscriptError(MemreviewError):
    """A transcript is missing, unreadable or no regular file."""


class RefusedError(MemreviewError):
    """Writing was refused; nothing was changed."""


class LockedError(RefusedError):
    """Another process holds the lock of a memory folder."""


class VcsError(MemreviewError):
    """git failed, or is in a state in which nothing may be committed."""
