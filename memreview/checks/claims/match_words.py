"""Identifiers, names and quotes of a claim against the words of a record."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memreview.checks.claims import cues, scan
from memreview.checks.claims.extract import Candidate
from memreview.checks.claims.folding import W, fold, plain_letters
from memreview.checks.claims.hits import Hit, Relation, Rival, places_of
from memreview.checks.claims.names import Name, find_names, name_span, stems
from memreview.checks.claims.postings import ACRONYM
from memreview.checks.claims.records import Witness
from memreview.checks.claims.whole import is_word, lowered, whole
from memreview.model.transcript import Speaker

_GAP = re.compile(r"\s*(?:\.\.\.|…|\[\s*\.\.\.\s*\]|\[…\]|\(\.\.\.\))\s*")
_LONG = 20_000
_WORD_RUN = re.compile(rf"{W}+(?:[ .-]{W}+){{0,6}}")


def identifier_hits(claim: Candidate, witness: Witness) -> Iterator[Hit]:
    """The same characters as a whole name; other case only where no exact one stands."""
    wanted = claim.value
    exact = list(whole(witness.text, wanted, before="-", joins="-"))
    if not exact and "=" in wanted:
        exact = list(_settings(wanted, witness.text))
    elif not exact:
        exact = list(whole(witness.low, lowered(wanted), before="-", joins="-"))
    for start, end in exact:
        yield Hit(witness, start, end, Relation.SAME)


_IS = re.compile(r"\W{1,4}(?:(?:is|to|as|ist|auf|zu|est|à|es|a|=|:)\W{1,3})?", re.IGNORECASE)


def _settings(wanted: str, text: str) -> Iterator[tuple[int, int]]:
    """A name and its value set apart: ``QUAY_MODE to replica``."""
    key, _, value = wanted.partition("=")
    for start, end in whole(text, key, before="-"):
        between = _IS.match(text, end)
        if between and text.startswith(value, between.end()):
            stop = between.end() + len(value)
            if not text[stop : stop + 1] or not is_word(text[stop]):
                yield start, stop


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
    return "word"


def name_hits(claim: Candidate, witness: Witness) -> Iterator[Hit]:
    """The name, its plural or possessive, its acronym or what the acronym stands for."""
    place = name_span(claim.text, witness.plain, stems_of(witness))
    if place is not None:
        spans = list(_starting(witness.low, lowered(claim.text)))
        for start, end in spans or [_near(witness, place)]:
            yield Hit(witness, start, end, Relation.SAME)
    elif isinstance(claim.data, Name) and len(claim.data.initials) > 1:
        for start, end in whole(witness.text, claim.data.initials.upper()):
            yield Hit(witness, start, end, Relation.SAME)
    elif ACRONYM.fullmatch(claim.text):
        joint = rf"{W}*[ -](?:(?:of|the|and|for|de|der|für|und|et|y|la|las)[ -])?"
        for match in re.finditer(rf"(?<!{W}){joint.join(claim.text)}{W}*", witness.text):
            yield Hit(witness, match.start(), match.end(), Relation.SAME)


def _starting(low: str, word: str) -> Iterator[tuple[int, int]]:
    at = low.find(word)
    while at >= 0:
        if at == 0 or not is_word(low[at - 1]):
            yield at, at + len(word)
        at = low.find(word, at + 1)


def _near(witness: Witness, place: tuple[int, int]) -> tuple[int, int]:
    """The place in the text of a word that was found in its plain form."""
    word = witness.plain[slice(*place)]
    for match in _WORD_RUN.finditer(witness.text):
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
        spoken = len(witness.text) < _LONG and witness.speaker is not Speaker.CALL
        witness.parsed["names"] = list(find_names(witness.text)) if spoken else []
    found = witness.parsed["names"]
    assert isinstance(found, list)
    return found


def stems_of(witness: Witness) -> dict[str, tuple[int, int]]:
    """The stem of each word of the plain text, with its first place."""
    if "stems" not in witness.parsed:
        witness.parsed["stems"] = stems(witness.plain)
    found = witness.parsed["stems"]
    assert isinstance(found, dict)
    return found


def quote_hits(claim: Candidate, witness: Witness) -> Iterator[Hit]:
    """The words in order and without a break; a gap that is shown may leave out anything but a denial."""
    parts = [part.strip(" .,;:!?。、") for part in _GAP.split(fold(claim.text).replace(" & ", " and "))]
    parts = [part for part in parts if part]
    body, at, first = witness.folded.replace(" & ", " and "), 0, -1
    for number, part in enumerate(parts):
        place = next((p for p in whole(body, part) if p[0] >= at), None)
        if place is None or (number and cues.NEGATION.search(body[at : place[0]])):
            return
        first = place[0] if number == 0 else first
        at = place[1]
    if parts and not _turned_by_ending(parts[-1], body[at : at + 3]):
        yield Hit(witness, *_unfolded(witness.text, parts[0], first), Relation.SAME)


def _turned_by_ending(part: str, after: str) -> bool:
    """True where Japanese goes on with a denial right behind the quoted words."""
    return bool(re.match(r"ない|ません|なく", after)) and not part.endswith(("。", "！"))


def _unfolded(text: str, part: str, guess: int) -> tuple[int, int]:
    """Where a folded part stands in the text itself, as nearly as can be told."""
    word = re.search(r"\w+", part)
    if word:
        matches = [start for start, _ in _starting(lowered(text), word.group())]
        if matches:
            start = min(matches, key=lambda m: abs(m - guess))
            return start, min(len(text), start + len(part))
    start = min(max(0, guess), max(0, len(text) - 1))
    return start, max(start + 1, min(len(text), start + len(part)))


def quote_rivals(claim: Candidate, witness: Witness) -> Iterator[Rival]:
    """A quote has no rivals."""
    return iter(())
