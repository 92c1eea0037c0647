"""A dream that is begun on the screens: agreed to, followed, left alone, stopped, reviewed."""

from __future__ import annotations

import os
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memreview.config import Options
from memreview.dreaming.run import Prepared, Request, prepare
from memreview.model.dream import Project
from memreview.tui.app import MemreviewApp
from memreview.tui.screens.dream import DreamScreen
from memreview.tui.screens.project import ProjectScreen
from memreview.tui.screens.projects import ProjectsScreen
from memreview.tui.screens.review import ReviewScreen
from memreview.tui.widgets.status_line import StatusLine
from tests.many import LANTERN
from tests.midway import midway_app
from tests.tui.apps import ScreenApp, options_in
from tests.tui.snapshot import SIZES, Snap, screen_text, settle, until
from tests.tui.terminal import Terminal, missing_tmux
from tests.unit.dreaming_world import EDIT, GOOD, NAME, TESTING, DreamPlace, place, stamp
from tests.unit.talk import prose, write

__all__ = ["place"]

HANGS = [["init"], ["read", "memory/testing.md"], EDIT, ["hang"]]


def dream_app(place: DreamPlace) -> ScreenApp:
    return ScreenApp(lambda: DreamScreen(place.project), place.options)


async def until_it_is(pilot: Pilot[Any], kind: type[object]) -> None:
    while not isinstance(pilot.app.screen, kind):
        await pilot.pause(0.02)
    await settle(pilot)


def app_of(pilot: Pilot[Any]) -> MemreviewApp:
    assert isinstance(pilot.app, MemreviewApp)
    return pilot.app


def status(pilot: Pilot[Any]) -> str:
    return str(pilot.app.screen.query_one(StatusLine).content)


@pytest.mark.parametrize("size", SIZES, ids=["small", "large"])
async def test_a_dream_at_work_looks(snap: Snap, size: tuple[int, int]) -> None:
    project = Project(LANTERN, f"projects/{LANTERN}", f"projects/{LANTERN}/memory")
    await snap(midway_app(project, options_in(Path())), size)


async def test_a_plan_ends_where_another_is_wished_for(place: DreamPlace, monkeypatch: pytest.MonkeyPatch) -> None:
    stops: list[threading.Event] = []

    def seen(request: Request, options: Options, target: str | None, stop: threading.Event | None = None) -> Prepared:
        assert stop is not None
        stops.append(stop)
        if len(stops) == 1:
            stop.wait()
        return prepare(request, options, target, stop)

    monkeypatch.setattr("memreview.tui.screens.dream.prepare", seen)
    async with dream_app(place).run_test(size=(100, 30)) as pilot:
        while not stops:
            await pilot.pause()
        await pilot.press("a")
        await until(pilot, "^s starts it on a copy")
        assert [stop.is_set() for stop in stops] == [True, False]
        await settle(pilot)


async def test_from_all_projects_to_the_review(place: DreamPlace) -> None:
    before = place.fingerprint()
    app = MemreviewApp(place.options)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, NAME)
        await settle(pilot)
        assert isinstance(app.screen, ProjectsScreen)
        await pilot.press("d")
        text = await until(pilot, "What would be copied", "^s starts it on a copy")
        assert f"{NAME}/s1.jsonl" in text
        assert not (place.root / "saw.json").exists()
        await pilot.press("ctrl+s")
        await until_it_is(pilot, ReviewScreen)
        await until(pilot, "6380")
        assert (place.left_over(), place.fingerprint()) == ([], before)
        await pilot.press("q")
        await until_it_is(pilot, ProjectsScreen)
    assert (place.memory / "testing.md").read_text() == TESTING


async def test_what_is_asked_for_can_be_chosen(place: DreamPlace) -> None:
    write(place.projects / NAME / "s1" / "subagents" / "agent-0123456789abcdef0.jsonl", [prose("found", stamp(1))])
    async with dream_app(place).run_test(size=(100, 60)) as pilot:
        assert "subagents/agent" not in await until(pilot, "What would be copied")
        await pilot.press("a")
        await until(pilot, "✓ subagents", "s1/subagents/agent-0123456789abcdef0.jsonl")
        await pilot.press("g")
        await until(pilot, "✓ git log · ✓ subagents", "no repository of it is there")
        await pilot.press("ctrl+s")
        await settle(pilot)
        assert not app_of(pilot).dreams.runs
        await pilot.press("g", "a", "o")
        await until(pilot, "✓ only to review", "What would be copied")
        await pilot.press("G")
        await until(pilot, "## Only these lines", "memory/testing.md, line ")
        await pilot.press("ctrl+s")
        await until_it_is(pilot, ReviewScreen)
    assert "## Only these lines" in str(place.saw["argv"])


async def test_progress_is_shown_and_it_can_be_stopped(place: DreamPlace) -> None:
    place.scenario(HANGS)
    async with dream_app(place).run_test(size=(80, 24)) as pilot:
        await until(pilot, "What would be copied")
        await pilot.press("ctrl+s")
        text = await until(pilot, "Edit memory/testing.md", "waiting")
        assert "1 read · 1 written" in text
        assert os.listdir(place.temporary)
        await pilot.press("x")
        text = await until(pilot, "It did not finish: it was stopped")
        assert "enter shows what it did until then" in text
        assert place.left_over() == []
        assert isinstance(pilot.app.screen, DreamScreen)
        await pilot.press("enter")
        await until_it_is(pilot, ReviewScreen)
        await until(pilot, "6380", "run not finished")
        await pilot.press("a", "a", "c")
        await until(pilot, "can be looked at, not applied")
        await pilot.press("ctrl+s")
        await settle(pilot)
    assert (place.memory / "testing.md").read_text() == TESTING


async def test_it_goes_on_while_something_else_is_looked_at(place: DreamPlace) -> None:
    gate = place.root / "gate"
    os.mkfifo(gate)
    place.scenario([["init"], ["read", str(gate)], *GOOD[1:]])
    app = ScreenApp(lambda: ProjectScreen(place.project), place.options)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("d")
        await until(pilot, "What would be copied")
        await pilot.press("ctrl+s")
        await until(pilot, "model stand-in-1")
        await pilot.press("q")
        await until_it_is(pilot, ProjectScreen)
        gate.write_text("")
        await until(pilot, "has ended")
        assert isinstance(app.screen, ProjectScreen)
        await pilot.press("d")
        await until(pilot, "It has finished")
        await pilot.press("enter")
        await until_it_is(pilot, ReviewScreen)


async def test_leaving_asks_once_and_stops_it(place: DreamPlace) -> None:
    place.scenario(HANGS)
    app = dream_app(place)
    async with app.run_test(notifications=True) as pilot:
        await until(pilot, "What would be copied")
        await pilot.press("ctrl+s")
        await until(pilot, "waiting")
        await pilot.press("q")
        await until(pilot, "once more")
        assert app.dreams.running
        await pilot.press("q")
        await pilot.pause()
    app.end_dreams()
    assert not app.dreams.running
    assert place.left_over() == []


async def test_no_dream_can_be_run(place: DreamPlace) -> None:
    (place.projects / NAME / "s1.jsonl").unlink()
    async with dream_app(place).run_test(size=(100, 24)) as pilot:
        await until(pilot, "No dream can be run so", "no transcripts of the last 14 days")
        await pilot.press("ctrl+s", "x", "enter")
        await settle(pilot)
        assert not app_of(pilot).dreams.runs


async def test_the_client_is_missing_and_then_it_is_not(place: DreamPlace) -> None:
    options = replace(place.options, dream=replace(place.options.dream, client="no-such-client"))
    app = ScreenApp(lambda: DreamScreen(place.project), options)
    async with app.run_test(size=(100, 24)) as pilot:
        await until(pilot, "What would be copied")
        await pilot.press("ctrl+s")
        await until(pilot, "no-such-client: no such program")
        app.options = place.options
        await pilot.press("ctrl+s")
        await until(pilot, "What would be copied")
        await pilot.press("ctrl+s")
        await until_it_is(pilot, ReviewScreen)


@pytest.mark.parametrize(
    "ending", [["result", True, "API Error: 401 sk-ant-x", "success", {"api_error_status": 401}], ["kill"]]
)
async def test_a_failure_is_explained(place: DreamPlace, ending: list[Any]) -> None:
    place.scenario([["init"], ending])
    async with dream_app(place).run_test(size=(100, 24)) as pilot:
        await until(pilot, "What would be copied")
        await pilot.press("ctrl+s")
        await until(pilot, "It did not finish")
        assert "enter shows" not in status(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(pilot.app.screen, DreamScreen)
        assert "this run did not finish" in screen_text(pilot.app)


@pytest.mark.skipif(missing_tmux() is not None, reason=missing_tmux() or "")
def test_nothing_is_left_of_a_dream_when_memreview_is_quit(place: DreamPlace) -> None:
    place.scenario(HANGS)
    (place.root / "config.toml").write_text(f'[dream]\nclient = "{place.client}"\n')
    folders = {name: str(place.root / name) for name in ("MEMREVIEW_STATE_DIR", "MEMREVIEW_CACHE_DIR")}
    env = {**place.environment(), **folders, "MEMREVIEW_CONFIG": str(place.root / "config.toml")}
    command = [sys.executable, "-m", "memreview", "--claude-dir", str(place.claude)]
    with Terminal(command, place.root, (100, 30), env) as terminal:
        terminal.wait_for("1 project")
        # The keys do nothing until the list has come in.
        terminal.wait_for("an index that is loaded whole")
        terminal.type("d")
        terminal.wait_for("What would be copied")
        terminal.type("C-s")
        terminal.wait_for("waiting")
        assert os.listdir(place.temporary)
        terminal.type("C-q")
        terminal.wait_for(lambda _: terminal.ended())
        shown = terminal.screen()
    assert f"the dream of {NAME} was stopped; what it did until then is in" in shown
    assert place.left_over() == []
