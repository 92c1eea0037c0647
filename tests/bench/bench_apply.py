"""How long an apply of 5,000 changes in 60 notes takes, beside ``git apply`` of the same patch.

Run with ``python -m tests.bench.bench_apply``. Everything happens in a temporary folder.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from memreview.apply.plan import find_conflicts, make_plan
from memreview.apply.run import apply
from memreview.config import Options
from memreview.diff.hunks import compare
from memreview.model.dream import Project, Review, Target, TargetKind
from memreview.model.memory import MemoryFolder, Note
from memreview.model.review import ACCEPT, Decisions
from memreview.read.memory import read_folder

NOTES = 60
CHANGES = 5_000
RATIO_LIMIT = 10
"""Times ``git apply`` for the same patch, in process, without start-up, fsync and commit."""
COMMAND_LIMIT = 1.0
"""Seconds for the whole command, commit included."""
RUNS = 5


@dataclass(frozen=True, slots=True)
class Figures:
    """Seconds, each the best of some runs. ``moved`` is an apply to notes that all were changed meanwhile."""

    changes: int
    git_apply: float
    in_process: float
    moved: float
    conflicts: float
    with_fsync: float
    with_commit: float
    command: float | None

    @property
    def ratio(self) -> float:
        """The apply in process, in times of ``git apply``."""
        return self.in_process / self.git_apply


def texts() -> tuple[dict[str, bytes], dict[str, bytes], dict[str, bytes]]:
    """The notes before, as proposed, and as another session changed them meanwhile."""
    base: dict[str, bytes] = {}
    proposed: dict[str, bytes] = {}
    moved: dict[str, bytes] = {}
    each = -(-CHANGES // NOTES)
    for number in range(NOTES):
        lines = [b"# Note %d\n" % number, b"\n", b"What was seen.\n", b"\n"]
        count = min(each, CHANGES - number * each)
        new = list(lines)
        for at in range(count):
            row = b"- fact %03d of note %d was seen to hold\n" % (at, number)
            lines += [row, b"  it was told on day %d\n" % at]
            new += [row.replace(b"was seen", b"is known"), lines[-1]]
        path = f"note-{number:02d}.md" if number % 3 else f"topic/note-{number:02d}.md"
        base[path], proposed[path] = b"".join(lines), b"".join(new)
        moved[path] = base[path].replace(b"\n\n", b"\n\nwritten meanwhile\n\n", 1)
    return base, proposed, moved


def lay(folder: Path, notes: dict[str, bytes]) -> None:
    """Write notes into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    for path, data in notes.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def best(prepare: Callable[[], object], action: Callable[[], object], runs: int = RUNS) -> float:
    """Seconds of the fastest of some runs, each after its preparation."""
    times = []
    for _ in range(runs):
        prepare()
        started = time.perf_counter()
        action()
        times.append(time.perf_counter() - started)
    return min(times)


def git(folder: Path, *arguments: str) -> None:
    """Run git in a folder."""
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def measure(place: Path) -> Figures:
    """Lay out everything in ``place`` and measure it."""
    base, proposed, moved = texts()
    memory, state = place / "projects" / "p" / "memory", place / "state"
    before, after = place / "a", place / "b"
    lay(before, base)
    lay(after, proposed)
    diff = subprocess.run(["git", "diff", "--no-index", "a", "b"], cwd=place, capture_output=True, check=False).stdout
    patch = place / "patch"
    patch.write_bytes(diff.replace(b"a/a/", b"a/").replace(b"b/b/", b"b/"))
    work = place / "work"

    def plain_apply() -> None:
        subprocess.run(
            ["git", "apply", str(patch)], cwd=work, check=True, env={**os.environ, "GIT_DIR": str(place / "no")}
        )

    files = compare({p: Note(p, d) for p, d in base.items()}, {p: Note(p, d) for p, d in proposed.items()})
    made = Review("b", Target(TargetKind.OUTPUT, output="/d"), Project("p", str(memory.parent), str(memory)), files)
    decisions = Decisions({file.id: ACCEPT for file in files})
    options = Options(state_dir=str(state), claude_dir=str(place))

    def run(no_commit: bool) -> None:
        apply(made, decisions, options, read=read_folder, no_commit=no_commit)

    def repository() -> None:
        lay(memory, base)
        git(memory, "init", "-q", "--template=")
        git(memory, "add", "-A")
        git(memory, "commit", "-q", "-m", "base")

    with mock.patch.object(os, "fsync", return_value=None):
        in_process = best(lambda: lay(memory, base), lambda: run(True))
        assert all((memory / path).read_bytes() == data for path, data in proposed.items())
        merged = best(lambda: lay(memory, moved), lambda: run(True))
    live = MemoryFolder(str(memory), str(memory), {path: Note(path, data) for path, data in moved.items()})
    assert not make_plan(made, decisions, live).conflicts
    return Figures(
        changes=sum(1 for file in files for _ in file.changes()),
        git_apply=best(lambda: lay(work, base), plain_apply),
        in_process=in_process,
        moved=merged,
        conflicts=best(lambda: None, lambda: find_conflicts(files, live)),
        with_fsync=best(lambda: lay(memory, base), lambda: run(True)),
        with_commit=best(repository, lambda: run(False), 3),
        command=_command(place, repository, after),
    )


def _command(place: Path, repository: Callable[[], None], proposed: Path) -> float | None:
    """The whole command in a process of its own; None where it ends in an error."""
    project = place / "projects" / "p"
    argv = [sys.executable, "-m", "memreview", "apply", "--base", str(place / "a"), "--proposed", str(proposed)]
    argv += ["--project", str(project), "--claude-dir", str(place), "--accept", "all", "--format", "json"]
    ended: list[int] = []
    root = Path(__file__).resolve().parents[2]
    env = {**os.environ, "PYTHONPATH": str(root), "MEMREVIEW_STATE_DIR": str(place / "state")}

    def run() -> None:
        done = subprocess.run(argv, capture_output=True, check=False, env=env)
        ended.append(done.returncode)
        if not done.returncode:
            assert json.loads(done.stdout)["applied"] == CHANGES

    seconds = best(repository, run, 3)
    return seconds if not any(ended) else None


def run_all() -> Figures:
    """Measure in a temporary folder, with an identity of its own for git."""
    with tempfile.TemporaryDirectory(prefix="memreview-bench-") as folder:
        place = Path(os.path.realpath(folder))
        config = place / "gitconfig"
        config.write_text("[user]\n\tname = B\n\temail = b@example.invalid\n[gc]\n\tauto = 0\n")
        with mock.patch.dict(os.environ, {"GIT_CONFIG_GLOBAL": str(config), "GIT_CONFIG_NOSYSTEM": "1"}):
            return measure(place)


def report(figures: Figures) -> str:
    """The figures as lines of text."""
    rows = [
        ("git apply, its start-up included", figures.git_apply),
        ("apply in process, no fsync, no commit", figures.in_process),
        ("the same onto notes that all changed", figures.moved),
        ("conflicts of every change alone, the same", figures.conflicts),
        ("with fsync", figures.with_fsync),
        ("with fsync and commit", figures.with_commit),
    ]
    lines = [f"apply: {figures.changes} changes in {NOTES} notes"]
    lines += [f"  {name:44}{seconds * 1000:9.1f} ms {seconds / figures.git_apply:7.1f} x" for name, seconds in rows]
    if figures.command is not None:
        lines.append(
            f"  {'the whole command':44}{figures.command * 1000:9.1f} ms (limit {COMMAND_LIMIT * 1000:.0f} ms)"
        )
    lines.append(f"  ratio {figures.ratio:.1f} (limit {RATIO_LIMIT})")
    return "\n".join(lines)


if __name__ == "__main__":
    print(report(run_all()))
