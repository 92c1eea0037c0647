from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from memreview import workflow
from memreview.demo.build import Demo, build
from memreview.model.dream import Review, Target, TargetKind
from memreview.review.store import DecisionStore
from memreview.tui.app import MemreviewApp, run
from memreview.tui.screens.opening import OpeningScreen
from memreview.tui.screens.review import ReviewScreen
from tests.tui.apps import options_in
from tests.tui.snapshot import settle, until


@pytest.fixture
def demo(tmp_path: Path) -> Demo:
    return build(str(tmp_path / "demo"))


def app_of(demo: Demo, folder: Path) -> MemreviewApp:
    options = replace(options_in(folder), claude_dir=demo.claude_dir)
    return MemreviewApp(options, target_of(demo))


def target_of(demo: Demo) -> Target:
    return Target(TargetKind.OUTPUT, output=demo.dream)


async def checked(pilot: Pilot[int]) -> None:
    """Wait until the claims of the review are checked, and what was found is drawn."""
    await until(pilot, "Evidence")
    await settle(pilot)
    screen = pilot.app.screen
    assert isinstance(screen, ReviewScreen)
    assert screen.ledger.judged.checked


async def test_a_dream_is_read_and_its_review_opens(demo: Demo, tmp_path: Path) -> None:
    app = app_of(demo, tmp_path)
    async with app.run_test(size=(160, 45)) as pilot:
        await until(pilot, "MEMORY.md")
        assert isinstance(app.screen, ReviewScreen)
        known = DecisionStore(app.options.state_dir).known()
        assert [review.target.output for review in known] == [demo.dream]
        text = await until(pilot, "┃")
        assert "CHANGES.md line" in text
        await pilot.press("q")
    assert app.return_value == 0


async def test_what_is_decided_is_there_again(demo: Demo, tmp_path: Path) -> None:
    async with app_of(demo, tmp_path).run_test(size=(160, 45)) as pilot:
        await checked(pilot)
        await pilot.press("g", "n", "a", "n", "r")
    async with app_of(demo, tmp_path).run_test(size=(160, 45)) as pilot:
        text = await until(pilot, "MEMORY.md")
        assert "✓1 ✗1" in text


async def test_a_refusal_says_why_and_can_be_tried_again(demo: Demo, tmp_path: Path) -> None:
    diff = Path(demo.dream) / "memory.diff"
    kept = diff.read_bytes()
    diff.write_bytes(kept[: len(kept) // 2])
    app = app_of(demo, tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        text = await until(pilot, "This proposal cannot be reviewed.")
        assert "memory.diff" in "".join(text.split())
        assert isinstance(app.screen, OpeningScreen)
        diff.write_bytes(kept)
        await pilot.press("r")
        await until(pilot, "of 15")
    app = app_of(replace(demo, dream=demo.dream + "-none"), tmp_path)
    async with app.run_test(size=(100, 30)) as pilot:
        text = await until(pilot, "This proposal cannot be reviewed.")
        await pilot.press("q")
    assert app.return_value == 2


async def test_the_transcript_and_the_log_open_and_close(demo: Demo, tmp_path: Path) -> None:
    app = app_of(demo, tmp_path)
    async with app.run_test(size=(160, 45)) as pilot:
        await until(pilot, "┃")
        await pilot.press("t")
        await until(pilot, "Transcript")
        await pilot.press("q")
        await until(pilot, "undecided")
        await pilot.press("l")
        await until(pilot, "Run log")
        await pilot.press("q", "question_mark")
        await until(pilot, "Keys: Review")


async def test_commit_and_on(demo: Demo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    (tmp_path / "gitconfig").write_text("[user]\nname = Ada\nemail = ada@example.org\n")
    app = app_of(demo, tmp_path)
    async with app.run_test(size=(160, 45)) as pilot:
        await checked(pilot)
        await pilot.press("g", "n", "a", "c")
        await until(pilot, "ctrl+s writes")
        await pilot.press("q")
        await until(pilot, "1 of 15")
        await pilot.press("c")
        await until(pilot, "ctrl+s writes")
        await pilot.press("ctrl+s")
        await until(pilot, "Committed")
        await pilot.press("enter")
    known = DecisionStore(app.options.state_dir).known()[0]
    head = subprocess.run(["git", "-C", demo.memory, "rev-parse", "HEAD"], capture_output=True, check=True).stdout
    assert known.applied == head.decode().strip()
    assert app.return_value == 0


@pytest.mark.parametrize("fails", [False, True])
async def test_changes_are_shown_before_their_citations_are_known(demo: Demo, tmp_path: Path, fails: bool) -> None:
    app = app_of(demo, tmp_path)
    go_on = threading.Event()

    def slowly(target: Target, early: Callable[[Review], None]) -> Review:
        def pause(review: Review) -> None:
            early(review)
            assert go_on.wait(10)
            if fails:
                raise OSError(5, "Input/output error", "/transcripts/x.jsonl")

        return workflow.open_review(target, app.options, early=pause)

    app.read_review = slowly  # type: ignore[method-assign]
    async with app.run_test(size=(160, 45)) as pilot:
        text = await until(pilot, "is being looked up")
        assert "○" not in text
        assert "No entry of CHANGES.md" not in text
        await pilot.press("n", "n", "a", "c")
        await until(pilot, "still being looked up")
        go_on.set()
        if fails:
            text = await until(pilot, "What CHANGES.md cites")
            await pilot.press("g")
            await until(pilot, "/transcripts/x.jsonl: Input/output error")
        else:
            await until(pilot, "Unmatched entries")
            await pilot.press("k", "k")
            await until(pilot, "┃")
        screen = app.screen
        assert isinstance(screen, ReviewScreen)
        assert screen.ledger.counts()["✓"] == 1


def test_commits_are_named_when_the_program_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def runs(self: MemreviewApp) -> int:
        self.committed(("3f2a9c17d5e84b60a1c2d3e4f5061728394a5b6c", "/home/demo/\x1b[31mmemory"))
        return 0

    monkeypatch.setattr(MemreviewApp, "run", runs)
    assert run(options_in(tmp_path)) == 0
    assert capsys.readouterr().out == "committed 3f2a9c17d5e8 in /home/demo/␛[31mmemory\n"
