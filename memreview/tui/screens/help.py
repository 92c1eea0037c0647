"""The keys of a screen, from the same table as its bindings."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content

from memreview.report.times import zone
from memreview.tui.keys import Key, bindings
from memreview.tui.screens.base import BaseModal
from memreview.tui.widgets.key_table import Entry, KeyTable

KEYS = (
    Key("help.close", "escape,q,question_mark,f1", "close", "esc", "close", "Close this help", "Screen", 1),
    Key("help.down", "j,down", "scroll(1)", "j", "down", "Scroll down", "Screen", 2),
    Key("help.up", "k,up", "scroll(-1)", "k", "up", "Scroll up", "Screen", 3),
)


class HelpScreen(BaseModal):
    """``keys`` are those of the screen called ``title``, ``signs`` what stands on it, each with its meaning."""

    KEYS = KEYS
    BINDINGS = bindings(KEYS)
    DEFAULT_CSS = """
    HelpScreen {
        align: center middle;
        #help-keys {
            width: 100%; max-width: 156; height: auto; max-height: 100%; padding: 0 1;
            border: round $primary; background: $surface; scrollbar-size-vertical: 1;
        }
        &.-middle #help-keys, &.-wide #help-keys { width: 96%; padding: 0 2; }
        &:ansi #help-keys { background: ansi_default; }
    }
    """

    def __init__(self, title: str, keys: Sequence[Key], signs: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__()
        self._about = title
        self._entries = [Entry(key.group, key.shown, key.help) for key in keys]
        self._entries += [Entry("Signs", sign, words) for sign, words in signs]

    def compose(self) -> ComposeResult:
        """The table in a frame."""
        with VerticalScroll(id="help-keys") as frame:
            frame.border_title = Content(f"Keys: {self._about}")
            frame.border_subtitle = Content(f"times are local: {zone()} · esc closes · j k scroll")
            yield KeyTable(self._entries)

    def on_mount(self) -> None:
        """Let the arrow keys scroll."""
        self.query_one("#help-keys").focus()

    def action_close(self) -> None:
        """Go back to the screen below."""
        self.dismiss()

    def action_scroll(self, step: int) -> None:
        """Scroll by a row."""
        self.query_one("#help-keys").scroll_relative(y=step, animate=False, immediate=True)
