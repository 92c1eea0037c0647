"""What stands in place of a list or a text that is empty, still read, or cannot be read: what is so, and what to do."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from memreview.tui import content


class Notice(Static):
    """A headline and some lines below it, in the middle of its room; hidden while there is nothing to say."""

    DEFAULT_CSS = """
    Notice {
        display: none; width: 1fr; height: 1fr; content-align: center middle; text-align: left; padding: 0 2;
        &.-said { display: block; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(Content(), markup=False, id=id)

    def say(self, headline: str, *lines: str) -> None:
        """Show this instead of what stood here."""
        parts = [content.content(headline, "bold"), *(content.content(line) for line in lines)]
        self.update(Content("\n").join(parts))
        self.add_class("-said")

    def clear(self) -> None:
        """Give the room back."""
        self.update(Content())
        self.remove_class("-said")

    @property
    def says(self) -> bool:
        """True while something is said."""
        return self.has_class("-said")
