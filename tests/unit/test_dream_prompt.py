"""What the client is told, and that CHANGES.md in the form it is asked for is read without a remainder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memreview.dreaming.prompt import MAX_BYTES, build, instructions, queue_paragraph, repository_paragraph
from memreview.errors import UsageError
from memreview.model.advice import Advice, Advised
from memreview.read.changes import parse_entries

WORDS = st.lists(
    st.sampled_from(
        "the test port moved to pnpm because npm was removed and nobody runs it (any more), so: it's new".split(" ")
    ),
    min_size=1,
    max_size=9,
).map(" ".join)
QUOTE = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters='"'), min_size=1, max_size=60
)
NOTE = st.sampled_from(["testing.md", "MEMORY.md", "sub/deep note.md", "a-b_c.md"])
PLACE = st.tuples(
    st.sampled_from(["-home-dev-app", "-home-dev-app--claude-worktrees-x", "-home-dev-app/3f2a9c1e/subagents"]),
    st.sampled_from(["3f2a9c1e-0b7d-4c55-9e1a-6d2f8b7c4a10", "agent-0123456789abcdef0", "s1"]),
    st.integers(1, 999_999),
    QUOTE,
)
Place = tuple[str, str, int, str]


def entry(note: str, why: str, places: Sequence[Place]) -> str:
    cited = "; ".join(f'transcripts/{folder}/{name}.jsonl:{line} "{words}"' for folder, name, line, words in places)
    return f"- memory/{note}: {why} ({cited})\n"


def place_of(words: str) -> Place:
    return ("-home-dev-app", "s1", 42, words)


@given(st.lists(st.tuples(NOTE, WORDS, st.lists(PLACE, min_size=1, max_size=3)), min_size=1, max_size=4))
@example([("testing.md", "x", [place_of("see line 3 and lines 5-7 of other.jsonl:9, L12")])])
@example([("testing.md", "x", [place_of("a | b | c")]), ("MEMORY.md", "x", [place_of("`code` **bold** <br> [1] :3")])])
@example([("testing.md", "x", [place_of("say &quot;line 9&quot; twice")])])
@example([("testing.md", "x", [place_of("path\\\\to\\\\x line 4")])])
@example([("testing.md", "x", [place_of("12"), place_of("(s2.jsonl:4)")])])
@settings(max_examples=150, deadline=None)
def test_the_asked_form_is_read_perfectly(rows: list[tuple[str, str, list[Place]]]) -> None:
    read = parse_entries("".join(entry(*row) for row in rows))
    assert len(read) == len(rows)
    for found, (note, _, places) in zip(read, rows, strict=True):
        cited = [(one.name, one.line, one.end_line) for one in found.citations]
        expected = [(f"transcripts/{folder}/{name}.jsonl", line, line) for folder, name, line, _ in places]
        assert cited == list(dict.fromkeys(expected))
        assert found.references == ()
        assert f"memory/{note}: " in found.plain


def test_the_example_in_the_instructions_is_of_that_form() -> None:
    lines = [line.strip() for line in instructions(None).split("\n") if line.startswith("    - memory/")]
    assert len(lines) == 2
    (read,) = parse_entries(lines[1])
    assert [(one.line, one.end_line) for one in read.citations] == [(42, 42)]
    assert read.plain.startswith("memory/testing.md: ")


def test_a_commit_and_a_manifest_are_references() -> None:
    (read,) = parse_entries(
        '- memory/testing.md: moved (commit 0123456789ab "use lines 3-4 of a.jsonl:9"; web/package.json:12 "line 7")\n'
    )
    assert read.citations == ()
    assert [(one.kind, one.target, one.line) for one in read.references] == [
        ("commit", "0123456789ab", None),
        ("file", "web/package.json", 12),
    ]


def test_our_instructions_have_a_value_for_every_name() -> None:
    names = set(re.findall(r"{{(\w+)}}", instructions(None)))
    assert names == {"count", "since", "until"}
    prompt = build(instructions(None), dict.fromkeys(names, "7"), ["## Declined earlier\n\n- x\n", "  "])
    assert "{{" not in prompt
    assert prompt.endswith("\n\n## Declined earlier\n\n- x\n")


def test_a_file_of_the_user_replaces_them(tmp_path: Path) -> None:
    file = tmp_path / "mine.md"
    file.write_text("# Mine\n{{since}} {{unknown}} {braces}\n")
    assert build(instructions(str(file)), {"since": "2026-11-01"}) == "# Mine\n2026-11-01 {{unknown}} {braces}\n"


@pytest.mark.parametrize("data", [b"", b" \n", b"\xff", b"a\0b", b"x" * (MAX_BYTES + 1)])
def test_a_file_that_is_no_use(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "mine.md"
    file.write_bytes(data)
    with pytest.raises(UsageError):
        build(instructions(str(file)), {})


def test_paragraphs_name_what_is_asked() -> None:
    rows = [
        Advised("a\x1b.md", 3, Advice.REVIEW, "r", "said otherwise", ("s.jsonl:4",)),
        Advised("b.md", 1, Advice.REVIEW, "r", "x"),
    ]
    paragraph = queue_paragraph(rows)
    assert "- memory/a␛.md, line 3: said otherwise (see s.jsonl:4)\n- memory/b.md, line 1: x" in paragraph
    assert "`repository/package.json`" in repository_paragraph(3, ["package.json"])
