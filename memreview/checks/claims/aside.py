"""Values that a sentence names only to set them aside: denied, replaced, left behind.

"not 8081 but 8082", "raised from 24 to 72 hours", "left npm for pnpm": the first value is no longer the value.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memreview.checks.claims import cues
from memreview.checks.claims.folding import W, fold
from memreview.checks.claims.language import content_words

_TARGET = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def negation_target(text: str, language: str | None = None) -> str | None:
    """The first content word after the negation of a clause: what is denied; else the last before; None without one."""
    folded = fold(text)
    match = cues.NEGATION.search(folded)
    if not match:
        return None
    for word in _TARGET.findall(folded[match.end() :]):
        stems = content_words(word, language)
        if stems:
            return next(iter(stems))
    for word in reversed(_TARGET.findall(folded[: match.start()])):
        stems = content_words(word, language)
        if stems:
            return next(iter(stems))
    return ""


_NOT = (
    r"not|n't|cannot|nicht|kein(?:e[nmrs]?)?|nie|never|no longer(?: \w+)?|no|nor|stopped \w+ing|stop \w+ing|"
    r"instead of|rather than|other than|"
    r"except|without|statt|anstatt|anstelle(?: von)?|ohne|außer|pas|au lieu d[e']|sauf|sans|ya no|sin|en (?:vez|"
    r"lugar) de|salvo"
)
_BARE = (
    r"(?: (?!than\b|until\b|before\b|after\b|only\b|nur\b|later\b|als\b|bis\b|que\b|even\b|"
    r"just\b)[\w'/-]+){0,3} ?[\"'`(“„]*"
)
_PLAIN = (
    r"(?: (?:the|a|an|our|any|this|that|on|at|in|with|by|to|for|via|use|using|uses|used|run|running|take|taking|"
    r"need|needed|want|"
    r"der|die|das|den|dem|ein\w*|mit|auf|bei|für|nehmen|benutzen|verwenden|le|la|les|un|une|utiliser|avec|el|los|"
    r"las|usar|con)){0,3}"
    r" ?[\"'`(“„]*"
)
_DENIED_NAME = re.compile(rf"(?:(?<!{W})(?:{_NOT})|\w+n't){_PLAIN}$")
_DENIED_BEFORE = re.compile(rf"(?:(?<!{W})(?:{_NOT})|\w+n't){_BARE}$")
_DENIED_AFTER = re.compile(
    r"^[\"'`)”]*,? ?(?:(?:is|are|was|were|has been|have been|ist|sind|wurde|wird|est|es|está) )?(?:no longer|"
    r"not any ?more|gone|retired|deprecated|out of date|"
    r"abgeschafft|weg|nicht mehr|obsolete|wrong|falsch|veraltet|obsolète|obsolet[oa])(?!\w)|"
    r"^[\"'`)」]*(?:ではな|じゃな|"
    r"は(?:もう)?(?:使わ|不要|廃止)|不再|已停用|已废)"
)
_NO_MORE = re.compile(r",(?: et)? plus (?:sur|dans|avec|par|chez|en|à)(?: \w+){0,2} ?[\"'`«]*$")
"""French "…, plus sur 8080": no longer on it. Without the comma and the preposition it says "more"."""
_WIDE_DENIED_BEFORE = re.compile(r"(?:不是|不再(?:使用|用)?|别用|不用|不要用|停用)[\"'`「]*$")
_FROM = re.compile(rf"(?<!{W})(?:from|von|vom|de|du|desde|depuis|off|away from)(?: [\w'-]+){{0,2}} ?[\"'`(“„]*$")
_TO = re.compile(r"^[\"'`)”]*(?: [\w/%°.-]+){0,2} (?:to|into|onto|auf|zu|nach|à|a|vers|hasta)(?!\w)")
_WIDE_FROM_TO = re.compile(
    r"^[^\s,。、]{0,4}(?:から.{1,24}(?:に|へ)(?:変更|移行|上げ|下げ|した|しま|増|減)|(?:改为|改成|升级到|升到|换成|提高到|降到|调到|调整为))"
)
_LEFT = re.compile(
    rf"(?<!{W})(?:left|leaving|replac\w+|ersetz\w*|remplac\w+|reemplaz\w+|sustitu\w+|quit|verlassen|abandon\w*|"
    rf"ditch\w*|got rid of|gave up|stopped using|"
    r"moved (?:off|away from)|moved from|switched from|migrated (?:from|off)|drop\w*|retir\w+|umgestiegen von|"
    r"weg von)(?: (?:the|our|old|all|den|die|das|le|la|el))* ?[\"'`(]*$"
)
_FORMER = re.compile(
    rf"(?<!{W})(?:used to be|previously|formerly|originally|früher|bisher|vorher|zuvor|auparavant|antes|"
    rf"anciennement|ehemals|old(?: value)?(?: was)?:?)(?: \w+){{0,2}} ?[\"'`(]*$|(?:以前は?|元は|原来|之前)是?$|"
    r"[(（](?:it |es |das |c')?(?:was|were|war|waren|vormals|zuletzt|était|étaient|era|eran|ex|once|einst)"
    r"(?: \w+){0,2}:? ?[\"'`]*$"
)
_WAS_NOW = re.compile(rf"(?<!{W})(?:was|were|war|waren|était|era)(?: \w+){{0,2}} ?[\"'`(]*$")
_NOW = re.compile(
    r"^[^.;]{0,24}(?:,|but|and|aber|und|mais|pero)[^.;]{0,16}(?<!\w)(?:now|jetzt|inzwischen|maintenant|ahora)(?!\w)|"
    r"^[^。]{0,12}(?:今は|现在)"
)
_REPLACED = re.compile(
    r"^[\"'`)”]*,? ?(?:(?:is|was|were|has been|have been|got|wurde|wird|a été|fue|ha sido) )(?:\w+ )?(?:replaced|"
    r"superseded|swapped|raised|lowered|changed|ersetzt|abgelöst|remplacé|reemplazad|sustituid)"
)
_ARROW = re.compile(r"^[\"'`)”]*(?: [\w/%°.-]+)? ?(?:→|->|=>|➜|⟶) ?[\"'`(“]*[\w.]*\d")
_REACH = 70


@lru_cache(maxsize=1024)
def set_aside(text: str, start: int, end: int, counted: bool = False) -> str:
    """Why the value at a place of a sentence is not what holds: ``negated``, ``superseded`` or nothing.

    ``counted`` values are amounts: "removed 3 files" takes no 3 back.
    """
    before, after = text[max(0, start - _REACH) : start].lower(), text[end : end + _REACH].lower()
    before, after = before.replace("’", "'"), after.replace("’", "'")
    denied = _DENIED_BEFORE if counted else _DENIED_NAME
    if denied.search(before) and not re.search(
        r"\bnot only\b|\bnicht nur\b|\bno later\b|\bno(?: more| fewer| less)\b", before
    ):
        return "negated"
    if _DENIED_AFTER.search(after) or _WIDE_DENIED_BEFORE.search(before) or _NO_MORE.search(before):
        return "negated"
    if _FROM.search(before) and (_TO.search(after) or not counted) and cues.CHANGE.search(text.lower()):
        return "superseded" if _TO.search(after) else ""
    if _FORMER.search(before) or _ARROW.search(after) or _REPLACED.search(after) or _WIDE_FROM_TO.search(after):
        return "superseded"
    if _WAS_NOW.search(before) and _NOW.search(after):
        return "superseded"
    if not counted and _LEFT.search(before):
        return "superseded"
    return ""
