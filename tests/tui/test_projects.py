"""The projects screen."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from textual.pilot import Pilot

from memreview import workflow
from memreview.checks.audited import ProjectAudit
from memreview.checks.index import IndexState, IndexStatus
from memreview.config import Options
from memreview.errors import RefusedError
from memreview.model.dream import Project, Target, TargetKind
from memreview.report.overview import DreamRow
from memreview.tui.app import MemreviewApp
from memreview.tui.overview import Entry, Overview, Sorting
from memreview.tui.screens.projects import ProjectsScreen
from memreview.tui.widgets.overview_rows import dream_rows, since
from memreview.tui.widgets.project_columns import COLUMNS, about, heads, next_sorting, ordered, placed, row
from memreview.tui.widgets.status_line import StatusLine
from tests.many import CUT, FINE, LANTERN, NEAR, NEW, SESSIONS, WIDE, note
from tests.tui.many import built, projects_app, watch_every
from tests.tui.snapshot import LARGE, SIZES, SMALL, Snap, screen_rows, screen_text, settle, until

IDS = ["small", "large"]
NOW = datetime(2026, 11, 2, 8, 15, tzinfo=UTC)


def at(month: int, day: int, hour: int = 0, minute: int = 0) -> float:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC).timestamp()


def dream(folder: str, owner: str | None = None, **more: object) -> DreamRow:
    return DreamRow(Target(TargetKind.OUTPUT, output=f"/home/demo/{folder}"), owner, **more)  # type: ignore[arg-type]


DREAMS = [
    dream("dream-2026-10-01", LANTERN, made=at(10, 1, 18, 12), decided=3, total=14),
    dream("dream-2026-10-28", LANTERN, made=at(10, 28, 18, 12)),
    dream("dream-2026-11-01", "-home-demo-x", made=at(11, 1, 3, 0), complete=False),
    dream("dream-cut", made=at(10, 20, 3, 0), problem="/home/demo/dream-cut: memory.diff is cut; run the dream again"),
    dream("dream-2026-10-02", LANTERN, made=at(10, 2, 3, 0), decided=9, total=9, done=True, applied=True),
]


@pytest.fixture
def claude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return built(tmp_path, monkeypatch)


def with_dreams(monkeypatch: pytest.MonkeyPatch, dreams: list[DreamRow]) -> None:
    monkeypatch.setattr(workflow, "find_dreams", lambda options: dreams)


def screen_of(app: MemreviewApp) -> ProjectsScreen:
    (screen,) = [one for one in app.screen_stack if isinstance(one, ProjectsScreen)]
    return screen


def names(app: MemreviewApp) -> list[str]:
    rows = screen_of(app).table.rows
    return [rows.overview.entries[path].project.name for path in rows.paths]


def under_cursor(app: MemreviewApp) -> str:
    chosen = screen_of(app).table.rows.chosen
    return chosen.project.name if chosen is not None else ""


def said(app: MemreviewApp) -> str:
    return str(screen_of(app).query_one(StatusLine).content)


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_projects_look(snap: Snap, monkeypatch: pytest.MonkeyPatch, claude: Path, size: tuple[int, int]) -> None:
    with_dreams(monkeypatch, DREAMS)
    await snap(projects_app(claude), size)


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_projects_without_dreams_look(snap: Snap, claude: Path, size: tuple[int, int]) -> None:
    await snap(projects_app(claude), size, press=["j"])


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_no_projects_look(
    snap: Snap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    monkeypatch.chdir(tmp_path)
    await snap(projects_app(tmp_path), size)


async def test_what_is_wrong_stands_first(claude: Path) -> None:
    app = projects_app(claude)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        assert names(app) == [CUT, NEAR, LANTERN, WIDE, FINE, NEW]
        text = screen_text(app)
        assert "233/200 cut" in text
        assert "6 projects · 1 cut · 1 near" in text
        assert "cut from line 201 on" in said(app)


async def test_s_sorts_and_capital_r_turns_around(claude: Path) -> None:
    app = projects_app(claude)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await pilot.press("s")
        assert names(app) == sorted(names(app))
        await pilot.press("R")
        assert names(app) == sorted(names(app), reverse=True)
        await pilot.press("s", "s")
        assert names(app)[:2] == [CUT, NEAR]
        assert said(app) == "Sorted by Notes."
        await pilot.press("S", "S", "S")
        assert screen_of(app).overview.sorting == Sorting("worst")


async def test_a_click_on_a_head_sorts_and_another_turns_around(claude: Path) -> None:
    app = projects_app(claude)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        line = next(number for number, text in enumerate(screen_rows(app)) if "Project" in text and "Notes" in text)
        column = screen_rows(app)[line].index("Left")
        await pilot.click(offset=(column + 1, line))
        assert screen_of(app).overview.sorting == Sorting("left")
        lefts = [screen_of(app).overview.entries[path].left for path in screen_of(app).table.rows.paths]
        assert lefts == [2, 2, 18, 27, 29, None]
        await pilot.click(offset=(column + 1, line))
        assert screen_of(app).overview.sorting == Sorting("left", reverse=True)


async def test_a_click_goes_to_a_row_and_a_second_one_opens_it(claude: Path) -> None:
    app = projects_app(claude)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        line = next(number for number, text in enumerate(screen_rows(app)) if "-srv-buoy" in text)
        await pilot.click(offset=(8, line))
        await pilot.pause()
        assert under_cursor(app) == FINE
        assert app.screen is screen_of(app)
        await pilot.click(offset=(8, line))
        await until(pilot, "chain.md")
        assert app.screen is not screen_of(app)


async def test_enter_opens_the_project_and_q_comes_back_to_it(claude: Path) -> None:
    app = projects_app(claude)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await pilot.press("j", "j", "enter")
        await until(pilot, "deploy.md")
        await pilot.press("q")
        await settle(pilot)
        assert isinstance(app.screen, ProjectsScreen)
        assert under_cursor(app) == LANTERN


async def test_from_dreams_to_projects_and_back(monkeypatch: pytest.MonkeyPatch, claude: Path) -> None:
    with_dreams(monkeypatch, DREAMS)
    opened: list[Target] = []
    app = projects_app(claude)
    monkeypatch.setattr(app, "open_review", opened.append)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        assert "its run failed" in said(app)
        await pilot.press("enter", "j", "enter")
        assert [target.label for target in opened] == [f"/home/demo/dream-2026-{day}" for day in ("11-01", "10-28")]
        await pilot.press("j", "enter")
        assert "memory.diff is cut" in said(app)
        assert len(opened) == 2
        await pilot.press("G", "j", "k", "j", "j", "j", "r")
        assert under_cursor(app) == LANTERN
        assert opened[2].label == "/home/demo/dream-2026-10-28"
        await pilot.press("tab", "g", "enter")
        assert opened[3].label == "/home/demo/dream-2026-11-01"
        await pilot.press("tab", "j", "r")
        assert "No dream of this project waits" in said(app)
        assert len(opened) == 4


async def look_again(pilot: Pilot[int]) -> None:
    app = pilot.app
    assert isinstance(app, MemreviewApp)
    screen_of(app).look_again()
    await settle(pilot)
    await settle(pilot)


async def test_what_changes_on_the_disk_is_shown_and_the_cursor_stays(claude: Path) -> None:
    app = projects_app(claude)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await look_again(pilot)
        await pilot.press("j")
        assert under_cursor(app) == NEAR
        (claude / "projects" / FINE / "memory" / "MEMORY.md").write_text("# M\n" + "- [x](no.md) y\n" * 240)
        await look_again(pilot)
        assert names(app)[0] == FINE
        assert under_cursor(app) == NEAR
        assert "241/200 cut" in screen_text(app)


async def test_the_folders_are_watched_without_being_asked(claude: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watch_every(0.05, monkeypatch)
    app = projects_app(claude)
    async with app.run_test(size=SMALL) as pilot:
        await until(pilot, "233/200", "6 projects")
        (claude / "projects" / FINE / "memory" / "MEMORY.md").write_text("# M\n" + "- [x](no.md) y\n" * 240)
        await until(pilot, "241/200 cut", "2 cut")


async def test_projects_that_come_and_go_are_shown(claude: Path) -> None:
    app = projects_app(claude)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await look_again(pilot)
        await pilot.press("G")
        gone = under_cursor(app)
        memory = claude / "projects" / "-srv-came" / "memory"
        memory.mkdir(parents=True)
        note(memory, "a.md", "x", SESSIONS[1], "text\n", 3)
        (claude / "projects" / gone).rename(claude / "away")
        await look_again(pilot)
        assert "-srv-came" in names(app)
        assert gone not in names(app)
        assert under_cursor(app) == names(app)[-1]


async def test_a_running_session_is_marked(claude: Path) -> None:
    (claude / "sessions").mkdir()
    values = f'{{"pid": {os.getpid()}, "sessionId": "s", "cwd": "/srv/buoy", "status": "idle"}}'
    (claude / "sessions" / "1.json").write_text(values)
    app = projects_app(claude)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        (line,) = [text for text in screen_rows(app) if "-srv-buoy" in text]
        assert line.split()[0] == "●"
        await look_again(pilot)
        (claude / "sessions" / "1.json").unlink()
        await look_again(pilot)
        (line,) = [text for text in screen_rows(app) if "-srv-buoy" in text]
        assert "●" not in line


async def test_what_cannot_be_read_is_said_and_tried_again(monkeypatch: pytest.MonkeyPatch, claude: Path) -> None:
    real = workflow.projects_with_memory

    def refuse(options: Options) -> list[Project]:
        raise RefusedError("/home/demo/.claude: permission denied; make it readable")

    monkeypatch.setattr(workflow, "projects_with_memory", refuse)
    app = projects_app(claude)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        assert "permission denied; make it readable" in screen_text(app)
        monkeypatch.setattr(workflow, "projects_with_memory", real)
        await pilot.press("f5")
        await settle(pilot)
        assert "…e-demo-lantern" in screen_text(app)
        await pilot.press("q")
    assert app.return_code == 0


async def test_everything_is_said_without_colour(claude: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = projects_app(claude)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        (line,) = [text for text in screen_rows(app) if "hthouse-keeper" in text]
        assert line.split()[:1] == ["✗"]
        assert "233/200 cut" in line
        assert "↓31" in line
        await pilot.press("s", "j", "R", "G")
        await settle(pilot)


async def test_the_legend_is_in_the_help(claude: Path) -> None:
    app = projects_app(claude)
    async with app.run_test(size=(160, 60)) as pilot:
        await settle(pilot)
        await pilot.press("question_mark")
        text = await until(pilot, "Orphans: notes that no line of the index names")
        assert "Sort by the next column" in text


async def test_names_come_first_and_what_is_wanted_meanwhile_is_read_after(
    monkeypatch: pytest.MonkeyPatch, claude: Path
) -> None:
    from threading import Event

    go, real, asked = Event(), workflow.each_audit, []

    def slow(options: Options, paths: tuple[str, ...] = ()) -> list[ProjectAudit]:
        asked.append(tuple(os.path.basename(path) for path in paths))
        go.wait(60)
        return list(real(options, paths))

    monkeypatch.setattr(workflow, "each_audit", slow)
    app = projects_app(claude)
    async with app.run_test(size=LARGE) as pilot:
        text = await until(pilot, LANTERN, "0 of 6 projects read")
        assert "233/200" not in text
        screen_of(app).read({f"{claude}/projects/{FINE}"})
        screen_of(app).read(())
        go.set()
        await until(pilot, "233/200")
        await settle(pilot)
        assert asked == [(), (FINE,)]


def entry(name: str, *, lines: int = 10, **more: object) -> Entry:
    status = IndexStatus.CUT if lines > 200 else IndexStatus.OK
    project = Project(name, f"/p/{name}", f"/p/{name}/memory")
    return Entry(project, ProjectAudit(project, IndexState(status, lines, lines * 50, lines)), **more)  # type: ignore[arg-type]


def overview(*entries: Entry) -> Overview:
    return Overview({one.project.path: one for one in entries})


def test_what_is_not_known_yet_comes_last_whatever_the_order() -> None:
    unknown = replace(entry("a"), audit=None)
    everything = overview(unknown, entry("b"), entry("c", lines=300))
    for column in COLUMNS:
        for reverse in (False, True):
            order = ordered(replace(everything, sorting=Sorting(column.id, reverse)))
            assert column.id == "name" or order[-1] == "/p/a"
            assert sorted(order) == ["/p/a", "/p/b", "/p/c"]


def test_the_sorting_goes_round() -> None:
    for width in (79, 119):
        now, seen = Sorting(), []
        for _ in placed(width):
            seen.append(now.column)
            now = next_sorting(now, 1, width)
        assert now == Sorting()
        assert seen == [place.column.id for place in placed(width)]


@pytest.mark.parametrize("width", [64, 79, 99, 119, 200])
def test_rows_fit_the_width_below_their_heads(width: int) -> None:
    one = entry("-home-日本語-[bold]" * 8, lines=299, dreams=3)
    assert heads(width, Sorting()).cell_length <= max(width, 74)
    line = row(one, width, NOW)
    assert line.cell_length <= max(width, 74)
    (index,) = [place for place in placed(width) if place.column.id == "index"]
    assert line.plain.rstrip().endswith("3") or width >= 100
    assert "299/200 cut" in line.plain
    assert heads(width, Sorting()).plain[index.start :].startswith("Index")


@pytest.mark.parametrize("width", [64, 79, 119, 200])
def test_dreams_fit_the_width(width: int) -> None:
    assert max(row.content.cell_length for row in dream_rows(DREAMS, width, NOW)) <= width


def test_a_project_in_words() -> None:
    assert about(entry("b"), NOW) == ("an index that is loaded whole", "")
    assert about(replace(entry("b"), audit=None), NOW) == ("b: not read yet", "")
    broken = replace(entry("b").audit or ProjectAudit(entry("b").project), problem="/p: cannot be read")
    assert about(replace(entry("b"), audit=broken), NOW) == ("/p: cannot be read", "error")
    assert about(entry("b", opened=at(11, 2, 7, 0)), NOW)[0].endswith("reviewed today 07:00")


@pytest.mark.parametrize(
    ("moment", "words"),
    [
        (None, ""),
        (at(11, 2, 7, 5), "today 07:05"),
        (at(11, 1, 23, 59), "yesterday 23:59"),
        (at(10, 1, 18, 12), "1 Oct 18:12"),
        (datetime(2025, 3, 4, tzinfo=UTC).timestamp(), "4 Mar 2025"),
    ],
)
def test_times_are_said_as_a_person_would(moment: float | None, words: str) -> None:
    assert since(moment, NOW) == words


async def test_what_changed_since_one_last_looked(claude: Path) -> None:
    app = projects_app(claude)
    memory = Path("home/.claude/projects") / FINE / "memory"
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        screen = screen_of(app)
        screen.table.rows.move(names(app).index(FINE) - names(app).index(under_cursor(app)))
        await settle(pilot)
        assert under_cursor(app) == FINE
        await pilot.press("c")
        assert "nothing tells what was there before" in said(app)
        await pilot.press("m")
        await settle(pilot)
        await until(pilot, "as last seen")
        await pilot.press("c")
        assert "nothing changed since snap-" in said(app)
        (memory / "added.md").write_text("# Added\n")
        (memory / "MEMORY.md").write_bytes((memory / "MEMORY.md").read_bytes() + b"- [Added](added.md) - new\n")
        await pilot.press("f5")
        await settle(pilot)
        text = await until(pilot, "1 changed")
        row = next(line for line in text.split("\n") if "-srv-buoy" in line)
        assert row.strip().startswith("Δ")
        assert (
            "2 notes changed since you last looked" in about(screen.table.rows.overview.entries[path_of(app)], NOW)[0]
        )


async def test_c_reviews_what_changed(claude: Path) -> None:
    app = projects_app(claude)
    memory = Path("home/.claude/projects") / FINE / "memory"
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        screen = screen_of(app)
        screen.table.rows.move(names(app).index(FINE) - names(app).index(under_cursor(app)))
        await pilot.press("m")
        await settle(pilot)
        (memory / "added.md").write_text("# Added\n")
        await pilot.press("f5")
        await settle(pilot)
        await until(pilot, "Δ1")
        screen.table.rows.move(names(app).index(FINE) - names(app).index(under_cursor(app)))
        await pilot.press("c")
        await settle(pilot)
        text = await until(pilot, "# Added")
        assert "added.md" in text


def path_of(app: MemreviewApp) -> str:
    return next(path for path in screen_of(app).table.rows.paths if path.endswith(FINE))
