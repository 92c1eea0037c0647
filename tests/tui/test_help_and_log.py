"""The help of a screen and the log of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from memreview.model.dream import Run
from memreview.tui import keys
from memreview.tui.facts import SIGNS
from memreview.tui.screens.help import HelpScreen
from memreview.tui.screens.log import LogScreen
from memreview.tui.widgets.key_table import Entry, columns, groups
from tests.tui.apps import ScreenApp, options_in
from tests.tui.snapshot import SIZES, SMALL, Snap, screen_rows, screen_text, settle

IDS = ["small", "large"]


def review_help(folder: Path) -> ScreenApp:
    return ScreenApp(lambda: HelpScreen("Review", (*keys.REVIEW, *keys.COMMON), SIGNS), options_in(folder))


ENTRIES = [Entry(key.group, key.shown, key.help) for key in (*keys.REVIEW, *keys.COMMON)]


def log_of(run: Run, folder: Path) -> ScreenApp:
    return ScreenApp(lambda: LogScreen(run), options_in(folder))


def test_groups_keep_the_order_of_the_table() -> None:
    assert [name for name, _ in groups(ENTRIES)] == ["Decide", "Move", "Look", "Finish", "Screen"]


@pytest.mark.parametrize("count", [1, 2, 3, 9])
def test_columns_hold_every_section_once_in_order(count: int) -> None:
    made = columns([11, 13, 12, 5, 6, 15], count)
    assert [section for column in made for section in column] == [0, 1, 2, 3, 4, 5]
    assert len(made) <= count
    if count == 2:
        assert made == [[0, 1, 2], [3, 4, 5]]


async def test_help_names_every_key_of_the_screen(tmp_path: Path) -> None:
    app = review_help(tmp_path)
    async with app.run_test(size=(120, 60)) as pilot:
        await settle(pilot)
        shown = " ".join(screen_text(app).split())
    for sign, words in SIGNS:
        assert f" {sign} {words.split()[0]}" in shown
    for key in (*keys.REVIEW, *keys.COMMON):
        assert key.help.split()[0] in shown
        assert f" {key.shown} " in f" {shown} "


async def test_help_opens_over_any_screen_and_closes_again(tmp_path: Path) -> None:
    app = log_of(Run("run.log", "said\n"), tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("question_mark")
        await settle(pilot)
        assert "Keys: Run log" in screen_text(app)
        await pilot.press("question_mark")
        await settle(pilot)
        assert isinstance(app.screen, LogScreen)


async def test_log_is_shown_as_it_is(tmp_path: Path) -> None:
    text = "[bold]not markup[/bold] [/x]\n\x1b[31mred\x1b[0m\ttab\n" + "long " * 60 + "\nend\n"
    app = log_of(Run(str(tmp_path / "run.log"), text, label="dream-2026-11-05"), tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        shown = screen_rows(app)
        assert shown[1] == " [bold]not markup[/bold] [/x]"
        assert "\x1b" not in "".join(shown)
        assert "␛[31mred␛[0m" in shown[2]
        wrapped = len(shown)
        await pilot.press("w")
        await settle(pilot)
        assert screen_rows(app)[4] == " end"
        assert wrapped == len(screen_rows(app))


async def test_a_long_log_is_scrolled(tmp_path: Path) -> None:
    app = log_of(Run("run.log", "\n".join(f"row {number}" for number in range(20_000))), tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("G")
        await settle(pilot)
        assert "row 19999" in screen_text(app)
        await pilot.press("g", "j", "space")
        await settle(pilot)
        assert screen_rows(app)[1] == " row 20"


LOGS = {
    "failed": Run("dream-2026-11-05/run.log", "Error: Reached max turns (20)\n", False, "dream-2026-11-05"),
    "empty": Run("dream-2026-11-05/run.log", "", True, "dream-2026-11-05"),
    "none": Run(),
}


@pytest.mark.parametrize("size", SIZES, ids=IDS)
@pytest.mark.parametrize("state", LOGS)
async def test_log_looks(snap: Snap, tmp_path: Path, size: tuple[int, int], state: str) -> None:
    await snap(log_of(LOGS[state], tmp_path), size)


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_help_looks(snap: Snap, tmp_path: Path, size: tuple[int, int]) -> None:
    await snap(review_help(tmp_path), size)
