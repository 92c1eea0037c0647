"""The figures of the search for evidence, for ``make bench``."""

from __future__ import annotations

from tests.bench.bench_search import exceeded, measure, report


def test_a_thousand_changes_against_two_gigabytes() -> None:
    figures = measure(2 << 30)
    print("\n" + report(figures))
    assert figures.found > 0.9 * figures.changes
    assert not list(exceeded(figures))
