"""What an earlier apply of a review carried out is settled, and the rest goes in as if all had been taken at once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.apply.plan import make_plan
from memreview.apply.standing import with_standing
from memreview.model.dream import Review, Target, TargetKind
from memreview.model.memory import MemoryFolder
from memreview.model.review import ACCEPT, REJECT, Applied, Decision, Decisions, EditTo, TakeLines
from memreview.review.index import index_of
from memreview.review.rest import rest_of
from tests.unit import texts
from tests.unit.reviews import Texts, change_with, file_of, folder, review

BASE = "# Deploy\n\n- Staging: `staging`.\n- Production: tags.\n\n## Rollback\n\n- Previous tag.\n"
DREAM = (
    "# Deploy\n\n- Staging: `main`.\n- Two eyes.\n- Production: tags.\n\n## Rollback\n\n- Previous tag, then tell.\n"
)
EDITED = EditTo(("- Staging: `trunk`.",))


def after(made: Review, decisions: Decisions, live: MemoryFolder) -> MemoryFolder:
    """The folder when the decisions were carried out."""
    plan = make_plan(made, decisions, live)
    assert plan.conflicts == ()
    now = {path: note.data for path, note in live.notes.items()}
    for file in plan.files:
        if file.new is None:
            now.pop(file.path, None)
        else:
            now[file.path] = file.new
    return folder(now)


def carried(decisions: Decisions, commit: str = "abc") -> dict[str, Applied]:
    return {item: Applied(decision, commit) for item, decision in decisions.by_id.items() if decision != REJECT}


def texts_of(live: MemoryFolder) -> dict[str, bytes]:
    return {path: note.data for path, note in live.notes.items()}


def known(made: Review, decisions: Decisions, live: MemoryFolder) -> Review:
    return with_standing(made, live, carried(decisions))


@pytest.mark.parametrize("decision", [ACCEPT, EDITED, TakeLines(frozenset({0}), frozenset({1}))])
def test_our_own_lines_are_no_conflict_and_nobody_elses(decision: Decision) -> None:
    made = replace(review({"d.md": BASE}, {"d.md": DREAM}), moved_since=("d.md",))
    decisions = Decisions({change_with(made, "`main`").id: decision})
    live = after(made, decisions, folder({"d.md": BASE}))
    again = known(made, decisions, live)
    assert set(again.applied) == set(decisions.by_id)
    assert again.undone == frozenset()
    assert again.conflicts == {}
    assert again.moved_since == ()
    tell = change_with(made, "then tell").id
    second = make_plan(again, Decisions({**decisions.by_id, tell: ACCEPT}), live)
    assert [item.id for item in second.accepted] == [tell]
    assert (second.applied, second.total) == (1, 2)
    assert second.files[0].new == live.notes["d.md"].data.replace(b"tag.\n", b"tag, then tell.\n")


def test_what_another_session_did_meanwhile_still_counts() -> None:
    made = replace(review({"d.md": BASE}, {"d.md": DREAM}), moved_since=("d.md",))
    decisions = Decisions({change_with(made, "`main`").id: EDITED})
    live = after(made, decisions, folder({"d.md": BASE}))
    theirs = folder({"d.md": live.notes["d.md"].data.replace(b"Previous tag", b"Any tag")})
    again = known(made, decisions, theirs)
    assert set(again.applied) == set(decisions.by_id)
    assert set(again.conflicts) == {change_with(made, "then tell").id}
    assert again.moved_since == ("d.md",)
    over = folder({"d.md": live.notes["d.md"].data.replace(b"trunk", b"release")})
    assert set(known(made, decisions, over).applied) == set(decisions.by_id)


def test_what_was_taken_back_is_undone() -> None:
    made = review({"d.md": BASE}, {"d.md": DREAM})
    main, tell = change_with(made, "`main`").id, change_with(made, "then tell").id
    decisions = Decisions({main: EDITED, tell: ACCEPT})
    live = after(made, decisions, folder({"d.md": BASE}))
    whole = known(made, decisions, folder({"d.md": BASE}))
    assert (set(whole.applied), set(whole.undone)) == (set(), {main, tell})
    half = folder({"d.md": live.notes["d.md"].data.replace(b"`trunk`", b"`staging`")})
    part = known(made, decisions, half)
    assert (set(part.applied), set(part.undone)) == ({tell}, {main})
    assert make_plan(part, Decisions({main: ACCEPT}), half).files[0].new == DREAM.encode()


STEPS = "".join(f"{n}. step number {n} of the release\n" for n in range(1, 30))
RENAMED = STEPS.replace("number 7", "number seven").replace("number 20", "number twenty")


@pytest.mark.parametrize("first", ["name", "seven"])
def test_a_rename_and_its_changes_can_go_in_one_after_the_other(first: str) -> None:
    made = review({"old.md": STEPS}, {"new.md": RENAMED})
    file = file_of(made, "new.md")
    seven, twenty = change_with(made, "seven").id, change_with(made, "twenty").id
    decisions = Decisions({file.id: ACCEPT, seven: REJECT, twenty: REJECT} if first == "name" else {seven: ACCEPT})
    live = after(made, decisions, folder({"old.md": STEPS}))
    again = with_standing(made, live, {file.id if first == "name" else seven: Applied(ACCEPT)})
    assert len(again.applied) == 1
    assert again.conflicts == {}
    rest = Decisions({file.id: ACCEPT, seven: ACCEPT, twenty: ACCEPT})
    assert texts_of(after(again, rest, live)) == {"new.md": RENAMED.encode()}
    assert known(made, decisions, folder({"old.md": STEPS})).applied == {}


@pytest.mark.parametrize(
    ("base", "proposed"),
    [
        ({}, {"n.md": "new\n"}),
        ({"n.md": "gone\n"}, {}),
        ({"n.md": b"\0\1"}, {"n.md": b"\0\2"}),
        ({}, {"n.md": ""}),
        ({"n.md": STEPS}, {"m.md": STEPS}),
    ],
)
def test_whole_notes(base: Texts, proposed: Texts) -> None:
    made = review(base, proposed)
    (unit,) = index_of(made).units
    decisions = Decisions({unit.id: ACCEPT})
    live = after(made, decisions, folder(base))
    again = known(made, decisions, live)
    assert set(again.applied) == {unit.id}
    assert rest_of(made.files[0], again.applied) is None
    assert again.conflicts == {}
    assert make_plan(again, decisions, live).files == ()
    back = known(made, decisions, folder(base))
    assert (set(back.applied), set(back.undone)) == (set(), {unit.id})


def test_a_note_that_is_gone_since_is_not_brought_back() -> None:
    made = review({"d.md": BASE}, {"d.md": DREAM})
    decisions = Decisions({change_with(made, "`main`").id: ACCEPT})
    again = known(made, decisions, folder({}))
    assert set(again.applied) == set(decisions.by_id)
    assert make_plan(again, decisions, folder({})).files == ()


def test_in_place_only_an_older_base_shows_what_was_committed() -> None:
    made = review({"d.md": BASE}, {"d.md": DREAM})
    main = change_with(made, "`main`").id
    head = replace(made, target=Target(TargetKind.LIVE, live="/m/memory"))
    past = with_standing(head, folder({"d.md": DREAM}), {main: Applied(ACCEPT, "abc")})
    assert (set(past.applied), set(past.undone)) == (set(), {main})
    since = replace(made, target=Target(TargetKind.LIVE, live="/m/memory", since="HEAD~3"))
    known_since = with_standing(since, folder({"d.md": DREAM}), {main: Applied(ACCEPT, "abc")})
    assert (set(known_since.applied), set(known_since.undone)) == ({main}, set())


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_two_applies_make_what_one_makes(data: st.DataObject) -> None:
    base = data.draw(texts.text(24))
    proposed = data.draw(texts.rewritten(base))
    made = texts.make_review({"a.md": base}, {"a.md": proposed})
    ids = [unit.id for unit in index_of(made).units]
    chosen = data.draw(st.lists(st.sampled_from(ids), unique=True) if ids else st.just([]))
    first = Decisions(dict.fromkeys(chosen, ACCEPT))
    everything = Decisions(dict.fromkeys(ids, ACCEPT))
    before = folder({"a.md": base})
    live = after(made, first, before)
    again = known(made, first, live)
    assert set(again.applied) == set(chosen)
    assert again.conflicts == {}
    assert texts_of(after(again, everything, live)) == {"a.md": proposed}
