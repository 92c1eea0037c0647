"""What a pass may read of the code's repository: the log of the window, and the manifests that are tracked."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from memreview.read.small_files import read_regular
from memreview.text import decode, encode, mask_secrets
from memreview.vcs.process import run_git

FOLDER = "repository"
LOG_NAME = "git-log.txt"
MAX_COMMITS = 500
MAX_LOG = 1_000_000
MAX_MANIFEST = 200_000
MAX_MANIFESTS = 60
_DEPTH = 4
"""Folders above a manifest that is taken; deeper ones are test data as a rule."""

_NAMES = frozenset(
    """
    package.json pyproject.toml setup.cfg setup.py requirements.txt pipfile environment.yml cargo.toml go.mod gemfile
    composer.json pom.xml build.gradle build.gradle.kts settings.gradle gradle.properties mix.exs pubspec.yaml
    package.swift cmakelists.txt meson.build makefile justfile dockerfile docker-compose.yml docker-compose.yaml
    compose.yml compose.yaml deno.json tsconfig.json pnpm-workspace.yaml .nvmrc .node-version .python-version
    .ruby-version .tool-versions rust-toolchain rust-toolchain.toml tox.ini global.json
    """.split()
)


@dataclass(frozen=True, slots=True)
class RepositoryCopy:
    """The copied files by their name below the folder, with the SHA-256 of each copy; ``size`` in bytes."""

    root: str
    commits: int = 0
    size: int = 0
    hashes: Mapping[str, str] = field(default_factory=dict)

    @property
    def manifests(self) -> tuple[str, ...]:
        """All but the log."""
        return tuple(name for name in self.hashes if name != LOG_NAME)


def copy_repository(root: str, since: float, target: str | None, *, mask: bool = False) -> RepositoryCopy:
    """Copy the log since a moment (seconds since 1970) and the manifests below ``target``; with None only count.

    Raises :class:`~memreview.errors.VcsError` where git is missing, :class:`OSError` where nothing can be written.
    """
    files = {LOG_NAME: _log(root, since), **_manifests(root)}
    hashes: dict[str, str] = {}
    for name, text in files.items():
        data = encode(mask_secrets(decode(text))) if mask else text
        hashes[name] = hashlib.sha256(data).hexdigest()
        if target is not None:
            place = os.path.join(target, FOLDER, name)
            os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
            with open(place, "xb") as stream:
                stream.write(data)
            os.chmod(place, 0o400)
    commits = sum(line.startswith(b"commit ") for line in files[LOG_NAME].split(b"\n"))
    return RepositoryCopy(root, commits, sum(map(len, files.values())), hashes)


def _log(root: str, since: float) -> bytes:
    arguments = ["log", "--no-color", "--no-show-signature", "--no-ext-diff", "--date=iso-strict", "--name-status"]
    arguments += [f"--since=@{int(since)}", f"--max-count={MAX_COMMITS}", "--format=commit %H%n%cd%n%w(0,4,4)%B"]
    done = run_git(root, arguments)
    # Without any commit git fails; then there is nothing to tell.
    return done.out[:MAX_LOG] if done.status == 0 else b""


def _manifests(root: str) -> dict[str, bytes]:
    listed = run_git(root, ["ls-files", "-z", "--cached"])
    paths = sorted(os.fsdecode(path) for path in listed.out.split(b"\0") if path) if listed.status == 0 else []
    found: dict[str, bytes] = {}
    for path in sorted(paths, key=lambda path: (path.count("/"), path)):
        if len(found) >= MAX_MANIFESTS or path.count("/") > _DEPTH:
            break
        if path.rsplit("/", 1)[-1].casefold() not in _NAMES or _through_link(root, path):
            continue
        try:
            data = read_regular(os.path.join(root, path), MAX_MANIFEST + 1)
        except OSError:
            continue
        if data is not None and len(data) <= MAX_MANIFEST:
            found[path] = data
    return found


def _through_link(root: str, path: str) -> bool:
    parts = path.split("/")
    return any(os.path.islink(os.path.join(root, *parts[: end + 1])) for end in range(len(parts) - 1))
