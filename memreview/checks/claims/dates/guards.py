"""What looks like a date and is none: parts of names, paths and code, numbers of things, everyday words."""

from __future__ import annotations

import re

from memreview.checks.claims.dates.intervals import Grain
from memreview.checks.claims.dates.lexicon import listed
from memreview.checks.claims.dates.nodes import Node
from memreview.checks.claims.dates.reader import Reader
from memreview.checks.claims.dates.years import short_form_ends, year_follows

_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_DAY_AND_WORD = re.compile(r"\d{1,2}\.? [^\W\d_]{3}")
_GROWN = re.compile(r"(?<!\d)[A-Za-z]{2,}\d+[A-Za-z]{3,}|\d[A-GI-PR-SU-VX-Za-gi-pr-su-vx-z]\d")
_NUMBERED = frozenset(
    listed(
        """
    port ports room rooms pr prs rfc rfcs iso issue issues line lines page pages chapter section sections
    version versions ver v ratio step steps row rows ticket tickets build builds din isbn tel phone fax http
    https error errors code chunk shard table figure fig commit id ids no nr num number version rev revision
    size width height offset index exit status seq eta psalm article bug gh pid uid gid zeile zeilen seite
    seiten raum zimmer kapitel abschnitt punkt tabelle abbildung fehler ticket schritt schritte verhältnis
    faktor página páginas puerto línea líneas sala capítulo sección versión página port ligne lignes chambre
    salle chapitre étape numéro release patch tag python node java php ruby postgres postgresql mysql redis debian
    ubuntu macos ios android kernel gpt level
    """
    )
)
_GERMAN_LEADS = frozenset(
    listed("am bis vom zum ab seit den dem der nach vor zwischen und für des gegen um spätestens von")
)
_PREPOSED = (
    "in",
    "on",
    "since",
    "until",
    "by",
    "from",
    "before",
    "after",
    "starting",
    "between",
    "for",
    "edge",
    "adjedge",
    "of",
    "rel",
    "yearword",
    "within",
    "to",
)
_DAYWARD = ("on", "since", "until", "by", "from", "before", "after", "starting", "between", "rel")
_FIRM = ("in", "on", "since", "until", "by", "from", "before", "after", "starting", "between", "rel", "for", "to")


def acceptable(reader: Reader, node: Node, first: int, end: int) -> bool:
    """False where the tokens from ``first`` to before ``end`` are no expression of time in their surroundings."""
    start, stop = reader.token(first).start, reader.token(end - 1).end
    text = reader.text
    exact = _ISO_DAY.match(text, start) is not None
    if not _free_before(text, start, exact) or not _free_after(text, stop, exact):
        return False
    if node.kind == "duration":
        return True
    if _GROWN.search(text, start, stop) or (node.kind == "time" and _is_slice(text, start, stop)):
        return False
    digits = reader.token(first).text.isdigit()
    if digits and not exact and _counted_thing(reader, first):
        return False
    if not digits and not any(t.text.isdigit() for t in reader.tokens[first:end]) and _assigned(reader, first, end):
        return False
    if node.kind == "recurring":
        return not _adjectival(reader, first, end)
    return not node.bare or _in_context(reader, node, first, end)


def _is_slice(text: str, start: int, stop: int) -> bool:
    """``h[20:24]``."""
    return start > 1 and text[start - 1] == "[" and (text[start - 2].isalnum() or text[start - 2] in "_)]")


def _free_before(text: str, start: int, exact: bool) -> bool:
    if start == 0:
        return True
    sign = text[start - 1]
    if sign.isspace() or ord(sign) > 0x2E7F:
        return True
    if sign.isalnum():
        return False
    led = text[start - 2] if start > 1 else " "
    if sign in "_/\\=":
        return exact and not led.isdigit()
    if sign in "@#$&":
        return False
    if sign in ".:":
        spoken = not text[start].isdigit() or _DAY_AND_WORD.match(text, start) is not None
        return led.isspace() or (led in ".:" and sign == ".") or (sign == ":" and led.isalpha() and spoken)
    if sign in "-+":
        return exact or led.isspace() or led in "-("
    return not (sign == "<" and text[start].isalpha())


def _free_after(text: str, stop: int, exact: bool) -> bool:
    if stop >= len(text):
        return True
    sign = text[stop]
    if sign.isspace() or ord(sign) > 0x2E7F:
        return True
    if sign.isalnum() or sign == "_":
        return exact and sign == "_"
    after = text[stop + 1] if stop + 1 < len(text) else " "
    if sign == ".":
        return exact or not after.isalnum() or (after.isupper() and text[stop - 1].isalpha() and not after.isdigit())
    if sign in "(=[":
        return text[stop - 1].isdigit() and sign == "("
    if sign in "@%&":
        return False
    if sign in "/\\":
        return exact or not after.isalnum()
    if sign == "-":
        return exact or not after.isalnum() or (after.isdigit() and text[stop - 1].isalpha())
    if sign == ":":
        return after != ":" and not (after.isdigit() and text[stop - 1].isdigit())
    return True


def _counted_thing(reader: Reader, first: int) -> bool:
    before = reader.token(first - 1) if first else None
    if before is None:
        return False
    if before.text in "#№§" or (before.text in ".:=" and first > 1 and reader.token(first - 2).low in _NUMBERED):
        return True
    return before.low in _NUMBERED


def _assigned(reader: Reader, first: int, end: int) -> bool:
    """Part of a line of code: ``monday = 0``, ``"week" | "month"``, ``[day]``."""
    after, before = reader.token(end).text, reader.token(first - 1).text if first else ""
    quoted = before if end - first == 1 and before in ("'", '"') else ""
    if quoted and after == quoted:
        return True
    if after in ("=", "|", "{", "[", "<", ">") or (after == ":" and reader.token(end + 1).text == "="):
        return True
    return before in ("=", "|", "{", "[", "$", "&", "<", "\\") or before in (
        "let",
        "var",
        "const",
        "def",
        "fn",
        "val",
        "func",
    )


def _adjectival(reader: Reader, first: int, end: int) -> bool:
    """``daily standup bot``, ``weekly report``: what something is called, not when it happens."""
    if end - first != 1 or not reader.means(first, "recur"):
        return False
    token = reader.token(end)
    return token.text[:1].isalpha() and not token.means


def _in_context(reader: Reader, node: Node, first: int, end: int) -> bool:
    """True where something before or after a weak form says that it is a date."""
    token = reader.token(first)
    led = any(reader.means(first - 1, c) is not None for c in _PREPOSED) if first else False
    if _listed(reader, first):
        return token.text[:1].isupper() or token.text.isdigit() or not reader.means(first, "soft")
    if token.text.isdigit() and node.grain == Grain.DAY:
        return _pair(reader, first, end)
    if token.text.isdigit() and node.grain == Grain.YEAR and end - first > 1:
        return _years(reader, first, end)
    if node.grain == Grain.YEAR:
        return _year(reader, first, end)
    if reader.means(first, "month") is not None:
        spanned = end - first == 3 and token.text[:1].isupper() and reader.token(end - 1).text[:1].isupper()
        return spanned or _month(reader, first, end)
    if reader.means(first, "weekday") is not None:
        if (
            node.grain == Grain.DAY
            and end - first > 2
            and any(reader.means(k, "weekday") is not None for k in (end - 1, end - 2))
        ):
            return token.text[:1].isupper()
        leads = _DAYWARD if reader.lexicon.code in ("en", "de") else tuple(c for c in _DAYWARD if c != "from")
        firm = any(reader.means(first - 1, c) is not None for c in leads) if first else False
        return (
            firm
            and short_form_ends(reader, end)
            and token.text[:1].isupper()
            and not (reader.sign(end, ".") and reader.token(end + 1).text[:1].isupper())
        )
    if reader.means(first, "season") is not None:
        if reader.means(first, "soft"):
            return bool(reader.means(first - 1, "art"))
        return led or bool(reader.means(first - 1, "art"))
    if node.grain in (Grain.QUARTER, Grain.HALF):
        return (led or bool(reader.means(first - 1, "art"))) and token.text[:1].isupper()
    return led


def _listed(reader: Reader, first: int) -> bool:
    """The next one of a list: ``20/11, 22/11 or 25/11``, ``June and July``."""
    gap = reader.tokens[reader.last : first] if 0 < reader.last < first <= reader.last + 2 else ()
    return bool(gap) and all(t.text in ",&/" or "and" in t.means or "or" in t.means for t in gap)


def _year(reader: Reader, first: int, end: int) -> bool:
    before = reader.token(first - 1)
    if first and before.text == "(" and (before.gap or first == 1) and reader.sign(end, ")"):
        return True
    means = before.means if first else {}
    if not any(c in means for c in _PREPOSED):
        return False
    if ("to" in means and "until" not in means) or reader.sign(end, "'’"):
        return False
    return year_follows(reader, end)


def _years(reader: Reader, first: int, end: int) -> bool:
    """``2014-2018`` and ``2019/20`` after no word that counts."""
    return year_follows(reader, end)


def _month(reader: Reader, first: int, end: int) -> bool:
    token = reader.token(first)
    means = reader.token(first - 1).means if first else {}
    if reader.means(first, "abbr") and (
        not token.text[:1].isupper() or "for" in means or not short_form_ends(reader, end)
    ):
        return False
    if reader.means(first, "soft"):
        return token.text[:1].isupper() and any(c in means for c in _FIRM)
    if any(c in means for c in _PREPOSED):
        return True
    return ("art" in means and reader.lexicon.code != "es") or (
        "and" in means and reader.means(first - 2, "month") is not None
    )


def _pair(reader: Reader, first: int, end: int) -> bool:
    """Day and month in digits: ``on 22/04``, ``am 22.10.``, ``31.05``."""
    text = reader.text[reader.token(first).start : reader.token(end - 1).end]
    slashed = "/" in text
    if reader.means(end, "pod") or (reader.means(end, "at") and reader.lexicon.code != "es" and not slashed):
        return True
    if not _alone_after(reader, end, slashed):
        return False
    big = max(int(n) for n in re.findall(r"\d+", text))
    if slashed:
        return _slashed(reader, first) or (reader.whole and first == 0 and big > 12 and text != "24/7")
    led = _dotted_lead(reader, first) or any(reader.means(first - 1, c) is not None for c in ("dayref", "earlierin"))
    if not led and first and reader.token(first - 1).text not in ",(–" and not text.endswith("."):
        return False
    if led:
        return text.endswith(".") or reader.lexicon.dotted or len(text) == 5
    if text.endswith("."):
        return (reader.lexicon.dotted and (len(text) > 5 or not reader.ends(end))) or (reader.whole and first == 0)
    return (reader.whole and len(text) >= 4 and text[0] != "0" and text[1] != ".") or (reader.whole and len(text) == 5)


def _slashed(reader: Reader, first: int) -> bool:
    """A word before asks for a day."""
    means = reader.token(first - 1).means if first else {}
    return any(c in means for c in (*_DAYWARD, "weekday", "art", "for"))


def _dotted_lead(reader: Reader, first: int) -> bool:
    """German says *am*, *vom*, *bis* before a day; *in 3.18.* is something else."""
    before = reader.token(first - 1)
    if first == 0:
        return False
    if reader.lexicon.code == "de":
        return before.low in _GERMAN_LEADS or "weekday" in before.means
    return any(c in before.means for c in (*_FIRM, "art", "weekday", "of", "at", "about"))


def _alone_after(reader: Reader, end: int, slashed: bool) -> bool:
    token = reader.token(end)
    if token.low == "of" or (slashed and token.text in "=<>%" and token.text):
        return False
    return not slashed or year_follows(reader, end)
