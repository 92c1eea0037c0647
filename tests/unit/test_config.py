"""Where options come from, and which source wins."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memreview.config import load_options
from memreview.errors import UsageError


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    for name in list(os.environ):
        if name.startswith(("MEMREVIEW_", "CLAUDE_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    return tmp_path


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "xdg" / "memreview" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_defaults(clean: Path) -> None:
    options = load_options()
    assert options.claude_dir == str(clean / ".claude")
    assert options.projects_dir == str(clean / ".claude" / "projects")
    assert options.dream_dirs == ()
    assert options.managed_settings is None
    assert options.show_secrets is False


def test_command_line_before_environment_before_file(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(clean, 'claude_dir = "from-file"\ndreams = ["d1", "~/d2"]\nshow_secrets = true\n')
    options = load_options()
    assert options.claude_dir == str(clean / "xdg/memreview/from-file")
    assert options.dream_dirs == (str(clean / "xdg/memreview/d1"), str(clean / "d2"))
    assert options.show_secrets is True
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "/from/env")
    monkeypatch.setenv("MEMREVIEW_DREAMS", os.pathsep.join(["/a", "", "/b", "/a"]))
    assert load_options().claude_dir == "/from/env"
    assert load_options().dream_dirs == ("/a", "/b")
    assert load_options(claude_dir="~/x", dreams=["/c"]).claude_dir == str(clean / "x")
    assert load_options(dreams=["/c"]).dream_dirs == ("/c",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("claude_dir = 3", "claude_dir must be a string"),
        ("dreams = 'x'", "dreams must be a list"),
        ("dreams = [1]", "dreams must be a list"),
        ("show_secrets = 'yes'", "must be true or false"),
        ("clade_dir = 'x'", "unknown key 'clade_dir'"),
        ("not toml", "must be TOML"),
        ("deep = " + "[" * 20_000, "must be TOML"),
        ('state_dir = "\\u0000"', "has a NUL"),
        (b"claude_dir = '\xff'", "must be TOML"),
    ],
)
def test_a_wrong_file_is_named(clean: Path, text: str | bytes, said: str) -> None:
    path = write(clean, text)
    with pytest.raises(UsageError, match=said) as caught:
        load_options()
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value).strip()


def test_a_named_file_must_exist(clean: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMREVIEW_CONFIG", str(clean / "none.toml"))
    with pytest.raises(UsageError, match="no such file"):
        load_options()
