"""Rows in a scrolling window that is hidden while they change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.app import ComposeResult
from textual.pilot import Pilot
from textual.screen import Screen

from memreview.tui.widgets.report_lines import NoteLines
from tests.tui.apps import ScreenApp, options_in


class _Note(Screen[None]):
    def compose(self) -> ComposeResult:
        yield NoteLines(id="raw")


async def until_sized(pilot: Pilot[Any], view: NoteLines, *, sized: bool) -> None:
    while (view.size.width > 0) is not sized:
        await pilot.pause()


async def test_a_hidden_note_that_gets_shorter_is_drawn_before_it_has_a_size(tmp_path: Path) -> None:
    app = ScreenApp(_Note, options_in(tmp_path))
    async with app.run_test(size=(60, 20)) as pilot:
        view = app.screen.query_one(NoteLines)
        view.show_note("one\n" * 9, {})
        await pilot.pause()
        assert "one" in view.render_line(8).text
        view.display = False
        await until_sized(pilot, view, sized=False)
        view.show_note("two\n", {})
        assert "one" not in "".join(view.render_line(y).text for y in range(12))
        view.display = True
        while "two" not in view.render_line(0).text:
            await pilot.pause()


async def test_a_hidden_note_that_stays_is_where_it_was(tmp_path: Path) -> None:
    app = ScreenApp(_Note, options_in(tmp_path))
    async with app.run_test(size=(60, 20)) as pilot:
        view = app.screen.query_one(NoteLines)
        view.show_note("".join(f"line {number}\n" for number in range(99)), {})
        await pilot.pause()
        view.scroll_to(y=40, animate=False, immediate=True)
        await pilot.pause()
        view.display = False
        await until_sized(pilot, view, sized=False)
        view.display = True
        await until_sized(pilot, view, sized=True)
        assert "line 40" in view.render_line(0).text
