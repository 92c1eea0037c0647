"""Ids of files, hunks and changes: hashes of what they are, so that the same change keeps its id in another run.

A change is known by its note's path and its lines. Lines alone do not say where they stand when another change has the
same, when the removed lines stand more than once in the note, or when none is removed; such an id also covers the
nearest heading above (for insertions that no other change equals) or the nearest line above that stands only once.
Where even that does not tell two places apart, the id is good for this run only; equal ones are numbered.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Sequence

from memreview.model.patch import Edit

_SIZE = 8


def digest(kind: str, *parts: bytes) -> str:
    """A hex hash of 16 characters of ``parts``; equal parts of different ``kind`` never share one."""
    state = hashlib.blake2b(digest_size=_SIZE, person=kind.encode())
    for part in parts:
        state.update(b"%d:" % len(part))
        state.update(part)
    return state.hexdigest()


def file_id(kind: str, path: str, old_path: str | None, base: bytes | None, proposed: bytes | None) -> str:
    """The id of a file: of its names and of both contents, so that a decision on a file is about these bytes."""
    sides = [b"-" if side is None else b"+" + side for side in (base, proposed)]
    return digest("file", kind.encode(), os.fsencode(path), os.fsencode(old_path or ""), *sides)


def hunk_id(change_ids: Sequence[str]) -> str:
    """The id of a hunk: of the ids of its changes."""
    return digest("hunk", *(item.encode() for item in change_ids))


def change_ids(path: str, base: Sequence[bytes], edits: Sequence[Edit]) -> list[tuple[str, bool]]:
    """For each edit of one note its id, and whether that id means the same change in every run that has it."""
    places = _Places(base)
    name = os.fsencode(path)
    keys = [_lines_key(edit) for edit in edits]
    twins = Counter(keys)
    ids: list[tuple[str, bool]] = []
    for edit, key in zip(edits, keys, strict=True):
        told = places.tell(edit)
        if twins[key] > 1 or not told:
            place = (b"line", places.line_above(edit.start))
            told = not edit.removed or places.tell_nearby(edit)
        elif not edit.removed:
            place = (b"heading", places.heading_above(edit.start))
        else:
            place = (b"", b"")
        ids.append((digest("change", name, key, *place), told))
    same = Counter(item for item, _ in ids)
    seen: Counter[str] = Counter()
    result: list[tuple[str, bool]] = []
    for item, told in ids:
        if same[item] == 1:
            result.append((item, told))
        else:
            result.append((digest("twin", item.encode(), b"%d" % seen[item]), False))
            seen[item] += 1
    return result


def _lines_key(edit: Edit) -> bytes:
    return digest("lines", *edit.removed, b"/", *edit.added).encode() + b"%d" % len(edit.removed)


class _Places:
    """Where lines stand in a note: which of them stand there once, and what is the nearest such line above another."""

    def __init__(self, lines: Sequence[bytes]) -> None:
        count = Counter(lines)
        self._once = {line for line, times in count.items() if times == 1 and line.strip()}
        self._lines: list[bytes] = [b""]
        self._headings: list[bytes] = [b""]
        self._parts: list[int] = [0]
        for line in lines:
            once = line in self._once
            self._lines.append(line if once else self._lines[-1])
            self._headings.append(line if once and line.startswith(b"#") else self._headings[-1])
            self._parts.append(self._parts[-1] + once)
        self._nearby = Counter(zip(self._parts, lines, strict=False))

    def tell(self, edit: Edit) -> bool:
        """True where nothing is removed, or one of the removed lines stands nowhere else."""
        return not edit.removed or any(line in self._once for line in edit.removed)

    def tell_nearby(self, edit: Edit) -> bool:
        """True where one of the removed lines stands only once between two lines that stand once in the note."""
        return any(
            line in self._once or self._nearby[self._parts[edit.start + number], line] == 1
            for number, line in enumerate(edit.removed)
        )

    def line_above(self, start: int) -> bytes:
        """The nearest line before ``start`` that stands once in the note, empty where there is none."""
        return self._lines[start]

    def heading_above(self, start: int) -> bytes:
        """The nearest heading before ``start`` that stands once in the note, empty where there is none."""
        return self._headings[start]
