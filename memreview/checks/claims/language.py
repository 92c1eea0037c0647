"""Content words: what is left of a text when function words and inflection are set aside.

Stemming is Snowball's (``snowballstemmer``, which runs the C code of PyStemmer where that is installed). A text's
language is guessed from its function words and letters. Stems are only comparable with stems of the same language, so
whoever compares two texts names the language of one of them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Protocol

import snowballstemmer

from memreview.checks.claims.folding import CJK, fold_case_kept

_STOP: dict[str, frozenset[str]] = {
    "english": frozenset(
        """
        a an the this that these those there here it its it's he she they them their his her we us our you your
        i me my is are was were be been being am do does did done has have had having will would shall should
        can could may might and or but if so as at by for from in into of on onto off out over to up with within
        about than then too also just now ok okay yes please which who whom what when where why how because
        while after before during again very more most some any each other another such same own s t re ve ll d
        m that's there's let's i'm we're don't doesn't get gets got go goes went gone make makes made use uses
        used using via per one ones way thing things lot bit really well still already both either etc eg ie not
        no never only always all every must permanently forever
        """.split()
    ),
    "german": frozenset(
        """
        der die das den dem des ein eine einen einem einer eines und oder aber wenn ob als wie bei von vom zu
        zum zur in im ins an am auf aus für mit nach über unter vor durch gegen ohne um bis seit ist sind war
        waren sein wird werden wurde wurden hat haben hatte hatten kann können muss müssen soll sollen darf
        dürfen will wollen ich du er sie es wir ihr mich mir dich dir uns euch ihm ihn ihnen sich mein dein
        unser sein ihr dieser diese dieses dass daß denn weil da so auch noch schon nur mal bitte ja doch hier
        dort jetzt dann man nicht kein keine keinen mehr sehr alle alles jeder jede jedes nie niemals immer
        """.split()
    ),
    "french": frozenset(
        """
        le la les l un une des du de d et ou mais si que qui quoi dont où à au aux en dans par pour sur sous
        avec sans chez est sont était étaient être a ont avait avoir je tu il elle on nous vous ils elles me te
        se ce cet cette ces son sa ses mon ma mes notre nos votre vos leur leurs ne pas plus y c qu s n t m j
        """.split()
    ),
    "spanish": frozenset(
        """
        el la los las un una unos unas de del al y o u e pero si que quien donde en por para con sin sobre entre
        desde hasta es son era eran ser está están estar ha han había haber yo tú él ella nosotros ustedes ellos
        me te se lo le les su sus mi mis este esta estos estas ese esa no ni ya muy más
        """.split()
    ),
}
STOP_WORDS = frozenset().union(*_STOP.values())
"""Function words of all languages."""
_WORD = re.compile(rf"[^\W\d_{CJK}]+(?:'[^\W\d_{CJK}]+)*")
_ASCII_WORD = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)*")
"""The same in text of ASCII, found in half the time."""
_ELIDED = frozenset("l d j m n s t c qu jusqu lorsqu puisqu quelqu aujourd dell all un nell".split())
_PARTICIPLE = re.compile(
    r"^((?:ab|an|auf|aus|bei|ein|fest|frei|her|hin|los|mit|nach|um|vor|weg|weiter|zu|zurück|zusammen|hoch|runter|fort))"
    r"(?:ge|zu)([^\W\d_]{3,}?)(?:e?t|en)$|^(?=ge)()ge([^\W\d_]{4,}?)e?t$"
)
_LETTERS = {"german": frozenset("äöüß"), "french": frozenset("éèêàçùœ"), "spanish": frozenset("ñáíóú¿¡")}
_CODED = re.compile(rf"[a-z](?<![^\W{CJK}].)[a-z]*+(?:[-_.][a-z0-9]+)*[-_]?\d[a-z0-9]*(?![^\W{CJK}])")
_HYPHENED = re.compile(rf"(?<![^\W{CJK}-])[^\W\d_{CJK}]{{2,}}-[^\W\d_{CJK}]{{2,}}(?![^\W{CJK}-])")
_LABEL = re.compile(
    rf"(?<![^\W{CJK}])(?P<noun>[^\W\d_{CJK}]{{2,}}+)(?:[ -]#?|#)(?P<mark>\d{{1,4}}|[A-HJ-Z])(?![^\W{CJK}]|[.,:/]\d|"
    rf"\s?[%°€$])"
    r"(?!\s?(?:[kKMGT]i?B|[kmµn]?[gsmWVAl]|min|Hz|kHz|MHz|GHz|vCPU|ms|px|rpm|bar|tonnes|tons|t)\b)"
)
_ASCII_LABEL = re.compile(_LABEL.pattern.replace(rf"[^\W\d_{CJK}]", "[A-Za-z]").replace(rf"[^\W{CJK}]", r"\w"))
_MARK = re.compile(rf"[A-HJ-Z](?<![^\W{CJK}'’.-].)(?<!\d .)(?:(?<!A)(?![^\W{CJK}]|['’.-])|(?<=A)(?=\s*[|:\t]|  |$))")
"""What comes before the letter is looked at behind it, so that nothing but capitals is looked at."""
_DIGIT = re.compile(r"\d")
_MARKED = re.compile(r"[ #-](?:\d|[A-HJ-Z](?![^\W_]))")
"""What every label has."""
_SHORT = 500
"""Characters of a text whose words are kept; those of a whole record are kept by the record."""
_HAN = re.compile(r"[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_KATAKANA = re.compile(r"[\u30a1-\u30ff\u31f0-\u31ff\uff66-\uff9f]{2,}")
_KANA = re.compile(r"[\u3041-\u30ff]")
_HAN_STOP = re.compile(
    "[〇零一二三四五六七八九十百千万两个只有人次条天年月日時时点分秒号的是在了和也都就把被要会能与及或很这那我你他她它们请吗呢吧啊着过给让对于从到为以]|可以|不|没有?|无"
)


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str:  # noqa: N802 - the library's name
        ...


@lru_cache(maxsize=8)
def _stemmer(language: str) -> _Stemmer:
    stemmer: _Stemmer = snowballstemmer.stemmer(language)
    return stemmer


@lru_cache(maxsize=2048)
def language_of(text: str) -> str:
    """The language of a folded text: English where nothing decides, ``japanese`` or ``chinese`` by its signs."""
    sample = text[:2000]
    if not sample.isascii():
        wide = len(_HAN.findall(sample)) + len(_KANA.findall(sample))
        if wide and 3 * sum(map(len, _HAN.findall(sample))) + 3 * len(_KANA.findall(sample)) > len(sample):
            return "japanese" if _KANA.search(sample) else "chinese"
    words = _words_in(sample)
    letters = frozenset(sample)
    best, most = "english", 0
    for name, stop in _STOP.items():
        hits = 2 * sum(map(stop.__contains__, words)) + (3 if letters & _LETTERS.get(name, frozenset()) else 0)
        if hits > most:
            best, most = name, hits
    return best


def _infinitive(match: re.Match[str]) -> str:
    """*ausgelagert*, *auszulagern* → *auslageren*, which has the stem of *auslagern*."""
    return f"{match.group(1) or ''}{match.group(2) or match.group(4)}en"


@lru_cache(maxsize=8192)
def stem(word: str, language: str = "english") -> str:
    """Snowball's stem of one folded word; English possessives are taken off first."""
    if word.endswith("'s"):
        word = word[:-2]
    if language == "german":
        word = _PARTICIPLE.sub(_infinitive, word) if "ge" in word or "zu" in word else word
    return _stemmer(language if language in _STOP else "english").stemWord(word)


def content_words(text: str, language: str | None = None) -> frozenset[str]:
    """Stems of the words that carry meaning.

    Names of things with a number in them (``worker-3``) count as they are, and a noun with its number or letter
    (*gate 2*, *pump B*) gives the label ``gate#2`` beside its stem; the letter
    counts alone as well (``#b``). Han gives bigrams, Katakana whole words.
    """
    if len(text) <= _SHORT:
        return _content_words(text, language)
    return _content_words.__wrapped__(text, language)


@lru_cache(maxsize=16384)
def _content_words(text: str, language: str | None) -> frozenset[str]:
    cased = fold_case_kept(text)
    folded = cased.casefold()
    language = language or language_of(folded)
    found: set[str] = set()
    if not folded.isascii():
        found.update(wide_words(folded))
    for word in set(_words_in(folded)) - STOP_WORDS:
        if len(word) < 2:
            continue
        part = word
        if "'" in word:
            head, _, tail = word.partition("'")
            part = tail if head in _ELIDED else head
        if len(part) > 1 and part not in STOP_WORDS:
            found.add(stem(part, language))
    if _DIGIT.search(folded):
        found.update(_CODED.findall(" ".join([part for part in folded.split(" ") if not part.isalpha()])))
    if "-" in folded:
        found.update(stem(word.replace("-", ""), language) for word in _HYPHENED.findall(folded))
    label = _ASCII_LABEL if cased.isascii() else _LABEL
    for match in label.finditer(cased) if _MARKED.search(cased) else ():
        noun = match["noun"].casefold()
        if noun not in STOP_WORDS:
            found.add(f"{stem(noun, language)}#{match['mark'].casefold()}")
            if not match["mark"].isdigit():
                found.add(f"#{match['mark'].casefold()}")
    found.update(f"#{mark.casefold()}" for mark in _MARK.findall(text))
    return frozenset(found)


def _words_in(folded: str) -> list[str]:
    """The words of a folded text, each as often as it stands there."""
    return (_ASCII_WORD if folded.isascii() else _WORD).findall(folded)


def wide_words(folded: str) -> set[str]:
    """The words of Han and Katakana in a folded text: bigrams of the one, runs of the other."""
    found: set[str] = set(_KATAKANA.findall(folded))
    for run in _HAN.findall(folded):
        for part in _HAN_STOP.split(run):
            found.update(part[i : i + 2] for i in range(len(part) - 1) or range(len(part)))
    return found
