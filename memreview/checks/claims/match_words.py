"""Identifiers, names and quotes of a claim against the words of a record."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memreview.checks.claims import cues, scan
from memreview.checks.claims.extract import Candidate
from memreview.checks.claims.folding import W, fold, plain_letters
from memreview.checks.claims.hits import Hit, Relation, Rival, places_of
from memreview.checks.claims.names import Name, find_names, name_span
from memreview.checks.claims.records import Witness

_GAP = re.compile(r"\s*(?:\.\.\.|…|\[\s*\.\.\.\s*\]|\[…\]|\(\.\.\.\))\s*")
_LONG = 20_000


def identifier_hits(claim: Candidate, witness: Witness) -> Iterator[Hit]:
    """The same characters as a whole name; other case only where no exact one stands."""
    wanted = claim.value
    escaped = re.escape(wanted)
    found = False
    for match in re.finditer(rf"(?<!{W})(?<!-){escaped}(?!{W}|-\w)", witness.text):
        found = True
        yield Hit(witness, match.start(), match.end(), Relation.SAME)
    if found:
        return
    if "=" in wanted:
        key, _, value = wanted.partition("=")
        words = r"(?:is|to|as|ist|auf|zu|est|à|es|a|=|:)"
        pattern = rf"(?<!{W})(?<!-){re.escape(key)}\W{{1,4}}(?:{words}\W{{1,3}})?{re.escape(value)}(?!{W})"
        for match in re.finditer(pattern, witness.text):
            yield Hit(witness, match.start(), match.end(), Relation.SAME)
        return
    for match in re.finditer(rf"(?<!{W})(?<!-){escaped}(?!{W}|-\w)", witness.text, re.IGNORECASE):
        yield Hit(witness, match.start(), match.end(), Relation.SAME)


def identifier_rivals(claim: Candidate, witness: Witness) -> Iterator[Rival]:
    """Other names of the same shape."""
    shape = identifier_shape(claim.value)
    for place in places_of(witness, "identifiers", scan.find_identifiers):
        if place.value != claim.value and identifier_shape(place.value) == shape:
            yield Rival(witness, place.start, place.end, place.text)


def identifier_shape(value: str) -> str:
    """What sort of identifier it is; only those of one sort compete."""
    if value.startswith("-"):
        return "flag"
    if re.fullmatch(r"[A-Z][A-Z0-9]+-\d+|#\d+", value):
        return "ticket"
    if "=" in value:
        return "setting:" + value.partition("=")[0]
    return "snake" if "_" in value else "word"


def name_hits(claim: Candidate, witness: Witness) -> Iterator[Hit]:
    """The name, its plural or possessive, its acronym or what the acronym stands for."""
    place = name_span(claim.text, witness.plain, stems_of(witness))
    if place is not None:
        spans = [m.span() for m in re.finditer(rf"(?<!{W}){re.escape(claim.text)}", witness.text, re.IGNORECASE)]
        for start, end in spans or [_near(witness, place)]:
            yield Hit(witness, start, end, Relation.SAME)
    elif isinstance(claim.data, Name) and len(claim.data.initials) > 1:
        for match in re.finditer(rf"(?<!{W}){claim.data.initials.upper()}(?!{W})", witness.text):
            yield Hit(witness, match.start(), match.end(), Relation.SAME)


def _near(witness: Witness, place: tuple[int, int]) -> tuple[int, int]:
    """The place in the text of a word that was found in its plain form."""
    word = witness.plain[slice(*place)]
    for match in re.finditer(rf"{W}+(?:[ .-]{W}+){{0,6}}", witness.text):
        start = plain_letters(match.group()).find(word)
        if start >= 0:
            return match.start(), match.end()
    size = len(witness.text)
    return min(place[0], max(0, size - 1)), max(1, min(place[1], size))


def name_rivals(claim: Candidate, witness: Witness) -> Iterator[Rival]:
    """Other names."""
    own = plain_letters(claim.text)
    for name in names_of(witness):
        if plain_letters(name.text) != own:
            yield Rival(witness, name.start, name.end, name.text)


def names_of(witness: Witness) -> list[Name]:
    """The capitalised words of a record, read once; long tool output has none that would mean anything."""
    if "names" not in witness.parsed:
        witness.parsed["names"] = list(find_names(witness.text)) if len(witness.text) < _LONG else []
    found = witness.parsed["names"]
    assert isinstance(found, list)
    return found


def stems_of(witness: Witness) -> dict[str, tuple[int, int]]:
    """The stem of each word of the plain text, with its first place."""
    from memreview.checks.claims.names import stems

    if "stems" not in witness.parsed:
        witness.parsed["stems"] = stems(witness.plain)
    found = witness.parsed["stems"]
    assert isinstance(found, dict)
    return found


def quote_hits(claim: Candidate, witness: Witness) -> Iterator[Hit]:
    """The words in order and without a break; a gap that is shown may leave out anything but a denial."""
    parts = [part.strip(" .,;:!?。、") for part in _GAP.split(fold(claim.text))]
    parts = [part for part in parts if part]
    body, at, first = witness.folded, 0, -1
    for number, part in enumerate(parts):
        match = re.compile(rf"(?<!{W}){re.escape(part)}(?!{W})").search(body, at)
        if not match or (number and cues.NEGATION.search(body[at : match.start()])):
            return
        first = match.start() if number == 0 else first
        at = match.end()
    if parts and not _turned_by_ending(parts[-1], body[at : at + 3]):
        yield Hit(witness, *_unfolded(witness.text, parts[0], first), Relation.SAME)


def _turned_by_ending(part: str, after: str) -> bool:
    """True where Japanese goes on with a denial right behind the quoted words."""
    return bool(re.match(r"ない|ません|なく", after)) and not part.endswith(("。", "！"))


def _unfolded(text: str, part: str, guess: int) -> tuple[int, int]:
    """Where a folded part stands in the text itself, as nearly as can be told."""
    word = re.search(r"\w+", part)
    if word:
        matches = [m.start() for m in re.finditer(re.escape(word.group()), text, re.IGNORECASE)]
        if matches:
            start = min(matches, key=lambda m: abs(m - guess))
            return start, min(len(text), start + len(part))
    start = min(max(0, guess), max(0, len(text) - 1))
    return start, max(start + 1, min(len(text), start + len(part)))


def quote_rivals(claim: Candidate, witness: Witness) -> Iterator[Rival]:
    """A quote has no rivals."""
    return iter(())
