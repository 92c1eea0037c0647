"""``memreview evidence``: what was kept with the commits of a memory, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from memreview.cli import completion
from memreview.cli.common import Group, ProjectCommand, common_options, format_option, options_from
from memreview.cli.output import emit, narrate
from memreview.errors import ExitCode
from memreview.text import visible

if TYPE_CHECKING:
    from memreview.config import Options
    from memreview.model.dream import Project

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


@click.group("evidence", cls=Group)
def command() -> None:
    """Show, carry over, keep or forget the evidence that goes with each commit.

    It lies in git notes (refs/notes/memreview): the cited records with context, secrets masked, and what the claim
    check said.
    """


def _resolved(ctx: click.Context, given: dict[str, Any]) -> tuple[Project, Options]:
    from memreview.read.discover import resolve_project

    options = options_from(ctx, given)
    return resolve_project(given["project"], options), options


@command.command("show", cls=ProjectCommand)
@click.argument("project", metavar="PROJECT", shell_complete=completion.projects)
@click.argument("what", required=False, metavar="[COMMIT|NOTE|NOTE:LINE]")
@format_option
@common_options
@click.pass_context
def show(ctx: click.Context, /, what: str | None, output_format: str, **given: Any) -> int:
    """Show the evidence of a commit, of a note, or of one line of it: since when, whose words, verified how."""
    from memreview.evidence.show import show as look

    project, options = _resolved(ctx, given)
    found = look(project, what, options)
    if output_format == "json":
        from memreview.report.evidence import shown_data
        from memreview.report.json import dumps

        emit([dumps(shown_data(found.evidence, found.note, found.lines, found.after))])
    else:
        emit(visible(row) for row in found.text)
        if not found.evidence and not found.lines:
            narrate("memreview: no evidence is kept with it")
    return ExitCode.OK


@command.command("keep", cls=ProjectCommand)
@click.argument("project", required=False, metavar="[PROJECT]", shell_complete=completion.projects)
@click.option("--all", "everything", is_flag=True, help="Also of notes whose transcripts stay for longer than a week.")
@common_options
@click.pass_context
def keep(ctx: click.Context, /, project: str | None, everything: bool, **given: Any) -> int:
    """Keep the evidence of notes whose transcripts are about to be swept. Without PROJECT for all projects."""
    from memreview.upkeep import keep_evidence

    done = keep_evidence(options_from(ctx, given), [project] if project is not None else [], everything=everything)
    for one in done:
        if one.problem is not None:
            narrate(f"memreview: {one.project.name}: {one.problem}")
        elif one.lines or project is not None:
            what = f"{one.lines} lines of {one.notes} notes, {one.records} records"
            emit([f"{visible(one.project.name)}: kept the evidence of {what}" if one.lines else _NONE_DUE])
    failed = [one for one in done if one.problem is not None]
    return ExitCode.REFUSED if failed and (project is not None or len(failed) == len(done)) else ExitCode.OK


_NONE_DUE = "no evidence is about to be swept that is not kept already (--all keeps that of all notes)"


@command.command("sentence")
def sentence() -> int:
    """Print a sentence for CLAUDE.md that has the agent write each note's session and quote, and what it costs."""
    from memreview.report.sentence import SENTENCE, cost

    emit([SENTENCE])
    narrate(f"{cost()}; nothing was written: memreview instructions PROJECT --offer evidence --write does")
    return ExitCode.OK


@command.command("setup", cls=ProjectCommand)
@click.argument("project", metavar="PROJECT", shell_complete=completion.projects)
@common_options
@click.pass_context
def setup(ctx: click.Context, /, **given: Any) -> int:
    """Have git take the evidence along when a commit is amended or rebased (sets notes.rewriteRef)."""
    from memreview.evidence.show import store_of

    project, _ = _resolved(ctx, given)
    notes = store_of(project).notes
    if notes.carries_over():
        emit([f"{visible(notes.repository.top)}: amend and rebase take the evidence along already"])
    else:
        notes.carry_over()
        emit([f"{visible(notes.repository.top)}: amend and rebase take the evidence along from now on"])
    return ExitCode.OK


@command.command("push", cls=ProjectCommand)
@click.argument("project", metavar="PROJECT", shell_complete=completion.projects)
@click.argument("remote", metavar="REMOTE")
@common_options
@click.pass_context
def push(ctx: click.Context, /, remote: str, **given: Any) -> int:
    """Send the evidence to a remote. It holds words of your sessions: a public remote makes them public."""
    from memreview.evidence.show import store_of

    project, _ = _resolved(ctx, given)
    store_of(project).notes.push(remote)
    emit([f"the evidence is on {visible(remote)}"])
    return ExitCode.OK


@command.command("fetch", cls=ProjectCommand)
@click.argument("project", metavar="PROJECT", shell_complete=completion.projects)
@click.argument("remote", metavar="REMOTE")
@common_options
@click.pass_context
def fetch(ctx: click.Context, /, remote: str, **given: Any) -> int:
    """Take in the evidence that lies on a remote, beside what is here."""
    from memreview.evidence.show import store_of

    project, _ = _resolved(ctx, given)
    store_of(project).notes.fetch(remote)
    emit([f"the evidence of {visible(remote)} is here"])
    return ExitCode.OK


@command.command("forget", cls=ProjectCommand)
@click.argument("project", metavar="PROJECT", shell_complete=completion.projects)
@click.option("--session", metavar="ID", help="Only what was kept of this session's words.")
@click.option("--note", metavar="FILE", help="Only what was kept for this note.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@common_options
@click.pass_context
def forget(ctx: click.Context, /, session: str | None, note: str | None, yes: bool, **given: Any) -> int:
    """Drop kept evidence, all or a part; says what cannot be reached from here."""
    from memreview.evidence.advice_cache import AdviceCache
    from memreview.evidence.forget import forget as drop
    from memreview.evidence.show import store_of

    project, options = _resolved(ctx, given)
    store = store_of(project)
    if not yes:
        click.confirm(f"Drop the evidence kept in {visible(store.notes.repository.top)}?", abort=True, err=True)
    done = drop(store, options, session=session, note=note)
    AdviceCache(options.cache_dir).forget(project)
    emit([f"dropped {done.records} records from the evidence of {done.dropped.notes} commits"])
    for remark in done.remarks:
        narrate(f"memreview: {remark}")
    return ExitCode.OK
