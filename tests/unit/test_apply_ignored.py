"""Notes that the repository around them ignores are committed only where they are tracked, or a person says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memreview.apply.git_state import GitState, find_ignored, git_state, named
from memreview.apply.plan import make_plan
from memreview.apply.result import ApplyResult
from memreview.errors import VcsError
from memreview.model.dream import Review, Target, TargetKind
from memreview.model.review import REJECT, Decisions
from memreview.read.memory import read_folder
from tests.unit.memory_place import BASE, DREAM, Make, Place, made_for
from tests.unit.reviews import accept_all, lay


def ignore(place: Place, *rules: str) -> None:
    (place.top / ".gitignore").write_text("".join(f"{rule}\n" for rule in rules))
    place.git("add", "--force", ".gitignore")
    place.git("commit", "-q", "-m", "ignore")


def dotfiles(make: Make) -> Place:
    """A home under git that ignores everything that is not added by force."""
    place = make({}, larger=True)
    ignore(place, "*")
    lay(place.memory, BASE)
    return place


def accepted(place: Place, made: Review | None = None, *, dry_run: bool = False, add_ignored: bool = False) -> object:
    made = made or made_for(place)
    result = place.apply(made, accept_all(made), dry_run=dry_run, add_ignored=add_ignored)
    return result.refusal if dry_run else result.commit


def state(place: Place, made: Review) -> GitState:
    live = read_folder(str(place.memory))
    return git_state(str(place.memory), make_plan(made, accept_all(made), live), live)


def test_untracked_notes_are_refused_in_one_line_with_the_remedies(make: Make) -> None:
    place = dotfiles(make)
    before = place.snapshot()
    with pytest.raises(VcsError) as refused:
        accepted(place)
    line = str(refused.value)
    assert "\n" not in line
    assert str(place.top) in line
    assert "build.md, new/tests.md, sub/old.md" in line
    assert "--no-commit" in line
    assert "--add-ignored" in line
    assert place.snapshot() == before


def test_a_dry_run_and_a_look_ahead_say_the_same(make: Make) -> None:
    place = dotfiles(make)
    before = place.snapshot()
    assert "ignores build.md" in str(accepted(place, dry_run=True))
    assert accepted(place, dry_run=True, add_ignored=True) is None
    ahead = state(place, made_for(place))
    assert ahead == GitState(str(place.top), (), ("build.md", "new/tests.md", "sub/old.md"))
    assert place.snapshot() == before


def test_a_person_may_say_so_all_the_same(make: Make) -> None:
    place = dotfiles(make)
    before = place.head()
    assert accepted(place, add_ignored=True) == place.head()
    prefix = "projects/p/memory/"
    assert place.committed(before) == [prefix + "build.md", prefix + "new/tests.md"]
    assert place.git("show", f"HEAD:{prefix}build.md") == DREAM["build.md"]


def test_without_a_commit_they_are_only_written(make: Make) -> None:
    place = dotfiles(make)
    before = place.head()
    made = made_for(place)
    assert place.apply(made, accept_all(made), no_commit=True) == ApplyResult(
        written=("build.md", "new/tests.md"), deleted=("sub/old.md",), applied=4
    )
    assert (place.memory / "build.md").read_text() == DREAM["build.md"]
    assert place.head() == before


def test_tracked_notes_are_committed_whatever_the_rules(make: Make) -> None:
    place = make()
    ignore(place, "*.md")
    before = place.head()
    made = made_for(place, BASE, {**BASE, "build.md": DREAM["build.md"]})
    assert state(place, made).ignored == ()
    assert accepted(place, made) == place.head()
    assert place.committed(before) == ["build.md"]


def test_a_note_that_was_only_added_to_the_index_counts_as_tracked(make: Make) -> None:
    place = dotfiles(make)
    place.git("add", "--force", "projects/p/memory/build.md")
    made = made_for(place, BASE, {**BASE, "build.md": DREAM["build.md"]})
    assert accepted(place, made) == place.head()


def test_one_new_note_among_tracked_ones(make: Make) -> None:
    place = make()
    ignore(place, "*.md")
    with pytest.raises(VcsError, match=r"ignores new/tests\.md;"):
        accepted(place)


def test_in_place_only_what_is_committed_counts(make: Make) -> None:
    place = make()
    ignore(place, "new")
    lay(place.memory, {"build.md": DREAM["build.md"], "new/tests.md": "# Tests\n"})
    proposed = {**BASE, "build.md": DREAM["build.md"], "new/tests.md": "# Tests\n"}
    made = replace(made_for(place, BASE, proposed), target=Target(TargetKind.LIVE, live=str(place.memory)))
    with pytest.raises(VcsError, match="new/tests"):
        accepted(place, made)
    fresh = next(file for file in made.files if file.path == "new/tests.md")
    decisions = Decisions({**accept_all(made).by_id, **{change.id: REJECT for change in fresh.changes()}})
    before = place.head()
    assert place.apply(made, decisions).commit == place.head()
    assert place.committed(before) == ["build.md"]
    assert not (place.memory / "new" / "tests.md").exists()


def test_a_new_repository_under_global_rules_is_not_left_behind(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = make()
    rules = tmp_path / "rules"
    rules.write_text("*.md\n")
    place.git("config", "--global", "core.excludesFile", str(rules))
    (place.memory / ".git").rename(tmp_path / "away")
    made = made_for(place)
    with pytest.raises(VcsError, match="ignores"):
        place.apply(made, accept_all(made), init=True)
    assert not (place.memory / ".git").exists()


def test_a_new_repository_goes_where_its_commit_is_refused(make: Make, tmp_path: Path) -> None:
    place = make()
    (place.memory / ".git").rename(tmp_path / "away")
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    (hooks / "commit-msg").write_text('#!/bin/sh\ngrep -q "State before" "$1"\n')
    (hooks / "commit-msg").chmod(0o755)
    config = tmp_path / "gitconfig"
    config.write_text(config.read_text() + f"[core]\n\thooksPath = {hooks}\n")
    made = made_for(place)
    before = {path: path.read_bytes() for path in place.memory.rglob("*.md")}
    with pytest.raises(VcsError, match="refused the commit"):
        place.apply(made, accept_all(made), init=True)
    assert not (place.memory / ".git").exists()
    assert {path: path.read_bytes() for path in place.memory.rglob("*.md")} == before


def test_folders_that_nothing_is_known_of(make: Make, tmp_path: Path) -> None:
    assert find_ignored(str(tmp_path / "nothing"), ["a.md"]) == ()
    place = dotfiles(make)
    assert find_ignored(str(place.memory), ["a.md", ":(top)b.md", "st*r.md", "caf\udce9.md"]) == (
        "a.md",
        ":(top)b.md",
        "st*r.md",
        "caf\udce9.md",
    )
    (place.top / ".git" / "HEAD").write_text("nonsense")
    assert find_ignored(str(place.memory), ["a.md"]) == ()


def test_many_names_are_cut_short() -> None:
    assert named(("a", "b", "c")) == "a, b, c"
    assert named(("a", "b", "c", "d", "e")) == "a, b, c and 2 more"
