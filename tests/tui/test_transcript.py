"""The transcript screen on real files."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from memreview.tui.screens.transcript import TranscriptScreen
from memreview.tui.widgets.notice import Notice
from tests.tui.apps import ScreenApp, options_in
from tests.tui.snapshot import LARGE, SIZES, SMALL, Snap, screen_rows, screen_text, settle

IDS = ["small", "large"]
KEY = "sk-ant-" + "a1B2" * 12


def said(speaker: str, text: Any, minute: int, **more: Any) -> dict[str, Any]:
    """A record in the shape of the client."""
    return {
        "type": speaker,
        "message": {"role": speaker, "content": text},
        "uuid": f"00000000-0000-4000-8000-{minute:012d}",
        "timestamp": f"2026-11-01T14:{minute % 60:02d}:00.000Z",
        "sessionId": "7f3c2a10-0000-4000-8000-000000000001",
        **more,
    }


def call(name: str, minute: int, **given: Any) -> dict[str, Any]:
    return said("assistant", [{"type": "tool_use", "id": f"t{minute}", "name": name, "input": given}], minute)


def result(text: str, minute: int, **more: Any) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": f"t{minute - 1}", "content": text, **more}
    return said("user", [block], minute)


def talk() -> list[dict[str, Any] | str]:
    noise = {"type": "system", "subtype": "turn_duration", "timestamp": "2026-11-01T14:03:00.000Z"}
    run = "\n".join(f"ok {number} - case {number} passes" for number in range(120))
    return [
        {"type": "mode", "mode": "default"},
        said("user", "We moved from npm to pnpm last week, so stop writing npm commands into the notes.", 1),
        said("assistant", [{"type": "text", "text": "Understood: pnpm from now on."}], 2),
        noise,
        call("Bash", 4, command="pnpm test"),
        result(f"{run}\n214 passed, 0 failed", 5),
        '{"broken": ',
        said("user", f"The key is {KEY}, [bold]do not keep it[/bold] \u202e.", 6),
        result("Exit code 1\nnpm ERR! missing script", 8, is_error=True),
        {**said("user", "Good morning.", 9), "timestamp": "2026-11-02T08:00:00.000Z"},
    ]


def write(path: Path, records: Iterable[dict[str, Any] | str]) -> Path:
    lines = (record if isinstance(record, str) else json.dumps(record, ensure_ascii=False) for record in records)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def session(tmp_path: Path) -> Path:
    return write(tmp_path / "7f3c2a10.jsonl", talk())


def opened(path: Path, line: int, folder: Path, **more: Any) -> ScreenApp:
    options = options_in(folder, **more)
    return ScreenApp(lambda: TranscriptScreen(str(path), line, options, cited=[line]), options)


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_it_opens_at_the_cited_line(session: Path, tmp_path: Path, snap: Snap, size: tuple[int, int]) -> None:
    await snap(opened(session, 2, tmp_path), size)


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_matches_are_marked(session: Path, tmp_path: Path, snap: Snap, size: tuple[int, int]) -> None:
    await snap(opened(session, 2, tmp_path), size, press=["slash", *"passed", "enter"])


async def test_every_word_has_its_line_time_and_speaker(session: Path, tmp_path: Path) -> None:
    app = opened(session, 2, tmp_path)
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        shown = screen_rows(app)
    assert "line 2 of 10" in shown[0]
    assert shown[1].strip() == "Sunday 1 November 2026"
    assert shown[2].startswith("▌  2 14:01 user      We moved from npm to pnpm last week")
    assert any(row.startswith("   3 14:02 assistant Understood") for row in shown)
    assert any(row.startswith("   5 14:04 call      Bash") for row in shown)
    assert any(row.startswith("   6 14:05 tool      ok 0") for row in shown)


async def test_records_without_words_are_shown_on_request(session: Path, tmp_path: Path) -> None:
    app = opened(session, 2, tmp_path)
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        assert "turn_duration" not in screen_text(app)
        await pilot.press("a")
        await settle(pilot)
        shown = screen_text(app)
        assert "turn_duration" in shown
        assert "1       " in shown
        await pilot.press("a")
        await settle(pilot)
        assert "turn_duration" not in screen_text(app)


async def test_search_goes_round_and_opens_what_is_cut(session: Path, tmp_path: Path) -> None:
    app = opened(session, 8, tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"214 PASSED", "enter")
        await settle(pilot)
        shown = screen_text(app)
        assert "214 passed, 0 failed" in shown
        assert "line 6 of 10" in shown
        assert "“214 PASSED”: record 1 of 1" in shown
        await pilot.press("slash", *"npm", "enter")
        await settle(pilot)
        assert "record 4 of 4" in screen_text(app)
        lines = []
        for key in ("n", "n", "n", "n", "N"):
            await pilot.press(key)
            await settle(pilot)
            lines.append(app.screen.query_one("RecordLines").current)  # type: ignore[attr-defined]
        assert lines == [2, 3, 5, 9, 5]
        await pilot.press("escape")
        await settle(pilot)
        assert "Records in which nobody speaks" in screen_text(app)
        assert isinstance(app.screen, TranscriptScreen)


async def test_a_text_that_nobody_said_is_not_found(session: Path, tmp_path: Path) -> None:
    app = opened(session, 2, tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"turn_duration", "enter")
        await settle(pilot)
        assert "no record says it" in screen_text(app)
        assert "line 2 of 10" in screen_text(app)


@pytest.mark.parametrize(
    ("typed", "line", "said_then"), [("9", 9, ""), ("4", 5, "Nobody says anything"), ("99", 2, "No such")]
)
async def test_a_line_can_be_asked_for(session: Path, tmp_path: Path, typed: str, line: int, said_then: str) -> None:
    app = opened(session, 2, tmp_path)
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        await pilot.press("colon", *typed, "enter")
        await settle(pilot)
        assert f"line {line} of 10" in screen_text(app)
        assert said_then in screen_text(app)


async def test_secrets_are_masked_and_nothing_is_read_as_markup(session: Path, tmp_path: Path) -> None:
    for show, wanted in ((False, 0), (True, 1)):
        app = opened(session, 8, tmp_path, show_secrets=show)
        async with app.run_test(size=LARGE) as pilot:
            await settle(pilot)
            shown = "".join(row[21:].strip() for row in screen_rows(app))
        assert shown.count(KEY) == wanted
        assert "[bold]do not keep it[/bold]" in shown
        assert "\\u202e" in shown


async def test_moving_reaches_both_ends(session: Path, tmp_path: Path) -> None:
    app = opened(session, 2, tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await pilot.press("G")
        await settle(pilot)
        shown = screen_rows(app)
        assert "Good morning." in "\n".join(shown)
        assert "line 10 of 10" in shown[0]
        assert "Good morning." in shown[-3]
        await pilot.press(*"kkkkkkkkkkkkkk")
        await settle(pilot)
        assert "line 2 of 10" in screen_text(app)
        seen = ""
        for _ in range(5):
            await pilot.press(*"jj")
            seen += screen_text(app)
        assert "line 10 of 10" in seen
        assert "ok 39 " in seen
        assert "… 81 more lines: enter shows them" in seen
        await pilot.press("c")
        await settle(pilot)
        assert "line 2 of 10" in screen_text(app)


async def test_the_mouse_chooses_and_scrolls(session: Path, tmp_path: Path) -> None:
    app = opened(session, 2, tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        row = next(n for n, text in enumerate(screen_rows(app)) if "Understood" in text)
        await pilot.click(offset=(30, row))
        await settle(pilot)
        assert "line 3 of 10" in screen_text(app)


async def test_what_was_appended_is_read_again(session: Path, tmp_path: Path) -> None:
    app = opened(session, 2, tmp_path)
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        with session.open("a", encoding="utf-8") as file:
            file.write(json.dumps(said("user", "One more thing.", 30)) + "\n")
        await pilot.press("f5")
        await settle(pilot)
        await pilot.press("G")
        await settle(pilot)
        assert "One more thing." in screen_text(app)
        assert "line 11 of 11" in screen_text(app)


@pytest.mark.parametrize("state", ["gone", "folder", "empty"])
@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_a_transcript_that_cannot_be_shown_says_why(tmp_path: Path, state: str, size: tuple[int, int]) -> None:
    path = tmp_path / "x.jsonl"
    if state == "folder":
        path.mkdir()
    elif state == "empty":
        path.touch()
    app = opened(path, 3, tmp_path)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        shown = screen_text(app)
        assert app.screen.query_one(Notice).says
        assert ("empty" in shown) if state == "empty" else ("cannot be read" in shown and "x.jsonl" in shown)
        await pilot.press("j", "G", "slash", "n", "enter", "a", "c", "y", "colon")
        await settle(pilot)
        await pilot.press("q")
        await settle(pilot)
    assert app.return_code == 0


async def test_resizing_keeps_the_record(session: Path, tmp_path: Path) -> None:
    app = opened(session, 9, tmp_path)
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        for size in (SMALL, (40, 12), LARGE):
            await pilot.resize_terminal(*size)
            await settle(pilot)
            assert "npm ERR!" in screen_text(app)


async def test_a_search_in_a_big_transcript_can_be_ended(tmp_path: Path) -> None:
    path = tmp_path / "big.jsonl"
    line = json.dumps(said("user", "words about nothing in particular " * 8, 1)) + "\n"
    with path.open("w") as file:
        file.writelines([line] * 60_000)
        file.write(json.dumps(said("user", "needle", 2)) + "\n")
    app = opened(path, 60_001, tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        before = time.process_time()
        await settle(pilot)
        assert "needle" in screen_text(app)
        await pilot.press("slash", *"particular", "enter")
        await pilot.pause(0.05)
        await pilot.press("escape")
        await settle(pilot)
        assert "Records in which nobody speaks" in screen_text(app)
        assert time.process_time() - before < 15
    assert os.path.getsize(path) > 15_000_000
