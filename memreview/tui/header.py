"""The first and the last line of the review in words: where we are, how far, and why this change needs a look."""

from __future__ import annotations

import os

from textual.content import Content

from memreview.checks.unheeded import SAVE
from memreview.model.claim import Weight
from memreview.model.dream import Review
from memreview.model.memory import INDEX_NAME
from memreview.text import clip
from memreview.tui import content
from memreview.tui.facts import ACCEPTED, APPLIED, BY_LINES, EDITED, REJECTED, UNDECIDED, Flag, reason_of
from memreview.tui.items import ItemKind
from memreview.tui.judged import by_urgency
from memreview.tui.ledger import Ledger
from memreview.tui.session import Session, Shows

NARROW, WIDE = 110, 170
"""Columns below which the panes stand one above the other, and from which on there is room for words."""
BAR = 12
"""Cells of the progress bar."""

LONGEST_TEXT = 16
"""Cells of a text that is searched for."""

STYLES = {Weight.ERROR: "bold $error", Weight.WARNING: "$warning", Weight.NOTE: "$primary", Weight.OK: "$success"}
_STYLES = {
    ACCEPTED.sign: "$success",
    REJECTED.sign: "$error",
    EDITED.sign: "$accent",
    BY_LINES.sign: "$accent",
    APPLIED.sign: "$success",
}


def where(review: Review, narrow: bool) -> Content:
    """The project and the run that is shown."""
    name = review.project.name or os.path.basename(review.target.label.rstrip("/"))
    run = review.run.label or review.target.label
    parts: list[tuple[str, str]] = [(name, "bold")]
    warnings: list[tuple[str, str]] = []
    if not review.run.complete:
        warnings.append(("  run not finished", "$warning"))
    if review.stale:
        many = len(review.moved_since)
        said = f"{many} changed on disk" if narrow else f"{many} note{'s' if many != 1 else ''} changed on disk since"
        warnings.append((f"  {said}", "$warning"))
    if narrow:
        # What stands last is cut first.
        return content.assemble([*parts, *warnings, (f"  {os.path.basename(run.rstrip('/'))}", "$quiet")])
    return content.assemble([("memreview  ", "$quiet"), *parts, (f"  {run}", "$quiet"), *warnings])


def progress(ledger: Ledger, width: int) -> Content:
    """How many are decided, as a bar and in figures."""
    counts = ledger.counts()
    total = len(ledger.units)
    done = total - counts.get(UNDECIDED.sign, 0)
    parts = _claims(ledger, width >= WIDE)
    for look in (APPLIED, ACCEPTED, EDITED, BY_LINES, REJECTED):
        if counts.get(look.sign):
            parts.append((f"{look.sign}{counts[look.sign]} ", _STYLES[look.sign]))
    if width >= NARROW:
        filled = BAR * done // total if total else 0
        parts += [(" " + "━" * filled, "$success"), ("┄" * (BAR - filled) + " ", "$quiet")]
    parts.append((f"{done}/{total}", "bold"))
    return content.assemble(parts)


def _claims(ledger: Ledger, words: bool) -> list[tuple[str, str]]:
    """What the claim check has flagged, by verdict; with the ``words`` for them where there is room."""
    if ledger.checking:
        done = ledger.done
        so_far = f" {100 * done[0] // done[1]} %" if done and done[1] else ""
        return [(f"checking claims{so_far} …  ", "$accent")]
    if ledger.unchecked:
        return [("claims not checked  ", "$error")]
    found = [
        (f"{look.sign}{count}" + (f" {look.word}  " if words else " "), STYLES[weight])
        for look, weight, count in by_urgency(ledger.judged.total)
    ]
    return [*found, (" ", "")] if found else []


def reason(session: Session) -> Content:
    """What is to be known of the row under the cursor, in one line."""
    ledger, item = session.ledger, session.item
    if item is None:
        return Content()
    if item.kind is ItemKind.FINDING:
        finding = ledger.review.findings[item.index]
        return content.assemble(
            [(f"{finding.severity.value} ", "bold"), (f"{finding.rule}  ", "$quiet"), finding.message]
        )
    if item.kind is ItemKind.UNHEEDED:
        kind = "asked to remember" if ledger.review.unheeded[item.index].kind == SAVE else "corrected"
        return content.content(f"The user {kind} this, and no note as proposed holds it; t: what was said.", "$warning")
    if item.kind is ItemKind.ENTRY:
        return content.content("No change of this proposal matches this entry of CHANGES.md.", "$warning")
    number = item.units[0]
    look, found = ledger.look(number), ledger.flags(number)
    parts: list[str | tuple[str, str]] = [(f"{look.sign} {look.word}", _STYLES.get(look.sign, "bold"))]
    if item.kind is ItemKind.STAMPS:
        parts.append("  only the “modified” line of the frontmatter is newer; a decision here is for all of them")
        return content.assemble(parts)
    if item.file is not None and INDEX_NAME in (item.file.path, item.file.old_path):
        parts += ["  ", ("read by every session", "$warning")]
    for flag in found:
        parts += ["  ", (f"{flag.sign} {reason_of(flag, ledger.review)}", "$warning")]
    if not ledger.looked_up:
        parts.append(("  what CHANGES.md cites is being looked up …", "$quiet"))
    elif ledger.review.traced:
        parts.append(("  the calls that wrote this stand beside it" * (Flag.UNEXPLAINED not in found), "$quiet"))
    elif Flag.UNEXPLAINED not in found:
        entries = ledger.review.explained_by.get(ledger.units[number].id, ())
        lines = ", ".join(str(ledger.review.entries[index].line) for index in entries)
        parts.append((f"  explained by CHANGES.md line {lines}", "$quiet"))
    return content.assemble(parts)


def place(session: Session) -> Content:
    """Which change of how many the cursor is on, and what the list leaves out."""
    numbers, shows = session.numbers(), session.ledger.state.filter
    parts: list[tuple[str, str]] = []
    if session.shows is not Shows.ALL:
        parts.append((f"only {session.shows.value}  ", "$accent"))
    if shows.text:
        parts.append((f"with “{clip(shows.text, LONGEST_TEXT)}”  ", "$accent"))
    if numbers:
        parts.append((f"{numbers[0] + 1} of {len(session.ledger.units)}", "$quiet"))
    return content.assemble(parts)


def list_title(session: Session) -> str:
    """What the list shows."""
    text = session.ledger.state.filter.text
    what = "Changes" if session.shows is Shows.ALL else f"Only {session.shows.value}"
    return f"{what} with “{text}”" if text else what
