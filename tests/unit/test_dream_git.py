"""The .git that a dream's copy carries along is the folder's own, or the dream is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from memreview.errors import DreamError
from memreview.read.dream_git import check_copied_git, steers_git
from tests.unit.dreamworld import World, put, sides

STYLE = "# Style\n\n- Two spaces.\n"
STYLE_NEW = STYLE.replace("Two", "Four")


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A memory folder that is a repository, and a dream's copy of it with one note changed."""
    world = World(tmp_path)
    world.notes(style=STYLE, other="o\n")
    world.commit()
    world.begin()
    world.dream("style.md", STYLE_NEW)
    return world


def test_an_unchanged_copy_is_ignored(world: World) -> None:
    world.finish()
    assert set(sides(world.propose())) == {"style.md"}


def test_the_repository_may_have_moved_on(world: World) -> None:
    world.finish()
    world.live("later.md", "l\n")
    world.commit()
    world.git("branch", "side")
    world.git("gc", "-q")
    assert set(sides(world.propose())) == {"style.md"}


def test_the_repository_may_move_on_during_the_run(world: World) -> None:
    world.live("later.md", "l\n", 1_600_000_000)
    world.commit()
    world.finish()
    assert set(sides(world.propose())) == {"style.md", "later.md"}


@pytest.mark.parametrize(
    ("path", "data"),
    [
        (".git/hooks/post-commit", "#!/bin/sh\ntouch evil\n"),
        (".git/config", "[core]\n\tfsmonitor = evil\n"),
        (".git/info/attributes", "*.md filter=evil\n"),
        (".git/objects/info/alternates", "/elsewhere\n"),
        (".git/modules/x/config", "[core]\n"),
        (".git/unheard-of", "x\n"),
        (".git/refs/heads/main", "0123456789012345678901234567890123456789\n"),
        (".git/refs/heads/new", "0123456789012345678901234567890123456789\n"),
    ],
)
def test_a_changed_copy_is_refused(world: World, path: str, data: str) -> None:
    put(world.scratch, path, data)
    world.finish()
    with pytest.raises(DreamError, match=r"\.git"):
        world.propose()


def test_a_link_inside_the_copy_is_refused(world: World) -> None:
    head = world.scratch / ".git" / "HEAD"
    head.unlink()
    head.symlink_to("/etc/hostname")
    world.finish(diff=False)
    with pytest.raises(DreamError, match="HEAD is a link"):
        world.propose(project="-home-dev-lantern")


def test_a_link_in_place_of_the_copy_is_refused(world: World) -> None:
    world.run("rm", "-rf", str(world.scratch / ".git"))
    (world.scratch / ".git").symlink_to(world.memory / ".git")
    world.finish(diff=False)
    with pytest.raises(DreamError, match="another kind"):
        world.propose(project="-home-dev-lantern")


def test_a_repository_where_the_folder_has_none_is_refused(world: World) -> None:
    world.finish()
    world.run("rm", "-rf", str(world.memory / ".git"))
    with pytest.raises(DreamError, match=r"has no \.git"):
        world.propose()


def test_the_head_is_read_from_loose_and_packed_refs(world: World) -> None:
    head = world.git("rev-parse", "HEAD")
    where = (str(world.memory),)
    loose = check_copied_git(str(world.scratch), where)
    assert loose is not None
    assert (loose.head, loose.unknown) == (head, frozenset())
    world.git("pack-refs", "--all")
    world.begin()
    packed = check_copied_git(str(world.scratch), where)
    assert packed is not None
    assert packed.head == head
    world.git("checkout", "-q", "--detach")
    world.begin()
    detached = check_copied_git(str(world.scratch), where)
    assert detached is not None
    assert detached.head == head


def test_a_copy_of_a_repository_without_commits(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.notes(style=STYLE)
    world.git("init", "-q")
    world.begin()
    world.dream("style.md", STYLE_NEW)
    world.finish()
    assert set(sides(world.propose())) == {"style.md"}


def test_hooks_that_are_links_are_compared_by_their_aim(world: World) -> None:
    for place, aim in ((world.memory, "/opt/hook"), (world.scratch, "/opt/hook")):
        (place / ".git" / "hooks").mkdir(exist_ok=True)
        (place / ".git" / "hooks" / "pre-commit").symlink_to(aim)
    assert check_copied_git(str(world.scratch), (str(world.memory),)) is not None
    (world.scratch / ".git" / "hooks" / "pre-commit").unlink()
    (world.scratch / ".git" / "hooks" / "pre-commit").symlink_to("/opt/other")
    with pytest.raises(DreamError, match="pre-commit differs"):
        check_copied_git(str(world.scratch), (str(world.memory),))


def test_a_diff_alone_that_reaches_into_git_is_refused(world: World) -> None:
    put(world.scratch, ".git/hooks/post-commit", "#!/bin/sh\n")
    world.finish(memory=False)
    with pytest.raises(DreamError, match=r"\.git/hooks/post-commit"):
        world.propose()


@pytest.mark.parametrize(
    ("path", "steers"),
    [
        (".git/config", True),
        (".git/hooks/x", True),
        (".git/HEAD", False),
        (".git/refs/heads/main", False),
        (".git/index", False),
        (".git/objects/ab/cdef", False),
        (".git/logs/HEAD", False),
        (".git/ORIG_HEAD", False),
    ],
)
def test_what_can_make_git_run_something(path: str, steers: bool) -> None:
    assert steers_git(path) is steers
