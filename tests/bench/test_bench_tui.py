"""The review's figures, for ``make bench``."""

from __future__ import annotations

import pytest

from tests.bench.bench_tui import FIRST_FRAME_LIMIT, KEY_LIMIT, MEMORY_LIMIT, measure, report


@pytest.mark.timeout(600)
def test_a_review_of_five_thousand_changes() -> None:
    figures = measure()
    print("\n" + report(figures))
    assert figures.first - figures.empty_first < FIRST_FRAME_LIMIT
    assert figures.keys["next change"] - figures.floor < KEY_LIMIT
    assert figures.memory < MEMORY_LIMIT
