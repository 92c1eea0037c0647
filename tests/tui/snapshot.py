"""Snapshots of screens as SVG files, and what a screen says as rows of text.

``await snap(pilot)`` compares what the app of a pilot shows now; ``await snap(app, size=(120, 40), press=["n"])``
runs the app first. A comparison that fails names the rows that differ and leaves the new picture beside the expected
one in ``snapshot-report/``. ``make snapshots`` accepts what the screens look like now.
"""

from __future__ import annotations

import html
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

SMALL = (80, 24)
LARGE = (120, 40)
SIZES = (SMALL, LARGE)
REPORT = Path("snapshot-report")
CELL_WIDTH = 12.2
LINE_HEIGHT = 24.4
SETTLE_SECONDS = 60.0

_FONT_FACE = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
_ID = re.compile(r"terminal-\d+")
_TEXT = re.compile(r'<text class="[\w-]+-r(\d+)" x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>')
_COMMENT = re.compile(r"\s*<!--.*?-->", re.DOTALL)


def normalise(svg: str) -> str:
    """The SVG, one element a line, without what changes from run to run (ids) or refers to the web (the font)."""
    svg = _COMMENT.sub("", _FONT_FACE.sub("", svg))
    svg = _ID.sub("screen", svg)
    svg = re.sub(r"(?<=>)\s*(?=<(?:text|rect|clipPath|g|/g)\b)", "\n", svg)
    return "\n".join(line.rstrip() for line in svg.split("\n") if line.strip()) + "\n"


def rows(svg: str) -> list[str]:
    """What stands in each row of a picture, from the top, without blanks at the end."""
    grid: dict[int, str] = {}
    width: dict[int, int] = {}
    for _, x, y, text in _TEXT.findall(svg):
        row = int(float(y) / LINE_HEIGHT)
        column = round(float(x) / CELL_WIDTH)
        line = grid.get(row, "")
        grid[row] = line + " " * (column - width.get(row, 0)) + html.unescape(text).replace("\xa0", " ")
        length = re.search(rf'x="{re.escape(x)}" y="{re.escape(y)}" textLength="([\d.]+)"', svg)
        width[row] = column + (round(float(length.group(1)) / CELL_WIDTH) if length else len(text))
    return [grid.get(row, "").rstrip() for row in range(max(grid, default=-1) + 1)]


def screen_rows(app: App[Any]) -> list[str]:
    """What stands on the screen of a running app, row by row."""
    return rows(app.export_screenshot())


def screen_text(app: App[Any]) -> str:
    """What stands on the screen of a running app, as one text."""
    return "\n".join(screen_rows(app))


def _styles(svg: str) -> dict[str, str]:
    return dict(re.findall(r"\.[\w-]+-r(\d+) \{([^}]*)\}", svg))


def _styled(svg: str) -> dict[int, list[tuple[str, str]]]:
    """For every row its texts with the style of each, so that a change of colour can be told from one of words."""
    styles = _styles(svg)
    found: dict[int, list[tuple[str, str]]] = {}
    for number, _, y, text in _TEXT.findall(svg):
        words = html.unescape(text).replace("\xa0", " ").strip()
        found.setdefault(int(float(y) / LINE_HEIGHT), []).append((words, styles.get(number, "").strip()))
    return found


def difference(expected: str, received: str) -> Iterator[str]:
    """What a person wants to know of two pictures that differ: first the rows whose words differ, else the styles."""
    old, new = rows(expected), rows(received)
    count = 0
    for number in range(max(len(old), len(new))):
        was = old[number] if number < len(old) else ""
        now = new[number] if number < len(new) else ""
        if was != now:
            count += 1
            yield f"row {number + 1:2d} - {was}"
            yield f"row {number + 1:2d} + {now}"
    if count:
        return
    styled_old, styled_new = _styled(expected), _styled(received)
    for number in sorted(styled_old.keys() | styled_new.keys()):
        for was_text, now_text in zip(styled_old.get(number, []), styled_new.get(number, []), strict=False):
            if was_text != now_text:
                count += 1
                yield f"row {number + 1:2d} style of {now_text[0]!r}: {was_text[1]} is now {now_text[1]}"
    if not count:
        yield "the words and their styles are the same: only backgrounds or the size differ"


class ScreenSnapshot(SingleFileSnapshotExtension):
    """One SVG file for each snapshot."""

    file_extension = "svg"
    _write_mode = WriteMode.TEXT

    def serialize(self, data: Any, **_: Any) -> str:
        """Normalise the SVG, so that equal screens give equal bytes."""
        return normalise(str(data))

    def diff_lines(self, serialized_data: Any, snapshot_data: Any) -> Iterator[str]:
        """Rows that differ, instead of lines of SVG."""
        yield from difference(str(snapshot_data), str(serialized_data))


async def settle(pilot: Pilot[Any]) -> None:
    """Wait until nothing moves: workers have ended, animations too, and what they posted is drawn."""
    app = pilot.app
    waited = 0.0
    while True:
        await pilot.pause()
        await pilot.wait_for_scheduled_animations()
        busy = [worker for worker in app.workers if not worker.is_finished]
        if not busy:
            break
        if waited > SETTLE_SECONDS:
            raise TimeoutError(f"still at work after {SETTLE_SECONDS:.0f} s: {busy}")
        await pilot.pause(0.02)
        waited += 0.02
    await pilot.pause()


async def until(pilot: Pilot[Any], *words: str) -> str:
    """Wait until all words stand on the screen; what the screen shows then."""
    deadline = time.monotonic() + SETTLE_SECONDS
    while True:
        await pilot.pause()
        text = screen_text(pilot.app)
        missing = [word for word in words if word not in text]
        if not missing:
            return text
        if time.monotonic() > deadline:
            raise AssertionError(f"{missing} did not come up:\n{text}")
        await pilot.pause(0.02)


class Snap:
    """Compares pictures with the ones in ``__snapshots__``."""

    def __init__(self, snapshot: SnapshotAssertion, name: str) -> None:
        self._snapshot = snapshot.use_extension(ScreenSnapshot)
        self._name = name

    async def __call__(
        self,
        shown: App[Any] | Pilot[Any],
        size: tuple[int, int] = SMALL,
        *,
        press: Sequence[str] = (),
        name: str | None = None,
    ) -> None:
        """Compare what is shown: of an app, after it was run at ``size`` (columns, rows) and ``press`` was typed."""
        if isinstance(shown, App):
            async with shown.run_test(size=size) as pilot:
                await self._press(pilot, press)
                self._compare(pilot.app, name)
        else:
            await self._press(shown, press)
            self._compare(shown.app, name)

    async def _press(self, pilot: Pilot[Any], keys: Iterable[str]) -> None:
        await settle(pilot)
        for key in keys:
            await pilot.press(key)
            await settle(pilot)
        for widget in pilot.app.screen.query(Input):
            widget.cursor_blink = False
        for area in pilot.app.screen.query(TextArea):
            area.cursor_blink = False
        await settle(pilot)

    def _compare(self, app: App[Any], name: str | None) -> None:
        svg = app.export_screenshot()
        equal = self._snapshot(name=name) == svg
        if equal:
            return
        expected = next(reversed(self._snapshot.executions.values())).recalled_data
        REPORT.mkdir(exist_ok=True)
        stem = re.sub(r"[^\w.-]+", "_", self._name if name is None else f"{self._name}-{name}")
        (REPORT / f"{stem}.svg").write_text(normalise(svg), encoding="utf-8")
        if expected is None:
            pytest.fail(f"no snapshot yet: run make snapshots ({REPORT / stem}.svg shows the screen)", pytrace=False)
        (REPORT / f"{stem}.expected.svg").write_text(str(expected), encoding="utf-8")
        said = "\n".join(difference(str(expected), normalise(svg)))
        pytest.fail(f"the screen has changed ({REPORT / stem}.svg, .expected.svg beside it):\n{said}", pytrace=False)


@pytest.fixture
def snap(snapshot: SnapshotAssertion, request: pytest.FixtureRequest) -> Snap:
    """Compare screens with their snapshots."""
    return Snap(snapshot, request.node.name)
