from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.read.changes import RawCitation, RawEntry, parse_entries
from memreview.read.resolve import readings_of
from tests.unit.citation_forms import FORMS
from tests.unit.citation_languages import LANGUAGES

ODD = ("my session", "2026-11-02t09:15:00z", "notes (1)")
SESSION = "4f2a91c7-3b1d-4c55-9e0a-7d2b8c6f1e30"
STEMS = ("abc", "def", SESSION, "run-12", "agent-9c0a90a2667f0eb4f", "議事録", *ODD)


def known(word: str) -> bool:
    folded = word.lower().removesuffix(".jsonl")
    if folded in STEMS:
        return True
    return bool(re.fullmatch(r"[0-9a-f]{6,8}|[0-9a-f]{8}-[0-9a-f-]*", folded)) and SESSION.startswith(folded)


def stem_meant(name: str) -> str:
    """The transcript that a written name means, among those of these tests."""
    for reading in readings_of(name):
        stem = re.split(r"[\\/]", reading)[-1].lower().removesuffix(".jsonl")
        if stem in STEMS:
            return "S" if stem == SESSION else stem.replace(" ", "_")
        cut = re.search(r"[-*]?(?:…|\.{2,}|\*|\[…\])[-*]?", stem)
        prefix = stem[: cut.start()] if cut else stem
        if len(prefix) >= 6 and SESSION.startswith(prefix):
            return "S"
    last = re.split(r"[\\/]", readings_of(name)[-1])[-1]
    return last if "…" in last else last.removesuffix(".jsonl")


def places(text: str) -> set[str]:
    return {place(citation) for entry in parse_entries(text, known) for citation in entry.citations}


def place(citation: RawCitation) -> str:
    if citation.name is None or citation.line is None:
        return f"{citation.record}?"
    end = "" if citation.end_line == citation.line else f"-{citation.end_line}"
    return f"{stem_meant(citation.name)}:{citation.line}{end}"


def only(text: str) -> RawEntry:
    (entry,) = parse_entries(text, known)
    return entry


@pytest.mark.parametrize(("text", "expected"), [*FORMS, *LANGUAGES])
def test_every_form_is_read(text: str, expected: str) -> None:
    assert places(text) == set(expected.split())


def test_entries_are_items_rows_and_paragraphs() -> None:
    text = (
        "# Changes\n"
        "\n"
        "A paragraph\n"
        "over two lines.\n"
        "\n"
        "- one\n"
        "  wrapped\n"
        "- two\n"
        "  1. below two\n"
        "\n"
        "| Note | What |\n"
        "|------|------|\n"
        "| a.md | row |\n"
    )
    entries = parse_entries(text)
    assert [(entry.line, entry.text) for entry in entries] == [
        (3, "A paragraph\nover two lines."),
        (6, "- one\n  wrapped"),
        (8, "- two"),
        (9, "1. below two"),
        (13, "| a.md | row |"),
    ]
    assert [entry.parent for entry in entries] == [None, None, None, 2, None]
    assert {entry.headings for entry in entries} == {("Changes",)}


def test_headings_are_given_nearest_first_and_end_with_their_section() -> None:
    text = "# A\n## B\n- one\n### C\n- two\n## D\n- three\n\n**E**\n- four\n"
    headings = [entry.headings for entry in parse_entries(text)]
    assert headings == [("B", "A"), ("C", "B", "A"), ("D", "A"), ("**E**", "D", "A")]


def test_a_heading_with_a_citation_is_an_entry() -> None:
    entry, below = parse_entries("## testing.md: nox (abc.jsonl:3)\n\nThe user said so.")
    assert place(entry.citations[0]) == "abc:3"
    assert below.citations == ()


def test_keys_that_begin_again_begin_an_entry() -> None:
    entries = parse_entries("File: a.md\nWhy: x\nFile: b.md\nWhy: y\n")
    assert [entry.line for entry in entries] == [1, 3]


def test_wrapped_numbers_are_no_new_items() -> None:
    entry = only("- testing.md: nox (abc.jsonl, lines 5,\n7, and\n8) and more")
    assert {place(citation) for citation in entry.citations} == {"abc:5", "abc:7", "abc:8"}


def test_code_below_an_entry_belongs_to_it() -> None:
    entry = only("- testing.md: nox (abc.jsonl:3)\n  ```diff\n  - tox\n  + nox\n  ```\n")
    assert "+ nox" in entry.text
    assert "tox" in entry.plain


def test_what_cannot_be_seen_hides_nothing() -> None:
    dressed = "\x1b[1m\u202eabc\u200b.jsonl\u2060:\u00ad3\x1b[0m"
    assert places(f"\x1b]0;title\x07- testing.md: {dressed}") == {"abc:3"}
    assert places(f"- x \x1b]8;;file:///x\x1b\\{dressed}\x1b]8;;\x1b\\") == {"abc:3"}
    assert places("- testing.md: nox (abc.jsonl&#58;3&nbsp;)") == {"abc:3"}
    assert places("- gr\udcfcn testing.md (abc.jsonl:3) \udcff") == {"abc:3"}


def test_the_raw_text_of_an_entry_is_kept() -> None:
    text = "- testing.md: \x1b[31mnox\x1b[0m （abc.jsonl：３）"
    assert only(text).text == text


def test_byte_order_mark_and_line_ends() -> None:
    windows = "\ufeff- a.md (abc.jsonl:3)\r\n- b.md (abc.jsonl\r\n  line 4)"
    for text in (windows, "- a.md (abc.jsonl:3)\r- b.md (abc.jsonl:4)\r"):
        assert places(text) == {"abc:3", "abc:4"}
    assert parse_entries("") == parse_entries("\n\n# Changes\n   \n") == ()


def test_records_are_told_from_sessions() -> None:
    record = "5f69272d-f893-4d88-9aa1-6bb817200c88"
    cases = {
        f"(record {record})": (None, record, True),
        f"(abc.jsonl, record {record})": ("abc.jsonl", record, True),
        f"(abc.jsonl#{record})": ("abc.jsonl", record, True),
        f"(uuid `{record}`)": (None, record, True),
        f"(Nachricht {record})": (None, record, True),
        f"（记录 {record}）": (None, record, True),
        f"({record})": (None, record, False),
        "(abc.jsonl, record 5f69272d)": ("abc.jsonl", "5f69272d", False),
    }
    for said, (name, uuid, sure) in cases.items():
        (citation,) = only(f"- testing.md: nox {said}").citations
        assert (citation.name, citation.record, citation.sure, citation.line) == (name, uuid, sure, None), said
    (citation,) = only(f"- testing.md: nox ({record}:6)").citations
    assert (citation.name, citation.line) == (record, 6)
    assert only(f"- testing.md: nox (session {record})").citations == ()


def test_references_are_no_citations() -> None:
    entry = only(
        "- testing.md: src/main.c:42, app.py line 7, Makefile:3, commit a1b2c3d4, 7be0d21, logs/2026/11/2026-11-03.md:4"
    )
    assert entry.citations == ()
    assert [(found.kind, found.target, found.line) for found in entry.references] == [
        ("file", "src/main.c", 42),
        ("file", "app.py", 7),
        ("file", "Makefile", 3),
        ("commit", "a1b2c3d4", None),
        ("commit", "7be0d21", None),
        ("log", "logs/2026/11/2026-11-03.md", 4),
    ]


HOSTILE = {
    "comma list": "- a.md (abc.jsonl:10) " + "-," * 20000,
    "numbers": "abc.jsonl:" + "3," * 20000,
    "words": "line by line, " * 4000,
    "suffixes": ".jsonl" * 8000,
    "names": "a.jsonl:3 " * 5000,
    "letters": "a" * 50000,
    "underscores": "a" + "_" * 50000,
    "dots": "a." * 25000,
    "brackets": "[" * 50000,
    "quotes": '`"' * 25000,
    "quoting": ">" * 50000,
    "colons": ":3" * 25000,
    "pipes": "|a" * 10000,
    "dense": "第3行" * 10000,
    "ellipses": "a1b2…" * 10000,
    "escapes": "\x1b[" * 25000,
    "titles": "\x1b]" * 25000,
    "tags": "<a " * 15000,
    "footnotes": "[^1] " * 5000 + "\n\n[^1]: abc.jsonl",
    "bullets": "- a\n" * 5000,
    "nested": "".join(" " * depth + "- a\n" for depth in range(300)),
    "paragraphs": "a\n\n" * 5000,
    "rows": "| a | 3 |\n" * 3000,
    "rules": "- " * 25000 + "x",
    "notes": "a.md: b\n" * 4000,
    "digits": "1" * 50000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_time_in_proportion(name: str) -> None:
    """A quadratic reader would need minutes for these, so that a generous limit tells the difference."""
    text = HOSTILE[name]
    start = time.process_time()
    parse_entries(text, known)
    parse_entries(f"{text}\n- x (abc.jsonl:3)", known)
    assert time.process_time() - start < 6


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=400))
def test_any_text_is_read(text: str) -> None:
    for entry in parse_entries(text, known):
        assert entry.line >= 1


PIECES = st.sampled_from(
    [
        *("abc.jsonl", "def.jsonl", "4f2a91c7…", SESSION, "testing.md", "src/main.c", "line", "lines", "Zeile", "第"),
        *(":", ",", " ", "-", "–", "#", "L", "3", "17", "[", "](", ")", "(", "`", "**", "|", "\n", "\n- ", "\n## "),
        *(
            "[^1]",
            "\n[^1]: ",
            "session",
            "record",
            "…",
            "...",
            ".",
            ";",
            "\x00",
            "\x1b[",
            "\u200b",
            "の",
            "A =",
            "same",
        ),
        *("|---|\n", "行目", "of", "and", "\n  ", "\n> ", "```\n", "1. ", "<tr><td>", "&#58;"),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_mixture_of_what_matters_is_read(text: str) -> None:
    for entry in parse_entries(text, known):
        for citation in entry.citations:
            assert citation.raw
            assert citation.line is None or citation.end_line is None or citation.line <= citation.end_line


SEPARATORS = st.sampled_from(
    [":", ":L", "#L", "#", " line ", ", line ", " L", " (line ", ", Zeile ", " строка ", " ligne ", " 第"]
)
WRAPPINGS = st.sampled_from(
    ["{}", "({})", "`{}`", "**{}**", "*{}*", "<{}>", "[{}]", "“{}”", "（{}）", "「{}」", "~~{}~~", '"{}"', "_{}_"]
)
NAMES = st.sampled_from(
    ["abc.jsonl", "./abc.jsonl", "/srv/x y/abc.jsonl", "C:\\x\\abc.jsonl", "~/.claude/projects/-x/abc.jsonl"]
)
LEADS = st.sampled_from(
    ["- testing.md: nox ", "1. **testing.md** — nox ", "testing.md: ", "> * testing.md：", "| testing.md | "]
)


@settings(max_examples=300, deadline=None)
@given(LEADS, WRAPPINGS, NAMES, SEPARATORS, st.integers(1, 99999), st.none() | st.integers(1, 99999), st.booleans())
def test_every_dress_is_taken_off(
    lead: str, wrapping: str, name: str, separator: str, line: int, length: int | None, wrapped: bool
) -> None:
    end = "" if length is None else f"-{line + length}"
    tail = "行" if separator == " 第" else ""
    said = f"{name}{separator}{line}{end}{tail}"
    if wrapped and " " in separator:
        said = said.replace(separator, separator.replace(" ", "\n  ", 1))
        lead = "- testing.md: nox "
    expected = f"abc:{line}" + ("" if length is None else f"-{line + length}")
    assert places(lead + wrapping.format(said)) == {expected}
