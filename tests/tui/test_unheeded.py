"""What the user said and the proposal lacks, on the review screen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from memreview.model.dreamed import Unheeded
from memreview.tui.items import ItemKind
from tests.tui.apps import ScreenApp, options_in
from tests.tui.reviews import make_ledger, write_transcript
from tests.tui.snapshot import LARGE, screen_text, settle, until
from tests.tui.test_review import app_for, review_of, screen_of


def app_with(folder: Path, text: str) -> ScreenApp:
    path = write_transcript(folder / "s2.jsonl", [("user", "Good morning."), ("user", text)])
    one = Unheeded("save", "s2.jsonl", 2, text, "2026-11-01T10:00:00.000Z", str(path))
    return app_for(folder, make_ledger(replace(review_of(folder), unheeded=(one,))))


async def test_it_is_listed_and_shown_with_its_record(tmp_path: Path) -> None:
    app = app_with(tmp_path, "Remember that [the host] is lantern-2.")
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        assert "Said, and not taken up" in screen_text(app)
        await pilot.press("end")
        await settle(pilot)
        item = screen_of(pilot).session.item
        assert item is not None
        assert item.kind is ItemKind.UNHEEDED
        text = await until(pilot, "Good morning.")
        assert "Asked to be remembered, and in no" in text
        assert "The user asked to remember this" in text
        await pilot.press("t")
        await until(pilot, "s2.jsonl")
        assert "[the host]" in screen_text(app)


async def test_a_secret_in_it_is_masked(tmp_path: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5" * 4
    app = app_with(tmp_path, f"Remember that the key is {token}")
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        await pilot.press("end")
        await settle(pilot)
        await until(pilot, "Good morning.")
        assert token not in screen_text(app)
        assert token[:20] not in screen_text(app)


async def test_without_any_there_is_no_such_section(tmp_path: Path) -> None:
    app = ScreenApp(app_for(tmp_path)._make, options_in(tmp_path))
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        assert "Said, and not taken up" not in screen_text(app)
