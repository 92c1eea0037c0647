"""The review of a dream: deciding its changes, each beside the transcript lines that it cites."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from memreview.model.review import ACCEPT, REJECT, Accept, EditTo, Reject
from memreview.review.claims import named
from memreview.review.index import Unit
from memreview.tui import keys
from memreview.tui.editor import Edited, EditorError, beside_conflict, edit_lines
from memreview.tui.facts import ACCEPTED, SIGNS, UNDECIDED
from memreview.tui.line_picker import LinePicker
from memreview.tui.screens.judging import JudgingScreen
from memreview.tui.widgets.key_bar import KeyBar

if TYPE_CHECKING:
    from memreview.model.dream import Conflict
    from memreview.tui.screens.commit import Applied, Jump

DECISIONS: dict[str, Accept | Reject] = {"accept": ACCEPT, "reject": REJECT}


class ReviewScreen(JudgingScreen):
    """The panes with the keys that decide, and the ways on: to the transcript, the log, the commit."""

    KEYS = keys.REVIEW
    SIGNS = SIGNS
    BINDINGS = [*keys.bindings(keys.PICK), *keys.bindings(keys.REVIEW)]
    TITLE = "Review"

    @property
    def mode_keys(self) -> tuple[keys.Key, ...]:
        """The keys that go before those of the review: while single lines are taken."""
        return keys.PICK if self.picker is not None else ()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys for single lines work only while lines are taken; else the keys of the review have their turn."""
        return self.picker is not None if action == "pick" else True

    def action_decide(self, kind: str) -> None:
        """Accept or reject what is under the cursor, or take the decision back."""
        numbers, decision = self.session.numbers(), DECISIONS.get(kind)
        errors = self.errors_in(numbers) if kind == "accept" else ()
        if errors:
            decision = Accept(tuple(map(named, errors)))
        known = all(self.ledger.decision(self.ledger.units[number].id) == decision for number in numbers)
        if not errors or known or self.confirms(("accept", numbers), errors, "a"):
            self.say(self.ledger.decide(numbers, decision))
        self.draw()

    def action_decide_file(self, kind: str) -> None:
        """The same for all that is undecided in the note."""
        unit = self.session.unit()
        if unit is not None:
            self.say(self.ledger.decide_file(unit.file.id, DECISIONS[kind]))
            self.draw()

    def cycle_decision(self) -> None:
        """What a click on the decision does."""
        numbers = self.session.numbers()
        if numbers:
            look = self.ledger.look(numbers[0])
            self.action_decide("accept" if look is UNDECIDED else "reject" if look is ACCEPTED else "")

    def action_step(self, again: bool) -> None:
        """Undo a step, or do one again, and go where it was."""
        step = self.ledger.state.future if again else self.ledger.state.past
        changed = self.ledger.step_back(again=again)
        places = [self.ledger.index.position[unit] for unit in changed if unit in self.ledger.index.position]
        if places:
            self.session.go_to(min(places))
            self.list.show_items(self.session.items)
        mended = step is not None and bool(step.delta.mends_after)
        many = "a mended citation" if mended else "1 decision" if len(changed) == 1 else f"{len(changed)} decisions"
        if changed:
            self.say(f"Done again: {many}." if again else f"Undone: {many}.")
        else:
            self.say("There is nothing to do again." if again else "There is nothing to undo.")
        self.draw()

    # Editing, and taking single lines

    def action_edit(self) -> None:
        """Let the person write what shall stand instead."""
        unit = self.session.unit()
        if unit is not None and self.ledger.settled(unit):
            self.say(self.ledger.settled(unit))
        elif unit is None or unit.change is None:
            self.say("Only lines can be edited: this is taken or left as a whole.", "$warning")
        else:
            try:
                self._put_in(self._in_editor(unit), self.ledger.conflict(unit))
            except EditorError as error:
                self.say(str(error), "$error")
        self.draw()

    def _put_in(self, edited: Edited, conflict: Conflict | None) -> None:
        if not edited.changed and (conflict is None or not edited.saved):
            nothing = "Nothing was changed" if conflict is None else "Nothing was saved"
            self.say(f"{nothing} in the editor, so nothing was decided.")
            return
        self.ledger.decide(self.session.numbers()[:1], EditTo(edited.lines))
        if not edited.changed:
            self.say("Settled: this text is taken in place of what is on disk now.")
            return
        self.say("Your text is taken instead." if edited.lines else "You left nothing: the old lines go, none come.")

    def _in_editor(self, unit: Unit) -> Edited:
        conflict = self.ledger.conflict(unit)
        lines, beside = self.ledger.lines_to_edit(unit), beside_conflict(unit, conflict) if conflict else ()
        outcome: Edited | EditorError
        try:
            with self.app.suspend():
                # An error that left this block would leave the application suspended.
                try:
                    outcome = edit_lines(lines, unit.file.path, beside=beside)
                except EditorError as error:
                    outcome = error
        except SuspendNotSupported:
            if not self.app.is_headless:
                raise EditorError("This terminal cannot be handed to an editor") from None
            return edit_lines(lines, unit.file.path, beside=beside, terminal=False)
        if isinstance(outcome, EditorError):
            raise outcome
        return outcome

    def action_lines(self) -> None:
        """Begin to take single lines."""
        unit = self.session.unit()
        if unit is not None and self.ledger.settled(unit):
            self.say(self.ledger.settled(unit))
        elif unit is None or unit.change is None or len(self.session.numbers()) > 1:
            self.say("There are no single lines here: this is taken or left as a whole.", "$warning")
        elif len(unit.change.removed) + len(unit.change.added) == 1:
            self.say("This change is one line: accept or reject it.")
        else:
            self.picker = LinePicker(unit.change, self.ledger.decision(unit.id))
            self.query_one(KeyBar).show_keys(keys.PICK)
            self.diff.focus()
        self.draw()

    def action_pick(self, what: str) -> None:
        """A key while lines are taken."""
        picker, unit = self.picker, self.session.unit()
        if picker is None or unit is None:
            return
        match what:
            case "toggle":
                picker.toggle()
            case "down" | "up":
                picker.move(1 if what == "down" else -1)
            case "all" | "none":
                picker.take(what == "all")
            case "done":
                errors = self.errors_in(self.session.numbers(), picker.taken.added)
                if not errors or self.confirms(("lines", picker.taken), errors, "enter"):
                    self.ledger.set_lines(unit, replace(picker.taken, despite=tuple(map(named, errors))))
                    self.end_picking()
            case "cancel":
                self.end_picking()
                self.say("The lines are as they were.")
        self.draw()

    # Ways on

    def action_transcript(self) -> None:
        """Show the whole transcript of the passage at the top of the evidence."""
        passage = self.evidence.passage_in_view()
        if passage is None:
            self.say("No transcript is cited here that could be opened.", "$warning")
            self.draw()
            return
        from memreview.tui.screens.transcript import TranscriptScreen

        cited = range(passage.start, passage.end + 1)
        self.app.push_screen(TranscriptScreen(passage.path, passage.start, self.memreview.options, cited))

    def action_log(self) -> None:
        """Show what the run printed."""
        from memreview.tui.screens.log import LogScreen

        self.app.push_screen(LogScreen(self.ledger.review.run))

    def action_history(self) -> None:
        """Show the past reviews of the project."""
        self.memreview.open_history(self.ledger.review.project)

    def action_commit(self) -> None:
        """Show what would be written."""
        from memreview.tui.screens.commit import CommitScreen

        if not self.ledger.looked_up:
            self.say("What CHANGES.md cites is still being looked up, and goes with the commit: a moment.")
            self.draw()
            return
        if self.ledger.checking and not self.asked("commit", "The claims are still being checked; c again goes on."):
            self.draw()
            return
        self.ledger.keep()
        self.app.push_screen(CommitScreen(self.ledger.review, self.ledger.state.decisions), self._committed)

    def _committed(self, outcome: Jump | Applied | None) -> None:
        from memreview.tui.screens.commit import Applied, Jump

        if isinstance(outcome, Jump) and outcome.unit_id in self.ledger.index.position:
            self.session.go_to(self.ledger.index.position[outcome.unit_id])
            self.list.show_items(self.session.items)
            self.draw()
        elif isinstance(outcome, Applied):
            self.memreview.leave()

    def action_leave(self) -> None:
        """Show all again where only some changes are listed, else leave the review."""
        if self.ledger.state.filter.active:
            self.session.show_all()
            self.list.show_items(self.session.items)
            self.draw()
        else:
            self.memreview.leave()
