"""The lines of a note on the screen of its project: where each comes from, and what the check wants reviewed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memreview import upkeep
from memreview.model.dream import Target
from memreview.tui.app import MemreviewApp
from memreview.tui.screens.history import HistoryScreen
from memreview.tui.screens.project import ProjectScreen
from memreview.tui.screens.review import ReviewScreen
from memreview.tui.screens.sentence import SentenceScreen
from memreview.tui.screens.transcript import TranscriptScreen
from memreview.tui.widgets.status_line import StatusLine
from tests.tui.apps import ScreenApp
from tests.tui.kept import Faulty, app_at, faulty, reviewed
from tests.tui.snapshot import LARGE, SIZES, Snap, screen_text, settle, until

IDS = ["small", "large"]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Faulty:
    return faulty(tmp_path, monkeypatch)


def app_of(store: Faulty, *, named: bool = False) -> ScreenApp:
    return ScreenApp(lambda: ProjectScreen(store.named if named else store.project), store.options)


def said(pilot: Pilot[int]) -> str:
    return str(pilot.app.screen.query_one(StatusLine).content)


def screen_of(pilot: Pilot[int]) -> ProjectScreen:
    (screen,) = [one for one in pilot.app.screen_stack if isinstance(one, ProjectScreen)]
    return screen


def shown(pilot: Pilot[int]) -> type[object]:
    return type(pilot.app.screen)


async def at_line(pilot: Pilot[int], note: str, line: int) -> None:
    await settle(pilot)
    screen_of(pilot).go_to(note, line)
    await until(pilot, f"Line {line} of {note}")
    await settle(pilot)


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_the_queue_looks(snap: Snap, store: Faulty, size: tuple[int, int]) -> None:
    await snap(app_of(store, named=True), size, press=["6", "j"])


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_a_line_that_was_taken_back_later_looks(snap: Snap, store: Faulty, size: tuple[int, int]) -> None:
    async with app_of(store, named=True).run_test(size=size) as pilot:
        await at_line(pilot, "later-denied.md", 7)
        if size == LARGE:
            await until(pilot, "corrects")
        await snap(pilot)


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_a_line_with_kept_evidence_looks(
    snap: Snap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    demo = reviewed(tmp_path, monkeypatch)
    async with app_at(demo, ProjectScreen).run_test(size=size) as pilot:
        line = (demo.memory / "dev-server.md").read_text().split("\n").index("The dev server listens on port 5173.") + 1
        await at_line(pilot, "dev-server.md", line)
        await until(pilot, "the user's words: supported")
        await snap(pilot)


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_the_sentence_looks(snap: Snap, store: Faulty, size: tuple[int, int]) -> None:
    app = ScreenApp(lambda: SentenceScreen(("lantern/CLAUDE.md", "home/.claude/CLAUDE.md")), store.options)
    await snap(app, size)


async def test_a_line_leads_to_its_transcript_and_its_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    demo = reviewed(tmp_path, monkeypatch)
    line = (demo.memory / "dev-server.md").read_text().split("\n").index("The dev server listens on port 5173.") + 1
    async with app_at(demo, ProjectScreen).run_test(size=LARGE) as pilot:
        await at_line(pilot, "dev-server.md", line)
        text = await until(pilot, "the user's words: supported", "The dev server moved to port 5173")
        assert f"commit {demo.commit[:12]} · accepted" in text
        await pilot.press("enter")
        await settle(pilot)
        for _ in range(8):
            if ".jsonl:18" in said(pilot):
                break
            await pilot.press("j")
            await pilot.pause()
        await pilot.press("enter")
        await settle(pilot)
        transcript = pilot.app.screen
        assert isinstance(transcript, TranscriptScreen)
        assert (transcript.line, transcript.cited) == (18, (18,))
        await pilot.press("q")
        await settle(pilot)
        await pilot.press("g")
        for _ in range(8):
            if "this commit in the history" in said(pilot):
                break
            await pilot.press("j")
            await pilot.pause()
        await pilot.press("enter")
        await until(pilot, "r takes back this change of dev-server.md")
        assert shown(pilot) is HistoryScreen
        await settle(pilot)


async def test_a_line_without_git_says_so(tmp_path: Path, store: Faulty) -> None:
    import shutil

    shutil.rmtree(store.note(".git"))
    async with app_of(store).run_test(size=LARGE) as pilot:
        await at_line(pilot, "sound-quote.md", 7)
        await until(pilot, "This note is not under git")
        await settle(pilot)
        await pilot.press("6", "j", "v")
        await settle(pilot)
        assert "no git repository holds this folder" in said(pilot)


async def test_keys_go_from_line_to_line_to_review(store: Faulty) -> None:
    async with app_of(store).run_test(size=LARGE) as pilot:
        await settle(pilot)
        places = [(one.file, one.line) for one in screen_of(pilot).queue]
        assert len(places) == 9
        seen: list[tuple[str | None, int]] = []
        for _ in places:
            await pilot.press("r")
            await settle(pilot)
            seen.append((screen_of(pilot).note, screen_of(pilot).raw.line))
        assert sorted(seen) == places
        await pilot.press("R")
        await settle(pilot)
        assert (screen_of(pilot).note, screen_of(pilot).raw.line) == seen[-2]


async def test_a_verified_line_leaves_the_queue_for_good(store: Faulty) -> None:
    async with app_of(store).run_test(size=LARGE) as pilot:
        await settle(pilot)
        await at_line(pilot, "nobody-said.md", 1)
        await pilot.press("v")
        await until(pilot, "✓ nobody-said.md:1 is verified; 8 lines left")
        await until(pilot, "6 Check 8", "keep: Verified by hand on", "verified by hand on 2 Nov 2026")
        await settle(pilot)
        await pilot.press("v")
        assert "v verifies a line that is to be reviewed" in said(pilot)
    last = upkeep.last_check(store.project, store.options)
    assert last is not None
    assert len(last.queue) == 8
    again = upkeep.check_project(store.project, store.options)
    assert "nobody-said.md" not in {one.file for one in again.queue}


async def test_a_line_is_dropped_by_a_review(store: Faulty) -> None:
    before = store.note("wrong-quote.md").read_bytes()
    async with app_of(store).run_test(size=LARGE) as pilot:
        await at_line(pilot, "wrong-quote.md", 7)
        await pilot.press("D")
        await until(pilot, "spruce.", "0/1")
        await settle(pilot)
        assert shown(pilot) is ReviewScreen
        assert store.note("wrong-quote.md").read_bytes() == before


async def test_pointers_are_unpinned_by_a_review(store: Faulty, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Target] = []
    app = app_of(store)
    monkeypatch.setattr(app, "open_review", opened.append)
    index = store.note("MEMORY.md").read_bytes()
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        await pilot.press("6", "p")
        await settle(pilot)
        await pilot.press("p")
        await settle(pilot)
    assert len(opened) == 2
    assert opened[0] == opened[1]
    made = Path(opened[0].output or "")
    assert "[Unread]" not in (made / "memory" / "MEMORY.md").read_text()
    assert "[Unread](unread.md)" in (made / "memory" / "not-read-lately.md").read_text()
    assert "line 4" in (made / "CHANGES.md").read_text()
    assert store.note("MEMORY.md").read_bytes() == index


async def test_a_row_of_the_queue_leads_to_its_line(store: Faulty) -> None:
    async with app_of(store).run_test(size=LARGE) as pilot:
        await settle(pilot)
        await pilot.press("6", "j", "enter")
        await until(pilot, "Line 7 of changed-number.md", "? review: ")
        await settle(pilot)
        assert screen_of(pilot).raw.has_focus


async def test_the_check_is_stopped_and_begun_again(store: Faulty, monkeypatch: pytest.MonkeyPatch) -> None:
    real, begun, go_on = upkeep.check_project, threading.Event(), threading.Event()

    def slowly(*given: Any, step: Callable[[str, int, int], None], **more: Any) -> upkeep.CheckedMemory:
        begun.set()
        step("notes", 3, 17)
        go_on.wait(60)
        return real(*given, step=step, **more)

    monkeypatch.setattr(upkeep, "check_project", slowly)
    async with app_of(store).run_test(size=LARGE) as pilot:
        await until(pilot, "checking: 3 of 17 notes (C stops)")
        assert begun.is_set()
        # Keys do what they do meanwhile.
        await pilot.press("j", "2")
        await until(pilot, "Line 7 of changed-number.md")
        await pilot.press("C", "6")
        await until(pilot, "The check was stopped: C begins it anew.")
        go_on.set()
        await settle(pilot)
        assert "Check 9" not in screen_text(pilot.app)
        await pilot.press("C")
        await until(pilot, "6 Check 9", "Checked today 08:15")
        await settle(pilot)


async def test_a_check_that_fails_says_why(store: Faulty, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> upkeep.CheckedMemory:
        raise OSError(13, "Permission denied", "transcripts")

    monkeypatch.setattr(upkeep, "check_project", fails)
    async with app_of(store).run_test(size=LARGE) as pilot:
        await settle(pilot)
        await pilot.press("6")
        await until(pilot, "Permission denied")
        await settle(pilot)


async def test_what_was_said_of_a_note_goes_when_it_changes(store: Faulty) -> None:
    async with app_of(store).run_test(size=LARGE) as pilot:
        await settle(pilot)
        assert {"wrong-quote.md", "own-word.md"} <= {one.file for one in screen_of(pilot).queue}
        note = store.note("wrong-quote.md")
        note.write_text(note.read_text().replace("spruce", "larch"))
        await pilot.press("f5")
        await settle(pilot)
        left = {one.file for one in screen_of(pilot).queue}
        assert "wrong-quote.md" not in left
        assert "own-word.md" in left


async def test_projects_tell_how_many_notes_wait(store: Faulty) -> None:
    upkeep.check_project(store.project, store.options)
    async with MemreviewApp(store.options).run_test(size=LARGE) as pilot:
        await until(pilot, "Review", "?9", "9 notes to review")
        await settle(pilot)
        await asyncio.sleep(0)
        await pilot.press("h")
        await until(pilot, "No review of this project has been committed yet.")
        await settle(pilot)


async def test_the_sentence_is_offered_with_its_cost(
    store: Faulty, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memreview.report.sentence import SENTENCE

    (Path(store.options.claude_dir) / "CLAUDE.md").write_text(f"# Mine\n\n{SENTENCE}\n")
    async with app_of(store).run_test(size=LARGE) as pilot:
        await settle(pilot)
        await pilot.press("4", "G", "enter")
        await until(pilot, "tokens in every session", "has it")
        await pilot.press("y")
        await settle(pilot)
        assert pilot.app.clipboard == SENTENCE
        await pilot.press("q")
        await settle(pilot)
        assert shown(pilot) is ProjectScreen
