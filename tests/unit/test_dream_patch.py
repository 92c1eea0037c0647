"""A proposal that is a patch file, made by the real diff and git."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memreview.errors import DreamError, TargetError
from memreview.looks import take_snapshot
from memreview.model.dream import Project, Target, TargetKind, unit_id
from memreview.model.review import ACCEPT, Decisions
from memreview.read.dream_patch import without_mail
from memreview.read.dreams import Proposal, read_proposal
from memreview.review.store import DecisionStore
from memreview.workflow import apply_review, find_dreams, open_review
from tests.unit.dreamworld import World, environment, put, sides

NAME = "-home-dev-lantern"
STYLE = "# Style\n\n- Two spaces.\n\n- No default exports.\n\n- Tabs never.\n"
NEW = STYLE.replace("Two", "Four")


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    for key, value in environment(tmp_path).items():
        if key.startswith("GIT_"):
            monkeypatch.setenv(key, value)
    made = World(tmp_path)
    made.notes(style=STYLE, old="old\n", sub__deep="deep\n")
    return made


def patch_of(world: World, *options: str) -> Path:
    """What git says was changed in the memory folder, which is put back as it was."""
    path = world.root / "notes.patch"
    world.git("add", "-A")
    path.write_bytes(world.run("git", "diff", "--cached", *options, cwd=world.memory))
    world.git("reset", "-q", "--hard")
    return path


def edit(world: World) -> None:
    world.live("style.md", NEW)
    world.live("old.md", None)
    world.live("fresh.md", "fresh\n")


def propose(world: World, path: Path, project: str | None = NAME) -> Proposal:
    return read_proposal(Target(TargetKind.PATCH, patch=str(path), project=project), world.options)


WANTED = {"fresh.md": (None, b"fresh\n"), "old.md": (b"old\n", None), "style.md": (STYLE.encode(), NEW.encode())}


@pytest.mark.parametrize("options", [(), ("--no-prefix",), ("--stat", "-p"), ("--binary",)])
def test_a_patch_of_git(world: World, options: tuple[str, ...]) -> None:
    world.commit()
    edit(world)
    made = propose(world, patch_of(world, "--no-renames", *options))
    assert sides(made) == WANTED
    assert (made.findings, made.moved_since) == ((), ())


def test_a_patch_of_a_repository_around_the_folder(world: World) -> None:
    world.commit(world.claude)
    edit(world)
    put(world.claude, "settings.json", "{}\n")
    path = world.root / "notes.patch"
    world.run("git", "add", "-A", cwd=world.claude)
    path.write_bytes(world.run("git", "diff", "--cached", "--no-renames", "--", "projects", cwd=world.claude))
    world.run("git", "reset", "-q", "--hard", cwd=world.claude)
    assert sides(propose(world, path)) == WANTED


def test_format_patch(world: World) -> None:
    world.commit()
    edit(world)
    world.live("style.md", NEW + "-- \n")
    world.commit()
    path = world.root / "0001.patch"
    path.write_bytes(world.run("git", "format-patch", "-1", "--stdout", "--no-renames", cwd=world.memory))
    world.git("reset", "-q", "--hard", "HEAD~1")
    made = sides(propose(world, path))
    assert made["style.md"] == (STYLE.encode(), (NEW + "-- \n").encode())
    assert set(made) == set(WANTED)


def test_a_patch_of_diff_names_the_project(world: World) -> None:
    copy = world.root / "copy"
    world.run("cp", "-r", str(world.memory), str(copy))
    put(copy, "style.md", NEW)
    path = world.root / "x.diff"
    path.write_bytes(world.run("diff", "-ruN", str(world.memory), str(copy), ok=(1,)))
    made = propose(world, path, None)
    assert made.project.name == NAME
    assert sides(made) == {"style.md": (STYLE.encode(), NEW.encode())}


def test_the_folder_moved_since(world: World) -> None:
    world.commit()
    edit(world)
    path = patch_of(world, "--no-renames")
    world.live("style.md", STYLE + "- Written since.\n")
    world.live("old.md", "newer\n")
    made = propose(world, path)
    # The patch fits what stands in the first note now; the other one it would delete is another text.
    since = "- Written since.\n"
    assert sides(made) == {**WANTED, "style.md": ((STYLE + since).encode(), (NEW + since).encode())}
    assert made.moved_since == ("old.md",)
    review = open_review(Target(TargetKind.PATCH, patch=str(path), project=NAME), world.options)
    assert review.stale
    assert [conflict.path for conflict in review.conflicts.values()] == ["old.md"]
    accepted = {unit_id(file, change): ACCEPT for file, change in review.units() if file.path != "old.md"}
    result = apply_review(review, Decisions(accepted), world.options, no_commit=True)
    assert result.written == ("fresh.md", "style.md")
    assert (world.memory / "style.md").read_text() == NEW + "- Written since.\n"


def test_without_git_a_snapshot_tells_what_the_patch_was_made_of(world: World) -> None:
    copy = world.root / "copy"
    world.run("cp", "-r", str(world.memory), str(copy))
    put(copy, "style.md", NEW)
    path = world.root / "x.diff"
    path.write_bytes(world.run("diff", "-ruN", str(world.memory), str(copy), ok=(1,)))
    take_snapshot(Project(NAME, str(world.memory.parent), str(world.memory)), world.options)
    world.live("style.md", "# Style\n\n- Now quite another text.\n")
    made = propose(world, path)
    assert sides(made) == {"style.md": (STYLE.encode(), NEW.encode())}
    assert made.moved_since == ("style.md",)


def test_what_is_no_note_is_left_out(world: World) -> None:
    world.commit()
    edit(world)
    world.live("tool.py", "x\n")
    made = propose(world, patch_of(world, "--no-renames"))
    assert sides(made) == WANTED
    assert [finding.file for finding in made.findings] == ["tool.py"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no change"),
        ("nothing of a diff\n", "no part of a diff"),
        ("--- a/style.md\n+++ b/style.md\n@@ -1,2 +1,2 @@\n # Style\n-x\n+y\n", "does not fit style.md"),
        (
            "--- a/m/style.md\n+++ b/m/style.md\n@@ -0,0 +1 @@\n+x\n--- c/m/x.md\n+++ d/m/x.md\n@@ -0,0 +1 @@\n+x\n",
            "outside the folder",
        ),
        ("diff --git a/a.md b/a.md\nindex 1..2 100644\nBinary files a/a.md and b/a.md differ\n", "is binary"),
        ("diff --git a/.git/config b/.git/config\n--- a/.git/config\n+++ b/.git/config\n@@ -0,0 +1 @@\n+x\n", r"\.git"),
        (
            "diff --git a/old.md b/new.md\nsimilarity index 100%\nrename from old.md\nrename to new.md\n",
            "--no-renames",
        ),
    ],
)
def test_patches_that_are_refused(world: World, text: str, said: str) -> None:
    path = world.root / "bad.patch"
    path.write_text(text)
    with pytest.raises(DreamError, match=said):
        propose(world, path)


def test_targets_that_are_not_there(world: World) -> None:
    with pytest.raises(TargetError, match="no such file"):
        propose(world, world.root / "none.patch")
    path = world.root / "x.patch"
    path.write_text("--- a/style.md\n+++ b/style.md\n@@ -1 +1 @@\n-# Style\n+# Styles\n")
    with pytest.raises(TargetError, match="--project is required"):
        propose(world, path, None)


def test_it_is_found_again_with_its_decisions(world: World) -> None:
    world.commit()
    edit(world)
    path = patch_of(world, "--no-renames")
    target = Target(TargetKind.PATCH, patch=str(path), project=NAME)
    review = open_review(target, world.options)
    store = DecisionStore(world.options.state_dir)
    store.save(review, store.load(review))
    (row,) = [one for one in find_dreams(world.options) if one.target.kind is TargetKind.PATCH]
    assert (row.target, row.problem) == (target, None)
    path.unlink()
    (row,) = [one for one in find_dreams(world.options) if one.target.kind is TargetKind.PATCH]
    assert row.problem is not None


LINES = st.sampled_from([b"-- \n", b"2.39.5\n", b"\n", b"x\n", b"diff --git a/a b/a\n", b"--- a\n", b"+++ b\n"])


@given(st.lists(LINES))
def test_only_what_stands_around_a_diff_is_taken_off(lines: list[bytes]) -> None:
    data = b"".join(lines)
    left = without_mail(data)
    assert data.endswith(left)
    if lines and lines[0].startswith(b"diff "):
        assert left == data
