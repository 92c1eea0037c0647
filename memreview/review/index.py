"""What a review holds, by id: made once for a review and kept, because every key press asks for it."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from memreview.model.dream import Review
from memreview.model.patch import Change, FileChange, Hunk
from memreview.model.review import Decision, Decisions
from memreview.review.decide import effective

_KEEP = 3


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing to decide, known by ``id``: a change, or with ``change`` None the file itself.

    Files without changes are units, and so is the rename of a note that also has changes: it stands before them.
    """

    id: str
    file: FileChange
    change: Change | None = None
    hunk: Hunk | None = None

    @property
    def is_deletion(self) -> bool:
        """True where a whole note goes, or lines only go away."""
        return self.file.is_deletion or (self.change is not None and self.change.is_deletion)

    @property
    def during_run(self) -> bool:
        """True where somebody else wrote this while the dream ran."""
        return self.file.during_run or (self.change is not None and self.change.during_run)

    @property
    def is_rename(self) -> bool:
        """True where this unit is about the name of a note."""
        return self.change is None and self.file.old_path is not None


class ReviewIndex:
    """The units of a review in the order of the screen, and where each id belongs."""

    def __init__(self, review: Review) -> None:
        self.review = review
        units: list[Unit] = []
        self.files: dict[str, FileChange] = {}
        self.hunks: dict[str, tuple[FileChange, Hunk]] = {}
        self.units_of: dict[str, tuple[Unit, ...]] = {}
        for file in review.files:
            own = [] if file.hunks and file.old_path is None else [Unit(file.id, file)]
            self.files[file.id] = file
            for hunk in file.hunks:
                self.hunks[hunk.id] = (file, hunk)
                own += [Unit(change.id, file, change, hunk) for change in hunk.changes]
            self.units_of[file.id] = tuple(own)
            units += own
        self.units: tuple[Unit, ...] = tuple(units)
        self.position: Mapping[str, int] = {unit.id: number for number, unit in enumerate(units)}

    def unit(self, unit_id: str) -> Unit | None:
        """The unit with this id."""
        number = self.position.get(unit_id)
        return None if number is None else self.units[number]

    def knows(self, any_id: str) -> bool:
        """True for the id of a file, a hunk or a change of this review."""
        return any_id in self.position or any_id in self.files or any_id in self.hunks

    def effective(self, decisions: Decisions, unit: Unit) -> Decision | None:
        """The decision that holds for ``unit``: the narrowest."""
        return effective(decisions, unit.file, unit.change, unit.hunk)

    def lasts(self, any_id: str) -> bool:
        """True for an id of this review that means the same in every run of the dream that has it."""
        unit = self.unit(any_id)
        if unit is not None:
            return unit.change is None or unit.change.unique
        if any_id in self.hunks:
            return all(change.unique for change in self.hunks[any_id][1].changes)
        return any_id in self.files

    def during_run(self, any_id: str) -> bool:
        """True for an id that holds lines that somebody else wrote while the dream ran."""
        unit = self.unit(any_id)
        if unit is not None and unit.change is not None:
            return unit.during_run
        if any_id in self.hunks:
            return any(change.during_run for change in self.hunks[any_id][1].changes)
        file = self.files.get(any_id)
        return file is not None and (file.during_run or any(change.during_run for change in file.changes()))

    @cached_property
    def fingerprint(self) -> str:
        """A hash of everything that is proposed: equal where a review is of the very same bytes."""
        ids = [item for file in self.review.files for item in (file.id, *(change.id for change in file.changes()))]
        return hashlib.sha256(" ".join(ids).encode()).hexdigest()[:32]

    @cached_property
    def searchable(self) -> tuple[str, ...]:
        """For each unit its path and lines in folded case, to look a text up in."""
        return tuple(_words(unit) for unit in self.units)


def _words(unit: Unit) -> str:
    lines = (*unit.change.removed, *unit.change.added) if unit.change is not None else ()
    body = b"".join(lines).decode("utf-8", "surrogateescape")
    return "\n".join((unit.file.path, unit.file.old_path or "", body)).casefold()


_cache: OrderedDict[int, ReviewIndex] = OrderedDict()


def index_of(review: Review) -> ReviewIndex:
    """The index of ``review``; the last few are kept (with their reviews, so that no address is taken for another)."""
    found = _cache.get(id(review))
    if found is None or found.review is not review:
        found = _cache[id(review)] = ReviewIndex(review)
        while len(_cache) > _KEEP:
            _cache.popitem(last=False)
    return found
