"""``memory.diff`` seen as a whole: which folder its header lines speak of, and what it says about each path below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memreview.diff.parse import ParsedDiff, ParsedFile
from memreview.errors import DreamError

_MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Roots:
    """The two folders that were compared, as the header lines name them."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class DiffEntry:
    """What memory.diff says about one path, relative to the compared folders."""

    path: str
    file: ParsedFile


def possible_roots(parsed: ParsedDiff) -> list[Roots]:
    """Pairs of folders that every header line can be below of, the ones nearest to the top first.

    ``diff -r`` writes the same relative path on both sides, but where the common part begins cannot be told from one
    line alone: both folders may be called ``memory``, and ``memory`` may hold a folder of that name.
    Raises :class:`DreamError` for a header that leaves the folder of all others.
    """
    if not parsed.files:
        return []
    counts: Counter[Roots] = Counter()
    for file in parsed.files:
        counts.update(_roots_of(file))
    best = max(counts.values(), default=0)
    fitting = [roots for roots, count in counts.items() if count == best]
    if best < len(parsed.files):
        outside = next(file for file in parsed.files if not set(fitting[:1]).intersection(_roots_of(file)))
        raise DreamError(
            f"memory.diff names {outside.new_path}, which lies outside the folder of its other files; nothing is used"
        )
    return sorted(fitting, key=lambda roots: roots.old.count("/"))


def choose_roots(candidates: Sequence[Roots], is_real: Callable[[str], bool]) -> Roots | None:
    """The pair whose old side is the real memory folder, else the first that is called ``memory``, else the first."""
    for roots in candidates:
        if is_real(roots.old):
            return roots
    named = [roots for roots in candidates if _name(roots.old) == _MEMORY == _name(roots.new)]
    return next(iter((*named, *candidates)), None)


def entries_below(parsed: ParsedDiff, roots: Roots | None) -> dict[str, DiffEntry]:
    """What the diff says, by path below the compared folders.

    Raises :class:`DreamError` for a path that leaves the folder or comes twice.
    """
    entries: dict[str, DiffEntry] = {}
    for file in parsed.files:
        if roots is None:
            raise DreamError(f"memory.diff names {file.new_path}, which belongs to no folder; nothing is used")
        path = file.new_path[len(roots.new) + 1 :] if roots.new else file.new_path
        if any(part in {"", ".", ".."} for part in path.split("/")):
            raise DreamError(f"memory.diff names {path}, which lies outside the memory folder; nothing is used")
        if path in entries:
            raise DreamError(f"memory.diff names {path} twice; nothing is used")
        entries[path] = DiffEntry(path, file)
    return entries


def _roots_of(file: ParsedFile) -> list[Roots]:
    """Every pair of folders of which the two names of a file are the same relative path."""
    old, new = file.old_path.split("/"), file.new_path.split("/")
    common = 0
    while common < min(len(old), len(new)) - 1 and old[-1 - common] == new[-1 - common]:
        common += 1
    if old == new and old[0]:
        common += 1
    return [Roots("/".join(old[:-count]), "/".join(new[:-count])) for count in range(1, common + 1)]


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1]
