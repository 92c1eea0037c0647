"""Decisions that are made by a rule instead of by a person: ``--accept all|supported|none``."""

from __future__ import annotations

from enum import StrEnum

from memreview.model.claim import ClaimReport, Fate
from memreview.model.dream import Review
from memreview.model.review import ACCEPT, REJECT, Decision, Decisions
from memreview.review.evidence import change_flagged, confirms
from memreview.review.index import Unit, index_of
from memreview.review.strays import strays


class AcceptRule(StrEnum):
    """What ``--accept`` takes."""

    ALL = "all"
    """Every change that is the dream's own, deletions too."""
    SUPPORTED = "supported"
    """Changes with a found citation of the user or a tool and without a flag.

    No deletion, unless all that it claims has moved or is contradicted; and nothing whose lines moved to a change that
    is not taken.
    """
    NONE = "none"
    """Nothing."""


def accept_by(rule: AcceptRule, review: Review) -> Decisions:
    """The decisions of a rule. What was written while the dream ran is never taken, see :func:`left_out`."""
    index = index_of(review)
    by_id: dict[str, Decision] = {}
    for unit in index.units:
        if unit.during_run:
            # The decision on a rename would hold for all changes of the note that are not named.
            if unit.file.old_path is not None and unit.change is not None:
                by_id[unit.id] = REJECT
        elif rule is AcceptRule.ALL or (rule is AcceptRule.SUPPORTED and is_supported(review, unit)):
            by_id[unit.id] = ACCEPT
    if rule is AcceptRule.SUPPORTED:
        # Whatever is left out may itself be where something else has moved to.
        while stray := {one.unit.id for one in strays(review, Decisions(by_id))}:
            by_id = {unit_id: decision for unit_id, decision in by_id.items() if unit_id not in stray}
        _hold_apart(review, by_id)
    return Decisions(by_id)


def is_supported(review: Review, unit: Unit) -> bool:
    """True where a citation of ``unit`` was found with the user's words or a tool's result, and nothing flags it.

    What is lost of the old lines is a flag, too.
    """
    report = review.reports.get(unit.id)
    if unit.id in review.conflicts or change_flagged(review, unit.id) or (report is not None and report.lost):
        return False
    if unit.is_deletion and not _lives_on(report):
        return False
    return confirms(review.citations.get(unit.id, ()))


def _lives_on(report: ClaimReport | None) -> bool:
    """True where lines that go away claim something, and nothing that has not moved or is contradicted."""
    dropped = report.dropped if report is not None else ()
    return bool(dropped) and all(one.fate in (Fate.MOVED, Fate.CONTRADICTED) for one in dropped)


def left_out(review: Review) -> tuple[str, ...]:
    """Notes with changes that ``--accept all`` leaves out because somebody else wrote them while the dream ran."""
    return tuple(dict.fromkeys(unit.file.path for unit in index_of(review).units if unit.during_run))


def _hold_apart(review: Review, by_id: dict[str, Decision]) -> None:
    """Keep an accepted rename from taking the note's other changes along."""
    for file in review.files:
        if file.old_path is not None and file.id in by_id:
            for change in file.changes():
                by_id.setdefault(change.id, REJECT)
