"""What a matcher finds: a hit of a claim's value in a record, or a rival value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from memreview.checks.claims.records import Witness
from memreview.checks.claims.scan import Place


class Relation(Enum):
    """How the record's value stands to the claim's."""

    SAME = "same"
    COARSER = "coarser"
    """The claim says less than the record: supported."""
    DERIVED = "derived"
    """The claim follows from the record by calculation."""
    FINER = "finer"
    """The claim says more than the record."""


@dataclass(frozen=True, slots=True)
class Hit:
    """The value stands in ``witness`` at code points ``start`` to ``end``; an empty place is the record's own day."""

    witness: Witness
    start: int
    end: int
    relation: Relation
    note: str = ""

    @property
    def placed(self) -> bool:
        """True where the value stands in the text."""
        return self.end > 0


@dataclass(frozen=True, slots=True)
class Rival:
    """Another value of the same kind; ``competes`` is False where it measures something else."""

    witness: Witness
    start: int
    end: int
    text: str
    competes: bool = True


def places_of(witness: Witness, name: str, finder: Callable[[str], Iterable[Place]]) -> list[Place]:
    """What a finder finds in a record, read once."""
    if name not in witness.parsed:
        witness.parsed[name] = list(finder(witness.text))
    found = witness.parsed[name]
    assert isinstance(found, list)
    return found
