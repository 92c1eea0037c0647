"""Texts that are offered instead of flagged words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.tui.rewrite import found_again, offers, put_back, without_words


@pytest.mark.parametrize(
    ("line", "words", "expected"),
    [
        ("Run `pnpm test` (moved in late Oct 2026).", "late Oct 2026", "Run `pnpm test` (moved)."),
        ("Run `pnpm test` (since late Oct 2026).", "late Oct 2026", "Run `pnpm test`."),
        ("- Run `npm test` before every commit.", "npm test", "- Run before every commit."),
        ("The suite takes about 40 minutes, mostly I/O.", "40 minutes", "The suite takes, mostly I/O."),
        ("Seit Ende Oktober 2026 mit pnpm.", "Ende Oktober 2026", "mit pnpm."),
        ("- [x] Verified 2026-11-01: 214 tests.", "2026-11-01", "- [x] Verified: 214 tests."),
        ("| port | 5173 |", "5173", "| port | |"),
        ("Ask Ümit, Ada, or Bob.", "Ada", "Ask Ümit, or Bob."),
        ("Say “hello” to all.", "hello", "Say to all."),
        ("> quoted — since 2025", "2025", "> quoted"),
        ("5173", "5173", ""),
        ("    indented 5173", "5173", "    indented"),
    ],
)
def test_words_go_with_what_leads_to_them(line: str, words: str, expected: str) -> None:
    start = line.index(words)
    assert without_words(line, start, start + len(words)) == expected


def test_offers_begin_with_the_nearest_value_and_end_without_the_line() -> None:
    lines = ("Use pnpm (moved from npm in late Oct 2026). It is fast.", "Other.")
    start = lines[0].index("late Oct")
    found = offers(lines, 0, start, start + len("late Oct 2026"), "last week")
    assert [(offer.words, offer.lines[0]) for offer in found] == [
        (
            "with “last week”, the nearest value that is supported",
            "Use pnpm (moved from npm last week). It is fast.",
        ),
        ("without these words", "Use pnpm (moved from npm). It is fast."),
        ("without the brackets around them", "Use pnpm. It is fast."),
        ("without the sentence around them", "It is fast."),
        ("without the line", "Other."),
    ]
    assert [offer.line for offer in found] == [0, 0, 0, 0, None]


@pytest.mark.parametrize(
    ("line", "words", "nearest", "expected"),
    [
        ("Backups run every night at 02:00.", "02:00", "by 02:00", "Backups run every night by 02:00."),
        ("It is so since 3 May.", "3 May", "last week", "It is so since last week."),
        ("On 3 May it was moved.", "3 May", "yesterday", "yesterday it was moved."),
        ("Moved in May 2026.", "May 2026", "since April 2026", "Moved since April 2026."),
        ("The limit is 5.", "5", "8", "The limit is 8."),
        ("At 9 it begins.", "9", "10", "At 10 it begins."),
        ("Nutze es seit dem 3. Mai.", "3. Mai", "am 4. Mai", "Nutze es am 4. Mai."),
    ],
)
def test_the_nearest_value_stands_with_one_small_word(line: str, words: str, nearest: str, expected: str) -> None:
    start = line.index(words)
    assert offers((line,), 0, start, start + len(words), nearest)[0].lines == (expected,)


def test_nothing_is_offered_twice_and_never_nothing() -> None:
    assert [offer.words for offer in offers(("- 5173",), 0, 2, 6, "5173")] == []
    assert [offer.lines for offer in offers(("- port 5173",), 0, 7, 11, None)] == [("- port",)]


def test_old_lines_come_back_before_the_new_ones() -> None:
    assert [offer.lines for offer in put_back(("new",), "old")] == [("old", "new")]
    assert put_back(("old", "new"), "old") == ()


def test_words_are_found_again_where_they_went() -> None:
    assert found_again(("a 5", "b"), 0, 2, "5") == (0, 2)
    assert found_again(("x", "5 and 5"), 0, 6, "5") == (1, 6)
    assert found_again(("x",), 0, 0, "5") is None


@given(st.text(alphabet="ab 1`()[],.—-*“”\t", max_size=30), st.data())
@settings(max_examples=60, deadline=None)
def test_any_span_of_any_line_can_be_asked_for(line: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(line)))
    end = data.draw(st.integers(start, len(line)))
    for offer in offers((line, "other"), 0, start, end, "new"):
        assert offer.lines != (line, "other")
        assert len(offer.lines) in (1, 2)
        assert "\n" not in "".join(offer.lines)
