"""Claims of the old text that the new text does not make: moved, taken back, or lost."""

from __future__ import annotations

from collections.abc import Sequence

from memreview.checks.claims import cues
from memreview.checks.claims.answers import place
from memreview.checks.claims.aside import negation_target
from memreview.checks.claims.corpus import Corpus
from memreview.checks.claims.extract import Candidate, extract
from memreview.checks.claims.found import weigh
from memreview.checks.claims.language import content_words
from memreview.checks.claims.markdown import Shape, read_lines
from memreview.checks.claims.match import hits
from memreview.checks.claims.novelty import OldText
from memreview.checks.claims.records import Witness
from memreview.checks.claims.rules import Rule
from memreview.checks.claims.setting import NoteText, Setting
from memreview.model.claim import Claim, ClaimKind, Dropped, Fate, Verdict

_FEW, _KEPT = 4, 0.4
_SAID = (Verdict.SUPPORTED, Verdict.DERIVED, Verdict.ELSEWHERE)


def find_dropped(
    removed: Sequence[str], added: OldText, new_memory: OldText, corpus: Corpus, new_claims: Sequence[Claim]
) -> tuple[Dropped, ...]:
    """What became of each value of the removed lines that no added line holds."""
    out: list[Dropped] = []
    note = NoteText(removed)
    usable = corpus.usable
    found = [c for c in extract(removed) if c.kind is not ClaimKind.SECRET and not c.weak]
    kept = frozenset(added.lines)
    for claim in found:
        if removed[claim.line] in kept:
            continue
        where = note.setting(claim)
        if not added.holds(claim, where, False):
            stands = new_memory.origin(removed[claim.line]) is not None
            out.append(_fate(claim, where, new_memory, corpus, usable, new_claims, stands=stands))
    out.extend(_lost_words(removed, note, added, new_memory, usable, {c.line for c in found}))
    return tuple(sorted(out, key=lambda d: (d.line, d.start)))


def _fate(
    claim: Candidate,
    where: Setting,
    new_memory: OldText,
    corpus: Corpus,
    usable: Sequence[Witness],
    new_claims: Sequence[Claim],
    *,
    stands: bool,
) -> Dropped:
    """``stands`` is true where the whole line stands in the new memory."""

    def answer(fate: Fate, rule: Rule, reason: str) -> Dropped:
        return Dropped(
            claim.line, claim.start, claim.end, claim.text, claim.kind, fate, fate is Fate.LOST, rule, reason
        )

    if stands or new_memory.holds(claim, where, True):
        return answer(Fate.MOVED, Rule.LIVES_ON, "It stands elsewhere in the new memory.")
    if not usable:
        return answer(Fate.UNVERIFIABLE, Rule.NO_RECORDS, "There is no record that could take it back or confirm it.")
    for witness in corpus.about(where.clause_words, where.language):
        if witness.rank >= 2 and _takes_back(claim, where, witness):
            return answer(Fate.CONTRADICTED, Rule.TAKEN_BACK, f"{place(witness)} takes it back.")
    for new in new_claims:
        if new.kind is not claim.kind or new.verdict not in _SAID or not new.evidence:
            continue
        row = corpus.by_place.get((new.evidence[0].transcript, new.evidence[0].line))
        if row is not None and new.text != claim.text and _same_subject(where, row):
            return answer(Fate.CONTRADICTED, Rule.REPLACED, f"“{new.text}” took its place: {place(row)}.")
    return answer(Fate.LOST, Rule.LOST, "The new text holds it nowhere, and no record takes it back.")


def _takes_back(claim: Candidate, where: Setting, witness: Witness) -> bool:
    for hit in hits(claim, witness):
        piece = witness.statements.at(hit.start, hit.end) if hit.placed else None
        if piece is None:
            continue
        if weigh(claim, where, hit).fault in ("negated", "superseded"):
            return True
        inside = piece.sentence
        turned = cues.NEGATION.search(inside.low) or cues.TAKES_BACK.search(inside.low)
        if turned and (where.words & inside.words(where.language) or claim.kind is ClaimKind.COMMAND):
            return True
    subject = where.words
    for piece in witness.statements:
        shared = subject & piece.words(where.language)
        if subject and len(shared) >= max(1, len(subject) - 1):
            target = negation_target(piece.text, where.language)
            if target is not None and (target in shared or target == ""):
                return True
    return False


def _same_subject(where: Setting, witness: Witness) -> bool:
    """The record that supports the new value speaks of the old value's subject."""
    words = where.words
    return bool(words) and any(
        2 * len(words & p.sentence.words(where.language)) >= len(words) for p in witness.statements
    )


def _lost_words(
    removed: Sequence[str],
    note: NoteText,
    added: OldText,
    new_memory: OldText,
    usable: Sequence[Witness],
    valued: set[int],
) -> list[Dropped]:
    """Lines without a value whose words stand nowhere in the new memory."""
    out = []
    for number, line in enumerate(read_lines(removed)):
        if line.shape is not Shape.TEXT or number in valued:
            continue
        language = note.language_of(number)
        body = line.text[line.body :]
        if len(content_words(body, language)) < _FEW or added.coverage(body, language) >= _KEPT:
            continue
        start = line.body + len(body) - len(body.lstrip())
        end = len(line.text.rstrip())
        fields = (number, start, end, line.text[start:end], ClaimKind.WORDING)
        if new_memory.coverage(body, language) >= _KEPT:
            fate, rule, reason = Fate.MOVED, Rule.LIVES_ON, "Its words stand elsewhere in the new memory."
        elif not usable:
            fate, rule, reason = Fate.UNVERIFIABLE, Rule.NO_RECORDS, "There is no record that could take it back."
        else:
            fate, rule, reason = Fate.LOST, Rule.LOST, "Its words stand nowhere in the new memory."
        out.append(Dropped(*fields, fate, fate is Fate.LOST, rule, reason))
    return out
