"""The screen of one project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Markdown

from memreview import workflow
from memreview.auditing.project import ProjectReport, report_on
from memreview.config import Options
from memreview.errors import RefusedError
from memreview.model.dream import Project, Target
from memreview.tui.app import MemreviewApp
from memreview.tui.note_tree import Standing, branches, standings
from memreview.tui.screens.panes import PaneScreen
from memreview.tui.screens.project import ProjectScreen
from memreview.tui.screens.project_changes import with_lines
from memreview.tui.screens.review import ReviewScreen
from memreview.tui.screens.transcript import TranscriptScreen
from memreview.tui.widgets.status_line import StatusLine
from memreview.tui.widgets.tree_rows import tree_rows
from tests.many import CUT, LANTERN, NEW, SESSIONS, TOKEN, WIDE
from tests.tui.many import CLAUDE, built, project_app
from tests.tui.snapshot import LARGE, SIZES, SMALL, Snap, screen_rows, screen_text, settle, until

IDS = ["small", "large"]


@pytest.fixture
def claude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return built(tmp_path, monkeypatch)


def screen_of(pilot: Pilot[int]) -> ProjectScreen:
    (screen,) = [one for one in pilot.app.screen_stack if isinstance(one, ProjectScreen)]
    return screen


def said(pilot: Pilot[int]) -> str:
    return str(screen_of(pilot).query_one(StatusLine).content)


def memory_of(claude: Path, name: str = LANTERN) -> Path:
    return claude / "projects" / name / "memory"


def reports(claude: Path, name: str = LANTERN, traces: bool = True) -> ProjectReport:
    folder = f"{CLAUDE}/projects/{name}"
    options = Options(CLAUDE, "state", "cache", managed_settings="no/managed.json")
    return report_on(options, Project(name, folder, f"{folder}/memory"), traces=traces)


LOOKS = {
    "note": ("G", "k"),
    "index": (),
    "raw": ("G", "k", "2"),
    "findings": ("3", "j"),
    "evidence": ("G", "k", "4"),
    "layers": ("5",),
}


@pytest.mark.parametrize("size", SIZES, ids=IDS)
@pytest.mark.parametrize("look", LOOKS)
async def test_views_look(snap: Snap, claude: Path, look: str, size: tuple[int, int]) -> None:
    await snap(project_app(claude), size, press=LOOKS[look])


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_a_cut_index_looks(snap: Snap, claude: Path, size: tuple[int, int]) -> None:
    await snap(project_app(claude, CUT), size, press=["2", "tab", "G"])


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_a_project_without_notes_looks(snap: Snap, claude: Path, size: tuple[int, int]) -> None:
    await snap(project_app(claude, NEW), size)


async def test_a_folder_that_is_gone_is_said_and_read_again(claude: Path) -> None:
    place = claude / "projects" / LANTERN
    place.rename(claude / "away")
    async with project_app(claude).run_test(size=SMALL) as pilot:
        await until(pilot, "This project cannot be read.", "no such folder")
        (claude / "away").rename(place)
        await pilot.press("f5")
        await until(pilot, "deploy.md")


async def test_text_of_others_is_text(claude: Path) -> None:
    async with project_app(claude, WIDE).run_test(size=LARGE) as pilot:
        await settle(pilot)
        await pilot.press("j")
        text = await until(pilot, "[bold]about[/bold]")
        assert "\x1b" not in text
        assert "␛[31mred" in text or "\\x1b[31mred" in text


async def test_secrets_are_masked_in_every_view(claude: Path) -> None:
    async with project_app(claude).run_test(size=LARGE) as pilot:
        await settle(pilot)
        screen_of(pilot).go_to("keys.md")
        await until(pilot, "The mirror takes")
        for view in "12345":
            await pilot.press(view)
            await settle(pilot)
            assert TOKEN not in screen_text(pilot.app)


async def test_a_link_leads_to_its_note(claude: Path) -> None:
    async with project_app(claude).run_test(size=LARGE) as pilot:
        await settle(pilot)
        screen = screen_of(pilot)
        page = screen.query_one(Markdown)
        screen.post_message(Markdown.LinkClicked(page, "old/npm.md#what"))
        await settle(pilot)
        assert screen.note == "old/npm.md"
        screen.post_message(Markdown.LinkClicked(page, "../deploy.md"))
        await settle(pilot)
        assert screen.note == "deploy.md"
        screen.post_message(Markdown.LinkClicked(page, "https://example.net/"))
        await settle(pilot)
        assert said(pilot) == "https://example.net/ is no note of this project."


@pytest.mark.parametrize("setting", [("NO_COLOR", "1"), ("TEXTUAL_THEME", "ansi-dark")], ids=["plain", "ansi"])
async def test_every_view_is_drawn_without_colour(
    claude: Path, monkeypatch: pytest.MonkeyPatch, setting: tuple[str, str]
) -> None:
    monkeypatch.setenv(*setting)
    for size in SIZES:
        async with project_app(claude).run_test(size=size) as pilot:
            await until(pilot, "○ npm.md", "orphan")
            for view, words in (
                ("1", "how tests are run"),
                ("2", "!  5 - [Staging]"),
                ("3", "enter: remove line 5"),
                ("4", "rests on"),
                ("5", "What every session loads"),
            ):
                await pilot.press(view)
                await until(pilot, words)
            await settle(pilot)


async def test_folders_fold(claude: Path) -> None:
    async with project_app(claude).run_test(size=SMALL) as pilot:
        await settle(pilot)
        await pilot.press("j", "enter")
        await settle(pilot)
        assert "npm.md" not in screen_text(pilot.app)
        await pilot.press("right")
        await until(pilot, "npm.md")


async def test_the_view_that_is_clicked_is_shown(claude: Path) -> None:
    async with project_app(claude).run_test(size=SMALL) as pilot:
        await settle(pilot)
        line = next(number for number, text in enumerate(screen_rows(pilot.app)) if "5 Layers" in text)
        await pilot.click(offset=(screen_rows(pilot.app)[line].index("5 Layers") + 2, line))
        await until(pilot, "What every session loads")


async def test_a_remedy_goes_through_the_review(claude: Path) -> None:
    memory = memory_of(claude)
    before = {path: path.read_bytes() for path in memory.rglob("*.md")}
    async with project_app(claude).run_test(size=LARGE) as pilot:
        await settle(pilot)
        await pilot.press("3")
        assert "enter: remove line 5" in await until(pilot, "the link to staging.md leads nowhere")
        await pilot.press("enter")
        await until(pilot, "- [Staging](staging.md)", "0/1")
        await settle(pilot)
        assert isinstance(pilot.app.screen, ReviewScreen)
        assert {path: path.read_bytes() for path in memory.rglob("*.md")} == before
        await pilot.press("q")
        await settle(pilot)
        assert pilot.app.screen.query("#tree")


async def test_the_other_remedy_and_all_of_them(monkeypatch: pytest.MonkeyPatch, claude: Path) -> None:
    opened: list[Target] = []
    app = project_app(claude)
    monkeypatch.setattr(app, "open_review", opened.append)
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        await pilot.press("3", "x")
        assert said(pilot) == "There is no other remedy of this finding."
        await pilot.press("j", "x")
        await settle(pilot)
        await pilot.press("A")
        await settle(pilot)
    other, all_of_them = (Path(target.proposed or "") for target in opened)
    assert not (other / "old" / "by-hand.md").exists()
    index = (all_of_them / "MEMORY.md").read_text()
    assert "staging.md" not in index
    assert "old/by-hand.md" in index
    assert "old/npm.md" in index


async def test_a_note_that_changed_meanwhile_is_not_touched_in_the_wrong_line(
    monkeypatch: pytest.MonkeyPatch, claude: Path
) -> None:
    opened: list[Target] = []
    app = project_app(claude)
    monkeypatch.setattr(app, "open_review", opened.append)
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        await pilot.press("3")
        index = memory_of(claude) / "MEMORY.md"
        index.write_text("- [One](deploy.md)\n" + index.read_text())
        await pilot.press("enter")
        await settle(pilot)
        assert said(pilot) == "The note has changed since: F5 reads it again"
    assert opened == []


async def test_findings_lead_to_their_line(claude: Path) -> None:
    async with project_app(claude).run_test(size=LARGE) as pilot:
        await settle(pilot)
        await pilot.press("3", "o")
        await settle(pilot)
        (line,) = [text for text in screen_rows(pilot.app) if "[Staging]" in text]
        assert "!  5 - [Staging](staging.md)" in line
        await pilot.press("1", "o")
        assert "3 shows the findings" in said(pilot)


async def test_evidence_leads_into_the_transcript(claude: Path) -> None:
    async with project_app(claude).run_test(size=LARGE) as pilot:
        await settle(pilot)
        screen_of(pilot).go_to("testing.md")
        await pilot.press("4")
        text = await until(pilot, "What testing.md rests on", "read 1 time")
        assert "2 days left" in text
        assert SESSIONS[2] in text
        await pilot.press("enter")
        await settle(pilot)
        screen = pilot.app.screen
        assert isinstance(screen, TranscriptScreen)
        assert (os.path.basename(screen.path), screen.line) == (f"{SESSIONS[0]}.jsonl", 2)


async def test_a_session_that_is_gone_is_said(claude: Path) -> None:
    async with project_app(claude).run_test(size=LARGE) as pilot:
        await settle(pilot)
        screen_of(pilot).go_to("old/npm.md")
        await pilot.press("4")
        await until(pilot, f"✗ {SESSIONS[5]}: it came from this session", "is gone.")


def editor(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "editor.sh"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(path))


async def test_an_edit_goes_through_the_review(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, claude: Path) -> None:
    editor(tmp_path, 'printf "Only before noon.\\n" >> "$1"', monkeypatch)
    note = memory_of(claude) / "deploy.md"
    before = note.read_bytes()
    async with project_app(claude).run_test(size=LARGE) as pilot:
        await settle(pilot)
        screen_of(pilot).go_to("deploy.md")
        await pilot.press("e")
        await until(pilot, "Only before noon.", "0/1")
        assert note.read_bytes() == before
        await settle(pilot)


async def test_an_edit_takes_nothing_from_what_others_write_meanwhile(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, claude: Path
) -> None:
    note = memory_of(claude) / "deploy.md"
    editor(tmp_path, f'printf "Only before noon.\\n" >> "$1"; printf "Theirs.\\n" >> "{note}"', monkeypatch)
    async with project_app(claude).run_test(size=LARGE) as pilot:
        await settle(pilot)
        screen_of(pilot).go_to("deploy.md")
        await pilot.press("e")
        await until(pilot, "Only before noon.", "0/1")
        screen = pilot.app.screen
        assert isinstance(screen, PaneScreen)
        review = screen.ledger.review
        (change,) = review.files[0].changes()
        assert (change.removed, change.added) == ((), (b"Only before noon.\n",))
        assert review.moved_since == ("deploy.md",)
        assert note.read_bytes().endswith(b"Theirs.\n")
        await settle(pilot)


async def test_an_edit_that_changes_nothing_opens_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, claude: Path
) -> None:
    editor(tmp_path, "true", monkeypatch)
    async with project_app(claude).run_test(size=LARGE) as pilot:
        await settle(pilot)
        await pilot.press("e")
        assert said(pilot) == "Nothing was changed in the editor."
        editor(tmp_path, "exit 3", monkeypatch)
        await pilot.press("e")
        assert "ended with status 3" in said(pilot)


async def test_what_changes_on_the_disk_is_shown(claude: Path) -> None:
    async with project_app(claude).run_test(size=LARGE) as pilot:
        await settle(pilot)
        screen = screen_of(pilot)
        screen.go_to("deploy.md")
        screen.look_again()
        await settle(pilot)
        (memory_of(claude) / "deploy.md").write_text("# Deploy\n\nOn Fridays too.\n")
        (memory_of(claude) / "fresh.md").write_text("# Fresh\n")
        screen.look_again()
        await until(pilot, "On Fridays too.", "fresh.md")
        assert screen.note == "deploy.md"
        await settle(pilot)


async def test_a_refusal_is_said(monkeypatch: pytest.MonkeyPatch, claude: Path) -> None:
    def refuse(*_: object) -> Target:
        raise RefusedError("state: cannot be written (disk full); nothing was proposed")

    monkeypatch.setattr(workflow, "propose", refuse)
    async with project_app(claude).run_test(size=SMALL) as pilot:
        await settle(pilot)
        await pilot.press("A")
        await settle(pilot)
        assert "disk full" in said(pilot)
        assert isinstance(pilot.app, MemreviewApp)


def test_what_the_index_says_of_each_note(claude: Path) -> None:
    found = standings(reports(claude, traces=False))
    assert found["MEMORY.md"] is found["testing.md"] is Standing.LOADED
    assert found["staging.md"] is Standing.DANGLING
    assert found["old/by-hand.md"] is found["old/npm.md"] is Standing.ORPHAN
    cut = standings(reports(claude, CUT, traces=False))
    assert cut["MEMORY.md"] is Standing.CUT
    assert cut["lamp-0.md"] is Standing.LOADED
    assert cut["lamp-228.md"] is Standing.LOST


def test_the_tree_has_folders_first_and_what_is_missing_last(claude: Path) -> None:
    report = reports(claude, traces=False)
    rows = branches(report)
    assert [row.path for row in rows] == [
        "MEMORY.md",
        "old",
        "old/by-hand.md",
        "old/npm.md",
        "deploy.md",
        "keys.md",
        "testing.md",
        "staging.md",
    ]
    assert (rows[1].folder, rows[1].notes, rows[1].flags) == (True, 2, 2)
    assert [row.path for row in branches(report, {"old"})][1:3] == ["old", "deploy.md"]
    for width in (20, 39, 79):
        assert {row.content.cell_length for row in tree_rows(rows, width)} == {width}


@pytest.mark.parametrize(
    ("data", "lines", "after"),
    [
        (b"a\r\nb\nc", ("a", "x", "c"), b"a\r\nx\nc"),
        (b"a\r\nb\r\nc\r\n", ("a", "b", "c", "d"), b"a\r\nb\r\nc\r\nd\r\n"),
        (b"a\nb", ("a", "b", "c"), b"a\nb\nc\n"),
        (b"\xff\n", ("\udcff", "b"), b"\xff\nb\n"),
        (b"a\n", (), b""),
        (b"", ("a",), b"a\n"),
    ],
)
def test_lines_that_stay_keep_their_bytes(data: bytes, lines: tuple[str, ...], after: bytes) -> None:
    assert with_lines(data, lines) == after
