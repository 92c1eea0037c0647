"""``memreview review``: the screen, opened at a proposal."""

from __future__ import annotations

from typing import Any

import click

from memreview.cli.common import common_options, options_from, target_from, target_options


@click.command("review")
@target_options
@common_options
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> int:
    """Review a proposal on the screen: accept, edit or reject each change, then commit what was accepted.

    TARGET is the output folder of a dream.
    """
    from memreview.cli.screen import open_screen

    return open_screen(options_from(ctx, given), target_from(given))
