from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memreview.model.dream import Conflict, Target, TargetKind
from memreview.model.patch import Change
from memreview.model.review import ACCEPT, REJECT, EditTo, TakeLines
from memreview.report.times import local_time
from memreview.review.index import index_of
from memreview.review.state import ReviewState
from memreview.tui.editor import SCISSORS, Edited, EditorError, edit_lines, editor_command
from memreview.tui.facts import ACCEPTED, BY_LINES, UNDECIDED, Flag
from memreview.tui.items import ItemKind
from memreview.tui.line_picker import LinePicker
from memreview.tui.rows.diff import LineRef
from memreview.tui.session import Session, Shows
from tests.tui.reviews import make_ledger, make_review

BASE = {"a.md": "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "b.md": "b\n", "gone.md": "x\n"}
PROPOSED = {"a.md": "one\n2\n3\n4\n5\n6\n7\n8\n", "b.md": "b\nmore\n"}


def session(saved: list[ReviewState] | None = None) -> Session:
    return Session(make_ledger(make_review(BASE, PROPOSED), saved))


def path_of(held: Session) -> str:
    unit = held.unit()
    assert unit is not None
    return f"{unit.file.path}:{unit.change.old_line if unit.change else 0}"


def test_walking_stops_at_the_ends_and_goes_round_for_undecided() -> None:
    held = session()
    walked = [path_of(held)]
    while held.go("next"):
        walked.append(path_of(held))
    assert walked == ["a.md:1", "a.md:9", "b.md:2", "gone.md:1"]
    assert held.go("next_undecided")
    assert path_of(held) == "a.md:1"
    assert not held.go("previous")
    assert held.go("next_file")
    assert path_of(held) == "b.md:2"
    assert held.go("previous_file")
    assert path_of(held) == "a.md:9"


def test_every_decision_is_saved_at_once_and_moves_are_not() -> None:
    saved: list[ReviewState] = []
    held = session(saved)
    held.ledger.decide(held.numbers(), ACCEPT)
    held.go("next")
    assert [len(state.decisions.by_id) for state in saved] == [1]
    held.ledger.decide(held.numbers(), REJECT)
    held.ledger.decide(held.numbers(), REJECT)
    assert [len(state.decisions.by_id) for state in saved] == [1, 2]


def test_flags() -> None:
    ledger = session().ledger
    assert Flag.DELETION not in ledger.flags(0)
    assert Flag.DELETION in ledger.flags(1)
    assert Flag.DELETION in ledger.flags(3)
    assert Flag.UNEXPLAINED in ledger.flags(2)


def test_undecided_filter_keeps_the_place() -> None:
    held = session()
    held.ledger.decide((0,), ACCEPT)
    held.go("last")
    assert held.show(Shows.UNDECIDED)
    assert path_of(held) == "gone.md:1"
    assert [item.units for item in held.items if item.kind is ItemKind.UNIT] == [(1,), (2,), (3,)]
    held.go_to(0)
    assert held.shows is Shows.ALL
    assert path_of(held) == "a.md:1"


def test_undo_names_what_it_undid() -> None:
    ledger = session().ledger
    ledger.decide((0, 1), ACCEPT)
    assert set(ledger.step_back()) == {ledger.units[0].id, ledger.units[1].id}
    assert ledger.look(0) is UNDECIDED
    ledger.step_back(again=True)
    assert ledger.look(0) is ACCEPTED
    assert ledger.step_back(again=True) == ()


def test_lines_that_are_all_or_none_are_a_plain_decision() -> None:
    held = session()
    unit = held.unit()
    assert unit is not None
    held.ledger.set_lines(unit, TakeLines(frozenset({0}), frozenset({0})))
    assert held.ledger.decision(unit.id) == ACCEPT
    held.ledger.set_lines(unit, TakeLines())
    assert held.ledger.decision(unit.id) == REJECT
    held.ledger.set_lines(unit, TakeLines(frozenset(), frozenset({0})))
    assert held.ledger.look(0) is BY_LINES


def test_an_editor_goes_on_with_what_was_written_before() -> None:
    ledger = session().ledger
    assert ledger.lines_to_edit(ledger.units[0]) == ("one",)
    ledger.decide((0,), EditTo(("mine",)))
    assert ledger.lines_to_edit(ledger.units[0]) == ("mine",)


def test_picking_lines() -> None:
    change = Change("c", 0, 0, (b"a\n", b"b\n"), (b"c\n",))
    picker = LinePicker(change, None)
    assert picker.taken == TakeLines(frozenset({0, 1}), frozenset({0}))
    picker.move(1)
    picker.toggle()
    assert picker.taken == TakeLines(frozenset({0}), frozenset({0}))
    picker.move(5)
    assert picker.line == LineRef("added", 0)
    assert not picker.stand(LineRef("added", 7))
    assert LinePicker(change, REJECT).taken == TakeLines()


@pytest.mark.parametrize(
    ("timestamp", "shown"),
    [
        ("2026-11-01T09:05:00.000Z", "1 Nov 2026 09:05"),
        ("2026-11-01T09:05:00+02:00", "1 Nov 2026 07:05"),
        (None, "no time"),
        ("yesterday", "yesterday"),
        ("9999-12-31T23:59:59-23:00", "9999-12-31T23:59:59-23:00"),
    ],
)
def test_local_time(timestamp: str | None, shown: str) -> None:
    assert local_time(timestamp) == shown


def test_the_editor_is_found_as_a_shell_would(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "ed --wait 'two words'")
    monkeypatch.delenv("VISUAL", raising=False)
    assert editor_command() == ["ed", "--wait", "two words"]
    monkeypatch.setenv("VISUAL", "vi")
    assert editor_command() == ["vi"]
    monkeypatch.setenv("VISUAL", "'unfinished")
    with pytest.raises(EditorError, match=r"\$VISUAL"):
        editor_command()


def test_undecodable_bytes_go_through_an_editor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VISUAL", "sed -i s/a/b/")
    edited = edit_lines(["a\udcff", "\r", ""], "sub/note.md")
    assert edited.lines == ("b\udcff", "", "")
    assert edited.changed


BESIDE = ["Below is only to look at.", "- theirs"]


def edited_by(command: str, monkeypatch: pytest.MonkeyPatch, lines: list[str], beside: list[str]) -> Edited:
    monkeypatch.setenv("VISUAL", command)
    return edit_lines(lines, "note.md", beside=beside)


def test_lines_beside_are_shown_and_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = ["- mine", SCISSORS, "- more"]
    assert edited_by("touch", monkeypatch, mine, BESIDE) == Edited(tuple(mine), False, True)
    assert edited_by("true", monkeypatch, mine, BESIDE) == Edited(tuple(mine), False, False)
    done = edited_by("sed -i s/theirs/other/", monkeypatch, ["- mine"], BESIDE)
    assert (done.lines, done.changed, done.saved) == (("- mine",), False, True)
    assert edited_by("sed -i s/mine/ours/", monkeypatch, ["- mine"], BESIDE) == Edited(("- ours",), True)
    assert edited_by("sed -i 1d", monkeypatch, ["- mine"], BESIDE) == Edited((), True)
    assert edited_by("sed -i '2,$d'", monkeypatch, ["- mine"], BESIDE).lines == ("- mine",)
    with pytest.raises(EditorError, match="scissors was taken out"):
        edited_by("sed -i 2d", monkeypatch, ["- mine"], BESIDE)


def test_a_settled_conflict_has_no_sign_of_one() -> None:
    review = make_review(BASE, PROPOSED)
    unit = index_of(review).units[0]
    conflict = Conflict(unit.file.path, unit.id, "the note was changed since the dream read it", (b"x\n",))
    ledger = make_ledger(replace(review, conflicts={unit.id: conflict}))
    assert Flag.CONFLICT in ledger.flags(0)
    for decision, shown in ((ACCEPT, True), (EditTo(("x",)), False), (REJECT, False), (None, True)):
        ledger.decide((0,), decision)
        assert (Flag.CONFLICT in ledger.flags(0)) is shown
    gone = replace(conflict, reason="the note was deleted since the dream read it")
    ledger = make_ledger(replace(review, conflicts={unit.id: gone}))
    ledger.decide((0,), EditTo(("x",)))
    assert Flag.CONFLICT in ledger.flags(0)
    assert ledger.conflict(unit) is None


def test_what_a_rejection_means_where_the_folder_was_edited_in_place() -> None:
    review = replace(make_review(BASE, PROPOSED), target=Target(TargetKind.LIVE, live="/memory"))
    assert "back on disk" in make_ledger(review).decide((0,), REJECT)
    assert make_ledger(make_review(BASE, PROPOSED)).decide((0,), REJECT) == ""
