"""A memory as text: all its lines with where they stand, and the lines around a change that give it its sense."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memreview.checks.claims.novelty import OldText
from memreview.diff.frontmatter import frontmatter_end, is_setting
from memreview.diff.lines import is_binary, split_lines, text_lines
from memreview.model.dream import Review
from memreview.model.patch import Change, FileChange

_HEADING = re.compile(r"^(#{1,6})\s+\S")
_FENCE = re.compile(r"^\s{0,8}(?:[-*+]\s+)?(`{3,}|~{3,})")
_FRONT = "---"


@dataclass(frozen=True, slots=True)
class Frame:
    """Lines that are put before and behind those of a change: its headings, and the fence or frontmatter it is in."""

    before: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()

    def around(self, lines: Sequence[str]) -> list[str]:
        """The lines in their frame; none where there are none."""
        return [*self.before, *lines, *self.behind] if lines else []


def proposed_memory(review: Review) -> dict[str, bytes]:
    """All notes as they are proposed, by path."""
    notes = dict(review.memory)
    for file in review.files:
        notes.pop(file.old_path or file.path, None)
    for file in review.files:
        if file.proposed is not None:
            notes[file.path] = file.proposed
    return notes


def memory_text(notes: Mapping[str, bytes]) -> OldText:
    """All lines of a memory, each with where it stands (``note.md:4``), without stamps and other settings."""
    lines: list[str] = []
    origins: list[str] = []
    for path in sorted(notes):
        if is_binary(notes[path]):
            continue
        raw = split_lines(notes[path])
        front = frontmatter_end(raw)
        for number, line in enumerate(text_lines(raw), 1):
            if number > front or not is_setting(raw[number - 1]):
                lines.append(line)
                origins.append(f"{path}:{number}")
    return OldText(tuple(lines), tuple(origins))


def frame_of(file: FileChange, change: Change) -> Frame:
    """What a change stands in, by the proposal; by the base where its lines only go away."""
    data, start = (file.proposed, change.new_start) if change.added else (file.base, change.old_start)
    lines = split_lines(data or b"")
    front = frontmatter_end(lines)
    if 0 < start < front:
        return Frame((_FRONT,), (_FRONT,))
    headings: list[tuple[int, str]] = []
    fence = ""
    for text in text_lines(lines[front:start]):
        mark = _FENCE.match(text)
        if mark and (not fence or text.strip().startswith(fence.strip()[:3])):
            fence = "" if fence else text
        heading = _HEADING.match(text) if not fence else None
        if heading:
            level = len(heading.group(1))
            headings = [*(pair for pair in headings if pair[0] < level), (level, text)]
    return Frame((*(text for _, text in headings), *((fence,) if fence else ())))
