"""Writing to stdout: colour where it is wanted, and no complaint when nobody reads on."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

import click

from memreview.report.text import Role

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
    """Print data. A reader who has gone away (``| head``) ends the printing, not the command."""
    batch: list[str] = []
    try:
        for line in lines:
            batch.append(line)
            if len(batch) >= _BATCH:
                click.echo("\n".join(batch))
                batch.clear()
        if batch:
            click.echo("\n".join(batch))
    except BrokenPipeError:
        # What is still buffered must not fail again when the interpreter flushes it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def narrate(line: str) -> None:
    """Print one line of narration to stderr."""
    from memreview.text import visible

    click.echo(visible(line), err=True)
