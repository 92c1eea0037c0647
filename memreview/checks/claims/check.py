"""The claim check of one change: added lines against the records that it cites and the rest of the project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from functools import cached_property

from memreview.checks.claims.corpus import Cited, Corpus
from memreview.checks.claims.datematch import relation
from memreview.checks.claims.dates import DateMatch, meets
from memreview.checks.claims.dropped import find_dropped
from memreview.checks.claims.extract import Candidate, extract
from memreview.checks.claims.folding import fold
from memreview.checks.claims.hits import Relation
from memreview.checks.claims.judge import Judge
from memreview.checks.claims.markdown import Line, Shape, read_lines
from memreview.checks.claims.modality import judge_modality
from memreview.checks.claims.novelty import OldText
from memreview.checks.claims.records import Secrets, Source, Witness, masked
from memreview.checks.claims.rules import Rule
from memreview.checks.claims.setting import NoteText
from memreview.checks.claims.wording import judge_wording
from memreview.model.claim import Claim, ClaimKind, ClaimReport, Dropped, Moved, Verdict, Weight

_OLD_ENOUGH = 0.8


@dataclass(frozen=True, slots=True)
class Question:
    """One change with its evidence.

    ``cited`` are the records that the change names, ``others`` all the rest that may be searched: a
    :class:`~memreview.checks.claims.corpus.Corpus` is read once and serves for many changes. ``anchor`` is when the old
    lines were written. ``old_memory`` is the whole folder before, ``new_memory`` after; only with the latter are
    dropped claims looked for. ``everything`` lists also what the old text claimed already. Without ``wording`` nothing
    is said of the words of a line as a whole, which costs the most.
    """

    added: Sequence[str]
    removed: Sequence[str] = ()
    cited: Sequence[Source] = ()
    others: Sequence[Source] | Corpus = ()
    anchor: datetime | None = None
    zone: tzinfo | None = None
    old_memory: OldText | None = None
    new_memory: OldText | None = None
    everything: bool = False
    wording: bool = True


def check(question: Question, secrets: Secrets | None = None, *, show_secrets: bool = False) -> ClaimReport:
    """All claims of the added lines that are new, with their verdicts; what was moved; what was dropped.

    ``secrets`` finds keys and passwords: each is a claim, and is masked in all that the report shows, unless
    ``show_secrets``.
    """
    corpus, cited = _records(question, None if show_secrets else secrets)
    report = _Check(question, corpus, cited, secrets).report()
    if secrets is None or show_secrets:
        return report
    return _without_secrets(report, question, secrets)


def _without_secrets(report: ClaimReport, question: Question, secrets: Secrets) -> ClaimReport:
    """The report with the secrets of the lines themselves masked."""
    added, removed = (
        masked("\n".join(lines), secrets("\n".join(lines))).split("\n") for lines in (question.added, question.removed)
    )

    def shown(claim: Claim) -> Claim:
        text = added[claim.line][claim.start : claim.end]
        return claim if text == claim.text else replace(claim, text=text, value=fold(text), reason=_safe(claim, text))

    dropped = tuple(replace(d, text=removed[d.line][d.start : d.end]) for d in report.dropped)
    return replace(report, claims=tuple(shown(claim) for claim in report.claims), dropped=dropped)


def _safe(claim: Claim, text: str) -> str:
    return claim.reason.replace(claim.text, text)


def _records(question: Question, secrets: Secrets | None) -> tuple[Corpus, list[Witness]]:
    others = question.others
    if isinstance(others, Corpus):
        corpus = others
        if any((s.transcript, s.line) not in corpus.by_place for s in question.cited):
            corpus = Corpus([*question.cited, *(w.source for w in others.witnesses)], question.zone, secrets)
    else:
        corpus = Corpus([*question.cited, *others], question.zone, secrets)
    places = dict.fromkeys((s.transcript, s.line) for s in question.cited)
    return corpus, sorted((corpus.by_place[p] for p in places), key=lambda w: w.order)


class _Check:
    """One question on its way to a report."""

    def __init__(self, question: Question, corpus: Corpus, cited: Sequence[Witness], secrets: Secrets | None) -> None:
        self.question, self.corpus, self.cited = question, corpus, Cited(cited)
        self.judge = Judge(corpus, cited)
        self.note = NoteText(question.added)
        self.removed = OldText(question.removed)
        self.old = question.old_memory or OldText(())
        self.candidates = extract(question.added, question.anchor, question.zone, secrets)
        for candidate in self.candidates:
            self.note.candidates.setdefault(candidate.line, []).append(candidate)

    def report(self) -> ClaimReport:
        """The whole answer."""
        question = self.question
        moved = self._moved()
        carried = {m.line for m in moved}
        carried |= {i for i, line in enumerate(question.added) if self.removed.origin(line) is not None}
        claims = [_secret(c) for c in self.candidates if c.kind is ClaimKind.SECRET]
        for number, line in enumerate(read_lines(question.added)):
            if line.shape is not Shape.SILENT and number not in carried:
                claims.extend(self._line(line, number))
            elif number in carried and question.everything:
                claims.extend(_old(c) for c in self.candidates if c.line == number and c.kind is not ClaimKind.SECRET)
        claims.sort(key=lambda c: (c.line, c.start, c.end))
        dropped: tuple[Dropped, ...] = ()
        if question.new_memory is not None:
            added = OldText(question.added)
            dropped = find_dropped(question.removed, added, question.new_memory, self.corpus, claims)
        return ClaimReport(tuple(claims), dropped, tuple(moved))

    def _moved(self) -> list[Moved]:
        out = []
        for number, line in enumerate(self.question.added):
            origin = self.old.origin(line)
            if origin is not None and self.removed.origin(line) is None:
                out.append(Moved(number, origin))
        return out

    def _line(self, line: Line, number: int) -> list[Claim]:
        own = [c for c in self.note.candidates.get(number, ()) if c.kind is not ClaimKind.SECRET]
        dated = any(isinstance(c.data, DateMatch) and c.data.kind == "date" and not c.data.relative for c in own)
        out: list[Claim] = []
        new = False
        for candidate in own:
            if isinstance(candidate.data, DateMatch) and candidate.data.rots:
                if not self._rotted_before(candidate):
                    out.append(_rots(candidate))
                continue
            where = self.note.setting(candidate, dated)
            if self.removed.holds(candidate, where, False) or self.old.holds(candidate, where, True):
                if self.question.everything and not candidate.weak:
                    out.append(_old(candidate))
                continue
            new = True
            exact = self._made_exact(candidate)
            judged = exact if exact is not None else self.judge.judge(candidate, where)
            if judged is not None:
                out.append(judged)
        if line.shape in (Shape.TEXT, Shape.POINTER):
            out.extend(self._words(line, number, out, new or not own))
        return out

    def _rotted_before(self, candidate: Candidate) -> bool:
        """True where the old lines have a relative word for the same time already."""
        words, mine = fold(candidate.text), candidate.fixed
        for old in self._old_dates:
            if words == fold(old.text):
                return True
            if mine is None or old.fixed is None or not old.fixed.rots:
                continue
            if mine.grain == old.fixed.grain or meets(mine, old.fixed) != "apart":
                return True
        return False

    @cached_property
    def _old_dates(self) -> list[Candidate]:
        found = extract(self.question.removed, self.question.anchor, self.question.zone)
        return [c for c in found if isinstance(c.data, DateMatch)]

    def _words(self, line: Line, number: int, decided: Sequence[Claim], new: bool) -> list[Claim]:
        """Claims of the line's words: how far they go, and whether they are near what was said."""
        text, language = self.note.lines[number].rstrip("\r\n"), self.note.language_of(number)
        known = [
            *self.removed.pieces_about(self.note.words(number), language),
            *self.old.pieces_about(self.note.words(number), language),
        ]
        out = _not_doubled(
            decided,
            judge_modality(self.note, number, line.body, self.corpus, self.cited, known, self.removed.corpus.witnesses),
        )
        if not self.question.wording:
            return out
        body = text[line.body :]
        old = max(self.removed.coverage(body, language), self.old.coverage(body, language)) >= _OLD_ENOUGH
        if new and not (old and (self.question.removed or self.question.old_memory)):
            wording = judge_wording(self.note, number, line.body, self.corpus, self.cited, [*decided, *out])
            if wording is not None:
                out.append(wording)
        return out

    def _made_exact(self, candidate: Candidate) -> Claim | None:
        """The old line's own "yesterday", made the exact day by the note's own date."""
        question = self.question
        if question.anchor is None or not isinstance(candidate.data, DateMatch) or candidate.data.relative:
            return None
        for old in self._old_dates:
            if not isinstance(old.data, DateMatch) or not old.data.relative or old.data.kind != "date":
                continue
            how = relation(candidate.data, old.data)
            if how in (None, Relation.FINER):
                continue
            exact = len(old.data.readings) == 1 and not old.data.fuzzy and candidate.data.grain == old.data.grain
            reason = f"It is the old line's “{old.text}”, counted from the note's own date."
            weight = Weight.NOTE if exact else Weight.WARNING
            return _plain(candidate, Verdict.DERIVED, weight, Rule.OWN_RELATIVE, reason)
        return None


def _not_doubled(decided: Sequence[Claim], more: Sequence[Claim]) -> list[Claim]:
    """A clause that is contradicted already needs no second claim over the same characters."""

    def told(claim: Claim) -> bool:
        inside = [d for d in decided if d.start >= claim.start and d.end <= claim.end]
        return bool(inside) if claim.rule is Rule.DOUBT else any(d.flagged for d in inside)

    whole = (Rule.NEGATION_DROPPED, Rule.LIMIT_DROPPED, Rule.DOUBT, Rule.REFUSED)
    return [m for m in more if not (m.flagged and m.rule in whole and told(m))]


def _plain(candidate: Candidate, verdict: Verdict, weight: Weight, rule: Rule, reason: str) -> Claim:
    c = candidate
    return Claim(c.line, c.start, c.end, c.text, c.kind, c.value, verdict, weight, rule, reason)


def _secret(candidate: Candidate) -> Claim:
    reason = "A key, token or password does not belong into a memory that every session reads."
    return _plain(candidate, Verdict.UNSUPPORTED, Weight.ERROR, Rule.SECRET, reason)


def _old(candidate: Candidate) -> Claim:
    return _plain(candidate, Verdict.SUPPORTED, Weight.OK, Rule.OLD, "The old memory claimed it already.")


def _rots(candidate: Candidate) -> Claim:
    reason = f"“{candidate.text}” is wrong as soon as the day is over: write the date."
    return _plain(candidate, Verdict.UNSUPPORTED, Weight.WARNING, Rule.DATE_ROTS, reason)
