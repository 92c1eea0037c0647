"""What a commit will do, as plain data: notes, the index afterwards, what to look at again, conflicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memreview.checks.index import IndexState
from memreview.model.claim import ClaimKind, Verdict, Weight
from memreview.model.dream import Conflict, Review, TargetKind
from memreview.model.patch import Change, ChangeKind, FileChange
from memreview.model.review import Accept, Decision, Decisions, EditTo, Reject, TakeLines
from memreview.review.assemble import encode_line
from memreview.review.evidence import summarize
from memreview.review.index import Unit, index_of
from memreview.review.selectors import Counts, progress
from memreview.review.state import ReviewState
from memreview.review.strays import strays
from memreview.text import mask_secrets
from memreview.tui.facts import Flag, flags, reason_of
from memreview.tui.rows.claims import ClaimRow, claim_rows

FLAGS_TO_REPEAT = (Flag.DURING_RUN, Flag.DELETION, Flag.CITATION, Flag.UNEXPLAINED)
"""Flags of accepted changes that the person is shown once more; a conflict has a section of its own."""


@dataclass(frozen=True, slots=True)
class FileLine:
    """What happens to one note: a sign (``M A D R``), lines that come and go, and the rest in words.

    ``lines`` are those that go and those that come, a pair for each change.
    """

    sign: str
    path: str
    added: int
    removed: int
    words: str
    unit: str
    lines: tuple[tuple[Sequence[bytes], Sequence[bytes]], ...] = ()


@dataclass(frozen=True, slots=True)
class Remark:
    """Something to know about a note; ``unit`` is where to go for it, None where that leads nowhere."""

    path: str
    words: str
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Claims:
    """What the claim check says of that which is taken.

    ``errors`` are what is taken with an error, each saying whether the person was asked; ``flags`` what else is flagged
    in taken lines, lost claims too; ``mended`` the citations that were put right. ``counts`` are all claims by verdict.
    ``checked`` is False where the check has not run; ``own`` counts the texts that a person wrote and it did not see.
    """

    checked: bool = False
    counts: tuple[tuple[Verdict, int], ...] = ()
    lost: int = 0
    own: int = 0
    errors: tuple[Remark, ...] = ()
    flags: tuple[Remark, ...] = ()
    mended: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class Outlook:
    """Everything that stands on the screen before a commit.

    ``in_place`` is True where the dream edited the folder itself: then ``files`` are committed as they lie there, and
    rejected changes are ``taken_back`` on disk. Every note of the folder is ``confirmed`` by the user's words or a
    tool's result, ``only_cited`` (the model's words, or lines that are not there), or ``unmentioned``.
    """

    counts: Counts
    in_place: bool = False
    files: tuple[FileLine, ...] = ()
    taken_back: tuple[FileLine, ...] = ()
    looks: tuple[Remark, ...] = ()
    conflicts: tuple[Remark, ...] = ()
    index: tuple[Remark, ...] = ()
    confirmed: tuple[str, ...] = ()
    only_cited: tuple[str, ...] = ()
    unmentioned: tuple[str, ...] = ()
    before: IndexState | None = None
    after: IndexState | None = None
    claims: Claims = Claims()

    @property
    def has_work(self) -> bool:
        """True where anything would be written or committed."""
        return bool(self.files or self.taken_back)


def make_outlook(
    review: Review,
    decisions: Decisions,
    *,
    conflicts: tuple[Conflict, ...] = (),
    before: IndexState | None = None,
    after: IndexState | None = None,
) -> Outlook:
    """What the decisions on a review would do, with the conflicts and the index that a trial has found."""
    in_place = review.target.kind is TargetKind.LIVE
    summary = summarize(review)
    return Outlook(
        counts=progress(ReviewState(decisions=decisions), review).all,
        in_place=in_place,
        files=tuple(file_lines(review, decisions)),
        taken_back=tuple(taken_back(review, decisions)) if in_place else (),
        looks=(*lost_moves(review, decisions), *second_looks(review, decisions)),
        conflicts=tuple(Remark(conflict.path, conflict.reason, conflict.change) for conflict in conflicts),
        index=tuple(index_remarks(before, after)) if after is not None else (),
        confirmed=summary.confirmed,
        only_cited=summary.cited,
        unmentioned=summary.unmentioned,
        before=before,
        after=after,
        claims=claims_taken(review, decisions),
    )


def file_lines(review: Review, decisions: Decisions) -> Iterator[FileLine]:
    """One line for each note of which something is taken, in the order of the review."""
    for file, decided, total in _by_file(review, decisions):
        taken = [(unit, decision) for unit, decision in decided if _takes(decision)]
        if taken:
            yield _file_line(file, taken, total)


def taken_back(review: Review, decisions: Decisions) -> Iterator[FileLine]:
    """One line for each note of which something that lies on disk is rejected."""
    for file, decided, _ in _by_file(review, decisions):
        gone = [unit for unit, decision in decided if isinstance(decision, Reject)]
        if gone:
            changes = [unit.change for unit in gone if unit.change is not None]
            added, removed = (
                sum(len(change.removed) for change in changes),
                sum(len(change.added) for change in changes),
            )
            back = tuple((change.added, change.removed) for change in changes)
            yield FileLine("↩", file.path, added, removed, many(len(gone), "change"), gone[0].id, back)


def _by_file(review: Review, decisions: Decisions) -> Iterator[tuple[FileChange, list[tuple[Unit, Decision]], int]]:
    """Every note with its decided units, and how many units it has."""
    index = index_of(review)
    for file in review.files:
        units = [unit for unit in index.units_of[file.id] if unit.id not in review.applied]
        decided = [(unit, index.effective(decisions, unit)) for unit in units]
        yield file, [(unit, decision) for unit, decision in decided if decision is not None], len(units)


def many(count: int, what: str) -> str:
    """A count and the word for what is counted, in the plural where that is due."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def _takes(decision: Decision) -> bool:
    return isinstance(decision, (Accept, EditTo)) or (
        isinstance(decision, TakeLines) and bool(decision.added or decision.removed)
    )


def _file_line(file: FileChange, taken: list[tuple[Unit, Decision]], all_units: int) -> FileLine:
    lines = [_lines_of(unit.change, decision) for unit, decision in taken if unit.change is not None]
    edited = sum(isinstance(decision, EditTo) for _, decision in taken)
    by_lines = sum(isinstance(decision, TakeLines) for _, decision in taken)
    renamed = any(unit.is_rename for unit, _ in taken)
    sign, words = _fate(file, len(taken), all_units, renamed)
    details = [words]
    if edited:
        details.append(f"{edited} edited")
    if by_lines:
        details.append(f"{by_lines} by lines")
    removed, added = (sum(len(pair[side]) for pair in lines) for side in (0, 1))
    return FileLine(sign, file.path, added, removed, ", ".join(details), taken[0][0].id, tuple(lines))


def _lines_of(change: Change, decision: Decision) -> tuple[Sequence[bytes], Sequence[bytes]]:
    """The lines of a change that go and those that come, as it was decided."""
    if isinstance(decision, EditTo):
        return change.removed, [encode_line(line) for line in decision.lines]
    if isinstance(decision, TakeLines):
        gone = [change.removed[number] for number in sorted(decision.removed)]
        return gone, [change.added[number] for number in sorted(decision.added)]
    return change.removed, change.added


def _fate(file: FileChange, taken: int, all_units: int, renamed: bool) -> tuple[str, str]:
    if file.kind is ChangeKind.ADDED:
        return "A", "new note" if taken == all_units else f"new note, {taken} of {all_units} changes"
    if file.kind is ChangeKind.DELETED and taken == all_units:
        return "D", "deleted"
    if renamed:
        return "R", f"renamed from {file.old_path}"
    return "M", many(taken, "change") if taken == all_units else f"{taken} of {all_units} changes"


def lost_moves(review: Review, decisions: Decisions) -> Iterator[Remark]:
    """Lines that go, where the change to which they were moved is not taken; the way leads to that one."""
    for stray in strays(review, decisions):
        lines, into = many(len(stray.lines), "line"), stray.into.file.path
        whose = "the change there" if into == stray.unit.file.path else "that"
        words = (
            f"what {lines} said stands only in {into} of the proposal, and {whose} is not accepted: it would be lost"
        )
        place = stray.unit.file.path
        if stray.unit.change is not None and not stray.unit.file.is_deletion:
            place = f"{place}:{stray.unit.change.new_line}"
        yield Remark(place, words, stray.into.id)


def second_looks(review: Review, decisions: Decisions) -> Iterator[Remark]:
    """Accepted changes that carry a flag, with its reason."""
    index = index_of(review)
    for unit in index.units:
        decision = index.effective(decisions, unit)
        if decision is None or not _takes(decision) or unit.id in review.applied:
            continue
        reasons = [reason_of(flag, review) for flag in flags(review, unit) if flag in FLAGS_TO_REPEAT]
        if unit.file.is_deletion and Flag.DELETION.reason in reasons:
            reasons[reasons.index(Flag.DELETION.reason)] = "the whole note goes"
        if reasons:
            place = (
                f"{unit.file.path}:{unit.change.new_line}"
                if unit.change and not unit.file.is_deletion
                else unit.file.path
            )
            yield Remark(place, "; ".join(reasons), unit.id)


def claims_taken(review: Review, decisions: Decisions) -> Claims:
    """What the claim check says of that which is taken: of lines that are not taken, nothing."""
    index = index_of(review)
    counts: Counter[Verdict] = Counter()
    errors: list[Remark] = []
    flags: list[Remark] = []
    mended: list[Remark] = []
    lost = own = 0
    for unit in index.units:
        decision, report = index.effective(decisions, unit), review.reports.get(unit.id)
        if decision is None or not _takes(decision) or report is None or unit.change is None:
            continue
        mends = decisions.mends.get(unit.id, ())
        place = f"{unit.file.path}:{unit.change.new_line}"
        mended += [
            Remark(place, f"“{mask_secrets(mend.words)}” stands in {mend.transcript}:{mend.line}", unit.id)
            for mend in mends
        ]
        if isinstance(decision, EditTo):
            own += 1
            continue
        rows = [row for row in claim_rows(report, unit.change, mends) if _is_taken(row, decision)]
        counts.update(row.claim.verdict for row in rows if row.claim is not None)
        lost += sum(row.flagged for row in rows if row.claim is None)
        wrong = [row for row in rows if row.weight is Weight.ERROR]
        other = [row for row in rows if row.weight is Weight.WARNING]
        if wrong:
            asked = "taken all the same" if decision_despite(decision) else "you were not asked"
            errors.append(Remark(place, f"{asked}: {_in_words(wrong)}", unit.id))
        if other:
            flags.append(Remark(place, _in_words(other), unit.id))
    found = tuple((verdict, counts[verdict]) for verdict in Verdict if counts[verdict])
    return Claims(review.checked, found, lost, own, tuple(errors), tuple(flags), tuple(mended))


def decision_despite(decision: Decision) -> tuple[str, ...]:
    """The errors that a person was shown and took all the same."""
    return decision.despite if isinstance(decision, Accept | TakeLines) else ()


def _is_taken(row: ClaimRow, decision: Decision) -> bool:
    if not isinstance(decision, TakeLines):
        return True
    return row.line.at in (decision.removed if row.line.side == "removed" else decision.added)


def _in_words(rows: Sequence[ClaimRow]) -> str:
    return "; ".join(
        "a secret"
        if row.kind == ClaimKind.SECRET.value
        else f"{row.look.sign} {row.look.word} “{mask_secrets(row.text)}”"
        for row in rows
    )


def index_remarks(before: IndexState | None, after: IndexState) -> Iterator[Remark]:
    """What would be wrong with the index that was not wrong before."""
    old_orphans = frozenset(before.orphans) if before else frozenset()
    old_targets = frozenset(pointer.target for pointer in before.dangling) if before else frozenset()
    for path in after.orphans:
        if path not in old_orphans:
            yield Remark(path, "new orphan: the index does not name it")
    for pointer in after.dangling:
        if pointer.target not in old_targets:
            yield Remark(f"MEMORY.md:{pointer.line}", f"new dangling pointer to {pointer.target}")
    if after.first_lost_line is not None:
        lost = f"over the limit: from line {after.first_lost_line} on nothing is loaded into a session"
        yield Remark("MEMORY.md", lost)
