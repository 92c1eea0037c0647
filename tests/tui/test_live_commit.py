"""A folder without git that was edited in place: reviewed and settled on the screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from memreview.config import Options
from memreview.looks import look, take_snapshot
from memreview.model.dream import Project, Target, TargetKind
from memreview.model.review import ACCEPT, REJECT, Decisions
from memreview.tui.screens.commit import CommitScreen
from memreview.workflow import open_review
from tests.tui.apps import ScreenApp, options_in
from tests.tui.snapshot import LARGE, screen_text, settle, until
from tests.unit.reviews import change_with, file_of

NAME = "-home-demo-lantern"
STYLE = "# Style\n\n- Two spaces.\n\n- No default exports.\n\n- Tabs never.\n"


@pytest.fixture
def options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Options:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    return options_in(tmp_path)


async def test_what_is_settled_and_what_is_taken_back(tmp_path: Path, options: Options) -> None:
    memory = Path(options.projects_dir) / NAME / "memory"
    memory.mkdir(parents=True)
    (memory / "style.md").write_text(STYLE)
    project = Project(NAME, str(memory.parent), str(memory))
    take_snapshot(project, options)
    (memory / "style.md").write_text(STYLE.replace("Two", "Four").replace("never", "always"))
    (memory / "fresh.md").write_text("fresh\n")
    review = open_review(Target(TargetKind.LIVE, live=str(memory)), options)
    fresh = {change.id: ACCEPT for change in file_of(review, "fresh.md").changes()}
    decisions = Decisions({change_with(review, "Four").id: REJECT, **fresh})
    app = ScreenApp(lambda: CommitScreen(review, decisions), options)
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        text = screen_text(app)
        assert "Will be settled, in a snapshot" in text
        assert "Will be taken back on disk" in text
        assert "ctrl+s settles what was accepted in 1 note, and takes back on disk what was rejected in 1 note." in text
        assert "not under git" not in text
        await pilot.press("ctrl+s")
        await settle(pilot)
        text = await until(pilot, "Settled in snap-")
        assert "What was taken back is kept as snap-" in text
    assert (memory / "style.md").read_text() == STYLE.replace("never", "always")
    assert (memory / "fresh.md").read_text() == "fresh\n"
    assert look(project, options).changed == ("style.md",)


async def test_what_may_not_be_applied_is_said_before(tmp_path: Path, options: Options) -> None:
    from dataclasses import replace

    memory = Path(options.projects_dir) / NAME / "memory"
    memory.mkdir(parents=True)
    (memory / "style.md").write_text(STYLE)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "style.md").write_text(STYLE.replace("Two", "Four"))
    target = Target(TargetKind.FOLDERS, proposed=str(tmp_path / "out"), project=NAME)
    review = open_review(target, options)
    barred = replace(review, run=replace(review.run, barred="the dream failed", complete=False))
    decisions = Decisions({change_with(review, "Four").id: ACCEPT})
    app = ScreenApp(lambda: CommitScreen(barred, decisions), options)
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        text = screen_text(app)
        assert "This proposal can be looked at, not applied." in text
        await pilot.press("ctrl+s")
        await settle(pilot)
    assert (memory / "style.md").read_text() == STYLE
