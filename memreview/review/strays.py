"""Lines that go because another change of the proposal holds what they say, where that other change is not taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memreview.checks.claims.folding import fold
from memreview.model.claim import ClaimReport, Fate
from memreview.model.dream import Review
from memreview.model.patch import Change
from memreview.model.review import Decision, Decisions, Reject, TakeLines
from memreview.review.assemble import text
from memreview.review.index import Unit, index_of
from memreview.text import decode


@dataclass(frozen=True, slots=True)
class Stray:
    """What ``lines`` of ``unit`` say (0-based within its removed lines) stands only in ``into``, which is not taken."""

    unit: Unit
    lines: tuple[int, ...]
    into: Unit


def strays(review: Review, decisions: Decisions) -> Iterator[Stray]:
    """What would be lost by decisions that take a removal without the change to which its lines were moved.

    The claim check counts a claim as moved where the whole proposal holds it; this asks what of it would be written.
    """
    index = index_of(review)
    leaving: list[tuple[Unit, Change, list[tuple[int, str]]]] = []
    waiting: list[tuple[Unit, str]] = []
    for unit in index.units:
        if unit.change is None or unit.id in review.applied:
            continue
        decision = index.effective(decisions, unit)
        if decision is None or isinstance(decision, Reject | TakeLines):
            waiting.append((unit, _folded(unit.change.added)))
        moved = _moved(review.reports.get(unit.id), decision)
        if moved:
            leaving.append((unit, unit.change, moved))
    if not leaving or not waiting:
        return
    written = "\n".join(fold(decode(text(file, decisions) or b"")) for file in review.files)
    for unit, change, moved in leaving:
        found: dict[str, tuple[Unit, list[int]]] = {}
        for number, words in moved:
            whole = fold(decode(change.removed[number])).strip(" -*+")
            for into, held in waiting:
                said = whole if whole in held else words
                if into.id == unit.id or said not in held:
                    continue
                if said not in written:
                    found.setdefault(into.id, (into, []))[1].append(number)
                break
        for into, lines in found.values():
            yield Stray(unit, tuple(dict.fromkeys(lines)), into)


def _moved(report: ClaimReport | None, decision: Decision | None) -> list[tuple[int, str]]:
    """The claims that go with what is taken and are said to stand elsewhere: the removed line, the folded words."""
    if report is None or decision is None or isinstance(decision, Reject):
        return []
    gone = [one for one in report.dropped if one.fate is Fate.MOVED]
    if isinstance(decision, TakeLines):
        gone = [one for one in gone if one.line in decision.removed]
    return [(one.line, fold(one.text)) for one in gone]


def _folded(lines: tuple[bytes, ...]) -> str:
    return "\n".join(fold(decode(line)).strip() for line in lines)
