"""What another session wrote while the dream ran is told from what the dream removed."""

from __future__ import annotations

from pathlib import Path

import pytest

from memreview.model.patch import ChangeKind
from memreview.read.dreams import Proposal
from tests.unit.dreamworld import COPIED, EDITED, MEANWHILE, World, by_path, changes_of, finding, rules

BUILD = (
    "# Build\n\n- Run `make all`.\n- Needs Go 1.22.\n\n## Cache\n\n- In `~/.cache`.\n- Cleared on Mondays.\n"
    "\n## Runners\n\n- Two, both in the cellar.\n"
)
GROWN = BUILD.replace("Mondays.\n", "Mondays.\n- Never on shared disks.\n")
DREAMT = BUILD.replace("1.22", "1.23").replace("Two, both in the cellar", "Three, one in the attic")


@pytest.fixture(params=["commit", "no commit"])
def world(tmp_path: Path, request: pytest.FixtureRequest) -> World:
    """With ``commit`` the copy tells by its own .git what the dream began with."""
    world = World(tmp_path)
    world.notes(build=BUILD, style="# Style\n", MEMORY="- [Build](build.md)\n")
    if request.param == "commit":
        world.commit()
    return world


def knows(world: World) -> bool:
    return (world.memory / ".git").exists()


def marks(proposal: Proposal, path: str = "build.md") -> list[tuple[bytes, bytes, bool]]:
    return [(b"".join(c.removed), b"".join(c.added), c.during_run) for c in changes_of(proposal, path)]


def test_a_line_written_meanwhile(world: World) -> None:
    world.begin()
    world.dream("build.md", DREAMT)
    world.live("build.md", GROWN)
    world.finish()
    proposal = world.propose()
    assert marks(proposal) == [
        (b"- Needs Go 1.22.\n", b"- Needs Go 1.23.\n", False),
        (b"- Never on shared disks.\n", b"", True),
        (b"- Two, both in the cellar.\n", b"- Three, one in the attic.\n", False),
    ]
    assert not by_path(proposal)["build.md"].during_run
    assert finding(proposal, "written-during-run").file == "build.md"
    assert proposal.moved_since == ()


def test_a_note_written_meanwhile_is_no_rename(world: World) -> None:
    body = "---\nname: x\ndescription: one of a kind\ntype: project\n---\n\n" + "Run the tests before every push.\n" * 4
    world.begin()
    world.dream("tests.md", body)
    world.dream("MEMORY.md", "- [Build](build.md)\n- [Tests](tests.md)\n")
    world.live("release.md", body + "Tag first.\n")
    world.finish()
    proposal = world.propose()
    files = by_path(proposal)
    assert [file.path for file in proposal.files] == ["MEMORY.md", "release.md", "tests.md"]
    assert files["release.md"].kind is ChangeKind.DELETED
    assert files["release.md"].during_run
    assert marks(proposal, "release.md")[0][2]
    assert files["tests.md"].kind is ChangeKind.ADDED
    assert not files["tests.md"].during_run
    assert finding(proposal, "written-during-run").file == "release.md"
    assert "whole-note-deleted" not in rules(proposal)


def test_a_note_that_only_others_touched(world: World) -> None:
    world.begin()
    world.dream("style.md", "# Style\n\n- Tabs.\n")
    world.live("build.md", GROWN)
    world.finish()
    proposal = world.propose()
    assert marks(proposal) == [(b"- Never on shared disks.\n", b"", True)]
    assert by_path(proposal)["build.md"].during_run
    assert marks(proposal, "style.md")[0][2] is False


def test_a_line_next_to_the_dreams_own_is_not_lost(world: World) -> None:
    world.begin()
    world.dream("build.md", BUILD.replace("on Mondays", "every night"))
    world.live("build.md", GROWN)
    world.finish()
    assert marks(world.propose()) == [
        (b"- Cleared on Mondays.\n- Never on shared disks.\n", b"- Cleared every night.\n", True)
    ]


def test_a_line_rewritten_meanwhile_needs_a_known_beginning(world: World) -> None:
    world.begin()
    world.dream("build.md", BUILD.replace("Two, both", "Three, all"))
    world.live("build.md", BUILD.replace("1.22", "1.24"))
    world.finish()
    first, second = marks(world.propose())
    assert first == (b"- Needs Go 1.24.\n", b"- Needs Go 1.22.\n", knows(world))
    assert second[2] is False


def test_a_line_that_both_rewrote_is_held_back_where_it_is_known(world: World) -> None:
    world.begin()
    world.dream("build.md", BUILD.replace("1.22", "1.23"))
    world.live("build.md", BUILD.replace("1.22", "1.24"))
    world.finish()
    assert marks(world.propose()) == [(b"- Needs Go 1.24.\n", b"- Needs Go 1.23.\n", knows(world))]


def test_a_line_deleted_meanwhile_does_not_come_back_where_it_is_known(world: World) -> None:
    world.begin()
    world.dream("build.md", DREAMT)
    world.live("build.md", BUILD.replace("- Cleared on Mondays.\n", ""))
    world.finish()
    (_, brought_back, _) = marks(world.propose())
    assert brought_back == (b"", b"- Cleared on Mondays.\n", knows(world))


def test_a_line_the_dream_itself_removed_is_its_own_where_it_is_known(world: World) -> None:
    world.begin()
    world.dream("build.md", BUILD.replace("- Two, both in the cellar.\n", ""))
    world.live("build.md", GROWN)
    world.finish()
    foreign, own = marks(world.propose())
    assert foreign == (b"- Never on shared disks.\n", b"", True)
    assert own == (b"- Two, both in the cellar.\n", b"", not knows(world))


@pytest.mark.parametrize("edited", [False, True])
def test_a_note_deleted_meanwhile(world: World, edited: bool) -> None:
    world.begin()
    if edited:
        world.dream("build.md", DREAMT)
    world.dream("style.md", "# Style\n\n- Tabs.\n")
    world.live("build.md", None)
    world.finish()
    file = by_path(world.propose())["build.md"]
    assert file.kind is ChangeKind.ADDED
    assert file.during_run is knows(world)


def test_removals_before_the_first_edit_are_the_dreams(world: World) -> None:
    world.live("style.md", "# Style\n\n- Old rule.\n", COPIED - 5)
    world.begin()
    world.dream("style.md", "# Style\n")
    world.finish()
    assert marks(world.propose(), "style.md")[0][2] is False


def test_equal_times_prove_nothing(world: World) -> None:
    world.begin()
    world.dream("build.md", DREAMT)
    world.live("build.md", GROWN, EDITED)
    world.finish()
    assert [mark for _, _, mark in marks(world.propose())] == [False] * 3


def test_the_time_of_an_untouched_copy_counts_as_well(world: World) -> None:
    world.begin()
    world.dream("build.md", DREAMT)
    world.live("build.md", GROWN, EDITED - 60)
    world.live("style.md", "# Style\n\n- From another.\n", EDITED - 60)
    world.finish()
    assert [mark for _, _, mark in marks(world.propose())] == [False, True, False]


@pytest.mark.parametrize("zone", ["UTC-14", "UTC+11:30", "America/New_York"])
def test_times_are_read_with_their_zones(world: World, zone: str) -> None:
    world.timezone = zone
    world.begin()
    world.dream("build.md", DREAMT)
    world.dream("new.md", "n\n")
    world.live("build.md", GROWN, EDITED + 1)
    world.live("release.md", "r\n", EDITED - 1)
    world.finish()
    proposal = world.propose()
    assert [mark for _, _, mark in marks(proposal)] == [False, True, False]
    assert not by_path(proposal)["release.md"].during_run


def test_a_copy_dated_1970_proves_nothing(world: World) -> None:
    world.begin()
    world.dream("build.md", DREAMT, 86_400)
    world.live("build.md", GROWN)
    world.finish()
    assert [mark for _, _, mark in marks(world.propose())] == [False] * 3


def test_mixed_zones_in_one_diff(world: World) -> None:
    world.begin()
    world.dream("build.md", DREAMT)
    world.live("build.md", GROWN)
    world.finish()
    path = world.out / "memory.diff"
    late = f"{MEANWHILE % 86_400 // 3600:02d}"
    text = path.read_text()
    assert " +0000\n" in text
    # Ten hours earlier on the clock, and the zone says so: the same moment.
    hour = (int(late) - 10) % 24
    shifted = []
    for line in text.split("\n"):
        if line.startswith("--- "):
            stamp = line.rsplit("\t", 1)[1]
            day = stamp[:10] if int(late) >= 10 else "2026-11-02"
            line = line.replace(stamp, f"{day} {hour:02d}{stamp[13:]}").replace("+0000", "-1000")
        shifted.append(line)
    path.write_text("\n".join(shifted))
    assert [mark for _, _, mark in marks(world.propose())] == [False, True, False]


def test_in_a_larger_repository_the_latest_commit_helps(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.notes(build=BUILD)
    world.commit(world.claude)
    world.begin()
    world.dream("build.md", BUILD.replace("Two, both", "Three, all"))
    world.live("build.md", BUILD.replace("1.22", "1.24"))
    world.finish()
    assert [mark for _, _, mark in marks(world.propose())] == [True, False]
