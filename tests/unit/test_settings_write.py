"""The retention period written into settings.json, and nothing else changed."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memreview.auditing.settings_write import write_period
from memreview.checks.settings_text import with_key
from memreview.config import Options
from memreview.errors import RefusedError, UsageError

KEY = "cleanupPeriodDays"
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 99) | st.text(st.sampled_from('ab"\\{}:,\u00e9\u2028'), max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([KEY, "a", "b{"]), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([KEY, "a", 'b"', "c:"]), VALUES, max_size=4), st.sampled_from([None, 1, "\t"]))
@settings(max_examples=120)
def test_only_the_key_changes(values: dict[str, object], indent: int | str | None) -> None:
    text = json.dumps(values, indent=indent)
    new = with_key(text, KEY, 365)
    assert json.loads(new) == {**values, KEY: 365}
    assert list(json.loads(new)) == list(values) if KEY in values else list(json.loads(new))[1:] == list(values)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"a" 1}', '{"a": 1,, "b": 2}', '{"a": 1} // x', "{'a': 1}", "\x00"])
def test_what_does_not_parse_is_never_written(tmp_path: Path, text: str) -> None:
    file = tmp_path / "settings.json"
    file.write_text(text)
    if text:
        with pytest.raises(RefusedError, match="nothing was written"):
            write_period(Options(claude_dir=str(tmp_path)), 365, 0.0)
        assert file.read_text() == text
        assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("linked", [False, True])
def test_what_is_no_file_is_never_replaced(tmp_path: Path, linked: bool) -> None:
    folder = tmp_path / "claude"
    folder.mkdir()
    pipe = tmp_path / "pipe" if linked else folder / "settings.json"
    os.mkfifo(pipe)
    if linked:
        (folder / "settings.json").symlink_to(pipe)
    with pytest.raises(RefusedError, match="no regular file"):
        write_period(Options(claude_dir=str(folder)), 365, 0.0)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert os.listdir(folder) == ["settings.json"]


def test_writing(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "settings.json"
    real.parent.mkdir()
    real.write_bytes(b'\xef\xbb\xbf{\r\n  "model": "opus",\r\n  "cleanupPeriodDays": 0\r\n}\r\n')
    real.chmod(0o640)
    (tmp_path / "settings.json").symlink_to(real)
    path, backup = write_period(Options(claude_dir=str(tmp_path)), 365, 0.0)
    assert path == str(real)
    assert real.read_bytes() == b'\xef\xbb\xbf{\r\n  "model": "opus",\r\n  "cleanupPeriodDays": 365\r\n}\r\n'
    assert real.stat().st_mode & 0o777 == 0o640
    assert backup is not None
    assert b'"cleanupPeriodDays": 0' in Path(backup).read_bytes()
    again = write_period(Options(claude_dir=str(tmp_path)), 400, 0.0)[1]
    assert again is not None
    assert again != backup


def test_what_is_set_already_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_bytes(b'{ "cleanupPeriodDays":365 }')
    os.utime(file, (1, 1))
    assert write_period(Options(claude_dir=str(tmp_path)), 365, 0.0) == (str(file), None)
    assert os.listdir(tmp_path) == ["settings.json"]
    assert file.stat().st_mtime == 1


def test_a_new_file(tmp_path: Path) -> None:
    path, backup = write_period(Options(claude_dir=str(tmp_path / "new")), 365, 0.0)
    assert json.loads(Path(path).read_text()) == {KEY: 365}
    assert backup is None
    with pytest.raises(UsageError):
        write_period(Options(claude_dir=str(tmp_path)), 0, 0.0)


@pytest.mark.parametrize("at", [1, 2])
def test_a_full_disk_leaves_no_part_of_a_backup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    """The disk is full while the backup is written, or after it."""
    file = tmp_path / "settings.json"
    file.write_text('{"a": 1}')
    synced: list[int] = []

    def sync(descriptor: int) -> None:
        synced.append(descriptor)
        if len(synced) == at:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", sync)
    with pytest.raises(RefusedError, match="nothing was changed"):
        write_period(Options(claude_dir=str(tmp_path)), 365, 0.0)
    assert len(synced) == at
    assert file.read_text() == '{"a": 1}'
    assert os.listdir(tmp_path) == ["settings.json"]
