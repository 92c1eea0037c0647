"""The whole way through the demo, by keys alone: open, decide, edit, undo, take single lines, commit.

The same steps are walked twice: by Textual's pilot, and in a real terminal by tmux.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from memreview.demo.build import Demo, build
from memreview.model.dream import Target, TargetKind
from memreview.tui.app import MemreviewApp
from tests.tui.apps import options_in
from tests.tui.snapshot import SMALL, screen_text, settle
from tests.tui.terminal import Terminal, missing_tmux

EDITOR = """#!/bin/sh
sed 's/at most 60 characters/at most 50 characters/' "$1" > "$1.new" && cat "$1.new" > "$1" && rm "$1.new"
"""
ACCEPTED = {
    "+- [Testing](testing.md) — pnpm test, no Redis",
    "-- [Testing](testing.md) — npm test, needs Redis",
    "-- Subjects are imperative and at most 72 characters.",
    "+- Subjects are imperative and at most 50 characters.",
    "-Run tests with `npm test`; the suite needs Redis on port 6379.",
    "+No Redis: the session store is an in-memory fake. Verified 2026-11-01: 214 tests passed.",
}


@dataclass(frozen=True)
class Step:
    """Keys, and what the screen shows then."""

    keys: Sequence[str]
    shows: str


WALK = (
    Step((), "contradicted"),
    Step(("g", "n"), "[Testing](testing.md)"),
    Step(("a",), "accepted"),
    Step(("n",), "2 of 15"),
    Step(("a",), "accepted"),
    Step(("u",), "Undone: 1 decision"),
    Step(("right_square_bracket", "right_square_bracket"), "60 characters."),
    Step(("e",), "50 characters."),
    Step(("G", "N"), "15 of 15"),
    Step(("x",), "take or leave"),
    Step(("j", "space", "enter"), "by lines"),
    Step(("t",), "Transcript"),
    Step(("q",), "15 of 15"),
    Step(("c",), "ctrl+s writes 3 notes"),
    Step(("ctrl+s",), "Committed"),
)
TMUX_KEYS = {"right_square_bracket": "]", "space": "Space", "enter": "Enter", "ctrl+s": "C-s"}


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Demo:
    script = tmp_path / "editor"
    script.write_text(EDITOR)
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(script))
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return build(str(tmp_path / "demo"))


def git(demo: Demo, *words: str) -> str:
    done = subprocess.run(["git", "-C", demo.memory, *words], capture_output=True, check=True)
    return done.stdout.decode()


def assert_committed(demo: Demo, head: str, dirty: str) -> None:
    """The last commit holds what was accepted and nothing else; the one before it what lay open in those notes."""
    patch = git(demo, "log", "-p", "-1", "--format=").split("\n")
    changed = {line for line in patch if line[:1] in "+-" and not line.startswith(("+++", "---"))} - {""}
    assert changed == ACCEPTED
    assert git(demo, "show", "--name-only", "--format=").split() == ["MEMORY.md", "commits.md", "testing.md"]
    assert git(demo, "log", "--format=%s", f"{head}..HEAD").strip().split("\n")[1:] == ["State before review"]
    assert git(demo, "diff", "--name-only", f"{head}..HEAD~1").split() == ["MEMORY.md"]
    assert git(demo, "status", "--porcelain").split("\n") == [
        row for row in dirty.split("\n") if "MEMORY.md" not in row
    ]


async def test_the_whole_way_by_keys(demo: Demo, tmp_path: Path) -> None:
    head, dirty = git(demo, "rev-parse", "HEAD").strip(), git(demo, "status", "--porcelain")
    options = options_in(tmp_path, claude_dir=demo.claude_dir)
    app = MemreviewApp(options, Target(TargetKind.OUTPUT, output=demo.dream))
    async with app.run_test(size=SMALL) as pilot:
        for step in WALK:
            await pilot.press(*step.keys)
            await settle(pilot)
            assert step.shows in screen_text(app), step
        await pilot.press("enter")
        await settle(pilot)
    assert app.return_code == 0
    assert_committed(demo, head, dirty)


@pytest.mark.skipif(missing_tmux() is not None, reason=missing_tmux() or "")
@pytest.mark.parametrize("size", [SMALL, (120, 40)], ids=["small", "large"])
def test_the_whole_way_in_a_terminal(demo: Demo, tmp_path: Path, size: tuple[int, int]) -> None:
    head, dirty = git(demo, "rev-parse", "HEAD").strip(), git(demo, "status", "--porcelain")
    state = {"MEMREVIEW_STATE_DIR": str(tmp_path / "state"), "MEMREVIEW_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "memreview", "review", demo.dream, "--claude-dir", demo.claude_dir]
    with Terminal(command, tmp_path, size, state) as terminal:
        for step in WALK:
            terminal.type(*(TMUX_KEYS.get(key, key) for key in step.keys))
            terminal.wait_for(step.shows)
        terminal.type("Enter")
        terminal.wait_for(lambda _: terminal.ended())
    assert_committed(demo, head, dirty)


@pytest.mark.skipif(missing_tmux() is not None, reason=missing_tmux() or "")
def test_a_failing_editor_leads_back_to_the_review(demo: Demo, tmp_path: Path) -> None:
    state = {"MEMREVIEW_STATE_DIR": str(tmp_path / "state"), "MEMREVIEW_CACHE_DIR": str(tmp_path / "cache")}
    # A size left in the environment says nothing about this terminal.
    state |= {"EDITOR": "/bin/false", "VISUAL": "", "COLUMNS": "120", "LINES": "40"}
    command = [sys.executable, "-m", "memreview", "review", demo.dream, "--claude-dir", demo.claude_dir]
    with Terminal(command, tmp_path, SMALL, state) as terminal:
        terminal.wait_for("Your notes are old")
        terminal.type("e")
        shown = terminal.wait_for("ended with status 1")
        assert "of 15" in shown
        assert "0/15" in shown
        terminal.wait_for("contradicted")
        terminal.type("r")
        terminal.wait_for("rejected")
        terminal.type("q")
        terminal.wait_for(lambda _: terminal.ended())


async def test_a_dream_is_found_and_waits_for_the_rest_when_a_part_is_applied(demo: Demo, tmp_path: Path) -> None:
    app = MemreviewApp(options_in(tmp_path, claude_dir=demo.claude_dir, dream_dirs=(demo.folder,)))
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        shown = screen_text(app)
        assert "1 project · 1 changed · 1 dream to review" in shown
        assert "not opened yet" in shown
        await pilot.press("enter")
        await settle(pilot)
        await pilot.press("g", "n", "a", "q")
        await settle(pilot)
        assert "1 of 15 decided" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        await pilot.press("c")
        await settle(pilot)
        await pilot.press("ctrl+s")
        await settle(pilot)
        assert "Committed" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "1 dream to review" in screen_text(app)
        assert "1 of 15 decided" in screen_text(app)
        await pilot.press("enter")
        await settle(pilot)
        assert "◆ applied" in screen_text(app)
        await pilot.press("r")
        await settle(pilot)
        assert ": memreview revert takes it" in screen_text(app)
        assert "◆1 1/15" in screen_text(app)
        await pilot.press("q")
        await settle(pilot)
        await pilot.press("q")
        await settle(pilot)
    assert app.return_code == 0
