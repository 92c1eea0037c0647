"""The snapshots' own tests: stable pictures, readable failures."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.widgets import Input, Static

from tests.tui.snapshot import SIZES, SMALL, Snap, difference, normalise, rows, screen_rows, settle


class Sample(App[None]):
    def __init__(self, text: str, style: str = "red") -> None:
        super().__init__()
        self.text = text
        self.style = style

    def compose(self) -> ComposeResult:
        label = Static(self.text, markup=False)
        label.styles.color = self.style
        yield label
        yield Static("日本 wide · é & <tag>", markup=False)
        yield Input("typed")


async def picture(app: App[None], size: tuple[int, int] = SMALL) -> str:
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        return app.export_screenshot()


@pytest.mark.parametrize("size", SIZES, ids=["small", "large"])
async def test_rows_are_what_is_shown(size: tuple[int, int]) -> None:
    app = Sample("first  row")
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        shown = screen_rows(app)
    assert shown[0] == "first  row"
    assert shown[1] == "日本 wide · é & <tag>"
    assert "typed" in shown[3]


async def test_pictures_are_stable_and_name_no_host() -> None:
    one, other = [normalise(await picture(Sample("same"))) for _ in range(2)]
    assert one == other
    assert "terminal-" not in one
    assert "http" not in one.replace("http://www.w3.org/2000/svg", "")
    assert rows(one)[0] == "same"
    assert max(len(line) for line in one.split("\n")) < 2000


async def test_a_changed_word_is_named_with_its_row() -> None:
    said = list(
        difference(normalise(await picture(Sample("old words"))), normalise(await picture(Sample("new words"))))
    )
    assert said == ["row  1 - old words", "row  1 + new words"]


async def test_a_changed_colour_is_named() -> None:
    old, new = normalise(await picture(Sample("words", "red"))), normalise(await picture(Sample("words", "blue")))
    said = list(difference(old, new))
    assert len(said) == 1
    assert "row  1 style of 'words'" in said[0]


@pytest.mark.parametrize("size", SIZES, ids=["small", "large"])
async def test_a_snapshot_is_kept(snap: Snap, size: tuple[int, int]) -> None:
    await snap(Sample("kept"), size)


INNER = """
from textual.app import App
from textual.widgets import Static
from tests.tui.snapshot import snap

class Shown(App[None]):
    def compose(self):
        yield Static({text!r})

async def test_shown(snap):
    await snap(Shown())
"""


def test_a_changed_screen_fails_readably(tmp_path: Path) -> None:
    root = str(Path(__file__).parents[2])
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:hypothesispytest",
        "-p",
        "no:xdist",
    ]
    command += ["-o", "asyncio_mode=auto", "test_it.py"]

    def run(text: str, *args: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "test_it.py").write_text(INNER.format(text=text))
        env = {**os.environ, "PYTHONPATH": root, "PYTEST_ADDOPTS": ""}
        return subprocess.run([*command, *args], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)

    assert run("before", "--snapshot-update").returncode == 0
    changed = run("after")
    assert changed.returncode == 1
    assert (
        "row  1 - before\nE   row  1 + after" in changed.stdout or "row  1 - before\nrow  1 + after" in changed.stdout
    )
    kept = sorted(path.name for path in (tmp_path / "snapshot-report").iterdir())
    assert kept == ["test_shown.expected.svg", "test_shown.svg"]
