"""Statements turned into their opposite: a denial added or dropped, a word exchanged for the one against it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from memreview.checks.claims import cues
from memreview.checks.claims.aligned import Aligned, NoteClause, modal_claim
from memreview.checks.claims.aside import negation_target
from memreview.checks.claims.cues import words
from memreview.checks.claims.folding import fold
from memreview.checks.claims.language import content_words, stem
from memreview.checks.claims.rules import Rule
from memreview.checks.claims.whole import whole
from memreview.model.claim import Claim, Verdict, Weight
from memreview.model.transcript import Speaker

_EXCEPT = words(
    r"without|unless|except|ohne|außer|es sei denn|sans|sauf|à moins|sin|salvo|excepto|nobody but|no one but|"
    r"no other|nobody else|no one else|only|nur|just",
    wide=r"以外|除了|しか|なしで",
)
_CONTRAST = re.compile(
    r"(?:,\s*(?:(?:and|but|und|et|y)\s+)?(?:not|never|nicht|nie|pas|no)|"
    r"(?<!\w)(?:rather than|instead of|statt|anstatt|anstelle von|plutôt que|au lieu d[e']|en (?:vez|lugar) de))"
    r"\s+([^,.;:!?()]{1,60})"
)
"""What is denied beside what holds; "should not use mocks" denies and contrasts nothing."""
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_PAIRS = """
    enable disable|enabled disabled|on off|allow forbid|allowed forbidden|allow deny|permit prohibit|accept reject|
    accepts rejects|include exclude|includes excludes|increase decrease|increased decreased|raise lower|
    raised lowered|grow shrink|rise fall|rose fell|higher lower|more less|more fewer|most least|maximum minimum|
    max min|before after|first last|earlier later|early late|start stop|started stopped|starts stops|open closed|
    opens closes|opened closed|begin end|begins ends|inside outside|internal external|public private|
    synchronous asynchronous|sync async|upper lower|above below|left right|up down|add remove|adds removes|
    added removed|with without|success failure|succeeds fails|succeeded failed|passes fails|passed failed|
    works fails|required optional|mandatory optional|manual automatic|manually automatically|read write|
    reads writes|input output|upload download|uploads downloads|push pull|import export|imports exports|
    importer exporter|client server|primary replica|primary secondary|master replica|strict lenient|strict loose|
    fast slow|faster slower|fastest slowest|safe unsafe|stable unstable|valid invalid|known unknown|visible hidden|
    shown hidden|local remote|local global|online offline|active inactive|hot cold|warm cold|wet dry|day night|
    daily weekly|daily monthly|weekly monthly|morning evening|summer winter|north south|east west|northern southern|
    eastern western|odd even|old new|older newer|oldest newest|oldest latest|front back|frontend backend|best worst|
    better worse|positive negative|profit loss|gain loss|buy sell|sold bought|win lose|won lost|strong weak|
    stronger weaker|easy hard|cheap expensive|cheaper dearer|light dark|full empty|wide narrow|long short|
    longer shorter|tall short|large small|larger smaller|largest smallest|big small|many few|always never|
    agree disagree|agreed disagreed|likes dislikes|like dislike|love hate|trust distrust|employer employee|
    parent child|male female|sender receiver|encrypt decrypt|encrypted plain|lock unlock|locked unlocked|
    attach detach|connect disconnect|mount unmount|install uninstall|expand collapse|ascending descending|
    horizontal vertical|hard soft|temporary permanent|sequential parallel|static dynamic|mutable immutable|
    eager lazy|blocking nonblocking|inbound outbound|incoming outgoing|request response|hire fire|hired fired|
    joined left|arrive leave|arrives leaves|arrived left|rich poor|healthy sick|satisfied dissatisfied|
    optimistic pessimistic|bullish bearish|improve worsen|improved worsened|improving worsening|expand contract|
    accelerate decelerate|accelerated slowed|tailwind headwind|tailwinds headwinds|surplus deficit|asset liability|
    growth decline|grew declined|grew shrank|increases decreases|increasing decreasing|exceeded missed|above below|
    beat missed|happy sad|happy unhappy|aktiviert deaktiviert|an aus|ein aus|erlaubt verboten|vor nach|erste letzte|
    mehr weniger|höher niedriger|größer kleiner|schneller langsamer|öffnet schließt|offen geschlossen|auf zu|
    innen außen|intern extern|öffentlich privat|oben unten|links rechts|mit ohne|tag nacht|tagsüber nachts|
    sommer winter|morgens abends|nord süd|ost west|nördlich südlich|alt neu|voll leer|kalt warm|kalt heiß|lang kurz|
    groß klein|schnell langsam|manuell automatisch|immer nie|steigt sinkt|gestiegen gesunken|erhöht gesenkt|
    beginnt endet|pflicht freiwillig|verpflichtend freiwillig|activé désactivé|avant après|premier dernier|
    plus moins|ouvert fermé|ouvre ferme|autorisé interdit|haut bas|gauche droite|avec sans|jour nuit|été hiver|
    nord sud|est ouest|ancien nouveau|plein vide|chaud froid|rapide lent|toujours jamais|monte descend|
    augmente diminue|public privé|activado desactivado|antes después|primero último|más menos|abierto cerrado|
    abre cierra|permitido prohibido|arriba abajo|izquierda derecha|con sin|día noche|verano invierno|norte sur|
    este oeste|viejo nuevo|lleno vacío|caliente frío|rápido lento|siempre nunca|sube baja|público privado
"""
_WIDE_PAIRS = tuple(
    pair.split("/")
    for pair in """
    有効/無効 開始/停止 許可/禁止 前/後 増/減 上/下 内部/外部 最大/最小 夏/冬 昼/夜 朝/夕
    点ける/消す 開/閉 启用/禁用 开启/关闭 允许/禁止 之前/之后 增加/减少 最大/最小 白天/夜间
    内部/外部 上升/下降 成功/失败 成功/失敗 手动/自动 手動/自動
    """.split()
)


@cache
def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in _PAIRS.split("|"):
        one, _, other = pair.strip().partition(" ")
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


def turned(clause: NoteClause, aligned: Sequence[Aligned]) -> Claim | None:
    """The note denies what the records affirm, or the other way round, or puts a word in place of its opposite."""
    strong = [a for a in aligned if a.fits(clause)]
    spoken = [a for a in strong if not a.piece.sentence.question]
    if not spoken:
        return None
    return _denial(clause, spoken) or _swapped(clause, spoken) or _opposite(clause, spoken, aligned)


def _denial(clause: NoteClause, strong: Sequence[Aligned]) -> Claim | None:
    mine = fold(clause.text)
    if len(content_words(clause.text, clause.language)) < 2 < len(clause.piece.sentence.words(clause.language)):
        return None
    denied = negation_target(clause.text, clause.language)
    if _EXCEPT.search(mine) or any(_EXCEPT.search(a.sentence) for a in strong):
        return None
    if any(_same_way(denied, clause, a) for a in strong):
        return None
    for a in strong:
        theirs = negation_target(a.piece.text, clause.language)
        spoilt = _negatives(a.sentence, clause.language) ^ _negatives(mine, clause.language)
        if denied is not None and theirs is None and not spoilt and not cues.NEGATION.search(a.sentence):
            match = cues.NEGATION.search(clause.text)
            if match is None or not (denied in a.words or not denied) or _of_other_numbers(clause.text, a.piece.text):
                continue
            reason = f"{a.place} says the opposite: “{a.said}”."
            return modal_claim(clause, match.span(), Verdict.CONTRADICTED, Weight.ERROR, Rule.NEGATION_ADDED, reason, a)
        if denied is None and theirs is not None and theirs in clause.words and not spoilt:
            if a.witness.speaker is Speaker.CALL:
                continue
            reason = f"{a.place} says the opposite: “{a.said}”."
            span = (0, len(clause.text))
            return modal_claim(clause, span, Verdict.CONTRADICTED, Weight.ERROR, Rule.NEGATION_DROPPED, reason, a)
    return None


def _swapped(clause: NoteClause, spoken: Sequence[Aligned]) -> Claim | None:
    """ "mocks, not a real database" where the record says "a real database, not mocks"."""
    mine = _contrast(clause.piece.sentence.text, clause.language)
    if mine is None or mine[0] & mine[1]:
        return None
    here = mine[0] & content_words(clause.text, clause.language)
    for a in spoken:
        theirs = _contrast(a.piece.sentence.text, clause.language)
        if theirs is None or theirs[0] & theirs[1] or mine[1] & theirs[1]:
            continue
        if theirs[1] & here and mine[1] & theirs[0]:
            reason = f"{a.place} says it the other way round: “{a.said}”."
            span = (0, len(clause.text))
            return modal_claim(clause, span, Verdict.CONTRADICTED, Weight.ERROR, Rule.NEGATION_DROPPED, reason, a)
    return None


def _contrast(text: str, language: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """What a sentence affirms and what it denies beside it; None for one without a contrast, or with two."""
    found = list(_CONTRAST.finditer(fold(text)))
    if len(found) != 1:
        return None
    affirmed, denied = (content_words(part, language) for part in (fold(text)[: found[0].start()], found[0].group(1)))
    return (affirmed, denied) if affirmed and denied else None


def _of_other_numbers(text: str, said: str) -> bool:
    """Both speak of numbers and have none in common: that one does not hold is no denial of the other."""
    mine, theirs = (frozenset(_NUMBER.findall(one)) for one in (text, said))
    return bool(mine) and bool(theirs) and not mine & theirs


def _negatives(text: str, language: str) -> frozenset[str]:
    """Stems of the words in a folded text that may carry a denial."""
    bare = cues.NEGATION.sub(" ", text)
    return frozenset(stem(match.group(), language) for match in cues.NEGATIVE.finditer(bare))


def _same_way(denied: str | None, clause: NoteClause, a: Aligned) -> bool:
    theirs = negation_target(a.piece.text, clause.language)
    if (denied is None) == (theirs is None):
        return True
    if theirs is not None:
        return theirs not in clause.words
    return bool(denied) and denied not in a.words


def _opposite(clause: NoteClause, strong: Sequence[Aligned], aligned: Sequence[Aligned]) -> Claim | None:
    said = " ".join(a.sentence for a in aligned)
    heard = frozenset(re.findall(r"[^\W\d_]+", said))
    stems = frozenset(stem(word, clause.language) for word in heard)
    mine = re.findall(r"[^\W\d_]+", fold(clause.piece.sentence.text))
    for match in re.finditer(r"[^\W\d_]+", clause.text):
        word = fold(match.group())
        against = _opposites().get(word)
        if not against or word in heard or stem(word, clause.language) in stems:
            continue
        other = next((o for o in against if o in heard and o not in mine), None)
        if other is None:
            continue
        for a in strong:
            if any(True for _ in whole(a.sentence, other)) and _as_denied(clause.text) == _as_denied(a.piece.text):
                reason = f"{a.place} says “{other}”: “{a.said}”."
                return modal_claim(clause, match.span(), Verdict.CONTRADICTED, Weight.ERROR, Rule.OPPOSITE, reason, a)
    return _wide_opposite(clause, strong, said)


def _wide_opposite(clause: NoteClause, strong: Sequence[Aligned], said: str) -> Claim | None:
    if clause.language not in ("japanese", "chinese"):
        return None
    for pair in _WIDE_PAIRS:
        for word, other in (pair, pair[::-1]):
            at = clause.text.find(word)
            if at >= 0 and word not in said and other in said and other not in clause.piece.sentence.text:
                a = strong[0]
                reason = f"{a.place} says “{other}”: “{a.said}”."
                span = (at, at + len(word))
                return modal_claim(clause, span, Verdict.CONTRADICTED, Weight.ERROR, Rule.OPPOSITE, reason, a)
    return None


def _as_denied(text: str) -> bool:
    return bool(cues.NEGATION.search(fold(text)))
