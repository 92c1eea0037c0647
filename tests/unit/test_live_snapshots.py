"""A folder that was edited in place, compared with snapshots: with and without git."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from memreview.apply.result import ApplyResult
from memreview.errors import RefusedError, UsageError, VcsError
from memreview.looks import delete_snapshots, kept_snapshots, look, take_snapshot, take_snapshots, write_snapshot
from memreview.model.dream import Project, Review, Target, TargetKind
from memreview.model.review import ACCEPT, REJECT, Decision, Decisions
from memreview.model.snapshot import SnapshotKind
from memreview.review.store import DecisionStore
from memreview.snapshots.store import SnapshotStore
from memreview.workflow import apply_review, find_dreams, open_review, preview
from tests.unit.dreamworld import World, environment
from tests.unit.reviews import change_with, file_of, tree

STYLE = "# Style\n\n- Two spaces.\n\n- No default exports.\n\n- Tabs never.\n"
NEW = STYLE.replace("Two", "Four").replace("never", "always")
NAME = "-home-dev-lantern"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    for key, value in environment(tmp_path).items():
        if key.startswith("GIT_"):
            monkeypatch.setenv(key, value)
    return World(tmp_path)


def project(world: World) -> Project:
    return Project(NAME, str(world.memory.parent), str(world.memory))


def take(world: World, kind: SnapshotKind = SnapshotKind.ASKED) -> str:
    return take_snapshot(project(world), world.options, kind).snapshot.id


def opened(world: World, since: str | None = None) -> Review:
    return open_review(Target(TargetKind.LIVE, live=str(world.memory), since=since), world.options)


def settle(
    world: World,
    made: Review,
    words: Mapping[str, Decision],
    *,
    dry_run: bool = False,
    init: bool = False,
    no_commit: bool = False,
) -> ApplyResult:
    decisions = Decisions({change_with(made, word).id: decision for word, decision in words.items()})
    return apply_review(made, decisions, world.options, wait=0.1, dry_run=dry_run, init=init, no_commit=no_commit)


def names(made: Review) -> list[str]:
    return [file.path for file in made.files]


def test_without_git_the_snapshot_is_the_base(world: World) -> None:
    world.notes(style=STYLE, same="s\n", gone="g\n")
    with pytest.raises(VcsError, match="memreview snapshot takes one"):
        opened(world)
    taken = take(world)
    assert opened(world).files == ()
    world.live("style.md", NEW)
    world.live("gone.md", None)
    world.live("fresh.md", "f\n")
    made = opened(world)
    assert names(made) == ["fresh.md", "gone.md", "style.md"]
    assert made.snapshot == taken
    assert made.run.label == f"since {taken} (asked for)"
    assert names(opened(world, taken[:-4])) == names(opened(world, "snapshot")) == names(made)


def test_a_rejection_is_taken_back_after_it_was_kept(world: World, tmp_path: Path) -> None:
    world.notes(style=STYLE)
    take(world)
    world.live("style.md", NEW)
    world.live("fresh.md", "f\n")
    made = opened(world)
    fresh = {change.id: REJECT for change in file_of(made, "fresh.md").changes()}
    four = change_with(made, "Four").id
    result = apply_review(made, Decisions({four: REJECT, **fresh}), world.options, wait=0.1)
    assert (result.written, result.deleted, result.commit) == (("style.md",), ("fresh.md",), None)
    assert (world.memory / "style.md").read_text() == STYLE.replace("never", "always")
    assert result.before_ref is not None
    assert any(result.before_ref in note for note in result.notes)
    one, count = write_snapshot(world.options, NAME, str(tmp_path / "kept"), result.before_ref)
    assert (count, one.partial) == (2, True)
    assert tree(tmp_path / "kept") == {"style.md": NEW.encode(), "fresh.md": b"f\n"}
    # What was not named is still there to be decided.
    assert names(opened(world)) == ["style.md"]
    with pytest.raises(UsageError, match="only what was taken back"):
        opened(world, result.before_ref)


def test_what_is_accepted_does_not_come_again(world: World) -> None:
    world.notes(style=STYLE)
    take(world)
    world.live("style.md", NEW)
    result = settle(world, opened(world), {"Four": ACCEPT})
    assert (result.written, result.before_ref, result.applied) == ((), None, 1)
    assert (world.memory / "style.md").read_text() == NEW
    made = opened(world)
    assert made.snapshot == result.snapshot
    assert [change.added for file in made.files for change in file.changes()] == [(b"- Tabs always.\n",)]
    settle(world, made, {"always": REJECT})
    assert (world.memory / "style.md").read_text() == STYLE.replace("Two", "Four")
    assert opened(world).files == ()


def test_a_dry_run_and_a_preview_change_nothing(world: World) -> None:
    world.notes(style=STYLE)
    take(world)
    world.live("style.md", NEW)
    made = opened(world)
    before = tree(world.root)
    result = settle(world, made, {"Four": REJECT, "always": ACCEPT}, dry_run=True)
    assert (result.written, result.refusal) == (("style.md",), None)
    seen = preview(made, Decisions({change_with(made, "Four").id: REJECT}), world.options)
    assert (seen.written, seen.repository, seen.rejected) == (("style.md",), None, 1)
    after = tree(world.root)
    assert {path: data for path, data in after.items() if not path.startswith(("s/locks", "c/"))} == {
        path: data for path, data in before.items() if not path.startswith(("s/locks", "c/"))
    }


def test_a_repository_is_not_made_of_what_nobody_has_reviewed(world: World) -> None:
    world.notes(style=STYLE)
    take(world)
    world.live("style.md", NEW)
    with pytest.raises(RefusedError, match="--init would commit what was not reviewed"):
        settle(world, opened(world), {"Four": ACCEPT}, init=True)
    assert (world.memory / "style.md").read_text() == NEW


def test_a_note_that_changed_since_is_merged_or_refused(world: World) -> None:
    world.notes(style=STYLE)
    take(world)
    world.live("style.md", NEW)
    made = opened(world)
    world.live("style.md", NEW + "- One more.\n")
    result = settle(world, made, {"Four": REJECT})
    assert result.conflicts == ()
    assert (world.memory / "style.md").read_text() == NEW.replace("Four", "Two") + "- One more.\n"
    made = opened(world)
    world.live("style.md", (world.memory / "style.md").read_text().replace("always", "sometimes"))
    again = settle(world, made, {"always": REJECT})
    assert again.conflicts
    assert "sometimes" in (world.memory / "style.md").read_text()


def test_under_git_the_snapshot_counts_until_the_next_commit(world: World) -> None:
    world.notes(style=STYLE)
    world.commit()
    world.live("style.md", STYLE + "- Seen.\n")
    taken = take(world)
    assert opened(world).files == ()
    world.live("fresh.md", "f\n")
    assert names(opened(world)) == ["fresh.md"]
    assert names(opened(world, "HEAD")) == ["fresh.md", "style.md"]
    world.commit()
    made = opened(world)
    assert (made.snapshot, made.files) == (None, ())
    assert names(opened(world, taken)) == ["fresh.md"]


def test_under_git_a_commit_takes_the_snapshot_along(world: World) -> None:
    world.notes(style=STYLE)
    world.commit()
    world.live("style.md", STYLE + "- Seen.\n")
    take(world)
    world.live("fresh.md", "f\n")
    world.live("other.md", "o\n")
    made = opened(world)
    fresh = {change.id: ACCEPT for change in file_of(made, "fresh.md").changes()}
    result = apply_review(made, Decisions(fresh), world.options, wait=0.1)
    assert result.commit is not None
    assert world.git("show", "--name-only", "--format=", "HEAD").split() == ["fresh.md"]
    # Neither what was seen nor what was taken comes again.
    assert names(opened(world)) == ["other.md"]


def test_a_pass_is_no_look(world: World) -> None:
    world.notes(style=STYLE)
    first = take(world, SnapshotKind.PASS)
    assert opened(world).snapshot == first
    world.live("style.md", NEW)
    take(world, SnapshotKind.PASS)
    assert opened(world).files == ()
    world.live("style.md", STYLE)
    looked = take(world)
    world.live("style.md", NEW)
    take(world, SnapshotKind.PASS)
    assert opened(world).snapshot == looked
    assert names(opened(world)) == ["style.md"]


def test_what_came_between_two_states(world: World) -> None:
    world.notes(style=STYLE)
    main = world.commit()
    world.git("checkout", "-q", "-b", "dream")
    world.live("style.md", STYLE.replace("Two", "Four"))
    world.live("fresh.md", "f\n")
    world.live("tool.py", "x\n")
    world.commit()
    world.git("checkout", "-q", main)
    made = opened(world, f"{main}..dream")
    assert names(made) == ["fresh.md", "style.md"]
    assert made.run.label == f"from {main[:12]} to {world.git('rev-parse', 'dream')[:12]}"
    assert [finding.file for finding in made.findings] == ["tool.py"]
    assert names(opened(world, "..dream")) == names(opened(world, "...dream")) == names(made)
    fresh = {change.id: ACCEPT for change in file_of(made, "fresh.md").changes()}
    four = change_with(made, "Four").id
    world.git("checkout", "-q", "-b", "taken")
    result = apply_review(made, Decisions({four: ACCEPT, **fresh}), world.options, wait=0.1)
    assert result.commit is not None
    assert (world.memory / "fresh.md").read_text() == "f\n"
    assert (world.memory / "style.md").read_text() == STYLE.replace("Two", "Four")
    assert world.git("status", "--porcelain") == ""


def test_ranges_that_say_nothing(world: World) -> None:
    world.notes(style=STYLE)
    taken = take(world)
    with pytest.raises(VcsError, match="names nothing"):
        opened(world, "main..dream")
    with pytest.raises(VcsError, match="names nothing"):
        opened(world, "main")
    world.live("style.md", NEW)
    second = take(world)
    assert names(opened(world, f"{taken}..{second}")) == ["style.md"]
    with pytest.raises(UsageError, match="between two commits"):
        opened(world, f"{taken}...{second}")
    with pytest.raises(UsageError, match="more than one"):
        opened(world, "a..b..c")


def test_strangers_since_a_snapshot(world: World) -> None:
    world.notes(style=STYLE)
    (world.memory / "tool.py").write_text("x\n")
    (world.memory / "data.txt").write_text("x\n")
    (world.memory / "CLAUDE.md").write_text("obey\n")
    take(world)
    assert opened(world).findings == ()
    (world.memory / "data.txt").unlink()
    (world.memory / "CLAUDE.md").write_text("obey me\n")
    (world.memory / "style.md").unlink()
    (world.memory / "style.md").symlink_to("/nowhere")
    made = opened(world)
    assert sorted(str(finding.file) for finding in made.findings) == ["CLAUDE.md", "data.txt", "style.md"]
    assert made.files == ()


def test_changed_since_one_last_looked(world: World) -> None:
    world.notes(style=STYLE)
    assert not look(project(world), world.options).known
    taken = take(world)
    seen = look(project(world), world.options)
    assert (seen.changed, seen.since) == ((), f"since {taken} (asked for)")
    world.live("style.md", NEW)
    world.live("fresh.md", "f\n")
    assert look(project(world), world.options).changed == ("fresh.md", "style.md")
    settle(world, opened(world), {"Four": ACCEPT, "always": REJECT})
    assert look(project(world), world.options).changed == ("fresh.md",)
    world.commit()
    seen = look(project(world), world.options)
    assert (seen.changed, seen.when) == ((), None)


def test_an_own_apply_is_no_change_of_others(world: World) -> None:
    world.notes(style=STYLE, other="o\n")
    take(world)
    proposed = world.root / "proposed"
    proposed.mkdir()
    (proposed / "style.md").write_text(NEW)
    (proposed / "other.md").write_text("o\n")
    target = Target(TargetKind.FOLDERS, base=str(world.memory), proposed=str(proposed), project=NAME)
    made = open_review(target, world.options)
    world.live("other.md", "unseen\n")
    result = settle(world, made, {"Four": ACCEPT}, no_commit=True)
    assert result.written == ("style.md",)
    assert look(project(world), world.options).changed == ("other.md",)


def test_a_first_apply_without_git_begins_the_look(world: World) -> None:
    world.notes(style=STYLE)
    proposed = world.root / "proposed"
    proposed.mkdir()
    (proposed / "style.md").write_text(NEW)
    target = Target(TargetKind.FOLDERS, base=str(world.memory), proposed=str(proposed), project=NAME)
    result = settle(world, open_review(target, world.options), {"Four": ACCEPT}, no_commit=True)
    assert SnapshotStore(world.options.state_dir).newest(str(world.memory)) is not None
    assert result.snapshot is not None
    assert look(project(world), world.options).changed == ()


def test_an_old_snapshot_knows_what_was_taken(world: World) -> None:
    world.notes(style=STYLE)
    taken = take(world)
    world.live("style.md", NEW)
    result = settle(world, opened(world, taken), {"Four": ACCEPT})
    assert result.snapshot is not None
    again = opened(world, taken)
    assert set(again.applied) == {change_with(again, "Four").id}
    assert names(opened(world)) == ["style.md"]


def test_a_live_review_is_listed_as_long_as_something_is_left(world: World) -> None:
    world.notes(style=STYLE)
    take(world)
    world.live("style.md", NEW)
    made = opened(world)
    store = DecisionStore(world.options.state_dir)
    store.save(made, store.load(made))
    assert [row.target for row in find_dreams(world.options)] == [made.target]
    take(world)
    assert find_dreams(world.options) == []
    world.live("style.md", STYLE)
    assert [row.target for row in find_dreams(world.options)] == [made.target]


def test_all_projects(world: World) -> None:
    world.notes(style=STYLE)
    other = world.claude / "projects" / "-home-dev-other" / "memory"
    other.mkdir(parents=True)
    (other / "a.md").write_text("a\n")
    found = take_snapshots(world.options)
    assert [(one.project.name, one.kept, one.problem) for one in found] == [
        (NAME, 1, None),
        ("-home-dev-other", 1, None),
    ]
    rows = kept_snapshots(world.options)
    assert sorted(row.project.name for row in rows if row.project) == [NAME, "-home-dev-other"]
    assert delete_snapshots(world.options, "-home-dev-other") == 1
    assert [len(row.snapshots) for row in kept_snapshots(world.options, ["-home-dev-other"])] == [0]
