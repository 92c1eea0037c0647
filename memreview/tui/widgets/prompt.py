"""One line in which a person is asked for a text: what to search, which line to go to."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Label


class Prompt(Horizontal):
    """Hidden until :meth:`ask`; posts :class:`Answered` or :class:`Cancelled`, and hides again."""

    BINDINGS = [Binding("escape", "cancel", "Cancel", show=False)]
    DEFAULT_CSS = """
    Prompt {
        height: 1; display: none; background: $panel;
        &.-asking { display: block; }
        Label { padding: 0 1; color: $accent; text-style: bold; }
        Input { border: none; height: 1; padding: 0; width: 1fr; background: $panel; }
        Input:focus { border: none; background-tint: $foreground 0%; }
        &:ansi, &:ansi Input { background: ansi_default; }
    }
    """

    class Answered(Message):
        """Enter was pressed: what was asked, and the text."""

        def __init__(self, purpose: str, text: str) -> None:
            super().__init__()
            self.purpose = purpose
            self.text = text

    class Cancelled(Message):
        """The question was given up."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._purpose = ""
        self._focus_before: Widget | None = None

    def compose(self) -> ComposeResult:
        """The question and the field for the answer."""
        yield Label("", markup=False)
        yield Input(select_on_focus=True)

    def ask(self, purpose: str, question: str, value: str = "") -> None:
        """Show the prompt and take the focus; it goes back to where it was afterwards."""
        if not self.asking:
            self._focus_before = self.screen.focused
        self._purpose = purpose
        self.query_one(Label).update(question)
        field = self.query_one(Input)
        field.value = value
        self.add_class("-asking")
        field.focus()

    @property
    def asking(self) -> bool:
        """True while it waits for an answer."""
        return self.has_class("-asking")

    @on(Input.Submitted)
    def _answer(self, event: Input.Submitted) -> None:
        event.stop()
        self._close()
        self.post_message(self.Answered(self._purpose, event.value))

    def action_cancel(self) -> None:
        """Give the question up."""
        self._close()
        self.post_message(self.Cancelled())

    def _close(self) -> None:
        self.remove_class("-asking")
        self.screen.set_focus(self._focus_before)
