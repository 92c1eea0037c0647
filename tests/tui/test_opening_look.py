"""How the screen looks that says why a proposal cannot be reviewed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memreview.config import Options
from memreview.errors import DreamError
from memreview.model.dream import Review, Target, TargetKind
from memreview.tui.screens.opening import OpeningScreen
from tests.tui.apps import ScreenApp
from tests.tui.snapshot import SIZES, Snap

FOLDER = "/home/demo/dream-2026-11-02"


def refuse(target: Target, show: Callable[[Review], None]) -> Review:
    raise DreamError(
        f"{target.label}/memory.diff line 70: the diff is cut in the middle of a line; run the dream again"
    )


@pytest.mark.parametrize("size", SIZES, ids=["small", "large"])
async def test_a_refusal_looks(snap: Snap, size: tuple[int, int]) -> None:
    options = Options(claude_dir="/home/demo/.claude", state_dir="/nowhere/state", cache_dir="/nowhere/cache")
    target = Target(TargetKind.OUTPUT, output=FOLDER)
    await snap(ScreenApp(lambda: OpeningScreen(target, refuse), options), size)
