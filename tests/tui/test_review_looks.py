"""How the review of the demo looks, in the states that its pictures show."""

from __future__ import annotations

from pathlib import Path

import pytest

from memreview.demo.build import Demo, build
from memreview.model.dream import Target, TargetKind
from memreview.tui.app import MemreviewApp
from tests.shots import SHOTS, Shot
from tests.tui.apps import options_in
from tests.tui.snapshot import SIZES, Snap

STATES = [shot for shot in SHOTS if shot.name.startswith("review") and shot.name != "review-palette"]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return build(str(tmp_path_factory.mktemp("looks") / "demo"))


@pytest.mark.parametrize("size", SIZES, ids=["small", "large"])
@pytest.mark.parametrize("shot", STATES, ids=lambda shot: shot.name)
async def test_review_looks(snap: Snap, demo: Demo, tmp_path: Path, shot: Shot, size: tuple[int, int]) -> None:
    target = Target(TargetKind.OUTPUT, output=demo.dream)
    await snap(MemreviewApp(options_in(tmp_path, claude_dir=demo.claude_dir), target), size, press=shot.keys)
