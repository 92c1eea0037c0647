from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memreview.evidence.surroundings import companions
from memreview.read.speech_cache import SpeechCache
from memreview.read.speech_index import SpeechIndex
from tests.unit.talk import Json, called, listed, prose, returned, snapshot, typed, write


def around(folder: Path, records: Sequence[Json], line: int) -> list[tuple[int, str]]:
    """The lines that go with one, and how: all of it, only that somebody spoke, or only that it is there."""
    write(folder / "s.jsonl", records)
    with SpeechIndex(listed(folder), SpeechCache(None)) as index:
        place = index.place(0, line)
        assert place is not None
        found = []
        for one in companions(index, place):
            record = index.record(one.place)
            assert record is not None
            found.append((record.line, "talk" if one.talk else "there" if one.silent else "all"))
        return found


READ = called("Read", {"file_path": "/x"}, key="a")
RUN = called("Bash", {"command": "ls"}, key="b")


def test_a_result_comes_with_its_call(tmp_path: Path) -> None:
    assert around(tmp_path, [typed("go"), READ, snapshot(), returned("text", key="a")], 4) == [(2, "all")]


def test_the_second_of_two_results_comes_with_both_calls(tmp_path: Path) -> None:
    records = [typed("go"), READ, RUN, returned("text", key="a"), returned("files", key="b"), prose("done")]
    assert around(tmp_path, records, 5) == [(4, "all"), (3, "all"), (2, "all")]


def test_a_call_comes_with_its_result(tmp_path: Path) -> None:
    records = [typed("go"), READ, RUN, returned("text", key="a"), returned("files", key="b"), prose("done")]
    assert around(tmp_path, records, 2) == [(3, "all"), (4, "all"), (5, "all")]
    assert around(tmp_path, records, 3) == [(2, "all"), (4, "all"), (5, "all")]


def test_a_call_without_a_result_stands_alone(tmp_path: Path) -> None:
    assert around(tmp_path, [typed("go"), READ, typed("stop")], 2) == []


def test_what_the_assistant_says_comes_with_the_answer(tmp_path: Path) -> None:
    assert around(tmp_path, [prose("use pnpm?"), snapshot(), typed("yes")], 1) == [(3, "all")]


def test_other_words_of_the_assistant_keep_a_later_yes_away(tmp_path: Path) -> None:
    records = [prose("use pnpm"), READ, returned("text", key="a"), prose("use yarn?"), typed("yes")]
    assert around(tmp_path, records, 1) == [(2, "there"), (3, "there"), (4, "talk")]


def test_an_answer_comes_with_what_it_answers(tmp_path: Path) -> None:
    assert around(tmp_path, [prose("use pnpm?"), typed("yes")], 2) == [(1, "all")]
    assert around(tmp_path, [typed("one"), typed("two")], 2) == []
