"""What holds of any text and any day; traps; time zones."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.checks.claims.dates import (
    DateMatch,
    Grain,
    Interval,
    anchor_days,
    compare,
    contains,
    find_dates,
    meets,
    overlap,
    value,
)
from memreview.checks.claims.dates.arithmetic import easter

NOON = datetime(2026, 11, 4, 12)
WORDS = """last next this monday friday may march 3 12 2026 2019 of the week month year ago in from to until since - / .
: , ( ) at 9 am pm half past quarter end early mid every und bis vor nach vom letzte nächste Woche Uhr halb 3. le la de
el hace il y a semaine mes año 年 月 日 先週 前 ' second first twenty two thousand and about few days W45 Q1 10:30"""


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(st.text(max_size=60), st.lists(st.sampled_from([*WORDS.split(), "\n"]), max_size=14).map(" ".join)),
    st.booleans(),
)
def test_any_text(text: str, anchored: bool) -> None:
    found = find_dates(text, NOON if anchored else None)
    before = 0
    for match in found:
        assert before <= match.start < match.end <= len(text)
        assert match.text == text[match.start : match.end]
        assert all(r.start is None or r.end is None or r.start < r.end for r in match.readings)
        assert all(r.start is not None or r.end is not None for r in match.readings)
        assert value(match).count("|") == max(len(match.readings) - 1, 0)
        before = match.end


def months(names: str) -> list[str]:
    return names.split()


ENGLISH_MONTHS = months("January February March April May June July August September October November December")
GERMAN_MONTHS = months("Januar Februar März April Mai Juni Juli August September Oktober November Dezember")
FRENCH_MONTHS = months("janvier février mars avril mai juin juillet août septembre octobre novembre décembre")
SPANISH_MONTHS = months("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre")


def written(day: date) -> list[str]:
    """A day in every written form that has one reading."""
    index = day.month - 1
    suffix = "th" if 10 <= day.day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    return [
        day.isoformat(),
        f"{day.year}/{day.month:02d}/{day.day:02d}",
        f"{day.day} {ENGLISH_MONTHS[index]} {day.year}",
        f"{ENGLISH_MONTHS[index]} {day.day}, {day.year}",
        f"the {day.day}{suffix} of {ENGLISH_MONTHS[index]}, {day.year}",
        f"{ENGLISH_MONTHS[index][:3]} {day.day}{suffix} {day.year}",
        f"{day.day}-{ENGLISH_MONTHS[index][:3]}-{day.year}",
        day.strftime("%a, %d %b %Y"),
        f"am {day.day}. {GERMAN_MONTHS[index]} {day.year}",
        f"le {day.day} {FRENCH_MONTHS[index]} {day.year}",
        f"el {day.day} de {SPANISH_MONTHS[index]} de {day.year}",
        f"{day.year}年{day.month}月{day.day}日",
    ]


@settings(max_examples=60, deadline=None)
@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_a_day_is_read_back_from_every_form(day: date) -> None:
    start = datetime(day.year, day.month, day.day)
    for form in written(day):
        found = find_dates(form, NOON)
        assert [m.readings for m in found] == [(Interval(start, start + timedelta(days=1)),)], form
    for form in written(day)[:8]:
        text = f"shipped: {form}, as planned"
        assert [m.readings for m in find_dates(text, NOON)] == [(Interval(start, start + timedelta(days=1)),)], text


@settings(max_examples=40, deadline=None)
@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)), st.integers(1, 60))
def test_distances_are_those_of_the_calendar(day: date, count: int) -> None:
    anchor = datetime(day.year, day.month, day.day, 12)
    for text, days in (
        (f"{count} days ago", -count),
        (f"in {count} weeks", 7 * count),
        (f"vor {count} Tagen", -count),
        (f"il y a {count} jours", -count),
        (f"hace {count} semanas", -7 * count),
        (f"{count}日前", -count),
        (f"{count}天后", count),
        ("yesterday", -1),
        ("übermorgen", 2),
    ):
        start = datetime(day.year, day.month, day.day) + timedelta(days=days)
        assert [r.start for m in find_dates(text, anchor) for r in m.readings] == [start], text


@settings(max_examples=40, deadline=None)
@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)), st.integers(0, 6))
def test_weekdays_lie_beside_the_anchor(day: date, weekday: int) -> None:
    name = date(2024, 1, 1 + weekday).strftime("%A")
    anchor = datetime(day.year, day.month, day.day, 12)
    for text, low, high in ((f"next {name}", 1, 14), (f"last {name}", -14, -1), (f"on {name}", -7, 7)):
        (match,) = find_dates(text, anchor)
        for reading in match.readings:
            assert reading.start is not None
            assert reading.start.weekday() == weekday
            assert low <= (reading.start.date() - day).days <= high


def _easter(year: int) -> date:
    """By Gauss, as an independent count."""
    a, b, c, k = year % 19, year % 4, year % 7, year // 100
    p, q = (13 + 8 * k) // 25, k // 4
    m, n = (15 - p + k - q) % 30, (4 + k - q) % 7
    d = (19 * a + m) % 30
    e = (2 * b + 4 * c + 6 * d + n) % 7
    if (d, e) == (29, 6) or (d == 28 and e == 6 and a > 10):
        return date(year, 4, 19 if d == 29 else 18)
    return date(year, 3, 22) + timedelta(days=d + e)


def test_easter() -> None:
    assert [easter(y).date() for y in range(1900, 2200)] == [_easter(y) for y in range(1900, 2200)]


@pytest.mark.parametrize(
    "text",
    [
        "v1.2.3", "Upgraded from 1.12.2 to 2.0.0", "new in 2.3. of it", "Python 3.11", "10.0.0.1:5432",
        "192.168.1.10/24", "src/app.py:10:30: error", "ratio 10:30", "step 3/10", "9/10", "24/7", "1/2 of the tests",
        "12/5 = 2.4", "[12/24] Compiling", "you may march through it", "it sat idle", "wed the two modules",
        "mon.start() and sun.misc", "dec ecx", "May Fail", "June Park and August Müller", "second argument",
        "first, second and third", "mar 12px", "It may 2x the memory", "port 2024", "room 1984", "RFC 2045",
        "ISO 8601", "PR 2025", "#1999", "GH-2024", "ticket ABC-2023", "HTTP 2019", "in 2000 lines",
        "content-length: 2025", "model gpt-2024-mini", "claude-sonnet-4-5-20250929", "commit 20261101", "friday.js",
        "march/fix-parser", "monthly_total", "week1monday = 3", "next-week", "today()", "Date.now()", "x[20:24]",
        "| q1 | q2 |", "3-2-1 backup", "5-7-5", "11-12-13", "+49 30 1234567", "the next item", "last element",
        "cookies last 14 days", "reply within 14 days", "passed in 12.34s", "const MON = 1", "for Sun RPC",
        "daily standup bot", "00:1A:2B:10:11:12",
        "Patch 8.2.2004", "jetty 12.1.13", "deprecated in 3.18.", "overlap of 1/2, 3/4", "count by 1/2",
        "done by SAT solver",
        "Since Sun's library", "dom(4) and fr1", "FEB2 2DEC", "np.repeat(MO, 2)", "in a second example", "dim / 2",
        "[31.01, 81.21]",
        "'monday', 'weekly'", "the '01' string", "8.2.0 of 10.4", "on Sun OS5", "22/7 is near pi",
    ],
)  # fmt: skip
def test_traps(text: str) -> None:
    assert [m.text for m in find_dates(text, NOON) if m.kind in ("date", "recurring")] == []


def test_a_clock_in_code_is_no_time() -> None:
    assert [m.text for m in find_dates("h[20:24] at conf/site.ini:10:30, ratio 10:30", NOON)] == []


@pytest.mark.parametrize(
    ("moment", "zone", "days"),
    [
        (datetime(2026, 11, 3, 23, 47, tzinfo=UTC), None, [3, 4]),
        (datetime(2026, 11, 4, 3, 10, tzinfo=UTC), None, [4, 3]),
        (datetime(2026, 11, 4, 12, 0, tzinfo=UTC), None, [4]),
        (datetime(2026, 11, 4, 3, 10, tzinfo=UTC), ZoneInfo("America/Chicago"), [3]),
        (datetime(2026, 11, 3, 23, 47, tzinfo=UTC), ZoneInfo("Asia/Tokyo"), [4]),
        (datetime(2026, 11, 3, 23, 47), None, [3]),
        (datetime(2026, 11, 4, 1, 30, tzinfo=timezone(timedelta(hours=9))), ZoneInfo("UTC"), [3]),
    ],
)
def test_the_day_of_a_moment(moment: datetime, zone: ZoneInfo | None, days: list[int]) -> None:
    assert [d.day for d in anchor_days(moment, zone)] == days
    (match,) = find_dates("moved today", moment, zone)
    assert [r.start.day for r in match.readings if r.start] == days


def test_a_time_with_its_offset_is_brought_to_the_local_zone() -> None:
    (match,) = find_dates("2026-11-03T23:47:00Z", NOON, ZoneInfo("Asia/Tokyo"))
    assert value(match) == "2026-11-04T08:47/2026-11-04T08:47:01|2026-11-03T23:47/2026-11-03T23:47:01"


def one(text: str) -> DateMatch:
    (match,) = find_dates(text, NOON)
    return match


@pytest.mark.parametrize(
    ("claim", "evidence", "how"),
    [
        ("2026-11-12", "12 November 2026", "same"),
        ("October 2026", "14 October 2026", "coarser"),
        ("14 Oct 2026", "October 2026", "finer"),
        ("28 Oct 2026", "last week", "finer"),
        ("late Oct 2026", "last week", "coarser"),
        ("20–28 Oct 2026", "last week", "overlap"),
        ("mid Sep 2026", "last week", "apart"),
        ("10:30", "half past nine", "apart"),
        ("09:30", "half past nine", "same"),
        ("9–12 November 2026", "9–13 November 2026", "finer"),
        ("since 1 May 2026", "since 3 May 2026", "coarser"),
        ("Tuesdays", "2026-11-03", "apart"),
    ],
)
def test_how_a_claim_stands_to_its_evidence(claim: str, evidence: str, how: str) -> None:
    assert meets(one(claim), one(evidence)) == how


moments = st.one_of(st.none(), st.datetimes(datetime(2026, 1, 1), datetime(2026, 1, 9)))
intervals = (
    st.tuples(moments, moments)
    .map(lambda p: Interval(*p))
    .filter(lambda i: i.start is None or i.end is None or i.start < i.end)
)


@settings(max_examples=80)
@given(intervals, intervals)
def test_comparing_intervals(a: Interval, b: Interval) -> None:
    assert contains(a, a)
    assert overlap(a, b) == overlap(b, a)
    assert not contains(a, b) or overlap(a, b)
    turned = {"same": "same", "coarser": "finer", "finer": "coarser", "overlap": "overlap", "apart": "apart"}
    assert turned[compare(a, b)] == compare(b, a)


def test_grains_go_from_fine_to_coarse() -> None:
    assert sorted(Grain) == list(Grain)


@pytest.mark.parametrize("unit", ["end of the ", "2 weeks before ", "5 May 2026, ", "3月", "may ", "11/12 ", "("])
def test_a_hostile_line_takes_no_long_time(unit: str) -> None:
    line = unit * (1_000_000 // len(unit))
    begin = time.process_time()
    find_dates(line, NOON)
    assert time.process_time() - begin < 3


def test_a_long_log_is_read_to_its_end() -> None:
    lines = [f"2026-11-{1 + k % 28:02d} 02:14:09,123 INFO worker {k}: wrote 12 tiles in 30 ms" for k in range(1300)]
    assert len([m for m in find_dates("\n".join(lines), NOON) if m.kind == "date"]) == len(lines)


def test_dates_are_found_across_the_parts_of_a_long_line() -> None:
    line = " ".join(f"word{k} and then" if k % 9 else "on 12 November 2026 at noon" for k in range(2000))
    found = [m for m in find_dates(line, NOON) if m.kind == "date"]
    assert len(found) == line.count("November")
    assert {m.text for m in found} == {"12 November 2026 at noon"}
