"""Expressions of time in a text: what is found, and which days are meant."""

from __future__ import annotations

from datetime import datetime

import pytest

from memreview.checks.claims.dates import Grain, find_dates, value

WEDNESDAY = datetime(2026, 11, 4, 10, 2)


def read(text: str, anchor: datetime | None = WEDNESDAY) -> list[tuple[str, str]]:
    return [(m.text, value(m)) for m in find_dates(text, anchor)]


@pytest.mark.parametrize(
    ("text", "found", "days"),
    [
        ("shipped on 2026-10-14 at last", "2026-10-14", "2026-10-14/2026-10-15"),
        ("due 12 November 2026, tell them", "12 November 2026", "2026-11-12/2026-11-13"),
        ("due November 19th, 2026", "November 19th, 2026", "2026-11-19/2026-11-20"),
        ("booked 9–13 November 2026", "9–13 November 2026", "2026-11-09/2026-11-14"),
        ("booked from Nov 9 until Nov 13, 2026", "from Nov 9 until Nov 13, 2026", "2026-11-09/2026-11-14"),
        ("Date:   Tue Oct 20 14:03:11 2026 +0200", "Tue Oct 20 14:03:11 2026", "2026-10-20T14:03/2026-10-20T14:04"),
        ("board meeting is 04/11/2026", "04/11/2026", "2026-04-11/2026-04-12|2026-11-04/2026-11-05"),
        ("Wartung am 3. November 2026", "3. November 2026", "2026-11-03/2026-11-04"),
        ("fermé le 14 juillet 2026", "14 juillet 2026", "2026-07-14/2026-07-15"),
        ("es el 5 de mayo de 2026", "5 de mayo de 2026", "2026-05-05/2026-05-06"),
        ("リリースは2026年11月12日です", "2026年11月12日", "2026-11-12/2026-11-13"),
        ("2026年10月下旬に移行", "2026年10月下旬", "2026-10-21/2026-11-01"),
        ("新服务器三天后上线", "三天后", "2026-11-07/2026-11-08"),
    ],
)
def test_written_days(text: str, found: str, days: str) -> None:
    assert read(text) == [(found, days)]


def test_last_week_on_a_sunday_reaches_from_its_first_to_its_last_reading() -> None:
    (match,) = find_dates("we moved last week", datetime(2026, 11, 1, 9))
    starts = [r.start for r in match.readings if r.start]
    ends = [r.end for r in match.readings if r.end]
    assert (min(starts), max(ends)) == (datetime(2026, 10, 18), datetime(2026, 11, 1))
    assert match.grain is Grain.WEEK
    assert match.relative
    assert match.rots


@pytest.mark.parametrize(
    "text", ["v1.2.3 on port 2024", "conf/site.ini:10:30", "step 3/10", "you may march", "it sat idle"]
)
def test_traps(text: str) -> None:
    assert [m for m in find_dates(text, WEDNESDAY) if m.kind == "date"] == []
