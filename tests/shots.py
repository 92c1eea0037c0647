"""Pictures of the screens for the README: ``python -m tests.shots FOLDER``.

The app runs on the demo, exports what it shows as SVG, and ``rsvg-convert`` draws that with the installed Fira Code.
"""

from __future__ import annotations

import html
import re
import shutil
import subprocess
from pathlib import Path

from rich.cells import cell_len

from tests.tui.snapshot import CELL_WIDTH

_FONT_FACE = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
_TEXT = re.compile(r'<text (class="[\w-]+-r\d+" )x="([\d.]+)"( y="[\d.]+")[^>]*>([^<]*)</text>')
_PIECE = re.compile(r"\d+|[^\W\d]+(?:\xa0[^\W\d]+)*|.[\u0300-\u036f\ufe0e\ufe0f]*", re.DOTALL)
"""Words; numbers; every other sign alone, as the font makes one glyph of ``->``, ``---`` or ``80x24``."""
_BLANK = "\xa0"
ADVANCE = 1200 / 1950
"""Width of a glyph of Fira Code, in em."""


def missing_tools() -> str | None:
    """What pictures need and this machine lacks, with the remedy; None where nothing is missing."""
    if shutil.which("rsvg-convert") is None:
        return "rsvg-convert is not installed (Debian: librsvg2-bin)"
    fonts = subprocess.run(["fc-list", ":family=Fira Code"], capture_output=True, check=False).stdout
    if not fonts.strip():
        return "the font Fira Code is not installed (Debian: fonts-firacode)"
    return None


def draw(svg: str, target: Path, zoom: float = 1.0) -> None:
    """Draw an exported screenshot as PNG, with the local font and not the one that the SVG would load from the web."""
    svg = _FONT_FACE.sub("", svg)
    svg = svg.replace("font-family: Fira Code, monospace;", 'font-family: "Fira Code", monospace;')
    svg = svg.replace("font-family: arial;", 'font-family: "Fira Code", monospace;')
    svg = svg.replace("font-size: 20px;", f"font-size: {CELL_WIDTH / ADVANCE:.4f}px;", 1)
    command = ["rsvg-convert", "--zoom", f"{zoom}", "--format", "png", "--output", str(target)]
    subprocess.run(command, input=_TEXT.sub(_placed, svg).encode("utf-8", "replace"), check=True)


def _placed(match: re.Match[str]) -> str:
    """A text without blanks in front, which librsvg would drop, cut where the font would draw a ligature."""
    name, x, y, words = match.groups()
    words = html.unescape(words)
    start = float(x) + (len(words) - len(words.lstrip(_BLANK))) * CELL_WIDTH
    spans = []
    for piece in _PIECE.findall(words.strip(_BLANK)):
        spans.append(f'<tspan x="{start:g}">{html.escape(piece)}</tspan>')
        start += cell_len(piece) * CELL_WIDTH
    return f"<text {name}{y}>{''.join(spans)}</text>"
