"""The line above the keys: what just happened, or what a person should know of what is shown."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from memreview.tui import content


class StatusLine(Static):
    """One line of untrusted text; ``say`` replaces it."""

    DEFAULT_CSS = """
    StatusLine { height: 1; padding: 0 1; color: $quiet; text-wrap: nowrap; text-overflow: ellipsis; }
    StatusLine.-warning { color: $warning; }
    StatusLine.-error { color: $error; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(Content(), markup=False, id=id)

    def say(self, said: str, kind: str = "") -> None:
        """Show something; ``kind`` is ``warning``, ``error`` or nothing."""
        self.set_class(kind == "warning", "-warning")
        self.set_class(kind == "error", "-error")
        self.update(content.content(said))
