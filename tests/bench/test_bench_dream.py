"""The figures of the claim check of a dream and of many records, for ``make bench``."""

from __future__ import annotations

from tests.bench import bench_dream, bench_records


def test_a_dream_against_two_gigabytes() -> None:
    figures = bench_dream.measure(2 << 30)
    print("\n" + bench_dream.report(figures))
    assert figures.changes == 1000
    assert sum(figures.verdicts.values()) > 900
    assert figures.peak < bench_dream.MEMORY_LIMIT


def test_a_thousand_claims_against_five_thousand_records() -> None:
    figures = bench_records.measure()
    print("\n" + bench_records.report(figures))
    assert sum(figures.verdicts.values()) > 1000
