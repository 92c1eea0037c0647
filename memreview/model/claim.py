"""Claims: the checkable parts of an added line, and what became of each when it was checked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memreview.model.transcript import Speaker


class ClaimKind(StrEnum):
    """What sort of value a claim holds."""

    DATE = "date"
    TIME = "time"
    NUMBER = "number"
    VERSION = "version"
    COMMAND = "command"
    PATH = "path"
    URL = "url"
    HOST = "host"
    IDENTIFIER = "identifier"
    HASH = "hash"
    NAME = "name"
    QUOTE = "quote"
    WORDING = "wording"
    MODALITY = "modality"
    SECRET = "secret"


class Verdict(StrEnum):
    """What the records say of a claim."""

    SUPPORTED = "supported"
    DERIVED = "derived"
    ELSEWHERE = "elsewhere"
    UNVERIFIABLE = "unverifiable"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"

    @property
    def badness(self) -> int:
        """0 for supported, rising to contradicted."""
        return _WORST_LAST.index(self)


_WORST_LAST = (
    Verdict.SUPPORTED,
    Verdict.DERIVED,
    Verdict.ELSEWHERE,
    Verdict.UNVERIFIABLE,
    Verdict.UNSUPPORTED,
    Verdict.CONTRADICTED,
)


class Weight(StrEnum):
    """How much a verdict matters; ``warning`` and ``error`` are flagged."""

    OK = "ok"
    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"

    @property
    def flagged(self) -> bool:
        """True where a person should look."""
        return self in (Weight.WARNING, Weight.ERROR)


class Fate(StrEnum):
    """What became of a claim of the old text that the new text no longer makes."""

    MOVED = "moved"
    CONTRADICTED = "contradicted"
    UNVERIFIABLE = "unverifiable"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The record on which a verdict rests; ``text`` is the piece of it that matters.

    ``start``/``end`` are code points in ``text``: what agrees or disagrees with the claim, None where that is unknown.
    """

    transcript: str
    line: int
    text: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """One checked part of an added line.

    ``line`` is the 0-based index of the added line within its change, ``start``/``end`` are code points in it.
    ``value`` is the normal form (dates: ISO intervals). ``rule`` is the id of the rule that decided, listed in
    ``docs/claims.md``. ``nearest`` is the closest value of the same kind in the records, where nothing supports.
    """

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
    evidence: tuple[Evidence, ...] = ()
    nearest: str | None = None

    @property
    def flagged(self) -> bool:
        """True where a person should look."""
        return self.weight.flagged


@dataclass(frozen=True, slots=True)
class Dropped:
    """A claim of a removed line that the new text does not make; ``line`` is 0-based within the removed lines."""

    line: int
    start: int
    end: int
    text: str
    kind: ClaimKind
    fate: Fate
    flagged: bool
    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class Moved:
    """An added line (0-based) that stood elsewhere in the old memory: ``origin`` says where."""

    line: int
    origin: str


@dataclass(frozen=True, slots=True)
class ClaimReport:
    """All that the check has to say about one change.

    ``promoted`` are lines of the index that say what a note said, and with that tell it to every session.
    """

    claims: tuple[Claim, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    moved: tuple[Moved, ...] = ()
    promoted: tuple[Moved, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The worst verdict of the claims, or supported."""
        return max((claim.verdict for claim in self.claims), key=lambda v: v.badness, default=Verdict.SUPPORTED)

    @property
    def flagged(self) -> bool:
        """True where any claim is flagged."""
        return any(claim.flagged for claim in self.claims)

    @property
    def lost(self) -> int:
        """How many claims of the old text are flagged as lost."""
        return sum(dropped.flagged for dropped in self.dropped)
