"""What a person should know of a change before deciding it: small words and signs, from the review alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from memreview.model.dream import CitationStatus, Review
from memreview.model.patch import ChangeKind
from memreview.model.review import Accept, Decision, EditTo, Reject, TakeLines
from memreview.review.index import Unit
from memreview.tui import verdicts


class Flag(Enum):
    """Why a change asks for a second look, the most urgent first: a sign, and the reason in words."""

    CONFLICT = ("!", "conflicts with what is on disk now")
    DURING_RUN = ("~", "written while the dream ran: perhaps another session's work")
    DELETION = ("−", "lines only go away")
    CITATION = ("§", "a citation does not lead to words in a transcript")
    UNEXPLAINED = ("○", "no entry of CHANGES.md explains it")
    FINDING = ("•", "there is a remark about this note")

    @property
    def sign(self) -> str:
        """One cell."""
        return self.value[0]

    @property
    def reason(self) -> str:
        """A few words."""
        return self.value[1]


@dataclass(frozen=True, slots=True)
class Look:
    """A decision on the screen: a sign, a word and the name of a style."""

    sign: str
    word: str
    style: str


UNDECIDED = Look("·", "undecided", "undecided")
ACCEPTED = Look("✓", "accepted", "accepted")
REJECTED = Look("✗", "rejected", "rejected")
EDITED = Look("✎", "edited", "edited")
APPLIED = Look("◆", "applied", "accepted")
BY_LINES = Look("≡", "by lines", "edited")


SIGNS = (
    *((look.sign, look.word) for look in (ACCEPTED, REJECTED, EDITED, BY_LINES, UNDECIDED, APPLIED)),
    *((flag.sign, flag.reason) for flag in Flag),
    *verdicts.SIGNS,
)
"""What the signs of decisions, flags and verdicts mean, for the help."""


def look_of(decision: Decision | None) -> Look:
    """How a decision is shown."""
    match decision:
        case Accept():
            return ACCEPTED
        case Reject():
            return REJECTED
        case EditTo():
            return EDITED
        case TakeLines():
            return BY_LINES
    return UNDECIDED


def flags(review: Review, unit: Unit, *, looked_up: bool = True) -> tuple[Flag, ...]:
    """All flags of a unit, the most urgent first; those of citations only where they were ``looked_up``."""
    found: list[Flag] = []
    if unit.id in review.conflicts:
        found.append(Flag.CONFLICT)
    if unit.during_run:
        found.append(Flag.DURING_RUN)
    if unit.is_deletion:
        found.append(Flag.DELETION)
    if looked_up and _leads_nowhere(review, unit.id):
        found.append(Flag.CITATION)
    if looked_up and review.unexplained(unit.id):
        found.append(Flag.UNEXPLAINED)
    if any(finding.file == unit.file.path for finding in review.findings):
        found.append(Flag.FINDING)
    return tuple(found)


def reason_of(flag: Flag, review: Review) -> str:
    """The reason of a flag, as it is for this review."""
    if flag is Flag.UNEXPLAINED and review.traced:
        return "no transcript tells who wrote it"
    return flag.reason


def _leads_nowhere(review: Review, unit: str) -> bool:
    wrong = any(citation.status is not CitationStatus.FOUND for citation in review.citations.get(unit, ()))
    return wrong or any(not reference.found for reference in review.references.get(unit, ()))


KIND_SIGNS = {
    ChangeKind.MODIFIED: ("M", "changed"),
    ChangeKind.ADDED: ("A", "new note"),
    ChangeKind.DELETED: ("D", "deleted"),
    ChangeKind.RENAMED: ("R", "renamed"),
}


def change_sign(unit: Unit) -> str:
    """``+`` where lines only come, ``−`` where they only go, ``±`` else; ``=`` for a note whose text stays."""
    change = unit.change
    if change is None:
        return {ChangeKind.ADDED: "+", ChangeKind.DELETED: "−", ChangeKind.RENAMED: "→"}.get(unit.file.kind, "=")
    if not change.removed:
        return "+"
    return "±" if change.added else "−"


def texts(unit: Unit) -> Iterable[bytes]:
    """The lines by which a change is recognised, the new ones first."""
    change = unit.change
    if change is not None:
        yield from change.added
        yield from change.removed
