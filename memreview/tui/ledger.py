"""What was decided in one review, saved after every step, and what a decision means for the person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from memreview.apply.draft import can_be_settled
from memreview.errors import MemreviewError
from memreview.model.dream import Conflict, Review, TargetKind
from memreview.model.review import Accept, Decision, EditTo, Mend, Reject, TakeLines
from memreview.review.actions import Action, Decide, MendCitation, Redo, SetLines, Undo
from memreview.review.index import Unit, index_of
from memreview.review.reducer import must_be_decided_alone, reduce
from memreview.review.state import ReviewState
from memreview.tui.content import decode_line
from memreview.tui.facts import APPLIED, UNDECIDED, Flag, Look, flags, look_of
from memreview.tui.judged import Judged
from memreview.tui.rows.claims import ClaimRow


class Ledger:
    """Every decision becomes an action here; the state that it makes is saved before anything is drawn."""

    def __init__(
        self,
        review: Review,
        state: ReviewState,
        save: Callable[[ReviewState], None],
        *,
        looked_up: bool = True,
        checking: bool = False,
    ) -> None:
        self.review = review
        self.looked_up = looked_up
        self.checking = checking
        self.unchecked = ""
        """Why the claims could not be checked."""
        self.unjudged = review
        """The review as it is without the answers of the claim check."""
        self.done: tuple[int, int] | None = None
        """How many of how many changes are checked so far, once that is known."""
        self.index = index_of(review)
        self.units = self.index.units
        self.state = state
        self.version = 0
        self.trouble = ""
        self.judged = Judged(review, self.index, state.decisions.mends)
        self._save = save
        self._flags: dict[int, tuple[Flag, ...]] = {}
        self._looks: list[Look] = []
        self._counts: Mapping[str, int] = {}
        self._look_all()

    def adopt(self, review: Review) -> None:
        """Know more of the same review: what CHANGES.md cites, or what the claim check found."""
        self.review = review
        if not review.checked:
            self.unjudged = review
        self.index = index_of(review)
        self.units = self.index.units
        self.looked_up = True
        self.judged = Judged(review, self.index, self.state.decisions.mends)
        self.checking = self.checking and not review.checked
        self.version += 1
        self._flags.clear()
        self._look_all()

    def check_failed(self, reason: str) -> None:
        """The claims could not be checked."""
        self.checking, self.unchecked = False, reason
        self.version += 1

    def check_begins(self) -> None:
        """The claims are being checked, perhaps once more."""
        self.checking, self.unchecked, self.done = True, "", None
        self.version += 1

    def check_goes_on(self, done: int, total: int) -> None:
        """The claims of so many changes are checked."""
        self.done = done, total

    def look(self, number: int) -> Look:
        """How the decision on a unit is shown."""
        return self._looks[number]

    def look_by_id(self, unit: str) -> Look:
        """The same, by the unit's id."""
        number = self.index.position.get(unit)
        return UNDECIDED if number is None else self._looks[number]

    def decision(self, unit: str) -> Decision | None:
        """The decision that holds for a unit."""
        carried = self.review.applied.get(unit)
        if carried is not None:
            return carried.decision
        found = self.index.unit(unit)
        return None if found is None else self.index.effective(self.state.decisions, found)

    def taken_lines(self, unit: str) -> TakeLines | None:
        """The lines taken of a change, where it is decided by lines."""
        decision = self.decision(unit)
        return decision if isinstance(decision, TakeLines) else None

    def flags(self, number: int) -> tuple[Flag, ...]:
        """The flags of a unit."""
        found = self._flags.get(number)
        if found is None:
            found = self._flags[number] = flags(self.review, self.units[number], looked_up=self.looked_up)
        if Flag.CONFLICT in found and self.is_settled(self.units[number]):
            return tuple(flag for flag in found if flag is not Flag.CONFLICT)
        return found

    def is_settled(self, unit: Unit) -> bool:
        """True where the decision on a conflict leaves none: the change is rejected, or a person wrote the lines."""
        decision, conflict = self.decision(unit.id), self.review.conflicts.get(unit.id)
        if isinstance(decision, EditTo):
            return conflict is None or can_be_settled(conflict)
        return isinstance(decision, Reject)

    def conflict(self, unit: Unit) -> Conflict | None:
        """The conflict of a change with what is on disk now, that an edit can settle."""
        conflict = self.review.conflicts.get(unit.id)
        return conflict if conflict is not None and can_be_settled(conflict) else None

    def flagged(self, number: int) -> bool:
        """True where a unit asks for a second look: by a flag, or by what the claim check found."""
        return bool(self.flags(number)) or self.judged.flagged(self.units[number].id)

    def rows(self, unit: str) -> tuple[ClaimRow, ...]:
        """The rows of the table of claims for a unit."""
        return self.judged.rows(unit)

    def edits(self, file: str) -> Mapping[str, tuple[str, ...]]:
        """The lines that a person wrote, by the changes of a note."""
        found: dict[str, tuple[str, ...]] = {}
        for unit in self.index.units_of.get(file, ()):
            carried = self.review.applied.get(unit.id)
            decision = carried.decision if carried is not None else self.state.decisions.by_id.get(unit.id)
            if isinstance(decision, EditTo):
                found[unit.id] = decision.lines
        return found

    def counts(self) -> Mapping[str, int]:
        """How many units stand how, by the sign of their decision."""
        return self._counts

    def decide(self, units: Sequence[int], decision: Decision | None) -> str:
        """Decide these units; what to tell the person."""
        if not units:
            return "Nothing to decide here: this is a remark, not a change."
        if all(self.units[number].id in self.review.applied for number in units):
            return self.settled(self.units[units[0]])
        self.do(Decide(tuple(self.units[number].id for number in units), decision))
        flagged = self.flags(units[0])
        if isinstance(decision, Reject) and self.review.target.kind is TargetKind.LIVE:
            return "Rejected: the commit puts the old lines back on disk, where the new ones stand already."
        if isinstance(decision, Accept):
            if Flag.CONFLICT in flagged:
                return "Accepted, but it conflicts with what is on disk now: edit it (e) or reject it."
            if Flag.DURING_RUN in flagged:
                return "Accepted. It was written while the dream ran: make sure that it is not another session's work."
        return ""

    def settled(self, unit: Unit) -> str:
        """What to tell a person who wants to decide what was carried out already; empty where it was not."""
        carried = self.review.applied.get(unit.id)
        if carried is None:
            return ""
        if carried.commit is None:
            return "Applied already, without a commit."
        return f"Applied in {carried.commit[:7]}: memreview revert takes it back."

    def decide_file(self, file: str, decision: Accept | Reject) -> str:
        """Decide all that is undecided in a note; what to tell the person."""
        name = self.index.files[file].path
        left = [unit for unit in self.index.units_of[file] if self.look_by_id(unit.id) is UNDECIDED]
        if not left:
            return f"Everything in {name} is decided already."
        alone: list[Unit] = []
        if isinstance(decision, Accept):
            mends = self.state.decisions.mends
            alone = [unit for unit in left if must_be_decided_alone(self.review, unit, mends.get(unit.id, ()))]
            if alone:
                # To accept the new name would take along what is undecided below it.
                alone += [unit for unit in left if unit.is_rename and unit not in alone]
        ids = tuple(unit.id for unit in left if unit not in alone)
        self.do(Decide(ids, decision))
        word = "Accepted" if isinstance(decision, Accept) else "Rejected"
        said = f"{word} {len(ids)} in {name}." if ids else f"Nothing accepted in {name}."
        return said + (f" To be decided one by one: {self._reasons(alone)}." if alone else "")

    def set_lines(self, unit: Unit, taken: TakeLines) -> None:
        """Take single lines of a change: all of them is to accept it, none to reject it."""
        self.do(SetLines(unit.id, taken.removed, taken.added, taken.despite))

    def step_back(self, *, again: bool = False) -> tuple[str, ...]:
        """Undo a step, or do one again; the ids of what it decided, none where there is no step."""
        step = self.state.future if again else self.state.past
        if step is None:
            return ()
        self.do(Redo() if again else Undo())
        return step.delta.ids

    def do(self, action: Action) -> None:
        """Carry out an action and save what comes of it."""
        before, state = self.state.decisions.mends, reduce(self.state, action, self.review)
        if state is not self.state:
            self.state = state
            if state.decisions.mends is not before:
                self.judged.mended(state.decisions.mends)
            self.keep()
            self.version += 1
            self._look_all()

    def keep(self) -> None:
        """Save the state, with where the cursor is; where that fails, ``trouble`` says why."""
        try:
            self._save(self.state)
            self.trouble = ""
        except MemreviewError as error:
            self.trouble = str(error)

    def mend(self, unit: Unit, mend: Mend) -> bool:
        """Note the right place of a citation; False where it is noted already."""
        before = self.state
        self.do(MendCitation(unit.id, mend))
        return self.state is not before

    def lines_to_edit(self, unit: Unit) -> tuple[str, ...]:
        """What an editor begins with: the person's own lines so far, else those that are proposed."""
        decision = self.decision(unit.id)
        if isinstance(decision, EditTo):
            return decision.lines
        return tuple(decode_line(line) for line in unit.change.added) if unit.change is not None else ()

    def view(self, action: Action) -> None:
        """Carry out an action that only moves or filters; it is saved with the next decision."""
        self.state = reduce(self.state, action, self.review)

    def _look_all(self) -> None:
        decisions, effective = self.state.decisions, self.index.effective
        applied = self.review.applied
        self._looks = [APPLIED if unit.id in applied else look_of(effective(decisions, unit)) for unit in self.units]
        self._counts = Counter(look.sign for look in self._looks)

    def _reasons(self, units: Sequence[Unit]) -> str:
        review, judged = self.review, self.judged
        counted = (
            (sum(unit.is_deletion for unit in units), "deletion", "deletions"),
            (sum(bool(judged.errors(unit.id)) for unit in units), "with an error", "with errors"),
            (sum(unit.during_run for unit in units), "written while the dream ran", "written while the dream ran"),
            (sum(unit.id in review.conflicts for unit in units), "conflict", "conflicts"),
            (sum(unit.is_rename for unit in units), "new name", "new names"),
        )
        return ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in counted if count)
