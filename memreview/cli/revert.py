"""``memreview revert``: take back a review, or single changes of it."""

from __future__ import annotations

from typing import Any

import click

from memreview.cli import completion
from memreview.cli.common import ProjectCommand, common_options, format_option, options_from
from memreview.cli.output import emit, narrate
from memreview.errors import ExitCode


@click.command("revert", cls=ProjectCommand)
@click.argument("project", metavar="PROJECT", shell_complete=completion.projects)
@click.argument("commit", metavar="COMMIT")
@click.option("--change", "changes", metavar="ID", multiple=True, help="Only this change (see log); repeatable.")
@click.option("--message", metavar="TEXT", help="Why, for the commit's message.")
@click.option("--dry-run", is_flag=True, help="Say what would be taken back, write nothing.")
@click.option("--wait", type=click.FloatRange(min=0), metavar="SECONDS", help="How long to wait for another's lock.")
@format_option
@common_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    project: str,
    commit: str,
    changes: tuple[str, ...],
    message: str | None,
    dry_run: bool,
    wait: float | None,
    output_format: str,
    **given: Any,
) -> int:
    """Take back a commit of a memory, or single changes of it, by a new commit.

    It is merged with what stands in the notes now. Exit status 3, with nothing written, where later edits overlap.
    """
    from memreview.cli.past import evidence_lines, revert_data
    from memreview.read.discover import resolve_project
    from memreview.upkeep import revert

    options = options_from(ctx, given)
    done = revert(
        resolve_project(project, options), commit, options, changes, reason=message, dry_run=dry_run, wait=wait
    )
    result = done.result
    if output_format == "json":
        from memreview.report.json import dumps

        emit([dumps(revert_data(done))])
    else:
        emit(evidence_lines(done))
        if result.commit is not None:
            emit([f"taken back by commit {result.commit}"])
        elif not result.conflicts:
            emit(["would be taken back (dry run)" if dry_run and (result.written or result.deleted) else _NOTHING])
    for note in result.notes:
        narrate(f"memreview: {note}")
    for conflict in result.conflicts:
        narrate(f"memreview: {conflict.path}: {conflict.reason}; nothing was written: edit the note by hand")
    return ExitCode.REFUSED if result.conflicts else ExitCode.OK


_NOTHING = "nothing to take back: the notes stand so already"
