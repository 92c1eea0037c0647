from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.checks.after import Mark, followed, together
from memreview.checks.claims import cues
from memreview.checks.claims.records import Source
from memreview.model.transcript import Speaker
from memreview.read.discover import resolve_project
from memreview.read.needles import needles_in
from memreview.upkeep import what_followed
from tests.unit.checked_store import quoting, stored
from tests.unit.talk import PROJECT, called, prose, returned, typed

S1 = "11111111-1111-4111-8111-111111111111"
LINE = "The cache lives in Redis."
THEN, LATER = "2026-11-01T10:00:00Z", "2026-11-02T10:00:00Z"


def _source(text: str, *, speaker: Speaker = Speaker.USER, time: str = LATER, error: bool = False) -> Source:
    return Source("s.jsonl", 9, speaker, text, time, error)


@pytest.mark.parametrize(
    ("source", "mark"),
    [
        (_source("No, the cache lives in Memcached."), Mark.CORRECTS),
        (_source("Nein, der cache liegt nicht in Redis."), Mark.CORRECTS),
        (_source("Actually the cache lives elsewhere."), Mark.CORRECTS),
        (_source("The cache does not live in Redis."), Mark.DENIES),
        (_source("Restart Redis, the cache lives there."), Mark.SPEAKS),
        (_source("redis-cli: the cache lives nowhere", speaker=Speaker.TOOL, error=True), Mark.FAILS),
    ],
)
def test_later_records_are_marked(source: Source, mark: Mark) -> None:
    keys = [needle.key for needle in needles_in(LINE)]
    assert [one.mark for one in followed(keys, THEN, [source])] == [mark]


def test_what_is_earlier_or_of_another_subject_is_left_out() -> None:
    keys = [needle.key for needle in needles_in(LINE)]
    sources = [
        _source("No, the cache lives in Memcached.", time="2026-10-01T10:00:00Z"),
        _source("The mail relay is postfix."),
        _source("cache lives redis", speaker=Speaker.CALL),
    ]
    assert followed(keys, THEN, sources) == ()
    assert together(keys, "cache " + "x " * 400 + "redis") is None


def test_what_the_transcripts_say_later(tmp_path: Path) -> None:
    path = f"/home/dev/.claude/projects/{PROJECT}/memory/cache.md"
    records = [
        typed(LINE, "2026-11-01T10:00:00.000Z"),
        prose("Noted.", "2026-11-01T10:01:00.000Z"),
        called("Read", {"file_path": path}, "2026-11-02T09:00:00.000Z"),
        returned(f"{path}: {LINE}", "2026-11-02T09:00:01.000Z"),
        typed("No, the cache lives in Memcached now.", "2026-11-02T10:00:00.000Z"),
    ]
    store = stored(tmp_path, {"cache.md": quoting(S1, LINE, LINE)}, {S1: records})
    project = resolve_project(PROJECT, store.options)
    (one,) = what_followed(project, store.options, LINE, "2026-11-01T10:00:00.000Z")
    assert (one.source.line, one.mark) == (5, Mark.CORRECTS)


CUES = (cues.TAKES_BACK, cues.NEGATION, cues.OPENS_WITH_NO)
PIECES = st.sampled_from(
    sorted({word for cue in CUES for word in re.findall(r"[a-z']+|[^a-z]", cue.pattern) if word.isascii()})
)


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=12), st.sampled_from(["", " "]))
def test_plain_text_is_read_like_any_other(pieces: list[str], between: str) -> None:
    text = between.join(pieces).lower()
    for cue in CUES:
        plain = cues.in_plain(cue)
        assert [match.span() for match in plain.finditer(text)] == [match.span() for match in cue.finditer(text)]
