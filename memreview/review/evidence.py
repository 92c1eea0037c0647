"""What a review's citations come to: which changes are flagged, which notes a transcript confirmed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from memreview.model.claim import Verdict
from memreview.model.dream import Citation, CitationStatus, Review, unit_id
from memreview.model.memory import INDEX_NAME
from memreview.model.transcript import Speaker
from memreview.review.index import index_of

WRONG = frozenset({CitationStatus.MISSING, CitationStatus.OUT_OF_RANGE})
"""Citations that lead nowhere: they flag a change and set the exit status of ``verify``."""

CONFIRMING = frozenset({Speaker.USER, Speaker.TOOL})
"""Whose words can confirm a note: the user's and the results of tools. The model's own are not enough."""


def leads_nowhere(citations: Sequence[Citation]) -> bool:
    """True where at least one citation names a transcript or a line that does not exist."""
    return any(citation.status in WRONG for citation in citations)


def confirms(citations: Sequence[Citation]) -> bool:
    """True where at least one cited line was found and holds words of the user or the result of a tool."""
    return any(citation.status is CitationStatus.FOUND and citation.speaker in CONFIRMING for citation in citations)


def change_flagged(review: Review, unit: str) -> bool:
    """True where a person should look: a citation leads nowhere, or the claim check flags a claim of the new lines.

    What was lost of the old lines is counted apart.
    """
    report = review.reports.get(unit)
    return leads_nowhere(review.citations.get(unit, ())) or (report is not None and report.flagged)


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts of a review, and its notes sorted by what the transcripts say of them.

    ``changes`` are all units that can be decided, ``flagged`` those of them that ask for a look; ``flagged_claims``,
    ``lost`` and ``by_verdict`` count claims.
    ``confirmed``: a cited line with the user's words or a tool's result was found. ``cited``: something is cited, but
    no such line. ``unmentioned``: nothing is cited; silence is no confirmation.
    """

    files: int
    hunks: int
    changes: int
    flagged: int
    without_entry: int
    conflicts: int
    during_run: int
    entries: int
    entries_without_change: int
    citations: dict[CitationStatus, int]
    confirmed: tuple[str, ...]
    cited: tuple[str, ...]
    unmentioned: tuple[str, ...]
    flagged_claims: int
    lost: int
    by_verdict: dict[Verdict, int]

    @property
    def claims(self) -> int:
        """All claims of the new lines."""
        return sum(self.by_verdict.values())


def summarize(review: Review) -> Summary:
    """Count what ``review`` holds."""
    flagged = without_entry = conflicts = during = 0
    statuses: Counter[CitationStatus] = Counter()
    by_note: dict[str, list[Citation]] = {}
    for file, change in review.units():
        key = unit_id(file, change)
        citations = review.citations.get(key, ())
        statuses.update(citation.status for citation in citations)
        by_note.setdefault(file.path, []).extend(citations)
        flagged += change_flagged(review, key)
        written_by_others = file.during_run or (change is not None and change.during_run)
        during += written_by_others
        without_entry += not written_by_others and review.unexplained(key)
        conflicts += key in review.conflicts
    for entry in review.entries:
        if not entry.matched:
            statuses.update(citation.status for citation in entry.citations)
        if entry.file is not None:
            by_note.setdefault(entry.file, []).extend(entry.citations)
    renamed = {file.old_path: file.path for file in review.files if file.old_path is not None}
    names = sorted({renamed.get(path, path) for path in (*review.notes, *by_note)} - {INDEX_NAME})
    kinds: dict[str, list[str]] = {"confirmed": [], "cited": [], "unmentioned": []}
    for name in names:
        citations = tuple(by_note.get(name, ()))
        kinds["confirmed" if confirms(citations) else "cited" if citations else "unmentioned"].append(name)
    claims = [claim for report in review.reports.values() for claim in report.claims]
    verdicts = Counter(claim.verdict for claim in claims)
    return Summary(
        files=len(review.files),
        hunks=sum(len(file.hunks) for file in review.files),
        changes=len(index_of(review).units),
        flagged=flagged,
        without_entry=without_entry,
        conflicts=conflicts,
        during_run=during,
        entries=len(review.entries),
        entries_without_change=sum(not entry.matched for entry in review.entries),
        citations={status: statuses[status] for status in CitationStatus if statuses[status]},
        confirmed=tuple(kinds["confirmed"]),
        cited=tuple(kinds["cited"]),
        unmentioned=tuple(kinds["unmentioned"]),
        flagged_claims=sum(claim.flagged for claim in claims),
        lost=sum(report.lost for report in review.reports.values()),
        by_verdict={verdict: verdicts[verdict] for verdict in Verdict if verdicts[verdict]},
    )


def is_flagged(review: Review, allowed: Collection[Verdict] = ()) -> bool:
    """True where ``verify`` ends with status 1.

    That is a citation that leads nowhere, of a change or of an entry without one, a flagged claim whose verdict is not
    ``allowed``, or a claim of the old text that was lost.
    """
    loose = [citation for entry in review.entries for citation in entry.citations]
    if leads_nowhere([*loose, *(citation for listed in review.citations.values() for citation in listed)]):
        return True
    return any(
        report.lost or any(claim.flagged and claim.verdict not in allowed for claim in report.claims)
        for report in review.reports.values()
    )
