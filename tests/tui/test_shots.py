"""The script that makes the pictures."""

from __future__ import annotations

import html
import os
from pathlib import Path

import pytest

from tests import shots
from tests.shots import SHOTS, SIZES, draw, main, missing_tools
from tests.tui.snapshot import rows

needs_tools = pytest.mark.skipif(missing_tools() is not None, reason=missing_tools() or "")


def size_of(png: Path) -> tuple[int, int]:
    head = png.read_bytes()[:24]
    assert head.startswith(b"\x89PNG\r\n\x1a\n")
    return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")


@needs_tools
def test_pictures_are_drawn_the_same_at_every_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shots, "PLACE", tmp_path / "lantern-demo")
    monkeypatch.setattr(shots, "SIZES", ((80, 24),))
    monkeypatch.setattr(shots, "SHOTS", (shots.Shot("committed", ("a", "c", "ctrl+s")),))
    drawn = []
    for folder in (tmp_path / "one", tmp_path / "other"):
        assert main([str(folder), "committed"]) == 0
        assert not (tmp_path / "lantern-demo").exists()
        names = sorted(path.name for path in folder.iterdir())
        assert names == ["committed-80x24.png"]
        drawn.append([(folder / name).read_bytes() for name in names])
    assert drawn[0] == drawn[1]
    width, height = size_of(tmp_path / "one" / "committed-80x24.png")
    assert 900 < width < 1100
    assert 580 < height < 700


@needs_tools
def test_no_ligature_and_no_blank_moves_a_text(tmp_path: Path) -> None:
    """The same words drawn glyph by glyph and as one text give the same picture."""
    head = '<svg viewBox="0 0 240 40" xmlns="http://www.w3.org/2000/svg"><style>.x-matrix { font-size: 20px; }</style>'
    text = '<text class="x-r1" x="{x:g}" y="20" textLength="{length:g}" clip-path="url(#a)">{words}</text>'
    words = "  --> != www 0x"
    whole = text.format(x=0, length=12.2 * len(words), words=html.escape(words.replace(" ", "\xa0")))
    glyphs = [
        text.format(x=12.2 * at, length=12.2, words=html.escape(char)) for at, char in enumerate(words) if char != " "
    ]
    for name, body in (("whole", whole), ("glyphs", "".join(glyphs))):
        draw(f'{head}<g class="x-matrix" font-family="Fira Code">{body}</g></svg>', tmp_path / name)
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "glyphs").read_bytes()


def test_a_place_in_use_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shots, "PLACE", tmp_path)
    monkeypatch.setattr(shots, "missing_tools", lambda: None)
    (tmp_path / "mine").touch()
    assert main([str(tmp_path / "out")]) == 3
    assert "remove it" in capsys.readouterr().err
    assert (tmp_path / "mine").exists()


@pytest.mark.parametrize("page", ["README.md", "docs/screens.md"])
def test_every_picture_of_a_page_is_made_and_there(page: str) -> None:
    root = Path(__file__).parents[2]
    made = {f"screenshots/{shot.name}-{size[0]}x{size[1]}.png" for shot in SHOTS for size in SIZES}
    links = [part.split(")")[0] for part in (root / page).read_text(encoding="utf-8").split("](")[1:]]
    named = {os.path.normpath(os.path.join(os.path.dirname(page), link)) for link in links if link.endswith(".png")}
    assert named
    assert named <= made
    assert page == "README.md" or named == made
    assert {name for name in made if not (root / name).is_file()} == set()


def test_rows_are_read_from_pictures_with_wide_characters() -> None:
    wide = '<text class="s-r1" x="0" y="20" textLength="48.8">日本</text>'
    assert rows(wide + '<text class="s-r1" x="61" y="20" textLength="12.2">x</text>') == ["日本 x"]
