"""The whole way of a script: copy, a stand-in for the client, diff against the real folder, copy of the copy."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from memreview.errors import DreamError
from memreview.model.patch import ChangeKind
from tests.unit.dreamworld import World, changes_of, environment, rules, sides

SCRIPT = """\
set -eu
real=$1/memory; out=$2; work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
cp -r "$real" "$work/memory"
cp "$1"/*.jsonl "$work"
cd "$work"
claude -p "check ./memory, then write ./CHANGES.md" --restricted > "$out/run.log" 2>&1 < /dev/null
status=0
diff -ruN "$real" "$work/memory" > "$out/memory.diff" || status=$?
[ "$status" -le 1 ]
cp -r "$work/memory" "$out/memory"
cp "$work/CHANGES.md" "$out/" 2> /dev/null || true
"""

FIRST = """\
sed -i 's/npm test/pnpm test/' memory/testing.md
printf -- '- [Pinned](pinned.md) - versions\\n' >> memory/MEMORY.md
printf 'Pin pnpm 9.\\n' > memory/pinned.md
: > memory/empty.md
echo 'testing.md: pnpm replaced npm (s.jsonl:1)' > CHANGES.md
echo 'Done: 3 notes.'
"""
SECOND = """\
sed -i 's/npm test/yarn test/' memory/testing.md
echo 'Second.'
"""
MEANWHILE = """\
sleep 0.05
sed -i 's/npm test/pnpm test/' memory/testing.md
sleep 0.05
printf -- '- Redis runs on 6380.\\n' >> "$REAL/testing.md"
printf 'Written by another session.\\n' > "$REAL/release.md"
"""


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    world.notes(MEMORY="- [Testing](testing.md) - how\n", testing="# Testing\n\nRun `npm test`.\n\n- Redis.\n")
    (world.memory.parent / "s.jsonl").write_text('{"type":"user"}\n')
    return world


def run_script(world: World, client: str, ok: bool = True) -> None:
    commands = world.root / "bin"
    commands.mkdir(exist_ok=True)
    (commands / "claude").write_text(f"#!/bin/sh\n{client}")
    (commands / "claude").chmod(0o755)
    env = environment(world.root) | {"REAL": str(world.memory)}
    env["PATH"] = f"{commands}{os.pathsep}{env['PATH']}"
    done = subprocess.run(
        ["bash", "-c", SCRIPT, "dream", str(world.memory.parent), str(world.out)], env=env, capture_output=True
    )
    assert (done.returncode == 0) is ok, done.stderr


def test_a_run_from_beginning_to_end(world: World) -> None:
    world.commit()
    run_script(world, FIRST)
    proposal = world.propose()
    assert sides(proposal)["testing.md"][1] == b"# Testing\n\nRun `pnpm test`.\n\n- Redis.\n"
    assert {path: kind for file in proposal.files for path, kind in [(file.path, file.kind)]} == {
        "MEMORY.md": ChangeKind.MODIFIED,
        "empty.md": ChangeKind.ADDED,
        "pinned.md": ChangeKind.ADDED,
        "testing.md": ChangeKind.MODIFIED,
    }
    assert proposal.files[0].path == "MEMORY.md"
    assert proposal.run.log_text == "Done: 3 notes.\n"
    assert proposal.run.complete
    assert proposal.changes_text == "testing.md: pnpm replaced npm (s.jsonl:1)\n"
    assert proposal.findings == ()
    assert proposal.moved_since == ()


@pytest.mark.parametrize("git", [True, False])
def test_another_session_writes_meanwhile(world: World, git: bool) -> None:
    if git:
        world.commit()
    run_script(world, MEANWHILE)
    proposal = world.propose()
    assert [(c.removed, c.during_run) for c in changes_of(proposal, "testing.md")] == [
        ((b"Run `npm test`.\n",), False),
        ((b"- Redis runs on 6380.\n",), True),
    ]
    (release,) = [file for file in proposal.files if file.path == "release.md"]
    assert release.during_run
    assert {"written-during-run", "no-changes"} <= rules(proposal)


def test_a_second_run_into_the_same_folder(world: World) -> None:
    run_script(world, FIRST)
    hour_ago = time.time() - 3600
    for name in ("CHANGES.md", "memory.diff", "run.log"):
        os.utime(world.out / name, (hour_ago, hour_ago))
    run_script(world, SECOND)
    assert (world.out / "memory" / "memory" / "testing.md").exists()
    proposal = world.propose()
    assert sides(proposal) == {
        "testing.md": (b"# Testing\n\nRun `npm test`.\n\n- Redis.\n", b"# Testing\n\nRun `yarn test`.\n\n- Redis.\n")
    }
    assert {"two-runs", "old-changes"} <= rules(proposal)
    assert proposal.run.log_text == "Second.\n"


def test_a_run_that_fails(world: World) -> None:
    run_script(world, "echo 'Not logged in'; exit 1\n", ok=False)
    assert sorted(os.listdir(world.out)) == ["run.log"]
    with pytest.raises(DreamError, match="Not logged in"):
        world.propose()


def test_a_run_that_changes_nothing(world: World) -> None:
    run_script(world, "echo 'Nothing to do.'\n")
    assert (world.out / "memory.diff").read_bytes() == b""
    proposal = world.propose(project="-home-dev-lantern")
    assert proposal.files == ()
    assert proposal.run.complete
