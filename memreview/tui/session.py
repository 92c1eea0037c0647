"""Where a person is in a review: what the list shows, and the row under the cursor."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum

from memreview.review.actions import MoveTo, SetFilter
from memreview.review.index import Unit
from memreview.review.selectors import shown
from memreview.review.state import Filter
from memreview.tui.facts import UNDECIDED
from memreview.tui.items import Item, ItemKind, build_items, is_stamp
from memreview.tui.ledger import Ledger
from memreview.tui.rows.claims import ClaimRow


class Shows(Enum):
    """What the list shows, in the order in which a key goes through them."""

    ALL = "all changes"
    UNDECIDED = "undecided"
    FLAGGED = "flagged"
    FILE = "this note"


class Session:
    """The list of a review and the cursor in it; decisions are in the ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.shows = Shows.ALL
        self.stamps_open = False
        self.items: tuple[Item, ...] = ()
        self.position = 0
        self.claim = 0
        """The row of the table of claims that is chosen."""
        cursor = ledger.state.cursor
        # Filters are for looking around; a new visit begins with all.
        ledger.view(SetFilter(Filter()))
        self._list()
        self.begins_anew = False
        """True as long as the cursor stands where nobody has put it."""
        self._put_on(ledger.index.position.get(cursor or "", -1))
        if cursor not in ledger.index.position:
            self.to_first_flag()

    def to_first_flag(self) -> None:
        """Put the cursor on the first change that the claim check flags, else on the first that is flagged at all."""
        judged, units = self.ledger.judged, self.ledger.units
        claims = (number for number, unit in enumerate(units) if judged.flagged(unit.id))
        number = next(claims, None)
        if number is None and judged.checked:
            number = next((number for number in range(len(units)) if self.ledger.flagged(number)), None)
        if number is not None:
            self._put_on(number)
        self.begins_anew = True

    @property
    def item(self) -> Item | None:
        """The row under the cursor; None where the list is empty."""
        return self.items[self.position] if self.items else None

    def unit(self) -> Unit | None:
        """The unit under the cursor, of folded stamps the first; None on a remark or an entry."""
        numbers = self.numbers()
        return self.ledger.units[numbers[0]] if numbers else None

    def numbers(self) -> tuple[int, ...]:
        """The units that a decision at the cursor is for."""
        return self.item.units if self.item is not None else ()

    def rows(self) -> tuple[ClaimRow, ...]:
        """The table of claims of the change under the cursor."""
        item = self.item
        single = item is not None and item.kind is ItemKind.UNIT
        return self.ledger.rows(self.ledger.units[self.numbers()[0]].id) if single else ()

    def chosen(self) -> ClaimRow | None:
        """The row of it that is chosen."""
        rows = self.rows()
        return rows[self.claim] if self.claim < len(rows) else None

    def choose(self, row: int) -> bool:
        """Choose a row of the table, the first or the last where there is none so far; False if it stays."""
        row = max(0, min(row, len(self.rows()) - 1))
        moved, self.claim = row != self.claim, row
        self.begins_anew = False
        return moved

    def go_to_flag(self, step: int) -> bool:
        """Choose the next flagged claim of this change (or the one before), else go to the next flagged change."""
        flagged = [number for number, row in enumerate(self.rows()) if row.flagged]
        left = [number for number in flagged if (number - self.claim) * step > 0]
        if left:
            return self.choose(left[0] if step > 0 else left[-1])
        moved = self.go("next_flagged" if step > 0 else "previous_flagged")
        flagged = [number for number, row in enumerate(self.rows()) if row.flagged]
        return self.choose(flagged[0 if step > 0 else -1] if flagged else 0) or moved

    def go(self, where: str) -> bool:
        """Move the cursor: ``next``, ``previous``, ``first``, ``last``, ``next_undecided`` … ; False if it stays."""
        self.begins_anew = False
        if not self.items:
            return False
        if where in ("first", "last"):
            places: Iterable[int] = range(len(self.items)) if where == "first" else range(len(self.items) - 1, -1, -1)
        else:
            step = -1 if where.startswith("previous") else 1
            size = len(self.items)
            steps = range(1, size + 1)
            places = [(self.position + step * distance) % size for distance in steps]
            if where in ("next", "previous"):
                places = [place for place in places if (place - self.position) * step > 0]
        wanted = where.removeprefix("next").removeprefix("previous").lstrip("_")
        for place in places:
            if self.items[place].selectable and self._fits(self.items[place], wanted):
                return self._stand(place)
        return False

    def _fits(self, item: Item, wanted: str) -> bool:
        match wanted:
            case "undecided":
                return any(self.ledger.look(number) is UNDECIDED for number in item.units)
            case "flagged":
                return any(self.ledger.flagged(number) for number in item.units)
            case "file":
                here = self.unit()
                return bool(item.units) and (here is None or self.ledger.units[item.units[0]].file is not here.file)
        return True

    def go_to(self, number: int) -> bool:
        """Put the cursor on a unit, showing it if the list hides it."""
        before = self.position
        if not self._put_on(number):
            self.shows = Shows.ALL
            self.ledger.view(SetFilter(Filter()))
            self._list()
            self._put_on(number)
        return self.position != before

    def stand(self, position: int) -> bool:
        """Put the cursor on a row of the list; a note's name leads to its first change."""
        while position < len(self.items) and not self.items[position].selectable:
            position += 1
        return position < len(self.items) and self._stand(position)

    def _stand(self, position: int) -> bool:
        moved = position != self.position
        self.begins_anew = False
        if moved:
            self.claim = 0
        self.position = position
        unit = self.unit()
        if unit is not None:
            self.ledger.view(MoveTo(unit.id))
        return moved

    def _put_on(self, number: int) -> bool:
        for place, item in enumerate(self.items):
            if item.selectable and number in item.units:
                self._stand(place)
                return True
        if number < 0:
            self._stand(next((place for place, item in enumerate(self.items) if item.kind is ItemKind.UNIT), 0))
        return False

    def show_next(self) -> Shows:
        """Go to the next of :class:`Shows` that has something to show."""
        order = list(Shows)
        at = order.index(self.shows)
        for step in range(1, len(order) + 1):
            if self.show(order[(at + step) % len(order)]):
                break
        return self.shows

    def show(self, what: Shows) -> bool:
        """Show only these; False, and nothing changed, where that would be nothing."""
        here = self.unit()
        only: frozenset[str] | None = None
        if what is Shows.FLAGGED:
            only = frozenset(unit.id for number, unit in enumerate(self.ledger.units) if self.ledger.flagged(number))
        file = here.file.id if here is not None and what is Shows.FILE else None
        wanted = Filter(undecided=what is Shows.UNDECIDED, file=file, only=only, text=self.ledger.state.filter.text)
        if what is not Shows.ALL and not shown(self.ledger.state, self.ledger.review, wanted):
            return False
        self.shows = what
        self._filter(wanted)
        return True

    def search(self, text: str) -> int:
        """Show only changes with this text in their lines or path; how many there are. Empty: all again."""
        wanted = replace(self.ledger.state.filter, text=text)
        found = len(shown(self.ledger.state, self.ledger.review, wanted))
        if found or not text:
            self._filter(wanted)
        return found

    def relist(self) -> None:
        """List again, with the cursor where it is: the review knows more."""
        here, claim, anew = self.unit(), self.claim, self.begins_anew
        self._list()
        if here is None or not self._put_on(self.ledger.index.position[here.id]):
            self._put_on(-1)
        now = self.unit()
        self.claim = claim if here is not None and now is not None and now.id == here.id else 0
        self.begins_anew = anew

    def show_all(self) -> None:
        """List everything again."""
        self.shows = Shows.ALL
        self._filter(Filter())

    @property
    def on_open_stamp(self) -> bool:
        """True where the cursor stands on a stamp that was unfolded."""
        unit = self.unit()
        return self.stamps_open and unit is not None and is_stamp(unit)

    def toggle_stamps(self) -> None:
        """Unfold the stamps, or fold them away."""
        self.stamps_open = not self.stamps_open
        self.relist()

    def _filter(self, wanted: Filter) -> None:
        self.ledger.view(SetFilter(wanted))
        self.relist()

    def _list(self) -> None:
        by = self.ledger.state.filter
        allowed = (
            {self.ledger.index.position[unit.id] for unit in shown(self.ledger.state, self.ledger.review)}
            if by.active
            else None
        )
        self.items = build_items(
            self.ledger.review,
            self.ledger.units,
            (lambda number: True) if allowed is None else allowed.__contains__,
            everything=not by.active,
            stamps_open=self.stamps_open,
        )
