"""The index measured as the client measures it, and the notes and links that it names."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.checks.index import (
    LINE_LIMIT,
    UNIT_LIMIT,
    IndexStatus,
    examine,
    is_listed,
    loaded_text,
    measure,
    utf16_units,
)


def size(text: str | bytes) -> tuple[str, int, int, int, int | None]:
    data = text.encode() if isinstance(text, str) else text
    state = measure(loaded_text(data))
    return state.status.value, state.lines, state.units, state.loaded_lines, state.first_lost_line


def lines(count: int, line: str = "- x") -> str:
    return "".join(f"{line}\n" for _ in range(count))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ("none", 0, 0, 0, None)),
        ("\n \n", ("none", 0, 0, 0, None)),
        ("<!-- nothing -->\n", ("none", 0, 0, 0, None)),
        ("---\nname: x\n---\n", ("none", 0, 0, 0, None)),
        (lines(159), ("ok", 159, 159 * 4 - 1, 159, None)),
        (lines(160), ("near", 160, 639, 160, None)),
        (lines(200), ("near", 200, 799, 200, None)),
        (lines(201), ("cut", 201, 803, 200, 201)),
        ("\n\n" + lines(201) + "\n", ("cut", 201, 803, 200, 203)),
        ("x" * 19_999, ("ok", 1, 19_999, 1, None)),
        ("x" * 20_000, ("near", 1, 20_000, 1, None)),
        ("x" * 25_000, ("near", 1, 25_000, 1, None)),
        ("x" * 25_001, ("cut", 1, 25_001, 0, 1)),
        ("é" * 25_000, ("near", 1, 25_000, 1, None)),
        ("😀" * 12_500, ("near", 1, 25_000, 1, None)),
        ("😀" * 12_501, ("cut", 1, 25_002, 0, 1)),
        ("a\n" + "x" * 24_998, ("near", 2, 25_000, 2, None)),
        ("a\n" + "x" * 24_999, ("cut", 2, 25_001, 1, 2)),
        ("x" * 24_999 + "\nb", ("cut", 2, 25_001, 1, 2)),
        ("x" * 25_000 + "\nb", ("cut", 2, 25_002, 1, 2)),
        ("\ufeff---\na: b\n---\n- x\n", ("ok", 1, 3, 1, None)),
        (" ---\na: b\n---\n- x\n", ("ok", 4, 16, 4, None)),
        ("---\na: b\n...\n- x\n", ("ok", 4, 16, 4, None)),
        ("---\na: b --- c\n- x\n", ("ok", 2, 5, 2, None)),
        ("a\rb\u2028c\n", ("ok", 1, 5, 1, None)),
        (b"a\xff\xfeb\n", ("ok", 1, 4, 1, None)),
    ],
)
def test_size(text: str | bytes, expected: tuple[str, int, int, int, int | None]) -> None:
    assert size(text) == expected


@pytest.mark.parametrize(
    ("raw", "left"),
    [
        ("a\n<!-- b -->\n\n\nc\n", "a\nc"),
        ("a\n\n<!-- b\nb -->\nc", "a\n\nc"),
        ("a\n<!-- b --> kept\n\nc", "a\n kept\n\nc"),
        ("a <!-- inline --> b", "a <!-- inline --> b"),
        ("```\n<!-- code -->\n```", "```\n<!-- code -->\n```"),
        ("- a\n  <!-- item -->\n- b", "- a\n  <!-- item -->\n- b"),
        ("- a\n<!-- ends the list -->\n- b", "- a\n- b"),
        ("a\n\n    <!-- code -->", "a\n\n    <!-- code -->"),
        ("<div>\n<!-- inside -->\n</div>", "<div>\n<!-- inside -->\n</div>"),
        ("a\n<!-- never closed\nb", "a\n<!-- never closed\nb"),
        ("a\r\n<!-- b -->\r\nc\r\nd\re", "a\nc\nd\ne"),
        ("a\r\nb", "a\r\nb"),
        ("---\nx: y\n---\n\n<!-- b -->\na", "a"),
    ],
)
def test_what_is_loaded(raw: str, left: str) -> None:
    assert loaded_text(raw.encode()).text == left


@given(st.text(st.sampled_from("ab \n\r-<!>*`\u2028é😀"), max_size=80))
@settings(max_examples=150)
def test_raw_lines_point_at_the_lines_they_come_from(raw: str) -> None:
    loaded = loaded_text(raw.encode())
    raw_lines = raw.split("\n")
    shown = loaded.text.split("\n")
    assert len(loaded.raw_lines) == len(shown)
    for line, number in zip(shown, loaded.raw_lines, strict=True):
        first = line.split("\r")[0]
        assert first in raw_lines[number - 1] or "<!--" in raw
    assert utf16_units(loaded.text) == len(loaded.text.encode("utf-16-le")) // 2


def examined(index: str, **notes: str) -> tuple[list[tuple[int, str]], list[str]]:
    files = {"MEMORY.md": index.encode()} | {
        name.replace("__", "/") + ".md": text.encode() for name, text in notes.items()
    }
    state = examine(files, lambda path: path in {"docs", "/abs/there.md"})
    return [(pointer.line, pointer.target) for pointer in state.dangling], list(state.orphans)


@pytest.mark.parametrize(
    ("index", "dangling", "orphans"),
    [
        ("- [A](a.md) x", [], []),
        ("a.md", [], []),
        ("`a.md`", [], []),
        ("see ./a.md.", [], []),
        ("详见a.md。", [], []),
        ("other_a.md", [], ["a.md"]),
        ("a.md.bak", [], ["a.md"]),
        ("docs/a.md", [], ["a.md"]),
        ("https://x.org/a.md", [], ["a.md"]),
        ("../a.md", [], ["a.md"]),
        ("[[a]]", [], []),
        ("[[a|shown]] and [[nowhere]]", [], []),
        ("[A][r]\n\n[r]: a.md", [], []),
        ("- [A](a.md#part)", [], []),
        ("- [A](<a.md> 'title')", [], []),
        ("\n\n- [gone](gone.md)\n- a.md", [(3, "gone.md")], []),
        ("a.md\n\n[r]: gone.md", [(3, "gone.md")], []),
        ("a.md [x](#part) [y](https://x.org/z.md) [z](mailto:a@b.c) [^1]\n\n[^1]: note.md", [], []),
        ("a.md [d](docs) [t](/abs/there.md) [n](/abs/gone.md)", [(1, "/abs/gone.md")], []),
        ("a.md\n```\n[x](gone.md)\n```\n`[y](gone.md)`", [], []),
        ("| n |\n|---|\n| a.md |\n| [x](gone.md) |", [(4, "gone.md")], []),
        ("<!-- a.md [x](gone.md) -->\ntext", [], ["a.md"]),
        ("---\na.md\n---\n[x](gone.md)\na.md\n[y](b.md)", [(4, "gone.md"), (6, "b.md")], []),
    ],
)
def test_links_and_names(index: str, dangling: list[tuple[int, str]], orphans: list[str]) -> None:
    assert examined(index, a="text") == (dangling, orphans)


def test_names_in_other_ways() -> None:
    assert examined("[[test-runs]]", x="---\nname: test_runs\n---\n") == ([], [])
    assert examined("sub/b.md", sub__b="") == ([], [])
    assert examined("b.md", sub__b="") == ([], ["sub/b.md"])
    assert examined("- [x](my%20note.md)", **{"my note": ""}) == ([], [])
    assert examined("text", dead="---\nname: x\n---\n\n# DELETED on Friday", team__x="", README="") == (
        [],
        ["README.md"],
    )


@pytest.mark.parametrize("blank", ["\n", " ", "\u2003"])
@pytest.mark.parametrize("head", ["---", "a", "---\n---"])
def test_long_runs_of_blanks_take_no_time(blank: str, head: str) -> None:
    text = f"{head}{blank * 100_000}x\n".encode()
    started = time.process_time()
    assert examine({"MEMORY.md": text, "a.md": text}, lambda path: False).orphans == ("a.md",)
    assert time.process_time() - started < 2


def test_without_an_index_nothing_is_wrong() -> None:
    state = examine({"a.md": b"x"}, lambda path: False)
    assert (state.status, state.dangling, state.orphans) == (IndexStatus.NONE, (), ())
    assert examine({"MEMORY.md": b"", "a.md": b"x"}, lambda path: False).orphans == ("a.md",)


@pytest.mark.parametrize(
    ("path", "listed"),
    [
        ("a.md", True),
        ("sub/a.md", True),
        ("README.md", True),
        ("MEMORY.md", False),
        ("sub/MEMORY.md", False),
        ("Team/a.md", False),
        ("x/logs/a.md", False),
        (".hidden.md", False),
        (".d/a.md", False),
        ("a.MD", False),
    ],
)
def test_which_notes_an_index_lists(path: str, listed: bool) -> None:
    assert is_listed(path) is listed


def test_limits_are_those_measured() -> None:
    assert (LINE_LIMIT, UNIT_LIMIT) == (200, 25_000)


def test_pointers_behind_the_cut() -> None:
    head = "".join(f"- entry {number}\n" for number in range(199)) + "- [A](a.md)\n"
    index = head + "- b.md and a.md\n- [C](c%20d.md)\n- [[e]]\n"
    names = ("a", "b", "c d", "e", "f")
    state = examine({"MEMORY.md": index.encode()} | {f"{name}.md": b"x" for name in names}, lambda path: False)
    assert [(one.line, one.target) for one in state.lost] == [(201, "b.md"), (202, "c d.md"), (203, "e.md")]
    assert state.orphans == ("f.md",)


def test_a_name_in_a_line_that_is_cut_in_its_middle() -> None:
    index = "a.md " + "x" * 24_992 + " b.md"
    state = examine({"MEMORY.md": index.encode(), "a.md": b"", "b.md": b""}, lambda path: False)
    assert [one.target for one in state.lost] == ["b.md"]


def test_a_note_that_another_note_leads_to() -> None:
    notes = {
        "MEMORY.md": b"- [A](a.md)",
        "a.md": b"see [b](sub/b.md) and [[d]]",
        "sub/b.md": b"then c.md",
        "sub/c.md": b"",
        "d.md": b"",
        "e.md": b"[f](f.md)",
        "f.md": b"e.md",
    }
    state = examine(notes, lambda path: False)
    assert state.second_level == ("d.md", "sub/b.md", "sub/c.md")
    assert state.orphans == ("e.md", "f.md")


def test_many_notes_and_names() -> None:
    notes = {f"note-{number:05}.md": b"see note-00001.md" for number in range(6000)}
    index = "".join(f"- {path}\n" for path in list(notes)[:5000]).encode()
    state = examine({"MEMORY.md": index, **notes}, lambda path: False)
    assert len(state.orphans) == 1000


def test_links_that_lead_out_of_the_folder_and_in_again() -> None:
    index = b"[x](../memory/a.md) [y](/m/b.md) [z](../c.md)"
    notes = {"MEMORY.md": index, "a.md": b"", "b.md": b"", "c.md": b""}
    inside = {"../memory/a.md": "a.md", "/m/b.md": "b.md"}
    state = examine(notes, lambda path: path in {*inside, "../c.md"}, inside.get)
    assert (state.orphans, state.dangling) == (("c.md",), ())


def test_lines_of_links_behind_code_that_is_broken_over_lines() -> None:
    state = examine(
        {"MEMORY.md": b"a `code\nover lines` and\n[x](gone.md) <b\nid=1>\n[y](lost.md)\n"}, lambda path: False
    )
    assert [(one.line, one.target) for one in state.dangling] == [(3, "gone.md"), (5, "lost.md")]
