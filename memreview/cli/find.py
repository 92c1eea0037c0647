"""``memreview find``: where a text stands, in notes and transcripts side by side."""

from __future__ import annotations

from typing import Any

import click

from memreview.cli.common import common_options, format_option, options_from
from memreview.cli.output import coloured, emit
from memreview.errors import ExitCode


@click.command("find")
@click.argument("text", nargs=-1, required=True)
@click.option(
    "--project",
    "projects",
    metavar="PROJECT",
    multiple=True,
    help="Only this project: its folder name, or a path to it or its code; repeatable.",
)
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Places of each kind.")
@format_option
@common_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    text: tuple[str, ...],
    projects: tuple[str, ...],
    limit: int,
    output_format: str,
    **given: Any,
) -> int:
    """Look for TEXT in all notes and in everything that was said, letters of either case.

    Several words are one text. Exit status 0, whether it was found or not.
    """
    from memreview.workflow import find

    options = options_from(ctx, given)
    wanted = " ".join(text)
    found = find(wanted, options, projects, limit=limit)
    rows = [(one.project, one.notes, one.records, one.more_notes, one.more_records) for one in found]
    if output_format == "json":
        from memreview.report.found import found_data
        from memreview.report.json import dumps

        emit([dumps(found_data(wanted, rows, show_secrets=options.show_secrets))])
    else:
        from memreview.report.found import found_lines

        emit(found_lines(wanted, rows, style=coloured, show_secrets=options.show_secrets))
    return ExitCode.OK
