"""Collecting the evidence of accepted changes while the transcripts are still there: cited records, with context."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from memreview.apply.plan import tally
from memreview.apply.planned import Accepted
from memreview.config import Options
from memreview.diff.lines import split_lines, text_lines
from memreview.errors import MemreviewError
from memreview.evidence.shortened import shortened
from memreview.model.claim import Claim, Verdict
from memreview.model.dream import CitationStatus, Review
from memreview.model.kept import Kept, KeptChange, KeptClaim, KeptEvidence, KeptRecord
from memreview.model.review import Accept, Decisions, EditTo, TakeLines
from memreview.model.transcript import Record, Speaker
from memreview.read.finder import TranscriptFinder
from memreview.read.transcripts import TranscriptFile, open_transcript
from memreview.review.claims import in_lines

CONTEXT: Final = 2
"""Records of speech that are kept before and behind a cited one."""
REACH: Final = 60
"""Physical lines in which they are looked for: between two records of speech stand snapshots and the like."""
MAX_CITED: Final = 40
"""Records that are kept of one citation."""
MAX_TEXT: Final = 6000
"""Characters that are kept of a cited record, of context a third."""

MAX_OPEN: Final = 32

Spot = tuple[str, int]
"""A transcript's path and a line."""
_BEARS: Final = frozenset({Verdict.SUPPORTED, Verdict.DERIVED, Verdict.ELSEWHERE})


class Keeper:
    """Reads records for keeping; each is kept once, however many changes rest on it."""

    def __init__(self, finder: TranscriptFinder, options: Options) -> None:
        self._finder = finder
        self._options = options
        self._kept: dict[Spot, KeptRecord] = {}
        self._open: dict[str, TranscriptFile | None] = {}

    @property
    def records(self) -> tuple[KeptRecord, ...]:
        """All that was kept, by transcript and line."""
        return tuple(self._kept[spot] for spot in sorted(self._kept))

    def path_of(self, name: str) -> str | None:
        """The transcript that a name means, None where it means none or several."""
        found = self._finder.find(name)
        return found[0].path if len(found) == 1 else None

    def keep(self, path: str, lines: Iterable[int], keys: Sequence[str] = ()) -> tuple[str, ...]:
        """Keep these lines of a transcript with their context; the places of those that say something.

        ``keys`` are words in lower case around which a long record is cut. What cannot be read is left out.
        """
        places: list[str] = []
        for line in lines:
            known = self._kept.get((path, line))
            if known is not None and known.cited:
                places.append(known.at)
                continue
            transcript = self._opened(path)
            record = transcript.record(line) if transcript is not None else None
            if transcript is None or record is None or not _speaks(record):
                continue
            places.append(self._put(transcript, record, keys, cited=True).at)
            for near in (*_around(transcript, line, -1), *_around(transcript, line, 1)):
                self._put(transcript, near, (), cited=False)
        return tuple(dict.fromkeys(places))

    def close(self) -> None:
        """Give the files back."""
        for transcript in self._open.values():
            if transcript is not None:
                transcript.close()
        self._open.clear()

    def _opened(self, path: str) -> TranscriptFile | None:
        if path not in self._open:
            if len(self._open) >= MAX_OPEN:
                self.close()
            try:
                self._open[path] = open_transcript(path, self._options.cache_dir)
            except MemreviewError:
                self._open[path] = None
        return self._open[path]

    def _put(self, transcript: TranscriptFile, record: Record, keys: Sequence[str], *, cited: bool) -> KeptRecord:
        spot = (transcript.path, record.line)
        known = self._kept.get(spot)
        if known is not None and (known.cited or not cited):
            return known
        raw = (transcript.raw(record.line) or b"").removesuffix(b"\n")
        kept = self._kept[spot] = KeptRecord(
            transcript=os.path.basename(transcript.path),
            line=record.line,
            speaker=record.speaker,
            text=shortened(record.text, keys, MAX_TEXT if cited else MAX_TEXT // 3),
            timestamp=record.timestamp,
            uuid=record.uuid,
            session=record.session,
            folder=self._folder(transcript.path),
            sha256=hashlib.sha256(raw).hexdigest(),
            size=transcript.size,
            cited=cited,
            error=record.error,
        )
        return kept

    def _folder(self, path: str) -> str | None:
        inside = os.path.relpath(path, self._options.projects_dir)
        return None if inside.startswith(os.pardir) else inside.split(os.sep, 1)[0]


def _speaks(record: Record) -> bool:
    return record.speaker is not Speaker.OTHER and record.has_text


def _around(transcript: TranscriptFile, line: int, step: int) -> Iterator[Record]:
    found = 0
    for at in range(line + step, line + step * (REACH + 1), step):
        record = transcript.record(at) if at > 0 else None
        if record is None:
            return
        if _speaks(record):
            yield record
            found += 1
            if found == CONTEXT:
                return


def collect(
    review: Review, decisions: Decisions, options: Options, notes: Mapping[str, bytes], *, folder: str = ""
) -> KeptEvidence:
    """The evidence of all that ``decisions`` accept. ``notes`` are the notes as they are committed now, by path."""
    keeper = Keeper(TranscriptFinder(review.project, options, review.target.transcripts), options)
    counts = tally(review, decisions)
    accepted = counts.accepted
    lines = {path: text_lines(split_lines(notes[path])) for path in {i.file.path for i in accepted} if path in notes}
    with closing(keeper):
        changes = tuple(_kept_change(review, item, keeper, lines) for item in accepted)
    return KeptEvidence(
        project=review.project.name,
        label=os.path.basename(review.target.label.rstrip("/")),
        made=now(),
        folder=folder,
        changes=changes,
        records=keeper.records,
        accepted=counts.applied,
        rejected=counts.rejected,
        total=counts.total,
    )


def now() -> str:
    """This moment as ISO 8601 in UTC, to the second."""
    return datetime.now(UTC).replace(microsecond=0).isoformat()


def _kept_change(review: Review, item: Accepted, keeper: Keeper, notes: Mapping[str, Sequence[str]]) -> KeptChange:
    added, removed = _lines(item)
    claims = _claims(review, item)
    keys = [claim.text.lower() for claim in claims]
    cited: list[str] = []
    for citation in review.citations.get(item.id, ()):
        if citation.status is CitationStatus.FOUND and citation.path is not None and citation.line is not None:
            last = min(citation.end_line or citation.line, citation.line + MAX_CITED - 1)
            cited += keeper.keep(citation.path, range(citation.line, last + 1), keys)
    for mend in item.mends:
        path = mend.path or keeper.path_of(mend.transcript)
        cited += keeper.keep(path, [mend.line], keys) if path is not None else ()
    for claim in claims:
        if claim.verdict in _BEARS:
            for evidence in claim.evidence:
                path = keeper.path_of(evidence.transcript)
                cited += keeper.keep(path, [evidence.line], keys) if path is not None else ()
    decision = item.decision
    note = item.file.path
    return KeptChange(
        id=item.id,
        note=note,
        line=first_line(notes.get(note), added) or (item.change.new_line if item.change is not None else 1),
        decision=Kept.EDITED if isinstance(decision, EditTo) else _kind(decision),
        added=added,
        removed=removed,
        cited=tuple(dict.fromkeys(cited)),
        claims=tuple(_kept_claim(claim) for claim in claims),
        despite=decision.despite if isinstance(decision, Accept | TakeLines) else (),
    )


def _kind(decision: object) -> Kept:
    return Kept.LINES if isinstance(decision, TakeLines) else Kept.ACCEPTED


def _lines(item: Accepted) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines that come and those that go, as text."""
    change, decision = item.change, item.decision
    if change is None:
        sides = (item.file.proposed, item.file.base) if item.file.proposed != item.file.base else (b"", b"")
        added, removed = (tuple(text_lines(split_lines(side or b""))) for side in sides)
        return added, removed
    added, removed = tuple(text_lines(change.added)), tuple(text_lines(change.removed))
    if isinstance(decision, EditTo):
        return decision.lines, removed
    if isinstance(decision, TakeLines):
        return (
            tuple(line for number, line in enumerate(added) if number in decision.added),
            tuple(line for number, line in enumerate(removed) if number in decision.removed),
        )
    return added, removed


def _claims(review: Review, item: Accepted) -> list[Claim]:
    """What the claim check said of the lines that were taken, counted in these."""
    report = review.reports.get(item.id)
    if report is None or isinstance(item.decision, EditTo):
        return []
    if not isinstance(item.decision, TakeLines):
        return list(report.claims)
    order = {number: place for place, number in enumerate(sorted(item.decision.added))}
    return [replace(c, line=order[c.line]) for c in in_lines(report.claims, item.decision.added) if c.line in order]


def _kept_claim(claim: Claim) -> KeptClaim:
    return KeptClaim(
        claim.line,
        claim.start,
        claim.end,
        claim.text,
        claim.kind,
        claim.value,
        claim.verdict,
        claim.weight,
        claim.rule,
        claim.reason,
        claim.speaker,
    )


def first_line(lines: Sequence[str] | None, added: Sequence[str]) -> int | None:
    """The 1-based line at which ``added`` stands in the lines of a note, None where it does not."""
    if lines is None or not added:
        return None
    for at in range(len(lines) - len(added) + 1):
        if lines[at] == added[0] and tuple(lines[at : at + len(added)]) == tuple(added):
            return at + 1
    return None
