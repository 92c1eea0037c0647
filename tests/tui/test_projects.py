"""The projects screen."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

import pytest

from memreview import workflow
from memreview.checks.index import IndexState, IndexStatus
from memreview.config import Options
from memreview.errors import RefusedError
from memreview.model.dream import Project, Target, TargetKind
from memreview.report.overview import DreamRow, ProjectRow
from memreview.tui.screens.projects import ProjectsScreen
from memreview.tui.widgets.overview_rows import overview_rows, since
from tests.tui.apps import ScreenApp
from tests.tui.snapshot import SIZES, SMALL, Snap, screen_rows, screen_text, settle

IDS = ["small", "large"]
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
OPTIONS = Options(claude_dir="/home/demo/.claude", state_dir="/nowhere/state", cache_dir="/nowhere/cache")


def at(month: int, day: int, hour: int = 0, minute: int = 0) -> float:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC).timestamp()


def project(name: str, index: IndexState, notes: int = 4, dreams: int = 0, opened: float | None = None) -> ProjectRow:
    folder = f"/home/demo/.claude/projects/{name}"
    return ProjectRow(Project(name, folder, f"{folder}/memory"), notes, index, dreams, opened)


def dream(folder: str, owner: str | None = None, **more: object) -> DreamRow:
    return DreamRow(Target(TargetKind.OUTPUT, output=f"/home/demo/{folder}"), owner, **more)  # type: ignore[arg-type]


PROJECTS = [
    project("-home-demo-lantern", IndexState(IndexStatus.OK, 12, 640, 12), 12, 2, at(11, 30, 9, 5)),
    project("-home-demo-a-very-long-project-folder-name-that-does-not-fit", IndexState(IndexStatus.NEAR, 171, 9_000)),
    project("-home-demo-日本語-[bold]", IndexState(IndexStatus.CUT, 240, 31_000, 190, 191), 90, 0, at(11, 29, 23, 59)),
    project("-home-demo-new", IndexState(IndexStatus.NONE), 0),
]
DREAMS = [
    dream("dream-2026-11-01", "-home-demo-lantern", made=at(11, 1, 18, 12), decided=3, total=14),
    dream("dream-2026-11-28", "-home-demo-lantern", made=at(11, 28, 18, 12)),
    dream("dream-2026-11-29", "-home-demo-x", made=at(11, 29, 3, 0), complete=False),
    dream("dream-cut", made=at(11, 20, 3, 0), problem="/home/demo/dream-cut: memory.diff is cut; run the dream again"),
    dream("dream-2026-10-02", "-home-demo-lantern", made=at(10, 2, 3, 0), decided=9, total=9, done=True, applied=True),
]


class FixedClock(datetime):
    @classmethod
    def now(cls, tz: tzinfo | None = None) -> FixedClock:
        return cls(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def fixed_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memreview.tui.screens.projects.datetime", FixedClock)


def shows(monkeypatch: pytest.MonkeyPatch, projects: list[ProjectRow], dreams: list[DreamRow]) -> ScreenApp:
    monkeypatch.setattr(workflow, "list_projects", lambda options: projects)
    monkeypatch.setattr(workflow, "find_dreams", lambda options: dreams)
    return ScreenApp(ProjectsScreen, OPTIONS)


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_projects_look(snap: Snap, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> None:
    await snap(shows(monkeypatch, PROJECTS, DREAMS), size)


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_no_projects_look(snap: Snap, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> None:
    await snap(shows(monkeypatch, [], []), size)


async def test_enter_opens_the_dream_under_the_cursor(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Target] = []
    app = shows(monkeypatch, PROJECTS, DREAMS)
    monkeypatch.setattr(app, "open_review", opened.append)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await pilot.press("enter", "j", "enter", "j", "enter")
        await settle(pilot)
    assert [target.label for target in opened] == [f"/home/demo/dream-2026-11-{day}" for day in ("29", "28")]


async def test_enter_on_a_project_opens_its_newest_dream(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Target] = []
    app = shows(monkeypatch, PROJECTS, DREAMS)
    monkeypatch.setattr(app, "open_review", opened.append)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await pilot.press("G", "k", "enter")
        await settle(pilot)
        assert "No dream of this project waits" in screen_text(app)
        await pilot.press("k", "k", "k", "enter")
        await settle(pilot)
    assert [target.label for target in opened] == ["/home/demo/dream-2026-11-28"]


async def test_a_dream_that_cannot_be_opened_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    app = shows(monkeypatch, [], DREAMS[3:4])
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert "memory.diff is cut" in screen_text(app)
        assert isinstance(app.screen, ProjectsScreen)


async def test_what_cannot_be_read_is_said_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    app = shows(monkeypatch, PROJECTS, [])

    def refuse(options: Options) -> list[ProjectRow]:
        raise RefusedError("/home/demo/.claude: permission denied; make it readable")

    monkeypatch.setattr(workflow, "list_projects", refuse)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        assert "permission denied; make it readable" in screen_text(app)
        monkeypatch.setattr(workflow, "list_projects", lambda options: PROJECTS)
        await pilot.press("f5")
        await settle(pilot)
        assert "-home-demo-lantern" in screen_text(app)
        await pilot.press("q")
    assert app.return_code == 0


async def test_reloading_keeps_the_cursor(monkeypatch: pytest.MonkeyPatch) -> None:
    app = shows(monkeypatch, PROJECTS, DREAMS)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await pilot.press("G", "k", "k")
        await settle(pilot)
        monkeypatch.setattr(workflow, "find_dreams", lambda options: DREAMS[:1])
        await pilot.press("f5")
        await settle(pilot)
        number = app.screen.query_one("OptionList").highlighted  # type: ignore[attr-defined]
        assert "日本語" in screen_rows(app)[number + 1]


@pytest.mark.parametrize("width", [64, 79, 119, 200])
def test_rows_fit_the_width(width: int) -> None:
    lengths = [row.content.cell_length for row in overview_rows(PROJECTS, DREAMS, width, NOW)]
    assert max(lengths) <= width


def test_columns_stand_below_their_headings() -> None:
    heading, *shown = [row.content.plain for row in overview_rows(PROJECTS[:2], [], 79, NOW)]
    for name, values in (("Notes", ["12", "4"]), ("Dreams", ["2", ""]), ("Opened", ["today 09:05", "–"])):
        end = heading.index(name) + len(name)
        start = max(0, end - 11)
        assert [row[start:end].strip().endswith(value) for row, value in zip(shown, values, strict=True)] == [
            True,
            True,
        ]


@pytest.mark.parametrize(
    ("moment", "words"),
    [
        (None, ""),
        (at(11, 30, 9, 5), "today 09:05"),
        (at(11, 29, 23, 59), "yesterday 23:59"),
        (at(11, 1, 18, 12), "1 Nov 18:12"),
        (datetime(2025, 3, 4, tzinfo=UTC).timestamp(), "4 Mar 2025"),
    ],
)
def test_times_are_said_as_a_person_would(moment: float | None, words: str) -> None:
    assert since(moment, NOW) == words
