"""``memreview log``: what was committed to a memory, newest first, with the ids by which it can be taken back."""

from __future__ import annotations

from typing import Any

import click

from memreview.cli import completion
from memreview.cli.common import ProjectCommand, common_options, format_option, options_from
from memreview.cli.output import coloured, emit, narrate
from memreview.errors import ExitCode
from memreview.text import visible


@click.command("log", cls=ProjectCommand)
@click.argument("project", metavar="PROJECT", shell_complete=completion.projects)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the latest N commits.")
@format_option
@common_options
@click.pass_context
def command(ctx: click.Context, /, project: str, limit: int | None, output_format: str, **given: Any) -> int:
    """List past reviews and other commits of a memory: each change with its id, and whether evidence was kept."""
    from memreview.read.discover import resolve_project
    from memreview.upkeep import past_reviews

    memory = resolve_project(project, options_from(ctx, given))
    found = past_reviews(memory, limit)
    if output_format == "json":
        from memreview.cli.past import log_data
        from memreview.report.json import dumps

        emit([dumps(log_data(found))])
    else:
        from memreview.cli.past import log_lines

        emit(log_lines(found, coloured))
        if not found:
            narrate(
                f"memreview: {visible(memory.name)}: no commit has changed its notes since the first that holds them"
            )
    return ExitCode.OK
