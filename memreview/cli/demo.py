"""``memreview demo``: write the sample project and open its review."""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from memreview.cli import completion
from memreview.cli.common import common_options, options_from
from memreview.cli.output import coloured, emit, narrate
from memreview.demo import TEMPORARY_PREFIX
from memreview.errors import ExitCode
from memreview.model.dream import Target, TargetKind
from memreview.text import visible

if TYPE_CHECKING:
    from memreview.config import Options


@click.command("demo")
@click.argument("folder", required=False, metavar="[DIR]", shell_complete=completion.folders)
@click.option("--check", "faults", is_flag=True, help="Write a memory with planted faults instead, and check it.")
@click.option("--no-tui", is_flag=True, help="Only write the sample and print the command to run next.")
@common_options
@click.pass_context
def command(ctx: click.Context, /, folder: str | None, no_tui: bool, faults: bool, **given: Any) -> int:
    """Write a sample project to a new folder, say where, and open its review.

    DIR must be missing or empty; without it a new folder for temporary files is made.
    """
    from memreview.demo.build import build

    options = options_from(ctx, given)
    if folder is None:
        folder = os.path.join(tempfile.mkdtemp(prefix=TEMPORARY_PREFIX), "lantern")
    if faults:
        return _check_faults(folder, options)
    demo = build(folder)
    narrate(f"The sample lies in {demo.folder}")
    if no_tui:
        words = [*_program(), "review", demo.dream, "--claude-dir", demo.claude_dir]
        emit([" ".join(map(_quoted, words))])
        return 0
    from memreview.cli.screen import open_screen

    target = Target(TargetKind.OUTPUT, output=demo.dream)
    return open_screen(replace(options, claude_dir=demo.claude_dir), target)


def _check_faults(folder: str, options: Options) -> int:
    """Check a memory with planted faults, before and after a transcript is swept; 0 where all were found, no more."""
    from memreview.demo.faults import FAULTY, SOUND, build_faults, outcome
    from memreview.report.advice import queue_lines
    from memreview.upkeep import check, keep_evidence

    store = build_faults(folder)
    state, cache = os.path.join(folder, "state"), os.path.join(folder, "cache")
    options = replace(options, claude_dir=store.claude_dir, state_dir=state, cache_dir=cache)
    keep_evidence(options, [store.project], everything=True)
    wrong = False
    for when in ("with all transcripts", "after a transcript was swept whose evidence was kept"):
        (one,) = check(options, [store.project])
        missed, false = outcome([(row.file, row.advice.value, str(row.rule)) for row in one.advised])
        emit(
            [
                f"{when}: {len(FAULTY) + 1 - len(missed)} of {len(FAULTY) + 1} planted faults found, "
                f"{len(false)} false alarms on {len(SOUND)} sound notes"
            ]
        )
        emit(queue_lines(one.queue, coloured, str))
        wrong = wrong or bool(missed or false)
        if os.path.exists(store.swept):
            os.unlink(store.swept)
    narrate(f"It lies in {store.memory}; run: memreview check {store.project} --claude-dir {store.claude_dir}")
    return ExitCode.FLAGGED if wrong else ExitCode.OK


def _quoted(word: str) -> str:
    """A word of a shell's command line; control characters and the like as bash and zsh write them."""
    if visible(word) == word:
        return shlex.quote(word)
    plain = (chr(byte) if 32 <= byte < 127 and byte not in b"'\\" else f"\\{byte:03o}" for byte in os.fsencode(word))
    return f"$'{''.join(plain)}'"


def _program() -> list[str]:
    """The words that started this process: the command by its name, or Python with the package."""
    if os.path.basename(sys.argv[0]) == "__main__.py":
        return [sys.executable, "-m", "memreview"]
    return ["memreview"]
