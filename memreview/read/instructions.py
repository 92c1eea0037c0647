"""CLAUDE.md files of all levels: what every session of a project loads before the index."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from memreview.config import Options

MAX_BYTES = 4 << 20
MAX_IMPORTS = 5
"""How deep imports are followed (the client's documented limit; not measured)."""

_MANAGED = {"darwin": "/Library/Application Support/ClaudeCode/CLAUDE.md"}
_MANAGED_ELSEWHERE = "/etc/claude-code/CLAUDE.md"
_IMPORT = re.compile(r"(?:^|\s)@((?:~/|\.{0,2}/)?[\w./-]{1,200})")


@dataclass(frozen=True, slots=True)
class Instructions:
    """One file: its scope (managed, user, above, project, local, import), and its text."""

    path: str
    scope: str
    size: int
    text: str


def instructions(root: str | None, options: Options) -> tuple[Instructions, ...]:
    """All files that a session in ``root`` loads, in the order in which it does; those that exist."""
    managed = _MANAGED_ELSEWHERE
    if options.managed_settings is not None:
        managed = os.path.join(os.path.dirname(options.managed_settings), "CLAUDE.md")
    elif sys.platform in _MANAGED:
        managed = _MANAGED[sys.platform]
    places = [(managed, "managed"), (os.path.join(options.claude_dir, "CLAUDE.md"), "user")]
    if root is not None:
        places += ((os.path.join(folder, "CLAUDE.md"), "above") for folder in _above(root))
        places += (
            (os.path.join(root, "CLAUDE.md"), "project"),
            (os.path.join(root, ".claude", "CLAUDE.md"), "project"),
            (os.path.join(root, "CLAUDE.local.md"), "local"),
        )
    found: dict[str, Instructions] = {}
    for path, scope in places:
        for one in _read(path, scope, MAX_IMPORTS, found):
            found[os.path.realpath(one.path)] = one
    return tuple(found.values())


def _above(root: str) -> list[str]:
    folders: list[str] = []
    here = os.path.dirname(root)
    while here and here not in folders:
        folders.append(here)
        here = os.path.dirname(here)
    return folders[::-1]


def _read(path: str, scope: str, depth: int, known: dict[str, Instructions]) -> Iterator[Instructions]:
    try:
        if os.path.realpath(path) in known or not os.path.isfile(path) or os.path.getsize(path) > MAX_BYTES:
            return
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES)
    except (OSError, ValueError):
        return
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    one = Instructions(path, scope, len(data), text)
    yield one
    if depth:
        known = {**known, os.path.realpath(path): one}
        for match in _IMPORT.finditer(text):
            target = os.path.join(os.path.dirname(path), os.path.expanduser(match.group(1)))
            yield from _read(target, "import", depth - 1, known)
