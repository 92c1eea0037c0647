"""Which words of the records beside a change are those that its claims rest on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from memreview.model.claim import Claim, Evidence
from memreview.tui.content import Mark, overlay, shown, shown_with_marks
from memreview.tui.rows.claims import ClaimRow
from memreview.tui.rows.evidence import Passage
from memreview.tui.rows.model import Row

LEAST_PIECE = 12
"""So many code points of a piece of evidence must be found, where all of it is not."""
_QUOTED = re.compile(r"“([^”]+)”")
_SPACE = re.compile(r"\s+")

RecordRows = Mapping[tuple[str, int], Sequence[tuple[int, str]]]
"""By path and line of a record, the rows with its words: number and text."""


def record_rows(rows: Sequence[Row]) -> RecordRows:
    """The rows of every record that is shown."""
    found: dict[tuple[str, int], list[tuple[int, str]]] = {}
    for number, row in enumerate(rows):
        if isinstance(row.owner, Passage) and isinstance(row.cells[0].key, int):
            found.setdefault((row.owner.path, row.owner.start), []).append((number, row.cells[0].text))
    return found


def agreeing_marks(
    records: RecordRows, table: Sequence[ClaimRow], here: ClaimRow | None, path_of: Callable[[str], str | None]
) -> dict[int, tuple[Mark, ...]]:
    """Marks by row: ``match`` for the words that any claim rests on, ``match-here`` for those of the chosen one."""
    layers: dict[int, list[Mark]] = {}
    others = [row for row in table if row is not here]
    for row in (*others, *([here] if here is not None else ())):
        claim = row.claim
        if claim is None:
            continue
        style = "match-here" if row is here else "match"
        for evidence in claim.evidence:
            path = path_of(evidence.transcript)
            lines = records.get((path, evidence.line)) if path is not None else None
            for number, start, end in _places(claim, evidence, lines) if lines else ():
                layers.setdefault(number, []).append(Mark(start, end, style))
    return {number: overlay(marks) for number, marks in layers.items()}


def _places(claim: Claim, evidence: Evidence, lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, int, int]]:
    """Where in the lines of a record the words are that a claim rests on: rows with start and end."""
    region = _region(evidence, lines)
    if region is not None and evidence.start is not None and evidence.end is not None:
        number, begin, _, whole = region
        exact = shown_with_marks(evidence.text, [Mark(evidence.start, evidence.end, "")])[1][0]
        if whole and exact.end > exact.start:
            yield number, begin + exact.start, begin + exact.end
            return
    areas = [(number, 0, len(text)) for number, text in lines] if region is None else [region[:3]]
    texts = dict(lines)
    for words in (claim.text, claim.nearest, *_QUOTED.findall(claim.reason)):
        found = [
            (number, match.start() + start, match.end() + start)
            for number, start, end in areas
            for match in _pattern(words).finditer(texts[number][start:end])
            if words
        ]
        if found:
            yield from found
            return
    if region is not None:
        yield region[:3]


def _region(evidence: Evidence, lines: Sequence[tuple[int, str]]) -> tuple[int, int, int, bool] | None:
    """The row, start and end of the piece of evidence; True where it stands there to the letter."""
    wanted = shown(evidence.text)
    for number, text in lines:
        at = text.find(wanted) if wanted else -1
        if at >= 0:
            return number, at, at + len(wanted), True
    # The check gives a piece in one line and cuts it; the record may have it over several, with other blanks.
    words = [re.escape(word) for word in _SPACE.split(wanted.strip("… ")) if word]
    for count in range(len(words), 0, -1):
        if sum(len(word) + 1 for word in words[:count]) < LEAST_PIECE:
            break
        pattern = re.compile(r"\s+".join(words[:count]), re.IGNORECASE)
        for number, text in lines:
            match = pattern.search(text)
            if match:
                return number, match.start(), match.end(), False
    return None


def _pattern(words: str | None) -> re.Pattern[str]:
    text = shown(words or "").strip("…` ")
    before = r"(?<!\w)" if text[:1].isalnum() else ""
    after = r"(?!\w)" if text[-1:].isalnum() else ""
    return re.compile(before + re.escape(text) + after if text else r"(?!)", re.IGNORECASE)
