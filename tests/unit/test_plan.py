from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.apply.plan import find_conflicts, make_plan
from memreview.apply.planned import Plan
from memreview.errors import RefusedError
from memreview.model.review import ACCEPT, REJECT, Decisions, EditTo, TakeLines
from tests.unit.reviews import accept_all, change_with, decide, file_of, folder, notes, reject_all, review

BASE = "# Deploy\n\n- Staging: `staging`.\n- Production: tags.\n\n## Rollback\n\n- Previous tag.\n"
DREAM = "# Deploy\n\n- Staging: `main`.\n- Production: tags.\n\n## Rollback\n\n- Previous tag, then tell.\n"


def outcome(plan: Plan) -> dict[str, bytes | None]:
    return {file.path: file.new for file in plan.files}


def why(plan: Plan) -> list[tuple[str, str]]:
    return [(conflict.path, conflict.reason) for conflict in plan.conflicts]


def test_accepting_all_is_the_proposal_and_rejecting_all_is_nothing() -> None:
    base = {"a.md": "one\n", "gone.md": "g\n", "same.md": "s\n", "emptied.md": "x\n"}
    proposed = {
        "a.md": "two\n",
        "same.md": "s\n",
        "new.md": "n\n",
        "hollow.md": "",
        "emptied.md": "",
        "sub/x.md": "d\n",
    }
    made = review(base, proposed)
    plan = make_plan(made, accept_all(made), folder(base))
    assert outcome(plan) == {
        "a.md": b"two\n",
        "emptied.md": b"",
        "gone.md": None,
        "hollow.md": b"",
        "new.md": b"n\n",
        "sub/x.md": b"d\n",
    }
    assert (plan.applied, plan.rejected, plan.total) == (6, 0, 6)
    assert {file.path for file in plan.deletes} == {"gone.md"}
    nothing = make_plan(made, reject_all(made), folder(base))
    assert nothing.files == ()
    assert (nothing.applied, nothing.rejected) == (0, 6)
    assert make_plan(made, Decisions(), folder(base)).files == ()


def test_only_the_accepted_change_is_planned() -> None:
    made = review({"d.md": BASE}, {"d.md": DREAM})
    plan = make_plan(made, decide(made, tell=ACCEPT), folder({"d.md": BASE}))
    assert outcome(plan) == {"d.md": BASE.replace("Previous tag.", "Previous tag, then tell.").encode()}
    assert [item.change for item in plan.accepted] == [change_with(made, "tell")]
    assert (plan.applied, plan.rejected, plan.total) == (1, 0, 2)


def test_a_line_that_another_session_wrote_stays() -> None:
    made = review({"d.md": BASE}, {"d.md": DREAM})
    live = BASE + "- Rotated in October.\n"
    plan = make_plan(made, decide(made, main=ACCEPT), folder({"d.md": live}))
    assert outcome(plan) == {"d.md": live.replace("`staging`", "`main`").encode()}


def test_an_overlap_is_a_conflict_of_the_accepted_change_alone() -> None:
    made = review({"d.md": BASE}, {"d.md": DREAM})
    live = folder({"d.md": BASE.replace("`staging`", "`next`")})
    plan = make_plan(made, accept_all(made), live)
    assert [conflict.change for conflict in plan.conflicts] == [change_with(made, "main").id]
    assert plan.conflicts[0].live == (b"- Staging: `next`.\n",)
    clear = make_plan(made, decide(made, main=REJECT, tell=ACCEPT), live)
    assert clear.conflicts == ()
    assert outcome(clear) == {"d.md": BASE.replace("`staging`", "`next`").replace("tag.", "tag, then tell.").encode()}


def test_an_edit_settles_a_conflict() -> None:
    made = review({"d.md": BASE}, {"d.md": DREAM})
    live = folder({"d.md": BASE.replace("`staging`", "`next`")})
    plan = make_plan(made, decide(made, main=EditTo(("- Staging: `main` or `next`.",))), live)
    assert plan.conflicts == ()
    assert outcome(plan) == {"d.md": BASE.replace("`staging`", "`main` or `next`").encode()}


def test_what_stands_there_already_is_not_doubled() -> None:
    made = review({"d.md": BASE}, {"d.md": DREAM})
    plan = make_plan(made, accept_all(made), folder({"d.md": DREAM}))
    assert plan.files == ()
    assert plan.conflicts == ()
    assert [item.already for item in plan.accepted] == [True, True]


def test_a_note_that_is_gone_does_not_come_back() -> None:
    made = review({"d.md": BASE}, {"d.md": DREAM})
    plan = make_plan(made, decide(made, main=ACCEPT), folder({}))
    assert why(plan) == [("d.md", "the note was deleted since the dream read it")]
    assert make_plan(made, reject_all(made), folder({})).conflicts == ()


def test_a_taken_name() -> None:
    made = review({}, {"r.md": "mine\n"})
    taken = why(make_plan(made, accept_all(made), folder({"r.md": "theirs\n"})))
    assert taken == [("r.md", "a note of this name was written since the dream ran")]
    same = make_plan(made, accept_all(made), folder({"r.md": "mine\n"}))
    assert (same.files, same.conflicts) == ((), ())
    empty = review({}, {"e.md": ""})
    assert why(make_plan(empty, accept_all(empty), folder({"e.md": "theirs\n"})))[0][0] == "e.md"
    assert make_plan(empty, accept_all(empty), folder({"e.md": ""})).files == ()


def test_an_index_that_both_sides_began_keeps_the_entries_of_both() -> None:
    made = review({}, {"MEMORY.md": "- [B](b.md)\n"})
    plan = make_plan(made, accept_all(made), folder({"MEMORY.md": "- [A](a.md)\n"}))
    assert outcome(plan) == {"MEMORY.md": b"- [A](a.md)\n- [B](b.md)\n"}


def test_both_appended_to_the_index() -> None:
    base = "# Memory\n\n- [A](a.md)\n"
    made = review({"MEMORY.md": base}, {"MEMORY.md": base + "- [Dream](d.md)\n"})
    plan = make_plan(made, accept_all(made), folder({"MEMORY.md": base + "- [Live](l.md)\n"}))
    assert outcome(plan) == {"MEMORY.md": (base + "- [Live](l.md)\n- [Dream](d.md)\n").encode()}


def test_deleting_a_note_that_was_changed_since_is_a_conflict() -> None:
    made = review({"g.md": "g\n"}, {})
    assert outcome(make_plan(made, accept_all(made), folder({"g.md": "g\n"}))) == {"g.md": None}
    assert make_plan(made, accept_all(made), folder({})).files == ()
    assert why(make_plan(made, accept_all(made), folder({"g.md": "g\nmore\n"}))) == [
        ("g.md", "the note was changed since the dream read it")
    ]


def test_taking_some_lines_of_a_deletion_keeps_the_note() -> None:
    made = review({"g.md": "one\ntwo\n"}, {})
    plan = make_plan(made, decide(made, one=TakeLines(removed=frozenset({0}))), folder({"g.md": "one\ntwo\n"}))
    assert outcome(plan) == {"g.md": b"two\n"}


STEPS = "".join(f"{n}. step number {n} of the release\n" for n in range(1, 12))


def test_a_rename_takes_what_the_note_holds_now() -> None:
    made = review({"old.md": STEPS}, {"new.md": STEPS.replace("number 7", "number seven")})
    file = file_of(made, "new.md")
    live = folder({"old.md": "intro\n\n" + STEPS})
    plan = make_plan(made, Decisions({file.id: ACCEPT}), live)
    assert outcome(plan) == {
        "new.md": ("intro\n\n" + STEPS.replace("number 7", "number seven")).encode(),
        "old.md": None,
    }
    assert next(item for item in plan.files if item.new).like == live.notes["old.md"]
    alone = make_plan(made, decide(made, seven=ACCEPT), live)
    assert outcome(alone) == {"old.md": ("intro\n\n" + STEPS.replace("number 7", "number seven")).encode()}


def test_a_bare_rename_and_its_obstacles() -> None:
    made = review({"old.md": STEPS}, {"new.md": STEPS})
    decisions = accept_all(made)
    assert outcome(make_plan(made, decisions, folder({"old.md": STEPS}))) == {"new.md": STEPS.encode(), "old.md": None}
    assert outcome(make_plan(made, decisions, folder({"old.md": "changed\n"}))) == {
        "new.md": b"changed\n",
        "old.md": None,
    }
    assert make_plan(made, decisions, folder({"new.md": STEPS})).files == ()
    assert why(make_plan(made, decisions, folder({})))[0][0] == "old.md"
    assert why(make_plan(made, decisions, folder({"old.md": STEPS, "new.md": "x\n"})))[0][0] == "new.md"
    assert outcome(make_plan(made, decisions, folder({"old.md": STEPS, "new.md": STEPS}))) == {"old.md": None}


def test_names_that_move_on_make_room() -> None:
    other = STEPS.replace("release", "rollback")
    made = review({"a.md": STEPS, "b.md": other}, {"b.md": STEPS, "c.md": other})
    plan = make_plan(made, accept_all(made), folder({"a.md": STEPS, "b.md": other}))
    assert plan.conflicts == ()
    wanted = outcome(plan)
    assert wanted["b.md"] == STEPS.encode()
    assert wanted["c.md"] == other.encode()
    assert wanted["a.md"] is None


def test_binary_notes_are_all_or_nothing() -> None:
    made = review({"b.md": b"a\0b"}, {"b.md": b"a\0c"})
    assert outcome(make_plan(made, accept_all(made), folder({"b.md": b"a\0b"}))) == {"b.md": b"a\0c"}
    assert make_plan(made, accept_all(made), folder({"b.md": b"a\0c"})).files == ()
    assert why(make_plan(made, accept_all(made), folder({"b.md": b"a\0z"})))[0][0] == "b.md"


@pytest.mark.parametrize(
    ("path", "live", "strangers"),
    [
        ("topic/one.md", {}, {"topic": "not a Markdown file"}),
        ("dir/x.md", {}, {"dir": "a link"}),
        ("x.md", {}, {"x.md": "a link"}),
        ("topic.md/one.md", {"topic.md": "t\n"}, {}),
        ("topic.md", {"topic.md/one.md": "t\n"}, {}),
        ("Style.md", {"style.md": "t\n"}, {}),
    ],
)
def test_what_stands_in_the_way(path: str, live: dict[str, str], strangers: dict[str, str]) -> None:
    made = review({}, {path: "new\n"})
    plan = make_plan(made, accept_all(made), folder(live, strangers))
    assert [conflict.path for conflict in plan.conflicts] == [path]
    assert make_plan(made, Decisions(), folder(live, strangers)).conflicts == ()
    assert set(find_conflicts(made.files, folder(live, strangers))) == {change_with(made, "new").id}


def test_a_note_behind_a_link_is_a_conflict() -> None:
    made = review({"dir/x.md": "one\n"}, {"dir/x.md": "two\n"})
    plan = make_plan(made, accept_all(made), folder({}, {"dir": "a link"}))
    assert why(plan) == [("dir/x.md", "no note can stand here: dir: a link")]


def test_a_rename_that_only_changes_the_case_is_no_collision() -> None:
    made = review({"style.md": STEPS}, {"Style.md": STEPS})
    assert make_plan(made, accept_all(made), folder({"style.md": STEPS})).conflicts == ()


@pytest.mark.parametrize("path", ["../evil.md", "/evil.md", "a//b.md", ".git/x.md", ".claude/x.md", "x.sh", "a/./b.md"])
def test_unsafe_paths_are_refused(path: str) -> None:
    made = review({}, {path: "evil\n"})
    with pytest.raises(RefusedError, match="nothing was written"):
        make_plan(made, accept_all(made), folder({}))


def test_conflicts_of_every_change_alone() -> None:
    base = "".join(f"- line {n}\n" for n in range(40))
    dream = (
        base.replace("line 5\n", "line five\n")
        .replace("line 20\n", "line twenty\n")
        .replace("line 30\n", "line thirty\n")
    )
    made = review({"a.md": base, "d.md": "x\n", "g.md": "g\n"}, {"a.md": dream, "d.md": "zzz\n"})
    live = folder({"a.md": base.replace("line 5\n", "line V\n").replace("line 30\n", "line thirty\n"), "g.md": "h\n"})
    found = find_conflicts(made.files, live)
    gone = next(file_of(made, "g.md").changes())
    assert set(found) == {change_with(made, "line five").id, change_with(made, "zzz").id, gone.id}
    assert found[change_with(made, "line five").id].live == (b"- line V\n",)
    assert find_conflicts(made.files, folder({"a.md": base, "d.md": "x\n", "g.md": "g\n"})) == {}


LINES = st.lists(st.sampled_from([f"l{n}\n" for n in range(6)] + ["\n"]), max_size=14).map("".join)


def git_merge(base: str, live: str, ours: str) -> tuple[bool, bytes]:
    with tempfile.TemporaryDirectory() as place:
        names = []
        for name, text in (("live", live), ("base", base), ("ours", ours)):
            names.append(Path(place, name))
            names[-1].write_text(text)
        done = subprocess.run(["git", "merge-file", "-p", *names], capture_output=True, cwd=place, check=False)
        return done.returncode == 0, done.stdout


@settings(max_examples=40, deadline=None)
@given(LINES, LINES, LINES, st.data())
def test_plans_are_what_git_merges(base: str, live: str, proposed: str, data: st.DataObject) -> None:
    made = review({"a.md": base}, {"a.md": proposed})
    if not made.files or not made.files[0].hunks:
        return
    chosen = {change.id: ACCEPT for change in made.files[0].changes() if data.draw(st.booleans())}
    alone = make_plan(made, Decisions(chosen), folder({"a.md": base}))
    ours = alone.files[0].new if alone.files else base.encode()
    assert ours is not None
    plan = make_plan(made, Decisions(chosen), folder({"a.md": live}))
    clean, merged = git_merge(base, live, os.fsdecode(ours))
    got = plan.files[0].new if plan.files else live.encode()
    if plan.conflicts:
        assert not clean
        assert got == live.encode()
    elif chosen and clean:
        assert got == merged


def test_notes_keep_order_of_paths() -> None:
    made = review({}, {"b.md": "b\n", "a.md": "a\n"})
    assert [file.path for file in make_plan(made, accept_all(made), folder({})).files] == ["a.md", "b.md"]
    assert list(notes({"b.md": ""})) == ["b.md"]
