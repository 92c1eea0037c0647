"""Pictures of the screens for the README: ``python -m tests.shots FOLDER``.

The app runs on the demo, exports what it shows as SVG, and ``rsvg-convert`` draws that with the installed Fira Code.
"""

from __future__ import annotations

import asyncio
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

from rich.cells import cell_len

from memreview.config import Options
from memreview.demo.build import Demo, build
from memreview.demo.faults import build_faults
from memreview.model.dream import Target, TargetKind
from memreview.read.discover import resolve_project
from memreview.review.accept import AcceptRule, accept_by
from memreview.tui.app import MemreviewApp
from memreview.tui.screens.project import ProjectScreen
from memreview.workflow import apply_review, check_claims, open_review
from tests import kinds, many
from tests.midway import midway_app
from tests.tui.apps import ScreenApp
from tests.tui.snapshot import CELL_WIDTH, settle

_FONT_FACE = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
_TEXT = re.compile(r'<text (class="[\w-]+-r\d+" )x="([\d.]+)"( y="[\d.]+")[^>]*>([^<]*)</text>')
_PIECE = re.compile(r"\d+|(?:(?!ww)[^\W\d])+(?:\xa0(?:(?!ww)[^\W\d])+)*|.[\u0300-\u036f\ufe0e\ufe0f]*", re.DOTALL)
"""Words; numbers; every other sign alone, as the font makes one glyph of ``->``, ``www`` or ``80x24``."""
_BLANK = "\xa0"
ADVANCE = 1200 / 1950
"""Width of a glyph of Fira Code, in em."""


SIZES = ((80, 24), (120, 40))
NOW = datetime(2026, 11, 2, 8, 15, tzinfo=UTC)
"""The morning after the dream of the demo."""
PLACE = Path(tempfile.gettempdir()) / "lantern-demo"
"""Where the demo is written: its paths stand in the pictures, so it is the same at every run."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: its name, where it begins, and the keys that lead to it."""

    name: str
    keys: tuple[str, ...] = ()
    start: str = "review"


TO_TESTING = ("G", "k")
DECIDED = ("g", "j", "j", "a", "n", "a", "n", "r", "n", "a", "n", "a", "n", "r")
TO_ELSEWHERE = ("f",) * 7
TO_LANTERN = ("tab", "g", "j", "j", "enter")
TO_LINE = ("2", *("n",) * 5, "tab", *("j",) * 2)
SHOTS = (
    Shot("projects", start="projects"),
    Shot("projects-empty", start="nothing"),
    Shot("projects-help", ("question_mark",), "many"),
    Shot("project", (*TO_LANTERN, "G", "k"), "many"),
    Shot("project-raw", ("tab", "g", "enter", "2", "tab", "G"), "many"),
    Shot("project-findings", (*TO_LANTERN, "3"), "many"),
    Shot("project-evidence", (*TO_LANTERN, "G", "k", "4"), "many"),
    Shot("project-layers", (*TO_LANTERN, "5"), "many"),
    Shot("dream", start="dream"),
    Shot("project-line", (*TO_LINE,), "reviewed"),
    Shot("project-check", ("6", "j"), "faulty"),
    Shot("project-line-denied", ("6", "j", "j", "j", "enter"), "faulty"),
    Shot("history", ("h",), "reviewed"),
    Shot("history-kept", ("h", "enter", "enter"), "reviewed"),
    Shot("history-revert", ("h", "R"), "reviewed"),
    Shot("refused", start="refused"),
    Shot("review"),
    Shot("review-decided", (*DECIDED, *TO_TESTING)),
    Shot("review-conflict", (*TO_TESTING, "k")),
    Shot("review-side-by-side", (*TO_TESTING, "s")),
    Shot("review-lines", (*TO_TESTING, "x", "j", "space")),
    Shot("review-flags", ("f",), "kinds"),
    Shot("review-flags-elsewhere", ("f", *TO_ELSEWHERE), "kinds"),
    Shot("review-flags-offers", ("f", "v"), "kinds"),
    Shot("review-flags-asked", ("f", "a"), "kinds"),
    Shot("review-help", ("question_mark",)),
    Shot("review-palette", ("ctrl+p",)),
    Shot("transcript", ("t",)),
    Shot("transcript-search", ("t", "slash", *"pnpm", "enter")),
    Shot("log", ("l",)),
    Shot("commit", (*DECIDED, "c")),
    Shot("commit-conflict", (*DECIDED, *TO_TESTING, "k", "a", "c")),
    Shot("commit-nothing", ("c",)),
    Shot("committed", (*DECIDED, "c", "ctrl+s")),
)


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
        # A line below the words is not passed on from a text to its spans.
        spans.append(f'<tspan {name}x="{start:g}">{html.escape(piece)}</tspan>')
        start += cell_len(piece) * CELL_WIDTH
    return f"<text {name}{y}>{''.join(spans)}</text>"


def opened(shot: Shot, demo: Demo) -> MemreviewApp:
    """The app as it is when a picture begins, with no decision made yet."""
    shutil.rmtree(PLACE / "state", ignore_errors=True)
    claude = PLACE / "nobody" if shot.start == "nothing" else Path(demo.claude_dir)
    if shot.start == "many":
        claude = many.build(PLACE / "home" / ".claude", PLACE / "lantern", wide="-srv-ferry")
    if shot.start == "projects":
        many.build(claude, lantern=False, wide="-srv-ferry")
    dreams = () if shot.start == "nothing" else (str(PLACE),)
    options = Options(str(claude), str(PLACE / "state"), str(PLACE / "cache"), dream_dirs=dreams)
    target = None if shot.start in ("projects", "many", "nothing") else Target(TargetKind.OUTPUT, output=demo.dream)
    if shot.start == "dream":
        return midway_app(resolve_project("-home-demo-lantern", options), options)
    if shot.start == "reviewed":
        review = check_claims(open_review(Target(TargetKind.OUTPUT, output=demo.dream), options), options)
        apply_review(review, accept_by(AcceptRule.SUPPORTED, review), options)
        own = resolve_project("-home-demo-lantern", options)
        return ScreenApp(lambda: ProjectScreen(own), options)
    if shot.start == "faulty":
        store = build_faults(str(PLACE / "faults"), NOW)
        options = replace(options, claude_dir=store.claude_dir)
        faults = resolve_project(store.project, options)
        return ScreenApp(lambda: ProjectScreen(faults), options)
    if shot.start == "refused":
        cut = PLACE / "dream-2026-11-02"
        cut.mkdir(exist_ok=True)
        whole = (Path(demo.dream) / "memory.diff").read_bytes()
        (cut / "memory.diff").write_bytes(whole[: len(whole) // 2])
        target = Target(TargetKind.OUTPUT, output=str(cut))
    return MemreviewApp(options, target)


async def take(shot: Shot, size: tuple[int, int], demo: Demo) -> str:
    """What the app shows at the end of a picture's keys, as SVG."""
    app = opened(shot, demo)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        for key in shot.keys:
            await pilot.press(key)
            await settle(pilot)
        return app.export_screenshot(title="memreview")


class _Clock(datetime):
    """A clock that stands still, so that pictures say the same at every run."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> _Clock:
        return cls.fromtimestamp(NOW.timestamp(), tz)


@contextmanager
def _same_everywhere() -> Iterator[None]:
    """One time zone and time, one identity and no settings of the person's git, no colours of the terminal at hand."""
    fixed = {
        "TZ": "UTC",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_DATE": NOW.isoformat(),
        "GIT_COMMITTER_DATE": NOW.isoformat(),
    }
    cleared = dict.fromkeys(("NO_COLOR", "TEXTUAL_THEME", "COLORTERM"))
    with ExitStack() as stack:
        stack.enter_context(patch.dict(os.environ, fixed))
        for name in cleared:
            os.environ.pop(name, None)
        stack.enter_context(patch("memreview.tui.screens.projects_views.datetime", _Clock))
        stack.enter_context(patch("memreview.tui.screens.project_views.datetime", _Clock))
        stack.enter_context(patch("memreview.auditing.audit.time", SimpleNamespace(time=NOW.timestamp)))
        stack.enter_context(patch("memreview.review.store.datetime", _Clock))
        stack.enter_context(patch("memreview.evidence.keep.datetime", _Clock))
        time.tzset()
        yield
    time.tzset()


async def take_all(folder: Path, only: Sequence[str] = ()) -> int:
    """Draw every picture into ``folder``; how many there are. What lies there and is no picture of ours goes."""
    count = 0
    for size in SIZES:
        for shot in SHOTS:
            if only and shot.name not in only:
                continue
            shutil.rmtree(PLACE, ignore_errors=True)
            demo = kinds.build(PLACE) if shot.start == "kinds" else build(str(PLACE))
            svg = await take(shot, size, demo)
            draw(svg, folder / f"{shot.name}-{size[0]}x{size[1]}.png")
            count += 1
    return count


def main(argv: Sequence[str]) -> int:
    """``FOLDER [NAME]…``: draw all pictures, or those named."""
    if not argv:
        print(__doc__, file=sys.stderr)
        return 2
    missing = missing_tools()
    if missing:
        print(f"{missing}; pictures cannot be drawn without it", file=sys.stderr)
        return 3
    if PLACE.exists():
        print(f"{PLACE}: is there already; remove it, the demo is written there for the pictures", file=sys.stderr)
        return 3
    folder = Path(argv[0])
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with _same_everywhere():
            count = asyncio.run(take_all(folder, argv[1:]))
    finally:
        shutil.rmtree(PLACE, ignore_errors=True)
    print(f"{count} pictures in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
