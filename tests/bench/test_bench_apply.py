from __future__ import annotations

from tests.bench.bench_apply import COMMAND_LIMIT, RATIO_LIMIT, report, run_all


def test_applying_is_quick() -> None:
    figures = run_all()
    print("\n" + report(figures))
    assert figures.ratio <= RATIO_LIMIT
    assert figures.command is not None
    assert figures.command <= COMMAND_LIMIT
