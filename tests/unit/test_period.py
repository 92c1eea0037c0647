"""For how long transcripts are kept, by the client's order and rules."""

from __future__ import annotations

import pytest

from memreview.checks.period import Period, Source, as_days, effective
from memreview.read.settings import parse_settings


def period(**files: str) -> Period:
    sources = {"managed": Source.MANAGED, "flag": Source.FLAG, "local": Source.LOCAL, "project": Source.PROJECT}
    read = [
        parse_settings(text.encode(), sources.get(name, Source.USER), f"{name}.json") for name, text in files.items()
    ]
    return effective(read)


@pytest.mark.parametrize(
    ("value", "days"),
    [
        (30, 30),
        (1, 1),
        (45.0, 45),
        (3e1, 30),
        (0, None),
        (-3, None),
        (0.5, None),
        ("30", None),
        (None, None),
        (True, None),
    ],
)
def test_values(value: object, days: int | None) -> None:
    assert as_days(value) == days


def test_order() -> None:
    user = '{"cleanupPeriodDays": 365}'
    assert (period().days, period().source) == (30, Source.DEFAULT)
    assert period(user=user).days == 365
    assert period(user=user, project='{"cleanupPeriodDays": 7}').source is Source.PROJECT
    assert period(user=user, project='{"cleanupPeriodDays": 7}', local='{"cleanupPeriodDays": 9}').days == 9
    assert period(user=user, local='{"cleanupPeriodDays": 9}', flag='{"cleanupPeriodDays": 11}').days == 11
    assert period(managed='{"cleanupPeriodDays": 14}', local='{"cleanupPeriodDays": 9}').source is Source.MANAGED


@pytest.mark.parametrize(
    "text",
    [
        '{"cleanupPeriodDays": 0}',
        '{"cleanupPeriodDays": null}',
        '{"cleanupPeriodDays": "30"}',
        '{"cleanupPeriodDays": 30,}',
        '{"cleanupPeriodDays": 30} // why',
        '{"autoDreamEnabled": "yes"}',
        "[30]",
        "",
        "\ufeff",
    ],
)
def test_void_files(text: str) -> None:
    found = period(user=text)
    assert (found.valid, found.path) == (False, "user.json")
    assert found.problem


@pytest.mark.parametrize("rest", [rb'"\ud800"', b"1e999", b'"\xff"', b"-1e-999", rb'"\u0000"'])
def test_what_javascript_takes_for_json_is_valid(rest: bytes) -> None:
    found = effective([parse_settings(b'{"cleanupPeriodDays": 45, "x": ' + rest + b"}", Source.USER, "user.json")])
    assert (found.days, found.valid) == (45, True)


@pytest.mark.parametrize("rest", [b"NaN", b"-Infinity", b"01", b"'x'", b'"\n"', b"[" * 5000])
def test_what_javascript_refuses_is_void(rest: bytes) -> None:
    found = effective([parse_settings(b'{"cleanupPeriodDays": 45, "x": ' + rest + b"}", Source.USER, "user.json")])
    assert not found.valid


def test_what_voids_nothing() -> None:
    assert period(user='\ufeff{"cleanupPeriodDays": 45.0}').days == 45
    dropped = period(managed='{"cleanupPeriodDays": 0}', user='{"cleanupPeriodDays": 90}')
    assert (dropped.days, dropped.source, dropped.valid) == (90, Source.USER, True)
    assert "managed.json" in dropped.notices[0]
    for text in ('{"cleanupPeriodDay": 90}', '{"env": {"cleanupPeriodDays": 90}}'):
        missed = period(user=text)
        assert (missed.days, missed.valid, len(missed.notices)) == (30, True, 1)
