"""Evidence as it is kept with a commit: what was accepted, on which records, so that it can be checked without them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memreview.model.claim import ClaimKind, Verdict, Weight
from memreview.model.transcript import Speaker


class Kept(StrEnum):
    """How a kept change came about: by a decision of a review, or ``kept`` from a note that stood there already,
    ``reverted`` by taking back an earlier change, ``verified`` by a person who looked at an objection of the nightly
    check (``despite``) and says that the line is right all the same."""

    ACCEPTED = "accepted"
    EDITED = "edited"
    LINES = "lines"
    KEPT = "kept"
    REVERTED = "reverted"
    VERIFIED = "verified"


@dataclass(frozen=True, slots=True)
class KeptRecord:
    """A record of a transcript. ``text`` is what was said, secrets masked; a long one only around what was cited.

    ``folder`` is the name of the project folder that held the transcript, ``size`` the transcript's bytes when the
    record was kept, ``sha256`` the hash of its raw line without the line end. ``cited`` is False for mere context.
    """

    transcript: str
    line: int
    speaker: Speaker
    text: str
    timestamp: str | None = None
    uuid: str | None = None
    session: str | None = None
    folder: str | None = None
    sha256: str = ""
    size: int = 0
    cited: bool = True
    error: bool = False

    @property
    def at(self) -> str:
        """Where it stands, as a citation is written."""
        return f"{self.transcript}:{self.line}"


@dataclass(frozen=True, slots=True)
class KeptClaim:
    """A claim with its verdict; ``line``, ``start`` and ``end`` as in :class:`~memreview.model.claim.Claim`."""

    line: int
    start: int
    end: int
    text: str
    kind: ClaimKind
    value: str
    verdict: Verdict
    weight: Weight
    rule: str
    reason: str
    speaker: Speaker | None = None


@dataclass(frozen=True, slots=True)
class KeptChange:
    """One accepted change: ``note`` is its path in the memory folder, ``line`` where its first line came to stand.

    ``added`` and ``removed`` are lines of text without line ends, secrets masked. ``cited`` are the places of the
    records that it rests on (``KeptRecord.at``), ``despite`` the errors that it was accepted with. ``quotes`` are
    words of its own note that these records must hold.
    """

    id: str
    note: str
    line: int
    decision: Kept
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    claims: tuple[KeptClaim, ...] = ()
    despite: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptEvidence:
    """All evidence that was kept at one time. ``made`` is ISO 8601; ``folder`` the memory folder's path in its
    repository, ending in ``/`` or empty; ``patch`` the patch id of the commit that it belongs to. Of the ``total``
    changes of a review ``accepted`` were taken and ``rejected`` were not; 0 of 0 where it was none."""

    project: str
    label: str
    made: str
    folder: str = ""
    patch: str = ""
    changes: tuple[KeptChange, ...] = ()
    records: tuple[KeptRecord, ...] = ()
    accepted: int = 0
    rejected: int = 0
    total: int = 0

    def records_of(self, change: KeptChange) -> tuple[KeptRecord, ...]:
        """The records that a change rests on."""
        wanted = set(change.cited)
        return tuple(record for record in self.records if record.at in wanted)


@dataclass(frozen=True, slots=True)
class LineOrigin:
    """Where one line of a note comes from: since when, by which commit, whose words, and how that is known.

    ``commit`` and ``date`` (ISO 8601) are None for a line that is not committed. ``verified`` says in a few words what
    the claim check found, None where no evidence was kept of it. ``records`` are the cited ones, kept with the commit
    ``kept_in`` as the change ``change``. ``vouched`` is when a person last verified it (ISO 8601).
    """

    line: int
    text: str
    commit: str | None = None
    date: str | None = None
    session: str | None = None
    speaker: Speaker | None = None
    verified: str | None = None
    decision: Kept | None = None
    records: tuple[KeptRecord, ...] = ()
    kept_in: str | None = None
    change: str | None = None
    vouched: str | None = None
