"""Numbers with their units, in digits and in words, brought to one amount.

``1,234`` = ``1 234`` = ``1234`` = ``1.234`` (a thousand in German) are kept as alternatives; ``5k``, ``1.5M``, ``%``,
money, durations, sizes and other units are brought to a base unit. What only looks like a number is passed over:
stamps, clock times, addresses, dotted versions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from memreview.checks.claims.folding import W
from memreview.checks.claims.numberwords import worded_numbers
from memreview.checks.claims.scan import found_near
from memreview.checks.claims.units import symbol, unit

HEDGES = re.compile(
    r"(?:\b(?:about|around|roughly|approx(?:imately)?\.?|nearly|almost|some|close to|circa|ca\.?|etwa|ungefähr|rund|"
    r"knapp|gut|environ|"
    r"presque|unos|unas|casi|cerca de|aproximadamente|alrededor de|more than|over|under|less than|up to|at least|"
    r"at most|fast|mehr als|über|"
    r"unter|bis zu|mindestens|höchstens|plus de|moins de|au moins|au plus|más de|menos de|al menos|hasta|an die)|"
    r"[~≈≃]|約|约|大约|およそ)\s*$",
    re.IGNORECASE,
)
_SCALE = {
    **dict.fromkeys(("k", "K", "thousand", "tsd", "tausend", "mille", "mil"), 3),
    **dict.fromkeys(("M", "mio", "million", "millions", "millionen", "millones", "millón"), 6),
    **dict.fromkeys(("B", "bn", "billion", "billions", "mrd", "milliarde", "milliarden", "milliard", "milliards"), 9),
}
_DIGITS = r"\d{1,3}(?:[,.'’\u00a0\u202f]\d{3})+(?:[.,]\d+)?|\d{1,3}(?: \d{3})+(?![\d])(?:[.,]\d+)?|\d+(?:[.,]\d+)?"
_NO_NUMBER = (
    r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?"
    r"|\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?!\d)"
    r"|\d{1,3}(?:\.\d{1,3}){3}(?:[:/]\d+)?"
    r"|\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})(?!\d)"
    r"|\d+\.\d+\.(?!\d{3}(?!\d))\d[\w.-]*"
    r"|[a-z][a-z0-9+.-]{1,12}://\S+"
)
_NUMBER = re.compile(
    rf"(?P<none>(?<![\d.,]){_NO_NUMBER})|"
    rf"(?<!{W})(?<![.,/#])(?<!\w:)(?:(?<!-)|(?<=\d-))(?P<sign>[-−+±](?=\d))?(?P<money>[€$£¥]\s?)?(?P<digits>{_DIGITS})"
    rf"(?P<scale>(?:k|K|M|bn|B)(?!{W})|\s?(?:millions?|millionen|millones|billions?|thousand|tausend|mio\.?|mrd\.?|"
    rf"tsd\.?|milliarden?|milliards?)(?!{W}))?"
    rf"(?P<unit>\s?[%€$£]|\s?(?:percent|prozent|per cent|pct|pour cent|por ciento)(?!{W})|\s?°\s?[CF]?(?!{W})|"
    rf"[ \u00a0\u202f-]?[A-Za-zµäöüñíé]{{1,14}}(?:/s)?(?!{W})"
    r"|\s?(?:秒|分钟|分(?!割|析|别)|時間|小时|日間|天|週間|周|个月|ヶ月|か月|年間|日元|人民币|元|円|％|度))?"
    rf"(?!{W})(?![.,]\d)(?!:\d)",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_BEFORE_DIGIT = 2
"""Characters before the first digit with which a number may begin: a currency and a blank, or a sign."""
_COMPACT = re.compile(rf"(?<!{W})(?:(\d+)d)?\s?(?:(\d+)h)?\s?(?:(\d+)m(?:in)?)?\s?(?:(\d+(?:[.,]\d+)?)s)?(?!{W})")
_PORT = re.compile(
    r"(?<![\w.:/-])(?:\d{1,3}(?:\.\d{1,3}){3}|localhost|\*|[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)*)?"
    r"(?<!\.py)(?<!\.js)(?<!\.ts)(?<!\.go)(?<!\.rs)(?<!\.c)(?<!\.h)(?<!\.cpp)(?<!\.rb)(?<!\.md)(?<!\.java)(?<!\.toml)(?<!\.ini)"
    r":(\d{2,5})(?![\w:]|\.\d)",
    re.IGNORECASE,
)
_PORT_DIGITS = re.compile(r":\d{2,5}(?![\w:]|\.\d)")
_HALF = re.compile(
    r"\b(?:(?P<half>half an?|half of an?|(?:eine[rn]? )?halbe[nr]?|une demi|demi|media) ?-?(?P<a>[^\W\d_]+)"
    r"|(?P<quarter>(?:a )?quarter of an?|(?:eine[rn]? )?viertel|un quart d'|un cuarto de) ?(?P<b>[^\W\d_]+)"
    r"|(?P<more>one and a half|anderthalb|eineinhalb|an? (?P<d>hour|minute|day|week|year) and a half|"
    r"une? (?P<e>heure|jour) et demie?) ?(?P<c>[^\W\d_]+)?)",
    re.IGNORECASE,
)
_PARTED = re.compile(r"hal[fb]|demi|media|quart|viertel|cuarto|anderthalb")
_SHARES = (("half", "0.5"), ("quarter", "0.25"), ("more", "1.5"))
_GROUPED = re.compile(r"\d{1,3}(?:[,. '’\u00a0\u202f]\d{3})+(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number in a text.

    ``amounts`` are its possible values in the base unit of ``dimension`` (``time`` in seconds, ``bytes``, ``percent``,
    ``money:eur`` …, or empty for a bare number); ``bare`` the same as written, without the unit. ``noun`` is the stem
    of the word after it, ``step`` the size of its last digit in the base unit: what rounding it may hide.
    """

    start: int
    end: int
    text: str
    amounts: tuple[Decimal, ...]
    dimension: str = ""
    noun: str = ""
    hedged: bool = False
    step: Decimal = field(default=Decimal(1))
    bare: tuple[Decimal, ...] = ()
    worded: bool = False

    @property
    def small(self) -> bool:
        """True for a whole number up to twelve without a unit, which means little without its context."""
        return not self.dimension and all(a == a.to_integral_value() and abs(a) <= 12 for a in self.amounts)

    @property
    def trivial(self) -> bool:
        """True for 0 and 1 without a unit: no claim."""
        return not self.dimension and all(a in (0, 1) for a in self.amounts)

    def normal(self) -> str:
        """The amount in its base unit, alternatives separated by ``|``."""
        return "|".join(f"{_plain(a)}{symbol(self.dimension)}" for a in self.amounts)


def _plain(amount: Decimal) -> str:
    text = format(amount.normalize(), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def same(claim: Quantity, found: Quantity) -> bool:
    """Equal amounts of one dimension; a bare number equals the same number before any unit."""
    if claim.dimension == found.dimension:
        return not set(claim.amounts).isdisjoint(found.amounts)
    if claim.dimension and found.dimension:
        return False
    return not set(claim.bare).isdisjoint(found.bare)


def rounds(claim: Quantity, found: Quantity, *, always: bool = False) -> bool:
    """True where the hedged claim is the found amount rounded to the claim's last digit that is not zero.

    With ``always`` no hedge is asked for, and only what is written with fewer digits counts as rounded.
    """
    if always:
        if claim.dimension != found.dimension or claim.step <= found.step:
            return False
        return any(0 < abs(a - b) < claim.step for a in claim.amounts for b in found.amounts)
    if not claim.hedged or (claim.dimension != found.dimension and claim.dimension and found.dimension):
        return False
    mine, theirs = (claim.amounts, found.amounts) if claim.dimension == found.dimension else (claim.bare, found.bare)
    for a in mine:
        for b in theirs:
            if abs(a - b) <= max(claim.step, _last_digit(a)) / 2 or (b and abs(a - b) / abs(b) <= Decimal("0.05")):
                return True
    return False


def _last_digit(amount: Decimal) -> Decimal:
    exponent = amount.normalize().as_tuple().exponent
    return Decimal(1).scaleb(exponent) if isinstance(exponent, int) else Decimal(1)


def readings(digits: str) -> tuple[Decimal, ...]:
    """Every amount that the digits may stand for."""
    found: dict[Decimal, None] = {}
    text = re.sub(r"[\s'’\u00a0\u202f]", "", digits)
    forms = [text.replace(",", ".")]
    if _GROUPED.fullmatch(digits):
        last = max(text.rfind(","), text.rfind("."))
        head, tail = text[:last], text[last + 1 :]
        forms = []
        if len(tail) == 3 or last < 0:
            forms.append(re.sub(r"[,.]", "", text))
        if last >= 0 and (len(tail) != 3 or text.count(",") + text.count(".") == 1):
            forms.append(re.sub(r"[,.]", "", head) + "." + tail)
    for form in forms:
        try:
            found.setdefault(Decimal(form))
        except InvalidOperation:
            continue
    return tuple(found)


def find_quantities(text: str, taken: Sequence[tuple[int, int]] = ()) -> list[Quantity]:
    """Numbers of a text from left to right; places in ``taken`` belong to other claims and are left out."""
    found: list[Quantity] = []
    # An address may begin long before its first digit.
    near = _NUMBER.finditer(text) if "://" in text else found_near(_NUMBER, text, _DIGIT, _BEFORE_DIGIT)
    for match in near:
        start, end = match.span("digits")
        if start < 0 or any(start < e and s < end for s, e in taken):
            continue
        quantity = _quantity(text, match)
        if quantity is not None:
            found.append(quantity)
            if " " in match["digits"]:
                found.extend(_apart(text, match))
    busy = [*taken, *((q.start, q.end) for q in found)]
    for number in worded_numbers(text):
        if not any(number.start < e and s < number.end for s, e in busy):
            found.append(_from_words(text, number.start, number.end, number.amount, number.after))
    found.extend(_compact(text, taken))
    found.extend(_ports(text, taken))
    found.extend(_halves(text, taken))
    found.sort(key=lambda q: (q.start, -q.end))
    return _joined(found, text)


@lru_cache(maxsize=2048)
def numbers_of(text: str) -> list[Quantity]:
    """All numbers of a text: lines of a memory and of a change are read for several questions."""
    return find_quantities(text)


def _apart(text: str, match: re.Match[str]) -> list[Quantity]:
    """Digits with blanks between may be columns as well as one number."""
    out = []
    for part in re.finditer(r"\d+", match["digits"]):
        start = match.start("digits") + part.start()
        amount = Decimal(part.group())
        out.append(Quantity(start, start + len(part.group()), part.group(), (amount,), bare=(amount,)))
    return out


def _compact(text: str, taken: Sequence[tuple[int, int]]) -> list[Quantity]:
    """Durations written without blanks: ``6m40s``, ``1h30``."""
    out = []
    for match in _COMPACT.finditer(text) if re.search(r"\d[dhm]\s?\d", text) else ():
        parts = [part for part in match.groups() if part]
        if len(parts) < 2 or any(match.start() < e and s < match.end() for s, e in taken):
            continue
        sizes = (86400, 3600, 60, 1)
        total = sum(
            (Decimal(p.replace(",", ".")) * n for p, n in zip(match.groups(), sizes, strict=True) if p), Decimal(0)
        )
        out.append(Quantity(match.start(), match.end(), match.group(), (total,), "time", bare=(total,)))
    return out


def _ports(text: str, taken: Sequence[tuple[int, int]]) -> list[Quantity]:
    """The port behind a host or alone behind a colon: ``0.0.0.0:8080``, ``listening on :8080``."""
    out = []
    for match in _PORT.finditer(text) if _PORT_DIGITS.search(text) else ():
        start, end = match.span(1)
        if not any(start < e and s < end for s, e in taken):
            amount = Decimal(match.group(1))
            out.append(Quantity(start, end, match.group(1), (amount,), bare=(amount,)))
    return out


def _halves(text: str, taken: Sequence[tuple[int, int]]) -> list[Quantity]:
    """Half an hour, an hour and a half, eine Viertelstunde."""
    out = []
    for match in _HALF.finditer(text) if _PARTED.search(text.lower()) else ():
        share = next(Decimal(size) for name, size in _SHARES if match[name])
        dimension, factor, _noun = unit(next((g for g in map(match.group, "abdec") if g), ""))
        if dimension and not any(match.start() < e and s < match.end() for s, e in taken):
            amount = (share * factor,)
            hedged = bool(HEDGES.search(text[max(0, match.start() - 20) : match.start()]))
            out.append(
                Quantity(match.start(), match.end(), match.group(), amount, dimension, "", hedged, factor, amount, True)
            )
    return out


def _quantity(text: str, match: re.Match[str]) -> Quantity | None:
    digits = match["digits"]
    bare = readings(digits)
    if not bare:
        return None
    factor, dimension, noun, end = Decimal(1), "", "", match.end("digits")
    if match["scale"]:
        scale = match["scale"].strip()
        factor = Decimal(10) ** _SCALE.get(scale, _SCALE.get(scale.rstrip(".").lower(), 0))
        end = match.end("scale")
        bare = (Decimal(digits.replace(",", ".")),) if re.fullmatch(r"\d+(?:[.,]\d+)?", digits) else bare
        bare = tuple(a * factor for a in bare)
    step = factor
    if match["unit"]:
        dimension, size, noun = unit(re.sub(r"\s", "", match["unit"]) if "°" in match["unit"] else match["unit"])
        if dimension:
            factor, end = factor * size, match.end("unit")
            step = step * size
            bare_amounts = tuple(a * size for a in bare)
        else:
            bare_amounts = bare
    else:
        bare_amounts = bare
    if match["money"]:
        dimension, bare_amounts = unit(match["money"])[0], bare
    if match["sign"] in ("-", "−"):
        bare, bare_amounts = tuple(-a for a in bare), tuple(-a for a in bare_amounts)
    start = match.start("money") if match["money"] else match.start("digits")
    decimals = len(digits) - digits.rfind(".") - 1 if "." in digits and len(bare) == 1 and bare[0] % 1 else 0
    hedged = bool(HEDGES.search(text[max(0, start - 20) : start]))
    return Quantity(
        start, end, text[start:end], bare_amounts, dimension, noun, hedged, step / (Decimal(10) ** decimals), bare
    )


def _from_words(text: str, start: int, end: int, number: int, after: tuple[int, int] | None) -> Quantity:
    amount, factor, dimension, noun = Decimal(number), Decimal(1), "", ""
    if after is not None:
        dimension, factor, noun = unit(text[slice(*after)])
        if dimension:
            end = after[1]
    hedged = bool(HEDGES.search(text[max(0, start - 20) : start]))
    return Quantity(start, end, text[start:end], (amount * factor,), dimension, noun, hedged, factor, (amount,), True)


_BETWEEN = re.compile(r"\s*(?:,|and|und|et|y)?\s*")


def _joined(found: list[Quantity], text: str) -> list[Quantity]:
    """Compound durations (11 minutes 2 seconds) become one quantity; what lies inside of another is left out."""
    out: list[Quantity] = []
    for q in found:
        last = out[-1] if out else None
        if last and q.start < last.end and last.dimension == "time" and q.end <= last.end:
            continue
        if (
            last
            and last.dimension == q.dimension == "time"
            and last.end <= q.start
            and _BETWEEN.fullmatch(text[last.end : q.start])
            and q.amounts[0] < last.step
        ):
            whole = text[last.start : q.end]
            total = last.amounts[0] + q.amounts[0]
            out[-1] = replace(last, end=q.end, text=whole, amounts=(total,), bare=(total,), step=q.step)
        else:
            out.append(q)
    return out
