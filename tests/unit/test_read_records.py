"""One line's bytes to one record, whatever happened to them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.model.transcript import Speaker
from memreview.read import records
from memreview.read.records import decode_line, is_skipped, parse_record

SAID = (
    b'{"type":"user","uuid":"u-1","sessionId":"s","timestamp":"2026-10-12T07:00:00.000Z","message":{"content":"Yes."}}'
)
MODE = b'{"type":"mode","sessionId":"s"}'


def test_the_fields_of_a_record() -> None:
    record = parse_record(SAID + b"\n", 7)
    assert (record.line, record.kind, record.speaker, record.text) == (7, "user", Speaker.USER, "Yes.")
    assert (record.timestamp, record.uuid, record.session) == ("2026-10-12T07:00:00.000Z", "u-1", "s")
    assert record.has_text
    assert not is_skipped(record)


@pytest.mark.parametrize(
    "raw",
    [
        SAID,
        SAID + b"\r\n",
        b"\xef\xbb\xbf" + SAID + b"\n",
        b"\0" * 48 + SAID + b"\n",
        SAID + b"\0" * 48 + b"\n",
        b" \t" + SAID + b" \n",
        SAID + SAID.replace(b"Yes", b"No") + b"\n",
        SAID + b"\0\0" + MODE + b"\n",
        SAID + b'{"type":"user","message":{"cont\n',
        SAID + b"garbage\n",
        MODE + SAID + b"\n",
        b"[1]" + SAID + b"\n",
        b'{"type":"assistant","sessionId":"s","message":{"content":"Cut ' + SAID + b"\n",
        b'{"type":"progress","data":{"message":{"type":"user","message":{"content":"no"}}},"x":"' + SAID + b"\0\n",
    ],
)
def test_a_whole_record_is_read_whatever_stands_around_it(raw: bytes) -> None:
    record = parse_record(raw, 1)
    assert (record.speaker, record.text, record.uuid) == (Speaker.USER, "Yes.", "u-1")


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (b"", "blank"),
        (b"\n", "blank"),
        (b" \t\r\n", "blank"),
        (b"\0" * 48 + b"\n", "malformed"),
        (b'{"type":"user","message":{"content":"Yes.\n', "malformed"),
        (b'{"type":"user","message":{"content":"Yes.', "partial"),
        (b"12 monkeys\n", "malformed"),
        (b"\xff\xfe\n", "malformed"),
        (b'["type","user"]\n', "not-object"),
        (b'"type"\n', "not-object"),
        (b"NaN\n", "not-object"),
        (b"[1][2]\n", "not-object"),
        (b'{"text":"Yes."}\n', "untyped"),
        (b'{"type":3,"text":"Yes."}\n', "untyped"),
        (b'{"type":"compost","text":"Yes."}\n', "compost"),
        (b"[" * 200_000 + b"\n", "malformed"),
        (b'{"a":' * 100_000 + b"\n", "malformed"),
    ],
)
def test_lines_without_words_are_named_and_skipped(raw: bytes, kind: str) -> None:
    record = parse_record(raw, 1)
    assert (record.kind, record.speaker, record.text) == (kind, Speaker.OTHER, "")
    assert is_skipped(record)


def test_a_record_inside_a_torn_one_is_not_taken_for_it() -> None:
    inner = '{"type":"user","uuid":"n","message":{"content":"Not said here."}}'
    for torn in (
        f'{{"type":"progress","data":{{"message":{inner}',
        f'{{"x":[{{"sessionId":"s","type":"user"}},{inner},"',
    ):
        assert parse_record(torn.encode() + b"\n", 1).kind == "malformed"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (rb"half \ud83d smile", "half \ud83d smile"),
        (rb"whole \ud83d\ude00 smile", "whole \U0001f600 smile"),
        (b"tab\there", "tab\there"),
        (b"bad \xff byte", "bad \udcff byte"),
        ("line \u2028 and \u2029 and \u0085".encode(), "line \u2028 and \u2029 and \u0085"),
        (rb"nul \u0000 here", "nul \0 here"),
        (b"carriage\rreturn", "carriage\rreturn"),
    ],
)
def test_odd_characters_are_kept(text: bytes, said: str) -> None:
    assert parse_record(SAID.replace(b"Yes.", text), 1).text == said


@pytest.mark.parametrize("value", [b"NaN", b"-Infinity", b"9" * 40, b"9" * 10_000, b"1e999", b"0.1"])
def test_odd_numbers_do_no_harm(value: bytes) -> None:
    raw = b'{"n":' + value + b"," + SAID[1:]
    assert parse_record(raw, 1).text == "Yes."


def test_a_line_of_12_megabytes_is_read() -> None:
    text = b"wide " * (12 << 18)
    record = parse_record(SAID.replace(b"Yes.", text), 1)
    assert len(record.text) == len(text) > 12 << 20


def test_a_line_beyond_all_measure_is_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MAX_RECORD_BYTES", 100)
    assert parse_record(SAID, 1).kind == "oversized"


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200) | st.binary(max_size=60).map(lambda noise: SAID[: len(noise)] + noise + SAID))
def test_any_bytes_make_a_record(raw: bytes) -> None:
    record = parse_record(raw, 3)
    assert record.line == 3
    assert record.kind
    assert bool(decode_line(raw)[0]) != bool(decode_line(raw)[1])


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40), st.integers(0, 3))
def test_what_a_person_typed_comes_back(text: str, nuls: int) -> None:
    raw = json.dumps({"type": "user", "message": {"content": "> " + text}}).encode()
    assert parse_record(b"\0" * nuls + raw + b"\0" * nuls + b"\n", 1).text == "> " + text
