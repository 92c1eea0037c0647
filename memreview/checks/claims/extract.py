"""Claims of added lines, from left to right; the first finder owns its characters.

Order: secret · quote · url · code span or command · path · host · date, time, range · hash, uuid · version ·
identifier · a/b · number · name. Modality and wording are claims of whole clauses and are found apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from functools import lru_cache

from memreview.checks.claims import scan
from memreview.checks.claims.dates import DateMatch
from memreview.checks.claims.dates import value as date_value
from memreview.checks.claims.folding import fold
from memreview.checks.claims.markdown import Line, Shape, read_lines
from memreview.checks.claims.names import Name, find_names
from memreview.checks.claims.quantities import Quantity, find_quantities
from memreview.checks.claims.records import Secrets
from memreview.checks.claims.whens import SOME_DAY, find_whens
from memreview.model.claim import ClaimKind

_QUOTE = re.compile(
    r"“([^”\n]{3,})”|„([^“”\n]{3,})[“”]|«\s?([^»\n]{3,}?)\s?»|「([^」\n]{2,})」|(?<![\w\"])\"([^\"\n]{3,})\"(?![\w\"])"
)
_SPEAKS = re.compile(
    r"(?:\b(?:user|said|says|quote|wrote|told|asked|nutzer|sagte|sagt)\b[^.]{0,24}|:)\s*$", re.IGNORECASE
)
_COMMAND_LEAD = re.compile(r"^\s*(?:\$|>|%|#)\s+")
_WORD_BEFORE = re.compile(r"([^\W\d_]{2,})[ \"'`(]{1,3}$")
_PLAIN_AMOUNT = re.compile(r"[~≈]?\d[\d.,_]*\s?(?:[a-zA-Zµ%]{1,12})?")
_SETTING = re.compile(r"^([A-Za-z_][\w.-]*)\s*[=:]\s*(\S+)$")
_REFERENCE = re.compile(
    r"\b(?:step|phase|section|chapter|item|option|figure|appendix|schritt|abschnitt|kapitel|punkt|étape|section|"
    r"paso|sección)\s*$",
    re.IGNORECASE,
)
_NO_WORD = re.compile(r"^[\W_]+$")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A claim before it is judged. ``data`` is the parsed value of its kind, ``before`` the word in front of it.

    ``fixed`` is the same date counted from a day that all relative dates can be counted from.
    """

    line: int
    start: int
    end: int
    text: str
    kind: ClaimKind
    value: str
    data: Quantity | DateMatch | Name | None = None
    in_code: bool = False
    before: str = ""
    fixed: DateMatch | None = None

    @property
    def weak(self) -> bool:
        """True for a capitalised word that may be none but a word."""
        return isinstance(self.data, Name) and self.data.weak


Finder = Callable[[str], Iterable[scan.Place]]
_SIMPLE: tuple[tuple[ClaimKind, Finder], ...] = (
    (ClaimKind.HASH, scan.find_hashes),
    (ClaimKind.VERSION, scan.find_versions),
    (ClaimKind.IDENTIFIER, scan.find_identifiers),
    (ClaimKind.NUMBER, scan.find_ratios),
)


class _Line:
    """The places of one line that are owned already."""

    def __init__(self, number: int, line: Line, secrets: Sequence[tuple[int, int]]) -> None:
        self.number, self.line, self.text = number, line, line.text
        self.taken: list[tuple[int, int]] = list(line.masked)
        self.found: list[Candidate] = []
        for start, end in secrets:
            self.own(start, end, ClaimKind.SECRET, "")

    def free(self, start: int, end: int) -> bool:
        return not any(start < e and s < end for s, e in self.taken)

    def own(
        self,
        start: int,
        end: int,
        kind: ClaimKind,
        value: str,
        data: Quantity | DateMatch | Name | None = None,
        in_code: bool = False,
        fixed: DateMatch | None = None,
    ) -> None:
        if start < end and self.free(start, end):
            self.taken.append((start, end))
            word = _WORD_BEFORE.search(self.text[max(0, start - 40) : start])
            before = word.group(1) if word else ""
            text = self.text[start:end]
            self.found.append(Candidate(self.number, start, end, text, kind, value, data, in_code, before, fixed))


def extract(
    lines: Sequence[str],
    anchor: datetime | None = None,
    zone: tzinfo | None = None,
    secrets: Secrets | None = None,
) -> list[Candidate]:
    """All value claims of the lines, in order. ``anchor`` is when the note was written, where that is known."""
    found: list[Candidate] = []
    hidden = _by_line(lines, secrets) if secrets is not None else {}
    for number, line in enumerate(read_lines(lines)):
        own = _claims_of(line, anchor, zone, tuple(hidden.get(number, ())))
        found.extend(replace(candidate, line=number) if number else candidate for candidate in own)
    return found


@lru_cache(maxsize=1024)
def _claims_of(
    line: Line, anchor: datetime | None, zone: tzinfo | None, hidden: tuple[tuple[int, int], ...]
) -> tuple[Candidate, ...]:
    """The claims of one line, as if it were the first: headings and old lines are asked for many changes."""
    row = _Line(0, line, hidden)
    if line.shape is Shape.CODE:
        _code_line(row)
    elif line.shape is not Shape.SILENT:
        _text_line(row, anchor, zone)
    return tuple(sorted(row.found, key=lambda c: c.start))


def _by_line(lines: Sequence[str], secrets: Secrets) -> dict[int, list[tuple[int, int]]]:
    """Secrets of all lines together, as a key may run over many, by line."""
    found: dict[int, list[tuple[int, int]]] = {}
    spans = secrets("\n".join(lines))
    at = 0
    for number, line in enumerate(lines):
        for start, end in spans:
            left, right = max(start - at, 0), min(end - at, len(line))
            if left < right and line[left:right].strip():
                found.setdefault(number, []).append((left, right))
        at += len(line) + 1
    return found


def _code_line(row: _Line) -> None:
    body = _COMMAND_LEAD.sub("", row.text).strip()
    start = row.text.find(body)
    if body and not _NO_WORD.match(body):
        row.own(start, start + len(body), ClaimKind.COMMAND, body, in_code=True)


def _text_line(row: _Line, anchor: datetime | None, zone: tzinfo | None) -> None:
    text = row.text
    code = list(scan.find_code(text))
    _quotes(row, code)
    for place in scan.find_urls(text):
        row.own(place.start, place.end, ClaimKind.URL, place.value)
    for place in code:
        kind, value = code_kind(place.text)
        row.own(place.start, place.end, kind, value, _code_data(kind, place.text), in_code=True)
    for place in scan.find_hosts(text):
        row.own(place.start, place.end, ClaimKind.HOST, place.value)
    _paths_and_dates(row, anchor, zone)
    for kind, finder in _SIMPLE:
        for place in finder(text):
            row.own(place.start, place.end, kind, place.value)
    for quantity in find_quantities(text, row.taken):
        if not quantity.trivial and not _REFERENCE.search(text[: quantity.start]):
            row.own(quantity.start, quantity.end, ClaimKind.NUMBER, quantity.normal(), quantity)
    if row.line.shape is not Shape.HEADING:
        for name in find_names(text, row.line.body):
            row.own(name.start, name.end, ClaimKind.NAME, fold(name.text), name)


def _paths_and_dates(row: _Line, anchor: datetime | None, zone: tzinfo | None) -> None:
    """Paths before dates, which may stand in them; but 04/11/2026 is a date."""
    dates = [date for date in find_whens(row.text, anchor, zone) if date.kind != "duration"]
    fixed = {date.start: date for date in find_whens(row.text, SOME_DAY)} if any(d.relative for d in dates) else {}
    for date in dates:
        if "/" in date.text:
            _own_date(row, date, fixed.get(date.start))
    for place in scan.find_paths(row.text):
        if not re.fullmatch(r"[\d/.:-]+", place.text):
            row.own(place.start, place.end, ClaimKind.PATH, place.value)
    for date in dates:
        _own_date(row, date, fixed.get(date.start))


def _own_date(row: _Line, date: DateMatch, fixed: DateMatch | None) -> None:
    kind = ClaimKind.TIME if date.kind == "time" else ClaimKind.DATE
    row.own(date.start, date.end, kind, date_value(date), date, fixed=fixed or date)


def _quotes(row: _Line, code: Sequence[scan.Place]) -> None:
    for match in _QUOTE.finditer(row.text, row.line.body):
        body = next(group for group in match.groups() if group)
        if any(place.start < match.end() and match.start() < place.end for place in code):
            continue
        start = row.text.find(body, match.start())
        words = len(body.split())
        if (
            words > 2
            or (words == 2 and _SPEAKS.search(row.text[: match.start()]))
            or (not body.isascii() and len(body) > 8)
        ):
            row.own(start, start + len(body), ClaimKind.QUOTE, fold(body))


def code_kind(body: str) -> tuple[ClaimKind, str]:
    """What a code span is, and its normal form."""
    setting = _SETTING.match(body)
    if setting and "://" not in body and not re.fullmatch(r"[\w.-]+:\d+", body):
        return ClaimKind.IDENTIFIER, f"{setting.group(1)}={setting.group(2)}"
    if " " in body:
        return ClaimKind.COMMAND, body
    for kind, finder in (
        (ClaimKind.URL, scan.find_urls),
        (ClaimKind.HOST, scan.find_hosts),
        (ClaimKind.HASH, scan.find_hashes),
    ):
        for place in finder(body):
            if place.end == len(body) and (place.start == 0 or kind is ClaimKind.HASH):
                return kind, place.value
    for place in scan.find_paths(body):
        if place.start == 0 and place.end >= len(body.rstrip("/")):
            return ClaimKind.PATH, place.value
    if re.fullmatch(r"[\^~<>=v ]*\d+(?:\.\d+){1,3}[\w.+-]*", body):
        return ClaimKind.VERSION, body.lstrip("^~<>=v ")
    if _PLAIN_AMOUNT.fullmatch(body) and (found := find_quantities(body)):
        return ClaimKind.NUMBER, found[0].normal()
    return ClaimKind.IDENTIFIER, body.removesuffix("()")


def _code_data(kind: ClaimKind, body: str) -> Quantity | None:
    if kind is ClaimKind.NUMBER:
        found = find_quantities(body)
        return found[0] if found else None
    return None
