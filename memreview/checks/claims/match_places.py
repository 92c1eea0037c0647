"""Addresses, paths, hosts and hashes of a claim against those of a record."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memreview.checks.claims import scan
from memreview.checks.claims.extract import Candidate
from memreview.checks.claims.hits import Hit, Relation, Rival, places_of
from memreview.checks.claims.records import Witness
from memreview.checks.claims.whole import whole
from memreview.model.transcript import Speaker

_AT = re.compile(r":\d")
_HEX = re.compile(r"(?<![0-9a-zA-Z])[0-9a-fA-F][0-9a-fA-F-]{5,63}")
_LINE_AFTER = re.compile(r"\W{0,3}(?:\b(?:line|zeile|l\.?|ligne|línea)\b|行)?\W{0,2}(\d+)", re.IGNORECASE)
_BACKSLASH = re.compile(r"(?<=[\w.])\\{1,2}(?=[\w.])")


def url_hits(claim: Candidate, witness: Witness) -> Iterator[Hit]:
    """The same address, or the address without a query or a place in the page."""
    for place in places_of(witness, "urls", scan.find_urls):
        if place.value == claim.value:
            yield Hit(witness, place.start, place.end, Relation.SAME)
        elif place.value.startswith((f"{claim.value}?", f"{claim.value}#", f"{claim.value}/?", f"{claim.value}/#")):
            yield Hit(witness, place.start, place.end, Relation.COARSER)


def url_rivals(claim: Candidate, witness: Witness) -> Iterator[Rival]:
    """Other addresses."""
    for place in places_of(witness, "urls", scan.find_urls):
        if place.value != claim.value:
            yield Rival(witness, place.start, place.end, place.text)


def _segments(path: str) -> tuple[list[str], str]:
    body, _, place = path.partition(":") if _AT.search(path) else (path, "", "")
    return [s for s in body.strip("/").split("/") if s not in ("~", ".")], place


def same_path(wanted: str, found: str) -> bool:
    """Whole segments from the end are equal, with equal parents as far as both name them; or a folder on the way."""
    a, at = _segments(wanted)
    b, place = _segments(found)
    if not a or not b or len(b) < len(a):
        return False
    if b[-len(a) :] != a and not any(b[i : i + len(a)] == a for i in range(len(b) - len(a))):
        return False
    return not at or at == place or at == re.split(r"[:-]", place)[0]


def _paths(witness: Witness) -> list[scan.Place]:
    if "paths" not in witness.parsed:
        text = witness.text
        if "\\" in text and witness.speaker is not Speaker.CALL:
            text = _BACKSLASH.sub(lambda m: "/" * len(m.group()), text)
        witness.parsed["paths"] = list(scan.find_paths(text))
    return places_of(witness, "paths", scan.find_paths)


def path_hits(claim: Candidate, witness: Witness) -> Iterator[Hit]:
    """The same path or a longer one that ends in it; the line in the file may be set apart."""
    body, _, at = claim.value.partition(":") if _AT.search(claim.value) else (claim.value, "", "")
    if body.rstrip("/").rpartition("/")[2].lower() not in witness.low:
        return
    for place in _paths(witness):
        if same_path(claim.value, place.value):
            yield Hit(witness, place.start, place.end, Relation.SAME)
        elif at and same_path(body, place.value):
            line = _LINE_AFTER.match(witness.text, place.end)
            if line and line.group(1) == at.split(":")[0].split("-")[0]:
                yield Hit(witness, place.start, place.end, Relation.SAME)
    if not at:
        for start, end in whole(witness.text, body, before=".-", after="-", joins="."):
            if start == 0 or witness.text[start - 1] != "/" or "/" not in body:
                yield Hit(witness, start, end, Relation.SAME)
    yield from _below_cd(body, witness)


def _below_cd(body: str, witness: Witness) -> Iterator[Hit]:
    """A listing in a folder that the call before it changed into."""
    parts = body.strip("/").split("/")
    if witness.cwd is None or len(parts) < 2:
        return
    folder = [part for part in witness.cwd.strip("/").split("/") if part not in (".", "~")]
    for cut in range(1, len(parts)):
        if folder[-cut:] == parts[:cut]:
            for start, end in whole(witness.text, "/".join(parts[cut:]), before="./-", after="-", joins="."):
                yield Hit(witness, start, end, Relation.SAME)


def path_rivals(claim: Candidate, witness: Witness) -> Iterator[Rival]:
    """Other paths."""
    for place in _paths(witness):
        if not same_path(claim.value, place.value):
            yield Rival(witness, place.start, place.end, place.text)


def host_hits(claim: Candidate, witness: Witness) -> Iterator[Hit]:
    """The same host, and the same port where the claim gives one."""
    host, _, port = claim.value.partition(":") if claim.value.count(":") == 1 else (claim.value, "", "")
    for place in places_of(witness, "hosts", scan.find_hosts):
        theirs = place.value.partition(":")[0] if place.value.count(":") == 1 else place.value
        if (
            place.value == claim.value
            or (not port and theirs.partition("/")[0] == host)
            or (port and place.value == host and _has_number(witness.text, port))
        ):
            yield Hit(witness, place.start, place.end, Relation.SAME)
    for start, end in whole(witness.low, host, before=".-", after="-", joins="."):
        if not port or _has_number(witness.text[end : end + 40], port):
            yield Hit(witness, start, end, Relation.SAME)


def _has_number(text: str, digits: str) -> bool:
    return any(True for _ in whole(text, digits))


def host_rivals(claim: Candidate, witness: Witness) -> Iterator[Rival]:
    """Other hosts."""
    for place in places_of(witness, "hosts", scan.find_hosts):
        if place.value != claim.value:
            yield Rival(witness, place.start, place.end, place.text)


def hash_hits(claim: Candidate, witness: Witness) -> Iterator[Hit]:
    """A hash that begins with the claim's; one that the claim makes longer is finer."""
    for match in _HEX.finditer(witness.text):
        found = match.group().lower().rstrip("-")
        if found.startswith(claim.value):
            yield Hit(witness, match.start(), match.end(), Relation.SAME)
        elif len(found) >= 7 and claim.value.startswith(found):
            yield Hit(witness, match.start(), match.end(), Relation.FINER)


def hash_rivals(claim: Candidate, witness: Witness) -> Iterator[Rival]:
    """Other hashes."""
    for place in places_of(witness, "hashes", scan.find_hashes):
        if not place.value.startswith(claim.value):
            yield Rival(witness, place.start, place.end, place.text)
