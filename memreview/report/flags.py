"""What the claim check found, as lines for a terminal or the log of a CI job.

A flag is read without the rest of the report: the line with carets under what is meant, the verdict in words, the
sentence that explains it, and the record on which it rests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memreview.model.claim import Claim, ClaimReport, Dropped, Moved, Weight
from memreview.model.memory import INDEX_NAME
from memreview.model.patch import Change, FileChange
from memreview.report.styles import Role, Style, counted
from memreview.text import cells, clip, decode, mask_lines, mask_secrets, visible, visible_offsets

WIDTH = 100
"""Cells of a line that are printed around what is flagged in it."""
BEFORE = 40
EVIDENCE_CELLS = 160

_GLYPHS = {Weight.OK: "✓", Weight.NOTE: "·", Weight.WARNING: "!", Weight.ERROR: "✗"}


class FlagLines:
    """Prints reports of the claim check; ``everything`` prints also the claims that are not flagged."""

    def __init__(self, style: Style, *, show_secrets: bool = False, everything: bool = False) -> None:
        self._style = style
        self._show_secrets = show_secrets
        self._everything = everything

    def lines(self, file: FileChange, change: Change, report: ClaimReport) -> Iterator[str]:
        """All that is to be said of one change."""
        if file.path == INDEX_NAME and change.added:
            yield self._style("    ! Every session reads these lines.", Role.BAD)
        for one in report.promoted:
            yield self._moved(one, change, "promoted from", "every session reads it now")
        promoted = {one.line for one in report.promoted}
        for one in report.moved:
            if one.line not in promoted:
                yield self._moved(one, change, "moved from", "")
        added, removed = self._texts(change.added), self._texts(change.removed)
        for claim in report.claims:
            if claim.flagged:
                yield from self._claim(claim, f"{file.path}:{change.new_line + claim.line}", added[claim.line])
            elif self._everything:
                yield self._passed(claim)
        for dropped in report.dropped:
            if dropped.flagged or self._everything:
                place = f"{file.old_path or file.path}:{change.old_line + dropped.line}, before"
                yield from self._dropped(dropped, place, removed[dropped.line])
        quiet = sum(not claim.flagged for claim in report.claims)
        if quiet and not self._everything:
            yield self._style(f"    ✓ {counted(quiet, 'claim')} without a flag", Role.DIM)

    def _texts(self, lines: Sequence[bytes]) -> list[str]:
        texts = [decode(line.removesuffix(b"\n")) for line in lines]
        return texts if self._show_secrets else list(mask_lines(texts))

    def _show(self, text: str) -> str:
        return visible(text if self._show_secrets else mask_secrets(text))

    def _claim(self, claim: Claim, place: str, text: str) -> Iterator[str]:
        head = f"{_GLYPHS[claim.weight]} {claim.verdict.value} · {claim.weight.value} · {claim.kind.value}"
        yield from self._flag(f"{head} ({claim.rule}) · {visible(place)}", text, claim.start, claim.end, claim.reason)
        if claim.nearest:
            yield f"      nearest: {clip(self._show(claim.nearest), EVIDENCE_CELLS)}"
        for evidence in claim.evidence:
            who = f"{claim.speaker.value} " if claim.speaker is not None else ""
            said = clip(self._show(" ".join(evidence.text.split())), EVIDENCE_CELLS)
            yield f"      {visible(evidence.transcript)}:{evidence.line} {who}│ {said}"

    def _dropped(self, dropped: Dropped, place: str, text: str) -> Iterator[str]:
        glyph = "✗" if dropped.flagged else "·"
        head = f"{glyph} {dropped.fate.value} · {dropped.kind.value} ({dropped.rule}) · {visible(place)}"
        yield from self._flag(head, text, dropped.start, dropped.end, dropped.reason, flagged=dropped.flagged)

    def _flag(self, head: str, text: str, start: int, end: int, reason: str, *, flagged: bool = True) -> Iterator[str]:
        yield "    " + self._style(head, Role.BAD if flagged else Role.DIM)
        shown, carets = excerpt(text, start, end)
        yield f"      {shown}"
        yield "      " + self._style(carets, Role.BAD if flagged else Role.DIM)
        yield f"      {self._show(reason)}"

    def _passed(self, claim: Claim) -> str:
        place = "".join(f" · {visible(e.transcript)}:{e.line}" for e in claim.evidence[:1])
        said = f"{claim.verdict.value} · {claim.weight.value} · {claim.kind.value} ({claim.rule}){place}"
        text = clip(self._show(claim.text), WIDTH // 2)
        return "    " + self._style(f"{_GLYPHS[claim.weight]} {said}", Role.GOOD) + f" “{text}”"

    def _moved(self, one: Moved, change: Change, how: str, why: str) -> str:
        said = f"    · line {change.new_line + one.line} {how} {visible(one.origin)}" + (f": {why}" if why else "")
        return self._style(said, Role.BAD if why else Role.DIM)


def excerpt(text: str, start: int, end: int, width: int = WIDTH) -> tuple[str, str]:
    """A line, cut around code points ``start`` to ``end`` where it is long, and carets for under these.

    Both are visible text; carets are counted in cells.
    """
    shown, offsets = visible(text).replace("\t", " "), visible_offsets(text)
    left, right = offsets[min(start, len(text))], offsets[min(end, len(text))]
    first = 0
    lead = ""
    if cells(shown[:left]) > BEFORE and cells(shown) > width:
        first = left
        while first > 0 and cells(shown[first:left]) < BEFORE:
            first -= 1
        lead = "…"
    body = clip(shown[first:], width)
    inside = body[left - first : right - first]
    carets = " " * (len(lead) + cells(shown[first:left])) + "^" * max(1, cells(inside))
    return lead + body, carets
