"""Write the sample to disk: a fake home of Claude Code, and beside it what a dream left."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from memreview.demo.gnudiff import diff_folders
from memreview.demo.story import COPIED, DREAMED, PROJECT, Story, Version, tell
from memreview.errors import RefusedError, UsageError

_WHO = {
    "GIT_AUTHOR_NAME": "Demo",
    "GIT_AUTHOR_EMAIL": "demo@lantern.invalid",
    "GIT_COMMITTER_NAME": "Demo",
    "GIT_COMMITTER_EMAIL": "demo@lantern.invalid",
}


@dataclass(frozen=True, slots=True)
class Demo:
    """Where the sample lies: ``claude_dir`` stands for ``~/.claude``, ``dream`` is the target to review."""

    folder: str
    claude_dir: str
    memory: str
    dream: str


def build(folder: str) -> Demo:
    """Write the whole sample below ``folder``, which must be missing or empty.

    Ids, times and commits are the same at every call; only the paths in ``memory.diff`` follow the folder.
    :class:`UsageError` where the folder is in use, :class:`RefusedError` where it cannot be written or git fails.
    """
    folder = os.path.abspath(folder)
    _claim(folder)
    claude = os.path.join(folder, "claude")
    project = os.path.join(claude, "projects", PROJECT)
    demo = Demo(folder, claude, os.path.join(project, "memory"), os.path.join(folder, "dream-2026-11-01"))
    story = tell()
    try:
        os.makedirs(demo.memory)
        for session in story.sessions:
            _write(os.path.join(project, session.file_name), session.data(), session.now, mode=0o600)
        _commit_versions(demo.memory, story)
        _dream(demo, story)
        _lay(demo.memory, story.since)
    except OSError as error:
        raise RefusedError(
            f"{error.filename or folder}: {error.strerror}; name a folder that can be written"
        ) from error
    return demo


def _claim(folder: str) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
        if os.listdir(folder):
            raise UsageError(f"{folder}: is not empty; name a new folder for the demo")
    except FileExistsError as error:
        raise UsageError(f"{folder}: is a file; name a new folder for the demo") from error
    except OSError as error:
        raise RefusedError(f"{folder}: {error.strerror}; name a folder that can be written") from error


def _write(path: str, data: bytes, when: datetime, mode: int = 0o644) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as stream:
        stream.write(data)
    os.chmod(path, mode)
    _stamp(path, when)


def _stamp(path: str, when: datetime) -> None:
    seconds = int(when.replace(microsecond=0).timestamp())
    stamp = seconds * 1_000_000_000 + when.microsecond * 1_000
    os.utime(path, ns=(stamp, stamp))


def _lay(memory: str, version: Version) -> None:
    for name, text in version.notes.items():
        path, data = os.path.join(memory, name), text.encode()
        if not os.path.exists(path) or _read(path) != data:
            _write(path, data, version.when)


def _read(path: str) -> bytes:
    with open(path, "rb") as stream:
        return stream.read()


def _commit_versions(memory: str, story: Story) -> None:
    _git(memory, story.versions[0].when, "init", "-q", "--template=", "-b", "main")
    # Whoever tries the demo may not have told git a name; the sample's own repository has one.
    _git(memory, story.versions[0].when, "config", "user.name", "Demo")
    _git(memory, story.versions[0].when, "config", "user.email", "demo@lantern.invalid")
    for version in story.versions:
        _lay(memory, version)
        _git(memory, version.when, "add", "--all")
        _git(memory, version.when, "commit", "-q", "--no-gpg-sign", "-m", version.message or "")


def _git(folder: str, when: datetime, *words: str) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    stamp = when.isoformat()
    environment |= _WHO | {
        "GIT_AUTHOR_DATE": stamp,
        "GIT_COMMITTER_DATE": stamp,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    try:
        done = subprocess.run(["git", *words], cwd=folder, env=environment, capture_output=True, check=False)
    except FileNotFoundError as error:
        raise RefusedError("git: not found; install git, the demo keeps its notes in a repository") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        raise RefusedError(f"{folder}: git {words[0]} failed: {said}; remove the folder and try again")


def _dream(demo: Demo, story: Story) -> None:
    """What the dream script leaves: it copies, lets the model rewrite the copy, and diffs against the live folder."""
    scratch = os.path.join(demo.folder, "scratch")
    copy = os.path.join(scratch, "memory")
    shutil.copytree(demo.memory, copy)
    _stamp_copies(copy)
    _rewrite(copy, story.proposed)
    _lay(demo.memory, story.during)
    done = DREAMED + timedelta(minutes=3)
    _write(os.path.join(demo.dream, "memory.diff"), diff_folders(demo.memory, copy), done)
    shutil.copytree(copy, os.path.join(demo.dream, "memory"))
    shutil.rmtree(scratch)
    _write(os.path.join(demo.dream, "CHANGES.md"), story.changes.encode(), done)
    _write(os.path.join(demo.dream, "run.log"), story.log.encode(), done)


def _stamp_copies(copy: str) -> None:
    for name in os.listdir(copy):
        if name.endswith(".md"):
            _stamp(os.path.join(copy, name), COPIED)


def _rewrite(copy: str, proposed: Mapping[str, str]) -> None:
    when = DREAMED
    for name in os.listdir(copy):
        if name.endswith(".md") and name not in proposed:
            os.remove(os.path.join(copy, name))
    for name, text in sorted(proposed.items()):
        path, data = os.path.join(copy, name), text.encode()
        if not os.path.exists(path) or _read(path) != data:
            _write(path, data, when)
            when += timedelta(seconds=7)
