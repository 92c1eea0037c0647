"""A dream of which the check flags something of every kind, from its files to the screen."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memreview.model.dream import Target, TargetKind
from memreview.tui.app import MemreviewApp
from memreview.tui.screens.review import ReviewScreen
from tests.kinds import KEY, build
from tests.tui.apps import options_in
from tests.tui.snapshot import screen_rows, screen_text, settle

KINDS = {
    "12 hours": "≠ contradicted",
    "40 MB": "∅ unsupported",
    "6379": "¬ lost",
    "late Oct 2026": "≈ derived",
    "lantern-staging.example.net": "→ elsewhere",
    "21 days": "≤ weak support",
    "Invoices": "= supported",
}


def app_of(folder: Path) -> MemreviewApp:
    dream = build(folder / "dream")
    target = Target(TargetKind.OUTPUT, output=dream.dream)
    return MemreviewApp(options_in(folder, claude_dir=dream.claude_dir), target)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("colours", [True, False])
async def test_every_kind_is_read_without_colour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], colours: bool
) -> None:
    if not colours:
        monkeypatch.setenv("NO_COLOR", "1")
    app = app_of(tmp_path)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        assert "? March 2024" in screen_text(app)
        assert "unverifiable" in screen_text(app)
        assert "cannot be read" in screen_text(app)
        await pilot.press("G")
        found: dict[str, str] = {}
        screen = app.screen
        assert isinstance(screen, ReviewScreen)
        for _ in screen.session.rows():
            await settle(pilot)
            chosen = screen.session.chosen()
            assert chosen is not None
            found[chosen.text] = f"{chosen.look.sign} {chosen.look.word}"
            # The row that is chosen is seen, with its sign and its word, and so is its reason.
            row = next(row for row in screen_rows(app) if f"{chosen.look.sign} {chosen.text[:12]}" in row)
            assert chosen.look.word in row
            table = [screen.claims.render_line(y).text.lstrip("▌ ") for y in range(screen.claims.size.height)]
            assert any(line.startswith(" ".join(chosen.reason.split()[:3])) for line in table), chosen.reason
            await pilot.press("J")
        for text, look in KINDS.items():
            assert any(text in words and seen == look for words, seen in found.items()), (text, found)
        assert KEY not in screen_text(app)
        assert "secret" in {row.kind for row in screen.session.rows()}
        await pilot.press("g")
        await settle(pilot)
        assert "» " in screen_text(app)


async def test_the_key_of_a_citation_mends_it(tmp_path: Path) -> None:
    app = app_of(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("f", *"fffffff")
        await settle(pilot)
        assert "lantern-staging.example.net" in screen_text(app)
        assert "m mend" in screen_text(app)
        await pilot.press("m")
        await settle(pilot)
        shown = screen_text(app)
        assert "Put right: " in shown
        assert "mended" in shown
    assert os.listdir(tmp_path / "state")
