"""Kill -9 at many points of an apply: afterwards the notes and the repository are entirely old or entirely new."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memreview.apply.recover import Ending, Recovery
from memreview.apply.run import recover_folder
from memreview.config import Options
from memreview.errors import LockedError
from tests.unit.reviews import lay, tree

ROOT = Path(__file__).resolve().parents[2]
BASE = {"a.md": "one\ntwo\nthree\nfour\n", "b.md": "b\n", "sub/old.md": "old\n", "same.md": "s\n"}
DREAM = {"a.md": "ONE\ntwo\nthree\nfour\n", "b.md": "B\n", "new/deep/n.md": "n\n", "same.md": "s\n"}


@dataclass
class Killer:
    process: subprocess.Popen[str]
    template: Path
    state: Path

    def run(self, memory: Path, points: int, no_commit: bool) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        request = {
            "memory": str(memory),
            "state": str(self.state),
            "base": BASE,
            "proposed": DREAM,
            "no_commit": no_commit,
            "points": points,
        }
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer


def git(memory: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=memory, capture_output=True, check=True, text=True).stdout


@pytest.fixture(scope="module")
def killer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killer]:
    place = tmp_path_factory.mktemp("killed")
    config = place / "gitconfig"
    config.write_text(
        "[user]\n\tname = R\n\temail = r@example.invalid\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n"
    )
    os.environ["GIT_CONFIG_GLOBAL"] = str(config)
    template = place / "template" / "memory"
    template.mkdir(parents=True)
    lay(template, BASE)
    git(template, "init", "-q", "--template=")
    git(template, "add", "-A")
    git(template, "commit", "-q", "-m", "base")
    lay(template, {"a.md": BASE["a.md"] + "five\n", "same.md": "staged\n"})
    git(template, "add", "same.md")
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.unit.killed_apply"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    yield Killer(process, template, place / "state")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    process.wait(20)
    process.stdout.close()
    del os.environ["GIT_CONFIG_GLOBAL"]


def state(memory: Path) -> tuple[object, ...]:
    """The notes with their times and modes, the folders, and everything that git shows."""
    notes = {
        path: (data, (memory / path).stat().st_mtime_ns, (memory / path).stat().st_mode)
        for path, data in tree(memory).items()
    }
    folders = sorted(str(path) for path in memory.rglob("*") if path.is_dir() and ".git" not in path.parts)
    refs, index = git(memory, "for-each-ref"), git(memory, "ls-files", "-s")
    return notes, folders, refs, index, git(memory, "status", "--porcelain")


def recover_all(memory: Path, options: Options) -> tuple[Recovery, ...]:
    """Recover as the next start does, once a git that outlived the kill has ended."""
    deadline = time.monotonic() + 20
    while True:
        try:
            return recover_folder(str(memory), options, wait=1)
        except LockedError:
            assert time.monotonic() < deadline
            time.sleep(0.01)


@pytest.mark.parametrize(("no_commit", "kills"), [(False, 34), (True, 20)])
def test_old_or_new_and_never_a_mixture(killer: Killer, tmp_path: Path, no_commit: bool, kills: int) -> None:
    options = Options(state_dir=str(killer.state))
    new = {path: text.encode() for path, text in DREAM.items()}
    new |= {"a.md": new["a.md"] + b"five\n", "same.md": b"staged\n"}

    # How many points there are varies by a few: folders for locks are made once, an interpreter may retry a call.
    total = 1_000_000
    for attempt in ("first", "second"):
        whole = tmp_path / attempt / "memory"
        shutil.copytree(killer.template, whole, symlinks=True)
        answer = killer.run(whole, 1_000_000, no_commit)
        assert answer["status"] == 0, answer
        assert tree(whole) == new
        total = min(total, int(answer["told"]))
    assert total > 60

    endings: set[Ending] = set()
    chosen = sorted({1 + number * (total - 1) // (kills - 1) for number in range(kills)})
    assert len(chosen) == kills
    for points in chosen:
        memory = tmp_path / str(points) / "memory"
        shutil.copytree(killer.template, memory, symlinks=True)
        old = state(memory)
        assert killer.run(memory, points, no_commit)["status"] == -9
        found = recover_all(memory, options)
        endings.update(recovery.ending for recovery in found)
        assert recover_folder(str(memory), options) == ()
        assert not (memory.parent / ".memreview").exists(), points
        notes = tree(memory)
        if notes == new:
            folders = {path.name for path in memory.rglob("*") if path.is_dir() and ".git" not in path.parts}
            assert folders == {"new", "deep"}
            if not no_commit:
                assert git(memory, "status", "--porcelain") == "M  same.md\n", points
                assert git(memory, "log", "--format=%s").splitlines()[1:] == ["State before review", "base"]
        else:
            assert state(memory) == old, points
        if not found:
            assert notes == new or state(memory) == old
        shutil.rmtree(memory.parent)
    assert {Ending.UNTOUCHED, Ending.UNDONE, Ending.FINISHED} <= endings
