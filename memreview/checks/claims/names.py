"""Names of people, products and places, as far as capitals tell; and whether a text holds a name.

A capital at the start of a sentence says nothing: such a word is only *weak*, and counts where the evidence puts
another name in its place. In German, where every noun has a capital, so are all capitalised words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memreview.checks.claims.folding import CJK, W, fold, plain_letters
from memreview.checks.claims.language import STOP_WORDS, language_of, stem
from memreview.checks.claims.products import CAPITALISED, UNMISTAKABLE
from memreview.checks.claims.whole import whole

_LETTER = rf"[^\W\d_{CJK}]"
_TOKEN = re.compile(rf"(?<!{W}){_LETTER}(?:{W}|[+#])*(?:['’]s(?!{W}))?(?:[.&-][A-Z](?:{W}|[+#])*)*")
_INITIAL = re.compile(r"(?:^|[.!?:;…。！？]|[—–]|\s-|[\"'“”„«(\[|>*_]|\bUser:|→|=>)\s*$")
_NO_NAME = frozenset(
    """
    I I'm I'll I've I'd OK Ok User Users Note Notes Never Always Only All Must Not No Do Don't And Or But
    The A An In On At By For From To With If When Then Else True False None Null Yes TODO FIXME NEVER ALWAYS
    ONLY ALL MUST NOT NO DO DONT AND OR IMPORTANT WARNING NOTE Why How Monday Tuesday Wednesday Thursday
    Friday Saturday Sunday January February March April May June July August September October November
    December Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Decision Reason
    Status Summary AM PM UTC GMT CET CEST MEMORY Mr Mrs Ms Dr Prof Sir Q1 Q2 Q3 Q4
    """.split()
)
_PLAIN_WORDS = frozenset(
    """
    along among despite additionally afterwards currently usually often sometimes later earlier soon once after
    before during since because although though however also as at for while until unless through throughout
    under over between within without he she it they we you my your his her its their our this that these those
    there here what who which where both each most many some several few first second third finally then thus
    therefore instead meanwhile moreover furthermore nevertheless recently previously originally initially
    eventually generally typically normally mostly mainly especially including according following given based
    due like unlike even just still yet already again
    """.split()
)
_SHOUT = re.compile(r"[A-Z]{4,}")
_SHOUTED = frozenset(
    """
    never always only must not all this that before after with without please stop dont every each warning
    important
    """.split()
)
_STATES = frozenset(
    """
    done open closed pending yes no none on off true false required optional unknown todo active inactive enabled
    disabled planned fixed stable beta deprecated draft final internal external public private daily weekly monthly
    high low medium failed passed green red blue complete incomplete ready blocked unchanged same erledigt offen ja
    nein keine aktiv fertig
    """.split()
)
_WORD = re.compile(rf"{_LETTER}+")
_SMALL = frozenset("of the and for de du der des und y et la le".split())
_UMLAUT = re.compile("[äöü]")
_SPREAD = re.compile(rf"{W}+(?:[ -]{W}+)+")
_RUN = re.compile(r"[A-Z][a-z]+(?: (?:of|the|and|for|[A-Z][a-z]+)){1,6}")
_LABEL = re.compile(r"[*_]{0,2}:(?=\s)")


DETERMINED = re.compile(
    r"(?:der|die|das|den|dem|des|ein\w*|kein\w*|mein\w*|dein\w*|sein\w*|ihr\w*|unser\w*|dies\w*|jed\w*|alle\w*|"
    r"im|am|zum|zur|vom|beim|ins|ans|\w+(?:e|en|er|es|em)|\d+)$",
    re.IGNORECASE,
)
"""A German word before a noun: after one of these a capitalised word is a noun, and most likely no name."""


@dataclass(frozen=True, slots=True)
class Name:
    """One capitalised word: ``weak`` where its capital may be due to its position or its language.

    ``initials`` are those of the run of capitalised words that it belongs to.
    """

    start: int
    end: int
    text: str
    weak: bool
    initials: str = ""


def find_names(text: str, body: int = 0) -> Iterator[Name]:
    """Capitalised words of a text from left to right; the text proper begins at ``body``, after markers."""
    german = language_of(fold(text[:4000])) == "german"
    titled = _is_title(text[body:])
    wide = language_of(fold(text[:4000])) in ("japanese", "chinese")
    runs = [(m.start(), m.end(), "".join(w[0] for w in m.group().split())) for m in _RUN.finditer(text)]
    for match in _TOKEN.finditer(text):
        word = re.sub(r"['’]s$", "", match.group())
        known = word.lower() in (CAPITALISED if word[0].isupper() else UNMISTAKABLE)
        if len(word) < 2 or not (word[0].isupper() or wide or known) or (word in _NO_NAME and not known):
            continue
        if text[match.end() : match.end() + 2] in ("'t", "’t"):
            continue
        if word.lower() in _PLAIN_WORDS or (word.lower() in STOP_WORDS and not known):
            continue
        inner = any(c.isupper() for c in word[1:])
        if _SHOUT.fullmatch(word) and word.lower() in _SHOUTED:
            continue
        before = text[max(0, match.start() - 60) : match.start()]
        initial = bool(_INITIAL.search(before.rpartition("\n")[2])) or not text[body : match.start()].strip(" \t*_~")
        initial = initial and not (before and before[-1] > "\u3000")
        last = re.search(rf"({_LETTER}+|\d+) $", before)
        if german and not inner and not known and last and DETERMINED.match(last.group(1)):
            continue
        if initial and not known and _LABEL.match(text, match.end()):
            continue
        labelled = initial and _alone_after_label(text, match.start(), match.end())
        initial = initial and not labelled
        initials = next((i for start, end, i in runs if start <= match.start() < end), "")
        weak = (initial or (german and not labelled) or titled) and not inner and not known
        yield Name(match.start(), match.start() + len(word), word, weak, initials)


def _alone_after_label(text: str, start: int, end: int) -> bool:
    """ "- Session store: Kafka": what alone follows a label is its value."""
    if not re.search(r"[^\W\d_)\]][*_]{0,2} ?(?::|→|–|—|->) ?[*_]{0,2}$", text[max(0, start - 40) : start]):
        return False
    return bool(re.match(r"[*_]{0,2}\s*(?:[.,;)|]|$)", text[end : end + 8])) and text[start:end].lower() not in _STATES


def _is_title(text: str) -> bool:
    """True for a line in which nearly every word has a capital."""
    if "\n" in text:
        return False
    words = [word for word in _WORD.findall(text) if len(word) > 3]
    return len(words) >= 4 and sum(word[0].isupper() for word in words) * 5 >= len(words) * 4


def stems(plain: str) -> dict[str, tuple[int, int]]:
    """The stem of each word of a plain text, with its first place."""
    found: dict[str, tuple[int, int]] = {}
    for word in _WORD.finditer(plain):
        found.setdefault(stem(word.group()), word.span())
    return found


def name_span(name: str, plain: str, by_stem: Mapping[str, tuple[int, int]] | None = None) -> tuple[int, int] | None:
    """The place in a plain text at which the name stands, or its acronym, expansion or plural; else None.

    ``plain`` is what :func:`~memreview.checks.claims.folding.plain_letters` makes of the text, ``by_stem`` its
    :func:`stems`.
    """
    wanted = plain_letters(name)
    other = plain_letters(_UMLAUT.sub(lambda m: m.group() + "e", fold(name)))
    for form in dict.fromkeys((wanted, other, f"{wanted}s", f"{wanted}'s", wanted.removesuffix("s"))):
        found = next(whole(plain, form), None)
        if found is not None:
            return found
    if name.isupper() and 2 <= len(name) <= 6:
        return _expansion(wanted, plain)
    if len(wanted) > 3:
        found = (by_stem if by_stem is not None else stems(plain)).get(stem(wanted))
        if found is not None or len(wanted) >= 30:
            return found
        return _squeezed(wanted, plain)
    return None


def _squeezed(wanted: str, plain: str) -> tuple[int, int] | None:
    """``GitHub`` in "git hub": the same letters with blanks or hyphens between."""
    for match in _SPREAD.finditer(plain):
        run = match.group()
        joined = run.replace(" ", "").replace("-", "")
        if wanted in joined and next(whole(run.replace("-", " "), run.replace("-", " ")), None):
            for start, end in _joins(run, wanted):
                return match.start() + start, match.start() + end
    return None


def _joins(run: str, wanted: str) -> Iterator[tuple[int, int]]:
    words = [m.span() for m in re.finditer(r"[^ -]+", run)]
    for first in range(len(words)):
        text = ""
        for last in range(first, min(first + 4, len(words))):
            text += run[slice(*words[last])]
            if text == wanted and last > first:
                yield words[first][0], words[last][1]
            if len(text) >= len(wanted):
                break


def _expansion(acronym: str, plain: str) -> tuple[int, int] | None:
    """The words in a row that begin with the letters of an acronym, small words left out."""
    words = [m.span() for m in _WORD.finditer(plain) if m.group() not in _SMALL]
    initials = "".join(plain[start] for start, _ in words)
    at = initials.find(acronym)
    return (words[at][0], words[at + len(acronym) - 1][1]) if at >= 0 else None
