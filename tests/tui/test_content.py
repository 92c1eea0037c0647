from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from memreview.tui.content import Mark, assemble, content, decode_line, paragraphs, row_starts, shown, shown_with_marks


def test_markup_in_untrusted_text_stays_text() -> None:
    for raw in ("[x] done", "[/a]", "[red]no[/red]", "[@click=app.quit]x[/]"):
        assert content(raw).plain == raw
        assert content(raw, "bold").plain == raw


def test_controls_are_shown() -> None:
    assert "\x1b" not in content("a\x1b[31mred").plain
    assert "\u202e" not in content("a\u202eb").plain
    assert content("two\nlines").plain.count("\n") == 0
    assert paragraphs("two\nlines").plain == "two\nlines"


def test_tabs_reach_the_next_stop() -> None:
    assert shown("a\tb\tc") == "a   b   c"
    assert shown("\t漢\tx") == "    漢  x"


def test_assemble_keeps_styles_apart() -> None:
    line = assemble(["[a] ", ("[b]", "bold")])
    assert line.plain == "[a] [b]"
    assert [(span.start, span.end) for span in line.spans] == [(4, 7)]


def test_decode_line_takes_one_line_end_only() -> None:
    assert decode_line(b"a\r\n") == "a"
    assert decode_line(b"a\r\r\n") == "a\r"
    assert decode_line(b"a\n") == "a"
    assert decode_line(b"a\r") == "a\r"


def test_marks_move_with_what_is_made_visible() -> None:
    text, marks = shown_with_marks("a\x1b\tword", [Mark(3, 7, "m")])
    assert text[marks[0].start : marks[0].end] == "word"
    text, marks = shown_with_marks("\u200bx", [Mark(1, 2, "m")])
    assert text[marks[0].start : marks[0].end] == "x"


SAMPLE = st.text(st.sampled_from("ab \t漢é́👩x[]/\u200b\x1b"), max_size=60)


@given(SAMPLE, st.integers(2, 20))
@settings(max_examples=150)
def test_rows_hold_everything_and_fit(raw: str, width: int) -> None:
    line = shown(raw)
    starts = row_starts(line, width)
    assert starts[0] == 0
    assert starts == sorted(set(starts))
    ends = [*starts[1:], len(line)]
    rows = [line[start:end] for start, end in zip(starts, ends, strict=True)]
    assert "".join(rows) == line
    assert all(row or not line for row in rows)
    assert all(cell_len(row.removesuffix(" ")) <= width for row in rows)


@given(SAMPLE, st.data())
@settings(max_examples=100)
def test_marked_text_is_the_same_text(raw: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(raw)))
    end = data.draw(st.integers(start, len(raw)))
    line, marks = shown_with_marks(raw, [Mark(start, end, "m")])
    assert line == shown(raw)
    assert 0 <= marks[0].start <= marks[0].end <= len(line)
