"""Notes whose bytes memory.diff does not hold, and what else their names can do to it."""

from __future__ import annotations

import pytest

from memreview.diff.parse import parse_diff
from memreview.errors import DreamError
from tests.unit.dreamworld import World, put, sides

OLD, NEW, OTHER = b"old\0\n", b"new\0\n", b"other\0\n"


@pytest.mark.parametrize("after", [NEW, None])
def test_the_old_bytes_are_those_of_the_real_note(world: World, after: bytes | None) -> None:
    world.notes(a=OLD, b="b\n")
    world.begin()
    world.dream("a.md", after)
    world.finish()
    assert sides(world.propose()) == {"a.md": (OLD, after)}


def test_a_note_that_came_since_is_not_what_the_dream_began_with(world: World) -> None:
    world.notes(b="b\n")
    world.begin()
    world.dream("a.md", NEW)
    world.finish()
    put(world.memory, "a.md", OTHER)
    assert sides(world.propose()) == {"a.md": (None, NEW)}


def test_a_note_that_was_committed_since_is_not_what_the_dream_began_with(world: World) -> None:
    world.notes(a=OLD)
    world.commit()
    world.begin()
    world.dream("a.md", NEW)
    world.finish()
    world.live("a.md", OTHER)
    world.commit()
    assert sides(world.propose()) == {"a.md": (OLD, NEW)}


@pytest.mark.parametrize("name", ["two\nlines.md", "in\na/fol\nder.md"])
def test_line_feeds_in_the_names_of_binary_notes(world: World, name: str) -> None:
    world.notes(b="b\n")
    put(world.memory, name, OLD, 1)
    world.begin()
    world.dream(name, NEW)
    world.dream("b.md", "bb\n")
    world.finish()
    assert sides(world.propose()) == {name: (OLD, NEW), "b.md": (b"b\n", b"bb\n")}


def test_lines_that_never_become_two_names_are_refused_where_they_begin() -> None:
    with pytest.raises(DreamError, match="line 1: this is no part"):
        parse_diff(b"Binary files /a/b.md\n" + b"and more\n" * 40)


def test_a_deletion_alone_tells_the_whole_old_text(world: World) -> None:
    world.notes(a="one\ntwo\n", b="b\n")
    world.begin()
    world.dream("a.md", None)
    world.finish(memory=False)
    world.live("a.md", "one\nTWO\n")
    assert sides(world.propose()) == {"a.md": (b"one\ntwo\n", None)}


def test_without_a_diff_a_note_that_was_never_committed_began_as_it_is(world: World) -> None:
    world.notes(b="b\n")
    world.commit()
    world.notes(a="a\n")
    world.begin()
    world.dream("a.md", "aa\n")
    world.finish(diff=False)
    assert sides(world.propose("-home-dev-lantern")) == {"a.md": (b"a\n", b"aa\n")}
