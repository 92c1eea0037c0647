"""Expressions of time in English and in digits: what is found, and which days are meant."""

from __future__ import annotations

from datetime import datetime

import pytest

from memreview.checks.claims.dates import DateMatch, Grain, find_dates, value

WEDNESDAY = datetime(2026, 11, 4, 10, 2)


def only(text: str, anchor: datetime | None = WEDNESDAY, lang: str | None = None) -> DateMatch:
    """The one expression of a text."""
    found = find_dates(text, anchor, lang=lang)
    assert len(found) == 1, [m.text for m in found]
    assert text[found[0].start : found[0].end] == found[0].text
    return found[0]


ABSOLUTE = [
    ("shipped on 2026-10-14 at last", "2026-10-14", "2026-10-14/2026-10-15"),
    ("see logs/2026-10-14.log", "2026-10-14", "2026-10-14/2026-10-15"),
    ("at 2026-11-03T02:14:09Z", "2026-11-03T02:14:09Z", "2026-11-03T02:14:09/2026-11-03T02:14:10"),
    ("20261103T021409Z", "20261103T021409Z", "2026-11-03T02:14:09/2026-11-03T02:14:10"),
    ("2026-W45", "2026-W45", "2026-11-02/2026-11-09"),
    ("due 12 November 2026, tell them", "12 November 2026", "2026-11-12/2026-11-13"),
    ("due November 19th, 2026", "November 19th, 2026", "2026-11-19/2026-11-20"),
    ("on the 3rd of May 2027", "3rd of May 2027", "2027-05-03/2027-05-04"),
    ("05-Aug-2016", "05-Aug-2016", "2016-08-05/2016-08-06"),
    ("2019/aug/01 or so", "2019/aug/01", "2019-08-01/2019-08-02"),
    ("Oct '26", "Oct '26", "2026-10-01/2026-11-01"),
    ("on 12/24/2026", "12/24/2026", "2026-12-24/2026-12-25"),
    ("board meeting is 04/11/2026", "04/11/2026", "2026-04-11/2026-04-12|2026-11-04/2026-11-05"),
    ("January first two thousand and thirty two", "January first two thousand and thirty two", "2032-01-01/2032-01-02"),
    ("October 2026", "October 2026", "2026-10-01/2026-11-01"),
    ("in 2019", "2019", "2019-01-01/2020-01-01"),
    ("Q3 2026 was good", "Q3 2026", "2026-07-01/2026-10-01"),
    ("2019-H2", "2019-H2", "2019-07-01/2020-01-01"),
    ("the first quarter of 2027", "first quarter of 2027", "2027-01-01/2027-04-01"),
    ("week 3 of 2027", "week 3 of 2027", "2027-01-18/2027-01-25"),
    ("the 1990s", "1990s", "1990-01-01/2000-01-01"),
    ("easter 2018", "easter 2018", "2018-04-01/2018-04-02"),
    ("thanksgiving 2026", "thanksgiving 2026", "2026-11-26/2026-11-27"),
    ("the last Friday of October 2026", "last Friday of October 2026", "2026-10-30/2026-10-31"),
]


@pytest.mark.parametrize(("text", "found", "days"), ABSOLUTE)
def test_absolute(text: str, found: str, days: str) -> None:
    for anchor in (WEDNESDAY, None):
        match = only(text, anchor)
        assert (match.text, value(match)) == (found, days)
        assert not match.relative
        assert not match.rots


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("Date:   Tue Oct 20 14:03:11 2026 +0200", "2026-10-20T14:03/2026-10-20T14:04"),
        ("Tue, 03 Nov 2026 02:14:09 GMT", "2026-11-03T02:14/2026-11-03T02:15"),
        ("Nov  3 02:14:09 host sshd[1]: closed", "2026-11-03T02:14/2026-11-03T02:15"),
        ('[03/Nov/2026:02:14:09 +0000] "GET /"', "2026-11-03T02:14:09/2026-11-03T02:14:10"),
        ("2026-11-03 02:14:09,123 INFO up", "2026-11-03T02:14:09/2026-11-03T02:14:10"),
        ("12/24/26, 2:14 PM", "2026-12-24T14:14/2026-12-24T14:15"),
    ],
)
def test_logs_and_headers(text: str, moment: str) -> None:
    assert value(only(text)) == moment


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("we did it yesterday", "2026-11-03/2026-11-04"),
        ("the day before yesterday", "2026-11-02/2026-11-03"),
        ("the day after tomorrow", "2026-11-06/2026-11-07"),
        ("two days ago", "2026-11-02/2026-11-03"),
        ("in two weeks", "2026-11-18/2026-11-19"),
        ("three weeks from tomorrow", "2026-11-26/2026-11-27"),
        ("two days before yesterday", "2026-11-01/2026-11-02"),
        ("half a year ago", "2026-05-04/2026-05-05"),
        ("two Sundays ago", "2026-10-25/2026-10-26"),
        ("3 days starting from next Monday", "2026-11-09/2026-11-12"),
        ("last week", "2026-10-26/2026-11-02|2026-10-25/2026-11-01"),
        ("the week after next", "2026-11-16/2026-11-23|2026-11-15/2026-11-22"),
        ("next month", "2026-12-01/2027-01-01"),
        ("last year", "2025-01-01/2026-01-01"),
        ("this quarter", "2026-10-01/2027-01-01"),
        ("last 3 months", "2026-08-04/2026-11-04"),
        ("previous three quarters", "2026-01-01/2026-10-01"),
        ("next weekend", "2026-11-14/2026-11-16|2026-11-07/2026-11-09"),
        ("next Friday", "2026-11-06/2026-11-07|2026-11-13/2026-11-14"),
        ("last Friday", "2026-10-30/2026-10-31"),
        ("last Monday", "2026-11-02/2026-11-03|2026-10-26/2026-10-27"),
        ("Monday next week", "2026-11-09/2026-11-10"),
        ("tuesday of last week", "2026-10-27/2026-10-28"),
        ("on the 15th of next month", "2026-12-15/2026-12-16"),
        ("last March", "2026-03-01/2026-04-01|2025-03-01/2025-04-01"),
        ("October next year", "2027-10-01/2027-11-01"),
        ("tomorrow at noon", "2026-11-05T12:00/2026-11-05T12:01"),
        ("tomorrow evening at 7", "2026-11-05T19:00/2026-11-05T19:01"),
        ("3pm today", "2026-11-04T15:00/2026-11-04T15:01"),
        ("this morning", "2026-11-04T05:00/2026-11-04T12:00"),
        ("last night", "2026-11-03T18:00/2026-11-04T05:00"),
        ("tomorrow before 5pm", "2026-11-05/2026-11-05T17:00"),
        ("yesterday from 3 to 8pm", "2026-11-03T15:00/2026-11-03T20:00"),
        ("from now until Friday", "2026-11-04T10:02/2026-11-07"),
        ("the day after Christmas", "2026-12-26/2026-12-27"),
    ],
)
def test_relative(text: str, days: str) -> None:
    match = only(text)
    assert match.relative
    assert set(days.split("|")) <= set(value(match).split("|"))
    assert only(text, None).readings == ()


def test_last_week_on_a_sunday_reaches_from_its_first_to_its_last_reading() -> None:
    match = only("we moved last week", datetime(2026, 11, 1, 9))
    starts = [r.start for r in match.readings if r.start]
    ends = [r.end for r in match.readings if r.end]
    assert (min(starts), max(ends)) == (datetime(2026, 10, 18), datetime(2026, 11, 1))
    assert match.grain is Grain.WEEK


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("booked 9–13 November 2026", "2026-11-09/2026-11-14"),
        ("booked from Nov 9 until Nov 13, 2026", "2026-11-09/2026-11-14"),
        ("between 10 and 12 October 2026", "2026-10-10/2026-10-13"),
        ("May 1–3, 2027", "2027-05-01/2027-05-04"),
        ("2026-10-01 – 2026-10-15", "2026-10-01/2026-10-16"),
        ("2026-10-01..2026-10-15", "2026-10-01/2026-10-16"),
        ("from 10/1/2018-10/7/2018", "2018-10-01/2018-10-08"),
        ("Nov to Feb 2017", "2016-11-01/2017-03-01"),
        ("26 June 2019 to 28 June", "2019-06-26/2019-06-29"),
        ("Q1-Q2 2020", "2020-01-01/2020-07-01"),
        ("2019–2021", "2019-01-01/2022-01-01"),
        ("December 24 through January 2", "2026-12-24/2027-01-03"),
        ("from Friday to Sunday", "2026-11-06/2026-11-09"),
    ],
)
def test_a_range_ends_with_the_last_day_named(text: str, days: str) -> None:
    assert value(only(text)).split("|")[0] == days


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("since 5 May 2026", "2026-05-05/"),
        ("from 30 Oct 2026 on", "2026-10-30/"),
        ("as of 1 November 2026", "2026-11-01/"),
        ("until 12 November 2026", "/2026-11-13"),
        ("by 12 November 2026", "/2026-11-13"),
        ("before 12 November 2026", "/2026-11-12"),
        ("after 12 November 2026", "2026-11-13/"),
        ("not before 1 March 2027", "2027-03-01/"),
        ("no later than 1 March 2027", "/2027-03-02"),
        ("2012 or later", "2012-01-01/"),
        ("since Monday", "2026-11-02/"),
    ],
)
def test_open_sides(text: str, side: str) -> None:
    assert value(only(text)) == side


def test_after_a_weekday_both_weeks_are_meant() -> None:
    match = only("nothing goes live after Thursday", datetime(2026, 10, 27, 9))
    assert set(value(match).split("|")) == {"2026-10-30/", "2026-10-23/"}


@pytest.mark.parametrize(
    ("text", "days", "grain"),
    [
        ("early October 2026", "2026-10-01/2026-10-11", Grain.THIRD),
        ("mid-October 2026", "2026-10-11/2026-10-21", Grain.THIRD),
        ("late Oct 2026", "2026-10-21/2026-11-01", Grain.THIRD),
        ("mid-to-late October 2026", "2026-10-11/2026-11-01", Grain.THIRD),
        ("the end of March 2027", "2027-03-21/2027-04-01", Grain.THIRD),
        ("the end of Q1 2027", "2027-03-01/2027-04-01", Grain.THIRD),
        ("the first half of November 2026", "2026-11-01/2026-11-16", Grain.THIRD),
        ("the end of 2026", "2026-09-01/2027-01-01", Grain.SEASON),
    ],
)
def test_thirds(text: str, days: str, grain: Grain) -> None:
    match = only(text)
    assert (value(match), match.grain, match.fuzzy) == (days, grain, True)


def test_end_of_a_quarter_is_that_of_the_nearest_ones() -> None:
    match = only("switched off at the end of Q1")
    assert value(match).split("|")[0] == "2027-03-01/2027-04-01"
    assert match.relative
    assert not match.rots


def test_a_few_weeks_name_no_day() -> None:
    match = only("we split it a few weeks ago")
    assert match.fuzzy
    assert match.grain is Grain.WEEK
    assert value(match) == "2026-09-23/2026-10-22"


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("09:30", "half past nine"),
        ("15:00", "3pm"),
        ("15:00", "3 p.m."),
        ("16:45", "quarter to five"),
        ("12:00", "noon"),
        ("09:30", "9.30 am"),
        ("07:00", "7 o'clock"),
        ("9am-5pm", "09:00–17:00"),
        ("Tuesdays", "every Tuesday"),
        ("daily", "every day"),
        ("weekly", "each week"),
        ("biweekly", "every two weeks"),
        ("Mon–Fri", "weekdays"),
    ],
)
def test_equal_times_and_repetitions_share_a_reading(text: str, same: str) -> None:
    one, other = only(text), only(same)
    assert one.kind == other.kind
    assert one.kind in ("time", "recurring")
    assert set(one.readings) & set(other.readings)


def test_different_times_share_none() -> None:
    kinds = [
        "10:30",
        "half past nine",
        "3pm",
        "midnight",
        "Tuesdays",
        "Wednesdays",
        "Mon–Fri",
        "daily",
        "every 2 weeks",
    ]
    seen = [set(only(k).readings) for k in kinds]
    assert all(not a & b for i, a in enumerate(seen) for b in seen[:i])


@pytest.mark.parametrize(
    "text",
    [
        *("yesterday", "today", "last week", "next Friday", "this month", "two days ago", "tonight", "last night"),
        *("in the last 14 days", "gestern", "la semaine dernière", "hoy", "先週", "昨天"),
    ],
)
def test_words_that_rot(text: str) -> None:
    assert only(text, WEDNESDAY).rots


@pytest.mark.parametrize(
    "text",
    [
        *("on 14 Oct", "in October", "on Friday", "Q1 2027", "every Tuesday", "at 9:30", "end of the month"),
        "shows the last 30 days",
    ],
)
def test_words_that_keep(text: str) -> None:
    assert not only(text, WEDNESDAY).rots


def test_an_exact_date_beside_the_word_keeps_it_fresh() -> None:
    match = only("renamed yesterday (2026-11-03)")
    assert (value(match), match.rots) == ("2026-11-03/2026-11-04", False)


def test_a_day_without_its_year_is_the_nearest_and_the_other_side_only_if_it_is_near() -> None:
    assert value(only("on 14 Oct")) == "2026-10-14/2026-10-15"
    assert value(only("on 3 March")) == "2027-03-03/2027-03-04|2026-03-03/2026-03-04"
    assert value(only("on Feb 29")).startswith("2028-02-29")


def test_a_weekday_decides_year_and_order() -> None:
    assert value(only("Friday 5/6/2026")) == "2026-06-05/2026-06-06"
    assert set(value(only("on Monday 21")).split("|")) == {"2026-09-21/2026-09-22", "2026-12-21/2026-12-22"}


@pytest.mark.parametrize(
    ("text", "unit"), [("90 minutes", Grain.MINUTE), ("three days", Grain.DAY), ("2.5 hours", Grain.HOUR)]
)
def test_durations_are_no_dates(text: str, unit: Grain) -> None:
    match = only(f"it takes {text} at most")
    assert (match.kind, match.text, match.grain, match.readings) == ("duration", text, unit, ())
