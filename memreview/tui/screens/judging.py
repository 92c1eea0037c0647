"""A review with what its claim check found: going through claims, mending citations, asking before errors are taken."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from textual import on

from memreview.model.claim import Claim, Verdict
from memreview.model.review import EditTo
from memreview.review.claims import in_lines, named
from memreview.review.index import Unit
from memreview.tui import keys
from memreview.tui.ledger import Ledger
from memreview.tui.rewrite import Offer, offers_for
from memreview.tui.rows.evidence import short_name
from memreview.tui.screens.offers import OffersScreen
from memreview.tui.screens.panes import PaneScreen
from memreview.tui.verdicts import VERDICTS, look_of
from memreview.tui.widgets.claim_lines import ClaimLines
from memreview.tui.widgets.key_bar import KeyBar

FORWARD = 3
"""Rank in the key bar of a key that does something for the chosen claim."""


class JudgingScreen(PaneScreen):
    """The panes with the keys for claims."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger)
        self._armed: Hashable = None
        self._arming: Hashable = None
        self._forward = (False, False)

    def errors_in(self, numbers: Sequence[int], lines: Iterable[int] | None = None) -> tuple[Claim, ...]:
        """Errors of these units, or only those in these added lines of them."""
        judged, units = self.ledger.judged, self.ledger.units
        return tuple(error for number in numbers for error in in_lines(judged.errors(units[number].id), lines))

    def confirms(self, what: Hashable, errors: Sequence[Claim], key: str) -> bool:
        """True where the person was told of these errors just before; else tell: ``key`` again takes them."""
        more = f" and {len(errors) - 1} more" if len(errors) > 1 else ""
        sign = look_of(errors[0].verdict, errors[0].weight).sign
        return self.asked(what, f"{sign} {named(errors[0])}{more}. {key} again takes it all the same.", "$error")

    def asked(self, what: Hashable, question: str, style: str = "$warning") -> bool:
        """True where the last key has asked the same; else ask now."""
        if self._armed == what:
            return True
        self._arming = what
        self.say(question, style)
        return False

    def draw(self) -> None:
        """Draw the session; what was asked is forgotten with the next key."""
        self._armed, self._arming = self._arming, None
        self._show_keys()
        super().draw()

    def show_more(self) -> None:
        """Show what is known now; a question that was asked before counts no more."""
        if self._armed is not None:
            self._shown = ("", "")
        super().show_more()

    def _show_keys(self) -> None:
        """Bring the keys forward that do something for the chosen claim."""
        chosen = self.session.chosen()
        flagged = chosen is not None and chosen.flagged and self.picker is None
        mends = flagged and chosen is not None and chosen.look is VERDICTS[Verdict.ELSEWHERE]
        if (flagged, mends) != self._forward and self.picker is None:
            self._forward = (flagged, mends)
            wanted = {"review.value": flagged, "review.mend": mends}
            forward = [replace(key, rank=FORWARD) for key in self.KEYS if wanted.get(key.id)]
            ids = {key.id for key in forward}
            rest = [key for key in (*self.KEYS, *keys.COMMON) if key.id not in ids]
            self.query_one(KeyBar).show_keys([*forward, *rest])

    def end_picking(self) -> None:
        """Leave the mode in which single lines are taken."""
        super().end_picking()
        self._forward = (False, False)

    # Keys

    def action_claim(self, step: int) -> None:
        """Choose another claim of this change."""
        if not self.session.rows():
            self.say("Nothing is claimed here that could be chosen.")
        elif not self.session.choose(self.session.claim + step):
            self.say("This is the last claim." if step > 0 else "This is the first claim.")
        self.draw()

    @on(ClaimLines.Pointed)
    def _pointed(self, event: ClaimLines.Pointed) -> None:
        """The evidence follows the mouse within the current change."""
        if event.unit == self.diff.current and self.picker is None and self.session.choose(event.row):
            self.draw()

    def action_mend(self) -> None:
        """Note where the words of the chosen claim stand, or of the first that stand elsewhere."""
        unit, chosen = self.session.unit(), self.session.chosen()
        rows = [row for row in self.session.rows() if row.look is VERDICTS[Verdict.ELSEWHERE]]
        row = chosen if chosen in rows else rows[0] if rows else None
        if unit is None or row is None or row.claim is None or not row.claim.evidence:
            self.say("Nothing to mend here: only words that another record holds (→ elsewhere) have a right place.")
        else:
            mend = self.evidence.mend_for(row.claim)
            self.ledger.mend(unit, mend)
            claims = [one.claim for one in self.session.rows()]
            self.session.choose(claims.index(row.claim))
            place = f"{short_name(mend.transcript)}:{mend.line}"
            self.say(f"Put right: {place}. It goes into the commit message; u takes it back.")
        self.draw()

    def action_value(self) -> None:
        """Offer other texts for the words of the chosen claim."""
        unit, row = self.session.unit(), self.session.chosen()
        if unit is None or row is None or not row.flagged:
            self.say("Choose a flagged claim first (f); e edits any text.")
            self.draw()
            return
        lines = self.ledger.lines_to_edit(unit)
        found = offers_for(row, lines, unit)
        if not found:
            self.say("Your text does not have these words any more; e edits it.")
            self.draw()
            return
        title = f"{row.look.sign} {row.look.word}: {row.text}" if row.kind != "secret" else "a secret"
        self.app.push_screen(OffersScreen(title, lines, found), partial(self._take_offer, unit))

    def _take_offer(self, unit: Unit, offer: Offer | None) -> None:
        if offer is not None:
            self.ledger.decide((self.ledger.index.position[unit.id],), EditTo(offer.lines))
            self.say(f"Taken {offer.words}; u undoes it.")
        self.draw()

    def action_check(self) -> None:
        """Check the claims again."""
        if not self.memreview.check_again(self.ledger):
            self.say("The claims are being checked." if self.ledger.checking else "They cannot be checked here.")
        self.draw()
