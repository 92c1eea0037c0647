"""A note as it reads: what it says of itself, then its text rendered."""

from __future__ import annotations

import asyncio

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
                await self.query_one(Markdown).update(wanted[1])
                self.scroll_home(animate=False, immediate=True)
                self._drawn = wanted
        finally:
            self._at_work = False


def about(facts: NoteFacts, masks: bool) -> Content:
    """What a note says of itself, in two lines at most."""
    keys = (("type", facts.type), ("written", facts.keys.get("modified", "")), ("session", (facts.session or "")[:13]))
    said = " · ".join(f"{key} {value}" for key, value in keys if value)
    lines = [line for line in (facts.description or facts.name, said) if line]
    shown = [content.shown(line) for line in lines or ["It says nothing of itself: no frontmatter."]]
    return Content("\n").join(Content(content.masked(line) if masks else line) for line in shown)


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
