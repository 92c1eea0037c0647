"""Single files: read without following links, compared entry by entry."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memreview.read.small_files import open_regular, read_regular, same_entry, same_kind


def test_only_regular_files_are_read_and_only_so_much(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"0123456789")
    (tmp_path / "link").symlink_to("file")
    os.mkfifo(tmp_path / "pipe")
    assert read_regular(str(tmp_path / "file"), 4) == b"0123"
    assert read_regular(str(tmp_path / "file"), 4, tail=True) == b"6789"
    assert read_regular(str(tmp_path / "file"), 40, tail=True) == b"0123456789"
    for name in ("link", "pipe", "nowhere", "file/below"):
        assert read_regular(str(tmp_path / name), 4) is None
    assert read_regular(str(tmp_path), 4) is None


def test_links_are_followed_to_files_and_to_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"0123456789")
    (tmp_path / "link").symlink_to("file")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "to-pipe").symlink_to("pipe")
    for name in ("file", "link"):
        with open_regular(str(tmp_path / name)) as file:
            assert file.read() == b"0123456789"
    for name in ("pipe", "to-pipe", "nowhere", "."):
        with pytest.raises(OSError, match=r"no regular file|No such file"):
            open_regular(str(tmp_path / name))


def test_entries_are_compared_by_what_they_hold(tmp_path: Path) -> None:
    for side in ("a", "b"):
        (tmp_path / side / "sub").mkdir(parents=True)
        (tmp_path / side / "sub" / "x").write_bytes(b"x")
        (tmp_path / side / "link").symlink_to("sub")
    first, second = str(tmp_path / "a"), str(tmp_path / "b")
    assert same_entry(first, second)
    assert not same_entry(first, second, limit=0)
    (tmp_path / "b" / "sub" / "x").write_bytes(b"y")
    assert not same_entry(first, second)
    (tmp_path / "b" / "sub" / "x").write_bytes(b"x")
    (tmp_path / "b" / "link").unlink()
    assert not same_entry(first, second)
    (tmp_path / "b" / "link").symlink_to("elsewhere")
    assert not same_entry(first, second)
    assert not same_entry(first, str(tmp_path / "nowhere"))
    assert not same_entry(str(tmp_path / "nowhere"), str(tmp_path / "nowhere"))


def test_pipes_are_never_the_same(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert not same_entry(str(tmp_path / "pipe"), str(tmp_path / "pipe"))


def test_kinds(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "link").symlink_to("file")
    assert same_kind(str(tmp_path / "file"), str(tmp_path / "file"))
    assert not same_kind(str(tmp_path / "file"), str(tmp_path / "link"))
    assert not same_kind(str(tmp_path / "file"), str(tmp_path))
    assert not same_kind(str(tmp_path / "file"), str(tmp_path / "nowhere"))
