"""The list of a review as plain data: notes, changes, folded stamps, remarks, and entries that nothing matches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from memreview.checks.unheeded import SAVE
from memreview.model.dream import Citation, CitationStatus, Entry, Review
from memreview.model.patch import FileChange
from memreview.model.transcript import Speaker
from memreview.review.index import Unit


class ItemKind(Enum):
    """What a row of the list stands for."""

    FILE = "file"
    UNIT = "unit"
    STAMPS = "stamps"
    SECTION = "section"
    ENTRY = "entry"
    FINDING = "finding"
    UNHEEDED = "unheeded"


@dataclass(frozen=True, slots=True)
class Item:
    """A row of the list.

    ``units`` are the positions (in ``index_of(review).units``) of what it stands for: one change, all changes of a
    note, all folded stamps. ``index`` counts entries, findings, things not taken up; ``title`` is a section's text.
    """

    kind: ItemKind
    units: tuple[int, ...] = ()
    file: FileChange | None = None
    index: int = 0
    title: str = ""

    @property
    def selectable(self) -> bool:
        """True where the cursor may stand."""
        return self.kind not in (ItemKind.FILE, ItemKind.SECTION)


def is_stamp(unit: Unit) -> bool:
    """True for a change in which only a ``modified:`` stamp differs."""
    return unit.change is not None and unit.change.stamp_only


def build_items(
    review: Review,
    units: tuple[Unit, ...],
    shows: Callable[[int], bool],
    *,
    everything: bool = True,
    stamps_open: bool = False,
) -> tuple[Item, ...]:
    """The rows for those units that ``shows`` lets through; ``everything`` adds remarks and unmatched entries."""
    items: list[Item] = []
    if everything and review.findings:
        items.append(Item(ItemKind.SECTION, title="Remarks"))
        items.extend(Item(ItemKind.FINDING, index=index) for index in range(len(review.findings)))
    stamps: list[int] = []
    members: list[int] = []
    present: FileChange | None = None
    for number, unit in enumerate(units):
        if not shows(number):
            continue
        if is_stamp(unit) and not stamps_open:
            stamps.append(number)
            continue
        if present is not None and unit.file is not present:
            items.extend(_file_rows(present, members))
            members = []
        present = unit.file
        members.append(number)
    if present is not None:
        items.extend(_file_rows(present, members))
    if stamps:
        items.append(Item(ItemKind.STAMPS, tuple(stamps)))
    if everything:
        items.extend(_unmatched(review))
    return tuple(items)


def _file_rows(file: FileChange, members: list[int]) -> Iterator[Item]:
    yield Item(ItemKind.FILE, tuple(members), file)
    for number in members:
        yield Item(ItemKind.UNIT, (number,), file)


def _unmatched(review: Review) -> Iterator[Item]:
    left = [index for index, entry in enumerate(review.entries) if not entry.matched]
    if left:
        yield Item(ItemKind.SECTION, title="Unmatched entries")
        for index in left:
            yield Item(ItemKind.ENTRY, index=index)
    if review.unheeded:
        yield Item(ItemKind.SECTION, title="Said, and not taken up")
        for index in range(len(review.unheeded)):
            yield Item(ItemKind.UNHEEDED, index=index)


def unheeded_entry(review: Review, index: int) -> Entry:
    """What the user said and the proposal lacks, in the form of an entry that cites it."""
    one = review.unheeded[index]
    what = "Asked to be remembered" if one.kind == SAVE else "A correction"
    cited = Citation(
        raw=f"{one.transcript}:{one.line}",
        transcript=one.transcript,
        line=one.line,
        end_line=one.line,
        status=CitationStatus.FOUND,
        speaker=Speaker.USER,
        timestamp=one.timestamp,
        text=one.text,
        path=one.path,
    )
    return Entry(f"{what}, and in no note as proposed:\n{one.text}", 0, citations=(cited,))
