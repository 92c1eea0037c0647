from __future__ import annotations

import os
from pathlib import Path

import pytest

from memreview.saving import put_file


def test_a_file_is_put_in_place_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(b"before")
    put_file(str(path), b"after\x00", durable=True)
    assert path.read_bytes() == b"after\x00"
    assert path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["state.json"]


def test_a_link_is_replaced_and_what_it_leads_to_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"mine")
    link = tmp_path / "state.json"
    link.symlink_to(other)
    put_file(str(link), b"text")
    assert other.read_bytes() == b"mine"
    assert not link.is_symlink()
    assert link.read_bytes() == b"text"


def test_where_it_cannot_be_put_nothing_is_left_behind(tmp_path: Path) -> None:
    place = tmp_path / "folder"
    place.mkdir()
    (place / "kept").write_bytes(b"kept")
    with pytest.raises(OSError, match="folder"):
        put_file(str(place), b"text")
    assert os.listdir(tmp_path) == ["folder"]
    assert os.listdir(place) == ["kept"]
