from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.diff.engine import diff_texts
from memreview.diff.lines import split_lines
from memreview.diff.merge import Clash, Merged, OwnedEdit, merge
from memreview.model.patch import Edit
from tests.unit.texts import lines, numbered, rewritten, text


def owned(edits: Sequence[Edit], *, settles: bool = False) -> list[OwnedEdit]:
    return [OwnedEdit(e.start, e.removed, e.added, f"c{n}", settles) for n, e in enumerate(edits)]


def merge_texts(base: bytes, live: bytes, ours: bytes, *, index: bool = False, settles: bool = False) -> Merged:
    theirs, own = diff_texts([(base, live), (base, ours)])
    return merge(split_lines(base), theirs, owned(own, settles=settles), index=index)


def clash(merged: Merged) -> Clash:
    (found,) = merged.conflicts
    return found


def git_merge(base: bytes, live: bytes, ours: bytes) -> tuple[bytes, int]:
    with tempfile.TemporaryDirectory() as folder:
        for name, data in (("base", base), ("live", live), ("ours", ours)):
            Path(folder, name).write_bytes(data)
        command = ["git", "merge-file", "-p", "-q", "live", "base", "ours"]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return done.stdout, done.returncode


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_the_same_conflicts_and_the_same_text_as_git(data: st.DataObject) -> None:
    base = data.draw(text(max_lines=9)).replace(b"\0", b"z")
    live = data.draw(rewritten(base)).replace(b"\0", b"y")
    ours = data.draw(rewritten(base)).replace(b"\0", b"y")
    mine = merge_texts(base, live, ours)
    wanted, status = git_merge(base, live, ours)
    assert status < 128
    assert bool(mine.conflicts) == (status > 0)
    if not status:
        assert mine.data == wanted


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_without_changes_meanwhile_ours_is_the_result(data: st.DataObject) -> None:
    base = data.draw(text())
    ours = data.draw(rewritten(base))
    for index in (False, True):
        merged = merge_texts(base, base, ours, index=index)
        assert (merged.data, merged.conflicts) == (ours, ())
        merged = merge_texts(base, ours, base, index=index)
        assert (merged.data, merged.conflicts) == (ours, ())
        merged = merge_texts(base, ours, ours, index=index)
        assert (merged.data, merged.conflicts) == (ours, ())


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_what_settles_never_conflicts(data: st.DataObject) -> None:
    base = data.draw(text())
    live, ours = data.draw(rewritten(base)), data.draw(rewritten(base))
    merged = merge_texts(base, live, ours, settles=True)
    assert merged.conflicts == ()
    said = {line.rstrip(b"\r\n") for line in merged.lines}
    (edits,) = diff_texts([(base, ours)])
    assert all(line.rstrip(b"\r\n") in said for edit in edits for line in edit.added)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_the_index_rule_only_adds_clean_merges(data: st.DataObject) -> None:
    base = data.draw(text())
    live, ours = data.draw(rewritten(base)), data.draw(rewritten(base))
    plain, index = merge_texts(base, live, ours), merge_texts(base, live, ours, index=True)
    assert len(index.conflicts) <= len(plain.conflicts)


def test_changes_of_both_sides_are_kept() -> None:
    merged = merge_texts(numbered(10), numbered(10, [1]), numbered(10, [8]))
    assert (merged.data, merged.conflicts) == (numbered(10, [1, 8]), ())


def test_neighbours_touch_and_a_line_between_parts_them() -> None:
    assert merge_texts(numbered(9), numbered(9, [4]), numbered(9, [5])).conflicts
    assert not merge_texts(numbered(9), numbered(9, [4]), numbered(9, [6])).conflicts


def test_a_conflict_names_the_change_and_the_live_lines() -> None:
    base, live = lines("a", "b", "c", "d", "e", "f"), lines("a", "B", "c", "d", "e", "f")
    merged = merge_texts(base, live, lines("a", "x", "c", "d", "e", "F"))
    found = clash(merged)
    assert (found.changes, found.start, found.end) == (("c0",), 1, 2)
    assert (found.live, found.ours) == ((b"B\n",), (b"x\n",))
    assert merged.data == lines("a", "B", "c", "d", "e", "F")


def test_what_stands_there_already_is_not_doubled() -> None:
    merged = merge_texts(numbered(9), numbered(9, [2]) + b"end\n", numbered(9, [2, 6]))
    assert merged.data == numbered(9, [2, 6]) + b"end\n"
    assert merged.already == ("c0",)


INDEX = lines("- [A](a.md) — one", "- [B](b.md) — two")
LIVE, OURS = "- [L](l.md) — live", "- [D](d.md) — dream"


def test_index_entries_at_one_place_are_both_kept_live_first() -> None:
    args = (INDEX, INDEX + lines(LIVE), INDEX + lines(OURS))
    assert merge_texts(*args).conflicts
    merged = merge_texts(*args, index=True)
    assert (merged.data, merged.conflicts) == (INDEX + lines(LIVE, OURS), ())


@pytest.mark.parametrize("live_end", ["", "\n"])
@pytest.mark.parametrize("our_end", ["", "\n"])
def test_index_without_a_final_newline(live_end: str, our_end: str) -> None:
    base = INDEX.removesuffix(b"\n")
    merged = merge_texts(base, INDEX + (LIVE + live_end).encode(), INDEX + (OURS + our_end).encode(), index=True)
    last = b"\n" if live_end or our_end else b""
    assert (merged.data, merged.conflicts) == (INDEX + lines(LIVE) + OURS.encode() + last, ())


def test_an_entry_that_both_made_is_entered_once() -> None:
    merged = merge_texts(INDEX, INDEX + lines(LIVE, OURS), INDEX + lines(OURS), index=True)
    assert (merged.data, merged.already) == (INDEX + lines(LIVE, OURS), ("c0",))
    above = lines(OURS) + INDEX
    merged = merge_texts(INDEX, above, INDEX + lines(OURS), index=True)
    assert (merged.data, merged.already) == (above, ("c0",))


def test_only_pure_insertions_of_entries_are_both_kept() -> None:
    changed = INDEX.replace(b"two", b"2")
    assert merge_texts(INDEX, changed + lines(LIVE), INDEX + lines(OURS), index=True).conflicts
    assert merge_texts(INDEX, INDEX + b"prose\n", INDEX + lines(OURS), index=True).conflicts


def test_an_edit_replaces_the_live_line() -> None:
    base, live = lines("a", "b", "c"), lines("a", "live", "c")
    merged = merge_texts(base, live, lines("a", "written", "c"), settles=True)
    assert (merged.data, merged.conflicts) == (lines("a", "written", "c"), ())


def test_an_edit_leaves_live_lines_that_only_touch_it() -> None:
    base = lines("a", "b", "c", "d")
    written = lines("a", "W", "c", "d")
    for live, wanted in (
        (lines("a", "b", "C", "d"), lines("a", "W", "C", "d")),
        (lines("a", "B", "C", "d"), lines("a", "W", "C", "d")),
        (lines("A", "B", "C", "d"), lines("A", "W", "C", "d")),
        (lines("a", "b", "new", "c", "d"), lines("a", "W", "new", "c", "d")),
        (lines("a", "new", "b", "c", "d"), lines("a", "new", "W", "c", "d")),
        (lines("a", "c", "d"), lines("a", "W", "c", "d")),
        (lines("a", "d"), lines("a", "W", "d")),
    ):
        assert merge_texts(base, live, written, settles=True).data == wanted, live


def test_an_edit_that_holds_the_live_lines_does_not_double_them() -> None:
    base = lines("a")
    live, both = lines("a", "live"), lines("a", "live", "dream")
    assert merge_texts(base, live, both, settles=True).data == both
    assert merge_texts(base, live, lines("a", "dream"), settles=True).data == both
    base = lines("a", "b", "c")
    merged = merge_texts(base, lines("a", "b", "C"), lines("a", "W", "C"), settles=True)
    assert merged.data == lines("a", "W", "C")
    own = [OwnedEdit(1, (b"b\n",), (b"W\n", b"C\n"), "c", True)]
    live_edits = [Edit(2, (b"c\n",), (b"C\n",))]
    assert merge(split_lines(base), live_edits, own).data == lines("a", "W", "C")


def test_edits_of_neighbours_in_one_rewritten_block_stand_in_order() -> None:
    base = numbered(8)
    live = [Edit(1, split_lines(base)[1:6], (b"all\n",))]
    own = [OwnedEdit(2, (b"line 2\n",), (b"X\n",), "x", True), OwnedEdit(4, (b"line 4\n",), (b"Y\n",), "y", True)]
    merged = merge(split_lines(base), live, own)
    assert merged.data == lines("line 0", "X", "Y", "line 6", "line 7")
    assert merged.conflicts == ()


def test_an_edit_replaces_what_was_put_inside_it() -> None:
    base = numbered(5)
    live = [Edit(2, (), (b"inside\n",))]
    own = [OwnedEdit(1, (b"line 1\n", b"line 2\n"), (b"W\n",), "w", True)]
    assert merge(split_lines(base), live, own).data == lines("line 0", "W", "line 3", "line 4")


def test_an_edit_of_a_last_line_without_end_keeps_what_was_appended() -> None:
    merged = merge_texts(b"a\nb", b"a\nb\nlive\n", b"a\nwritten", settles=True)
    assert (merged.data, merged.conflicts) == (b"a\nwritten\nlive\n", ())
    merged = merge_texts(b"- a", b"- a2\n", b"- a\n- b\n", settles=True, index=True)
    assert merged.data == b"- a\n- b\n"


def test_an_accepted_change_still_conflicts_beside_an_edit() -> None:
    base = numbered(6)
    live = diff_texts([(base, base.replace(b"line 1\nline 2\nline 3\n", b"all\n"))])[0]
    ours = [
        OwnedEdit(1, (b"line 1\n",), (b"w\n",), "written", True),
        OwnedEdit(3, (b"line 3\n",), (b"x\n",), "accepted"),
    ]
    assert clash(merge(split_lines(base), live, ours)).changes == ("accepted",)


def test_lines_end_where_they_are_no_longer_last() -> None:
    ours = [OwnedEdit(2, (), (b"c",), "c")]
    assert merge((b"a\r\n", b"b"), (), ours).data == b"a\r\nb\r\nc"
