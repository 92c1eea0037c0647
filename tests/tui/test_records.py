"""Walking through the rows of a transcript."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest

from memreview.model.transcript import Record, Speaker
from memreview.tui.widgets import records
from memreview.tui.widgets.record_search import Matches, scan
from memreview.tui.widgets.records import Place, RecordFlow, day_of, time_of


class Lines:
    """Records in memory, read as a transcript is, with a count of how often."""

    def __init__(self, said: Iterable[str | None], *, day: str = "2026-11-01") -> None:
        self.made = [
            Record(n, "user" if text else "system", Speaker.USER, text or "", f"{day}T09:{n % 60:02d}:00.000Z")
            for n, text in enumerate(said, 1)
        ]
        self.reads = 0

    @property
    def line_count(self) -> int:
        return len(self.made)

    def record(self, line: int) -> Record | None:
        self.reads += 1
        return self.made[line - 1] if 1 <= line <= len(self.made) else None

    def records(self, start: int, end: int) -> Iterable[Record]:
        self.reads += 1
        return self.made[start - 1 : end]

    def raw(self, line: int) -> bytes | None:
        return json.dumps({"type": self.made[line - 1].kind, "text": self.made[line - 1].text}).encode()


def texts(flow: RecordFlow, top: Place, height: int) -> list[str]:
    return [row.text for _, row in flow.window(top, height)]


def test_records_without_words_are_passed_over() -> None:
    flow = RecordFlow(Lines(["one", None, None, "two", None]), 40)
    assert flow.first_line() == 1
    assert flow.next_line(1) == 4
    assert flow.next_line(4) is None
    assert flow.previous_line(4) == 1
    assert flow.last_line() == 4
    assert flow.nearest(3) == 4
    assert flow.nearest(99) == 4
    flow.set_show_all(True)
    assert flow.next_line(1) == 2
    assert "nobody's words" in flow.block(2)[0].text


def test_a_cited_record_is_shown_also_without_words() -> None:
    flow = RecordFlow(Lines(["one", None, "two"]), 40, cited=[2])
    assert flow.next_line(1) == 2
    assert flow.block(2)[0].kind == "raw"


def test_a_day_stands_above_its_first_record() -> None:
    source = Lines(["one", "two", "three"])
    source.made[2] = Record(3, "user", Speaker.USER, "three", "2026-11-02T00:05:00Z")
    flow = RecordFlow(source, 40)
    assert texts(flow, Place(1), 9) == ["Sunday 1 November 2026", "one", "two", "Monday 2 November 2026", "three"]


@pytest.mark.parametrize("stamp", ["", "yesterday", "2026-13-45T00:00:00Z"])
def test_times_that_cannot_be_read_are_left_out(stamp: str) -> None:
    record = Record(1, "user", Speaker.USER, "words", stamp)
    assert day_of(record) == time_of(record) == ""
    source = Lines(["words"])
    source.made = [record]
    assert texts(RecordFlow(source, 40), Place(1), 5) == ["words"]


def test_walking_down_and_up_again_ends_where_it_began() -> None:
    flow = RecordFlow(Lines(["short", None, "word " * 60, None, "a\nb\nc", "end"]), 20)
    down = [Place(1)]
    while (below := flow.forward(down[-1])) is not None:
        down.append(below)
    up = [down[-1]]
    while (above := flow.back(up[-1])) is not None:
        up.append(above)
    assert up == down[::-1]
    assert flow.moved(Place(1), len(down) * 2) == down[-1]
    assert flow.lowest_top(5) == down[-5]
    assert flow.lowest_top(1000) == Place(1)


def test_a_long_record_is_cut_and_opened() -> None:
    flow = RecordFlow(Lines(["\n".join(f"row {n}" for n in range(500)), "after"]), 40)
    block = flow.block(1)
    assert len(block) == 1 + records.CLIP_ROWS + 1
    assert block[-1].kind == "more"
    assert block[-1].text == "… 460 more lines: enter shows them"
    flow.toggle_opened(1)
    assert len(flow.block(1)) == 501
    flow.toggle_opened(1)
    assert flow.block(1) == block


def test_a_record_of_megabytes_is_shown_in_part_and_says_so() -> None:
    flow = RecordFlow(Lines(["x" * 3_000_000]), 50)
    assert len(flow.block(1)) <= records.CLIP_ROWS + 2
    flow.toggle_opened(1)
    assert flow.block(1)[-1].text == "… 2,600,000 more characters, too many to show"


def test_what_steers_a_terminal_is_made_visible_and_secrets_are_masked() -> None:
    key = "sk-ant-" + "a1B2" * 10
    source = Lines(["\x1b[31mred\x1b[0m \u202ebidi", f"key {key} end"])
    shown = " ".join(texts(RecordFlow(source, 90), Place(1), 9))
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert key not in shown
    assert "*" * len(key) in shown
    assert key in " ".join(texts(RecordFlow(source, 90, mask=False), Place(1), 9))


def test_no_half_of_a_secret_is_left_at_a_cut() -> None:
    key = "sk-ant-" + "a1B2" * 10
    source = Lines(["y" * (records.CLIP_CHARS - 20) + " " + key])
    assert "sk-ant" not in "".join(row.text for row in RecordFlow(source, 4000).block(1))


def test_thousands_of_records_without_words_do_not_hang_a_key() -> None:
    source = Lines(["first", *[None] * 5000, "last"])
    flow = RecordFlow(source, 40)
    step = flow.next_line(1)
    assert step == 1 + records.SKIP_LIMIT
    assert source.reads <= records.SKIP_LIMIT + 1
    seen = 0
    line: int | None = 1
    while line is not None and seen < 50:
        line, seen = flow.next_line(line), seen + 1
    assert flow.previous_line(5002) is not None
    assert flow.last_line() == 5002


def test_matches_are_found_from_here_on_and_then_from_the_top() -> None:
    source = Lines(["Pnpm now", None, "npm", "uses PNPM", "nothing"])
    matches = Matches("pnpm", source.line_count)
    order: list[int] = []
    for scanned in scan(source, "pnpm", 3):
        order.extend(scanned.found)
        matches.add(scanned)
    assert order == [4, 1]
    assert matches.lines == [1, 4]
    assert matches.percent == 100
    assert (matches.after(1), matches.after(4), matches.before(4), matches.before(1)) == (4, 1, 1, 4)
    assert (matches.position(4), matches.position(2)) == (2, None)


@pytest.mark.parametrize("needle", ["a.b", "(", "wörter", "  x", 'it\'s "so"'])
def test_a_search_takes_its_text_as_it_is(needle: str) -> None:
    source = Lines(["nothing", f"here: {needle.upper()}!", "a-b"])
    assert [line for scanned in scan(source, needle, 1) for line in scanned.found] == [2]
    assert list(scan(source, "  ", 1)) == []
