from __future__ import annotations

import gzip
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from memreview.model.transcript import Speaker, Transcript
from memreview.read import speech_index, speech_worker
from memreview.read.discover import TranscriptFinder, resolve_project
from memreview.read.needles import needles_in
from memreview.read.speech_cache import SpeechCache
from memreview.read.speech_index import Place, SpeechIndex
from memreview.read.speech_scan import Scanned, Scanner, Task
from memreview.read.speech_search import search
from tests.unit.talk import (
    PROJECT,
    append,
    called,
    folder_in,
    line_of,
    listed,
    options_in,
    prose,
    returned,
    snapshot,
    typed,
    write,
)

TASKS: list[Task] = []


@pytest.fixture(autouse=True)
def _watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what is gone through, so that a test can say that something was not."""
    TASKS.clear()

    def carry_out(tasks: Sequence[Task], scanner: Scanner, tell: speech_worker.Tell | None = None) -> list[Scanned]:
        TASKS[:] = tasks
        return speech_worker.carry_out(tasks, scanner, tell)

    monkeypatch.setattr(speech_index, "carry_out", carry_out)


def find(folder: Path, cache: Path, line: str, limit: int = 10) -> list[tuple[str, int]]:
    """Names and lines of the records that are found for a line, the best first."""
    with SpeechIndex(listed(folder), SpeechCache(str(cache))) as index:
        (hits,) = search(index, [needles_in(line)], [limit])
        found = []
        for hit in hits:
            record = index.record(hit.place)
            if record is not None:
                found.append((index.transcript(hit.place.file).name, record.line))
        return found


def talk(folder: Path) -> Path:
    return write(
        folder / "s.jsonl",
        [
            snapshot("redis 6380"),
            typed("put redis on port 6380"),
            prose("Redis listens on 6380 now."),
            called("Bash", {"command": "redis-cli -p 6380 ping"}),
            returned("PONG"),
            typed("and tea"),
        ],
    )


def test_keys_put_the_later_said_first(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(tmp_path / f"{name}.jsonl", [typed("port 6380"), prose("Noted."), typed("port 6380 again")])
    with SpeechIndex(listed(tmp_path), SpeechCache(None)) as index:
        (keys,) = index.scan(needles_in("6380")).keys
        assert list(keys) == sorted(keys)
        assert [index.place_at(key) for key in keys] == [Place(0, 2), Place(0, 0), Place(1, 2), Place(1, 0)]
        assert index.place_at(keys[0] + 1) is None


def test_records_that_share_values_and_words_are_found(tmp_path: Path) -> None:
    talk(tmp_path / "t")
    assert find(tmp_path / "t", tmp_path / "c", "- Redis listens on port 6380.") == [
        ("s.jsonl", 3),
        ("s.jsonl", 2),
        ("s.jsonl", 4),
    ]


def test_the_second_search_reads_only_speech(tmp_path: Path) -> None:
    talk(tmp_path / "t")
    first = find(tmp_path / "t", tmp_path / "c", "- port 6380")
    assert TASKS[0].known is None
    assert find(tmp_path / "t", tmp_path / "c", "- port 6380") == first
    (task,) = TASKS
    assert task.known is not None
    assert task.weight < (tmp_path / "t" / "s.jsonl").stat().st_size


def test_of_a_file_that_grew_only_the_tail_is_read(tmp_path: Path) -> None:
    path = talk(tmp_path / "t")
    find(tmp_path / "t", tmp_path / "c", "- port 6380")
    size = path.stat().st_size
    append(path, [typed("port 6380 is taken, use 6381")])
    assert ("s.jsonl", 7) in find(tmp_path / "t", tmp_path / "c", "- port 6381")
    assert [task.start for task in TASKS if task.known is None] == [size]
    append(path, [typed("use 6382")])
    assert find(tmp_path / "t", tmp_path / "c", "- port 6382")[0] == ("s.jsonl", 8)


def test_a_line_that_was_being_written_is_read_again(tmp_path: Path) -> None:
    path = talk(tmp_path / "t")
    whole = line_of(typed("take port 6383"))
    with path.open("ab") as file:
        file.write(whole[:120])
    assert find(tmp_path / "t", tmp_path / "c", "- port 6383") != [("s.jsonl", 7)]
    with path.open("ab") as file:
        file.write(whole[120:])
    append(path, [typed("no, 6384")])
    assert find(tmp_path / "t", tmp_path / "c", "- port 6383")[0] == ("s.jsonl", 7)
    assert find(tmp_path / "t", tmp_path / "c", "- no, 6384")[0] == ("s.jsonl", 8)


@pytest.mark.parametrize("how", ["shorter", "other", "touched", "grown-but-other"])
def test_a_file_that_was_rewritten_is_read_anew(tmp_path: Path, how: str) -> None:
    path = talk(tmp_path / "t")
    find(tmp_path / "t", tmp_path / "c", "- port 6380")
    if how == "shorter":
        path.write_bytes(line_of(typed("put redis on port 7777")))
    elif how == "other":
        path.unlink()
        talk(tmp_path / "t")
        path.write_bytes(path.read_bytes().replace(b"6380", b"7777"))
    elif how == "touched":
        path.write_bytes(path.read_bytes().replace(b"6380", b"7777"))
        os.utime(path, ns=(1, 1))
    else:
        path.write_bytes(b"\n" + path.read_bytes().replace(b"6380", b"7777"))
    assert find(tmp_path / "t", tmp_path / "c", "- redis port 7777")
    assert all(task.known is None for task in TASKS)


def test_nothing_stays_in_the_cache_of_a_transcript_that_is_gone(tmp_path: Path) -> None:
    path = talk(tmp_path / "t")
    write(tmp_path / "t" / "u.jsonl", [typed("hello")])
    find(tmp_path / "t", tmp_path / "c", "- port 6380")
    assert set(SpeechCache(str(tmp_path / "c")).load(str(tmp_path / "t"))) == {"s.jsonl", "u.jsonl"}
    path.unlink()
    assert find(tmp_path / "t", tmp_path / "c", "- port 6380") == []
    assert set(SpeechCache(str(tmp_path / "c")).load(str(tmp_path / "t"))) == {"u.jsonl"}


def test_no_word_is_kept(tmp_path: Path) -> None:
    secret = "sk-ant-" + "api03-aB3dE5gH7jK9mN1pQ3sT"
    write(tmp_path / "t" / "s.jsonl", [typed(f"the password is hunter2 and the key {secret}")])
    find(tmp_path / "t", tmp_path / "c", "- the key is hunter2")
    kept = b"".join(path.read_bytes() for path in (tmp_path / "c").rglob("*") if path.is_file())
    assert kept
    assert b"hunter2" not in kept
    assert b"sk-ant" not in kept
    assert b"password" not in kept


def test_packed_transcripts_are_read(tmp_path: Path) -> None:
    path = talk(tmp_path / "t")
    packed = path.with_name("old.jsonl.gz")
    packed.write_bytes(gzip.compress(path.read_bytes().replace(b"6380", b"5555")))
    for _ in range(2):
        assert find(tmp_path / "t", tmp_path / "c", "- Redis listens on 5555")[0] == ("old.jsonl.gz", 3)


def test_a_transcript_that_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    talk(tmp_path / "t")
    (tmp_path / "t" / "dir.jsonl").mkdir()
    (tmp_path / "t" / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    names = ("dir.jsonl", "gone.jsonl", "s.jsonl")
    transcripts = [(str(tmp_path / "t"), Transcript(str(tmp_path / "t" / name))) for name in names]
    with SpeechIndex(transcripts, SpeechCache(None)) as index:
        (hits,) = search(index, [needles_in("- port 6380")], [10])
        assert {hit.place.file for hit in hits} == {2}
        assert index.record(Place(0, 0)) is None


def many(folder: Path) -> None:
    for number in range(12):
        records = [typed(f"server {number * 100 + row} listens on {3000 + number * 100 + row}") for row in range(60)]
        write(folder / f"{number:02}.jsonl", [*records, snapshot("x" * 5000), prose(f"noted {number}")])
        os.utime(folder / f"{number:02}.jsonl", ns=(number, number))


LINES = ["- server 305 listens on 3305", "- server 1100 listens on 4100", "- noted 7", "- listens"]


def all_hits(folder: Path, cache: Path | None) -> list[list[tuple[int, int]]]:
    with SpeechIndex(listed(folder), SpeechCache(str(cache) if cache else None)) as index:
        found = search(index, [needles_in(line) for line in LINES], [8] * len(LINES))
        return [[(hit.place.file, hit.place.row) for hit in hits] for hits in found]


def test_two_processes_find_what_one_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many(tmp_path / "t")
    alone = all_hits(tmp_path / "t", None)
    assert alone[0][0][0] == 8
    monkeypatch.setattr(speech_worker, "ALONE_BYTES", -1)
    monkeypatch.setattr(speech_index, "PART_BYTES", 1500)
    assert all_hits(tmp_path / "t", tmp_path / "c") == alone
    assert len(TASKS) > 24
    assert all_hits(tmp_path / "t", tmp_path / "c") == alone


@pytest.mark.parametrize(
    "start", ["raise SystemExit(3)", "import sys; sys.stdin.buffer.read(9)", "print('nonsense', flush=True)"]
)
def test_a_second_process_that_fails_costs_nothing_but_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: str
) -> None:
    many(tmp_path / "t")
    alone = all_hits(tmp_path / "t", None)
    monkeypatch.setattr(speech_worker, "ALONE_BYTES", -1)
    monkeypatch.setattr(speech_worker, "_START", start)
    assert all_hits(tmp_path / "t", None) == alone


def test_no_second_process_outlives_the_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    monkeypatch.setattr(speech_worker, "ALONE_BYTES", -1)
    begin = speech_worker._start

    def start() -> subprocess.Popen[bytes] | None:
        helper = begin()
        assert helper is not None
        started.append(helper)
        return helper

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(speech_worker, "_start", start)
    many(tmp_path / "t")
    all_hits(tmp_path / "t", None)
    monkeypatch.setattr(speech_worker, "_drain", fail)
    with pytest.raises(KeyboardInterrupt):
        all_hits(tmp_path / "t", None)
    assert len(started) == 2
    assert all(helper.poll() is not None for helper in started)


def test_the_newest_come_first_where_records_fit_equally(tmp_path: Path) -> None:
    for number, name in enumerate(("old", "new")):
        write(tmp_path / "t" / f"{name}.jsonl", [typed("port 6380 it is"), typed("port 6380 it is")])
        os.utime(tmp_path / "t" / f"{name}.jsonl", ns=(number, number))
    found = find(tmp_path / "t", tmp_path / "c", "- port 6380")
    assert found == [("new.jsonl", 2), ("new.jsonl", 1), ("old.jsonl", 2), ("old.jsonl", 1)]


def test_a_record_that_holds_more_of_a_line_comes_first(tmp_path: Path) -> None:
    others = [typed(f"note {n} about nothing") for n in range(30)]
    ports = [typed(f"the gateway answers on {n}") for n in range(4000, 4010)]
    write(tmp_path / "t" / "s.jsonl", [typed("gateway port 6380, behind nginx"), *ports, *others])
    assert find(tmp_path / "t", tmp_path / "c", "- The gateway listens on 6380 behind nginx", 1) == [("s.jsonl", 1)]


def test_lines_and_rows_lead_to_each_other(tmp_path: Path) -> None:
    path = talk(tmp_path / "t")
    with SpeechIndex(listed(tmp_path / "t"), SpeechCache(None)) as index:
        number = index.number(str(path))
        assert number == 0
        assert index.place(0, 1) is None
        place = index.place(0, 5)
        assert place is not None
        record = index.record(place)
        assert record is not None
        assert (record.line, record.speaker, record.text) == (5, Speaker.TOOL, "PONG")
        assert index.number(str(tmp_path / "other.jsonl")) is None


def test_all_transcripts_of_a_repository_are_listed(tmp_path: Path) -> None:
    options = options_in(tmp_path)
    own = folder_in(tmp_path)
    write(own / "a.jsonl", [typed("one")])
    write(own / "a" / "subagents" / "agent-1.jsonl", [prose("two")])
    write(own.parent / f"{PROJECT}--claude-worktrees-x" / "b.jsonl", [{"type": "user", "message": {"content": "hi"}}])
    write(own.parent / "-home-dev-other" / "c.jsonl", [typed("not ours", cwd="/home/dev/other")])
    write(tmp_path / "extra" / "d.jsonl", [typed("three")])
    (tmp_path / "extra" / "same.jsonl").symlink_to(own / "a.jsonl")
    (own / "memory" / "logs").mkdir()
    write(own / "memory" / "logs" / "e.jsonl", [typed("no session")])
    finder = TranscriptFinder(resolve_project(PROJECT, options), options, [str(tmp_path / "extra")])
    assert {t.name for _, t in finder.everything()} == {"a.jsonl", "agent-1.jsonl", "b.jsonl", "d.jsonl"}
    alone = TranscriptFinder(resolve_project(PROJECT, options), options, [str(tmp_path / "extra" / "d.jsonl")])
    assert (str(tmp_path / "extra"), "d.jsonl") in {(root, t.name) for root, t in alone.everything()}
