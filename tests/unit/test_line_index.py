"""Where the lines of a transcript begin, kept from one start to the next."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.read import line_index, sources
from memreview.read.line_index import BLOCK, CACHE_FROM_BYTES, cache_path
from memreview.read.transcripts import open_transcript
from tests.unit.transcript_files import BYTES, naive_lines, said, write


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Offsets of the blocks that are counted from now on."""
    offsets: list[int] = []
    read = sources.Source.read

    def noted(self: sources.Source, offset: int, size: int) -> bytes:
        if size > 1:
            offsets.append(offset)
        return read(self, offset, size)

    monkeypatch.setattr(sources.Source, "read", noted)
    return offsets


def lines_of(path: str, cache: Path) -> list[bytes | None]:
    with open_transcript(path, str(cache)) as transcript:
        return [transcript.raw(number) for number in range(1, transcript.line_count + 1)]


@pytest.mark.usefixtures("small_blocks")
def test_the_index_is_kept_private_and_holds_no_words(tmp_path: Path) -> None:
    cache = tmp_path / "deep" / "cache"
    path = write(tmp_path, said("confidential") * 30)
    lines_of(path, cache)
    file = Path(cache_path(str(cache), os.path.realpath(path)))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert list(file.parent.iterdir()) == [file]
    assert b"confidential" not in file.read_bytes()
    assert "s.jsonl" not in file.name


def test_a_kept_index_saves_the_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "cache"
    line = said("x" * 4000)
    path = write(tmp_path, line * (3 * CACHE_FROM_BYTES // len(line)))
    blocks = -(-os.path.getsize(path) // BLOCK)
    offsets = counted(monkeypatch)
    with open_transcript(path, str(cache)) as transcript:
        first = transcript.raw(transcript.line_count)
    assert len(offsets) >= blocks
    offsets.clear()
    (tmp_path / "link.jsonl").symlink_to(path)
    with open_transcript(str(tmp_path / "link.jsonl"), str(cache)) as transcript:
        assert transcript.raw(transcript.line_count) == first
    assert len(offsets) < 6
    with open(path, "ab") as file:
        file.write(said("appended"))
    offsets.clear()
    with open_transcript(path, str(cache)) as transcript:
        last = transcript.record(transcript.line_count)
        assert last is not None
        assert last.text == "appended"
    assert len(offsets) < 10


def test_small_files_are_not_cached(tmp_path: Path) -> None:
    assert lines_of(write(tmp_path, said("one")), tmp_path / "cache") == [said("one")]
    assert not (tmp_path / "cache").exists()


@pytest.mark.usefixtures("small_blocks")
def test_a_file_that_changed_is_counted_anew(tmp_path: Path) -> None:
    @settings(max_examples=60, deadline=None)
    @given(st.lists(BYTES.map(b"".join), min_size=2, max_size=4), st.booleans(), st.booleans())
    def check(states: list[bytes], append: bool, replace: bool) -> None:
        path, data = str(tmp_path / "s.jsonl"), b""
        for number, state in enumerate(states):
            data = data + state if append else state
            if replace and os.path.exists(path):
                os.unlink(path)
            Path(path).write_bytes(data)
            os.utime(path, ns=(0, number * 10**9))
            assert lines_of(path, tmp_path / "cache") == naive_lines(data)
            assert lines_of(path, tmp_path / "cache") == naive_lines(data)

    check()


@pytest.mark.usefixtures("small_blocks")
def test_another_file_of_the_same_size_time_and_ends_is_told_apart(tmp_path: Path) -> None:
    ends = said("x" * 5000)
    for number, middle in enumerate((b"ab\ncd\n", b"abc\nd\n", b"a\nb\nc\n")):
        data = ends + middle + ends
        path = write(tmp_path, data, f"{number}.new")
        os.utime(path, ns=(0, 0))
        os.replace(path, tmp_path / "s.jsonl")
        assert lines_of(str(tmp_path / "s.jsonl"), tmp_path / "cache") == naive_lines(data)


@pytest.mark.usefixtures("small_blocks")
def test_a_damaged_cache_is_no_error(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    data = said("one") * 20
    path = write(tmp_path, data)
    lines_of(path, cache)
    file = Path(cache_path(str(cache), os.path.realpath(path)))
    whole = file.read_bytes()
    flipped = [whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in range(0, len(whole), 3)]
    for damaged in (b"", b"mrl1", whole[:-4], whole + b"\0" * 4, *flipped):
        file.write_bytes(damaged)
        assert lines_of(path, cache) == naive_lines(data)
    file.unlink()
    file.mkdir()
    assert lines_of(path, cache) == naive_lines(data)


@pytest.mark.usefixtures("small_blocks")
def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "cache").write_bytes(b"in the way")
    assert lines_of(write(tmp_path, said("one")), tmp_path / "cache") == [said("one")]
    assert (tmp_path / "cache").read_bytes() == b"in the way"


@pytest.mark.usefixtures("small_blocks")
def test_old_cache_files_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_index, "MAX_CACHE_FILES", 3)
    for number in range(6):
        lines_of(write(tmp_path, said("one"), f"{number}.jsonl"), tmp_path / "cache")
        for file in (tmp_path / "cache" / "lines").iterdir():
            os.utime(file, ns=(0, file.stat().st_mtime_ns // 2))
    kept = {file.name for file in (tmp_path / "cache" / "lines").iterdir()}
    assert len(kept) == 3
    assert os.path.basename(cache_path("", str(tmp_path / "5.jsonl"))) in kept
