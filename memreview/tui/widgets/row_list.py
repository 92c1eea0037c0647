"""A list whose rows are drawn for its width: headings that cannot be chosen, and rows that stand for something."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option


@dataclass(frozen=True, slots=True)
class ListRow:
    """One row; ``value`` is what it stands for, None where the cursor may not stand."""

    content: Content
    value: object = None


class RowList(OptionList):
    """Rows made by a function of the width, made anew when the width changes; the cursor stays on its value."""

    DEFAULT_CSS = """
    RowList {
        height: 1fr; border: none; padding: 0; background: $background; scrollbar-size-vertical: 1;
        &:focus { border: none; background-tint: $foreground 0%; }
        & > .option-list--option-disabled { color: $foreground; }
        & > .option-list--option-highlighted { background: $panel; color: $foreground; text-style: none; }
        &:focus > .option-list--option-highlighted { background: $primary 26%; text-style: bold; }
        &:ansi { background: ansi_default; }
        &:ansi:focus > .option-list--option-highlighted { background: ansi_default; text-style: bold underline; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self._make: Callable[[int], Sequence[ListRow]] | None = None
        self._rows: Sequence[ListRow] = ()
        self._drawn_for = 0
        self._wanted: object = None

    def show_rows(self, make: Callable[[int], Sequence[ListRow]]) -> None:
        """Show the rows that ``make`` gives for a width in cells."""
        self._make = make
        self._fill()

    @property
    def chosen(self) -> object:
        """What the row under the cursor stands for, None where there is none."""
        at = self.highlighted
        return self._rows[at].value if at is not None and at < len(self._rows) else None

    def edge(self, end: int) -> None:
        """Go to the first (0) or the last (-1) row that can be chosen."""
        places = self._places()
        if places:
            self.highlighted = places[end]
        if end == 0:
            # What stands above the first of them is a heading; the list itself scrolls after the next refresh.
            self.call_after_refresh(self.scroll_home, animate=False)

    def choose(self, value: object) -> None:
        """Put the cursor on the row that stands for ``value``, if there is one; of a list that is hidden, once its
        rows are made."""
        if not self._drawn_for:
            self._wanted = value
        found = [number for number in self._places() if self._rows[number].value == value]
        if found:
            self.highlighted = found[0]

    def page(self, step: int) -> None:
        """Go by windows, to a row that can be chosen."""
        places = self._places()
        if places:
            at = (self.highlighted or 0) + step * max(1, self.size.height - 1)
            self.highlighted = min(places, key=lambda place: abs(place - at))

    def ends(self, step: int) -> bool:
        """True where the cursor has no further row to go to in the direction of ``step``."""
        places = self._places()
        return not places or self.highlighted in (None, places[-1] if step > 0 else places[0])

    def _places(self) -> list[int]:
        return [number for number, row in enumerate(self._rows) if row.value is not None]

    def _fill(self) -> None:
        # One column is kept for the scrollbar, whether or not there is one.
        width = self.size.width - 1
        if self._make is None or width <= 0:
            # Hidden: the rows are made when it is shown, whatever its width was before.
            self._drawn_for = 0
            return
        value, at = self.chosen if self._wanted is None else self._wanted, self.highlighted
        self._wanted = None
        self._rows = self._make(width)
        self._drawn_for = self.size.width
        self.clear_options()
        self.add_options([Option(row.content, disabled=row.value is None) for row in self._rows])
        same = [number for number in self._places() if value is not None and self._rows[number].value == value]
        if same:
            self.highlighted = at if at in same else same[0]
        else:
            self.edge(0)

    def on_resize(self, event: events.Resize) -> None:
        """Make the rows for the new width."""
        if self.size.width != self._drawn_for:
            self._fill()
