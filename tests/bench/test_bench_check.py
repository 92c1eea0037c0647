"""The figures of the nightly check, for ``make bench``."""

from __future__ import annotations

from tests.bench.bench_check import measure, report


def test_five_thousand_notes_against_two_gigabytes() -> None:
    figures = measure(2 << 30)
    print("\n" + report(figures))
    assert figures.rules.get("quote-stands", 0) > 0.95 * figures.notes
    assert figures.warm < 2.0
