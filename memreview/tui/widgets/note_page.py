"""A note as it reads: what it says of itself, then its text rendered."""

from __future__ import annotations

import asyncio
import re

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Markdown, Static

from memreview.checks.note_facts import NoteFacts
from memreview.text import decode
from memreview.tui import content

MOST_LINES = 250
"""Of longer notes only the beginning is rendered: each paragraph and each entry is a widget of its own."""
MOST_CHARACTERS = 60_000
BEGINNING = 150
"""Lines of a long note that are rendered."""
PART = 40
"""Lines that are rendered at once, at least: the next ones when somebody comes near them."""
AHEAD = 2
"""Windows below the one that is looked at which are rendered."""
_BULLET = re.compile(r"[-*+] ")
_FENCE = re.compile(r" {0,3}(```|~~~)")
REST = 0.05
"""Seconds in which the cursor may go on to another note before one is rendered."""


class NotePage(VerticalScroll):
    """One note. The latest that was asked for is rendered; those that the cursor only passed are not."""

    DEFAULT_CSS = """
    NotePage {
        padding: 0 1; scrollbar-size-vertical: 1;
        #facts { color: $quiet; }
        Markdown { padding: 0; margin: 0; background: transparent; }
        Markdown MarkdownH1 { content-align: left middle; color: $accent; text-style: bold; margin: 1 0; }
        Markdown MarkdownFence { margin: 1 0; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._wanted: tuple[Content, str] | None = None
        self._drawn: tuple[Content, str] | None = None
        self._at_work = False
        self._rest: list[str] = []
        self._to_end = False

    def compose(self) -> ComposeResult:
        """Facts above the text."""
        yield Static(Content(), markup=False, id="facts")
        yield Markdown(open_links=False)

    def show_note(self, data: bytes, facts: NoteFacts, *, cut: int | None = None, masks: bool = True) -> None:
        """Show a note; from its raw line ``cut`` on (from 1) no session gets anything."""
        said = about(facts, masks)
        text = decode(data)
        lines = text.count("\n")
        if lines > MOST_LINES or len(text) > MOST_CHARACTERS:
            text = "\n".join(text[:MOST_CHARACTERS].split("\n")[: facts.head_lines + BEGINNING])
            large = f"Only the beginning of {lines:,} lines, {len(data):,} bytes, is rendered: 2 shows all of it."
            said += Content("\n") + content.content(large, "$warning")
            cut = cut if cut is not None and cut <= text.count("\n") + 1 else None
        self._want((said, rendered_text(text, facts, cut, masks)))

    def show_nothing(self, said: str) -> None:
        """Say why there is no note to show."""
        self._want((content.content(said, "$quiet"), ""))

    def _want(self, wanted: tuple[Content, str]) -> None:
        if self._drawn is not None and wanted[1] == self._drawn[1] and wanted[0].is_same(self._drawn[0]):
            self._wanted = self._drawn
            return
        self._wanted = wanted
        if not self._at_work:
            self._at_work = True
            self.run_worker(self._render_latest(), group="render")

    async def _render_latest(self) -> None:
        try:
            while self._wanted is not None and self._wanted is not self._drawn:
                await asyncio.sleep(REST)
                wanted = self._wanted
                self.query_one("#facts", Static).update(wanted[0])
                first, *self._rest = parts(wanted[1])
                self._to_end = False
                await self.query(".more").remove()
                await self.query_one(Markdown).update(first)
                self.scroll_home(animate=False, immediate=True)
                self._drawn = wanted
        finally:
            self._at_work = False
        self.call_after_refresh(self._go_on)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Render what is come near to."""
        super().watch_scroll_y(old_value, new_value)
        # Who stands at the very end of what is rendered has gone there with a key, and means the end of all.
        self._to_end = bool(self._rest) and new_value > old_value and new_value >= self.max_scroll_y
        if self._rest and new_value > old_value:
            self._go_on()

    def on_resize(self) -> None:
        """Render what a larger window, or one that is shown again, has room for."""
        self._go_on()

    def _go_on(self) -> None:
        near = self.virtual_size.height - self.scroll_y <= (1 + AHEAD) * self.size.height
        if self._rest and not self._at_work and self.size.height and (near or self._to_end):
            self._at_work = True
            self.run_worker(self._render_more(), group="render")

    async def _render_more(self) -> None:
        try:
            await self.mount(Markdown(self._rest.pop(0), open_links=False, classes="more"))
        finally:
            self._at_work = False
        if self._wanted is not self._drawn:
            self._at_work = True
            await self._render_latest()
            return
        self.call_after_refresh(self._after_more)

    def _after_more(self) -> None:
        if self._to_end and not self._rest:
            self.call_after_refresh(self.scroll_end, animate=False)
        self._go_on()


def about(facts: NoteFacts, masks: bool) -> Content:
    """What a note says of itself, in two lines at most."""
    keys = (("type", facts.type), ("written", facts.keys.get("modified", "")), ("session", (facts.session or "")[:13]))
    said = " · ".join(f"{key} {value}" for key, value in keys if value)
    lines = [line for line in (facts.description or facts.name, said) if line]
    shown = [content.shown(line) for line in lines or ["It says nothing of itself: no frontmatter."]]
    return Content("\n").join(Content(content.masked(line) if masks else line) for line in shown)


def parts(text: str) -> list[str]:
    """A Markdown text in parts that are rendered one below the other: cut between entries of a list or paragraphs."""
    found: list[list[str]] = [[]]
    fence = ""
    for line in text.split("\n"):
        opened = _FENCE.match(line)
        before = found[-1][-1] if found[-1] else ""
        starts = bool(_BULLET.match(line)) or (not before.strip() and bool(line.strip()) and not line[0].isspace())
        if len(found[-1]) >= PART and not fence and starts:
            found.append([])
        if opened:
            fence = "" if fence == opened[1] else fence or opened[1]
        found[-1].append(line)
    return ["\n".join(lines) for lines in found]


def rendered_text(text: str, facts: NoteFacts, cut: int | None, masks: bool) -> str:
    """The Markdown of a note without its frontmatter, fit to be drawn, with a rule where loading stops."""
    lines = text.removeprefix("\ufeff").split("\n")
    safe = [content.shown(line.removesuffix("\r")) for line in lines]
    if masks:
        safe = [content.masked(line) for line in safe]
    if cut is not None:
        below = safe[max(cut - 1, facts.head_lines) :]
        above = safe[facts.head_lines : max(cut - 1, facts.head_lines)]
        return "\n".join([*above, "", "---", "", f"**Not loaded: line {cut} and all below it**", "", *below])
    return "\n".join(safe[facts.head_lines :])
