"""``memreview cache``: what is kept between two runs, and getting rid of it."""

from __future__ import annotations

from typing import Any

import click

from memreview.cli.common import Group, common_options, format_option, options_from
from memreview.cli.output import emit
from memreview.errors import ExitCode, RefusedError
from memreview.text import visible


@click.group("cache", cls=Group)
def command() -> None:
    """Say what memreview keeps to be faster the next time, or remove it.

    Kept are places in transcripts (where a line begins, who speaks where, which notes were read), and for a week what
    the claim check said of a review, with the pieces of records that it shows.
    """


@command.command("info")
@format_option
@common_options
@click.pass_context
def info(ctx: click.Context, /, output_format: str, **given: Any) -> int:
    """Say where the cache is, and how much lies in it."""
    from memreview.read.speech_cache import measure

    options = options_from(ctx, given)
    found = measure(options.cache_dir)
    emit(_said(options.cache_dir, found.files, found.size, found.transcripts, output_format, verb="holds"))
    return ExitCode.OK


@command.command("clear")
@format_option
@common_options
@click.pass_context
def clear(ctx: click.Context, /, output_format: str, **given: Any) -> int:
    """Remove all of it; the next search reads the transcripts anew."""
    from memreview.read.speech_cache import clear as remove
    from memreview.read.traces import TraceCache

    options = options_from(ctx, given)
    TraceCache(options.cache_dir).clear()
    try:
        found = remove(options.cache_dir)
    except OSError as error:
        raise RefusedError(f"{error.filename}: cannot be removed ({error.strerror}); remove it by hand") from error
    emit(_said(options.cache_dir, found.files, found.size, found.transcripts, output_format, verb="removed from"))
    return ExitCode.OK


def _said(folder: str, files: int, size: int, transcripts: int, output_format: str, *, verb: str) -> list[str]:
    if output_format == "json":
        from memreview.report.json import SCHEMA, dumps

        data = {"schema": SCHEMA, "cache_dir": folder, "files": files, "bytes": size, "transcripts": transcripts}
        return [dumps(data)]
    what = f"{files} {'file' if files == 1 else 'files'}, {size:,} bytes, about {transcripts} transcripts"
    return [f"{visible(folder)} holds {what}" if verb == "holds" else f"removed from {visible(folder)}: {what}"]
