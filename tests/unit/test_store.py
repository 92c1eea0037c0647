from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from memreview.errors import MemreviewError
from memreview.model.dream import Review
from memreview.model.review import ACCEPT, REJECT, Decisions, EditTo, TakeLines
from memreview.review.actions import Decide, MoveTo, Undo
from memreview.review.index import index_of
from memreview.review.reducer import reduce
from memreview.review.state import ReviewState
from memreview.review.store import FOLDER, DecisionStore
from tests.unit.texts import make_review, numbered

BASE = {"a.md": numbered(40), "b.md": numbered(20), "caf\udce9.md": b"x\n"}
NEW = {"a.md": numbered(40, [3, 20]), "b.md": numbered(20, [7]), "caf\udce9.md": b"y\n"}


def ids(review: Review) -> list[str]:
    return [unit.id for unit in index_of(review).units]


def decided(review: Review) -> ReviewState:
    state = ReviewState()
    first, second, third, fourth = ids(review)
    for action in (
        Decide((first,), ACCEPT),
        Decide((second,), REJECT),
        MoveTo(second),
        Decide((third,), EditTo(("é", "q\udcff"))),
        Decide((fourth,), TakeLines(frozenset({0}))),
    ):
        state = reduce(state, action, review)
    return state


def the_file(state_dir: Path) -> Path:
    (found,) = (state_dir / FOLDER).glob("*.json")
    return found


@pytest.fixture
def review() -> Review:
    return make_review(BASE, NEW)


def test_a_killed_review_continues_where_it_was(tmp_path: Path, review: Review) -> None:
    state = decided(review)
    DecisionStore(str(tmp_path)).save(review, state)
    found = DecisionStore(str(tmp_path)).load(make_review(BASE, NEW))
    assert (found.decisions, found.cursor, found.notices) == (state.decisions, state.cursor, ())
    assert reduce(found, Undo(), review).decisions == reduce(state, Undo(), review).decisions


def test_nothing_saved_is_an_empty_state(tmp_path: Path, review: Review) -> None:
    store = DecisionStore(str(tmp_path / "none"))
    assert store.load(review) == ReviewState()
    assert store.known() == ()
    assert not (tmp_path / "none").exists()


def test_files_are_private(tmp_path: Path, review: Review) -> None:
    DecisionStore(str(tmp_path / "state")).save(review, ReviewState())
    path = the_file(tmp_path / "state")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_new_run_keeps_the_decisions_on_unchanged_changes(tmp_path: Path, review: Review) -> None:
    DecisionStore(str(tmp_path)).save(review, decided(review))
    again = make_review(BASE, {**NEW, "a.md": numbered(40, [3, 21]), "b.md": b"top\n" + numbered(20, [7])})
    found = DecisionStore(str(tmp_path)).load(again)
    first, _, third, fourth = ids(review)
    assert dict(found.decisions.by_id) == {
        first: ACCEPT,
        third: EditTo(("é", "q\udcff")),
        fourth: TakeLines(frozenset({0})),
    }
    assert "3 decisions carried over" in found.notices[0]
    assert found.past is None


def test_another_output_of_the_project_gets_them_too(tmp_path: Path, review: Review) -> None:
    DecisionStore(str(tmp_path)).save(review, decided(review))
    other = make_review(BASE, NEW, "later")
    assert DecisionStore(str(tmp_path)).load(other).decisions == decided(review).decisions
    stranger = replace(other, project=replace(other.project, path="/projects/-else"))
    assert DecisionStore(str(tmp_path)).load(stranger).decisions.by_id == {}


def test_what_was_applied_and_comes_again_is_not_taken_again(tmp_path: Path, review: Review) -> None:
    DecisionStore(str(tmp_path)).save(review, decided(review), applied="abc123")
    other = make_review(BASE, NEW, "later")
    assert dict(DecisionStore(str(tmp_path)).load(other).decisions.by_id) == {ids(review)[1]: REJECT}
    assert DecisionStore(str(tmp_path)).load(review).decisions == decided(review).decisions


def test_twins_are_kept_in_the_same_run_only(tmp_path: Path) -> None:
    base: Mapping[str, bytes] = {"t.md": b"# t\n- a\n- b\n- a\n- c\n- b\n"}
    new = {"t.md": base["t.md"].replace(b"- a", b"- z", 1)}
    review = make_review(base, new)
    (twin,) = ids(review)
    DecisionStore(str(tmp_path)).save(review, reduce(ReviewState(), Decide((twin,), ACCEPT), review))
    assert DecisionStore(str(tmp_path)).load(review).decisions.by_id == {twin: ACCEPT}
    again = make_review({**base, "n.md": b"1\n"}, {**new, "n.md": b"2\n"})
    assert twin in ids(again)
    assert DecisionStore(str(tmp_path)).load(again).decisions.by_id == {}


def test_lines_of_others_are_not_taken_over(tmp_path: Path, review: Review) -> None:
    DecisionStore(str(tmp_path)).save(review, decided(review))
    files = tuple(replace(file, during_run=True) if file.path == "a.md" else file for file in review.files)
    again = make_review({**BASE, "n.md": b"1\n"}, {**NEW, "n.md": b"2\n"})
    again = replace(again, files=tuple(files) + tuple(file for file in again.files if file.path == "n.md"))
    found = DecisionStore(str(tmp_path)).load(again)
    assert set(found.decisions.by_id) == set(ids(review)[2:])


@pytest.mark.parametrize("damage", ["cut", "empty", "text", "schema", "decision", "history", "when", "count"])
def test_a_damaged_file_is_set_aside_and_said(tmp_path: Path, review: Review, damage: str) -> None:
    DecisionStore(str(tmp_path)).save(review, decided(review))
    path = the_file(tmp_path)
    data = path.read_bytes()
    value = json.loads(data)
    if damage == "schema":
        value["schema"] = 99
    elif damage == "decision":
        value["decisions"]["x"] = {"edit": 3}
    elif damage == "history":
        value["history"] = [[1]]
    elif damage == "when":
        value["when"] = "yesterday"
    elif damage == "count":
        value["counts"]["accepted"] = float("inf")
    damaged = {"cut": data[:-20], "empty": b"", "text": b"\0\xff"}.get(damage, json.dumps(value).encode())
    path.write_bytes(damaged)
    store = DecisionStore(str(tmp_path))
    assert store.known() == ()
    found = store.load(review)
    assert found.decisions.by_id == {}
    assert "set aside" in found.notices[0]
    (aside,) = path.parent.glob("*.broken-*")
    assert aside.read_bytes() == damaged
    store.save(review, found)
    assert DecisionStore(str(tmp_path)).load(review).notices == ()


def test_known_and_forget(tmp_path: Path, review: Review) -> None:
    store = DecisionStore(str(tmp_path))
    store.save(review, decided(review))
    store.save(make_review(BASE, NEW, "later"), ReviewState(), applied="abc123")
    later, first = store.known()
    assert (later.target.label, later.applied, later.counts.undecided) == ("/dreams/later", "abc123", 4)
    assert (first.target, first.project, first.applied) == (review.target, review.project, None)
    assert (first.counts.accepted, first.counts.rejected, first.counts.undecided) == (1, 1, 0)
    assert store.forget(first.id)
    assert not store.forget(first.id)
    assert not store.forget("../reviews")
    assert [known.id for known in store.known()] == [later.id]


def test_the_commit_stays_noted(tmp_path: Path, review: Review) -> None:
    store = DecisionStore(str(tmp_path))
    store.save(review, ReviewState(), applied="abc123")
    store.save(review, decided(review))
    assert store.known()[0].applied == "abc123"
    DecisionStore(str(tmp_path)).save(review, ReviewState())
    assert store.known()[0].applied == "abc123"


def test_two_windows_keep_each_others_decisions(tmp_path: Path, review: Review) -> None:
    one, two = DecisionStore(str(tmp_path)), DecisionStore(str(tmp_path))
    first, second, third, _ = ids(review)
    one.save(review, ReviewState())
    mine, theirs = one.load(review), two.load(review)
    mine = reduce(mine, Decide((first,), ACCEPT), review)
    one.save(review, mine)
    theirs = reduce(theirs, Decide((second,), REJECT), review)
    two.save(review, theirs)
    mine = reduce(mine, Decide((third,), ACCEPT), review)
    one.save(review, mine)
    mine = reduce(mine, Decide((first,), None), review)
    one.save(review, mine)
    assert dict(DecisionStore(str(tmp_path)).load(review).decisions.by_id) == {second: REJECT, third: ACCEPT}


def test_many_writers_leave_a_whole_file(tmp_path: Path, review: Review) -> None:
    units = ids(review)

    def write(number: int) -> None:
        store = DecisionStore(str(tmp_path))
        state = reduce(store.load(review), Decide((units[number],), ACCEPT), review)
        for _ in range(5):
            store.save(review, state)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = DecisionStore(str(tmp_path)).load(review)
    assert found.notices == ()
    assert found.decisions == Decisions(dict.fromkeys(units, ACCEPT))
    assert not list((tmp_path / FOLDER).glob(".saving-*"))


def test_a_full_disk_is_said_and_the_old_state_stays(
    tmp_path: Path, review: Review, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = DecisionStore(str(tmp_path))
    store.save(review, decided(review))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        with pytest.raises(MemreviewError, match="No space left"):
            store.save(review, ReviewState())
    assert not list((tmp_path / FOLDER).glob(".saving-*"))
    assert DecisionStore(str(tmp_path)).load(review).decisions == decided(review).decisions


def test_a_place_that_is_no_folder_is_said(tmp_path: Path, review: Review) -> None:
    (tmp_path / FOLDER).write_text("in the way")
    store = DecisionStore(str(tmp_path))
    assert store.load(review).decisions.by_id == {}
    with pytest.raises(MemreviewError, match="could not be saved"):
        store.save(review, ReviewState())


def test_left_overs_of_a_killed_process_go(tmp_path: Path, review: Review) -> None:
    store = DecisionStore(str(tmp_path))
    store.save(review, ReviewState())
    old, fresh = (tmp_path / FOLDER / name for name in (".saving-old", ".saving-fresh"))
    old.write_bytes(b"{")
    fresh.write_bytes(b"{")
    os.utime(old, (1, 1))
    store.known()
    assert (old.exists(), fresh.exists()) == (False, True)


def test_loading_needs_neither_git_nor_textual() -> None:
    code = "import sys, memreview.review.store, memreview.review.reducer\n"
    code += "print([name for name in ('textual', 'git', 'unidiff', 'filelock', 'rich') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_saving_is_fast_enough_for_every_key(tmp_path: Path) -> None:
    import time

    base = {f"note-{n}.md": numbered(500) for n in range(60)}
    review = make_review(base, {path: numbered(500, range(2, 500, 6)) for path in base})
    state = reduce(ReviewState(), Decide(tuple(ids(review)), ACCEPT), review)
    store = DecisionStore(str(tmp_path))
    store.save(review, state)
    best = 9.0
    for unit in ids(review)[:5]:
        state = reduce(state, Decide((unit,), REJECT), review)
        start = time.process_time()
        store.save(review, state)
        best = min(best, time.process_time() - start)
    assert best < 0.1
