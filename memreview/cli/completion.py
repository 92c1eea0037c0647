"""What the shell offers for an argument: folders, files, names of projects."""

from __future__ import annotations

import os

import click
from click.shell_completion import CompletionItem

from memreview.config import load_options
from memreview.errors import UsageError


def folders(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell complete the name of a folder."""
    return [CompletionItem(incomplete, type="dir")]


def files(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell complete the name of a file."""
    return [CompletionItem(incomplete, type="file")]


def projects(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of folders under ``projects/``; where none begins so, the shell completes a folder."""
    given = ctx.params.get("claude_dir") or ctx.find_root().params.get("claude_dir")
    try:
        with os.scandir(load_options(claude_dir=given).projects_dir) as entries:
            names = sorted(entry.name for entry in entries if entry.name.startswith(incomplete) and entry.is_dir())
    except (OSError, UsageError):
        names = []
    return [CompletionItem(name) for name in names] or folders(ctx, param, incomplete)
