"""``memreview dream``: let the client compare a copy of the memory with recent transcripts."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from memreview.cli import completion
from memreview.cli.common import ProjectCommand, common_options, format_option, options_from, unusual_claude_dir
from memreview.cli.output import coloured, emit, narrate
from memreview.errors import ExitCode, MemreviewError, UsageError
from memreview.text import clip, visible

if TYPE_CHECKING:
    from memreview.config import Options
    from memreview.dreaming.events import Event, Progress
    from memreview.dreaming.run import Outcome, Request
    from memreview.model.dream import Project


@click.command("dream", cls=ProjectCommand)
@click.argument("project", required=False, metavar="PROJECT", shell_complete=completion.projects)
@click.option("--days", type=click.IntRange(1, 3650), help="How far back transcripts are read (default: 14).")
@click.option("--out", metavar="DIR", shell_complete=completion.folders, help="A new folder for what is proposed.")
@click.option("--model", metavar="NAME", help="The model (default: as the configuration says, else the client's own).")
@click.option(
    "--instructions",
    metavar="FILE",
    shell_complete=completion.files,
    help="Markdown that replaces the instructions of memreview.",
)
@click.option("--client", metavar="PROGRAM", help="Claude Code (default: $MEMREVIEW_CLAUDE, else claude).")
@click.option("--dry-run", is_flag=True, help="Show what would be sent, and send nothing.")
@click.option(
    "--only", type=click.Choice(["review"]), help="Limit it to the lines that memreview check wants reviewed."
)
@click.option("--with-repo", is_flag=True, help="Let it read the repository's git log and manifests too.")
@click.option("--subagents", is_flag=True, help="Let it read the transcripts of subagents too.")
@click.option("--mask-secrets", is_flag=True, help="Mask secrets in the copies of transcripts and repository.")
@click.option(
    "--max-budget-usd", type=click.FloatRange(0), help="Stop when it has cost that much (default: 10; 0: no limit)."
)
@click.option("--max-turns", type=click.IntRange(0), help="Stop after that many turns (default: 300; 0: no limit).")
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="MINUTES",
    help="Stop it then.",
)
@click.option("--if-due", is_flag=True, help="Run it only where one is due, and say why or why not; for cron.")
@click.option("--hours", type=click.FloatRange(0), metavar="N", help="Due so long after the last pass (default: 24).")
@click.option("--sessions", type=click.IntRange(0), metavar="N", help="Due after more sessions than that (default: 5).")
@click.option("--schedule", is_flag=True, help="Print lines for cron and units for systemd, and do nothing else.")
@format_option
@common_options
@click.pass_context
def command(ctx: click.Context, /, project: str | None, output_format: str, dry_run: bool, **given: Any) -> int:
    """Let Claude Code compare a copy of a project's memory with recent transcripts, for a review.

    The memory itself is not touched. What is proposed goes into a new folder: memreview review DIR opens it. A run that
    does not finish is marked: it can be looked at, not applied. With --if-due, and no PROJECT, all projects are gone
    through.
    """
    from memreview.read.discover import resolve_project

    if given["schedule"]:
        from memreview.report.schedule import dream_schedule

        emit(dream_schedule(project, unusual_claude_dir(ctx, given), _repeated(ctx)))
        return ExitCode.OK
    if not given["if_due"] and (given["hours"] is not None or given["sessions"] is not None):
        raise UsageError("--hours and --sessions say when a pass is due; give --if-due too")
    if project is None and not (given["if_due"] and given["out"] is None):
        raise UsageError("no PROJECT; name a folder under projects/, or a path to it or to the code")
    options = options_from(ctx, given)
    if given["if_due"]:
        from memreview.cli.due import run_if_due

        return run_if_due(
            project,
            options,
            lambda found: _dream(found, options, output_format, dry_run=dry_run, given=given),
            hours=given["hours"],
            sessions=given["sessions"],
            as_json=output_format == "json",
        )
    assert project is not None
    found = resolve_project(project, options)
    if not os.path.isdir(found.memory_dir):
        raise UsageError(f"{found.memory_dir}: no such folder; this project has no memory to dream about")
    return _dream(found, options, output_format, dry_run=dry_run, given=given)


_NOT_REPEATED = {"schedule", "if_due", "out", "dry_run", "claude_dir"}


def _repeated(ctx: click.Context) -> list[str]:
    """The options of this command line as a later one has to give them, paths without regard to where it is run."""
    words: list[str] = []
    for param in ctx.command.params:
        name = param.name or ""
        told = ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if not isinstance(param, click.Option) or not told or name in _NOT_REPEATED:
            continue
        value = ctx.params[name]
        for one in value if isinstance(value, tuple) else (value,):
            words.append(param.opts[-1])
            if not param.is_flag:
                place = name in ("instructions", "dreams", "managed_settings") or (
                    name == "client" and os.sep in str(one)
                )
                words.append(
                    os.path.abspath(os.path.expanduser(one))
                    if place
                    else f"{one:g}"
                    if isinstance(one, float)
                    else str(one)
                )
    return words


def _dream(found: Project, options: Options, output_format: str, *, dry_run: bool, given: dict[str, Any]) -> int:
    request = _request(found, options, given)
    if request is None:
        narrate(f"memreview: {found.name}: the check wants nothing reviewed, so there is nothing to dream about")
        return ExitCode.OK
    if dry_run:
        return _dry_run(request, options, output_format)
    return _run(request, options, output_format)


def _request(project: Project, options: Options, given: dict[str, Any]) -> Request | None:
    """What is asked for; None where it is limited to a queue that is empty."""
    from memreview.dreaming.run import Request

    queue = None
    if given["only"] is not None:
        from memreview.upkeep import review_queue

        queue = review_queue(project, options)
        if not queue:
            return None
    return Request(
        project,
        days=given["days"],
        out=_path(given["out"]),
        model=given["model"],
        instructions=_path(given["instructions"]),
        program=given["client"],
        queue=queue,
        with_repo=given["with_repo"],
        subagents=given["subagents"],
        mask_secrets=given["mask_secrets"],
        max_turns=given["max_turns"],
        max_budget_usd=given["max_budget_usd"],
        timeout=given["timeout"] * 60,
    )


def _path(path: str | None) -> str | None:
    return os.path.abspath(os.path.expanduser(path)) if path else None


def _dry_run(request: Request, options: Options, output_format: str) -> int:
    from memreview.dreaming.run import prepare
    from memreview.report.dream import preview_data, preview_lines

    planned = prepare(request, options, None).planned()
    if output_format == "json":
        from memreview.report.json import dumps

        emit([dumps(preview_data(planned))])
    else:
        emit(preview_lines(planned, coloured))
    return ExitCode.OK


def _run(request: Request, options: Options, output_format: str) -> int:
    from memreview.dreaming.run import dream

    with _stoppable() as stop:
        teller = _Teller()
        try:
            outcome = dream(request, options, teller, stop)
        except MemreviewError:
            if stop.is_set():
                teller.close()
                narrate("memreview: interrupted before anything was written")
                return ExitCode.INTERRUPTED
            raise
        finally:
            teller.close()
        _tell(outcome, request, output_format)
        if stop.is_set() and not outcome.manifest.ending.complete:
            return ExitCode.INTERRUPTED
    return ExitCode.OK if outcome.manifest.ending.complete else ExitCode.REFUSED


def _tell(outcome: Outcome, request: Request, output_format: str) -> None:
    from memreview.report.dream import outcome_data, outcome_lines

    written = outcome.written
    if output_format == "json":
        from memreview.report.json import dumps

        emit([dumps(outcome_data(written.manifest, written.folder, written.files))])
    else:
        emit(outcome_lines(written.manifest, written.folder, written.files, coloured))
    words = ["memreview", "review", written.folder]
    if written.files:
        narrate(f"memreview: look at it with: {shlex.join(words)}")


@contextmanager
def _stoppable() -> Iterator[threading.Event]:
    """An event that is set by the signals that end a process, which so leaves nothing behind."""
    stop = threading.Event()

    def end(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Teller:
    """Tells on stderr what the client does: a line for each thing, and in a terminal how far it is."""

    def __init__(self) -> None:
        self.live = sys.stderr.isatty()
        self._shown = False

    def __call__(self, event: Event, progress: Progress) -> None:
        if event.kind == "tick":
            if self.live:
                self._status(progress)
            return
        self.close()
        minutes, seconds = divmod(int(progress.elapsed), 60)
        words = " ".join(event.text.split())
        narrate(clip(f"{minutes:02}:{seconds:02} {event.kind:<7} {visible(words)}", 160))

    def _status(self, progress: Progress) -> None:
        minutes, seconds = divmod(int(progress.elapsed), 60)
        text = f"{minutes:02}:{seconds:02}  turn {progress.turns}, {progress.reads} read, {progress.writes} written"
        if progress.refused:
            text += f", {progress.refused} refused"
        click.echo(f"\r\x1b[K{text}", err=True, nl=False)
        self._shown = True

    def close(self) -> None:
        """Take the line of the terminal away."""
        if self._shown:
            click.echo("\r\x1b[K", err=True, nl=False)
            self._shown = False
