"""The nightly check: what to do with each line of a note. Pure: all that is known is handed in, nothing is read.

A line is kept where the words that it rests on still stand in their transcript, or where the transcript is gone and
the evidence kept of it backs the line. That nobody can look is never taken for "gone".
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from memreview.checks.claims import cues
from memreview.checks.claims.folding import fold
from memreview.checks.claims.markdown import Shape, read_lines
from memreview.checks.claims.rules import Rule
from memreview.checks.claims.scan import EXTENSIONS
from memreview.model.advice import Advice, Advised, KeptLine, Quoted, Sight
from memreview.model.claim import Claim, ClaimKind, Verdict, Weight
from memreview.model.kept import KeptRecord
from memreview.model.transcript import Speaker
from memreview.text import clip, mask_secrets, visible

SIMILAR: Final = 0.72
"""How like a verified line another one must be to count as that line, changed."""
_WORDS: Final = 72
_FOUND: Final = frozenset({Verdict.SUPPORTED, Verdict.DERIVED, Verdict.ELSEWHERE})
_VALUES: Final = frozenset(
    {ClaimKind.NUMBER, ClaimKind.DATE, ClaimKind.TIME, ClaimKind.VERSION, ClaimKind.HOST, ClaimKind.QUOTE}
)
"""What a note must have from its evidence. Paths, commands and the like may explain it, unless it names others."""
_SOFT: Final = frozenset({ClaimKind.WORDING, ClaimKind.NAME, ClaimKind.MODALITY})
"""What a note may put in words of its own."""
_OTHER: Final = frozenset({Rule.OTHER_VALUE, Rule.OTHER_NAME, Rule.SLOT})
_SHORT_NAME: Final = 3
"""A name of so few letters has its place in a sentence by chance too often for another one there to replace it."""
_UNDER_HEAD: Final = re.compile(r"[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?)?[ \t]*")
"""The line below the head of a table."""
_BELOW: Final = re.compile(r"\s*(?:```|~~~|[-*+•][ \t]|\d{1,3}[.)][ \t]|\|)")
"""How lists, code and tables begin."""
_VALUE: Final = re.compile(r"[\d`/]|\w\.\w")
_AT_LINE: Final = re.compile(
    rf"(?<![\w:/.-])((?:[\w@+-][\w.@+-]*/)*[\w.@+-]+\.(?:{EXTENSIONS}))(:\d+(?:[-:]\d+)*|#L\d+(?:-L?\d+)?)(?!\w)"
)
"""A line of a file: it moves with every edit."""
_PATTERN: Final = re.compile(r"(?:\*\*/)?\*+|\?|<[^<>/]*>|\$?\{[^{}/]*\}|\$\w+")
"""The open places of a glob or a template."""
_PATHS: Final = frozenset({ClaimKind.PATH, ClaimKind.IDENTIFIER})
_BYGONE: Final = cues.words(
    r"formerly|previously|used to(?: \w+){0,3}|until (?:then|recently)|früher|vorher|zuvor|ehemals|bis dahin|"
    r"anciennement|auparavant|antes|anteriormente",
    wide="以前|旧|かつて|原来|曾",
)
"""Words that give a value as one of the past."""
_CLAUSE: Final = 48
"""Characters before a value in which a denial of it stands: "no longer on 8080"."""


class CheckRule(StrEnum):
    """Why a line got its advice."""

    QUOTE_STANDS = "quote-stands"
    EVIDENCE_STANDS = "evidence-stands"
    EVIDENCE_KEPT = "evidence-kept"
    SAID = "said"
    NO_EVIDENCE = "no-evidence"
    NOT_CITED = "not-cited"
    QUOTE_NOT_FOUND = "quote-not-found"
    QUOTE_ELSEWHERE = "quote-elsewhere"
    CANNOT_LOOK = "cannot-look"
    GONE = "gone"
    CHANGED = "changed"
    ASSISTANT_ONLY = "assistant-only"
    CONTRADICTED = "contradicted"
    MORE_THAN_SAID = "more-than-said"
    DRIFTED = "drifted"
    UNREAD = "unread"
    VERIFIED = "verified"


@dataclass(frozen=True, slots=True)
class NoteText:
    """A note: its path, its lines as text without line ends, and how many of them its frontmatter takes."""

    path: str
    lines: Sequence[str]
    head: int = 0


@dataclass(frozen=True, slots=True)
class NoteEvidence:
    """What is known to back a note: ``kept`` by line (1-based), ``left`` kept lines that no longer stand in it, and
    the ``quotes`` that it gives itself."""

    kept: Mapping[int, KeptLine] = field(default_factory=dict)
    left: Sequence[str] = ()
    quotes: Sequence[Quoted] = ()
    quote_records: Sequence[KeptRecord] = ()
    """Kept records that hold the quotes."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the records say now: the claims of each line (1-based) as the claim check judges them, and what the
    repository says against a line."""

    claims: Mapping[int, Sequence[Claim]] = field(default_factory=dict)
    drifted: Mapping[int, str] = field(default_factory=dict)


def lines_to_check(note: NoteText) -> Iterator[tuple[int, str]]:
    """The lines of a note that state something: no frontmatter, headings, pointers, fences, rules and blanks, no heads
    of tables, and no words that only announce the list, the code or the table below them."""
    lines = read_lines(note.lines)
    for number, line in enumerate(lines, 1):
        if number <= note.head or line.shape not in (Shape.TEXT, Shape.CODE) or not line.text.strip():
            continue
        below = next((one for one in lines[number:] if one.text.strip()), None)
        if line.shape is Shape.TEXT and below is not None and _announces(line.text, below.text):
            continue
        if "|" in line.text and number < len(lines) and _UNDER_HEAD.fullmatch(lines[number].text):
            continue
        yield number, line.text


def _announces(text: str, below: str) -> bool:
    """True for a line such as "Run it with:" above what it speaks of, if it names no value itself."""
    return text.rstrip(" *_").endswith((":", "：")) and _BELOW.match(below) is not None and not _VALUE.search(text)


def without_places(line: str) -> str:
    """The line with blanks where it says in which line of a file something stands: ``load.py:45`` is ``load.py``."""
    return _AT_LINE.sub(lambda match: match.group(1) + " " * len(match.group(2)), line)


def objection(one: Advised) -> str:
    """What is said against a line, as it is kept where a person answers it."""
    return f"{one.rule}: {one.reason}"


def answered(one: Advised, answers: Mapping[str, str]) -> Advised:
    """The advice on a line of which a person has looked at objections: ``answers`` say when, by :func:`objection`.

    Only the very same objection is answered: where something else speaks against the line, it is to be reviewed.
    """
    when = answers.get(mask_secrets(objection(one))) if one.advice is Advice.REVIEW else None
    if when is None:
        return one
    return verified(one, when)


def verified(one: Advised, when: str) -> Advised:
    """The advice on a line whose objection a person has answered, at ``when`` (ISO 8601, UTC)."""
    said = f"Verified by hand on {when[:10]}. {one.reason}"
    return replace(one, advice=Advice.KEEP, rule=CheckRule.VERIFIED, reason=said)


def check_note(note: NoteText, evidence: NoteEvidence, found: Found) -> tuple[Advised, ...]:
    """The advice on each line of a note that states something, in order."""
    return tuple(_advise(note, number, text, evidence, found) for number, text in lines_to_check(note))


def _advise(note: NoteText, number: int, text: str, evidence: NoteEvidence, found: Found) -> Advised:
    claims = [_as_named(claim) for claim in found.claims.get(number, ())]
    kept = evidence.kept.get(number)
    if evidence.quotes:
        answer = _by_quotes(evidence)
    elif kept is not None and kept.change.cited:
        answer = _by_kept(kept)
    else:
        answer = _without(text, kept, evidence, claims)
    if answer.advice is Advice.KEEP:
        answer = _spoken_against(text, claims, kept, quoted=bool(evidence.quotes)) or answer
    drifted = found.drifted.get(number)
    if answer.advice is Advice.KEEP and drifted is not None:
        answer = _review(CheckRule.DRIFTED, drifted, *answer.places)
    return Advised(note.path, number, answer.advice, answer.rule, answer.reason, answer.places)


@dataclass(frozen=True, slots=True)
class _Answer:
    advice: Advice
    rule: CheckRule
    reason: str
    places: tuple[str, ...] = ()


def _keep(rule: CheckRule, reason: str, *places: str) -> _Answer:
    return _Answer(Advice.KEEP, rule, reason, places)


def _review(rule: CheckRule, reason: str, *places: str) -> _Answer:
    return _Answer(Advice.REVIEW, rule, reason, places)


def _by_quotes(evidence: NoteEvidence) -> _Answer:
    """The note names its own evidence: every quote must hold."""
    answers = [_by_quote(quote, evidence.quote_records) for quote in evidence.quotes]
    return next((answer for answer in answers if answer.advice is not Advice.KEEP), answers[0])


def _by_quote(quote: Quoted, kept: Sequence[KeptRecord]) -> _Answer:
    place = quote.place or quote.session
    if quote.sight is Sight.STANDS:
        if quote.speaker is Speaker.ASSISTANT:
            return _review(CheckRule.ASSISTANT_ONLY, f"Only the assistant said so ({place}).", place)
        return _keep(CheckRule.QUOTE_STANDS, f"Its quote stands in {place}.", place)
    if quote.sight is Sight.ELSEWHERE:
        said = f"Its quote is not in the session that it names, but in {place}."
        return _review(CheckRule.QUOTE_ELSEWHERE, said, place)
    if quote.sight is Sight.ABSENT:
        return _review(CheckRule.QUOTE_NOT_FOUND, f"Its quote is not in {quote.session}.")
    backed = [record for record in kept if fold(quote.words) in fold(record.text)]
    if backed:
        if all(record.speaker is Speaker.ASSISTANT for record in backed):
            return _review(CheckRule.ASSISTANT_ONLY, f"Only the assistant said so ({backed[0].at}).", backed[0].at)
        return _keep(
            CheckRule.EVIDENCE_KEPT, f"{_missing(quote.sight)}; the evidence kept of it backs this.", backed[0].at
        )
    if quote.sight is Sight.GONE:
        said = f"The transcript of session {quote.session} is gone, and nothing of it was kept."
        return _review(CheckRule.GONE, said)
    if quote.sight is Sight.DAMAGED:
        said = f"Its quote is not in what can be read of {quote.session}, which is damaged."
        return _review(CheckRule.CANNOT_LOOK, said)
    return _review(CheckRule.CANNOT_LOOK, f"{quote.session} cannot be looked at now, and nothing of it was kept.")


def _missing(sight: Sight) -> str:
    return {
        Sight.GONE: "Its transcript is gone",
        Sight.DAMAGED: "Its transcript is damaged",
    }.get(sight, "Its transcript cannot be looked at now")


def _by_kept(kept: KeptLine) -> _Answer:
    """A line that was accepted, or kept, on records."""
    places = kept.change.cited
    sights = [kept.sights.get(at, Sight.UNSEEN) for at in places]
    if kept.records and all(record.speaker is Speaker.ASSISTANT for record in kept.records):
        return _review(CheckRule.ASSISTANT_ONLY, f"Only the assistant said so ({places[0]}).", *places)
    standing = [at for at, sight in zip(places, sights, strict=True) if sight is Sight.STANDS]
    if standing:
        return _keep(CheckRule.EVIDENCE_STANDS, f"Its evidence stands in {standing[0]}.", *standing)
    if not kept.records:
        return _review(CheckRule.NO_EVIDENCE, "The records that it was accepted on were forgotten.", *places)
    if any(sight in (Sight.ABSENT, Sight.ELSEWHERE) for sight in sights):
        said = f"{places[0]} does not hold the record any more that this was accepted on."
        return _review(CheckRule.QUOTE_NOT_FOUND, said, *places)
    said = f"{_missing(sights[0])}; the evidence kept of it backs this."
    return _keep(CheckRule.EVIDENCE_KEPT, said, *places)


def _without(text: str, kept: KeptLine | None, evidence: NoteEvidence, claims: Sequence[Claim]) -> _Answer:
    """A line of which nothing was kept: was it another when it was verified, and does anybody say so?"""
    before = _was(text, evidence.left) if kept is None else None
    if before is not None:
        said = f"Changed since it was verified; it was: {clip(visible(before.strip()), _WORDS)}"
        return _review(CheckRule.CHANGED, said)
    against = _spoken_against(text, claims, kept, quoted=False)
    if against is not None:
        return against
    # Of a day that is told from another one the audit speaks.
    claims = [claim for claim in claims if claim.rule != Rule.DATE_ROTS or claim.verdict in _FOUND] or claims
    claims = [claim for claim in claims if claim.verdict in _FOUND or not _stands_apart(text, claim)] or claims
    checked = [claim for claim in claims if claim.kind is not ClaimKind.WORDING] or list(claims)
    places = tuple(dict.fromkeys(_place(claim) for claim in checked if claim.evidence))
    if checked and places and all(claim.verdict in _FOUND for claim in checked):
        if all(claim.speaker is Speaker.ASSISTANT for claim in checked if claim.evidence):
            return _review(CheckRule.ASSISTANT_ONLY, f"Only the assistant said so ({places[0]}).", *places)
        return _keep(CheckRule.SAID, f"No evidence was kept of it; {places[0]} says so.", *places)
    lacking = next((claim for claim in checked if claim.verdict not in _FOUND), None)
    if kept is not None:
        return _review(CheckRule.NOT_CITED, "It was accepted without a citation that leads anywhere.")
    if lacking is not None and lacking.kind is not ClaimKind.WORDING:
        words = clip(visible(lacking.text), _WORDS // 2)
        # Only what may bear on a note is read for it: where this is nothing, records may still be there.
        unread = "no record that can be read contains it."
        reason = unread if lacking.rule == Rule.NO_RECORDS else lacking.reason
        return _review(CheckRule.NO_EVIDENCE, f"No evidence of “{words}”: {reason}")
    return _review(CheckRule.NO_EVIDENCE, "No evidence: no record that can be read says so.")


def _was(text: str, left: Sequence[str]) -> str | None:
    """The verified line that this one was, None where none is like it."""
    words = fold(text)
    best, most = None, SIMILAR
    for line in left:
        matcher = difflib.SequenceMatcher(None, fold(line), words, autojunk=False)
        if matcher.real_quick_ratio() >= most and matcher.quick_ratio() >= most:
            ratio = matcher.ratio()
            if ratio >= most:
                best, most = line, ratio
    return best


def _spoken_against(text: str, claims: Sequence[Claim], kept: KeptLine | None, *, quoted: bool) -> _Answer | None:
    """What speaks against a line that has evidence: a later record, or for a note's own words their record."""
    despite = kept.change.despite if kept is not None else ()
    for claim in claims:
        if _stands_apart(text, claim):
            continue
        if claim.kind is ClaimKind.NAME and claim.rule == Rule.LATER and len(claim.text) <= _SHORT_NAME:
            continue
        known = any(clip(visible(claim.text), _WORDS // 2) in words for words in despite)
        if known or claim.rule == Rule.DATE_ROTS or claim.kind is ClaimKind.SECRET:
            continue
        if claim.verdict is Verdict.CONTRADICTED:
            at = _place(claim)
            where = f" ({at})" if at and at not in claim.reason else ""
            return _review(CheckRule.CONTRADICTED, f"{claim.reason.rstrip('.')}{where}.", *((at,) if at else ()))
        more = claim.verdict is Verdict.UNSUPPORTED and claim.weight is Weight.ERROR and claim.kind not in _SOFT
        if quoted and more and (claim.kind in _VALUES or claim.nearest is not None) and not _denied(text, claim.start):
            words = clip(visible(claim.text), _WORDS // 2)
            return _review(
                CheckRule.MORE_THAN_SAID, f"The record of its quote does not say “{words}”, nor does another."
            )
    return None


def _stands_apart(text: str, claim: Claim) -> bool:
    """True for a value that the line does not give as one that holds now, or that a record need not hold as it stands:
    one that is denied or past, a pattern for paths."""
    if claim.rule in _OTHER and _denied(text, claim.start):
        return True
    if claim.rule in (*_OTHER, Rule.LATER) and _BYGONE.search(_clause(text, claim.start)):
        return True
    return claim.kind in _PATHS and _PATTERN.search(claim.text) is not None


def _as_named(claim: Claim) -> Claim:
    """A claim that counts as found where it is a pattern for the file that a record names."""
    if claim.kind not in _PATHS or claim.verdict in _FOUND or claim.nearest is None or not claim.evidence:
        return claim
    parts = map(re.escape, _PATTERN.split(claim.text.casefold()))
    fits = re.fullmatch(r"(?:\S*/)?" + r"\S*".join(parts), claim.nearest.casefold())
    return replace(claim, verdict=Verdict.ELSEWHERE, weight=Weight.NOTE) if fits else claim


def _denied(text: str, start: int) -> bool:
    """True for a value that its own clause denies."""
    return cues.NEGATION.search(_clause(text, start)) is not None


def _clause(text: str, start: int) -> str:
    """What stands before a place in its clause."""
    return re.split(r"[.;:!?]\s|, (?!n)", text[max(0, start - _CLAUSE) : start].lower())[-1]


def _place(claim: Claim) -> str:
    return f"{claim.evidence[0].transcript}:{claim.evidence[0].line}" if claim.evidence else ""
