"""What was declined earlier goes with the next pass."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from memreview.dreaming.around import declined_before
from memreview.dreaming.prompt import MAX_DECLINED_BYTES, declined_paragraph
from memreview.model.dream import Project
from memreview.model.review import ACCEPT, REJECT, Decisions, EditTo
from memreview.model.snapshot import SnapshotKind
from memreview.review.actions import Decide
from memreview.review.declined import MOST, Declined, DeclinedStore, declined_of
from memreview.review.reducer import reduce
from memreview.review.store import DecisionStore
from memreview.snapshots.store import SnapshotStore
from memreview.workflow import apply_review, open_review
from tests.unit.dreaming_world import GOOD, DreamPlace, place
from tests.unit.reviews import change_with, review

__all__ = ["place"]

WHEN = datetime(2026, 11, 3, 8, tzinfo=UTC)
OLD, NEW = "- The test database listens on 5432.", "- The test database listens on 6380."


def row(number: int, **more: object) -> Declined:
    given: dict[str, object] = {
        "removed": ("old",),
        "added": (f"new {number}",),
        "when": f"2026-11-{number % 28 + 1:02}",
    }
    return Declined(f"id{number}", "a.md", **{**given, **more})  # type: ignore[arg-type]


def test_rejected_and_rewritten_changes_are_declined() -> None:
    token = "ghp_" + "a1B2c3D4e5" * 4
    made = review(
        {"a.md": "one\n\nx\n\ntwo\n\ny\n\nthree\n"},
        {"a.md": f"ONE {token}\n\nx\n\nTWO\n\ny\n\nTHREE\n"},
    )
    ids = [change_with(made, word).id for word in ("ONE", "TWO", "THREE")]
    decisions = Decisions({ids[0]: REJECT, ids[1]: EditTo(("Zwei",)), ids[2]: ACCEPT})
    first, second = declined_of(made, decisions, WHEN)
    assert (first.removed, first.instead, first.when) == (("one",), None, "2026-11-03T08:00:00+00:00")
    assert token not in first.added[0]
    assert (second.added, second.instead) == (("TWO",), ("Zwei",))


def test_the_store(tmp_path: Path) -> None:
    store, project = DeclinedStore(str(tmp_path)), Project("p", "/p", str(tmp_path / "m"))
    assert store.known(project) == ()
    store.remember(project, [row(1), row(2, instead=("mine",))])
    assert store.known(project) == (row(1), row(2, instead=("mine",)))
    store.remember(project, [row(1)], ["id2"])
    assert store.known(project) == (row(1),)
    store.remember(project, [row(number) for number in range(MOST + 5)])
    assert [one.id for one in store.known(project)][:1] == ["id5"]
    (file,) = (tmp_path / "declined").iterdir()
    assert file.stat().st_mode & 0o077 == 0
    file.write_bytes(b"[]")
    assert store.known(project) == ()


def test_the_paragraph() -> None:
    said = declined_paragraph([row(1), row(2, instead=("mine",)), row(3, added=())], [])
    lines = said.split("\n")
    assert lines[0] == "## Declined before"
    assert lines[-3] == "- memory/a.md, declined on 2026-11-04: to take out “old”"
    assert lines[-2].endswith("to write “new 2” in place of “old”; the user wrote instead: “mine”")
    assert lines[-1].endswith("to write “new 1” in place of “old”")
    assert declined_paragraph([], []) == ""
    # What stands in the memory by now was taken after all.
    assert declined_paragraph([row(1)], [b"x\n  new 1\n"]) == ""


def test_the_paragraph_is_short_and_shows_what_cannot_be_seen() -> None:
    long = [row(number, added=("x" * 390,) * 12) for number in range(100)]
    assert len(declined_paragraph(long, []).encode()) < MAX_DECLINED_BYTES + 1000
    assert "\x1b" not in declined_paragraph([row(1, added=("\x1b[31mred",))], [])


def test_it_goes_from_an_apply_to_the_next_pass(place: DreamPlace) -> None:
    place.run(GOOD)
    made = open_review(place.target(), place.options)
    change = change_with(made, "6380")
    apply_review(made, Decisions({change.id: REJECT}), place.options, no_commit=True)
    said = declined_before(place.project, place.options)
    assert f"to write “{NEW}” in place of “{OLD}”" in said
    place.run(GOOD, out=str(place.root / "second"))
    argv = place.saw["argv"]
    assert isinstance(argv, list)
    assert any("## Declined before" in str(word) and NEW in str(word) for word in argv)
    # Taking it after all takes it off the list.
    apply_review(made, Decisions({change.id: ACCEPT}), place.options, no_commit=True)
    assert declined_before(place.project, place.options) == ""


def test_a_dry_run_declines_nothing(place: DreamPlace) -> None:
    place.run(GOOD)
    made = open_review(place.target(), place.options)
    apply_review(made, Decisions({change_with(made, "6380").id: REJECT}), place.options, dry_run=True)
    assert declined_before(place.project, place.options) == ""


def test_what_was_rejected_and_never_carried_out_counts_too(place: DreamPlace) -> None:
    place.run(GOOD)
    made = open_review(place.target(), place.options)
    store = DecisionStore(place.options.state_dir)
    state = reduce(store.load(made), Decide((change_with(made, "6380").id,), REJECT), made)
    store.save(made, state)
    assert NEW in declined_before(place.project, place.options)


def test_a_pass_takes_a_snapshot_first(place: DreamPlace) -> None:
    place.run(GOOD)
    (kept,) = SnapshotStore(place.options.state_dir).every(str(place.memory))
    assert kept.kind is SnapshotKind.PASS
    assert any(kept.id in said for said in place.words("step"))
