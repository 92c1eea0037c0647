from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from memreview.diff.words import Span, changed_words, pair_lines

LINES = st.text(alphabet="ab é-.`\t\u2028\U0001f600", max_size=30)


def marked(line: str, spans: tuple[Span, ...]) -> list[str]:
    return [line[start:end] for start, end in spans]


def test_changed_words() -> None:
    old, new = "Run tests with `npm test`.", "Run tests with `pnpm test` always."
    gone, come = changed_words(old, new)
    assert marked(old, gone) == ["npm"]
    assert marked(new, come) == ["pnpm", " always"]


def test_neighbouring_words_are_one_span() -> None:
    old, new = "moved in late Oct 2026", "moved last week"
    gone, come = changed_words(old, new)
    assert marked(old, gone) == ["in late Oct 2026"]
    assert marked(new, come) == ["last week"]


def test_spans_count_code_points() -> None:
    gone, come = changed_words("😀 é a", "😀 é b")
    assert (gone, come) == (((4, 5),), ((4, 5),))
    assert changed_words("same", "same") == ((), ())
    assert changed_words("", "new") == ((), ((0, 3),))


@given(LINES, LINES)
def test_what_is_not_marked_is_common(old: str, new: str) -> None:
    gone, come = changed_words(old, new)

    def rest(line: str, spans: tuple[Span, ...]) -> str:
        assert all(0 <= start < end <= len(line) for start, end in spans)
        assert list(spans) == sorted(spans)
        for start, end in reversed(spans):
            line = line[:start] + line[end:]
        return "".join(line.split())

    assert rest(old, gone) == rest(new, come)


def test_huge_lines_cost_little() -> None:
    old = " ".join(f"w{n % 7}" for n in range(200_000))
    new = " ".join(f"w{n % 5}" for n in range(200_000))
    start = time.process_time()
    changed_words("same start " + old, "same start " + new)
    assert time.process_time() - start < 3


def test_lines_pair_with_what_they_come_from() -> None:
    removed = ["- port 8080 is used", "- the cache is cleared on Mondays"]
    added = ["- new and unrelated", "- port 9090 is used", "- the cache is cleared nightly"]
    assert pair_lines(removed, added) == ((None, 0), (0, 1), (1, 2))
    assert pair_lines(["completely different"], ["nothing shared"]) == ((0, None), (None, 0))
    assert pair_lines([], ["a", "b"]) == ((None, 0), (None, 1))
    assert pair_lines(["a"], []) == ((0, None),)


@given(st.lists(LINES, max_size=7), st.lists(LINES, max_size=7))
def test_every_line_is_in_one_row_and_in_order(removed: list[str], added: list[str]) -> None:
    rows = pair_lines(removed, added)
    assert [old for old, _ in rows if old is not None] == list(range(len(removed)))
    assert [new for _, new in rows if new is not None] == list(range(len(added)))


def test_big_changes_pair_off_in_order() -> None:
    rows = pair_lines(["a"] * 100, ["b"] * 102)
    assert rows[:2] == ((0, 0), (1, 1))
    assert rows[-1] == (None, 101)
