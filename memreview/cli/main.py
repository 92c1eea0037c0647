"""The command group: commands are loaded when they are named, errors become one line and an exit status."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

import click

from memreview import __version__
from memreview.cli.common import Group, common_options, options_from
from memreview.cli.output import flushed
from memreview.errors import ExitCode, MemreviewError, UsageError
from memreview.text import visible

COMMANDS = {
    "apply": "memreview.cli.apply",
    "audit": "memreview.cli.audit",
    "cache": "memreview.cli.cache",
    "check": "memreview.cli.check",
    "claims": "memreview.cli.claims",
    "demo": "memreview.cli.demo",
    "dream": "memreview.cli.dream",
    "evidence": "memreview.cli.evidence",
    "find": "memreview.cli.find",
    "retention": "memreview.cli.retention",
    "instructions": "memreview.cli.instructions",
    "log": "memreview.cli.log",
    "revert": "memreview.cli.revert",
    "review": "memreview.cli.review",
    "snapshot": "memreview.cli.snapshot",
    "verify": "memreview.cli.verify",
}

TRACEBACK_VARIABLE = "MEMREVIEW_TRACEBACK"


class LazyGroup(Group):
    """A group whose commands live in modules of their own, imported when first asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all commands."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name: ``command`` in its module."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(COMMANDS[cmd_name]).command
        assert isinstance(command, click.Command)
        return command

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Run and exit with a status of :class:`ExitCode`; errors are one line on stderr."""
        sys.exit(flushed(self._status(args, prog_name or "memreview", complete_var, extra)))

    def _status(self, args: Sequence[str] | None, prog: str, complete: str | None, extra: dict[str, Any]) -> int:
        try:
            result = super().main(args, prog, complete, standalone_mode=False, **extra)
        except click.ClickException as error:
            return _complain(_usage_line(error, prog), ExitCode.USAGE)
        except MemreviewError as error:
            return _complain(str(error), error.exit_code)
        except (KeyboardInterrupt, click.Abort):
            return _complain("interrupted", ExitCode.INTERRUPTED)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            return _complain(f"{where}{error.strerror or error}; check that path and try again", ExitCode.REFUSED)
        except Exception as error:
            # Whatever went wrong, a person gets one line to act on, and a way to see all of it.
            if os.environ.get(TRACEBACK_VARIABLE):
                raise
            kind = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            hint = f"this is a fault of memreview; set {TRACEBACK_VARIABLE}=1 and report what it prints"
            return _complain(f"{kind}; {hint}", ExitCode.REFUSED)
        return result if isinstance(result, int) else ExitCode.OK


def _usage_line(error: click.ClickException, prog: str) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    path = context.command_path if context else prog
    return f"{error.format_message()} (see {path} --help)"


def _complain(message: str, code: ExitCode) -> int:
    with suppress(OSError):
        click.echo(f"memreview: {visible(' '.join(message.split(chr(10))))}", err=True)
    return code


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="memreview", message="%(prog)s %(version)s")
@common_options
@click.pass_context
def group(ctx: click.Context, /, **given: Any) -> None:
    """Review what a dream wants to write into an agent's memory, beside its evidence.

    Without a command it opens the screen on every project.
    """
    if os.environ.get("NO_COLOR"):
        ctx.color = False
    ctx.obj = given
    if ctx.invoked_subcommand is None:
        from memreview.cli.screen import open_screen

        options = options_from(ctx, {})
        if given["claude_dir"] and not os.path.isdir(options.claude_dir):
            raise UsageError(f"{options.claude_dir}: no such folder; --claude-dir is where Claude Code keeps its files")
        ctx.exit(open_screen(options))


def run() -> NoReturn:
    """Parse the command line, run a command and exit."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets its escape, not an error.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    group.main()
