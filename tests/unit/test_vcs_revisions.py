"""Reading a folder's files from git revisions."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memreview.errors import UsageError, VcsError
from memreview.vcs.revisions import FolderRevisions, open_revisions

ODD_NAMES = ("two words.md", 'quo"te.md', '"first.md', "new\nline.md", "tab\there.md", ":(top)x.md", "-dash.md", "*.md")


@pytest.fixture(autouse=True)
def own_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Somebody")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "somebody@example.invalid")


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(folder: Path, files: dict[str, bytes], *config: str) -> str:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    git(folder, *config, "add", "-A", ".")
    git(folder, "commit", "-q", "--allow-empty", "-m", "state")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    folder = tmp_path / "dotfiles" / "projects" / "-p" / "memory"
    folder.mkdir(parents=True)
    git(tmp_path / "dotfiles", "init", "-q")
    return folder


def revisions(folder: Path) -> FolderRevisions:
    found = open_revisions(str(folder))
    assert found is not None
    return found


def contents(folder: Path, sha: str) -> dict[str, bytes]:
    found = revisions(folder)
    files = found.files(sha)
    blobs = found.blobs(file.oid for file in files.values())
    return {path: blobs[file.oid] for path, file in files.items()}


def test_files_of_a_folder_inside_a_larger_repository(memory: Path, tmp_path: Path) -> None:
    wanted = {"a.md": b"a\xff\r\n", "sub/b.md": b"", "same.md": b"", "big.md": b"x\n" * 50_000}
    (tmp_path / "dotfiles" / "other.md").write_bytes(b"not ours")
    first = commit(memory, wanted)
    commit(memory, {"a.md": b"later"})
    assert contents(memory, first) == wanted
    assert contents(memory, revisions(memory).resolve(None))["a.md"] == b"later"
    assert revisions(memory).resolve("HEAD~1") == first


def test_odd_names_survive(memory: Path) -> None:
    wanted = {name: name.encode() for name in ODD_NAMES}
    bad = os.fsdecode(b"caf\xe9.md")
    wanted[bad] = b"latin"
    sha = commit(memory, wanted)
    assert contents(memory, sha) == wanted
    found = revisions(memory)
    ids = found.ids_on_disk(list(wanted))
    assert ids == {path: file.oid for path, file in found.files(sha).items()}
    assert all(found.checked_out(sha, name) == data for name, data in wanted.items())


def test_links_are_told_from_files(memory: Path) -> None:
    (memory / "link.md").symlink_to("a.md")
    sha = commit(memory, {"a.md": b"a"})
    assert {path: file.is_file for path, file in revisions(memory).files(sha).items()} == {
        "a.md": True,
        "link.md": False,
    }


def test_line_ends_of_a_checkout(memory: Path) -> None:
    git(memory, "config", "core.autocrlf", "true")
    sha = commit(memory, {"dos.md": b"a\r\nb\r\n"})
    found = revisions(memory)
    file = found.files(sha)["dos.md"]
    assert found.blobs([file.oid])[file.oid] == b"a\nb\n"
    assert found.checked_out(sha, "dos.md") == b"a\r\nb\r\n"
    assert found.ids_on_disk(["dos.md"]) == {"dos.md": file.oid}
    (memory / "dos.md").write_bytes(b"a\nb\n")
    assert found.ids_on_disk(["dos.md"]) == {"dos.md": file.oid}


def test_attributes_of_a_subfolder_count(memory: Path) -> None:
    sha = commit(memory, {"sub/.gitattributes": b"*.md eol=crlf\n", "sub/a.md": b"a\n", "b.md": b"b\n"})
    found = revisions(memory)
    assert found.checked_out(sha, "sub/a.md") == b"a\r\n"
    assert found.checked_out(sha, "b.md") == b"b\n"


@pytest.mark.parametrize("name", ["nowhere", "--all", "HEAD~9", "", "HEAD:"])
def test_a_revision_that_does_not_exist_is_a_usage_error(memory: Path, name: str) -> None:
    commit(memory, {"a.md": b"a"})
    with pytest.raises(UsageError, match="no such revision"):
        revisions(memory).resolve(name)


def test_a_repository_without_commits(memory: Path) -> None:
    with pytest.raises(VcsError, match="no commit yet"):
        revisions(memory).resolve(None)
    assert revisions(memory).commits(5) == ()


def test_known_ids(memory: Path) -> None:
    sha = commit(memory, {"a.md": b"a"})
    found = revisions(memory)
    assert found.knows([sha])
    assert found.knows([])
    assert not found.knows([sha, "0" * 39 + "1"])


def test_commits_that_touched_the_folder(memory: Path, tmp_path: Path) -> None:
    first = commit(memory, {"a.md": b"1"})
    commit(tmp_path / "dotfiles", {"elsewhere.txt": b"x"})
    last = commit(memory, {"a.md": b"2"})
    assert revisions(memory).commits(10) == (last, first)
    assert revisions(memory).commits(1) == (last,)


def test_reading_leaves_the_repository_alone(memory: Path, tmp_path: Path) -> None:
    sha = commit(memory, {"a.md": b"a\n"})
    os.utime(memory / "a.md", (1, 1))
    inside = tmp_path / "dotfiles" / ".git"
    before = {path: path.read_bytes() for path in inside.rglob("*") if path.is_file()}
    found = revisions(memory)
    found.ids_on_disk(["a.md"])
    found.files(sha)
    found.checked_out(sha, "a.md")
    assert {path: path.read_bytes() for path in inside.rglob("*") if path.is_file()} == before


def test_no_repository_and_the_inside_of_one(tmp_path: Path, memory: Path) -> None:
    (tmp_path / "plain").mkdir()
    assert open_revisions(str(tmp_path / "plain")) is None
    assert open_revisions(str(tmp_path / "dotfiles" / ".git")) is None


def test_a_damaged_object_is_an_error(memory: Path) -> None:
    commit(memory, {"a.md": b"a"})
    found = revisions(memory)
    with pytest.raises(VcsError, match="cannot read the object"):
        found.blobs(["0" * 39 + "1"])


def test_git_missing_is_said(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_revisions(str(memory))
    monkeypatch.setenv("PATH", str(memory))
    with pytest.raises(VcsError, match="git was not found"):
        open_revisions(str(memory))


@pytest.mark.parametrize("call", ["revisions.open_revisions", "repository.open_repository"])
def test_git_missing_from_the_start_is_said(memory: Path, call: str) -> None:
    module, name = call.split(".")
    code = f"from memreview.vcs.{module} import {name}\n"
    code += f"try: {name}({str(memory)!r})\nexcept Exception as error: print(type(error).__name__, error)"
    env = {"PATH": str(memory), "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    assert done.stdout == "VcsError git was not found; install it or put it on PATH\n"
