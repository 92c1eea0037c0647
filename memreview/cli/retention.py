"""``memreview retention``: whose evidence expires when, and the settings line that would keep it."""

from __future__ import annotations

import time
from typing import Any

import click

from memreview.cli import completion
from memreview.cli.common import ProjectCommand, common_options, format_option, options_from
from memreview.cli.output import coloured, emit, narrate, reading
from memreview.errors import ExitCode


@click.command("retention", cls=ProjectCommand)
@click.argument("project", required=False, metavar="[PROJECT]", shell_complete=completion.projects)
@click.option("--settings", metavar="FILE|JSON", help="What you give claude --settings, if you do.")
@click.option("--write", is_flag=True, help="Write the proposed line into settings.json, with a backup.")
@click.option("--days", type=click.IntRange(min=1), help="The number of days to write, instead of the proposed one.")
@click.option("--all", "everything", is_flag=True, help="List also notes whose evidence stays.")
@format_option
@common_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    project: str | None,
    settings: str | None,
    write: bool,
    days: int | None,
    everything: bool,
    output_format: str,
    **given: Any,
) -> int:
    """Say for every note which transcripts it rests on, which of them are gone, and how long the others stay.

    Without PROJECT for all projects. Nothing is written but the cache, unless --write is given: then the user's
    settings.json gets the line that keeps transcripts long enough. A file that does not parse is never written.
    """
    from memreview.errors import UsageError
    from memreview.workflow import retention, write_period

    options = options_from(ctx, given)
    if days is not None and not write:
        raise UsageError("--days says what --write writes; give --write too")
    report = retention(options, [project] if project is not None else [], settings=settings, progress=reading)
    projects = [(one.audit, one.notes) for one in report.projects]
    if output_format == "json":
        from memreview.report.json import dumps
        from memreview.report.retention import evidence_data

        emit([dumps(evidence_data(projects, report.proposal, report.last_sweep, report.settings))])
    else:
        from memreview.report.retention import EvidenceText

        text = EvidenceText(
            projects, report.proposal, report.last_sweep, report.settings, style=coloured, everything=everything
        )
        emit(text.lines())
    if write:
        wanted = days if days is not None else report.proposal.days
        path, backup = write_period(options, wanted, time.time())
        kept = f"; what it was is in {backup}" if backup is not None else ""
        narrate(f"{path}: transcripts are kept for {wanted} days now{kept}")
        over = {one.audit.retention.period.source for one in report.projects} - {"user", "default"}
        for source in sorted(over):
            narrate(f"settings of kind {source} come before it and may say otherwise")
    return ExitCode.OK
