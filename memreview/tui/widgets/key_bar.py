"""The last line of a screen: its keys, those that matter most first, as many as fit; a click does what the key does."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from textual import events
from textual.strip import Strip
from textual.widget import Widget

from memreview.tui.keys import Key, bar_width, fitting, of_screen


class KeyBar(Widget):
    """Drawn from the ``KEYS`` of the screen it stands on."""

    COMPONENT_CLASSES = {"key-bar--key", "key-bar--label"}
    DEFAULT_CSS = """
    KeyBar {
        dock: bottom; height: 1; background: $panel;
        .key-bar--key { color: $accent; background: $panel; text-style: bold; }
        .key-bar--label { color: $foreground 75%; background: $panel; }
        &:ansi { background: ansi_default; }
        &:ansi .key-bar--key { color: ansi_default; background: ansi_default; text-style: bold; }
        &:ansi .key-bar--label { color: ansi_default; background: ansi_default; }
    }
    """

    def __init__(self, keys: Sequence[Key] | None = None, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._keys = keys

    @property
    def keys(self) -> Sequence[Key]:
        """All keys that may be shown."""
        return of_screen(self.screen) if self._keys is None else self._keys

    def show_keys(self, keys: Sequence[Key] | None) -> None:
        """Show other keys: those of a mode, or the screen's own with None."""
        self._keys = keys
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """The one line."""
        key_style = self.get_component_rich_style("key-bar--key")
        label_style = self.get_component_rich_style("key-bar--label")
        segments = [Segment(" ", label_style)]
        for key in fitting(self.keys, self.size.width - 1):
            segments += [Segment(key.shown, key_style), Segment(f" {key.label}  ", label_style)]
        return Strip(segments).adjust_cell_length(self.size.width, label_style)

    async def on_click(self, event: events.Click) -> None:
        """Do what the key under the mouse does."""
        at = 1
        for key in fitting(self.keys, self.size.width - 1):
            at += bar_width(key)
            if event.x < at:
                event.stop()
                await self.app.run_action(key.action, self.screen)
                return
