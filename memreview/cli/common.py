"""Options that several commands share, and how they become :class:`Options` and a :class:`Target`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from memreview.cli import completion
from memreview.config import Options, load_options
from memreview.errors import TargetError, UsageError
from memreview.model.dream import Target, TargetKind

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

_WHOLE = 1000
"""Characters up to which a first sentence is shown."""
_COMMON = ("claude_dir", "managed_settings", "dreams", "show_secrets")


def _apply(function: Decorated, *decorators: Callable[[Decorated], Decorated]) -> Decorated:
    for decorate in reversed(decorators):
        function = decorate(function)
    return function


def common_options(function: Decorated) -> Decorated:
    """``--claude-dir``, ``--managed-settings``, ``--dreams`` and ``--show-secrets``."""
    return _apply(
        function,
        click.option(
            "--claude-dir",
            metavar="DIR",
            shell_complete=completion.folders,
            help="Where Claude Code keeps its files (default: $CLAUDE_CONFIG_DIR, else ~/.claude).",
        ),
        click.option(
            "--managed-settings",
            metavar="FILE",
            shell_complete=completion.files,
            help="An administrator's settings (default: the platform's place).",
        ),
        click.option(
            "--dreams",
            metavar="DIR",
            shell_complete=completion.folders,
            multiple=True,
            help="A folder in which dreams are looked for; repeatable (default: $MEMREVIEW_DREAMS).",
        ),
        click.option("--show-secrets", is_flag=True, help="Do not mask secrets in what is printed."),
    )


def _two_folders(function: Decorated) -> Decorated:
    return _apply(
        function,
        click.option(
            "--base",
            metavar="DIR",
            shell_complete=completion.folders,
            help="The memory as it was; with --proposed instead of TARGET.",
        ),
        click.option(
            "--proposed",
            metavar="DIR",
            shell_complete=completion.folders,
            help="The memory as proposed; with --base, or with --project to compare with its memory as it is.",
        ),
        click.option(
            "--dream",
            metavar="FILE",
            shell_complete=completion.files,
            help="With --base and --proposed: what the API says of a dream of Managed Agents, as JSON "
            "(default: dream.json beside the folders).",
        ),
    )


def target_options(function: Decorated) -> Decorated:
    """``TARGET`` in its forms, ``--project`` and ``--transcripts``."""
    return _apply(
        function,
        click.argument("target", required=False, metavar="[TARGET]", shell_complete=completion.folders),
        _two_folders,
        click.option(
            "--patch",
            metavar="FILE",
            shell_complete=completion.files,
            help="A patch of notes, as diff -ruN or git writes it; with --project.",
        ),
        click.option(
            "--changes",
            metavar="FILE",
            shell_complete=completion.files,
            help="CHANGES.md, where it does not lie in the target.",
        ),
        click.option(
            "--live",
            metavar="DIR",
            shell_complete=completion.folders,
            help="A memory folder that was edited in place.",
        ),
        click.option(
            "--since",
            metavar="REV",
            help="What --live is compared with: a revision, a snapshot, or A..B for what came between two of them "
            "(default: HEAD, or the snapshot taken since).",
        ),
        click.option(
            "--project",
            metavar="PROJECT",
            shell_complete=completion.projects,
            help="The project: its folder name, or a path to it or its code.",
        ),
        click.option(
            "--transcripts",
            metavar="DIR",
            multiple=True,
            shell_complete=completion.folders,
            help="A further folder with transcripts; repeatable.",
        ),
    )


class Group(click.Group):
    """A group whose help says in whole sentences what its commands do, instead of cutting them at the line's end."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands with the first sentence of each, over as many lines as that takes."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, cmd.get_short_help_str(_WHOLE)) for name, cmd in commands if cmd is not None and not cmd.hidden]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)


class ProjectCommand(click.Command):
    """A command with a PROJECT, whose name begins with ``-`` as a rule: it is never taken for a row of options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put words such as ``-home-dev-app`` behind a ``--``, unless they are the value of an option."""
        valued = {name for param in self.params if _takes_value(param) for name in param.opts}
        words = args[: args.index("--")] if "--" in args else args
        options: list[str] = []
        arguments: list[str] = []
        named = False
        for at, word in enumerate(words):
            value = at > 0 and words[at - 1] in valued
            name = not value and len(word) > 2 and word[0] == "-" and word[1] != "-"
            named = named or name
            (options if value or (word.startswith("-") and len(word) > 1 and not name) else arguments).append(word)
        if named:
            args = [*options, "--", *arguments, *(word for word in args[len(words) :] if word != "--")]
        return super().parse_args(ctx, args)


def _takes_value(param: click.Parameter) -> bool:
    return isinstance(param, click.Option) and not param.is_flag and not param.count


def format_option(function: Decorated) -> Decorated:
    """``--format text|json`` as ``output_format``."""
    kinds = click.Choice(["text", "json"])
    decorate = click.option(
        "--format", "output_format", type=kinds, default="text", show_default=True, help="How data is printed."
    )
    return decorate(function)


def options_from(ctx: click.Context, given: Mapping[str, Any]) -> Options:
    """Options of this invocation: those given to the command before those given to the group."""
    merged = dict(ctx.find_root().obj or {})
    merged.update({key: given[key] for key in _COMMON if given.get(key)})
    return load_options(**{key: merged[key] for key in _COMMON if key in merged})


def unusual_claude_dir(ctx: click.Context, given: Mapping[str, Any]) -> str | None:
    """The folder of Claude Code where a command has to be told, because another environment would lead elsewhere."""
    folder = options_from(ctx, given).claude_dir
    return folder if folder != os.path.expanduser("~/.claude") else None


def target_from(given: Mapping[str, Any]) -> Target:
    """The target that was named, with absolute paths; :class:`UsageError` where it is none or more than one."""
    output, base, proposed, live, patch = (given[key] for key in ("target", "base", "proposed", "live", "patch"))
    folders = base is not None or proposed is not None
    named = [output is not None, folders, live is not None, patch is not None]
    if not any(named):
        raise UsageError("no TARGET; name a dream's output folder, or --base and --proposed, or --live, or --patch")
    if sum(named) > 1:
        raise UsageError("more than one target; give TARGET, or --base with --proposed, or --live, or --patch")
    if folders and (proposed is None or (base is None and given["project"] is None)):
        raise UsageError("--base and --proposed belong together; give both")
    if given["dream"] is not None and (base is None or proposed is None):
        raise UsageError("--dream says what became of a dream whose stores --base and --proposed name; give these")
    if given["since"] is not None and live is None:
        raise UsageError("--since says what --live is compared with; give --live too")
    shared = {
        "changes": _path(given["changes"]),
        "project": given["project"],
        "transcripts": tuple(_folder(path, "--transcripts") for path in given["transcripts"]),
    }
    if shared["changes"] is not None and not os.path.isfile(shared["changes"]):
        raise TargetError(f"{shared['changes']}: no such file; --changes wants a dream's CHANGES.md")
    if output is not None:
        return Target(TargetKind.OUTPUT, output=_folder(output, "TARGET"), **shared)
    if live is not None:
        return Target(TargetKind.LIVE, live=_folder(live, "--live"), since=given["since"], **shared)
    if patch is not None:
        return Target(TargetKind.PATCH, patch=_path(patch), **shared)
    return Target(
        TargetKind.FOLDERS,
        base=_folder(base, "--base") if base is not None else None,
        proposed=_folder(proposed, "--proposed"),
        dream=_path(given["dream"]),
        **shared,
    )


def _path(path: str | None) -> str | None:
    return None if path is None else os.path.abspath(os.path.expanduser(path))


def _folder(path: str, what: str) -> str:
    if not path:
        raise TargetError(f"{what} is empty; name a folder")
    full = os.path.abspath(os.path.expanduser(path))
    if not os.path.isdir(full):
        there = "not a folder" if os.path.lexists(full) else "no such folder"
        raise TargetError(f"{full}: {there}; {what} wants a folder that exists")
    return full
