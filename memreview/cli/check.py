"""``memreview check``: does each line of the notes still have its evidence? Without a model, fit for every night."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Any

import click

from memreview.cli import completion
from memreview.cli.common import ProjectCommand, common_options, format_option, options_from, unusual_claude_dir
from memreview.cli.output import coloured, emit, narrate
from memreview.errors import ExitCode, UsageError
from memreview.text import mask_secrets, visible

if TYPE_CHECKING:
    from memreview.upkeep import CheckedMemory


SHOWN = 20
"""Lines of one project that are printed, the worst."""


@click.command("check", cls=ProjectCommand)
@click.argument("project", required=False, metavar="[PROJECT]", shell_complete=completion.projects)
@click.option("--all", "everything", is_flag=True, help="Print every line that needs a look, not the worst of them.")
@click.option("--propose", metavar="DIR", help="Write what is to be unpinned as a proposal for memreview review.")
@click.option("--schedule", is_flag=True, help="Print lines for cron and units for systemd, and do nothing else.")
@format_option
@common_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    project: str | None,
    everything: bool,
    propose: str | None,
    schedule: bool,
    output_format: str,
    **given: Any,
) -> int:
    """Say of each line of the notes whether to keep, review or unpin it. Without PROJECT for all projects.

    keep: its quote stands in the transcript, or that is gone and the kept evidence backs it. Nothing is printed where
    all is kept, and the exit status is 0; otherwise it is 1.
    """
    if schedule:
        from memreview.report.schedule import schedule_lines

        emit(schedule_lines(project, unusual_claude_dir(ctx, given)))
        return ExitCode.OK
    if propose is not None and project is None:
        raise UsageError("--propose is about one project; name it")
    from memreview.upkeep import check

    options = options_from(ctx, given)
    checked = check(options, [project] if project is not None else [])
    if output_format == "json":
        from memreview.report.advice import checked_data
        from memreview.report.json import dumps

        emit([dumps(checked_data([(one.project, one.advised) for one in checked], show_secrets=options.show_secrets))])
    else:
        emit(_lines(checked, everything=everything, show_secrets=options.show_secrets))
    for one in checked if propose is not None else ():
        _propose(one, os.path.abspath(os.path.expanduser(propose or "")))
    problems = [one for one in checked if one.problem is not None]
    for one in problems:
        narrate(f"memreview: {one.project.name}: {one.problem}")
    for one in checked:
        for path in one.unreadable:
            narrate(f"memreview: {one.project.name}: {path}: cannot be read, so nothing is said of it")
    if not checked and not os.path.isdir(options.projects_dir):
        narrate(f"memreview: {options.projects_dir}: there is no such folder, so nothing was checked")
    if problems and (project is not None or len(problems) == len(checked)):
        return ExitCode.REFUSED
    return ExitCode.FLAGGED if any(one.queue or one.unreadable or one.problem for one in checked) else ExitCode.OK


def _propose(checked: CheckedMemory, folder: str) -> None:
    from memreview.upkeep import propose_unpinning

    if propose_unpinning(checked, folder):
        words = shlex.join(["memreview", "review", folder, "--project", checked.project.path])
        narrate(f"memreview: the proposal is written; look at it with: {words}")
    else:
        narrate("memreview: nothing is to be unpinned, so no proposal was written")


def _lines(checked: list[CheckedMemory], *, everything: bool, show_secrets: bool) -> list[str]:
    from memreview.report.advice import queue_lines

    mask = str if show_secrets else mask_secrets
    rows: list[str] = []
    for one in checked:
        if one.queue:
            head = f"{visible(one.project.name)}: {len(one.queue)} of {len(one.advised)} lines need a look"
            rows += [head, *queue_lines(one.queue, coloured, mask, None if everything else SHOWN)]
    return rows
