"""``memreview verify``: the review without a screen."""

from __future__ import annotations

from typing import Any

import click

from memreview.cli.common import common_options, format_option, options_from, target_from, target_options
from memreview.cli.output import coloured, emit
from memreview.errors import ExitCode

VERDICTS = ("supported", "derived", "elsewhere", "unsupported", "contradicted", "unverifiable")


@click.command("verify")
@target_options
@click.option(
    "--allow",
    multiple=True,
    type=click.Choice(VERDICTS),
    help="A verdict that does not count for the exit status; repeatable.",
)
@click.option("--all", "everything", is_flag=True, help="List also the claims that the old text made already.")
@format_option
@common_options
@click.pass_context
def command(ctx: click.Context, /, output_format: str, allow: tuple[str, ...], everything: bool, **given: Any) -> int:
    """Check a proposal and print what was found: every change, what it cites, and whether that says as much.

    TARGET is the output folder of a dream. Exit status 1 where something is flagged: a citation that leads to no
    transcript or to no line of it, a claim that the cited records do not contain, or one of the old text that is lost.
    Nothing is written but the cache.
    """
    from memreview.model.claim import Verdict
    from memreview.review.evidence import is_flagged
    from memreview.workflow import check_claims, open_review

    options = options_from(ctx, given)
    review = check_claims(open_review(target_from(given), options), options, everything=everything)
    if output_format == "json":
        from memreview.report.json import ReviewReport, dumps

        emit([dumps(ReviewReport(review, show_secrets=options.show_secrets).data())])
    else:
        from memreview.report.text import TextReport

        emit(TextReport(review, style=coloured, show_secrets=options.show_secrets, everything=everything).lines())
    return ExitCode.FLAGGED if is_flagged(review, [Verdict(verdict) for verdict in allow]) else ExitCode.OK
