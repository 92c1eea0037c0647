"""How the notes of a memory are looked at: in several processes, and with what of a transcript is not read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.checks.claims.folding import fold_long
from memreview.evidence import note_check
from memreview.evidence.sighting import may_hold
from memreview.model.advice import Advice
from memreview.read import speech_worker
from memreview.upkeep import check
from tests.unit.checked_store import quoting, stored
from tests.unit.talk import PROJECT, prose, typed

S1 = "11111111-1111-4111-8111-111111111111"
S2 = "22222222-2222-4222-8222-222222222222"


def _many(root: Path, count: int = 12) -> tuple[dict[str, str], dict[str, list[dict[str, object]]]]:
    notes = {
        f"n{n}.md": quoting(S1, f"port {4000 + n} is for worker", f"Port {4000 + n + n % 3 // 2} is for worker {n}.")
        for n in range(count)
    }
    said = [typed(f"So port {4000 + n} is for worker {n}.") for n in range(count)]
    later = typed("No, port 4004 is for the gateway now.", "2026-11-03T10:00:00.000Z")
    return notes, {S1: said, S2: [later]}


def test_two_processes_say_what_one_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = stored(tmp_path / "a", *_many(tmp_path)).checked().advised
    assert {row.advice for row in alone} == {Advice.KEEP, Advice.REVIEW}
    monkeypatch.setattr(speech_worker, "ALONE_BYTES", -1)
    monkeypatch.setattr(note_check, "NOTES_AT_ONCE", 1)
    assert stored(tmp_path / "b", *_many(tmp_path)).checked().advised == alone


def test_how_far_the_notes_are_is_told(tmp_path: Path) -> None:
    store = stored(tmp_path, *_many(tmp_path, 50))
    told: list[tuple[int, int]] = []

    def step(what: str, done: int, count: int) -> None:
        if what == "notes":
            told.append((done, count))

    check(store.options, [PROJECT], step=step)
    assert told[0] == (0, 50)
    assert told[-1] == (50, 50)
    assert told == sorted(told)


def test_what_others_say_does_not_change_what_is_said_of_a_note(tmp_path: Path) -> None:
    notes, sessions = _many(tmp_path)
    whole = {row.file: row for row in stored(tmp_path / "a", notes, sessions).checked().advised}
    for name, text in notes.items():
        (row,) = stored(tmp_path / name, {name: text}, sessions).checked().advised
        assert row == whole[name]


def test_a_quote_among_many_like_it_counts_as_the_users_where_the_user_agreed(tmp_path: Path) -> None:
    words = "the cache is cleared by hand"
    said = [prose("Then the cache is cleared by hand."), typed("Yes, exactly.")]
    like = [typed(f"By hand the cache is cleared, {n} times.", "2026-11-03T10:00:00.000Z") for n in range(400)]
    notes = {"cache.md": quoting(S1, words, "The cache is cleared by hand.")}
    row = stored(tmp_path, notes, {S1: said, S2: like}).on("cache.md", 7)
    assert (row.advice, row.places) == (Advice.KEEP, (f"{S1}.jsonl:1",))


MORE = ("\u200b", "\u00ad", "ﬁ", "ｘ", "ſ", "ß", "é", "™", "²", "\x1b[1m", "日", "\ud800", "**", "](u)")
LETTERS = st.sampled_from([*"ab0 xK*_~`[](){}<>/\\\"'\n\t", *MORE])


@settings(max_examples=300, deadline=None)
@given(st.lists(LETTERS, max_size=24).map("".join), st.booleans())
def test_no_record_is_passed_over_that_holds_a_word(text: str, escaped: bool) -> None:
    raw = json.dumps({"content": text}, ensure_ascii=escaped).encode(
        "utf-8", "surrogateescape" if escaped else "replace"
    )
    for word in ("a", "ab", "b0", "xx", "s", "fi", "k", "tm"):
        if word in fold_long(text):
            assert may_hold(raw, word.encode())


def test_a_record_without_the_word_is_passed_over() -> None:
    assert not may_hold("{“nothing” – but dashes and quotes é}".encode(), b"word")
