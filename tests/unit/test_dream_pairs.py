"""Two folders as base and proposal."""

from __future__ import annotations

from pathlib import Path

import pytest

from memreview.errors import DreamError, TargetError
from memreview.model.dream import Target, TargetKind
from memreview.read.dreams import Proposal, read_proposal
from tests.unit.dreamworld import World, by_path, finding, put, rules, sides

PROJECT = "-home-dev-lantern"


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    put(world.root, "before/style.md", "two\n")
    put(world.root, "before/gone.md", "g\n")
    put(world.root, "after/style.md", "four\n")
    put(world.root, "after/hollow.md", "")
    return world


def propose(world: World, project: str | None = PROJECT, changes: str | None = None, base: str = "before") -> Proposal:
    target = Target(
        TargetKind.FOLDERS,
        base=str(world.root / base),
        proposed=str(world.root / "after"),
        project=project,
        changes=changes,
    )
    return read_proposal(target, world.options)


def test_the_folders_are_compared(world: World) -> None:
    world.notes(style="two\n", extra="e\n")
    proposal = propose(world)
    assert sides(proposal) == {"gone.md": (b"g\n", None), "hollow.md": (None, b""), "style.md": (b"two\n", b"four\n")}
    assert proposal.moved_since == ("extra.md", "gone.md")
    assert proposal.changes_text is None
    assert proposal.findings == ()


def test_the_base_may_be_the_real_folder(world: World) -> None:
    world.notes(style="two\n")
    base = str(world.memory)
    assert propose(world, project=None, base=base).project.name == PROJECT
    with pytest.raises(TargetError, match="--project is required"):
        propose(world, project=None)


def test_the_list_of_changes_is_read_where_it_is_named(world: World) -> None:
    put(world.root, "CHANGES.md", "- style\n")
    where = str(world.root / "CHANGES.md")
    proposal = propose(world, changes=where)
    assert (proposal.changes_text, proposal.changes_path) == ("- style\n", where)
    with pytest.raises(TargetError, match=r"nowhere\.md: no such file"):
        propose(world, changes=str(world.root / "nowhere.md"))


def test_folders_that_are_not_there(world: World) -> None:
    with pytest.raises(TargetError, match="nowhere: no such folder"):
        propose(world, base="nowhere")
    with pytest.raises(TargetError, match="no project"):
        propose(world, project="-nobody")


def test_strangers_are_named_where_they_differ(world: World) -> None:
    for side in ("before", "after"):
        put(world.root, f"{side}/tool.py", "t\n")
        put(world.root, f"{side}/.obsidian/app.json", "{}\n")
        (world.root / side / "same.md").symlink_to("style.md")
    put(world.root, "before/lost.txt", "l\n")
    put(world.root, "before/.hidden/x", "x\n")
    put(world.root, "after/.hidden/x", "y\n")
    put(world.root, "after/CLAUDE.md", "c\n")
    (world.root / "after" / "leak.md").symlink_to("/etc/hostname")
    (world.root / "after" / "gone.md").symlink_to("/etc/hostname")
    (world.root / "before" / "linked.md").symlink_to("style.md")
    put(world.root, "after/linked.md", "now a file\n")
    proposal = propose(world)
    assert set(by_path(proposal)) == {"style.md", "hollow.md"}
    assert {item.file for item in proposal.findings} == {
        "lost.txt",
        ".hidden",
        "CLAUDE.md",
        "leak.md",
        "gone.md",
        "linked.md",
    }


def test_a_repository_in_the_proposal(world: World) -> None:
    world.commit(world.root / "before")
    world.run("cp", "-r", str(world.root / "before" / ".git"), str(world.root / "after"))
    assert "left-out" not in rules(propose(world))
    put(world.root, "after/.git/hooks/pre-commit", "#!/bin/sh\n")
    with pytest.raises(DreamError, match="pre-commit differs"):
        propose(world)


def test_names_alike(world: World) -> None:
    put(world.root, "after/STYLE.md", "x\n")
    assert finding(propose(world), "names-alike").file == "STYLE.md"
