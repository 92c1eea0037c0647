"""Applying with real git: what is committed, and what stays as it is."""

from __future__ import annotations

import errno
import os
import subprocess
from pathlib import Path

import pytest

from memreview.apply.folder import Folder, Found
from memreview.model.dream import Citation, CitationStatus
from memreview.model.review import ACCEPT, Decisions
from tests.unit.memory_place import BASE, DREAM, Make, Place, hook, made_for
from tests.unit.reviews import accept_all, change_with, decide, review, tree


@pytest.mark.parametrize("larger", [False, True])
def test_all_of_it_in_one_commit(make: Make, larger: bool) -> None:
    place = make(larger=larger)
    before = place.head()
    result = place.apply(made_for(place), accept_all(made_for(place)))
    assert tree(place.memory) == {path: text.encode() for path, text in DREAM.items()}
    assert sorted(path.name for path in place.memory.iterdir() if path.name != ".git") == [
        "build.md",
        "new",
        "style.md",
    ]
    assert result.commit == place.head()
    assert place.git("rev-parse", "HEAD^").strip() == before
    prefix = "projects/p/memory/" if larger else ""
    assert place.committed(before) == [prefix + path for path in ("build.md", "new/tests.md", "sub/old.md")]
    assert place.git("status", "--porcelain") == ""
    assert (result.written, result.deleted) == (("build.md", "new/tests.md"), ("sub/old.md",))
    assert (place.memory / "style.md").stat().st_mtime == 1_790_812_800
    assert not (place.memory.parent / ".memreview").exists()


def test_staged_dirty_and_untracked_files_stay_so(make: Make) -> None:
    place = make(larger=True)
    (place.top / "other.txt").write_text("staged\n")
    place.git("add", "other.txt")
    (place.top / "other.txt").write_text("staged and dirty\n")
    (place.memory / "style.md").write_text("dirty\n")
    (place.top / "untracked.txt").write_text("u\n")
    before, status = place.head(), place.git("status", "--porcelain")
    place.apply(made_for(place), decide(made_for(place), **{"1.23": ACCEPT}))
    assert place.committed(before) == ["projects/p/memory/build.md"]
    assert place.git("status", "--porcelain") == status
    assert place.git("show", ":other.txt") == "staged\n"


def test_uncommitted_lines_come_first_in_a_commit_of_their_own(make: Make) -> None:
    place = make()
    before = place.head()
    with (place.memory / "build.md").open("a") as file:
        file.write("- Rotated.\n")
    result = place.apply(made_for(place), decide(made_for(place), **{"1.23": ACCEPT}))
    assert "- Rotated." in (place.memory / "build.md").read_text()
    assert place.git("rev-parse", "HEAD~2").strip() == before
    own = place.git("diff", "-U0", "HEAD~1", "HEAD").splitlines()
    assert [line for line in own if line[:1] in "+-" and line[:3] not in ("+++", "---")] == [
        "-- Needs Go 1.22.",
        "+- Needs Go 1.23.",
    ]
    assert place.git("log", "-1", "--format=%s", "HEAD~1").strip() == "State before review"
    assert result.commit == place.head()
    assert place.git("status", "--porcelain") == ""


def test_a_staged_text_that_is_nowhere_else_is_kept_in_history(make: Make) -> None:
    place = make()
    (place.memory / "build.md").write_text(BASE["build.md"] + "- only staged\n")
    place.git("add", "build.md")
    (place.memory / "build.md").write_text(BASE["build.md"] + "- on disk\n")
    place.apply(made_for(place), decide(made_for(place), **{"1.23": ACCEPT}))
    assert "- only staged" in place.git("show", "HEAD~2:build.md")
    assert "- on disk" in place.git("show", "HEAD~1:build.md")
    assert place.git("status", "--porcelain") == ""


def test_an_untracked_note_is_committed_before_it_is_changed(make: Make) -> None:
    place = make(commit=False)
    result = place.apply(made_for(place), decide(made_for(place), **{"1.23": ACCEPT}))
    assert place.git("rev-list", "--count", "HEAD").strip() == "2"
    assert place.git("show", "HEAD~1:build.md") == BASE["build.md"]
    assert place.git("ls-files").split() == ["build.md"]
    assert result.commit == place.head()


def test_a_linked_worktree(make: Make, tmp_path: Path) -> None:
    place = make(larger=True)
    place.git("worktree", "add", "-q", str(tmp_path / "tree"))
    memory = tmp_path / "tree" / "projects" / "p" / "memory"
    made = review(BASE, DREAM, str(memory))
    result = place.apply(made, accept_all(made))
    assert (
        subprocess.run(["git", "rev-parse", "HEAD"], cwd=memory, capture_output=True, check=True)
        .stdout.decode()
        .strip()
        == result.commit
    )
    assert subprocess.run(["git", "status", "--porcelain"], cwd=memory, capture_output=True, check=True).stdout == b""
    assert place.git("status", "--porcelain") == ""


def test_without_a_commit(make: Make) -> None:
    place = make()
    head, index = place.head(), place.git("ls-files", "-s")
    result = place.apply(made_for(place), accept_all(made_for(place)), no_commit=True)
    assert result.commit is None
    assert (place.head(), place.git("ls-files", "-s")) == (head, index)
    assert tree(place.memory) == {path: text.encode() for path, text in DREAM.items()}


def test_a_dry_run_and_nothing_accepted_change_nothing(make: Make) -> None:
    place = make()
    before = place.snapshot()
    result = place.apply(made_for(place), accept_all(made_for(place)), dry_run=True)
    assert (result.written, result.deleted, result.commit) == (("build.md", "new/tests.md"), ("sub/old.md",), None)
    assert place.apply(made_for(place), Decisions()).commit is None
    assert place.snapshot() == before


def test_line_ends_on_disk_stay_and_git_sees_nothing_left(make: Make) -> None:
    base = {"dos.md": "one\r\ntwo\r\n", "unix.md": "one\ntwo\n"}
    place = make(base)
    place.git("config", "--global", "core.autocrlf", "true")
    proposed = {"dos.md": "one\r\nTWO\r\n", "unix.md": "one\nTWO\n", "new.md": "n\r\n"}
    before = place.head()
    made = made_for(place, base, proposed)
    place.apply(made, accept_all(made))
    assert tree(place.memory) == {path: text.encode() for path, text in proposed.items()}
    assert place.git("status", "--porcelain") == ""
    assert place.committed(before) == ["dos.md", "new.md", "unix.md"]


def test_attributes_of_the_folder_count(make: Make) -> None:
    base = {"a.md": "one\r\ntwo\r\n"}
    place = make(base)
    (place.memory / ".gitattributes").write_text("*.md text eol=crlf\n")
    place.git("add", "--renormalize", "-A")
    place.git("commit", "-q", "-m", "attributes", "-a")
    made = made_for(place, base, {"a.md": "one\r\nTWO\r\n"})
    place.apply(made, accept_all(made))
    assert place.git("show", "HEAD:a.md") == "one\nTWO\n"
    assert place.git("status", "--porcelain", "--untracked-files=no") == ""


@pytest.mark.parametrize(
    "name", ["-dash.md", ":(top)x.md", "st*r.md", "a\tb.md", 'q"uote.md', "back\\slash.md", "l\nf.md", "caf\udce9.md"]
)
def test_odd_names(make: Make, name: str) -> None:
    base = {name: "old\n", "stir.md": "s\n"}
    place = make(base)
    (place.memory / "stir.md").write_text("dirty\n")
    made = made_for(place, base, {name: "new\n", "stir.md": "s\n"})
    before = place.head()
    place.apply(made, accept_all(made))
    assert place.git("diff", "--name-only", "-z", before, "HEAD").split("\0")[:-1] == [name]
    assert place.git("status", "--porcelain") == " M stir.md\n"


def test_a_detached_head_gets_the_commit(make: Make) -> None:
    place = make()
    place.git("checkout", "-q", "--detach")
    branch = place.git("rev-parse", "main")
    result = place.apply(made_for(place), accept_all(made_for(place)))
    assert place.head() == result.commit
    assert place.git("rev-parse", "main") == branch


def test_a_hook_sees_what_is_committed_on_disk_and_in_the_index(make: Make) -> None:
    place = make()
    look = 'cat build.md > "$HOME/disk"\ngit show :build.md > "$HOME/index"\n'
    hook(place, "pre-commit", look + 'git diff --cached --name-only > "$HOME/names"\n')
    (place.memory / "style.md").write_text("dirty and staged\n")
    place.git("add", "style.md")
    place.apply(made_for(place), accept_all(made_for(place)))
    home = Path(os.environ["HOME"])
    assert (home / "disk").read_text() == (home / "index").read_text() == DREAM["build.md"]
    assert (home / "names").read_text().split() == ["build.md", "new/tests.md", "sub/old.md"]
    assert place.git("status", "--porcelain") == "M  style.md\n"


def test_modes_stay(make: Make) -> None:
    place = make()
    (place.memory / "build.md").chmod(0o600)
    place.apply(made_for(place), accept_all(made_for(place)))
    assert (place.memory / "build.md").stat().st_mode & 0o777 == 0o600
    assert (place.memory / "new" / "tests.md").stat().st_mode & 0o777 == 0o644


def test_the_message_names_changes_and_citations(make: Make) -> None:
    place = make()
    made = made_for(place)
    citation = Citation("s.jsonl:3-4", "s.jsonl", 3, 4, CitationStatus.FOUND)
    missing = Citation("t.jsonl:9", "t.jsonl", 9, 9, CitationStatus.MISSING)
    object.__setattr__(made, "citations", {change_with(made, "1.23").id: (citation, missing)})
    place.apply(made, decide(made, **{"1.23": ACCEPT, "Cache: none": ACCEPT}), message="#7: new \x1b[31mGo")
    assert place.git("log", "-1", "--format=%B").strip().splitlines() == [
        "#7: new \x1b[31mGo",
        "",
        "- build.md:3: - Needs Go 1.23. (s.jsonl:3-4; t.jsonl:9 [missing])",
        "- build.md:7: - Cache: none. (nothing cited)",
    ]


def test_a_note_that_cannot_be_read_after_the_commit_takes_nothing_back(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = make()
    before, read = place.head(), Folder.read

    def fail_once_committed(folder: Folder, path: str) -> Found | None:
        if place.head() != before:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return read(folder, path)

    monkeypatch.setattr(Folder, "read", fail_once_committed)
    result = place.apply(made_for(place), decide(made_for(place), **{"1.23": ACCEPT}))
    assert result.commit == place.head() != before
    assert "build.md: this was changed again" in result.notes[-1]


def test_a_linked_memory_folder(make: Make, tmp_path: Path) -> None:
    place = make()
    link = tmp_path / "link"
    link.symlink_to(place.memory)
    made = review(BASE, DREAM, str(link))
    result = place.apply(made, accept_all(made))
    assert link.is_symlink()
    assert result.commit == place.head()


def test_variables_of_a_surrounding_git_are_forgotten(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = make()
    other = tmp_path / "other"
    other.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=other, check=True)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / "index"))
    result = place.apply(made_for(place), accept_all(made_for(place)))
    assert result.commit == place.head()


def test_a_repository_of_long_ids(make: Make) -> None:
    place = make()
    subprocess.run(["rm", "-rf", place.top / ".git"], check=True)
    place.git("init", "-q", "--object-format=sha256")
    place.git("add", "-A")
    place.git("commit", "-q", "-m", "base")
    result = place.apply(made_for(place), accept_all(made_for(place)))
    assert result.commit is not None
    assert len(result.commit) == 64
    assert place.git("status", "--porcelain") == ""


def test_filters_of_the_user_apply(make: Make) -> None:
    place = make()
    place.git("config", "filter.loud.clean", "tr a-z A-Z")
    place.git("config", "filter.loud.smudge", "tr A-Z a-z")
    (place.memory / ".gitattributes").write_text("*.md filter=loud\n")
    place.git("add", "--renormalize", "-A", ".")
    place.git("add", "-A")
    place.git("commit", "-q", "-m", "loud")
    place.apply(made_for(place), accept_all(made_for(place)))
    assert "NEEDS GO 1.23" in place.git("show", "HEAD:build.md")
    assert place.git("status", "--porcelain") == ""


def test_what_a_hook_leaves_running_holds_no_lock(make: Make) -> None:
    place = make()
    hook(place, "post-commit", "(sleep 5 >/dev/null 2>&1 &)\n")
    place.apply(made_for(place), accept_all(made_for(place)))
    assert not (place.memory.parent / ".memreview").exists()
    made = review({}, {"later.md": "l\n"}, str(place.memory))
    assert place.apply(made, accept_all(made)).commit == place.head()


def test_a_repository_below_a_line_feed(make: Make, tmp_path: Path) -> None:
    place = make()
    moved = tmp_path / "two\nlines"
    place.memory.rename(moved)
    there = Place(moved, moved, tmp_path / "state")
    result = there.apply(made_for(there), accept_all(made_for(there)))
    assert result.commit == there.head()
    assert there.git("status", "--porcelain") == ""
