from __future__ import annotations

import os
import stat
from array import array
from pathlib import Path

import pytest

from memreview.read.speech_cache import FOLDER, Kept, SpeechCache, Stamp, clear, measure
from memreview.read.spoken_lines import SpokenLines

LINES = SpokenLines(array("I", [1, 4]), array("Q", [0, 9000]), array("I", [80, 90]), array("I", [70, 90]), 4, 9091)
KEPT = Kept(Stamp(7, 9091, 12345), "ab" * 16, LINES)


def cached(root: Path) -> Path:
    (path,) = (root / FOLDER).iterdir()
    return path


def put(folder: Path, *names: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_bytes(b"{}\n")


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    cache = SpeechCache(str(tmp_path / "c"))
    names = {"s.jsonl": KEPT, "sub/agent-1.jsonl": Kept(Stamp(1, 0, 0), "", SpokenLines()), "bad\udcff.jsonl": KEPT}
    cache.save("/p/\udcfe", names)
    assert SpeechCache(str(tmp_path / "c")).load("/p/\udcfe") == names
    assert SpeechCache(str(tmp_path / "c")).load("/p") == {}


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    SpeechCache(str(tmp_path / "c")).save("/p", {"s.jsonl": KEPT})
    assert stat.S_IMODE(cached(tmp_path / "c").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "c" / FOLDER).stat().st_mode) == 0o700


@pytest.mark.parametrize("where", [0, 5, 9, 20, 60, -1, -30])
def test_a_damaged_file_is_as_good_as_none(tmp_path: Path, where: int) -> None:
    cache = SpeechCache(str(tmp_path))
    cache.save("/p", {"s.jsonl": KEPT})
    data = bytearray(cached(tmp_path).read_bytes())
    data[where] ^= 0x55
    cached(tmp_path).write_bytes(data)
    assert cache.load("/p") == {}


@pytest.mark.parametrize("keep", [0, 3, 15, 16, 100, -1])
def test_a_cut_file_is_as_good_as_none(tmp_path: Path, keep: int) -> None:
    cache = SpeechCache(str(tmp_path))
    cache.save("/p", {"s.jsonl": KEPT})
    cached(tmp_path).write_bytes(cached(tmp_path).read_bytes()[:keep])
    assert cache.load("/p") == {}
    cache.prune()
    assert cache.transcripts() in (0, 1)


def test_a_place_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = SpeechCache(str(tmp_path / "file"))
    cache.save("/p", {"s.jsonl": KEPT})
    cache.prune()
    assert cache.load("/p") == {}
    assert SpeechCache(None).load("/p") == {}


def test_nothing_stays_of_transcripts_that_are_gone(tmp_path: Path) -> None:
    cache = SpeechCache(str(tmp_path / "c"))
    one, other = tmp_path / "one", tmp_path / "other"
    put(one, "a.jsonl", "b.jsonl")
    put(other, "x.jsonl")
    cache.save(str(one), {"a.jsonl": KEPT, "b.jsonl": KEPT})
    cache.save(str(other), {"x.jsonl": KEPT})
    (one / "a.jsonl").unlink()
    (other / "x.jsonl").unlink()
    cache.prune()
    assert set(cache.load(str(one))) == {"b.jsonl"}
    assert cache.load(str(other)) == {}
    assert len(list((tmp_path / "c" / FOLDER).iterdir())) == 1


def test_pruning_drops_what_cannot_be_read(tmp_path: Path) -> None:
    cache = SpeechCache(str(tmp_path))
    cache.save("/p", {"s.jsonl": KEPT})
    cached(tmp_path).write_bytes(b"nonsense")
    cache.prune()
    assert not list((tmp_path / FOLDER).iterdir())


def test_saving_nothing_removes_the_file(tmp_path: Path) -> None:
    cache = SpeechCache(str(tmp_path))
    cache.save("/p", {"s.jsonl": KEPT})
    cache.save("/p", {})
    assert not list((tmp_path / FOLDER).iterdir())


def test_clearing_takes_what_is_known_and_nothing_else(tmp_path: Path) -> None:
    cache = SpeechCache(str(tmp_path))
    put(tmp_path / "t", "s.jsonl")
    cache.save(str(tmp_path / "t"), {"s.jsonl": KEPT})
    put(tmp_path / "lines", "0.idx")
    foreign = tmp_path / FOLDER / "mine.txt"
    foreign.write_text("keep")
    os.symlink(foreign, tmp_path / FOLDER / "link.places")
    found = measure(str(tmp_path))
    assert (found.files, found.transcripts) == (2, 1)
    assert clear(str(tmp_path)) == found
    assert measure(str(tmp_path)).files == 0
    assert foreign.read_text() == "keep"
    assert (tmp_path / FOLDER / "link.places").is_symlink()
    assert clear(str(tmp_path / "nowhere")).files == 0
