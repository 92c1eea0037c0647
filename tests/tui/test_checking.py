"""The claim check while the review stands on the screen: it comes later, it fails, it is asked for again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from memreview import workflow
from memreview.demo.build import Demo, build
from memreview.errors import TranscriptError
from memreview.model.claim import ClaimKind, Verdict, Weight
from memreview.model.dream import Review
from memreview.tui.app import MemreviewApp
from memreview.tui.checking import Checked, Checking, Progress
from memreview.tui.screens.commit import CommitScreen
from memreview.tui.screens.review import ReviewScreen
from tests.tui.apps import ScreenApp, options_in
from tests.tui.judged import Said, judge
from tests.tui.reviews import make_ledger
from tests.tui.snapshot import screen_rows, screen_text, until
from tests.tui.test_opening import app_of, target_of

FOUND = (
    Said("at 02:00", "02:00", Verdict.CONTRADICTED, Weight.ERROR, "The record means the end.", ClaimKind.TIME),
    Said("Postgres 18", "Postgres 18", Verdict.UNSUPPORTED, Weight.WARNING, "Nobody said it.", ClaimKind.VERSION),
)


@pytest.fixture
def demo(tmp_path: Path) -> Demo:
    return build(str(tmp_path / "demo"))


class Checker:
    """A check that waits until it is told to go on; then it fails with ``error``, or answers."""

    def __init__(self, error: Exception | None = None) -> None:
        self.go_on = threading.Event()
        self.error = error
        self.times = 0

    def __call__(self, review: Review, progress: Progress) -> Review:
        self.times += 1
        assert self.go_on.wait(20)
        if self.error is not None:
            raise self.error
        return judge(review, FOUND)


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Callable[[Checker], Checker]:
    def put(checker: Checker) -> Checker:
        monkeypatch.setattr(MemreviewApp, "check", property(lambda app: checker))
        return checker

    return put


@pytest.mark.parametrize("size", [(80, 24), (160, 45)])
async def test_the_review_is_there_before_its_claims_are(
    demo: Demo, tmp_path: Path, use: Callable[[Checker], Checker], size: tuple[int, int]
) -> None:
    checker = use(Checker())
    async with app_of(demo, tmp_path).run_test(size=size) as pilot:
        await until(pilot, "Evidence  3c5b")
        text = screen_text(pilot.app)
        assert "checking claims …" in text
        assert "being checked against the transcripts" in text
        assert "MEMORY.md" in text
        checker.go_on.set()
        text = await until(pilot, "contradicted")
        assert "checking claims" not in text
        assert "The record means the end." in text
        assert "≠1 " in screen_rows(pilot.app)[0]
        screen = pilot.app.screen
        assert isinstance(screen, ReviewScreen)
        unit = screen.session.unit()
        assert unit is not None
        assert unit.file.path == "backups.md"


async def test_who_has_begun_is_left_where_they_are(
    demo: Demo, tmp_path: Path, use: Callable[[Checker], Checker]
) -> None:
    checker = use(Checker())
    async with app_of(demo, tmp_path).run_test(size=(160, 45)) as pilot:
        await until(pilot, "checking claims …")
        await until(pilot, "Evidence  3c5b")
        await pilot.press("a", "j")
        screen = pilot.app.screen
        assert isinstance(screen, ReviewScreen)
        here = screen.session.unit()
        checker.go_on.set()
        await until(pilot, "≠1")
        after = screen.session.unit()
        assert here is not None
        assert after is not None
        assert after.id == here.id
        assert screen.ledger.counts()["✓"] == 1


async def test_a_commit_waits_for_the_check_unless_it_is_asked_for_twice(
    demo: Demo, tmp_path: Path, use: Callable[[Checker], Checker]
) -> None:
    checker = use(Checker())
    async with app_of(demo, tmp_path).run_test(size=(160, 45)) as pilot:
        await until(pilot, "Evidence  3c5b")
        await pilot.press("a", "c")
        await until(pilot, "still being checked; c again goes on")
        await pilot.press("j", "c")
        await until(pilot, "still being checked; c again goes on")
        await pilot.press("c")
        await until(pilot, "Claims of what is accepted")
        assert "not checked" in screen_text(pilot.app)
        checker.go_on.set()
        await until(pilot, "ctrl+s writes")
        assert isinstance(pilot.app.screen, CommitScreen)
        await pilot.press("q")
        await until(pilot, "≠1")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (TranscriptError("s1.jsonl cannot be read: make it readable"), "s1.jsonl cannot be read: make it readable"),
        (OSError(5, "Input/output error", "/t/s1.jsonl"), "/t/s1.jsonl: Input/output error"),
        (ZeroDivisionError("division by zero"), "an error of memreview, ZeroDivisionError: division by zero"),
    ],
)
async def test_a_failure_is_said_and_the_check_can_be_asked_for_again(
    demo: Demo, tmp_path: Path, use: Callable[[Checker], Checker], error: Exception, said: str
) -> None:
    checker = use(Checker(error))
    checker.go_on.set()
    async with app_of(demo, tmp_path).run_test(size=(200, 45)) as pilot:
        text = await until(pilot, f"The claims could not be checked: {said}. F5 tries again.")
        assert "claims not checked" in screen_rows(pilot.app)[0]
        assert "MEMORY.md" in text
        await pilot.press("a")
        assert "✓1" in await until(pilot, "accepted")
        checker.error = None
        await pilot.press("f5")
        text = await until(pilot, "≠1")
        assert "not be checked" not in text
        assert checker.times == 2
        checker.go_on.clear()
        await pilot.press("f5")
        await until(pilot, "checking claims …")
        await pilot.press("f5")
        await until(pilot, "The claims are being checked.")
        checker.go_on.set()
        await until(pilot, "≠1")
        assert checker.times == 3


async def test_without_a_check_nothing_is_promised(demo: Demo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MemreviewApp, "check", property(lambda app: None))
    async with app_of(demo, tmp_path).run_test(size=(120, 40)) as pilot:
        text = await until(pilot, "Evidence  3c5b")
        assert "checking" not in text
        await pilot.press("f5")
        await until(pilot, "They cannot be checked here.")


async def test_what_was_said_stands_when_the_answers_come(
    demo: Demo, tmp_path: Path, use: Callable[[Checker], Checker]
) -> None:
    checker = use(Checker())
    async with app_of(demo, tmp_path).run_test(size=(120, 40)) as pilot:
        await until(pilot, "Evidence  3c5b")
        await pilot.press("J")
        await until(pilot, "Nothing is claimed here that could be chosen.")
        checker.go_on.set()
        assert "Nothing is claimed here" in await until(pilot, "≠1")


async def test_a_question_falls_when_the_answers_come(
    demo: Demo, tmp_path: Path, use: Callable[[Checker], Checker]
) -> None:
    checker = use(Checker())
    async with app_of(demo, tmp_path).run_test(size=(120, 40)) as pilot:
        await until(pilot, "Evidence  3c5b")
        await pilot.press("c")
        await until(pilot, "c again goes on")
        checker.go_on.set()
        assert "c again goes on" not in await until(pilot, "≠1")


async def test_answers_may_come_before_the_screen_and_after_it(demo: Demo, tmp_path: Path) -> None:
    options = replace(options_in(tmp_path), claude_dir=demo.claude_dir)
    ledger = make_ledger(workflow.open_review(target_of(demo), options))
    screen = ReviewScreen(ledger)
    ledger.adopt(judge(ledger.review, FOUND))
    app = ScreenApp(lambda: screen, options)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, "The record means the end.")
        await screen.query("#title").remove()
        ledger.check_begins()
        app.post_message(Checking(ledger, 1, 2))
        app.post_message(Checked(ledger, ledger.review))
        await pilot.pause()
        await screen.remove_children()
        app.post_message(Checking(ledger, 1, 2))
        app.post_message(Checked(ledger, ledger.review))
        await pilot.pause()
        assert app.screen is screen
