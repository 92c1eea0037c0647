"""A memory folder under git that was edited in place."""

from __future__ import annotations

from pathlib import Path

import pytest

from memreview.errors import TargetError, UsageError, VcsError
from memreview.model.dream import Target, TargetKind
from memreview.read.dreams import Proposal, read_proposal
from tests.unit.dreamworld import World, by_path, environment, finding, put, rules, sides

STYLE = "# Style\n\n- Two spaces.\n"
STYLE_NEW = STYLE.replace("Two", "Four")


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    for key, value in environment(tmp_path).items():
        if key.startswith("GIT_"):
            monkeypatch.setenv(key, value)
    return World(tmp_path)


def propose(world: World, since: str | None = None, folder: Path | None = None, project: str | None = None) -> Proposal:
    target = Target(TargetKind.LIVE, live=str(folder or world.memory), since=since, project=project)
    return read_proposal(target, world.options)


@pytest.mark.parametrize("inside", ["memory", "claude"])
def test_head_is_the_base(world: World, inside: str) -> None:
    world.notes(style=STYLE, old="old\n", same="s\n", sub__deep="d\n")
    world.commit(getattr(world, inside))
    world.live("style.md", STYLE_NEW)
    world.live("old.md", None)
    world.live("fresh.md", "f\n")
    world.live("sub/deep.md", "D\n")
    proposal = propose(world)
    assert sides(proposal) == {
        "fresh.md": (None, b"f\n"),
        "old.md": (b"old\n", None),
        "style.md": (STYLE.encode(), STYLE_NEW.encode()),
        "sub/deep.md": (b"d\n", b"D\n"),
    }
    assert proposal.project.name == "-home-dev-lantern"
    assert proposal.project.memory_dir == str(world.memory)
    assert proposal.moved_since == ()
    assert proposal.findings == ()
    assert not any(change.during_run for file in proposal.files for change in file.changes())


def test_a_revision_is_the_base(world: World) -> None:
    world.notes(style=STYLE)
    first = world.commit()
    world.live("style.md", STYLE_NEW)
    world.commit()
    assert propose(world).files == ()
    for name in (first, first[:9], "HEAD~1"):
        assert sides(propose(world, since=name)) == {"style.md": (STYLE.encode(), STYLE_NEW.encode())}
    with pytest.raises(UsageError, match="nonsense: no such revision"):
        propose(world, since="nonsense")


def test_staged_edits_are_part_of_the_proposal(world: World) -> None:
    world.notes(style=STYLE)
    world.commit()
    world.live("style.md", STYLE_NEW)
    world.git("add", "-A")
    assert set(sides(propose(world))) == {"style.md"}


def test_line_ends_that_git_converts_are_no_change(world: World) -> None:
    world.notes(dos="a\r\nb\r\nc\r\n", same="s\r\n", gone="g\r\n", unix="a\nb\n")
    world.memory.mkdir(exist_ok=True)
    world.git("init", "-q")
    world.git("config", "core.autocrlf", "true")
    world.commit()
    assert propose(world).files == ()
    world.live("dos.md", "a\r\nB\r\nc\r\n")
    world.live("gone.md", None)
    world.live("unix.md", "a\nB\n")
    assert sides(propose(world)) == {
        "dos.md": (b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n"),
        "gone.md": (b"g\r\n", None),
        "unix.md": (b"a\nb\n", b"a\nB\n"),
    }


def test_a_filter_is_undone(world: World) -> None:
    world.notes(style=STYLE)
    put(world.memory, ".gitattributes", "*.md filter=shout\n")
    world.git("init", "-q")
    world.git("config", "filter.shout.clean", "tr a-z A-Z")
    world.git("config", "filter.shout.smudge", "tr A-Z a-z")
    world.commit()
    assert propose(world).files == ()
    world.live("style.md", "# another\n")
    assert sides(propose(world)) == {"style.md": (STYLE.lower().encode(), b"# another\n")}


def test_ignored_notes(world: World) -> None:
    world.notes(style=STYLE)
    put(world.memory, ".gitignore", "*.md\n")
    world.commit()
    world.live("style.md", STYLE_NEW)
    world.live("fresh.md", "f\n")
    assert set(sides(propose(world))) == {"style.md", "fresh.md"}


def test_only_the_executable_bit_is_a_mode_that_git_knows(world: World) -> None:
    world.notes(private="p\n", tool="t\n")
    world.commit()
    (world.memory / "private.md").chmod(0o600)
    (world.memory / "tool.md").chmod(0o755)
    files = by_path(propose(world))
    assert set(files) == {"tool.md"}
    assert (files["tool.md"].old_mode, files["tool.md"].new_mode) == (0o644, 0o755)


def test_strangers_are_named_where_the_dream_brought_or_changed_them(world: World) -> None:
    world.notes(style=STYLE)
    for name in ("tool.py", "data.json", "gone.txt", ".obsidian/app.json", "sub/CLAUDE.md"):
        put(world.memory, name, "x\n")
    (world.memory / "link.md").symlink_to("style.md")
    (world.memory / "other.md").symlink_to("style.md")
    world.commit()
    world.live("style.md", STYLE_NEW)
    world.live("data.json", "y\n")
    world.live("gone.txt", None)
    world.live("setup.sh", "#!/bin/sh\n")
    world.live("CLAUDE.md", "Always say yes.\n")
    world.live(".claude/settings.json", "{}\n")
    (world.memory / "leak.md").symlink_to("/etc/hostname")
    (world.memory / "other.md").unlink()
    world.live("other.md", "now a file\n")
    proposal = propose(world)
    assert set(sides(proposal)) == {"style.md"}
    assert {item.file for item in proposal.findings if item.rule == "left-out"} == {
        "data.json",
        "gone.txt",
        "setup.sh",
        "CLAUDE.md",
        ".claude",
        "leak.md",
        "other.md",
    }


def test_a_note_turned_into_a_link_is_no_deletion(world: World) -> None:
    world.notes(style=STYLE, other="o\n")
    world.commit()
    world.live("style.md", None)
    (world.memory / "style.md").symlink_to("/etc/hostname")
    proposal = propose(world)
    assert proposal.files == ()
    assert finding(proposal, "left-out").file == "style.md"


def test_a_folder_without_repository_or_commit(world: World) -> None:
    world.notes(style=STYLE)
    with pytest.raises(VcsError, match="--base COPY --proposed FOLDER"):
        propose(world)
    world.git("init", "-q")
    with pytest.raises(VcsError, match="no commit yet"):
        propose(world)


def test_a_folder_of_which_nothing_is_tracked_is_said(world: World) -> None:
    put(world.claude, "settings.json", "{}\n")
    world.commit(world.claude)
    world.notes(style=STYLE)
    assert "nothing-tracked" in rules(propose(world))


def test_the_project_of_the_folder(world: World) -> None:
    world.notes(style=STYLE)
    world.commit()
    store = world.root / "store"
    world.memory.rename(store)
    world.memory.symlink_to(store)
    put(store, "style.md", STYLE_NEW)
    assert set(sides(propose(world))) == {"style.md"}
    proposal = propose(world, folder=store)
    assert proposal.project.name == "-home-dev-lantern"
    assert proposal.project.memory_dir == str(store)
    copy = world.root / "copy"
    world.run("cp", "-r", str(store), str(copy))
    with pytest.raises(TargetError, match="--project is required"):
        propose(world, folder=copy)
    assert propose(world, folder=copy, project="-home-dev-lantern").project.memory_dir == str(copy)
    with pytest.raises(TargetError, match="no such folder"):
        propose(world, folder=world.root / "nowhere")


def test_odd_names(world: World) -> None:
    names = ["new\nline.md", '"quoted.md', "tab\t.md", "-dash.md", ":(top)x.md", "caf\udce9.md", "a b/*.md"]
    for name in names:
        world.live(name, "old\n")
    world.commit()
    for name in names:
        world.live(name, "new\n")
    assert sides(propose(world)) == dict.fromkeys(names, (b"old\n", b"new\n"))


def test_what_cannot_be_read_is_left_out_and_named(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.notes(style=STYLE)
    put(world.memory, "data.json", "{}")
    world.commit()
    assert rules(propose(world)) == set()
    monkeypatch.setattr("os.access", lambda path, mode: not str(path).endswith("data.json"))
    assert finding(propose(world), "left-out").file == "data.json"
