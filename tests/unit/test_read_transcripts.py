"""Transcripts by line, span and search, and where their lines begin."""

from __future__ import annotations

import gzip
import json
import os
import threading
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memreview.errors import MemreviewError, TranscriptError
from memreview.model.transcript import Record
from memreview.read import line_index, records, sources
from memreview.read.line_index import BLOCK
from memreview.read.transcripts import Skipped, TranscriptFile, open_transcript, parse_record
from tests.unit.transcript_files import BYTES, naive_lines, said, write

GZIP = b"\x1f\x8b\x08"
UUID = "0f43fd9e-b65d-4bff-a43e-993dd7cb3dd5"


# -- lines -----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("small_blocks")
def test_lines_are_those_of_a_naive_split(tmp_path: Path) -> None:
    @settings(max_examples=120, deadline=None)
    @given(BYTES.map(b"".join), st.binary(max_size=80), st.integers(-2, 60), st.integers(-2, 60))
    def check(data: bytes, noise: bytes, start: int, end: int) -> None:
        data += noise
        assume(not data.startswith(GZIP))
        lines = naive_lines(data)
        with open_transcript(write(tmp_path, data)) as transcript:
            assert transcript.line_count == len(lines)
            assert [transcript.raw(number) for number in range(1, len(lines) + 1)] == lines
            for number in (-1, 0, len(lines) + 1, 10**30):
                assert transcript.raw(number) is None
                assert transcript.record(number) is None
            wanted = [n for n in range(1, len(lines) + 1) if start <= n <= end]
            assert [record.line for record in transcript.records(start, end)] == wanted
            assert list(transcript.records()) == [transcript.record(n) for n in range(1, len(lines) + 1)]

    check()


@pytest.mark.usefixtures("small_blocks")
def test_concatenated_lines_give_the_line_count(tmp_path: Path) -> None:
    @settings(max_examples=60, deadline=None)
    @given(st.lists(st.binary(max_size=60).map(lambda raw: raw.replace(b"\n", b"")), max_size=20), st.booleans())
    def check(lines: list[bytes], ended: bool) -> None:
        data = b"\n".join(lines) + (b"\n" if ended and lines else b"")
        assume(not data.startswith(GZIP))
        with open_transcript(write(tmp_path, data)) as transcript:
            open_end = bool(lines) and not ended and not lines[-1]
            assert transcript.line_count == len(lines) - open_end

    check()


def test_an_empty_file_has_no_line(tmp_path: Path) -> None:
    with open_transcript(write(tmp_path, b"")) as transcript:
        assert transcript.line_count == 0
        assert transcript.raw(1) is None
        assert list(transcript.records()) == []
        assert transcript.find("a") is None
        assert transcript.find_uuid(UUID) is None
        assert transcript.survey() == Skipped()


def test_a_long_line_and_the_one_behind_it(tmp_path: Path) -> None:
    wide = said("wide " * (5 * BLOCK // 5))
    with open_transcript(write(tmp_path, said("first") + wide + said("last"))) as transcript:
        assert transcript.line_count == 3
        assert transcript.raw(2) == wide
        assert [len(record.text) for record in transcript.records()] == [5, 5 * BLOCK, 4]
        assert transcript.find("last") == 3
        assert transcript.find("first", 3, backwards=True) == 1


def test_a_line_beyond_all_measure_is_not_held_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MAX_RECORD_BYTES", 3 * BLOCK)
    huge = said("wide " * BLOCK * 2)
    with open_transcript(write(tmp_path, said("first") + huge + said("last"))) as transcript:
        sizes: list[int] = []

        def noted(raw: bytes, line: int) -> Record:
            sizes.append(len(raw))
            return parse_record(raw, line)

        monkeypatch.setattr("memreview.read.transcripts.parse_record", noted)
        assert [record.kind for record in transcript.records()] == ["user", "oversized", "user"]
        assert [getattr(transcript.record(line), "kind", None) for line in (1, 2, 3)] == ["user", "oversized", "user"]
        assert transcript.find("last") == 3
        assert transcript.find("wide") is None
        assert transcript.raw(2) == huge
        assert transcript.survey() == Skipped(oversized=1)
        assert max(sizes) < 8 * BLOCK < len(huge)


def test_a_million_lines(tmp_path: Path) -> None:
    with open_transcript(write(tmp_path, b"{}\n" * 999_999 + said("the end"))) as transcript:
        assert transcript.line_count == 1_000_000
        last = transcript.record(1_000_000)
        assert last is not None
        assert last.text == "the end"
        assert transcript.raw(500_000) == b"{}\n"
        assert transcript.find("the end") == 1_000_000
        assert [record.line for record in transcript.records(999_990)] == list(range(999_990, 1_000_001))


def test_crlf_and_bom(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf" + (said("one") + said("two")).replace(b"\n", b"\r\n")
    with open_transcript(write(tmp_path, data)) as transcript:
        assert [record.text for record in transcript.records()] == ["one", "two"]
        assert transcript.skipped == Skipped()


# -- kinds of file ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["x.jsonl.gz", "x.jsonl", "x.orphaned-1793955600-ab12.jsonl", "x.jsonl.superseded-1793955600"]
)
def test_a_compressed_transcript_is_told_by_its_bytes(tmp_path: Path, name: str) -> None:
    packed = gzip.compress(said("one")) + gzip.compress(said("two") + b"{") + b"\0" * 512
    for data in (packed, said("one") + said("two") + b"{"):
        with open_transcript(write(tmp_path, data, name), str(tmp_path / "cache")) as transcript:
            assert [record.text for record in transcript.records()] == ["one", "two", ""]
            assert transcript.line_count == 3
            assert transcript.find("TWO") == 2
            assert not transcript.refresh() or transcript.size == len(data)
            assert transcript.survey() == Skipped(partial=1)
    assert not (tmp_path / "cache").exists()


def test_a_damaged_compressed_transcript_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    lines = [said(f"number {number} {os.urandom(20).hex()}") for number in range(5000)]
    packed = gzip.compress(b"".join(lines))
    for damaged in (packed[: len(packed) // 2], packed[:-4], packed + b"tail", GZIP, GZIP + b"nonsense"):
        with open_transcript(write(tmp_path, damaged)) as transcript:
            assert transcript.survey().cut
            whole = transcript.line_count - (transcript.line_count < 5000)
            assert [transcript.raw(n) for n in range(1, max(whole, 0) + 1, 97)] == lines[0 : max(whole, 0) : 97]
    with open_transcript(write(tmp_path, packed)) as transcript:
        assert transcript.line_count == 5000
        assert not transcript.survey().cut


def test_unpacking_ends_at_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_UNPACKED_BYTES", 3 << 20)
    with open_transcript(write(tmp_path, gzip.compress(b"\n" * (64 << 20), 1))) as transcript:
        assert transcript.size <= 3 << 20
        assert transcript.skipped.cut


def test_a_link_is_followed(tmp_path: Path) -> None:
    write(tmp_path, said("one"), "target")
    (tmp_path / "link.jsonl").symlink_to("target")
    with open_transcript(str(tmp_path / "link.jsonl")) as transcript:
        assert transcript.find("one") == 1


def test_what_is_no_readable_file_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "dead.jsonl").symlink_to("nowhere")
    (tmp_path / "loop.jsonl").symlink_to("loop.jsonl")
    (tmp_path / "folder.jsonl").mkdir()
    os.mkfifo(tmp_path / "pipe.jsonl")
    names = ["dead.jsonl", "loop.jsonl", "folder.jsonl", "pipe.jsonl", "gone.jsonl", "nul\0.jsonl", "n" * 300]
    if os.geteuid() != 0:
        write(tmp_path, said("one"), "locked.jsonl")
        (tmp_path / "locked.jsonl").chmod(0)
        names.append("locked.jsonl")
    for name in names:
        with pytest.raises(TranscriptError) as caught:
            open_transcript(str(tmp_path / name))
        assert isinstance(caught.value, MemreviewError)
        assert "\n" not in str(caught.value)
        assert name in str(caught.value)


def test_a_file_that_was_closed_cut_or_deleted_raises_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, said("one") * 50)
    transcript = open_transcript(path)
    assert transcript.line_count == 50
    os.truncate(path, 120)
    assert transcript.raw(50) == b""
    assert len(list(transcript.records())) < 50
    assert transcript.find("nothing of the kind") is None
    assert not transcript.refresh()
    Path(path).unlink()
    assert transcript.find("one") == 1
    transcript.close()
    transcript.close()
    assert list(transcript.records()) == []
    assert not transcript.refresh()


# -- a file that grows ------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("small_blocks")
def test_appended_lines_are_seen_after_a_refresh(tmp_path: Path) -> None:
    path = write(tmp_path, said("one") + said("two")[:9])
    with open_transcript(path) as transcript:
        assert transcript.survey() == Skipped(partial=1)
        with open(path, "ab") as file:
            file.write(said("two")[9:] + said("three"))
        assert transcript.line_count == 2
        assert transcript.refresh()
        assert not transcript.refresh()
        assert [record.text for record in transcript.records()] == ["one", "two", "three"]
        assert transcript.survey() == Skipped()


def test_lines_of_a_block_that_grew_are_found(tmp_path: Path) -> None:
    path = write(tmp_path, said("one") + said("two"))
    with open_transcript(path) as transcript:
        assert transcript.raw(2) == said("two")
        with open(path, "ab") as file:
            file.write(said("three") + said("four"))
        assert transcript.refresh()
        assert [transcript.raw(number) for number in (3, 4)] == [said("three"), said("four")]


# -- searching --------------------------------------------------------------------------------------------------------


WORDS = st.text(alphabet='abB" \\ä\n:{K', max_size=12)
SPOKEN = st.one_of(
    WORDS.map(said),
    WORDS.map(lambda text: said(text, isMeta=True)),
    WORDS.map(lambda text: json.dumps({"type": "mode", "mode": text}).encode() + b"\n"),
    WORDS.map(
        lambda text: (
            json.dumps(
                {
                    "type": "assistant",
                    "message": {"content": [{"type": "tool_use", "name": "a", "input": {"b": text}}]},
                },
                ensure_ascii=False,
            ).encode()
            + b"\n"
        )
    ),
    st.sampled_from([b"\n", b"aB\n"]),
)


@pytest.mark.usefixtures("small_blocks")
def test_a_text_is_found_where_it_was_said(tmp_path: Path) -> None:
    @settings(max_examples=150, deadline=None)
    @given(
        st.lists(SPOKEN, max_size=14),
        st.text(alphabet='abB" \\ä\n:{', min_size=1, max_size=3),
        st.integers(-1, 16),
        st.booleans(),
        st.booleans(),
    )
    def check(lines: list[bytes], text: str, start: int, backwards: bool, match_case: bool) -> None:
        with open_transcript(write(tmp_path, b"".join(lines))) as transcript:
            fold = (lambda said: said) if match_case else str.lower
            hits = [record.line for record in transcript.records() if fold(text) in fold(record.text)]
            wanted = [line for line in hits if (line <= start if backwards else line >= start)]
            found = transcript.find(text, start, backwards, match_case=match_case)
            assert found == (wanted[-1 if backwards else 0] if wanted else None)

    check()


def test_only_what_was_said_is_found(tmp_path: Path) -> None:
    data = b'{"type":"api-request-blob","message":{"content":"pnpm"}}\n' + said("pnpm", cwd="/srv/yarn") + said("npm")
    with open_transcript(write(tmp_path, data)) as transcript:
        assert transcript.find("PNPM") == 2
        assert transcript.find("PNPM", match_case=True) is None
        assert transcript.find("pnpm", 3) is None
        assert transcript.find("pnpm", 3, backwards=True) == 2
        assert transcript.find("yarn") is None
        assert transcript.find("") is None


def test_a_search_can_be_stopped(tmp_path: Path) -> None:
    with open_transcript(write(tmp_path, said("one") * 10)) as transcript:
        assert transcript.find("one", stop=lambda: True) is None
        assert transcript.find("one", stop=lambda: False) == 1


@pytest.mark.usefixtures("small_blocks")
def test_a_uuid_is_the_first_record_that_has_it(tmp_path: Path) -> None:
    lines = [
        said(f'the key "uuid":"{UUID}" in a text'),
        said("child", parentUuid=UUID),
        json.dumps({"type": "progress", "data": {"uuid": UUID}}).encode() + b"\n",
        b'{"uuid":"' + UUID.encode() + b'","type":"us\n',
        said("before").rstrip() + said("itself", uuid=UUID),
        said("copy", uuid=UUID),
        said("other", uuid=UUID[:-1] + "6"),
        b'{"type":"user","uuid" : "spaced-uuid-1","message":{"content":"x"}}',
    ]
    with open_transcript(write(tmp_path, b"".join(lines))) as transcript:
        assert transcript.find_uuid(UUID) == 5
        assert transcript.find_uuid(UUID.upper()) == 5
        assert transcript.find_uuid(UUID[:-1] + "6") == 7
        assert transcript.find_uuid("spaced-uuid-1") == 8
        for absent in (UUID[:-1] + "7", UUID[:-1], UUID[:8], "", '"', "x" * 500, "../../etc"):
            assert transcript.find_uuid(absent) is None


def test_looking_for_a_uuid_that_is_not_there_counts_no_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    transcript = open_transcript(write(tmp_path, said("one") * 10))

    def refuse(*_: object) -> None:
        raise AssertionError("counted")

    monkeypatch.setattr(line_index, "load_or_count", refuse)
    assert transcript.find_uuid(UUID) is None


# -- what was skipped -------------------------------------------------------------------------------------------------


def test_what_is_read_over_is_counted_once(tmp_path: Path) -> None:
    lines = [
        b"\n",
        b"{broken\n",
        b"[1]\n",
        said("one"),
        b'{"type":"compost"}\n',
        b'{"type":"compost"}\n',
        b"{}\n",
        b"{ha",
    ]
    with open_transcript(write(tmp_path, b"".join(lines))) as transcript:
        assert transcript.skipped == Skipped()
        transcript.record(2)
        transcript.record(2)
        assert transcript.skipped == Skipped(malformed=1)
        wanted = Skipped(blank=1, malformed=1, not_object=1, partial=1, unknown={"compost": 2, "untyped": 1})
        assert transcript.survey() == transcript.survey() == wanted
        assert (wanted.damaged, wanted.total) == (3, 7)


def test_many_unknown_types_stay_few(tmp_path: Path) -> None:
    lines = [json.dumps({"type": f"{number}" * 50}).encode() + b"\n" for number in range(300)]
    with open_transcript(write(tmp_path, b"".join(lines))) as transcript:
        skipped = transcript.survey()
        assert skipped.total == 300
        assert len(skipped.unknown) <= 101
        assert max(map(len, skipped.unknown)) <= 60


def test_threads_may_share_a_transcript(tmp_path: Path) -> None:
    lines = [said(f"line {number} " + "x" * (number % 700)) for number in range(4000)]
    wrong: list[int] = []
    with open_transcript(write(tmp_path, b"".join(lines))) as transcript:

        def read(step: int, shared: TranscriptFile) -> None:
            wrong.extend(n for n in range(1, 4001, step) if shared.raw(n) != lines[n - 1])

        threads = [threading.Thread(target=read, args=(step, transcript)) for step in (1, 7, 13, 31)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []
