"""A review in three panes: looking around in it, without deciding anything."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal

from memreview.tui import content, header
from memreview.tui.header import NARROW
from memreview.tui.items import ItemKind
from memreview.tui.keys import COMMON
from memreview.tui.ledger import Ledger
from memreview.tui.line_picker import LinePicker
from memreview.tui.screens.base import BaseScreen
from memreview.tui.session import Session, Shows
from memreview.tui.widgets.changes_list import ChangesList
from memreview.tui.widgets.claims_view import ClaimsView
from memreview.tui.widgets.diff_view import DiffView
from memreview.tui.widgets.evidence import EvidenceView
from memreview.tui.widgets.key_bar import KeyBar
from memreview.tui.widgets.lines import LineView
from memreview.tui.widgets.notice import Notice
from memreview.tui.widgets.prompt import Prompt
from memreview.tui.widgets.title_bar import TitleBar

LEAST_CLAIM_LINES = 4
"""Lines for the table of claims on the lowest terminal."""


class PaneScreen(BaseScreen):
    """Draws a session; every key changes the session first and is drawn then."""

    AUTO_FOCUS = "#list"
    PANES: ClassVar[tuple[str, ...]] = ("#list", "#diff", "#claims", "#evidence")

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self.ledger = ledger
        self.session = Session(ledger)
        self.picker: LinePicker | None = None
        self._version = ledger.version
        self._listed = ""
        self._said: tuple[str, str] = ("  ".join(ledger.state.notices), "")
        self._shown = self._said

    def compose(self) -> ComposeResult:
        """Title, the three panes, what is to be known of the current change, keys."""
        yield TitleBar(id="title")
        with Horizontal(id="panes"):
            yield ChangesList(self.ledger, id="list")
            yield DiffView(self.ledger, id="diff")
            yield EvidenceView(self.ledger, self.memreview.options, id="evidence")
            yield ClaimsView(self.ledger, id="claims")
            yield Notice()
        yield TitleBar(id="reason")
        yield Prompt()
        yield KeyBar()

    def on_mount(self) -> None:
        """Show what the session says."""
        if not self.children:
            # The application ended while this screen came up.
            return
        if self.ledger.version != self._version:
            # More became known while this screen came up.
            self._list_again()
        self.list.show_items(self.session.items)
        if not self.session.items:
            for pane in self.PANES:
                self.query_one(pane).display = False
            left = ("review.log", "review.leave")
            self.query_one(KeyBar).show_keys([key for key in self.KEYS if key.id in left] + [*COMMON])
            self.query_one(Notice).say(
                "This dream proposes nothing.",
                "The notes would be what they are, and CHANGES.md has no entry.",
                "",
                "q goes back, l shows what its run printed.",
            )
        self.draw()

    def on_unmount(self) -> None:
        """Keep where the cursor stood."""
        self.ledger.keep()

    @property
    def list(self) -> ChangesList:
        """The pane on the left."""
        return self.query_one("#list", ChangesList)

    @property
    def diff(self) -> DiffView:
        """The pane in the middle."""
        return self.query_one("#diff", DiffView)

    @property
    def evidence(self) -> EvidenceView:
        """The pane on the right."""
        return self.query_one("#evidence", EvidenceView)

    @property
    def claims(self) -> ClaimsView:
        """The table below the diff."""
        return self.query_one("#claims", ClaimsView)

    def say(self, text: str, style: str = "") -> None:
        """Tell the person something; it stands until the next key."""
        self._said = (text, style)

    def draw(self) -> None:
        """Draw the session as it is now."""
        session, unit = self.session, self.session.unit()
        if self.picker is not None and (unit is None or unit.change is not self.picker.change):
            self.end_picking()
        self.draw_title()
        text, style = (self.ledger.trouble, "$error") if self.ledger.trouble else self._said
        self._shown = self._said
        self.say("")
        said = content.content(text, style or "$accent") if text else header.reason(session)
        self.query_one("#reason", TitleBar).show(said, header.place(session))
        listed = header.list_title(session)
        if listed != self._listed:
            self._listed = listed
            self.list.border_title = content.content(listed)
        self.list.move_to(session.position)
        self._draw_claims()
        self.diff.show_item(session.item, self.picker, session.claim if session.rows() else None)
        self.evidence.show_item(session.item, unit, session.chosen())

    def draw_title(self) -> None:
        """Draw where we are and how far."""
        title, narrow = self.query_one("#title", TitleBar), self.size.width < NARROW
        title.show(header.where(self.ledger.review, narrow), header.progress(self.ledger, self.size.width))

    def _draw_claims(self) -> None:
        """The table, with as much room as it needs where rooms are small."""
        session, ledger, claims = self.session, self.ledger, self.claims
        item = session.item
        unit = session.unit() if item is not None and item.kind is ItemKind.UNIT else None
        narrow = self.size.width < NARROW
        waits = ledger.checking or bool(ledger.unchecked)
        there = waits or bool(session.rows()) or (ledger.judged.checked and not narrow)
        self.query_one("#panes").set_class(not there, "-unclaimed")
        claims.display = there
        claims.show_unit(unit.id if unit is not None else None, session.claim)
        if narrow and there:
            most = max(LEAST_CLAIM_LINES, self.size.height // 5)
            lines = min(most, claims.lines_wanted(self.size.width)) + 1
            if claims.styles.height is None or claims.styles.height.value != lines:
                claims.styles.height = lines
        elif claims.styles.has_rule("height"):
            claims.styles.clear_rule("height")

    def on_resize(self) -> None:
        """Put the table below the diff where the panes stand one above the other, else below diff and evidence."""
        if not self.children:
            return
        beside = self.query_one("#panes").has_class("-beside") and not self.app.has_class("-wide")
        below = self.size.width < NARROW or beside
        panes = self.query_one("#panes")
        order = list(panes.children)
        if (order.index(self.claims) < order.index(self.evidence)) != below:
            if below:
                panes.move_child(self.claims, before=self.evidence)
            else:
                panes.move_child(self.claims, after=self.evidence)
        if self.session.items:
            self._draw_claims()

    def show_more(self) -> None:
        """Show what the ledger knows now: citations, or the answers of the claim check, have come in."""
        # No key was pressed, so what was said stands.
        self.say(*self._shown)
        self._list_again()
        self.list.show_items(self.session.items)
        self.evidence.forget()
        self.draw()

    def _list_again(self) -> None:
        self.session.relist()
        if self.session.begins_anew:
            self.session.to_first_flag()

    def end_picking(self) -> None:
        """Leave the mode in which single lines are taken."""
        self.picker = None
        self.query_one(KeyBar).show_keys(None)

    # Keys

    def action_go(self, where: str) -> None:
        """Move the cursor."""
        flag = where in ("next_flagged", "previous_flagged")
        step = -1 if where.startswith("previous") else 1
        if not (self.session.go_to_flag(step) if flag else self.session.go(where)):
            self.say(_NOWHERE.get(where, ""))
        self.draw()

    def action_open(self) -> None:
        """Unfold the stamps or fold them; on a change, go to its diff."""
        item = self.session.item
        if item is not None and (item.kind is ItemKind.STAMPS or self.session.on_open_stamp):
            self.session.toggle_stamps()
            self.list.show_items(self.session.items)
        else:
            self.diff.focus()
        self.draw()

    def action_filter(self) -> None:
        """Show other changes."""
        before = self.session.shows
        now = self.session.show_next()
        if now is before:
            self.say("Nothing else to show: no change is undecided or flagged.")
        elif now is Shows.ALL:
            self.say("All changes are shown again.")
        self.list.show_items(self.session.items)
        self.draw()

    def action_search(self) -> None:
        """Ask for a text."""
        self.query_one(Prompt).ask("search", "Show changes with", self.ledger.state.filter.text)

    @on(Prompt.Answered)
    def _search_for(self, event: Prompt.Answered) -> None:
        found = self.session.search(event.text)
        self.list.show_items(self.session.items)
        self.list.focus()
        if event.text and found:
            self.say(f"{found} with “{event.text}”; escape shows all again.")
        elif event.text:
            self.say(f"No change has “{event.text}”.", "$warning")
        self.draw()

    @on(Prompt.Cancelled)
    def _search_no_more(self) -> None:
        self.list.focus()

    def action_look(self, what: str) -> None:
        """Lay the diff out in another way."""
        self.diff.toggle(what)
        self.query_one("#panes").set_class(self.diff.look.side_by_side, "-beside")
        self.on_resize()
        if what == "wrap":
            self.evidence.set_wrap(self.diff.wrap)
        self.draw()

    def action_pane(self, step: int) -> None:
        """Put the focus on another pane."""
        panes = [self.query_one(pane) for pane in self.PANES]
        shown = [pane for pane in panes if pane.display]
        at = next((at for at, pane in enumerate(shown) if pane.has_focus), 0)
        shown[(at + step) % len(shown)].focus()

    def action_page(self, step: int) -> None:
        """Scroll the pane that has the focus; from the list, the diff."""
        pane = next((pane for pane in (self.evidence, self.claims) if pane.has_focus), self.diff)
        pane.page(step)

    @on(LineView.Clicked)
    def _clicked(self, event: LineView.Clicked) -> None:
        if event.view is self.list:
            decides = self.session.stand(event.index) is False and event.x in self.list.SIGN_COLUMNS
            if decides and self.session.position == event.index:
                self.cycle_decision()
        elif event.view is self.diff:
            unit = self.diff.unit_at(event.index)
            line = self.diff.line_at(event.index, event.x)
            if self.picker is not None and unit == self.diff.current and line is not None and self.picker.stand(line):
                self.picker.toggle()
            elif unit is not None and unit in self.ledger.index.position:
                same = unit == self.diff.current
                self.session.go_to(self.ledger.index.position[unit])
                claim = self.diff.claim_at(event.line, event.x)
                if claim is not None and claim[0] == unit:
                    self.session.choose(claim[1])
                if same and event.x in self.diff.SIGN_COLUMNS:
                    self.cycle_decision()
        elif event.view is self.claims:
            row = self.claims.row_of(event.index)
            if row is not None:
                self.session.choose(row)
        self.draw()

    def cycle_decision(self) -> None:
        """Go on from undecided to accepted, rejected, and back: what a click on the decision does."""


_NOWHERE = {
    "next": "This is the last one.",
    "previous": "This is the first one.",
    "next_undecided": "Nothing is undecided; c shows what will be written.",
    "previous_undecided": "Nothing is undecided; c shows what will be written.",
    "next_flagged": "No other change is flagged.",
    "previous_flagged": "No other change is flagged.",
    "next_file": "There is no other note.",
    "previous_file": "There is no other note.",
}
