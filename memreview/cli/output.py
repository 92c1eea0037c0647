"""Writing to stdout: colour where it is wanted, and no complaint when nobody reads on."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TextIO

import click

from memreview.errors import ExitCode, MemreviewError
from memreview.report.styles import Role
from memreview.text import visible

_COLOURS: dict[Role, dict[str, object]] = {
    Role.PATH: {"bold": True},
    Role.ADDED: {"fg": "green"},
    Role.REMOVED: {"fg": "red"},
    Role.GOOD: {"fg": "green"},
    Role.BAD: {"fg": "yellow", "bold": True},
    Role.DIM: {"dim": True},
    Role.HEADING: {"bold": True},
}
_BATCH = 200


def coloured(text: str, role: Role) -> str:
    """``text`` in the colour of its role; click strips it again where colour is not wanted."""
    return click.style(text, **_COLOURS[role])  # type: ignore[arg-type]


def emit(lines: Iterable[str]) -> None:
    """Print data. A reader who has gone away (``| head``) ends the printing, not the command.

    Raises :class:`MemreviewError` where standard output cannot be written.
    """
    batch: list[str] = []
    try:
        for line in lines:
            batch.append(line)
            if len(batch) >= _BATCH:
                click.echo("\n".join(batch))
                batch.clear()
        if batch:
            click.echo("\n".join(batch))
    except OSError as error:
        _silence(sys.stdout)
        if not isinstance(error, BrokenPipeError):
            why = error.strerror or error
            raise MemreviewError(f"standard output cannot be written ({why}); what was done stays done") from error


def flushed(status: int) -> int:
    """The exit status after everything was written out: data that got lost is a failure."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            _silence(stream)
            if stream is sys.stdout and status == ExitCode.OK:
                status = ExitCode.REFUSED
    return status


def _silence(stream: TextIO) -> None:
    """What is still buffered must not fail again when the interpreter flushes it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def narrate(line: str) -> None:
    """Print one line of narration to stderr."""
    click.echo(visible(line), err=True)


def reading(done: int, total: int, size: int) -> None:
    """Say once that many transcripts are being read, which the next time will not be."""
    if done == 0 and size > 64 << 20:
        narrate(f"reading {total} transcripts ({size / 1e6:,.0f} MB) once; the next time they are in the cache")
