"""What a note says of itself, in every form of frontmatter."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.checks.note_facts import NoteFacts, note_facts, stamp_seconds

NEW = """---
name: pruning
description: when "young" trees are cut
metadata:
  node_type: memory
  type: project
  originSessionId: f5a4
  modified: 2026-07-01T10:20:00.000Z
---

Text.
"""
FLAT = "---\nname: pruning\ntype: project\noriginSessionId: f5a4\nmodified: '2026-07-01T10:20:00Z'\n---\nText.\n"


def facts(text: str) -> NoteFacts:
    return note_facts(text.encode())


@pytest.mark.parametrize("text", [NEW, FLAT, NEW.replace("\n", "\r\n"), "\ufeff" + NEW])
def test_both_forms(text: str) -> None:
    found = facts(text)
    assert (found.name, found.type, found.session) == ("pruning", "project", "f5a4")
    assert found.modified == stamp_seconds("2026-07-01T10:20:00+00:00")
    assert found.stamped
    assert not found.unclosed
    assert text[found.body :].lstrip().startswith("Text.")


def test_what_strict_parsers_refuse_is_read_all_the_same() -> None:
    found = facts("---\nname: a\ndescription: ratio: 3: [1\n\tx\noriginSessionId: f5a4\n---\n")
    assert (found.name, found.session, found.description) == ("a", "f5a4", "ratio: 3: [1")
    assert found.broken
    folded = facts("---\nname: a\ndescription: >\n  long\n  text\ntags: [a, b]\n---\n")
    assert folded.description.strip() == "long text"
    assert folded.broken is None


def test_what_is_no_frontmatter() -> None:
    assert facts("---\nname: a\n...\ntext").unclosed
    for text in ("# a\n---\nname: b\n---\n", "\n---\nname: b\n---\n", "----\nname: b\n---\n", ""):
        assert facts(text) == NoteFacts()
    assert facts("---\n---\ntext").keys == {}


def test_nested_wins() -> None:
    assert facts("---\ntype: user\nmetadata:\n  type: project\n---\n").type == "project"


@given(st.binary(max_size=60), st.lists(st.sampled_from("a: b,metadata:, - x, &a *b,\t,!!x,'\",x: |, y: {".split(","))))
@settings(max_examples=120)
def test_no_bytes_make_it_raise(data: bytes, lines: list[str]) -> None:
    note_facts(data)
    note_facts(b"---\n" + "\n".join(lines).encode() + b"\n" + data + b"\n---\n" + data)


@pytest.mark.parametrize("stamp", ["", "now", "2026-13-01", "2026-07-01T10:20:00.000Z ", "9999-12-31T23:59:59-23:59"])
def test_odd_stamps(stamp: str) -> None:
    assert stamp_seconds(stamp) is None or stamp.startswith(("2026", "9999"))
