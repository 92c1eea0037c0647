"""Never, always, only, all, must, for now: how far a statement goes.

An operator is judged against the clauses of the cited records that speak of the same thing. Nothing is said where no
clause does. Whether a statement was turned into its opposite is asked in :mod:`polarity`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from memreview.checks.claims import cues
from memreview.checks.claims.aligned import Aligned, NoteClause, align, clauses_of, modal_claim
from memreview.checks.claims.corpus import Cited, Corpus
from memreview.checks.claims.cues import words
from memreview.checks.claims.folding import fold
from memreview.checks.claims.language import content_words
from memreview.checks.claims.pieces import Piece, tells_doubt
from memreview.checks.claims.polarity import turned
from memreview.checks.claims.records import Witness
from memreview.checks.claims.rules import Rule
from memreview.checks.claims.setting import STATES, NoteText
from memreview.model.claim import Claim, Verdict, Weight
from memreview.model.transcript import Speaker

_NEVER = (
    r"never|under no circumstances|forbidden|prohibited|banned|off limits|nie(?:mals)?|verboten|untersagt|"
    r"auf keinen fall|jamais|interdite?s?|nunca|jamás|prohibid[oa]s?"
)
_NEVER_WIDE = r"絶対に(?=.*(?:ない|ません|禁))|禁止|从不|永远不|绝不|严禁"
_ALWAYS = (
    r"always|at all times|every time|without exception|immer|stets|jedes mal|ausnahmslos|toujours|à chaque fois|"
    r"siempre|cada vez"
)
_ALWAYS_WIDE = r"常に|必ず|いつも|总是|始终|一直|每次"
_ONLY = (
    r"only|solely|exclusively|nothing but|nur|ausschließlich|lediglich|seulement|uniquement|exclusivement|sólo|solo|"
    r"solamente|únicamente|exclusivamente"
)
_ONLY_WIDE = r"だけ|のみ|しか|只(?!是)|仅|唯一"
_MUST = (
    r"must|has to|have to|(?:is|are|be|was|were|it is) (?:strictly )?required|mandatory|obligatory|compulsory|muss|"
    r"müssen|zwingend|pflicht|verpflichtend|obligatorisch|doit|doivent|obligatoires?|debe(?:n)?|obligatori[oa]s?|"
    r"tiene que|tienen que"
)
_MUST_WIDE = r"必須|しなければならない|なければならない|必须|务必"
_PERMANENT = (
    r"permanent(?:ly)?|forever|for good|indefinitely|once and for all|dauerhaft|endgültig|für immer|définitivement|"
    r"pour toujours|permanentemente|definitivamente|para siempre"
)
_PERMANENT_WIDE = r"永久|恒久|永远(?!不)"
_ALL = (
    r"(?<!at )(?<!after )(?<!above )all(?!-)(?! right| the more| but)|every|each|everything|everyone|everybody|"
    r"alle[nrsm]?|jede[rsnm]?|sämtliche[nr]?|tous|toutes|tout le monde|chaque|todos|todas|cada"
)
_ALL_WIDE = r"すべて|全て|全員|全部|所有|每个"

_OPERATORS = {
    "never": words(_NEVER, wide=_NEVER_WIDE),
    "always": words(_ALWAYS, wide=_ALWAYS_WIDE),
    "only": words(_ONLY, wide=_ONLY_WIDE),
    "must": words(_MUST, wide=_MUST_WIDE),
    "permanent": words(_PERMANENT, wide=_PERMANENT_WIDE),
    "all": words(_ALL, wide=_ALL_WIDE),
}
_ENOUGH = {
    "never": words(
        _NEVER,
        r"don'?t|do not|must ?n[o']t|not allowed|no|not|nobody|nicht|kein\w*|niemand|pas|ne|no more|stop|without|"
        r"avoid|off|only",
        wide=rf"{_NEVER_WIDE}|别|不(?:要|准|许|能|可)|ないで|ません|ない|禁|だめ|ダメ",
    ),
    "always": words(
        _ALWAYS,
        _ALL,
        _MUST,
        _NEVER,
        r"any|rule|consistently|daily|hourly|nightly|weekly|whenever|when|if|wenn|sobald|quand|lorsque|cuando|regel|"
        r"règle|regla|no exceptions?",
        wide=rf"{_ALWAYS_WIDE}|{_ALL_WIDE}|{_MUST_WIDE}|毎",
    ),
    "only": words(
        _ONLY,
        r"just|sole|single|nobody else|no one else|nobody but|no one but|nothing else|no other|except|but|alone|"
        r"without|unless|one|nicht ohne|allein|"
        r"sonst (?:niemand|nichts)|kein andere\w*|niemand außer|außer|einzig\w*|personne d'autre|seule?|ne|sauf|"
        r"nadie más|excepto|salvo|únic[oa]|rest|limited|restricted",
        wide=rf"{_ONLY_WIDE}|以外|除了",
    ),
    "must": words(
        _MUST,
        _ALWAYS,
        _NEVER,
        r"need(?:s|ed)?(?: to)?|hard rule|rule|don'?t|do not|not|only|make sure|ensure|brauch\w*|nicht|kein\w*|nie|"
        r"immer|supposed to|no exceptions?|"
        r"il faut|faut|hay que|necesit\w+|dürfen|darf|never|requires?|demand\w*|wants?|insist\w*|shall|ought to|"
        r"remember to|sicherstellen",
        wide=rf"{_MUST_WIDE}|{_ALWAYS_WIDE}|必要|需要|要|してください|こと",
    ),
    "permanent": words(
        _PERMANENT,
        r"never again|nie wieder|for ever|gone|retired|removed|no longer|nicht mehr",
        _NEVER,
        wide=_PERMANENT_WIDE,
    ),
}
_WEAK = words(
    r"nice (?:if|to)|should|could|may|might|can|prefer(?:s|red|ence)?|usually|mostly|often|sometimes|"
    r"optional(?:ly)?|if possible|ideally|"
    r"would|available|normally|generally|tend(?:s)? to|occasionally|try to|recommend\w*|voluntary|rarely|seldom|"
    r"encouraged|"
    r"sollte\w*|könnte\w*|kann|können|darf|dürfen|meist(?:ens)?|oft|manchmal|bevorzug\w*|lieber|idealerweise|"
    r"freiwillig|optional|selten|empfohlen|nach möglichkeit|"
    r"devrai\w*|peut|peuvent|parfois|souvent|facultati\w+|optionnel\w*|si possible|rarement|debería\w*|puede\w*|"
    r"a veces|opcional\w*|a menudo|casi|preferible\w*|rara vez",
    wide=r"たまに|時々|できれば|任意|推奨|ことがある|多い|可以|有时|偶尔|最好|尽量|建议|通常|可选",
)
_PARTIAL = re.compile(
    r"\b([1-9]\d*)\s+(?:tests?\s+|checks?\s+)?(?:failed|failures?|failing|errors?|skipped|fehlgeschlagen|en échec|"
    r"fallid[oa]s)\b|"
    r"\b(?:except|apart from|other than|but not|all but|most|most of|some of|some|many|a few|several|half of|"
    r"half the|almost all|nearly all|only some|"
    r"außer|bis auf|die meisten|einige|manche|fast alle|sauf|la plupart|certains|certaines|quelques|presque tous|"
    r"excepto|menos|la mayoría|algunos|algunas|casi todos)\b"
    r"|除了|大部分|一部|ほとんど|多くの|部分|有些|一些",
    re.IGNORECASE,
)
_REPEATED = re.compile(
    r"(?:every|each|jede\w*|alle|chaque|cada|tous les|toutes les|todos los|todas las)\s+(?:\d+|one|two|three|four|"
    r"second|third|other|few|second|working|week\w*|"
    r"days?|weeks?|months?|quarters?|years?|hours?|minutes?|seconds?|night|nights?|morning|evening|mon\w*day|"
    r"tues\w*|wed\w*|thurs\w*|fri\w*|satur\w*|sun\w*|spring|summer|autumn|winter|"
    r"zwei|drei|vier|tage?|wochen?|monate?|jahre?|stunden?|nacht|morgen|abend|\w+tag|jours?|semaines?|mois|ans?|"
    r"heures?|nuits?|lundis?|mardis?|días?|semanas?|mes(?:es)?|años?|horas?|noches?|lunes|martes|viernes)\b",
    re.IGNORECASE,
)
_BOUNDED = re.compile(
    r"\b(?:until|till|bis|jusqu|hasta|while|as long as|solange|during|während|through|before)\b|"
    r"\d{4}-\d\d|まで|直到|之前",
    re.IGNORECASE,
)
_NOT_LIMITS = ("currently", "derzeit", "zurzeit")


def judge_modality(
    note: NoteText,
    line: int,
    body: int,
    corpus: Corpus,
    cited: Cited,
    known: Sequence[Piece] = (),
    removed: Sequence[Witness] = (),
) -> list[Claim]:
    """Claims of kind modality of one added line that the records do not bear out, and those that they do.

    ``known`` are clauses of the old memory; what they say just so is not new. ``removed`` are the old lines: what goes
    further than they did needs a record that goes as far.
    """
    out: list[Claim] = []
    for clause in clauses_of(note, line, body) if cited.usable else ():
        if _known(clause, known):
            continue
        aligned = align(clause, corpus.among(cited.asserting, clause.words, clause.language, 10))
        if not any(a.fits(clause) for a in aligned):
            no = next((a for a in align(clause, cited.refused) if a.fits(clause)), None)
            if no is not None:
                out.append(_refused(clause, no))
                continue
            unsaid = _unsaid(clause, [a for a in align(clause, removed) if a.fits(clause, 4)])
            if unsaid is not None:
                out.append(unsaid)
                continue
        if not aligned:
            continue
        further = list(_operators(clause, aligned))
        out.extend(further)
        opposite = turned(clause, aligned) or _doubted(clause, aligned)
        if opposite is not None and not any(c.flagged and c.start >= opposite.start for c in further):
            out.append(opposite)
        elif (limit := _limit(clause, note.lines[line], aligned)) is not None:
            out.append(limit)
    return out


def operators_in(text: str) -> frozenset[str]:
    """Names of the operators in a folded text."""
    return frozenset(name for name, pattern in _OPERATORS.items() if pattern.search(text))


def _known(clause: NoteClause, old: Sequence[Piece]) -> bool:
    """True where the old text says the clause just so, with the same operators."""
    mine = fold(clause.text)
    operators, negated = operators_in(mine), bool(cues.NEGATION.search(mine))
    for other in old:
        theirs = other.words(clause.language)
        if clause.words and len(clause.words & theirs) * 5 >= len(clause.words) * 4:
            said = other.sentence.low
            if operators <= operators_in(said) and negated == bool(cues.NEGATION.search(fold(other.text))):
                return True
    return False


def _doubted(clause: NoteClause, aligned: Sequence[Aligned]) -> Claim | None:
    """What was only asked, planned or guessed is told as if it were so."""
    strong = [a for a in aligned if a.fits(clause)]
    inside = clause.piece.sentence
    if (
        not strong
        or tells_doubt(f"{inside.scope} {inside.text}")
        or len(content_words(clause.text, clause.language)) < 2
    ):
        return None
    if any(not _is_doubt(a) for a in strong) or _instructs(clause, strong[0]):
        return None
    a = strong[0]
    reason = f"{a.place} only asks, plans or guesses it: “{a.said}”."
    return modal_claim(clause, (0, len(clause.text)), Verdict.UNSUPPORTED, Weight.ERROR, Rule.DOUBT, reason, a)


def _refused(clause: NoteClause, a: Aligned) -> Claim:
    reason = f"The user said no to this (after {a.place}): “{a.said}”."
    return modal_claim(clause, (0, len(clause.text)), Verdict.CONTRADICTED, Weight.ERROR, Rule.REFUSED, reason, a)


def _is_doubt(a: Aligned) -> bool:
    return bool(a.piece.sentence.doubt(a.witness.speaker)) and not a.witness.confirmed


def _instructs(clause: NoteClause, a: Aligned) -> bool:
    """The note gives the user's intention as an instruction, or tells it as the user's."""
    if a.piece.sentence.question or a.piece.sentence.guess or a.witness.speaker is not Speaker.USER:
        return False
    return not STATES.search(clause.piece.sentence.text) or bool(cues.DECISION.search(a.sentence))


def _unsaid(clause: NoteClause, old: Sequence[Aligned]) -> Claim | None:
    """The old line says it otherwise, and no record speaks of it."""
    if not old:
        return None
    opposite = turned(clause, old)
    if opposite is not None:
        reason = f"The old line says otherwise (“{old[0].said}”), and no cited record speaks of it."
        return replace(
            opposite, verdict=Verdict.UNSUPPORTED, rule=Rule.UNSAID, reason=reason, evidence=(), speaker=None
        )
    for name, pattern in _OPERATORS.items():
        match = pattern.search(clause.text)
        if match and name != "all" and not any(pattern.search(a.sentence) for a in old):
            reason = f"The old line does not say “{match.group().lower()}”, and no cited record does."
            claim = modal_claim(clause, match.span(), Verdict.UNSUPPORTED, Weight.ERROR, Rule.UNSAID, reason, old[0])
            return replace(claim, evidence=(), speaker=None)
    return None


def _operators(clause: NoteClause, aligned: Sequence[Aligned]) -> Iterator[Claim]:
    for name, pattern in _OPERATORS.items():
        for match in pattern.finditer(clause.text):
            after = clause.text[match.end() :]
            if name == "must" and cues.NEGATION.match(fold(after[:8])):
                continue
            if name == "all" and _REPEATED.match(clause.text, match.start()):
                continue
            if _hedged(clause.text[: match.end()].lower(), name):
                continue
            if name in ("only", "all") and re.match(r"\s*(?:\d|one\b|two\b|three\b)", after) and name == "only":
                continue
            yield _one_operator(clause, name, match.span(), aligned)
            break


def _one_operator(clause: NoteClause, name: str, span: tuple[int, int], aligned: Sequence[Aligned]) -> Claim:
    word = clause.text[slice(*span)]
    best = aligned[0]
    texts = [a.sentence for a in aligned]
    fits = True
    if name == "all":
        partial = next(
            (
                a
                for a in aligned
                if (a.fits(clause, 2) or a.witness.speaker is Speaker.TOOL) and _PARTIAL.search(_to_end_of_line(a))
            ),
            None,
        )
        whole = any(_OPERATORS["all"].search(t) and not _PARTIAL.search(t) for t in texts)
        if partial is not None and not whole:
            fits, best = False, partial
    elif name == "must":
        fits = any(_ENOUGH["must"].search(t) for t in texts) or not _WEAK.search(texts[0])
    else:
        fits = any(_ENOUGH[name].search(t) and not _hedged(t, name) for t in texts)
    if fits:
        return modal_claim(
            clause, span, Verdict.SUPPORTED, Weight.OK, Rule(f"{name}-kept"), "The record goes as far.", best
        )
    verdict = Verdict.CONTRADICTED if name in ("all", "permanent") else Verdict.UNSUPPORTED
    reason = f"Nobody said “{word.lower()}”: {best.place} only says “{best.said}”."
    if name == "all":
        reason = f"{best.place} says otherwise: “{best.said}”."
    return modal_claim(clause, span, verdict, Weight.ERROR, Rule(f"{name}-added"), reason, best)


def _hedged(text: str, name: str) -> bool:
    """ "almost never", "not always"."""
    return name in ("never", "always") and bool(
        re.search(
            rf"\b(?:almost|nearly|hardly|fast|presque|casi|not|nicht|pas|no) (?:{_NEVER}|{_ALWAYS})\b|ほぼ|几乎", text
        )
    )


def _to_end_of_line(aligned: Aligned) -> str:
    """The aligned sentence; of a tool's output to the end of the line, where counts of failures stand."""
    if aligned.witness.speaker is not Speaker.TOOL:
        return aligned.sentence
    text, piece = aligned.witness.text, aligned.piece
    start = text.rfind("\n", 0, piece.start) + 1
    end = text.find("\n", piece.end)
    return fold(text[start : end if end >= 0 else len(text)][:2000])


def _limit(clause: NoteClause, line: str, aligned: Sequence[Aligned]) -> Claim | None:
    """A "for now" of the record that the note leaves out."""
    if len(content_words(clause.text, clause.language)) < 2 or cues.LIMIT_TOLD.search(fold(line)):
        return None
    if cues.LIMIT.search(fold(line)) or _BOUNDED.search(line) or _OPERATORS["permanent"].search(line):
        return None
    for a in aligned:
        match = cues.LIMIT.search(a.sentence)
        if match is None or a.witness.speaker is Speaker.TOOL or match.group() in _NOT_LIMITS:
            continue
        if a.fits(clause):
            reason = f"{a.place} says “{match.group()}”; the note reads as if it held for good."
            span = (0, len(clause.text))
            return modal_claim(clause, span, Verdict.UNSUPPORTED, Weight.WARNING, Rule.LIMIT_DROPPED, reason, a)
    return None
