"""Where git, a lock or a conflict is in the way, the folder and the repository are as before."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from memreview.apply.folder import Folder
from memreview.apply.result import ConflictError
from memreview.apply.write import ChangedError
from memreview.errors import LockedError, MemreviewError, VcsError
from memreview.model.review import ACCEPT, Decisions
from tests.unit.memory_place import BASE, Make, Place, hook, made_for
from tests.unit.reviews import accept_all, change_with, decide, lay, tree


def _merge(place: Place) -> None:
    place.git("checkout", "-q", "-b", "side")
    place.git("commit", "-q", "--allow-empty", "-m", "side")
    place.git("checkout", "-q", "-")
    place.git("merge", "-q", "--no-ff", "--no-commit", "side")


def _no_identity(place: Place) -> None:
    Path(os.environ["GIT_CONFIG_GLOBAL"]).write_text("[user]\n\tuseConfigOnly = true\n")


TROUBLES: Sequence[tuple[str, Callable[[Place], object], str]] = [
    ("hook", lambda place: hook(place, "pre-commit", "echo no commits today >&2\nexit 1\n"), "no commits today"),
    ("message hook", lambda place: hook(place, "commit-msg", "echo bad subject >&2\nexit 1\n"), "bad subject"),
    (
        "second commit",
        lambda place: hook(place, "commit-msg", 'grep -q "^State" "$1" || { echo no reviews >&2; exit 1; }\n'),
        "no reviews",
    ),
    ("adding hook", lambda place: hook(place, "pre-commit", "echo x > more.txt; git add more.txt\n"), "hook changed"),
    ("merge", _merge, "merge"),
    ("identity", _no_identity, "user.name"),
    ("lock", lambda place: (place.top / ".git" / "index.lock").write_text(""), "index.lock"),
    ("bisect", lambda place: place.git("bisect", "start"), "bisect"),
    ("skip", lambda place: place.git("update-index", "--skip-worktree", "build.md"), "skip-worktree"),
    ("assume", lambda place: place.git("update-index", "--assume-unchanged", "build.md"), "skip-worktree"),
    (
        "signing",
        lambda place: place.git("config", "commit.gpgsign", "true") + place.git("config", "gpg.program", "false"),
        "git refused",
    ),
]


@pytest.mark.parametrize(("trouble", "word"), [row[1:] for row in TROUBLES], ids=[row[0] for row in TROUBLES])
@pytest.mark.parametrize("dirty", [False, True])
def test_where_git_refuses_the_folder_is_as_before(
    make: Make, monkeypatch: pytest.MonkeyPatch, trouble: Callable[[Place], object], word: str, dirty: bool
) -> None:
    monkeypatch.setattr("memreview.vcs.repository._LOCK_WAIT", 0.1)
    place = make()
    trouble(place)
    if dirty:
        (place.memory / "build.md").write_text(BASE["build.md"].replace("Run make", "Run make all"))
    before = place.snapshot()
    with pytest.raises(VcsError, match=word) as caught:
        place.apply(made_for(place), accept_all(made_for(place)))
    assert "\n" not in str(caught.value)
    (place.memory / "more.txt").unlink(missing_ok=True)
    assert place.snapshot() == before


FIXERS = [
    ("echo '- theirs' >> build.md", {"build.md": BASE["build.md"] + "- theirs\n"}, "build.md"),
    ("sed -i 's/# Build/# Built/' build.md", {"build.md": BASE["build.md"].replace("Build", "Built")}, None),
    ("sed -i 's/1.23/1.2.3/' build.md", {}, "build.md"),
    (
        "sed -i 's/1.23/1.2.3/; s/# Build/# Built/' build.md",
        {"build.md": BASE["build.md"].replace("Build", "Built")},
        "build.md",
    ),
    ("echo theirs > new/tests.md", {"new/tests.md": "theirs\n"}, None),
    ("mkdir -p sub; echo theirs > sub/old.md", {"sub/old.md": "theirs\n"}, "old.md"),
]


@pytest.mark.parametrize(("command", "changed", "kept"), FIXERS, ids=[row[0][:18] for row in FIXERS])
def test_a_refusing_hook_that_writes(make: Make, command: str, changed: dict[str, str], kept: str | None) -> None:
    place = make()
    hook(place, "pre-commit", f"{command}\nexit 1\n")
    before = place.head(), place.git("ls-files", "-s")
    with pytest.raises(VcsError, match="git refused") as caught:
        place.apply(made_for(place), accept_all(made_for(place)))
    assert tree(place.memory) == {path: text.encode() for path, text in {**BASE, **changed}.items()}
    assert (place.head(), place.git("ls-files", "-s")) == before
    assert re.search(r"\b(changed meanwhile|changed by somebody else)\b", str(caught.value))
    beside = list(place.memory.parent.glob(".memreview/kept-*/**/*.md"))
    assert [path.name for path in beside] == ([kept] if kept else [])


def test_a_note_that_changes_once_more_while_ours_is_taken_out(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def changed(folder: Folder, *_: object) -> None:
        raise ChangedError(folder.full("build.md"))

    place = make()
    hook(place, "pre-commit", "echo more >> build.md\nexit 1\n")
    monkeypatch.setattr("memreview.apply.take_out.stage", changed)
    with pytest.raises(VcsError, match="git refused"):
        place.apply(made_for(place), accept_all(made_for(place)))
    assert (place.memory / "build.md").read_text().endswith("more\n")
    assert [path.name for path in place.memory.parent.glob(".memreview/*") if path.is_dir()] == [
        path.name for path in place.memory.parent.glob(".memreview/kept-*")
    ]


def test_no_repository_is_refused_unless_told_otherwise(make: Make, tmp_path: Path) -> None:
    place = make()
    subprocess.run(["rm", "-rf", place.top / ".git"], check=True)
    made = made_for(place)
    before = place.snapshot()
    with pytest.raises(VcsError, match="--init"):
        place.apply(made, accept_all(made))
    assert place.snapshot() == before
    assert place.apply(made, accept_all(made), dry_run=True).written == ("build.md", "new/tests.md")
    assert place.snapshot() == before
    (place.memory / ".consolidate-lock").write_text("1x")
    os.utime(place.memory / ".consolidate-lock", (1, 1))
    result = place.apply(made, decide(made, **{"1.23": ACCEPT}), init=True)
    assert place.git("log", "--format=%s").splitlines() == [
        "Review of dream-2026-11-05: 1 of 4 changes",
        "State before review",
    ]
    assert place.git("ls-tree", "-r", "--name-only", "HEAD~1").split() == sorted(BASE)
    assert place.git("show", "HEAD~1:build.md") == BASE["build.md"]
    assert any("under git now" in note for note in result.notes)


def test_a_conflict_carries_its_result_and_writes_nothing(make: Make) -> None:
    place = make()
    (place.memory / "build.md").write_text(BASE["build.md"].replace("1.22", "1.30"))
    before = place.snapshot()
    with pytest.raises(ConflictError, match=r"build\.md") as caught:
        place.apply(made_for(place), accept_all(made_for(place)))
    assert [conflict.change for conflict in caught.value.result.conflicts] == [change_with(made_for(place), "1.23").id]
    assert place.snapshot() == before


def test_a_dream_at_work_is_waited_for(make: Make) -> None:
    place = make()
    lock = place.memory / ".consolidate-lock"
    lock.write_text(f"{os.getpid()}\n")
    before = place.snapshot()
    with pytest.raises(LockedError, match="consolidate-lock"):
        place.apply(made_for(place), accept_all(made_for(place)))
    assert place.snapshot() == before
    assert place.apply(made_for(place), Decisions()).written == ()
    lock.write_text("x")
    os.utime(lock, (1, 1))
    result = place.apply(made_for(place), accept_all(made_for(place)))
    assert any("no longer runs" in note for note in result.notes)
    assert place.git("status", "--porcelain") == "?? .consolidate-lock\n"


def test_a_commit_at_the_same_moment_is_not_reverted(make: Make) -> None:
    place = make()
    hook(
        place,
        "pre-commit",
        'test -e "$HOME/once" && exit 0\ntouch "$HOME/once"\nunset GIT_INDEX_FILE\necho theirs > theirs.txt\n'
        "git add theirs.txt\ngit commit -q -m theirs\n",
    )
    with pytest.raises(MemreviewError):
        place.apply(made_for(place), accept_all(made_for(place)))
    assert place.git("log", "-1", "--format=%s").strip() == "theirs"
    assert place.git("status", "--porcelain") == ""
    assert tree(place.memory) == {**{path: text.encode() for path, text in BASE.items()}, "theirs.txt": b"theirs\n"}


def test_outside_a_sparse_checkout_nothing_is_done(make: Make) -> None:
    place = make(larger=True)
    lay(place.top, {"other/x.md": "x\n"})
    place.git("add", "-A")
    place.git("commit", "-q", "-m", "other")
    place.git("sparse-checkout", "set", "other")
    lay(place.memory, BASE)
    before = place.snapshot()
    with pytest.raises(VcsError, match="sparse"):
        place.apply(made_for(place), accept_all(made_for(place)))
    assert place.snapshot() == before


def test_a_note_in_conflict_is_left_alone(make: Make) -> None:
    place = make()
    for branch in ("side", "main"):
        place.git("checkout", "-q", "-B", branch, "HEAD" if branch == "side" else "side~1")
        (place.memory / "build.md").write_text(f"{branch}\n")
        place.git("commit", "-q", "-a", "-m", branch)
    place.git("merge", "side", ok=False)
    (place.top / ".git" / "MERGE_HEAD").unlink()
    lay(place.memory, BASE)
    before = place.snapshot()
    with pytest.raises(VcsError, match=r"build\.md: it is in conflict"):
        place.apply(made_for(place), accept_all(made_for(place)))
    assert place.snapshot() == before
