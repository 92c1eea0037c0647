"""What the review looks like, in the states that differ most."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from memreview.model.dream import CitationStatus, Conflict, Reference, ReferenceKind, Review
from memreview.model.finding import Finding, Severity
from memreview.tui.ledger import Ledger
from memreview.tui.screens.review import ReviewScreen
from tests.tui.apps import ScreenApp, options_in
from tests.tui.reviews import cite, explain, make_ledger, make_review, write_transcript
from tests.tui.snapshot import LARGE, SIZES, SMALL, Snap, settle

WIDE = (200, 50)
IDS = ["small", "large"]
BASE = {
    "MEMORY.md": "# Index\n\n- [Testing](testing.md) — how to run the tests\n- [Old notes](old.md) — from spring\n",
    "testing.md": "---\nname: testing\nmetadata:\n  modified: 2026-10-01T10:00:00.000Z\n---\n\n# Testing\n\n"
    "Run the tests with `npm test` before every commit.\nThe suite takes about 40 minutes.\n\n## Smoke tests\n\n"
    "They live in `tests/smoke`.\nAsk before running them.\n\n## Coverage\n\nMeasured weekly.\n\n\n\nNobody looks.\n",
    "deploy.md": "# Deploy\n\nStaging first, then production.\nRedis listens on port 6379.\n",
    "old.md": "# Old notes\n\nNothing here is true any more.\n",
}
PROPOSED = {
    "MEMORY.md": "# Index\n\n- [Testing](testing.md) — tests run with pnpm since late Oct 2026\n",
    "testing.md": BASE["testing.md"]
    .replace("`npm test` before every commit.", "`pnpm test` before every commit: npm is gone since late Oct 2026.")
    .replace("about 40 minutes", "about a minute")
    .replace("Ask before running them.", "Never run them without asking: they call the payment provider in production.")
    .replace("2026-10", "2026-11")
    .replace("Nobody looks.\n", ""),
    "deploy.md": BASE["deploy.md"].replace("6379", "6380"),
    "people.md": "# People\n\n- Ümit owns [/a] 漢字 and \x1b[31mpayments\n",
}


def review_of(folder: Path) -> Review:
    said = write_transcript(
        folder / "7f3a9c1e-2b40-4c8e-9d11-5a6b7c8d9e0f.jsonl",
        [
            ("user", "The test suite takes 40 minutes on my laptop. Can you look into it?"),
            ("assistant", "I will look at the package manager first."),
            ("tool", "lockfile: package-lock.json\nnode_modules: 1.2 GB"),
            ("user", "We switched to pnpm last week: it is `pnpm test`. Never run the smoke tests without asking me."),
            ("assistant", "Understood."),
            ("tool", "> pnpm test\n\n Test Files  31 passed (31)\n      Tests  214 passed (214)\n   Duration  61.31s"),
        ],
    )
    other = folder / "11aa22bb.jsonl"
    review = explain(
        make_review(BASE, PROPOSED),
        [
            ("pnpm test` before", "testing.md: pnpm, the user said so", [cite(said, 4), cite(said, 6)]),
            ("Never run them", "testing.md: smoke tests only after asking", [cite(said, 4)]),
            ("6380", "deploy.md: the port (11aa22bb:99)", [cite(other, 99, CitationStatus.MISSING)]),
            ("with pnpm since late", "The index follows", [cite(said, 5), cite(said, 44, CitationStatus.OUT_OF_RANGE)]),
            ("", "style.md: left alone, nobody speaks of it", []),
        ],
    )
    deploy = next(change for file in review.files if file.path == "deploy.md" for change in file.changes())
    live = (b"Redis listens on port 6381 since Tuesday.\n",)
    return replace(
        review,
        conflicts={deploy.id: Conflict("deploy.md", deploy.id, "the note was changed at the same place", live)},
        references={deploy.id: (Reference("docker-compose.yml:12", ReferenceKind.FILE, True),)},
        findings=(Finding("dangling", Severity.WARNING, "the index would point to old.md, which is gone", "old.md"),),
        moved_since=("deploy.md",),
    )


async def show(pilot: Pilot[int], *keys: str) -> None:
    await settle(pilot)
    for key in keys:
        await pilot.press(key)
    screen = pilot.app.screen
    assert isinstance(screen, ReviewScreen)
    while screen.evidence.is_waiting:
        await asyncio.sleep(0.02)
    await settle(pilot)


def app_of(folder: Path) -> ScreenApp:
    ledger: Ledger = make_ledger(review_of(folder))
    return ScreenApp(lambda: ReviewScreen(ledger), options_in(folder))


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_a_review_half_way(tmp_path: Path, snap: Snap, size: tuple[int, int]) -> None:
    async with app_of(tmp_path).run_test(size=size) as pilot:
        await show(pilot, "a", "n", "r", "right_square_bracket", "n", "n", "a", "n", "a", "k")
        await snap(pilot)


@pytest.mark.parametrize("size", SIZES, ids=IDS)
async def test_a_conflict(tmp_path: Path, snap: Snap, size: tuple[int, int]) -> None:
    async with app_of(tmp_path).run_test(size=size) as pilot:
        await show(pilot, "j")
        await snap(pilot)


async def test_single_lines(tmp_path: Path, snap: Snap) -> None:
    async with app_of(tmp_path).run_test(size=LARGE) as pilot:
        await show(pilot, "G", "k", "k", "k", "k", "x", "j", "space")
        await snap(pilot)


@pytest.mark.parametrize("size", [SMALL, LARGE, WIDE], ids=["small", "large", "wide"])
async def test_side_by_side(tmp_path: Path, snap: Snap, size: tuple[int, int]) -> None:
    async with app_of(tmp_path).run_test(size=size) as pilot:
        await show(pilot, "G", "k", "k", "k", "k", "s")
        await snap(pilot)


async def test_nothing_is_proposed(tmp_path: Path, snap: Snap) -> None:
    ledger = make_ledger(make_review({"a.md": "x\n"}, {"a.md": "x\n"}))
    async with ScreenApp(lambda: ReviewScreen(ledger), options_in(tmp_path)).run_test(size=SMALL) as pilot:
        await show(pilot)
        await snap(pilot)
