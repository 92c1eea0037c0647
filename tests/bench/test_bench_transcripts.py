"""The transcript reader's figures, for ``make bench``."""

from __future__ import annotations

from tests.bench.bench_transcripts import FIRST_LIMIT, INDEXED_LIMIT, measure, report


def test_the_last_line_of_a_gigabyte() -> None:
    figures = measure(1 << 30)
    print("\n" + report(figures))
    assert figures.first < FIRST_LIMIT
    assert figures.indexed < INDEXED_LIMIT
