from __future__ import annotations

import itertools
import json
import os
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.model.transcript import Speaker
from memreview.read import spoken_lines
from memreview.read.records import parse_record
from memreview.read.sources import open_source
from memreview.read.spoken_lines import SpokenLines, can_speak, find_spoken, line_begin, message_end
from tests.unit.talk import Json, called, line_of, prose, returned, snapshot, typed

SAMPLES = Path(os.environ.get("MEMREVIEW_CASES", "../shared/cases")).parent / "samples"

QUEUED: Json = {
    "type": "attachment",
    "attachment": {"type": "queued_command", "prompt": "and the tests", "commandMode": "prompt"},
}
RECORDS: list[Json] = [
    typed("we moved to pnpm"),
    typed("x" * 6000),
    prose("done " + "y" * 9000),
    called("Bash", {"command": "pnpm test"}),
    returned("214 passed\n" * 700),
    snapshot("s" * 12_000),
    snapshot('he said "type":"user" in it'),
    QUEUED,
    {"type": "mode", "mode": "plan"},
    {"type": "api-request-blob", "message": {"role": "user", "content": "again"}},
]


def scanned(path: Path, parts: list[int]) -> SpokenLines:
    """What is found where the file is gone through in parts that begin at these offsets."""
    with closing(open_source(str(path))) as source:
        lines = SpokenLines()
        borders = [0, *parts, source.size]
        for start, stop in itertools.pairwise(borders):
            lines = lines.followed_by(find_spoken(source, line_begin(source, start), stop))
    return lines


@pytest.mark.parametrize("spaced", [False, True])
@pytest.mark.parametrize("record", [*RECORDS[:5], QUEUED])
def test_what_speaks_is_never_passed_over(record: Json, spaced: bool) -> None:
    assert can_speak(line_of(record, spaced=spaced).rstrip(b"\n"))


def test_the_type_may_stand_in_the_middle_of_a_long_line() -> None:
    record: Json = {"a": "x" * 5000, "type": "user", "message": {"content": "hi"}, "z": "y" * 9000}
    assert can_speak(line_of(record))


@pytest.mark.parametrize("record", [RECORDS[5], RECORDS[8], RECORDS[9]])
def test_what_is_nobodys_word_is_passed_over(record: Json) -> None:
    assert not can_speak(line_of(record))


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_places_are_those_of_the_lines(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    lines_in: list[bytes] = [*map(line_of, RECORDS), b"\n", b"\xff{ \n", b"\0\0\n"]
    raw = b"".join(data.draw(st.lists(st.sampled_from(lines_in), max_size=14)))
    if data.draw(st.booleans()):
        raw = raw.removesuffix(b"\n")
    path = tmp_path_factory.mktemp("t") / "s.jsonl"
    path.write_bytes(raw)
    parts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=3)))
    before = spoken_lines.READ_BYTES
    spoken_lines.READ_BYTES = data.draw(st.sampled_from([1, 7, 4096, before]))  # type: ignore[misc]
    try:
        lines = scanned(path, parts)
    finally:
        spoken_lines.READ_BYTES = before  # type: ignore[misc]
    everything = raw.split(b"\n")
    for number, start, length in zip(lines.numbers, lines.starts, lines.lengths, strict=True):
        assert raw[start : start + length] == everything[number - 1]
    spoken = [n for n, line in enumerate(everything, 1) if parse_record(line, n).speaker is not Speaker.OTHER]
    assert set(spoken) <= set(lines.numbers)
    assert lines.newlines == raw.count(b"\n")
    assert lines.covered == raw.rfind(b"\n") + 1


def test_an_endless_line_is_counted_and_not_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spoken_lines, "MAX_RECORD_BYTES", 5000)
    path = tmp_path / "s.jsonl"
    path.write_bytes(line_of(typed("z" * 400_000)) + line_of(typed("after it")))
    lines = scanned(path, [])
    assert list(lines.numbers) == [2]


def test_the_repetition_of_a_result_is_no_part_of_the_message() -> None:
    line = line_of(returned("214 passed")).rstrip(b"\n")
    message = line[: message_end(line)]
    assert message.count(b"214 passed") == 1
    assert b"toolUseResult" not in message


def test_the_repetition_of_a_moved_output_holds_more_and_is_kept() -> None:
    line = line_of(returned("<persisted-output> too long")).rstrip(b"\n")
    assert message_end(line) == len(line)


def test_a_message_behind_the_repetition_is_kept() -> None:
    record = {"type": "user", "toolUseResult": {"stdout": "a"}, "message": {"content": "b"}}
    line = b'{"uuid":"u",' + json.dumps(record, separators=(",", ":")).encode()[1:]
    assert message_end(line) == len(line)


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recorded samples are not here")
def test_recorded_sessions_lose_no_speech() -> None:
    for path in SAMPLES.rglob("*.jsonl"):
        lines = scanned(path, [])
        for number, raw in enumerate(path.read_bytes().split(b"\n"), 1):
            record = parse_record(raw, number)
            if record.speaker is not Speaker.OTHER and record.has_text:
                assert number in lines.numbers, (path.name, number)
