"""Three-way merging of lines from two lists of edits over one base, where each edit of ours belongs to a decision.

The rules are those of ``git merge-file``: edits of both sides that overlap or touch conflict unless they come to the
same lines. Two rules go beyond it: an edit that *settles* takes its place whatever stands there now, and in the index
two pure insertions of entries at one place are both kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memreview.diff.engine import apply_edits
from memreview.diff.lines import LF, complete, line_end
from memreview.model.patch import Edit

_ENTRY = re.compile(rb"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S")


@dataclass(frozen=True, slots=True)
class OwnedEdit(Edit):
    """An edit that carries out the decision on the change ``change``.

    ``settles`` is True for lines that a person wrote: they replace what stands there now instead of conflicting.
    """

    change: str = ""
    settles: bool = False


@dataclass(frozen=True, slots=True)
class Clash:
    """Edits of ours that cannot be carried out because the live text changed at the same place.

    ``start``/``end`` are 0-based lines of the base, ``live`` the lines that stand there now, ``ours`` those that
    the decisions would put there.
    """

    changes: tuple[str, ...]
    start: int
    end: int
    live: tuple[bytes, ...]
    ours: tuple[bytes, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Merged:
    """``lines`` are the merged text, with the live lines wherever there is a conflict; never any marker.

    ``already`` are the changes that stand in the live text and so make no difference.
    """

    lines: tuple[bytes, ...]
    conflicts: tuple[Clash, ...] = ()
    already: tuple[str, ...] = ()

    @property
    def data(self) -> bytes:
        """The merged text."""
        return b"".join(self.lines)


@dataclass(slots=True)
class _Region:
    """Edits of both sides that touch each other, and the base lines that they take together."""

    start: int
    end: int
    live: list[Edit]
    ours: list[OwnedEdit]


def merge(
    base: Sequence[bytes], live_edits: Sequence[Edit], our_edits: Sequence[OwnedEdit], *, index: bool = False
) -> Merged:
    """The base with both lists of edits carried out, each in order and free of overlaps in itself.

    ``index`` says that the text is the index of a memory folder. A line that no longer is the last one and lacks a line
    end gets that of the base.
    """
    written_end = any(edit.settles and edit.end == len(base) for edit in our_edits)
    if (index or written_end) and base and not base[-1].endswith(LF):
        return _merge_ended(base, live_edits, our_edits, index=index)
    out: list[bytes] = []
    conflicts: list[Clash] = []
    already: list[str] = []
    known = {_bare(line) for edit in live_edits for line in edit.added} if index else set()
    at = 0
    for region in _regions(live_edits, our_edits):
        out += base[at : region.start]
        at = region.end
        merged, clash, idle = _merge_region(base, region, known)
        out += merged
        already += idle
        if clash is not None:
            conflicts.append(clash)
    out += base[at:]
    return Merged(complete(out, line_end(base)), tuple(conflicts), tuple(already))


def _regions(live: Sequence[Edit], ours: Sequence[OwnedEdit]) -> Iterator[_Region]:
    region: _Region | None = None
    i = j = 0
    while i < len(live) or j < len(ours):
        from_live = j == len(ours) or (i < len(live) and (live[i].start, live[i].end) <= (ours[j].start, ours[j].end))
        edit: Edit = live[i] if from_live else ours[j]
        other = (region.ours if from_live else region.live) if region else []
        touches = bool(other) and edit.start <= other[-1].end
        if region is None or not (touches or edit.start < region.end):
            if region is not None:
                yield region
            region = _Region(edit.start, edit.end, [], [])
        region.end = max(region.end, edit.end)
        if from_live:
            region.live.append(live[i])
            i += 1
        else:
            region.ours.append(ours[j])
            j += 1
    if region is not None:
        yield region


def _merge_region(
    base: Sequence[bytes], region: _Region, known: set[bytes]
) -> tuple[Sequence[bytes], Clash | None, tuple[str, ...]]:
    live = _side(base, region, region.live)
    if not region.ours:
        return live, None, ()
    ids = tuple(dict.fromkeys(edit.change for edit in region.ours))
    if not region.live:
        fresh = [_without_known(edit, known) for edit in region.ours]
        idle = tuple(
            edit.change
            for edit, old in zip(fresh, region.ours, strict=True)
            if old.added and not edit.added and not edit.removed
        )
        return _side(base, region, fresh), None, idle
    ours = _side(base, region, region.ours)
    if live == ours:
        return ours, None, ids
    if known and _only_entries(region):
        there = {_bare(line) for line in live}
        new = tuple(line for line in ours if _bare(line) not in there)
        return (*live, *new), None, () if new else ids
    if all(edit.settles for edit in region.ours):
        return _settle(base, region), None, ()
    ids = tuple(dict.fromkeys(edit.change for edit in region.ours if not edit.settles))
    reason = "the note was changed at the same place since the dream read it"
    return live, Clash(ids, region.start, region.end, live, ours, reason), ()


def _side(base: Sequence[bytes], region: _Region, edits: Sequence[Edit]) -> tuple[bytes, ...]:
    moved = [replace(edit, start=edit.start - region.start) for edit in edits]
    return apply_edits(base[region.start : region.end], moved)


def _settle(base: Sequence[bytes], region: _Region) -> tuple[bytes, ...]:
    """The region with the written lines in place and, around them, whatever the live text has there."""
    live: list[Edit] = []
    for edit in region.live:
        live += _split(edit)
    kept = [edit for edit in live if not any(_covers(own, edit) for own in region.ours)]
    ours: list[Edit] = []
    for own in region.ours:
        start, end = own.start, own.end
        for edit in live:
            if _covers(own, edit):
                start, end = min(start, edit.start), max(end, edit.end)
        ours.append(Edit(start, tuple(base[start:end]), own.added))
    edits = sorted(
        [(e.start, e.end, 0, e) for e in kept] + [(e.start, e.end, 1, e) for e in ours], key=lambda row: row[:3]
    )
    return _side(base, region, _disjoint([row[3] for row in edits]))


def _split(edit: Edit) -> list[Edit]:
    """An edit of as many new as old lines falls into one for each line, so that one of them can be replaced alone."""
    if len(edit.removed) != len(edit.added):
        return [edit]
    pairs = zip(edit.removed, edit.added, strict=True)
    return [Edit(edit.start + n, (old,), (new,)) for n, (old, new) in enumerate(pairs)]


def _covers(own: OwnedEdit, live: Edit) -> bool:
    """True where ``own`` replaces what ``live`` did: they share a line, or touch and ``own`` holds the same lines."""
    if own.start < live.end and live.start < own.end:
        return True
    touches = own.start <= live.end and live.start <= own.end
    return touches and any(line.strip() for line in live.added) and _holds(own.added, live.added)


def _holds(lines: Sequence[bytes], part: Sequence[bytes]) -> bool:
    bare, wanted = [_bare(line) for line in lines], [_bare(line) for line in part]
    return any(bare[n : n + len(wanted)] == wanted for n in range(len(bare) - len(wanted) + 1))


def _disjoint(edits: Sequence[Edit]) -> list[Edit]:
    """``edits`` in order with those that overlap made one; their lines stand one after another."""
    result: list[Edit] = []
    for edit in edits:
        if result and edit.start < result[-1].end:
            last = result.pop()
            tail = edit.removed[max(0, last.end - edit.start) :]
            edit = Edit(last.start, last.removed + tail, last.added + edit.added)
        result.append(edit)
    return result


def _bare(line: bytes) -> bytes:
    return line.rstrip(b"\r\n")


def _only_entries(region: _Region) -> bool:
    edits = (*region.live, *region.ours)
    return all(not edit.removed and all(_ENTRY.match(line) for line in edit.added) for edit in edits)


def _without_known(edit: OwnedEdit, known: set[bytes]) -> OwnedEdit:
    """An insertion without the entries that another session has entered already, wherever that was."""
    if edit.removed or edit.settles:
        return edit
    return replace(edit, added=tuple(line for line in edit.added if not (_ENTRY.match(line) and _bare(line) in known)))


def _merge_ended(
    base: Sequence[bytes], live_edits: Sequence[Edit], our_edits: Sequence[OwnedEdit], *, index: bool
) -> Merged:
    """Merge a text whose last line has no line end as if it had one, so that appending to it is a pure insertion."""
    end = line_end(base)
    sides = (apply_edits(base, live_edits), apply_edits(base, our_edits))
    keeps_none = not any(side and side[-1].endswith(LF) for side in sides)
    ours: list[OwnedEdit] = []
    for edit in our_edits:
        moved = _ended(edit, len(base), end)
        if moved is not None:
            ours.append(replace(edit, start=moved.start, removed=moved.removed, added=moved.added))
    live = [moved for edit in live_edits if (moved := _ended(edit, len(base), end)) is not None]
    merged = merge((*base[:-1], base[-1] + end), live, ours, index=index)
    if keeps_none and merged.lines:
        return replace(merged, lines=(*merged.lines[:-1], merged.lines[-1].removesuffix(end)))
    return merged


def _ended(edit: Edit, size: int, end: bytes) -> Edit | None:
    """``edit`` of a base of ``size`` lines with every line ended; None where nothing but the line end differs.

    Lines that are then equal are left out of it, unless a person wrote them: those are to stand as they were written.
    """
    if edit.end != size or not edit.removed:
        return edit
    removed = (*edit.removed[:-1], edit.removed[-1] + end)
    added = tuple(line if line.endswith(LF) else line + end for line in edit.added)
    same = 0
    written = isinstance(edit, OwnedEdit) and edit.settles
    while not written and same < min(len(removed), len(added)) and removed[same] == added[same]:
        same += 1
    if same == len(removed) == len(added):
        return None
    return Edit(edit.start + same, removed[same:], added[same:])
