"""Reading a memory folder: what is a note, what is not, and that no link is followed."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from memreview.errors import MemreviewError, TargetError
from memreview.read import memory
from memreview.read.memory import is_note_path, read_folder


def put(root: Path, rel: str, data: bytes = b"x\n") -> Path:
    path = root / rel
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def reasons(root: Path) -> dict[str, str]:
    return {stranger.path: stranger.reason for stranger in read_folder(str(root)).strangers}


def test_notes_of_all_subfolders_are_read_as_bytes(tmp_path: Path) -> None:
    put(tmp_path, "MEMORY.md", b"\xef\xbb\xbfa\r\nb\xff")
    put(tmp_path, "logs/2026/11/30.md", b"")
    deep = put(tmp_path, "a b/c.md", b"\x00\n")
    deep.chmod(0o600)
    os.utime(deep, ns=(1_793_664_000_123_456_789, 1_793_664_000_123_456_789))
    folder = read_folder(str(tmp_path))
    assert list(folder.notes) == ["MEMORY.md", "a b/c.md", "logs/2026/11/30.md"]
    assert folder.notes["MEMORY.md"].data == b"\xef\xbb\xbfa\r\nb\xff"
    assert folder.notes["a b/c.md"].mode == 0o600
    assert folder.notes["a b/c.md"].mtime_ns == 1_793_664_000_123_456_789
    assert folder.strangers == ()


def test_what_is_no_note_is_named_with_a_reason(tmp_path: Path) -> None:
    put(tmp_path, "ok.md")
    put(tmp_path, "tool.py")
    put(tmp_path, "LOUD.MD")
    put(tmp_path, ".git/HEAD")
    put(tmp_path, ".git/notes.md")
    put(tmp_path, ".claude/rules.md")
    put(tmp_path, "sub/.git/x.md")
    os.mkfifo(tmp_path / "pipe.md")
    assert reasons(tmp_path) == {
        ".claude": memory.HIDDEN_FOLDER,
        ".git": memory.GIT,
        "LOUD.MD": memory.NO_NOTE,
        "pipe.md": memory.SPECIAL,
        "sub/.git": memory.GIT,
        "tool.py": memory.NO_NOTE,
    }
    assert list(read_folder(str(tmp_path)).notes) == ["ok.md"]


def test_links_are_named_and_never_followed(tmp_path: Path) -> None:
    outside = put(tmp_path, "outside/secret.md", b"secret")
    root = tmp_path / "memory"
    root.mkdir()
    (root / "leak.md").symlink_to(outside)
    (root / "folder").symlink_to(outside.parent)
    (root / "dangling.md").symlink_to(tmp_path / "nowhere")
    assert read_folder(str(root)).notes == {}
    assert reasons(root) == {"leak.md": memory.LINK, "folder": memory.LINK, "dangling.md": memory.LINK}


def test_the_folder_itself_may_be_a_link(tmp_path: Path) -> None:
    put(tmp_path, "store/a.md", b"a")
    (tmp_path / "memory").symlink_to(tmp_path / "store")
    folder = read_folder(str(tmp_path / "memory"))
    assert folder.notes["a.md"].data == b"a"
    assert folder.path == str(tmp_path / "memory")
    assert folder.real_path == os.path.realpath(tmp_path / "store")


def test_a_note_that_becomes_a_link_while_it_is_read_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = put(tmp_path, "secret.md", b"secret")
    root = tmp_path / "memory"
    note = put(root, "a.md")
    vanishing = put(root, "b.md")
    real_open = os.open

    def swap_then_open(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if path == "a.md" and not note.is_symlink():
            note.unlink()
            note.symlink_to(secret)
        if path == "b.md" and vanishing.exists():
            vanishing.unlink()
        return real_open(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", swap_then_open)
    folder = read_folder(str(root))
    assert folder.notes == {}
    assert [(stranger.path, stranger.reason) for stranger in folder.strangers] == [("a.md", memory.LINK)]


def test_a_folder_that_becomes_a_link_while_it_is_read_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "outside/secret.md", b"secret")
    root = tmp_path / "memory"
    put(root, "sub/a.md")
    real_open = os.open

    def swap_then_open(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if path == "sub" and not (root / "sub").is_symlink():
            (root / "sub").rename(tmp_path / "away")
            (root / "sub").symlink_to(tmp_path / "outside")
        return real_open(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", swap_then_open)
    folder = read_folder(str(root))
    assert folder.notes == {}
    assert [(stranger.path, stranger.reason) for stranger in folder.strangers] == [("sub", memory.LINK)]


def test_files_that_come_and_go_do_not_stop_the_reader(tmp_path: Path) -> None:
    put(tmp_path, "stays.md", b"s")
    stop = threading.Event()

    def churn() -> None:
        while not stop.is_set():
            put(tmp_path, "sub/gone.md")
            (tmp_path / "sub" / "gone.md").unlink()
            (tmp_path / "sub").rmdir()

    worker = threading.Thread(target=churn)
    worker.start()
    try:
        for _ in range(100):
            assert read_folder(str(tmp_path)).notes["stays.md"].data == b"s"
    finally:
        stop.set()
        worker.join()


def test_undecodable_names_survive(tmp_path: Path) -> None:
    name = b"caf\xe9\n\t.md"
    with open(os.path.join(os.fsencode(tmp_path), name), "wb") as file:
        file.write(b"x")
    (path,) = read_folder(str(tmp_path)).notes
    assert os.fsencode(path) == name


def test_a_note_that_cannot_be_read_is_a_stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "locked.md")
    put(tmp_path, "shut/in.md")
    real_open = os.open

    def deny(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if path in {"locked.md", "shut"}:
            raise PermissionError(13, "Permission denied", path)
        return real_open(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", deny)
    assert reasons(tmp_path) == {"locked.md": memory.UNREADABLE, "shut": memory.UNREADABLE}


def test_deep_nesting_ends_in_a_stranger(tmp_path: Path) -> None:
    rel = "/".join(["d"] * (memory.MAX_DEPTH + 2))
    put(tmp_path, f"{rel}/x.md")
    folder = read_folder(str(tmp_path))
    assert folder.notes == {}
    assert [stranger.reason for stranger in folder.strangers] == [memory.TOO_DEEP]


def test_a_missing_folder_and_a_file_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="nowhere: no such folder"):
        read_folder(str(tmp_path / "nowhere"))
    with pytest.raises(TargetError, match="this is a file"):
        read_folder(str(put(tmp_path, "file.md")))
    assert read_folder(str(tmp_path / "nowhere"), missing_ok=True).notes == {}


def test_a_folder_that_cannot_be_listed_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(path: object) -> list[str]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "listdir", deny)
    with pytest.raises(MemreviewError, match="cannot be read"):
        read_folder(str(tmp_path))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.md", True),
        (".hidden.md", True),
        ("sub/deep/a.md", True),
        ("a.MD", False),
        ("a.txt", False),
        (".git/a.md", False),
        ("sub/.claude/a.md", False),
        ("../a.md", False),
        ("sub/../a.md", False),
        ("/etc/a.md", False),
        ("", False),
        ("sub/", False),
    ],
)
def test_which_paths_a_note_may_have(path: str, expected: bool) -> None:
    assert is_note_path(path) is expected
