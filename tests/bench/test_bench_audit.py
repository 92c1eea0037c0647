"""The audit's figures, for ``make bench``."""

from __future__ import annotations

import pytest

from tests.bench.bench_audit import RATIO_FLOOR, WARM_LIMIT, measure, report


@pytest.mark.timeout(900)
def test_an_audit_of_a_thousand_projects() -> None:
    figures = measure()
    print("\n" + report(figures))
    assert figures.ratio is None or figures.ratio >= RATIO_FLOOR
    assert figures.added < WARM_LIMIT
