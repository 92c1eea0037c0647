"""The message of a review's commit: what was accepted, and what each of it rests on."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence

from memreview.apply.planned import Accepted, Plan
from memreview.model.claim import Verdict
from memreview.model.dream import Citation, CitationStatus, Reference, Review, TargetKind
from memreview.model.patch import ChangeKind
from memreview.model.review import Accept, EditTo, TakeLines
from memreview.review.claims import in_lines
from memreview.text import clip, decode, mask_lines, visible

SUBJECT_CELLS = 72
LINE_CELLS = 160
TEXT_CELLS = 72
STATE_SUBJECT = "State before review"


def review_message(review: Review, plan: Plan, message: str | None = None) -> str:
    """Subject and body: one line for each accepted change, with its citations; what the claim check says of them all.

    ``message`` takes the place of the subject, as it stands.
    """
    subject = (message or "").replace("\0", "").strip() or _subject(review, plan)
    rows = [row for item in plan.accepted for row in _rows(review, item)]
    return "\n\n".join(part for part in (subject, "\n".join(rows), _verdicts(review, plan)) if part) + "\n"


def state_message(review: Review, *, staged: bool = False) -> str:
    """The message of a commit that keeps what lay uncommitted in the notes that are about to change."""
    what = "what was staged of" if staged else "uncommitted lines of"
    return f"{STATE_SUBJECT}\n\nHolds {what} notes that the review of {_label(review)} changes.\n"


def first_message(review: Review) -> str:
    """The message of the first commit of a folder that is put under git."""
    return f"{STATE_SUBJECT}\n\nThe memory folder as it was before the review of {_label(review)}.\n"


def saved_message(review: Review) -> str:
    """The message of the commit that keeps what a rejection takes back on disk."""
    return f"{STATE_SUBJECT}\n\nThe notes on disk before rejected changes were taken back.\n"


def _label(review: Review) -> str:
    return clip(visible(os.path.basename(review.target.label.rstrip("/")) or "a dream"), TEXT_CELLS // 2)


def _subject(review: Review, plan: Plan) -> str:
    noun = "change" if plan.total == 1 else "changes"
    return clip(f"Review of {_label(review)}: {plan.applied} of {plan.total} {noun}", SUBJECT_CELLS)


def _rows(review: Review, item: Accepted) -> Iterator[str]:
    """One accepted change: where, what, and the places of the transcripts that are said to justify it.

    A line of its own says which errors of the claim check it was accepted with.
    """
    cited = [_citation(citation) for citation in review.citations.get(item.id, ())]
    cited += [_reference(reference) for reference in review.references.get(item.id, ())]
    cited += [f"mended: {visible(mend.transcript)}:{mend.line}" for mend in item.mends]
    # A proposal that cites nothing by its nature, such as what a revert brings back, lacks no citation.
    cites = review.target.kind is TargetKind.OUTPUT or bool(review.entries) or any(review.citations.values())
    because = f" ({'; '.join(dict.fromkeys(cited))})" if cited else " (nothing cited)" if cites else ""
    already = ", there already" if item.already else ""
    yield clip(f"- {_place(item)}{already}: {_what(item)}", LINE_CELLS) + clip(because, LINE_CELLS)
    if isinstance(item.decision, Accept | TakeLines) and item.decision.despite:
        yield clip(f"  accepted despite {'; '.join(map(visible, item.decision.despite))}", LINE_CELLS)


def _verdicts(review: Review, plan: Plan) -> str:
    """How many claims of the accepted changes have which verdict; nothing of what was edited, which is not checked."""
    counts: Counter[Verdict] = Counter()
    for item in plan.accepted:
        report = review.reports.get(item.id)
        if report is not None and not isinstance(item.decision, EditTo):
            taken = item.decision.added if isinstance(item.decision, TakeLines) else None
            counts.update(claim.verdict for claim in in_lines(report.claims, taken))
    told = [f"{counts[verdict]} {verdict.value}" for verdict in Verdict if counts[verdict]]
    return f"Claims: {', '.join(told)}" if told else ""


def _place(item: Accepted) -> str:
    path = visible(item.file.path)
    return f"{path}:{item.change.new_line}" if item.change is not None else path


def _what(item: Accepted) -> str:
    """The first lines of an accepted change, in one line."""
    change, decision = item.change, item.decision
    if change is None:
        return {
            ChangeKind.ADDED: "new note",
            ChangeKind.DELETED: "deleted",
            ChangeKind.RENAMED: f"renamed from {visible(item.file.old_path or '')}",
            ChangeKind.MODIFIED: "changed as a whole",
        }[item.file.kind]
    if isinstance(decision, EditTo) and decision.lines:
        return _lines("edited to", decision.lines)
    added: Sequence[bytes] = change.added
    if isinstance(decision, TakeLines):
        added = [change.added[number] for number in sorted(decision.added)]
    if added and not isinstance(decision, EditTo):
        return _lines("", [decode(line) for line in added])
    return _lines("without", [decode(line) for line in change.removed])


def _lines(verb: str, lines: Sequence[str]) -> str:
    told = [line.strip() for line in mask_lines(lines) if line.strip()]
    more = f" (+{len(told) - 1})" if len(told) > 1 else ""
    text = clip(visible(told[0]), TEXT_CELLS) if told else "blank lines"
    return f"{verb} {text}{more}".strip()


def _citation(citation: Citation) -> str:
    place = clip(visible(citation.transcript or citation.raw), TEXT_CELLS)
    if citation.line is not None:
        place += f":{citation.line}"
        if citation.end_line not in (None, citation.line):
            place += f"-{citation.end_line}"
    return place if citation.status is CitationStatus.FOUND else f"{place} [{citation.status}]"


def _reference(reference: Reference) -> str:
    place = clip(visible(reference.raw), TEXT_CELLS)
    return place if reference.found else f"{place} [missing]"
