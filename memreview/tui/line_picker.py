"""Taking single lines of a change: which are taken, and the one that the next key is for."""

from __future__ import annotations

from memreview.model.patch import Change
from memreview.model.review import Accept, Decision, TakeLines
from memreview.tui.rows.diff import LineRef


class LinePicker:
    """Begins with what is decided already: all lines of an undecided or accepted change, none of a rejected one."""

    def __init__(self, change: Change, decision: Decision | None) -> None:
        self.change = change
        self.lines = tuple(
            [LineRef("removed", index) for index in range(len(change.removed))]
            + [LineRef("added", index) for index in range(len(change.added))]
        )
        self.at = 0
        if isinstance(decision, TakeLines):
            self.taken = decision
        else:
            self.taken = self._all() if decision is None or isinstance(decision, Accept) else TakeLines()

    @property
    def line(self) -> LineRef:
        """The line under the cursor."""
        return self.lines[self.at]

    def _all(self) -> TakeLines:
        return TakeLines(frozenset(range(len(self.change.removed))), frozenset(range(len(self.change.added))))

    def move(self, step: int) -> None:
        """Go up or down, not over the ends."""
        self.at = max(0, min(len(self.lines) - 1, self.at + step))

    def stand(self, line: LineRef) -> bool:
        """Go to a line; False if the change has no such line."""
        if line not in self.lines:
            return False
        self.at = self.lines.index(line)
        return True

    def toggle(self) -> None:
        """Take the line under the cursor, or leave it."""
        side, index = self.line
        if side == "removed":
            self.taken = TakeLines(self.taken.removed ^ {index}, self.taken.added)
        else:
            self.taken = TakeLines(self.taken.removed, self.taken.added ^ {index})

    def take(self, everything: bool) -> None:
        """Take all lines, or none."""
        self.taken = self._all() if everything else TakeLines()
