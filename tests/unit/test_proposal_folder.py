from __future__ import annotations

import os
from pathlib import Path

import pytest

from memreview.saving import put_folder

FILES = {"base/a.md": b"one\n", "edit/a.md": b"two\n"}


def test_what_another_process_wrote_just_now_is_the_same_proposal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = str(tmp_path / "remedies" / "app-1234")
    rename = os.rename

    def late(source: str, target: str) -> None:
        monkeypatch.setattr(os, "rename", rename)
        put_folder(place, FILES)
        rename(source, target)

    monkeypatch.setattr(os, "rename", late)
    put_folder(place, FILES)
    assert os.listdir(tmp_path / "remedies") == ["app-1234"]
    assert Path(place, "edit", "a.md").read_bytes() == b"two\n"


def test_a_proposal_that_cannot_be_put_in_place_leaves_nothing(tmp_path: Path) -> None:
    place = tmp_path / "remedies" / "app-1234"
    place.parent.mkdir()
    place.write_text("a file\n")
    with pytest.raises(OSError, match="app-1234"):
        put_folder(str(place), FILES)
    assert os.listdir(tmp_path / "remedies") == ["app-1234"]
    assert place.read_text() == "a file\n"
