"""``memreview demo``: write the sample project and open its review."""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from dataclasses import replace
from typing import Any

import click

from memreview.cli.common import common_options, options_from
from memreview.cli.output import emit, narrate
from memreview.model.dream import Target, TargetKind
from memreview.text import visible


@click.command("demo")
@click.argument("folder", required=False, metavar="[DIR]")
@click.option("--no-tui", is_flag=True, help="Only write the sample and print the command to run next.")
@common_options
@click.pass_context
def command(ctx: click.Context, /, folder: str | None, no_tui: bool, **given: Any) -> int:
    """Write a sample project to a new folder, say where, and open its review.

    DIR must be missing or empty; without it a new folder for temporary files is made.
    """
    from memreview.demo.build import build

    options = options_from(ctx, given)
    if folder is None:
        folder = os.path.join(tempfile.mkdtemp(prefix="memreview-demo-"), "lantern")
    demo = build(folder)
    narrate(f"The sample lies in {demo.folder}")
    if no_tui:
        words = [*_program(), "review", demo.dream, "--claude-dir", demo.claude_dir]
        emit([" ".join(map(_quoted, words))])
        return 0
    from memreview.cli.screen import open_screen

    target = Target(TargetKind.OUTPUT, output=demo.dream)
    return open_screen(replace(options, claude_dir=demo.claude_dir), target)


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
