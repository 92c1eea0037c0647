"""The verdict on one value claim: where its value stands, whose word that is, and what speaks against it.

The cited records are asked first, then all others of the project, then what was said later. Ranks and severities are
those of ``docs/claims.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from memreview.checks.claims import later, names_against, slots
from memreview.checks.claims.answers import answer, contradiction, evidence, place, shown
from memreview.checks.claims.corpus import Corpus
from memreview.checks.claims.datematch import own_days
from memreview.checks.claims.dates import DateMatch
from memreview.checks.claims.extract import Candidate
from memreview.checks.claims.found import Found, comparable, look, telling, too_small
from memreview.checks.claims.hits import Hit, Relation
from memreview.checks.claims.language import content_words
from memreview.checks.claims.match import rivals
from memreview.checks.claims.quantities import Quantity
from memreview.checks.claims.records import Witness
from memreview.checks.claims.rules import Rule
from memreview.checks.claims.setting import Setting
from memreview.checks.claims.sums import sum_hit
from memreview.model.claim import Claim, ClaimKind, Verdict, Weight
from memreview.model.transcript import Speaker

_SOLID = (Relation.SAME, Relation.COARSER)


class Judge:
    """Holds the records of one question and judges its claims one by one."""

    def __init__(self, corpus: Corpus, cited: Sequence[Witness]) -> None:
        self.corpus = corpus
        self._cited_places = {w.place for w in cited}
        asked = [w.call for w in cited if w.call is not None and w.call.place not in self._cited_places]
        self.cited = [w for w in [*cited, *asked] if w.rank > 0]
        self._evidence = bool(corpus.usable)

    @property
    def empty(self) -> bool:
        """True where there is no record at all."""
        return not self.corpus.witnesses

    def others(self, claim: Candidate, where: Setting) -> list[Witness]:
        """Records that are not cited and may hold the claim's value."""
        found = self.corpus.holding(claim, where.words, where.language, share=None if telling(claim) else 0.0)
        return [w for w in found if w.rank > 0 and w.place not in self._cited_places]

    def _look(self, claim: Candidate, where: Setting) -> list[Found]:
        """The hits in the cited records."""
        return look(claim, where, self.corpus.holding_among(self.cited, claim, where.words, where.language))

    def _near(self, where: Setting) -> Sequence[Witness]:
        """The cited records that speak of what the claim speaks of."""
        return self.corpus.among(self.cited, where.words, where.language)

    def _with(self, found: Found, where: Setting) -> Sequence[Witness]:
        rows = self._near(where)
        return rows if found.hit.witness in rows else [*rows, found.hit.witness]

    def _weights(self, where: Setting) -> dict[str, float]:
        return slots.lead(self.corpus.weights(where.words, where.language, heard=True), where)

    def judge(self, claim: Candidate, where: Setting) -> Claim | None:
        """The verdict; None where the candidate turns out to be no claim at all."""
        if self.empty:
            reason = "There is no record that could be checked."
            return None if claim.weak else answer(claim, Verdict.UNVERIFIABLE, Weight.WARNING, Rule.NO_RECORDS, reason)
        if claim.weak and where.valued:
            return self._subject(claim, where)
        found = self._look(claim, where)
        good = [f for f in found if f.good and not too_small(claim, where, f)]
        solid = [f for f in good if f.hit.relation in _SOLID]
        if isinstance(claim.data, DateMatch) and claim.data.said:
            return self._day_of_saying(claim, good)
        if claim.kind in (ClaimKind.DATE, ClaimKind.TIME):
            solid = [f for f in solid if f.hit.placed or not self._another_day(claim, where, f)]
            told = [f for f in good if f.hit.relation is Relation.DERIVED and f.hit.placed]
            if any(2 * len(f.shared) >= len(where.words) for f in told):
                solid = [f for f in solid if f.hit.placed]
        if solid:
            return self._supported(claim, where, sorted(solid, key=lambda f: f.worth, reverse=True))
        if claim.weak:
            return names_against.other_name(claim, where, self._near(where))
        derived = [f for f in good if f.hit.relation is Relation.DERIVED]
        if derived:
            return _derived(claim, max(derived, key=lambda f: f.worth))
        faulty = [f for f in found if f.fault and f.hit.relation is not Relation.FINER]
        if faulty:
            return self._faulty(claim, where, max(faulty, key=lambda f: f.worth))
        return self._not_cited(claim, where, [f for f in good if f.hit.relation is Relation.FINER])

    def _day_of_saying(self, claim: Candidate, good: Sequence[Found]) -> Claim:
        """ "said 2026-11-01" is told by when the cited records were made, whatever days they speak of."""
        own = [f for f in good if f.hit.note == "own-day" and f.hit.witness.rank > 0]
        if own:
            best = max(own, key=lambda f: f.worth)
            reason = "The cited record was said on that day."
            if best.hit.relation is Relation.DERIVED:
                reason = "Around midnight: it is the day of the cited record in another zone."
            return answer(claim, Verdict.SUPPORTED, Weight.OK, Rule.OWN_DAY, reason, best.hit)
        days = [(w, own_days(w)[0]) for w in self.cited if w.rank > 0 and own_days(w)]
        if not days:
            return answer(claim, Verdict.UNSUPPORTED, Weight.ERROR, Rule.NOWHERE, "No cited record tells its day.")
        witness, day = days[0]
        reason = f"The cited record is of {day:%Y-%m-%d}: {place(witness)}."
        return answer(
            claim, Verdict.CONTRADICTED, Weight.ERROR, Rule.OTHER_VALUE, reason, Hit(witness, 0, 0, Relation.SAME)
        )

    def _subject(self, claim: Candidate, where: Setting) -> Claim | None:
        """A capitalised word that a value is said of is what the clause speaks of, and no value itself."""
        found = [f for f in self._look(claim, where) if f.good]
        best = max(found, key=lambda f: f.worth, default=None)
        if best is None or best.hit.witness.rank < 2:
            return None
        reason = "The cited record contains it."
        return answer(claim, Verdict.SUPPORTED, Weight.OK, Rule.SAME, reason, best.hit)

    def _another_day(self, claim: Candidate, where: Setting, found: Found) -> bool:
        """True where the record gives another date for the same thing, so that its own day proves nothing."""
        witness = found.hit.witness
        if witness.speaker is Speaker.TOOL:
            return False
        need = max(1, len(where.words) // 2)
        for rival in rivals(claim, witness):
            words = witness.statements.context(rival.start, rival.end, where.language)
            if len(where.words & words) >= need:
                return True
        return False

    def _supported(self, claim: Candidate, where: Setting, solid: Sequence[Found]) -> Claim | None:
        if claim.kind is ClaimKind.NAME and where.valued:
            return self._plain_support(claim, where, solid[0])
        conflict: Claim | None = None
        best: Found | None = None
        for found in solid[:8]:
            one = slots.slot_conflict(claim, where, found, self._with(found, where))
            if one is None:
                best = found
                break
            conflict = conflict or one
        if best is None:
            assert conflict is not None
            return conflict
        after = self.corpus.later(best.hit.witness, claim, where.words, where.language)
        weights = self._weights(where)
        may_hold = self.corpus.may_hold(claim)
        turned = later.taken_back(claim, where, best, after, weights, may_hold)
        if turned is None and best.hit.witness.rank == 1:
            about = self.corpus.about(where.words, where.language, 0.4)
            turned = later.outranked(claim, where, best, about, weights, may_hold)
        return turned if turned is not None else self._plain_support(claim, where, best)

    def _plain_support(self, claim: Candidate, where: Setting, best: Found) -> Claim | None:
        if best.hit.witness.rank == 1 or (
            claim.kind is ClaimKind.QUOTE and best.hit.witness.speaker is Speaker.ASSISTANT
        ):
            return self._only_a_model(claim, where, best)
        if not best.shared and isinstance(claim.data, Quantity) and where.words and comparable(where, best.hit.witness):
            reason = "The value stands in the cited record, but with no word in common around it."
            return answer(claim, Verdict.SUPPORTED, Weight.NOTE, Rule.NO_CONTEXT, reason, best.hit)
        rule, reason = Rule.SAME, "The cited record contains it."
        if best.hit.relation is Relation.COARSER:
            rule, reason = Rule.COARSER, "The record says it more exactly."
        elif best.hit.note == "own-day":
            rule, reason = Rule.OWN_DAY, "It is the day of the cited record."
        return answer(claim, Verdict.SUPPORTED, Weight.OK, rule, reason, best.hit)

    def _only_a_model(self, claim: Candidate, where: Setting, best: Found) -> Claim | None:
        if claim.weak:
            return None
        if claim.kind is ClaimKind.QUOTE:
            reason = "The words are the assistant's."
            return answer(claim, Verdict.SUPPORTED, Weight.WARNING, Rule.ASSISTANT_ONLY, reason, best.hit)
        reason = "Only the assistant says so; no word of the user and no tool result confirms it."
        proof = self._borne_out(claim, where)
        if proof is not None:
            reason = f"The cited words are the assistant's; {place(proof)} bears them out."
        return answer(claim, Verdict.SUPPORTED, Weight.WARNING, Rule.ASSISTANT_ONLY, reason, best.hit)

    def _borne_out(self, claim: Candidate, where: Setting) -> Witness | None:
        """A record of the user or a tool that says what only the assistant is cited for."""
        rows = self.corpus.holding(claim, where.words, where.language, share=0.3)
        sure = [w for w in rows if w.rank == 3 and w.place not in self._cited_places]
        for found in look(claim, where, sure):
            solid = found.good and found.hit.relation in _SOLID and found.hit.placed
            if solid and len(found.shared) * 2 >= len(where.words):
                return found.hit.witness
        return None

    def _faulty(self, claim: Candidate, where: Setting, worst: Found) -> Claim:
        line = worst.hit.witness.source.line
        if worst.fault == "doubt":
            apart = look(claim, where, self.others(claim, where))
            sure = [f for f in _elsewhere(claim, where, apart) if len(f.shared) * 2 >= len(where.words)]
            if sure:
                return _elsewhere_answer(claim, max(sure, key=_nearness))
        verdict, reason = {
            "refused": (Verdict.CONTRADICTED, f"The user said no to this (after line {line})."),
            "negated": (Verdict.CONTRADICTED, f"Line {line} says the opposite."),
            "superseded": (Verdict.CONTRADICTED, f"Line {line} names it as what no longer holds."),
            "doubt": (Verdict.UNSUPPORTED, f"Line {line} asks, plans or guesses it; nobody asserted it."),
            "failed": (Verdict.UNSUPPORTED, f"The call in line {line} did not succeed."),
        }[worst.fault]
        return answer(claim, verdict, Weight.ERROR, Rule(worst.fault), reason, worst.hit)

    def _nearest_elsewhere(self, claim: Candidate, where: Setting, apart: Sequence[Found]) -> Found | None:
        """The best hit outside of what is cited; of a mere name the one whose record shares most of the line."""
        found = list(_elsewhere(claim, where, apart))
        if claim.kind is not ClaimKind.NAME or len(found) < 2:
            return max(found, key=_nearness, default=None)
        words = content_words(where.text, where.language)
        weights = self.corpus.weights(words, where.language)

        def share(one: Found) -> float:
            return sum(weights[word] for word in words & one.hit.witness.words(where.language))

        return max(found, key=lambda one: (one.hit.witness.rank, share(one), _nearness(one)))

    def _not_cited(self, claim: Candidate, where: Setting, finer: Sequence[Found]) -> Claim:
        apart = look(claim, where, self.others(claim, where))
        elsewhere = self._nearest_elsewhere(claim, where, apart)
        weights = self._weights(where)
        rival = slots.rival_in_slot(claim, where, self._near(where), weights)
        if elsewhere is not None and not elsewhere.shared and self._spoken_of(where):
            elsewhere = None
        if elsewhere is not None and (rival is None or _outweighs(elsewhere, rival, weights)):
            conflict = slots.slot_conflict(claim, where, elsewhere, [elsewhere.hit.witness])
            return conflict if conflict is not None else _elsewhere_answer(claim, elsewhere)
        total = sum_hit(claim, where.words, self._near(where), where.language)
        if total is not None:
            reason = f"Nobody said {claim.text}: {total.note}."
            return answer(claim, Verdict.DERIVED, Weight.WARNING, Rule.SUM, reason, total)
        if finer:
            hit = finer[0].hit
            said = hit.note or hit.witness.shown[hit.start : hit.end]
            reason = f"Line {hit.witness.source.line} only says “{said}”; nobody was that exact."
            return replace(answer(claim, Verdict.UNSUPPORTED, Weight.ERROR, Rule.FINER, reason, hit), nearest=said)
        # "no longer on 8080": that another value holds is what the note says itself.
        if rival is not None and not where.aside:
            return contradiction(claim, rival[0].rival, Rule.OTHER_VALUE, "The cited record gives another value")
        return self._nowhere(claim, where, apart)

    def _spoken_of(self, where: Setting) -> bool:
        """True where a cited record speaks of the claim's subject: the value of something else is none of it."""
        need = max(2, round(0.6 * len(where.words)))
        pieces = (piece for w in self._near(where) for piece in w.statements if not piece.sentence.question)
        return any(len(where.words & piece.words(where.language)) >= need for piece in pieces)

    def _nowhere(self, claim: Candidate, where: Setting, apart: Sequence[Found]) -> Claim:
        near = slots.nearest(claim, where, self._near(where))
        weight = Weight.WARNING if claim.kind is ClaimKind.NAME else Weight.ERROR
        if not self._evidence:
            reason = "The only records there are repeat the memory itself or are nobody's words."
            return answer(claim, Verdict.UNSUPPORTED, weight, Rule.NO_EVIDENCE, reason)
        reason = self._where_not(claim, apart)
        if near is None:
            return answer(claim, Verdict.UNSUPPORTED, weight, Rule.NOWHERE, f"{reason}.")
        said = shown(near).strip()
        line = (evidence(near.witness, near.start, near.end),)
        reason = f"{reason}; the nearest is “{said}”."
        return replace(answer(claim, Verdict.UNSUPPORTED, weight, Rule.NOWHERE, reason), nearest=said, evidence=line)

    def _where_not(self, claim: Candidate, apart: Sequence[Found]) -> str:
        """That nothing says so. That nothing contains it only where nothing does: a person may look for it."""
        same = [found for found in apart if found.hit.relation is Relation.SAME]
        if same:
            return f"{place(max(same, key=_nearness).hit.witness)} contains it, but does not say this of it"
        return "No record says this of it" if self.corpus.names(claim) else "No record contains it"


def _elsewhere(claim: Candidate, where: Setting, apart: Sequence[Found]) -> Iterator[Found]:
    """Those of the hits outside of what is cited that say what the note says."""
    for found in apart:
        if not found.good or found.hit.relation is Relation.FINER or found.hit.note == "own-day":
            continue
        if not too_small(claim, where, found) and (found.shared or telling(claim)):
            yield found


def _derived(claim: Candidate, best: Found) -> Claim:
    witness = best.hit.witness
    if best.hit.note == "own-day":
        line = witness.source.line
        reason = f"Around midnight {claim.text} may be the day of line {line} in another zone; nobody said it."
    else:
        said = best.hit.note or witness.shown[best.hit.start : best.hit.end]
        day = witness.moment.date().isoformat() if witness.moment else "an unknown day"
        reason = (
            f"Nobody said “{claim.text}”: it was computed from “{said}”, said on {day} (line {witness.source.line})."
        )
    return answer(claim, Verdict.DERIVED, Weight.WARNING, Rule.FROM_RELATIVE, reason, best.hit)


def _nearness(found: Found) -> tuple[int, int, int, int, int]:
    return (len(found.shared), *found.worth)


def _elsewhere_answer(claim: Candidate, best: Found) -> Claim:
    reason = f"The cited lines do not contain it; {place(best.hit.witness)} does."
    return answer(claim, Verdict.ELSEWHERE, Weight.WARNING, Rule.ELSEWHERE, reason, best.hit)


def _outweighs(elsewhere: Found, rival: tuple[slots.Slot, float], weights: Mapping[str, float]) -> bool:
    """The other record fits the note better than the cited one, or as well and is not older."""
    slot, fit = rival
    theirs = sum(weights[w] for w in elsewhere.shared) / sum(weights.values())
    if abs(theirs - fit) > 0.001:
        return theirs > fit
    return (
        elsewhere.hit.witness.order >= slot.rival.witness.order
        and elsewhere.hit.witness.rank >= slot.rival.witness.rank
    )
