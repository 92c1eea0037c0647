"""``memreview audit``: what is loaded of every memory folder, what is lost, and what can still be proved."""

from __future__ import annotations

import gc
import os
import shlex
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from memreview.cli import completion
from memreview.cli.common import ProjectCommand, common_options, format_option, options_from
from memreview.cli.output import coloured, emit, narrate, reading
from memreview.config import Options
from memreview.errors import ExitCode, TargetError

if TYPE_CHECKING:
    from memreview.checks.audited import ProjectAudit


@click.command("audit", cls=ProjectCommand)
@click.argument("projects_dir", required=False, metavar="[PROJECTS_DIR]", shell_complete=completion.folders)
@click.option(
    "--project",
    "projects",
    metavar="PROJECT",
    multiple=True,
    help="Only this project: its folder name, or a path to it or its code; repeatable.",
)
@click.option("--settings", metavar="FILE|JSON", help="What you give claude --settings, if you do.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "info"]),
    default="warning",
    show_default=True,
    help="From which severity on the exit status is 1.",
)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Print remarks too, which flag nothing, the layers of memory, and every note.",
)
@click.option("--propose", is_flag=True, help="Write the usual remedies as a proposal, to be reviewed.")
@format_option
@common_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    projects_dir: str | None,
    projects: tuple[str, ...],
    settings: str | None,
    fail_on: str,
    everything: bool,
    propose: bool,
    output_format: str,
    **given: Any,
) -> int:
    """Say which indexes are cut and where, which notes nobody announces, which links lead nowhere, and whose evidence
    is about to be deleted.

    PROJECTS_DIR is the folder with one folder a project (default: projects/ in Claude Code's folder), or one of these.
    Exit status 1 where there is a warning or an error. Nothing is written but the cache, and with
    --propose a proposal in the state folder.
    """
    from memreview.checks.audited import weight
    from memreview.model.finding import Severity
    from memreview.workflow import audit

    # Nothing that an audit makes is thrown away before the command ends.
    gc.disable()
    options = options_from(ctx, given)
    folder, now = _folder(projects_dir), time.time()
    audits = audit(options, folder, projects, settings=settings, progress=reading)
    if output_format == "json":
        from memreview.report.audit_json import audit_data
        from memreview.report.json import dumps

        emit([dumps(audit_data(audits, now, everything=everything))])
    else:
        from memreview.report.audit_text import AuditText

        emit(AuditText(audits, now, style=coloured, show_secrets=options.show_secrets, everything=everything).lines())
    if propose:
        _propose(audits, options)
    limit = weight(Severity(fail_on))
    flagged = any(weight(finding.severity) >= limit for one in audits for finding in one.findings)
    return ExitCode.FLAGGED if flagged else ExitCode.OK


def _propose(audits: Sequence[ProjectAudit], options: Options) -> None:
    from memreview.workflow import propose, usual_remedies

    for one in audits:
        chosen = usual_remedies(one)
        if chosen:
            target = propose(one, chosen, options)
            words = ("--base", target.base, "--proposed", target.proposed, "--project", target.project)
            narrate(f"memreview review {shlex.join(word for word in words if word is not None)}")


def _folder(path: str | None) -> str | None:
    if path is None:
        return None
    full = os.path.abspath(os.path.expanduser(path))
    if not os.path.isdir(full):
        there = "not a folder" if os.path.lexists(full) else "no such folder"
        raise TargetError(f"{full}: {there}; name the folder that holds the projects")
    return full
