from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.read.needles import needles_in
from memreview.read.speech_scan import Scanner
from tests.unit.talk import line_of, typed


def found(line: str, said: str, *, ascii_only: bool = False) -> set[str]:
    """Keys of the needles of a line that stand in a record with these words."""
    needles = needles_in(line)
    return {needles[n].key for n in Scanner(needles).found_in(line_of(typed(said), ascii_only=ascii_only))}


@pytest.mark.parametrize(
    ("line", "said", "key"),
    [
        ("- Redis listens on port 6380.", "put redis on 6380", "6380"),
        ("- 1,234 tests", "all 1234 tests", "1234"),
        ("- 1234 tests", "all 1,234 tests", "1234"),
        ("- Postgres 15.4", "we run v15.4 now", "15.4"),
        ("- see `src/db/pool.ts`", "opened src/db/pool.ts:12", "src/db/pool.ts"),
        ("- Deployments go to fly.io", "she deployed it", "deploy"),
        ("- Checked 28 Oct 2026.", "on Oct 28 it broke", "2026-10-28 day"),
        ("- Checked 2026-10-28.", "am 28. Oktober", "2026-10-28 day"),
        ("- Checked 2026-10-28.", "le 28 oct.", "2026-10-28 day"),
        ("- Set MAX_CONNS", "export max_conns=3", "max_conns"),
        ("- The AWS key", "use aws for it", "aws"),
        ("- Über die Brücke", "ÜBER DIE BRÜCKE", "brück"),
        ("- 端口是六千三百", "端口是 6300", "端口"),
        ("- first line", "a\nfirst", "first"),
    ],
)
def test_a_record_that_says_it_is_found(line: str, said: str, key: str) -> None:
    assert key in found(line, said)
    assert key in found(line, said, ascii_only=True)


@pytest.mark.parametrize(
    ("line", "said", "key"),
    [
        ("- 214 tests", "in 92140 ms, id a214f", "214"),
        ("- The AWS key", "laws and saws", "aws"),
        ("- Checked 2026-10-28.", "nothing of that day", "2026-10-28 day"),
    ],
)
def test_what_only_looks_alike_is_not(line: str, said: str, key: str) -> None:
    assert key in {needle.key for needle in needles_in(line)}
    assert key not in found(line, said)


def test_values_come_first_and_years_are_none() -> None:
    needles = needles_in("- the cache moved to Redis 7.2 in 2026")
    assert [needle.value for needle in needles] == sorted((needle.value for needle in needles), reverse=True)
    assert "2026" not in {needle.key for needle in needles}
    assert len({needle.key for needle in needles}) == len(needles)


@settings(max_examples=60, deadline=None)
@given(line=st.text(max_size=60))
def test_every_line_makes_a_scanner(line: str) -> None:
    needles = needles_in(line)
    if needles:
        Scanner(needles).found_in(json.dumps({"text": line}).encode())


@settings(max_examples=40, deadline=None)
@given(words=st.lists(st.text(st.characters(categories=("Ll", "Lo")), min_size=3, max_size=9), min_size=1, max_size=5))
def test_words_are_found_however_they_are_written(words: list[str]) -> None:
    line = " ".join(words)
    needles = needles_in(line)
    for ascii_only in (False, True):
        raw = line_of(typed(f"\n{line}\n"), ascii_only=ascii_only)
        assert set(Scanner(needles).found_in(raw)) == set(range(len(needles)))
