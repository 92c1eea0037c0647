"""A memory folder under git, laid out for one test, and applies to it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from memreview.apply.result import ApplyResult
from memreview.apply.run import apply
from memreview.config import Options
from memreview.model.dream import Review
from memreview.model.review import Decisions
from memreview.read.memory import read_folder
from tests.unit.reviews import lay, review

BASE = {
    "build.md": "# Build\n\n- Needs Go 1.22.\n\n- Run make.\n\n- Cache: home.\n",
    "style.md": "# Style\n\n- Two spaces.\n",
    "sub/old.md": "old\n",
}
DREAM = {
    "build.md": "# Build\n\n- Needs Go 1.23.\n\n- Run make.\n\n- Cache: none.\n",
    "style.md": "# Style\n\n- Two spaces.\n",
    "new/tests.md": "# Tests\n",
}


@dataclass
class Place:
    """A memory folder, and the repository around it if there is one."""

    memory: Path
    top: Path
    state: Path

    def git(self, *arguments: str, ok: bool = True) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.top, capture_output=True, check=False)
        assert not ok or done.returncode == 0, done.stderr
        return os.fsdecode(done.stdout)

    def head(self) -> str:
        return self.git("rev-parse", "HEAD").strip()

    def committed(self, old: str, new: str = "HEAD") -> list[str]:
        return self.git("diff", "--name-only", "--no-renames", old, new).split()

    def snapshot(self) -> tuple[object, ...]:
        notes = {
            path: (path.stat().st_mtime_ns, path.stat().st_mode, path.read_bytes())
            for path in sorted(self.memory.rglob("*"))
            if path.is_file() and ".git" not in path.relative_to(self.memory).parts
        }
        folders = sorted(path for path in self.memory.rglob("*") if path.is_dir() and ".git" not in path.parts)
        beside = sorted(path.name for path in self.memory.parent.iterdir())
        if not (self.top / ".git").exists():
            return notes, folders, beside
        state = [self.git("for-each-ref"), self.git("ls-files", "-s"), self.git("symbolic-ref", "HEAD", ok=False)]
        config = (self.top / ".git" / "config").read_bytes()
        return notes, folders, beside, state, self.git("status", "--porcelain"), config

    def apply(
        self,
        made: Review,
        decisions: Decisions,
        *,
        dry_run: bool = False,
        no_commit: bool = False,
        init: bool = False,
        message: str | None = None,
        add_ignored: bool = False,
    ) -> ApplyResult:
        return apply(
            made,
            decisions,
            Options(state_dir=str(self.state)),
            read=read_folder,
            wait=0.2,
            dry_run=dry_run,
            no_commit=no_commit,
            init=init,
            message=message,
            add_ignored=add_ignored,
        )


Make = Callable[..., Place]


def make_place(
    top: Path, texts: Mapping[str, str | bytes] = BASE, *, larger: bool = False, commit: bool = True
) -> Place:
    """A memory folder that is a repository, or lies in a ``larger`` one; ``commit`` what is in it."""
    memory = top / "top" / "projects" / "p" / "memory"
    memory.mkdir(parents=True)
    lay(memory, texts)
    place = Place(memory, top / "top" if larger else memory, top / "state")
    place.git("init", "-q", "--template=")
    if commit:
        place.git("add", "-A")
        place.git("commit", "-q", "-m", "base", "--allow-empty")
    return place


def made_for(place: Place, base: Mapping[str, str] = BASE, proposed: Mapping[str, str] = DREAM) -> Review:
    return review(base, proposed, str(place.memory))


def hook(place: Place, name: str, text: str) -> None:
    """Install a git hook that runs shell commands."""
    path = place.top / ".git" / "hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
