"""The area of an apply and its journal: who may begin one, and what is found of one that was cut off."""

from __future__ import annotations

from pathlib import Path

import pytest

from memreview.apply.journal import GitJournal, GitStep, Journal, TargetFile, dump, new_area, open_areas, parse
from memreview.apply.recover import recover
from memreview.errors import LockedError, MemreviewError, RefusedError
from tests.unit.apply_work import BASE, NEW, Start, apply_whole, look, options_beside, whole_review
from tests.unit.reviews import lay, review, tree


def test_something_in_the_way_of_the_area(memory: Path, tmp_path: Path) -> None:
    (memory.parent / ".memreview").symlink_to(tmp_path)
    before = look(memory)
    with pytest.raises(RefusedError, match="in the way"):
        apply_whole(whole_review(memory), options_beside(memory))
    assert look(memory) == before


def test_an_area_at_work_keeps_others_out(memory: Path, start: Start) -> None:
    work = start()
    with pytest.raises(LockedError, match="still at work"):
        open_areas(str(memory))
    work.end()
    assert open_areas(str(memory)) == []


def test_two_areas_at_one_moment_exclude_each_other(memory: Path, start: Start) -> None:
    work = start()
    with pytest.raises(LockedError, match="still at work"):
        new_area(str(memory))
    new_area(str(memory), work.area).discard()
    work.area.close()
    with pytest.raises(LockedError, match="start again"):
        new_area(str(memory))
    assert [area.name for area in open_areas(str(memory))] == [work.area.name]


def test_folders_side_by_side_do_not_know_each_other(memory: Path, start: Start) -> None:
    other = memory.parent / "other"
    lay(other, BASE)
    work = start()
    made = review(BASE, {path: text.decode() for path, text in NEW.items()}, str(other))
    apply_whole(made, options_beside(other))
    assert tree(other) == NEW
    work.carry_out()
    work.end()
    assert tree(memory) == NEW
    assert not (memory.parent / ".memreview").exists()


def test_a_damaged_journal_is_said_and_stays(memory: Path, start: Start) -> None:
    work = start()
    work.folder.close()
    work.area.close()
    (Path(work.area.path) / "journal").write_text("{")
    with pytest.raises(MemreviewError, match="journal: cannot be read"):
        recover(str(memory))
    assert (Path(work.area.path) / "old").read_bytes() == b"old\na\nb\n"


def test_a_journal_survives_odd_names() -> None:
    target = TargetFile("caf\udce9\n.md", "00000", None, "x")
    git = GitJournal(None, None, (GitStep("t", True),), {"a": None}, {"a": ("100644", "o")})
    written = Journal("i", "memory", "now", (target,), ("d\udcff",), {"d": 0o755}, git)
    assert parse(dump(written)) == written
