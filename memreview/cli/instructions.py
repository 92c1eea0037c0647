"""``memreview instructions``: sentences on memory for CLAUDE.md, shown as a difference, written on request."""

from __future__ import annotations

from typing import Any

import click

from memreview.cli import completion
from memreview.cli.common import ProjectCommand, common_options, format_option, options_from
from memreview.cli.output import emit, narrate
from memreview.errors import ExitCode, UsageError
from memreview.text import visible

_BETS = {
    "purpose": "that it helps is a bet: it was measured on other tasks than yours",
    "evidence": "notes get longer by about {tokens} tokens each, where the agent follows it",
}


@click.command("instructions", cls=ProjectCommand)
@click.argument("project", required=False, metavar="[PROJECT]", shell_complete=completion.projects)
@click.option("--user", is_flag=True, help="Your own CLAUDE.md, which the sessions of all projects load.")
@click.option(
    "--offer",
    "what",
    type=click.Choice(["purpose", "evidence"]),
    default="purpose",
    show_default=True,
    help="Say what memory is for and to check before use, or have each note carry its session and a quote.",
)
@click.option("--write", is_flag=True, help="Put the lines at the end of the file.")
@format_option
@common_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    project: str | None,
    user: bool,
    what: str,
    write: bool,
    output_format: str,
    **given: Any,
) -> int:
    """Show what could be put into the CLAUDE.md of PROJECT's directory, or with --user into your own.

    Nothing is written without --write; then the lines are put at the end of the file and nothing else changes.
    """
    from memreview.auditing.offers import Offered
    from memreview.read.discover import resolve_project
    from memreview.report.sentence import QUOTE_TOKENS
    from memreview.workflow import offer_sentences, write_sentences

    if (project is None) != user:
        raise UsageError("name a PROJECT, or give --user for the file that all projects load")
    options = options_from(ctx, given)
    one = offer_sentences(Offered(what), resolve_project(project, options) if project is not None else None, options)
    written = write and one.said_in is None
    if written:
        write_sentences(one)
    if output_format == "json":
        from memreview.report.json import dumps

        data = {"schema": 1, "offer": what, "file": one.path, "lines": list(one.lines), "tokens": one.tokens}
        emit([dumps({**data, "said_in": one.said_in, "written": written})])
    elif one.said_in is None:
        emit(map(visible, one.diff()))
    cost = f"about {one.tokens} tokens in every session"
    if one.said_in is not None:
        narrate(f"{one.said_in} says it already; nothing was written")
    elif written:
        narrate(f"{one.path}: written; it costs {cost}")
    else:
        bet = _BETS[what].format(tokens=QUOTE_TOKENS)
        narrate(f"it would cost {cost}; {bet}; nothing was written (--write does)")
    return ExitCode.OK
