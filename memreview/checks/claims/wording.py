"""What remains of a line when its values are taken out: are its words anywhere near what was said?

Coverage only. A paraphrase shares few words with its source, so silence is the rule; a line is flagged where the cited
records share next to nothing with it, above all where another record has nearly all of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memreview.checks.claims.answers import clip, place
from memreview.checks.claims.corpus import Cited, Corpus
from memreview.checks.claims.folding import fold
from memreview.checks.claims.language import content_words
from memreview.checks.claims.records import Witness
from memreview.checks.claims.rules import Rule
from memreview.checks.claims.setting import NoteText
from memreview.model.claim import Claim, ClaimKind, Evidence, Verdict, Weight

_LOOSE = (ClaimKind.NAME, ClaimKind.MODALITY)
_LOW, _HIGH, _GAP, _FEW = 0.5, 0.4, 0.15, 3
_HARDLY, _SOME, _LONG = 0.15, 0.3, 6


def judge_wording(
    note: NoteText, line: int, body: int, corpus: Corpus, cited: Cited, decided: Sequence[Claim]
) -> Claim | None:
    """The wording claim of one line, or None where nothing is to be said of it."""
    text = note.lines[line].rstrip()
    start = body + len(text[body:]) - len(text[body:].lstrip())
    words = content_words(text[start:], note.language_of(line))
    if len(text) <= start or not words:
        return None
    fields = (line, start, len(text), text[start:], ClaimKind.WORDING, fold(text[start:]))
    if not corpus.witnesses:
        if decided:
            return None
        reason = "There is no record that could be checked."
        return Claim(*fields, Verdict.UNVERIFIABLE, Weight.WARNING, Rule.NO_RECORDS, reason)
    if len(words) < _FEW:
        return None
    language = note.language_of(line)
    usable = cited.usable
    weights = corpus.weights(words, language)
    have = _coverage(words, corpus, corpus.among(usable, words, language), weights, language)
    best, most = None, 0.0
    for witness in corpus.about(words, language):
        if witness.rank > 1 and witness.place not in cited.places:
            cover = _coverage(words, corpus, [witness], weights, language)
            if cover > most:
                best, most = witness, cover
    told = any(
        c.verdict is Verdict.SUPPORTED
        and not c.flagged
        and c.kind not in _LOOSE
        and c.rule != Rule.NO_CONTEXT
        and c.evidence
        for c in decided
    )
    if best is not None and _spoken_there(have, most, len(words), told=told) and not _same_place(decided, best):
        reason = f"The cited lines speak of something else; {place(best)} has these words."
        shown = (Evidence(best.source.transcript, best.source.line, clip(best.shown)),)
        return Claim(*fields, Verdict.ELSEWHERE, Weight.WARNING, Rule.WORDS_ELSEWHERE, reason, best.speaker, shown)
    if cited.rows and not usable and not any(c.flagged for c in decided):
        reason = "The cited records repeat the memory itself, or are nobody's words."
        return Claim(*fields, Verdict.UNSUPPORTED, Weight.WARNING, Rule.NO_EVIDENCE, reason)
    if any(c.flagged for c in decided) or any(c.verdict is Verdict.SUPPORTED and c.evidence for c in decided):
        return None
    if have == 0 and cited.speaks_other_than(language):
        return None
    if cited.models_only and have > _LOW:
        heard = max(usable, key=lambda w: len(corpus.shared(w, words, language)))
        shown = (Evidence(heard.source.transcript, heard.source.line, clip(heard.shown)),)
        reason = "Only the assistant says so; no word of the user and no tool result confirms it."
        return Claim(*fields, Verdict.SUPPORTED, Weight.WARNING, Rule.ASSISTANT_ONLY, reason, heard.speaker, shown)
    if have == 0 and len(words) > _FEW:
        return Claim(
            *fields, Verdict.UNSUPPORTED, Weight.WARNING, Rule.NO_WORDS, "The cited lines share no word with it."
        )
    return None


def _spoken_there(have: float, most: float, words: int, *, told: bool) -> bool:
    """Another record has clearly more of the line than all that is cited.

    Where the cited records have hardly anything of a long line, less of it elsewhere is enough, and a value that they
    happen to hold as well does not speak for them.
    """
    if have <= _HARDLY and words >= _LONG:
        return most >= (_HIGH if told else _SOME)
    return not told and have <= _LOW and most >= _HIGH and most - have >= _GAP


def _same_place(decided: Sequence[Claim], best: Witness) -> bool:
    """True where a value of the line points to that record already."""
    return any(c.flagged and any((e.transcript, e.line) == best.place for e in c.evidence) for c in decided)


def _coverage(
    words: frozenset[str], corpus: Corpus, among: Sequence[Witness], weights: Mapping[str, float], language: str
) -> float:
    """The weighted share of the words that the records have together."""
    said: set[str] = set()
    for witness in among:
        said |= corpus.shared(witness, words, language)
    total = sum(weights.values())
    return sum(weights[word] for word in said) / total if total else 0.0
