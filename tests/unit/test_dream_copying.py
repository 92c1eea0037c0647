"""The copies of the transcripts: what goes in, and that every line keeps its number and its bytes."""

from __future__ import annotations

import gzip
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.dreaming.copying import Copies, Wish, candidates, copy_transcripts, unfaithful_lines
from memreview.dreaming.sieve import Sieve, Window, lines_of
from memreview.model.transcript import Transcript
from memreview.read.discover import TranscriptFinder
from tests.unit.dreaming_world import NAME, DreamPlace, place, stamp
from tests.unit.talk import Json, called, line_of, prose, returned, snapshot, typed, write

__all__ = ["place"]

ALWAYS = Window(0, float("inf"))
SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
KEPT: list[Json] = [
    typed("use pnpm", stamp(1), uuid="a1"),
    prose("I will", stamp(1)),
    called("Bash", {"command": "pnpm test"}, stamp(1)),
    returned("12 passed", stamp(1)),
]
DROPPED: list[Json] = [
    snapshot("use npm"),
    {"type": "api-request-blob", "message": {"role": "user", "content": "use npm"}, "timestamp": stamp(1)},
    {"type": "mode", "mode": "normal"},
    {"type": "user", "isMeta": True, "message": {"role": "user", "content": "caveat"}, "timestamp": stamp(1)},
    {"type": "assistant", "message": {"content": [{"type": "thinking", "thinking": "hm"}]}, "timestamp": stamp(1)},
]


def copies_of(place: DreamPlace, target: Path | None, window: Window = ALWAYS, **given: Any) -> Copies:
    finder = TranscriptFinder(place.project, place.options)
    subagents = bool(given.pop("subagents", False))
    if target is not None:
        target.mkdir(exist_ok=True)
    found = candidates(finder, subagents=subagents)
    return copy_transcripts(found, Wish(window, subagents, **given), str(target) if target is not None else None)


def copied(target: Path, name: str) -> list[bytes]:
    return (target / "transcripts" / NAME / f"{name}.jsonl").read_bytes().split(b"\n")


def test_only_what_was_said_goes_in_and_keeps_its_line(place: DreamPlace, tmp_path: Path) -> None:
    records: list[Json] = [DROPPED[0], KEPT[0], *DROPPED[1:3], KEPT[1], DROPPED[3], *KEPT[2:], DROPPED[4]]
    real = place.session("s2", records).read_bytes().split(b"\n")
    copies = copies_of(place, tmp_path / "w")
    lines = copied(tmp_path / "w", "s2")
    assert [at for at, line in enumerate(lines, 1) if line] == [2, 5, 7, 8]
    assert all(line == real[at] for at, line in enumerate(lines) if line)
    one = next(one for one in copies.transcripts if one.name.endswith("s2.jsonl"))
    assert (one.lines, one.kept) == (8, 4)
    assert unfaithful_lines(one, str(tmp_path / "w"), range(20), masked=False) == ()


@given(st.lists(st.sampled_from([*KEPT, *DROPPED, b"", b"{", b"\r", b"\xff\n", b"{}"]), max_size=25), st.booleans())
@settings(max_examples=50, deadline=None)
def test_every_line_of_a_copy_is_that_line_of_the_file(rows: list[Json | bytes], ended: bool) -> None:
    data = b"".join(row + b"\n" if isinstance(row, bytes) else line_of(row) for row in rows)
    data = data if ended else data.rstrip(b"\n")
    sieve = Sieve(ALWAYS, 0.0)
    real = data.split(b"\n")
    for number, raw in enumerate(lines_of(iter([data[:7], data[7:]])), 1):
        line = sieve.sift(raw, number)
        assert line is None or line.rstrip(b"\n") == real[number - 1].rstrip(b"\r")


def test_the_window_counts_the_times_of_records(place: DreamPlace, tmp_path: Path) -> None:
    now = time.time()
    path = place.session(
        "s2", [typed("old", stamp(40)), prose("old too"), typed("new", stamp(1)), prose("newer", stamp(0.5))]
    )
    os.utime(path, (now, now))
    copies_of(place, tmp_path / "w", Window(now - 14 * 86_400, now))
    assert [bool(line) for line in copied(tmp_path / "w", "s2")[:4]] == [False, False, True, True]


def test_a_file_with_an_old_time_and_new_words_is_read(place: DreamPlace, tmp_path: Path) -> None:
    path = place.session("s2", [typed("new", stamp(1))])
    os.utime(path, (0, 0))
    now = time.time()
    names = [one.name for one in copies_of(place, None, Window(now - 86_400 * 14, now)).transcripts]
    assert f"{NAME}/s2.jsonl" in names


def test_a_fork_is_told_once(place: DreamPlace) -> None:
    path = place.session("s0", [KEPT[0], typed("forked", stamp(0.5), uuid="a2")])
    os.utime(path, (1, 1))
    place.session("s2", [KEPT[0], typed("went on", stamp(0.4), uuid="a3")])
    kept = {one.name: one.kept for one in copies_of(place, None).transcripts}
    assert (kept[f"{NAME}/s0.jsonl"], kept[f"{NAME}/s2.jsonl"]) == (2, 1)


def test_subagents_on_request(place: DreamPlace) -> None:
    write(place.projects / NAME / "s1" / "subagents" / "agent-0123456789abcdef0.jsonl", [prose("found", stamp(1))])
    assert len(copies_of(place, None).transcripts) == 1
    names = [one.name for one in copies_of(place, None, subagents=True).transcripts]
    assert f"{NAME}/s1/subagents/agent-0123456789abcdef0.jsonl" in names


def test_secrets_are_masked_on_request(place: DreamPlace, tmp_path: Path) -> None:
    place.session("s2", [typed(f"the token is {SECRET}", stamp(1)), typed("no secret", stamp(1))])
    copies = copies_of(place, tmp_path / "w", mask=True)
    lines = copied(tmp_path / "w", "s2")
    assert SECRET.encode() not in b"".join(lines)
    assert json.loads(lines[0])["message"]["content"].startswith("the token is ")
    one = next(one for one in copies.transcripts if one.name.endswith("s2.jsonl"))
    assert unfaithful_lines(one, str(tmp_path / "w"), [1, 2], masked=True) == ()


def test_a_packed_transcript_is_unpacked(place: DreamPlace, tmp_path: Path) -> None:
    packed = place.projects / NAME / "s2.jsonl.gz"
    packed.write_bytes(gzip.compress(line_of(snapshot()) + line_of(KEPT[0])))
    copies = copies_of(place, tmp_path / "w")
    assert copied(tmp_path / "w", "s2")[1] == line_of(KEPT[0]).rstrip(b"\n")
    one = next(one for one in copies.transcripts if one.name.endswith("s2.jsonl"))
    assert unfaithful_lines(one, str(tmp_path / "w"), [2], masked=False) == ()


def test_a_real_file_that_changed_since_is_noticed(place: DreamPlace, tmp_path: Path) -> None:
    path = place.session("s2", [KEPT[0], KEPT[1]])
    copies = copies_of(place, tmp_path / "w")
    one = next(one for one in copies.transcripts if one.name.endswith("s2.jsonl"))
    path.write_bytes(line_of(KEPT[0]) + line_of(KEPT[2]))
    assert unfaithful_lines(one, str(tmp_path / "w"), [1, 2], masked=False) == (2,)
    path.unlink()
    assert unfaithful_lines(one, str(tmp_path / "w"), [1, 2], masked=False) == (1, 2)


def test_what_cannot_be_read_is_named(place: DreamPlace) -> None:
    gone = Transcript(str(place.projects / NAME / "gone.jsonl"))
    copies = copy_transcripts([("x/gone.jsonl", gone)], Wish(ALWAYS), None)
    assert copies.transcripts == ()
    assert "gone.jsonl" in copies.problems[0]


def test_it_can_be_stopped(place: DreamPlace) -> None:
    def stop() -> None:
        raise KeyError("stop")

    found = candidates(TranscriptFinder(place.project, place.options), subagents=False)
    with pytest.raises(KeyError):
        copy_transcripts(found, Wish(ALWAYS), None, stop)
