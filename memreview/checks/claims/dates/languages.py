"""Which of the languages a text is written in, and whether a time can be in it at all."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memreview.checks.claims.dates.lexicon import Lexicon
from memreview.checks.claims.dates.words_de import GERMAN
from memreview.checks.claims.dates.words_en import ENGLISH
from memreview.checks.claims.dates.words_es import SPANISH
from memreview.checks.claims.dates.words_fr import FRENCH

LEXICONS: dict[str, Lexicon] = {"en": ENGLISH, "de": GERMAN, "fr": FRENCH, "es": SPANISH}
_WORD = re.compile(r"[^\W\d_]+")
_NUMERIC = re.compile(
    r"\d{1,4}[./-]\d|\d ?[:.h] ?\d\d|\d\s?[ap]\.?\s?m\b|\d\d\d\d|\d\s?(?:uhr|h)\b|\d(?:st|nd|rd|th)\b"
    r"|\b[QHT][1-4]\b|\d\.(?!\d)|W\d\d|\b\d\d \d\d \d\d|nineteen |two thousand|o'?clock|\b(?:the|le|el) \d"
    r"|['’]\d\d\b|\b(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)\d",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_SPELT = frozenset(("nineteen", "thousand", "clock", "oclock"))
_DOTS = re.compile(
    r"(?<![\d.])(?:\d{1,2}\. ?\d{1,2}\.(?!\d)|\d\d\.\d\d\.\d\d(?![\d.])|\d{1,2}\.\d{1,2}\. ?(?:19|20)\d\d(?![\d.]))"
    r"|\b(?:am|vom|zum|bis|der|den|dem|ab)\s\d{1,2}\.(?!\d)",
    re.IGNORECASE,
)
_AMPM = re.compile(r"\d\s?[ap]\.?m\b", re.IGNORECASE)
# Letters of one language; a full stop stands for dates with dots.
_SIGNS = {sign: code for code, signs in (("de", "äöüß."), ("fr", "çèêœ"), ("es", "ñ¿¡áíó")) for sign in signs}


def _speaks() -> dict[str, frozenset[str]]:
    """The languages of each everyday or time word."""
    found: dict[str, set[str]] = {}
    for code, lexicon in LEXICONS.items():
        for word in lexicon.cues | lexicon.words.keys():
            found.setdefault(word, set()).add(code)
    return {word: frozenset(codes) for word, codes in found.items()}


def _owners() -> dict[str, str]:
    """Words that start an expression in one language only and are no everyday words of another."""
    found: dict[str, str] = {}
    for code, lexicon in LEXICONS.items():
        for word in lexicon.triggers:
            others = [o for c, o in LEXICONS.items() if c != code]
            if len(word) > 3 and not any(word in o.words or word in o.cues for o in others):
                found[word] = code
    return found


OWNERS = _owners()
_SPEAKS = _speaks()
_TRIGGERS = frozenset[str]().union(*(lexicon.triggers for lexicon in LEXICONS.values()))


def languages(text: str, lang: str | None = None) -> Iterator[tuple[Lexicon, bool]]:
    """The lexicons to read a text with, none where no time can be in it.

    The likely language, or ``lang``, is first; then come those of which an own word stands in the text. Their second
    part is True: only expressions with such a word count there.
    """
    words = {w.lower() for w in _WORD.findall(text)}
    if "am" in words and _AMPM.search(text):
        words.discard("am")
    folded = words if text.isascii() else words | {FRENCH.fold(w) for w in words if not w.isascii()}
    compound = _has_compound(words)
    if folded.isdisjoint(_TRIGGERS) and not compound:
        spelt = not folded.isdisjoint(_SPELT)
        if not (spelt or _DIGIT.search(text)) or not _NUMERIC.search(text):
            return
    first = lang if lang in LEXICONS else _likely(text, folded, compound)
    yield LEXICONS[first], False
    owned = {code for w in folded if (code := OWNERS.get(w))} if not folded.isdisjoint(OWNERS) else ()
    for code in LEXICONS:
        if code != first and code in owned:
            yield LEXICONS[code], True


def _likely(text: str, words: set[str], compound: bool) -> str:
    scores = dict.fromkeys(LEXICONS, 0)
    for word in words:
        spoken = _SPEAKS.get(word, ())
        for code in spoken:
            scores[code] += 1 if len(spoken) > 1 else 3
    signs = set() if text.isascii() else _SIGNS.keys() & set(text.lower())
    if compound or _DOTS.search(text):
        signs.add(".")
    else:
        signs.discard(".")
    for sign in signs:
        scores[_SIGNS[sign]] += 3
    return max(scores, key=lambda code: scores[code])


def _has_compound(words: set[str]) -> bool:
    return any(len(w) > 8 and GERMAN.compound is not None and GERMAN.compound.match(w) for w in words)
