"""What a user asked to be remembered, or corrected: the words by which it is told, and whether notes hold it. Pure.

It is meant to be read by a person beside a review, so it says too little rather than too much: only what is said in so
many words counts, questions and stories do not, and whatever half of a note holds is taken for held.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from memreview.checks.claims import cues
from memreview.checks.claims.cues import words
from memreview.checks.claims.folding import fold
from memreview.checks.claims.language import content_words, language_of

SAVE: Final = "save"
CORRECTION: Final = "correction"

HELD: Final = 0.6
"""So much of what a statement names must stand together in the notes for it to be held there."""
FEWEST: Final = 2
"""Words that carry meaning; a statement with fewer says nothing that could be kept."""
LONGEST: Final = 4_000
"""Characters of a message; a longer one is a paste."""
LONGEST_STATEMENT: Final = 400
TOGETHER: Final = 3
"""Lines of a note that stand together."""

_STRONG: Final = words(
    r"(?:please )?(?:do )?remember(?: this| that| to|:|,)|don'?t forget|keep (?:this |that |it )?in mind|"
    r"(?:save|add|write|put|note|store)[\w ]{0,30} (?:to|in|into)(?: the| your)? memory|"
    r"note (?:this|that) down|make a note|for (?:the future|future sessions|next time)|from now on|going forward",
    r"merk(?:e)? dir|bitte merken|vergiss nicht|denk daran|notier(?:e)?(?: dir)?|speicher(?:e)? (?:das|dir)|ab jetzt|"
    r"ab sofort|künftig|in zukunft",
    r"souviens-toi|retiens|n'oublie pas|note (?:que|bien)|désormais|dorénavant|à l'avenir",
    r"recuerda|no olvides|ten en cuenta|anota|a partir de ahora|en adelante",
    wide=r"覚えて(?:おい|くださ|ね|て)|忘れないで|今後は|これからは|记住|记得|别忘|以后",
)
_RULES: Final = words(r"always|never|immer|nie(?:mals)?|toujours|jamais|siempre|nunca", wide=r"必ず|始终|务必")
"""A rule, but in a story too: it asks only where the sentence commands."""
_RECALLS: Final = words(
    r"(?:do|did|don't) you (?:still )?remember|remember when|as (?:i|you) remember|i (?:don'?t |can'?t )?remember|"
    r"if i remember|that reminds",
    r"erinnerst du dich|weißt du noch|tu te souviens|te acuerdas",
    wide=r"覚えていますか|还记得吗",
)
_COMMANDS: Final = re.compile(
    r"^\s*(?:and |so |but |ok(?:ay)?,? |please |no,? |bitte |also |und )*(?:always|never|immer|nie(?:mals)?|toujours|"
    r"siempre|nunca|(?:use|run|call|put|write|keep|ask|check|make|let|do|don'?t|deploy|build|test|commit|push|start|"
    r"stop|set|name|format|prefer|avoid|open|read|nimm|nutze|benutze|verwende|schreib|frag|starte|lass|mach)\b)",
    re.IGNORECASE,
)
_CORRECTS: Final = words(
    r"that'?s (?:wrong|not right|not true|incorrect|not how)|this is (?:wrong|incorrect)|i (?:already |just )?told you|"
    r"i said|as i said|how often|not again|stop (?:doing|using|writing|adding|making)|you should (?:have|not)|"
    r"(?:do not|don'?t) [\w ]{2,40}(?:again|any ?more)|wrong",
    r"das ist falsch|das stimmt nicht|ich habe? dir (?:schon |doch )?gesagt|ich sagte|hör auf|nicht schon wieder",
    r"falsch",
    r"c'est faux|je t'ai (?:déjà )?dit|arrête de|ya te dije|eso está mal|deja de",
    wide=r"違います|間違い|言ったでしょう|不对|我说过|错了",
)
_INSTEAD: Final = words(
    r"instead of|rather than|not \S+, (?:but|use)|use \S+,? not",
    r"statt|anstatt|nicht \S+, sondern|au lieu de|plutôt que|en vez de|en lugar de",
    wide=r"ではなく|じゃなくて|而不是",
)
_SENTENCE: Final = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])|\n+")
_CLAUSE: Final = re.compile(r"[,;]\s+|\s+[—–-]\s+|\s+(?:because|so that|since|weil|damit|parce que|porque)\s+")
_NUMBER: Final = re.compile(r"\d+(?:[.:]\d+)*")
_CODE_FENCE: Final = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_FILLERS: Final = content_words(
    "remember memory always never please note save forget mind future now again anymore told said wrong instead use "
    "this that keep make sure next time session sessions merk dir bitte immer nie wieder vergiss nicht künftig falsch"
)


_HINTS: Final = re.compile(
    rb"remember|forget|mind|memory|note|future|next time|from now|forward|always|never|wrong|\bnot\b|told you|i said|"
    rb"as i |how often|stop|should|n't|instead|rather|merk|vergiss|denk|notier|speicher|immer|nie|falsch|statt|sagt|"
    rb"zukunft|ab jetzt|ab sofort|souviens|retiens|oublie|nicht|incorrect|```|toujours|jamais|faux|t'ai|"
    rb"lieu|avenir|recuerda|olvid|cuenta|anota|adelante|ahora|siempre|nunca|dije|deja|vez|lugar|"
    rb'"(?:content|text)"\s{0,4}:\s{0,4}"(?:\s|\\[ntr])*(?:no|ne|na|wrong|falsch)|\\u|[\x80-\xff]',
    re.IGNORECASE,
)
"""Stands in every record, as it lies in its file, of which :func:`statements` finds any."""


def may_state(raw: bytes) -> bool:
    """False for a record that asks and corrects nothing; spares decoding it."""
    return _HINTS.search(raw) is not None


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that was asked or corrected: ``kind`` is ``save`` or ``correction``, ``text`` the sentence, or two."""

    kind: str
    text: str


def statements(text: str) -> Iterator[Statement]:
    """What a message of the user asks to be remembered, or corrects."""
    if len(text) > LONGEST:
        return
    sentences = [part.strip() for part in _SENTENCE.split(_CODE_FENCE.sub("\n", text)) if part.strip()]
    used: set[int] = set()
    for at, sentence in enumerate(sentences):
        kind = _kind(sentence, first=at == 0)
        if kind is None or at in used:
            continue
        told = sentence
        if len(_meaning(told)) < FEWEST and at + 1 < len(sentences):
            # "Remember this:" and "No." speak of what follows.
            told = f"{told} {sentences[at + 1]}"
            used.add(at + 1)
        if len(told) <= LONGEST_STATEMENT and len(_meaning(told)) >= FEWEST:
            yield Statement(kind, told)


def _kind(sentence: str, *, first: bool) -> str | None:
    folded = fold(sentence)
    if _RECALLS.search(folded) or (cues.QUESTION.search(folded) and not cues.DIRECTIVE.search(folded)):
        return None
    if _STRONG.search(folded) or (_RULES.search(folded) and _COMMANDS.match(folded)):
        return SAVE
    if _CORRECTS.search(folded) or (first and cues.OPENS_WITH_NO.search(folded)):
        return CORRECTION
    return CORRECTION if _INSTEAD.search(folded) and _COMMANDS.match(folded) else None


def _meaning(text: str, language: str | None = None) -> frozenset[str]:
    """What a text names: stems of its words, and its numbers."""
    stems = (word for word in content_words(text, language) - _FILLERS if "#" not in word)
    return frozenset((*stems, *_NUMBER.findall(text)))


class Held:
    """What notes hold: asked for each statement whether it stands there."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._words: dict[str, list[frozenset[str]]] = {}

    def holds(self, text: str) -> bool:
        """True where enough of what a statement names stands together in a few lines."""
        language = language_of(fold(text))
        wanted = _meaning(text, language)
        if not wanted or self._stands(wanted, language):
            return True
        # "…: at most 60 from now on, the rest is cut off": the reason need not be in the note.
        asked = (_meaning(part, language) for part in _CLAUSE.split(text) if _STRONG.search(fold(part)))
        return any(
            len(part) > FEWEST and self._stands(part, language, {word for word in part if word[0].isdigit()})
            for part in asked
        )

    def _stands(self, wanted: frozenset[str], language: str, needed: AbstractSet[str] = frozenset()) -> bool:
        """``needed`` are words that all have to stand there."""
        numbers = frozenset(word for word in wanted if word[0].isdigit())
        by_line = self._of(language)
        for at, line in enumerate(by_line):
            if not wanted & line:
                continue
            found = wanted.intersection(frozenset().union(*by_line[at : at + TOGETHER]))
            # Another number in the same words is another thing, be it the right one for the wrong one.
            if len(found) >= HELD * len(wanted) and (not numbers or numbers & found) and needed <= found:
                return True
        return False

    def _of(self, language: str) -> list[frozenset[str]]:
        if language not in self._words:
            self._words[language] = [_meaning(line, language) for line in self._lines]
        return self._words[language]
