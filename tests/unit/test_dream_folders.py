"""Finding the output folders of dreams again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memreview.read.dream_folders import find_outputs
from tests.unit.dreamworld import World, put


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    world.notes(style="two\n")
    world.begin()
    world.dream("style.md", "four\n")
    world.finish()
    return world


def names(paths: list[str]) -> list[str]:
    return [os.path.basename(output.path) for output in find_outputs(paths)]


def test_outputs_are_found_up_to_two_levels_below(world: World) -> None:
    base = world.root / "dreams"
    for place in ("one", "a/two", "a/b/three"):
        put(base, f"{place}/memory.diff", "")
    put(base, "four/memory/x.md", "x")
    put(base, "four/run.log", "done\n")
    put(base, "no/memory/x.md", "x")
    put(base, "five/CHANGES.md", "x")
    put(base, ".hidden/memory.diff", "")
    (base / "linked").symlink_to(world.out)
    assert sorted(names([str(base)])) == ["four", "one", "two"]
    assert names([str(world.out), str(world.root)]).count(world.out.name) == 1
    assert names([str(world.root / "nowhere")]) == []


def test_the_project_is_read_from_the_headers(world: World) -> None:
    (output,) = find_outputs([str(world.out)], world.options)
    assert output.project is not None
    assert output.project.name == "-home-dev-lantern"
    assert output.memory_dir == str(world.memory)
    assert not output.failed
    (bare,) = find_outputs([str(world.out)])
    assert (bare.project, bare.memory_dir) == (None, str(world.memory))


def test_the_newest_comes_first_and_a_failed_run_is_told(world: World) -> None:
    older = world.root / "dream-2026-10-01"
    world.run("cp", "-r", str(world.out), str(older))
    os.utime(older / "memory.diff", (1_790_000_000, 1_790_000_000))
    outputs = find_outputs([str(world.root)], world.options)
    assert [os.path.basename(output.path) for output in outputs] == [world.out.name, older.name]
    assert outputs[1].date == 1_790_000_000
    assert outputs[1].failed


def test_an_unreadable_diff_is_listed_all_the_same(world: World) -> None:
    put(world.out, "memory.diff", "nonsense")
    (output,) = find_outputs([str(world.out)], world.options)
    assert (output.project, output.memory_dir) == (None, None)


def test_a_projects_own_folder_is_no_output(world: World) -> None:
    put(world.memory.parent, "s.jsonl", "{}\n")
    assert names([str(world.claude / "projects")]) == []
