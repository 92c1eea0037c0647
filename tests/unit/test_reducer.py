from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.model.dream import Conflict, Review
from memreview.model.review import ACCEPT, REJECT, Decision, EditTo, TakeLines
from memreview.review.actions import Action, Decide, MoveTo, Redo, SetLines, Undo
from memreview.review.index import index_of
from memreview.review.reducer import must_be_decided_alone, reduce
from memreview.review.selectors import progress, shown
from memreview.review.state import Filter, ReviewState
from tests.unit.texts import make_review, numbered

REVIEW = make_review(
    {"MEMORY.md": numbered(5), "a.md": numbered(40), "gone.md": b"g\n", "name.md": numbered(20), "void.md": b"v\0"},
    {
        "MEMORY.md": numbered(5, [1]),
        "a.md": numbered(40, [3, 20, 36]).replace(b"line 10\n", b""),
        "moved.md": numbered(20, [4]),
        "void.md": b"w\0",
        "new.md": b"n\n",
    },
)
UNITS = [unit.id for unit in index_of(REVIEW).units]


def play(*actions: Action, review: Review = REVIEW, state: ReviewState | None = None) -> ReviewState:
    state = state or ReviewState()
    for action in actions:
        state = reduce(state, action, review)
    return state


def unit_of(path: str, number: int = 0, review: Review = REVIEW) -> str:
    file = next(file for file in review.files if file.path == path)
    return index_of(review).units_of[file.id][number].id


def file_of(path: str, review: Review = REVIEW) -> str:
    return next(file.id for file in review.files if file.path == path)


def test_units_are_changes_files_without_changes_and_renames() -> None:
    paths = [(unit.file.path, unit.change is None) for unit in index_of(REVIEW).units]
    assert paths == [
        ("MEMORY.md", False),
        *[("a.md", False)] * 4,
        ("gone.md", False),
        ("moved.md", True),
        ("moved.md", False),
        ("new.md", False),
        ("void.md", True),
    ]


def test_decide_undo_redo() -> None:
    one = play(Decide((UNITS[0],), ACCEPT))
    two = play(Decide((UNITS[1],), EditTo(("x",))), state=one)
    assert dict(two.decisions.by_id) == {UNITS[0]: ACCEPT, UNITS[1]: EditTo(("x",))}
    back = play(Undo(), state=two)
    assert back.decisions == one.decisions
    assert play(Redo(), state=back).decisions == two.decisions
    assert play(Undo(), Undo(), Undo(), state=two).decisions.by_id == {}
    fresh = play(Decide((UNITS[2],), REJECT), state=back)
    assert fresh.future is None


def test_undo_goes_back_to_where_it_was_done() -> None:
    state = play(MoveTo(UNITS[1]), Decide((UNITS[1],), ACCEPT), MoveTo(UNITS[4]), Undo())
    assert state.cursor == UNITS[1]


def test_nothing_new_is_no_step() -> None:
    state = play(Decide((UNITS[0],), ACCEPT))
    assert play(Decide((UNITS[0],), ACCEPT), state=state) is state
    assert play(Decide(("nobody",), ACCEPT), state=state) is state
    assert play(MoveTo("nobody"), state=state) is state
    assert play(Redo(), state=state) is state
    assert play(Decide((UNITS[0],), None), state=state).decisions.by_id == {}


def test_many_ids_are_one_step() -> None:
    state = play(Decide(tuple(UNITS[:3]), REJECT))
    assert len(state.decisions.by_id) == 3
    assert play(Undo(), state=state).decisions.by_id == {}


def test_lines_become_whole_decisions_at_the_ends() -> None:
    change = unit_of("a.md")
    assert play(SetLines(change, frozenset({0}), frozenset())).decisions.by_id[change] == TakeLines(frozenset({0}))
    assert play(SetLines(change, frozenset({0, 9}), frozenset({0}))).decisions.by_id[change] == ACCEPT
    assert play(SetLines(change, frozenset(), frozenset())).decisions.by_id[change] == REJECT
    assert play(SetLines(unit_of("void.md"), frozenset(), frozenset())).decisions.by_id == {}


def test_progress_counts_every_kind() -> None:
    change = unit_of("a.md", 2)
    state = play(
        Decide((UNITS[0],), ACCEPT),
        Decide((UNITS[1],), REJECT),
        Decide((UNITS[2],), EditTo(())),
        SetLines(change, frozenset({0}), frozenset()),
    )
    counts = progress(state, REVIEW).all
    assert (counts.accepted, counts.rejected, counts.edited, counts.by_lines) == (1, 1, 1, 1)
    assert (counts.total, counts.decided, counts.taken) == (len(UNITS), 4, 3)


def test_decisions_on_hunks_and_files_count_for_their_changes() -> None:
    state = play(Decide((file_of("a.md"),), REJECT))
    assert progress(state, REVIEW).by_file[file_of("a.md")].rejected == 4
    hunk = next(file for file in REVIEW.files if file.path == "a.md").hunks[0]
    state = play(Decide((hunk.id,), ACCEPT), state=state)
    assert progress(state, REVIEW).by_file[file_of("a.md")].accepted == len(hunk.changes)


def test_a_filter_shows_what_fits_all_of_it() -> None:
    state = play(Decide((unit_of("a.md"),), REJECT))
    own = [unit_of("a.md", number) for number in range(4)]
    assert [unit.id for unit in shown(state, REVIEW, Filter(file=file_of("a.md")))] == own
    assert [unit.id for unit in shown(state, REVIEW, Filter(file=file_of("a.md"), undecided=True))] == own[1:]
    assert [unit.id for unit in shown(state, REVIEW, Filter(text="LINE 36"))] == own[3:]
    assert [unit.id for unit in shown(state, REVIEW, Filter(only=frozenset({UNITS[0]})))] == UNITS[:1]
    assert shown(state, REVIEW, Filter(text="nowhere")) == ()
    assert [unit.id for unit in shown(replace(state, filter=Filter(undecided=True)), REVIEW)] == [
        unit for unit in UNITS if unit != own[0]
    ]


def test_what_is_decided_alone() -> None:
    first = unit_of("MEMORY.md")
    files = tuple(replace(file, during_run=True) if file.path == "new.md" else file for file in REVIEW.files)
    conflicts = {first: Conflict("MEMORY.md", first, "changed meanwhile")}
    review = replace(REVIEW, files=files, conflicts=conflicts)
    alone = [unit.id for unit in index_of(review).units if must_be_decided_alone(review, unit)]
    assert alone == [first, unit_of("a.md", 1), unit_of("gone.md"), unit_of("new.md")]


DECISIONS: list[Decision | None] = [ACCEPT, REJECT, EditTo(("x",)), TakeLines(frozenset({0})), None]
ACTIONS = st.one_of(
    st.builds(Decide, st.lists(st.sampled_from(UNITS), max_size=3).map(tuple), st.sampled_from(DECISIONS)),
    st.builds(
        SetLines, st.sampled_from(UNITS), st.sampled_from([frozenset({0}), frozenset()]), st.just(frozenset({0}))
    ),
)


@given(st.lists(ACTIONS, max_size=12))
@settings(max_examples=40, deadline=None)
def test_undo_all_and_redo_all_come_back(actions: list[Action]) -> None:
    states = [ReviewState()]
    for action in actions:
        new = reduce(states[-1], action, REVIEW)
        if new is not states[-1]:
            states.append(new)
    state = states[-1]
    for before in reversed(states[:-1]):
        state = reduce(state, Undo(), REVIEW)
        assert state.decisions == before.decisions
    for after in states[1:]:
        state = reduce(state, Redo(), REVIEW)
        assert state.decisions == after.decisions


def test_a_long_history_is_dropped_without_recursion() -> None:
    state = ReviewState()
    for n in range(20_000):
        state = reduce(state, Decide((UNITS[0],), ACCEPT if n % 2 else REJECT), REVIEW)
    step, depth = state.past, 0
    while step is not None:
        step, depth = step.rest, depth + 1
    assert depth == 20_000
    assert repr(state)
    del state


@pytest.fixture(scope="module")
def big() -> Review:
    base = {f"note-{n}.md": numbered(500) for n in range(60)}
    return make_review(base, {path: numbered(500, range(2, 500, 6)) for path in base})


def best(times: int, run: object) -> float:
    assert callable(run)
    taken = 9.0
    for _ in range(times):
        start = time.process_time()
        run()
        taken = min(taken, time.process_time() - start)
    return taken


def test_steps_and_selectors_are_fast(big: Review) -> None:
    units = [unit.id for unit in index_of(big).units]
    assert len(units) > 4900
    state = reduce(ReviewState(), Decide(tuple(units), ACCEPT), big)
    state = reduce(state, MoveTo(units[2500]), big)
    assert best(5, lambda: reduce(state, Decide((units[7],), REJECT), big)) < 0.004
    assert best(5, lambda: progress(state, big)) < 0.02
    assert best(5, lambda: shown(state, big, Filter(undecided=True))) < 0.02
    assert best(5, lambda: shown(state, big, Filter(text="line 77"))) < 0.02
