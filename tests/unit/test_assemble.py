from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.diff.engine import apply_edits
from memreview.diff.hunks import compare
from memreview.diff.lines import split_lines
from memreview.model.patch import FileChange
from memreview.model.review import ACCEPT, REJECT, Decision, Decisions, EditTo, TakeLines
from memreview.review.assemble import destination, edits, text
from memreview.review.decide import decided, effective
from tests.unit.texts import lines, notes, numbered, rewritten
from tests.unit.texts import text as texts


def one(base: bytes, proposed: bytes) -> FileChange:
    (file,) = compare(notes({"a.md": base}), notes({"a.md": proposed}))
    return file


def decide(file: FileChange, *decisions: Decision | None) -> bytes | None:
    named = {c.id: d for c, d in zip(file.changes(), decisions, strict=True) if d is not None}
    return text(file, Decisions(named))


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_accept_all_is_the_proposal_and_reject_all_the_base(data: st.DataObject) -> None:
    base = {f"{n}.md": data.draw(texts()) for n in range(5)}
    new = {f"{n}.md": data.draw(rewritten(base[f"{n}.md"])) for n in range(4)} | {"n.md": data.draw(texts())}
    for file in compare(notes(base), notes(new)):
        for accept, reject in (
            (Decisions({file.id: ACCEPT}), Decisions({file.id: REJECT})),
            (Decisions({c.id: ACCEPT for c in file.changes()} | {file.id: ACCEPT}), Decisions()),
        ):
            assert text(file, accept) == file.proposed
            assert destination(file, accept) == file.path
            assert text(file, reject) == file.base
            assert destination(file, reject) == (file.old_path or file.path)


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_all_lines_of_a_change_are_the_change_and_none_is_nothing(data: st.DataObject) -> None:
    base = data.draw(texts())
    proposed = data.draw(rewritten(base))
    if base == proposed or b"\0" in base + proposed:
        return
    file = one(base, proposed)
    whole = [TakeLines(frozenset(range(len(c.removed))), frozenset(range(len(c.added)))) for c in file.changes()]
    assert decide(file, *whole) == proposed
    assert decide(file, *[TakeLines() for _ in whole]) == base


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_some_lines_keep_their_order_and_their_bytes(data: st.DataObject) -> None:
    base, proposed = data.draw(texts()), data.draw(texts())
    if base == proposed or b"\0" in base + proposed:
        return
    file = one(base, proposed)
    taken = [
        TakeLines(
            frozenset(data.draw(st.sets(st.integers(0, len(c.removed) - 1)))) if c.removed else frozenset(),
            frozenset(data.draw(st.sets(st.integers(0, len(c.added) - 1)))) if c.added else frozenset(),
        )
        for c in file.changes()
    ]
    out: list[bytes] = []
    old, at = split_lines(base), 0
    for change, take in zip(file.changes(), taken, strict=True):
        out += old[at : change.old_start]
        at = change.edit.end
        if len(change.removed) == len(change.added):
            for n, (gone, come) in enumerate(zip(change.removed, change.added, strict=True)):
                out += [gone] * (n not in take.removed) + [come] * (n in take.added)
        else:
            out += [line for n, line in enumerate(change.removed) if n not in take.removed]
            out += [line for n, line in enumerate(change.added) if n in take.added]
    out += old[at:]
    named = Decisions({c.id: t for c, t in zip(file.changes(), taken, strict=True)})
    assert apply_edits(old, edits(file, named)) == tuple(out)
    made = text(file, named)
    assert made is not None
    if all(line.endswith(b"\n") for line in out[:-1]):
        assert made == b"".join(out)
    else:
        assert [x.rstrip(b"\r\n") for x in split_lines(made)] == [x.rstrip(b"\r\n") for x in out]


def test_narrower_wins() -> None:
    file = one(numbered(40), numbered(40, [3, 5, 30]))
    _, second, _ = file.changes()
    hunk = file.hunks[0]
    decisions = Decisions({file.id: ACCEPT, hunk.id: REJECT, second.id: ACCEPT})
    assert [one for _, one in decided(decisions, file)] == [REJECT, ACCEPT, ACCEPT]
    assert effective(decisions, file) == ACCEPT
    assert effective(Decisions(), file, second, hunk) is None
    assert text(file, decisions) == numbered(40, [5, 30])


def test_lines_of_a_block_pair_off() -> None:
    file = one(lines("role: dev", "city: Oslo", "end"), lines("role: lead", "city: Bergen", "end"))
    assert decide(file, TakeLines(frozenset({1}), frozenset({1}))) == lines("role: dev", "city: Bergen", "end")
    assert decide(file, TakeLines(frozenset(), frozenset({0}))) == lines("role: dev", "role: lead", "city: Oslo", "end")


def test_lines_of_an_uneven_block_keep_old_before_new() -> None:
    file = one(lines("a", "b", "c"), lines("x", "y"))
    assert decide(file, TakeLines(frozenset({0, 2}), frozenset({1}))) == lines("b", "y")
    assert decide(file, TakeLines(frozenset({0, 1, 2}), frozenset({0}))) == lines("x")
    assert decide(file, TakeLines(frozenset({1}), frozenset())) == lines("a", "c")


def test_taken_lines_leave_the_kept_ones_out_of_the_edit() -> None:
    file = one(lines("a", "b", "c"), lines("x", "y", "z"))
    (change,) = file.changes()
    (edit,) = edits(file, Decisions({change.id: TakeLines(frozenset({1}), frozenset({1}))}))
    assert (edit.start, edit.removed, edit.added) == (1, (b"b\n",), (b"y\n",))


@pytest.mark.parametrize(
    ("base", "proposed", "written", "wanted"),
    [
        (b"a\r\nb\r\n", b"a\r\nx\r\n", ("y", "z\r"), b"a\r\ny\r\nz\r\n"),
        (b"a\nb\n", b"a\nx\n", ("y\r",), b"a\ny\n"),
        (b"a\nb", b"a\nx", ("y", "z"), b"a\ny\nz"),
        (b"a\nb", b"a\nx\n", ("y",), b"a\ny\n"),
        (b"a\nb\n", b"a\nx", ("y",), b"a\ny"),
        (b"b", b"x", ("y", "z"), b"y\nz"),
        (b"a\r\nb", b"a\r\nx", ("y", "z"), b"a\r\ny\r\nz"),
        (b"a\nb\n", b"a\nx\n", (), b"a\n"),
        (b"a\nb\n", b"a\n", ("y",), b"a\ny\n"),
        (b"a\n", b"a\nnew\n", (), b"a\n"),
        (b"a\n", b"a\nnew\n", ("q\udcff",), b"a\nq\xff\n"),
    ],
)
def test_written_lines(base: bytes, proposed: bytes, written: tuple[str, ...], wanted: bytes) -> None:
    assert decide(one(base, proposed), EditTo(written)) == wanted


def test_a_line_that_is_no_longer_last_gets_a_line_end() -> None:
    file = one(b"a\r\nb", b"a\r\nb\r\nc")
    assert decide(file, TakeLines(frozenset(), frozenset({1}))) == b"a\r\nb\r\nc"


def test_added_notes() -> None:
    (file,) = compare({}, notes({"new.md": b"x\r\ny\r\n"}))
    assert decide(file, None) is None
    assert decide(file, REJECT) is None
    assert decide(file, EditTo(())) is None
    assert decide(file, EditTo(("z",))) == b"z\r\n"
    assert decide(file, TakeLines(frozenset(), frozenset({1}))) == b"y\r\n"


def test_deleted_notes() -> None:
    (file,) = compare(notes({"old.md": b"x\ny\n"}), {})
    assert decide(file, ACCEPT) is None
    assert decide(file, None) == b"x\ny\n"
    assert decide(file, TakeLines(frozenset({0}))) == b"y\n"
    assert decide(file, EditTo(())) is None
    assert decide(file, EditTo(("kept",))) == b"kept\n"


def test_a_note_that_is_emptied_stays_a_note() -> None:
    assert decide(one(b"x\n", b""), ACCEPT) == b""


def test_notes_without_changes_follow_their_own_id() -> None:
    for base, new in (({"b.md": b"a\0"}, {"b.md": b"b\0"}), ({}, {"b.md": b""}), ({"b.md": b""}, {})):
        (file,) = compare(notes(base), notes(new))
        assert text(file, Decisions({file.id: ACCEPT})) == new.get("b.md")
        assert text(file, Decisions({file.id: REJECT})) == base.get("b.md")
        assert text(file, Decisions()) == base.get("b.md")


def test_the_name_of_a_renamed_note_is_decided_by_its_file() -> None:
    (file,) = compare(notes({"old.md": numbered(20)}), notes({"new.md": numbered(20, [4])}))
    (change,) = file.changes()
    alone = Decisions({change.id: ACCEPT})
    assert (destination(file, alone), text(file, alone)) == ("old.md", numbered(20, [4]))
    name = Decisions({file.id: ACCEPT, change.id: REJECT})
    assert (destination(file, name), text(file, name)) == ("new.md", numbered(20))
    whole = Decisions({file.id: ACCEPT})
    assert (destination(file, whole), text(file, whole)) == ("new.md", numbered(20, [4]))
