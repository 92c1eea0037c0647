"""The screen of past reviews, and what takes them back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import TextArea

from memreview.errors import VcsError
from memreview.evidence.forget import forget
from memreview.tui.screens.history import HistoryScreen
from memreview.tui.screens.kept import KeptScreen
from memreview.tui.screens.revert import RevertScreen
from memreview.tui.screens.transcript import TranscriptScreen
from memreview.tui.widgets.status_line import StatusLine
from memreview.upkeep import revert, verify_lines
from tests.tui.kept import app_at, placed_nowhere, reviewed
from tests.tui.snapshot import LARGE, SIZES, SMALL, Snap, screen_text, settle, until
from tests.unit.kept_demo import KeptDemo
from tests.unit.memory_place import make_place

IDS = ["small", "large"]


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeptDemo:
    return reviewed(tmp_path, monkeypatch)


def said(pilot: Pilot[int]) -> str:
    return str(pilot.app.screen.query_one(StatusLine).content)


def shown(pilot: Pilot[int]) -> type[object]:
    return type(pilot.app.screen)


async def to_change(pilot: Pilot[int], words: str) -> None:
    """Put the cursor on the change of the latest review that says so."""
    await settle(pilot)
    await pilot.press("enter")
    for _ in range(12):
        if words in said(pilot):
            return
        await pilot.press("j")
        await pilot.pause()
    raise AssertionError(f"no change says {words!r}: {said(pilot)}")


def state(demo: KeptDemo) -> tuple[dict[str, bytes], str, str]:
    notes = {path.name: path.read_bytes() for path in demo.memory.glob("*.md")}
    return notes, demo.git("rev-parse", "HEAD"), demo.git("status", "--porcelain")


@pytest.mark.parametrize("size", SIZES, ids=IDS)
@pytest.mark.parametrize("keys", [(), ("enter", "j"), ("enter", "enter")], ids=["reviews", "changes", "kept"])
async def test_history_looks(snap: Snap, demo: KeptDemo, keys: tuple[str, ...], size: tuple[int, int]) -> None:
    app = app_at(demo, HistoryScreen)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await pilot.press(*keys)
        await settle(pilot)
        if keys[1:] == ("enter",):
            # The path of the transcript is another one at every run.
            pilot.app.screen.query_one(StatusLine).say("enter opens its transcript")
        await snap(pilot)


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_taking_back_looks(
    snap: Snap, demo: KeptDemo, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    placed_nowhere(monkeypatch)
    await snap(app_at(demo, HistoryScreen), size, press=["R"])


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_a_conflict_looks(
    snap: Snap, demo: KeptDemo, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    placed_nowhere(monkeypatch)
    note = demo.memory / "dev-server.md"
    note.write_text(note.read_text().replace("port 5173.", "port 5199."))
    await snap(app_at(demo, HistoryScreen), size, press=["R"])


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_a_folder_without_reviews_looks(
    snap: Snap, demo: KeptDemo, tmp_path: Path, size: tuple[int, int]
) -> None:
    place = make_place(tmp_path / "bare")
    shutil.rmtree(demo.memory)
    shutil.copytree(place.memory, demo.memory)
    app = app_at(demo, HistoryScreen)
    async with app.run_test(size=size) as pilot:
        await until(pilot, "No review of this project has been committed yet.")
        await snap(pilot)


async def test_a_folder_that_is_not_under_git_says_so(demo: KeptDemo) -> None:
    shutil.rmtree(demo.memory / ".git")
    async with app_at(demo, HistoryScreen).run_test(size=LARGE) as pilot:
        await until(pilot, "The history cannot be read.", "git init")
        await pilot.press("R", "r", "enter", "y")
        await settle(pilot)
        await pilot.press("q")
        await settle(pilot)
    assert pilot.app.return_value == 0


async def test_a_single_change_is_taken_back_with_its_reason(demo: KeptDemo) -> None:
    async with app_at(demo, HistoryScreen).run_test(size=LARGE) as pilot:
        await to_change(pilot, "The dev server listens on port 3000.")
        before = state(demo)
        await pilot.press("r")
        await until(pilot, "Will be taken back", "port 3000.", "What it rested on", "1 of 5 changes")
        assert state(demo) == before
        await pilot.press("m", *"port 3000 after all", "ctrl+s")
        text = await until(pilot, "✓ Committed", "1 change of", "taken back")
        await settle(pilot)
        assert "undecided" not in text
        await pilot.press("enter")
        await until(pilot, "Take back 1 of 5 changes", "4 commits")
    assert "port 3000." in (demo.memory / "dev-server.md").read_text()
    assert "pnpm test" in (demo.memory / "MEMORY.md").read_text()
    message = demo.git("log", "-1", "--format=%B")
    assert "\n\nport 3000 after all\n\n" in message
    assert demo.commit in message
    assert demo.git("status", "--porcelain", "--", "dev-server.md") == ""


async def test_a_whole_review_is_taken_back_without_a_reason_only_when_asked_twice(demo: KeptDemo) -> None:
    async with app_at(demo, HistoryScreen).run_test(size=LARGE) as pilot:
        await settle(pilot)
        before = state(demo)
        await pilot.press("R")
        await until(pilot, "all 5 changes")
        await pilot.press("ctrl+s")
        await until(pilot, "Why is it taken back? ctrl+s again")
        await settle(pilot)
        assert pilot.app.screen.query_one("#message", TextArea).has_focus
        assert state(demo) == before
        await pilot.press("ctrl+s")
        await until(pilot, "✓ Committed", "5 changes of")
        await settle(pilot)
    assert "port 3000." in (demo.memory / "dev-server.md").read_text()
    assert (demo.memory / "api-errors.md").exists()
    assert not (demo.memory / "http-errors.md").exists()
    assert "Take back " + demo.commit[:12] in demo.git("log", "-1", "--format=%s")


async def test_what_was_taken_back_can_be_brought_back(demo: KeptDemo) -> None:
    after = state(demo)[0]
    revert(demo.project, demo.commit, demo.options, reason="too soon")
    assert state(demo)[0] != after
    async with app_at(demo, HistoryScreen).run_test(size=LARGE) as pilot:
        await until(pilot, "Take back " + demo.commit[:12], "taken back")
        await settle(pilot)
        await pilot.press("R")
        await until(pilot, "all 5 changes")
        await pilot.press("ctrl+s", "ctrl+s")
        await until(pilot, "✓ Committed")
        await settle(pilot)
    assert state(demo)[0] == after


async def test_cancel_leaves_everything_as_it_is(demo: KeptDemo) -> None:
    before = state(demo)
    async with app_at(demo, HistoryScreen).run_test(size=SMALL) as pilot:
        await settle(pilot)
        await pilot.press("R")
        await until(pilot, "Will be taken back")
        await pilot.press("m", *"why", "escape", "q")
        await until(pilot, "3 commits")
        assert isinstance(pilot.app.screen, HistoryScreen)
        await settle(pilot)
    assert state(demo) == before


async def test_a_conflict_is_shown_and_nothing_is_written(demo: KeptDemo) -> None:
    note = demo.memory / "dev-server.md"
    note.write_text(note.read_text().replace("port 5173.", "port 5199."))
    before = state(demo)
    async with app_at(demo, HistoryScreen).run_test(size=LARGE) as pilot:
        await settle(pilot)
        await pilot.press("R")
        text = await until(pilot, "Later edits stand in the way", "dev-server.md: the note was changed")
        for words in ("stands now", "port 5199.", "would be back", "port 3000.", "as committed"):
            assert words in text
        await settle(pilot)
        await pilot.press("ctrl+s", "ctrl+s", "m", "x", "ctrl+s")
        await settle(pilot)
        assert shown(pilot) is RevertScreen
        assert state(demo) == before
        await pilot.press("escape", "q")
        await settle(pilot)
        assert shown(pilot) is HistoryScreen
    assert state(demo) == before


async def test_what_changed_after_the_trial_is_a_conflict_then(demo: KeptDemo) -> None:
    note = demo.memory / "dev-server.md"
    async with app_at(demo, HistoryScreen).run_test(size=LARGE) as pilot:
        await settle(pilot)
        await pilot.press("R")
        await until(pilot, "Will be taken back")
        await settle(pilot)
        note.write_text(note.read_text().replace("port 5173.", "port 5199."))
        before = state(demo)
        await pilot.press("ctrl+s", "ctrl+s")
        await until(pilot, "Later edits stand in the way", "port 5199.")
        await settle(pilot)
    assert state(demo) == before


async def test_a_refusal_is_said(demo: KeptDemo, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise VcsError("memory: a hook refused the commit")

    before = state(demo)
    async with app_at(demo, HistoryScreen).run_test(size=LARGE) as pilot:
        await settle(pilot)
        await pilot.press("R")
        await until(pilot, "Will be taken back")
        await settle(pilot)
        monkeypatch.setattr("memreview.upkeep.revert", refuse)
        await pilot.press("ctrl+s", "ctrl+s")
        await until(pilot, "Nothing was written", "a hook refused the commit")
        await settle(pilot)
    assert state(demo) == before


async def test_the_evidence_of_a_change_leads_into_the_transcript(demo: KeptDemo) -> None:
    async with app_at(demo, HistoryScreen).run_test(size=LARGE) as pilot:
        await to_change(pilot, "The dev server listens on port 3000.")
        await pilot.press("enter")
        text = await until(pilot, "What it rests on", "· stands", "How it was decided")
        assert "= supported · number “5173”" in text
        assert shown(pilot) is KeptScreen
        for _ in range(20):
            if "enter opens" in said(pilot):
                break
            await pilot.press("j")
            await pilot.pause()
        await pilot.press("enter")
        await settle(pilot)
        transcript = pilot.app.screen
        assert isinstance(transcript, TranscriptScreen)
        assert transcript.line in transcript.cited
        await until(pilot, "5173")


async def test_evidence_outlives_its_transcript(demo: KeptDemo) -> None:
    demo.sweep()
    async with app_at(demo, HistoryScreen).run_test(size=LARGE) as pilot:
        await to_change(pilot, "The dev server listens on port 3000.")
        await pilot.press("enter")
        await until(pilot, "gone, kept here", "The dev server moved to port 5173")
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(pilot.app.screen, KeptScreen)


async def test_forgotten_evidence_is_said(demo: KeptDemo) -> None:
    forget(demo.store, demo.options)
    async with app_at(demo, HistoryScreen).run_test(size=LARGE) as pilot:
        text = await until(pilot, "Review of dream-2026-11-01", "no evidence was kept of it")
        assert "◆ kept" not in text
        await pilot.press("enter", "enter")
        await until(pilot, "No evidence was kept of this change.")


async def test_what_was_verified_by_hand_stands_below_its_commit(demo: KeptDemo) -> None:
    from memreview.model.advice import Advice, Advised

    line = (demo.memory / "style.md").read_text().split("\n").index("# Style") + 1
    row = Advised("style.md", line, Advice.REVIEW, "no-evidence", "No evidence: no record says so.")
    verify_lines(demo.project, demo.options, [row])
    async with app_at(demo, HistoryScreen).run_test(size=LARGE) as pilot:
        await until(pilot, "Kept with this commit afterwards", f"style.md:{line} verified by hand")
        await pilot.press("enter", "G", "enter")
        await until(pilot, "although no-evidence: No evidence", "# Style")


async def test_a_commit_and_a_change_are_gone_to(demo: KeptDemo) -> None:
    (part,) = demo.store.of_commit(demo.commit)
    change = next(one for one in part.changes if one.note == "dev-server.md")
    first = demo.git("rev-list", "--max-parents=0", "HEAD").strip()
    app = app_at(demo, lambda project: HistoryScreen(project, demo.commit, change.id))
    async with app.run_test(size=LARGE) as pilot:
        await until(pilot, "r takes back this change of dev-server.md")
    app = app_at(demo, lambda project: HistoryScreen(project, first))
    async with app.run_test(size=LARGE) as pilot:
        await until(pilot, f"{first[:12]} is not in this list")


async def test_keys_go_through_the_reviews(demo: KeptDemo) -> None:
    async with app_at(demo, HistoryScreen).run_test(size=LARGE) as pilot:
        await settle(pilot)
        await pilot.press("n")
        await until(pilot, "State before review")
        await pilot.press("r")
        assert "enter goes to the changes" in said(pilot)
        await pilot.press("tab", "G", "g", "space", "b", "k", "N", "y")
        await settle(pilot)
        assert said(pilot) == f"Copied {demo.commit}"
        await pilot.press("q", "q")
        await settle(pilot)
    assert pilot.app.return_value == 0


@pytest.mark.parametrize("setting", [("NO_COLOR", "1"), ("TEXTUAL_THEME", "ansi-dark")], ids=["plain", "ansi"])
async def test_it_is_drawn_without_colour(
    demo: KeptDemo, monkeypatch: pytest.MonkeyPatch, setting: tuple[str, str]
) -> None:
    monkeypatch.setenv(*setting)
    for size in SIZES:
        async with app_at(demo, HistoryScreen).run_test(size=size) as pilot:
            await until(pilot, "✓6", "− - [Testing]", "+ - [Testing]", "= supported")
            await pilot.press("R")
            await until(pilot, "Will be taken back")
            assert "\x1b" not in screen_text(pilot.app)
            await settle(pilot)
