"""The manifest of a pass: what it says of the proposal beside it, and when it is not believed."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from pathlib import Path

import pytest

from memreview.errors import RefusedError
from memreview.model.dreamed import CopiedTranscript, Ending, LeftOut, Manifest, Unheeded
from memreview.model.review import Accept, Decisions
from memreview.read.dream_folders import find_outputs
from memreview.read.dream_manifest import MANIFEST_NAME, encode, read_manifest
from memreview.read.dreams import read_proposal
from memreview.workflow import apply_review, open_review
from tests.unit.dreamworld import STYLE, STYLE_NEW, World

DIFF = b"--- a\n"
ONE = CopiedTranscript("p/s.jsonl", "/p/s.jsonl", 9, 4, 400, 4000, "aa", "bb")


def manifest(*, complete: bool = True, diff: bytes | None = DIFF, memory_dir: str = "/m/memory") -> Manifest:
    return Manifest(
        project="-m",
        project_path=os.path.dirname(memory_dir),
        memory_dir=memory_dir,
        started="2026-11-03T09:00:00Z",
        ended="2026-11-03T09:10:00Z",
        since="2026-10-20T09:00:00Z",
        days=14,
        ending=Ending(complete, "" if complete else "it reached the limit of turns"),
        diff=hashlib.sha256(diff).hexdigest() if diff is not None else None,
        transcripts=(ONE,),
        left_out=(LeftOut("CLAUDE.md", "outside memory/"),),
        unheeded=(Unheeded("save", "s.jsonl", 4, "remember tabs"),),
        remarks=("a transcript was changed",),
    )


def write(folder: Path, data: bytes) -> None:
    folder.mkdir(exist_ok=True)
    (folder / MANIFEST_NAME).write_bytes(data)


def test_what_it_says_is_read(tmp_path: Path) -> None:
    write(tmp_path, encode(manifest()))
    read = read_manifest(str(tmp_path), DIFF)
    assert read is not None
    assert (read.memory_dir, read.barred) == ("/m/memory", None)
    assert [finding.rule for finding in read.findings] == ["dream-remark", "not-imported", "not-taken-up"]
    assert read.findings[1].file == "CLAUDE.md"


def test_bytes_of_paths_come_back(tmp_path: Path) -> None:
    odd = os.fsdecode(b"/m/\xff/memory")
    write(tmp_path, encode(manifest(memory_dir=odd)))
    read = read_manifest(str(tmp_path), DIFF)
    assert read is not None
    assert read.memory_dir == odd


def test_a_run_that_was_cut_off_is_barred(tmp_path: Path) -> None:
    for diff in (DIFF, None):
        write(tmp_path, encode(manifest(complete=False, diff=diff)))
        read = read_manifest(str(tmp_path), DIFF)
        assert read is not None
        assert read.barred == "this run did not finish: it reached the limit of turns"
        assert "incomplete-run" in {finding.rule for finding in read.findings}


def test_another_memory_diff_is_not_spoken_of(tmp_path: Path) -> None:
    write(tmp_path, encode(manifest(complete=False)))
    read = read_manifest(str(tmp_path), b"--- another run's\n")
    assert read is not None
    assert read.barred is None
    assert [finding.rule for finding in read.findings] == ["other-manifest"]


@pytest.mark.parametrize("data", [b"", b"{", b'{"kind": "memreview-dream", "schema": 99}', b"[" * 100_000])
def test_what_cannot_be_read_bars(tmp_path: Path, data: bytes) -> None:
    write(tmp_path, data)
    read = read_manifest(str(tmp_path), DIFF)
    assert read is not None
    assert read.barred is not None


@pytest.mark.parametrize("data", [b"[]", b"{}", b'{"name": "an extension", "manifest_version": 3}'])
def test_another_tools_manifest_says_nothing(tmp_path: Path, data: bytes) -> None:
    write(tmp_path, data)
    assert read_manifest(str(tmp_path), DIFF) is None


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path / "elsewhere", encode(manifest()))
    (tmp_path / MANIFEST_NAME).symlink_to(tmp_path / "elsewhere" / MANIFEST_NAME)
    read = read_manifest(str(tmp_path), DIFF)
    assert read is not None
    assert read.barred is not None


def test_none_there(tmp_path: Path) -> None:
    assert read_manifest(str(tmp_path), DIFF) is None


def dreamt(root: Path) -> World:
    world = World(root)
    world.notes(style=STYLE)
    world.begin()
    world.dream("style.md", STYLE_NEW)
    world.finish()
    return world


def judged(world: World, *, complete: bool) -> Manifest:
    made = manifest(complete=complete, memory_dir=str(world.memory))
    return replace(made, diff=hashlib.sha256((world.out / "memory.diff").read_bytes()).hexdigest())


@pytest.mark.parametrize("complete", [True, False])
def test_an_incomplete_run_is_looked_at_and_not_applied(tmp_path: Path, complete: bool) -> None:
    world = dreamt(tmp_path)
    write(world.out, encode(judged(world, complete=complete)))
    review = open_review(world.target(), world.options)
    assert [file.path for file in review.files] == ["style.md"]
    assert review.run.complete is complete
    everything = Decisions({file.id: Accept() for file in review.files})
    if complete:
        assert apply_review(review, everything, world.options, no_commit=True).written == ("style.md",)
    else:
        with pytest.raises(RefusedError, match="not applied"):
            apply_review(review, everything, world.options, no_commit=True)
        assert (world.memory / "style.md").read_text() == STYLE
    assert [output.failed for output in find_outputs([str(tmp_path)], world.options)] == [not complete]


def test_an_empty_diff_is_still_of_a_project(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.notes(style=STYLE)
    world.begin()
    world.finish(changes=None)
    assert (world.out / "memory.diff").read_bytes() == b""
    write(world.out, encode(judged(world, complete=True)))
    assert read_proposal(world.target(), world.options).project.memory_dir == str(world.memory)
    (found,) = find_outputs([str(tmp_path)], world.options)
    assert found.project is not None
