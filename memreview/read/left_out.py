"""What a proposal holds besides notes: never written, and named where the dream put it there or changed it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping

from memreview.model.finding import Finding, Severity
from memreview.model.memory import MemoryFolder, Note, Stranger
from memreview.read.memory import GIT, HIDDEN_FOLDER, LINK, NO_NOTE, is_note_path

INSTRUCTIONS = "instructions that the client obeys, not a note"
GONE = "is gone in the proposal; it stays, for it is no note"

_INSTRUCTION_NAMES = frozenset({"claude.md", "claude.local.md"})
_SERIOUS = frozenset({LINK, HIDDEN_FOLDER, GIT, INSTRUCTIONS})


def is_instruction(path: str) -> bool:
    """True for a CLAUDE.md in any folder and case: the client loads it as instructions when it reads beside it."""
    return path.rsplit("/", 1)[-1].casefold() in _INSTRUCTION_NAMES


def reviewable(notes: Mapping[str, Note]) -> dict[str, Note]:
    """The notes that a review may change: all but instruction files."""
    return {path: note for path, note in notes.items() if not is_instruction(path)}


def strangers_of(folder: MemoryFolder) -> tuple[Stranger, ...]:
    """All that is no reviewable note in a folder, instruction files included, the folder's own ``.git`` excepted."""
    instructions = [Stranger(path, INSTRUCTIONS) for path in folder.notes if is_instruction(path)]
    return tuple(stranger for stranger in (*folder.strangers, *instructions) if stranger.path != ".git")


def why_no_note(path: str) -> str | None:
    """Why a path cannot be that of a note, None where it can."""
    if is_instruction(path):
        return INSTRUCTIONS
    if is_note_path(path):
        return None
    parts = path.split("/")
    if ".git" in (part.casefold() for part in parts):
        return GIT
    return HIDDEN_FOLDER if any(part.startswith(".") for part in parts[:-1]) else NO_NOTE


def covers(strangers: Iterable[Stranger], path: str) -> Stranger | None:
    """The stranger that stands at ``path`` or at a folder above it."""
    places = frozenset(_path_and_folders(path))
    return next((known for known in strangers if known.path in places), None)


def without_covered(notes: Mapping[str, Note], strangers: Iterable[Stranger]) -> dict[str, Note]:
    """The notes that no stranger of the other side hides: what cannot be read there must not look like a deletion."""
    known = {stranger.path for stranger in strangers}
    return {path: note for path, note in notes.items() if known.isdisjoint(_path_and_folders(path))}


def _path_and_folders(path: str) -> Iterator[str]:
    yield path
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def name_strangers(strangers: Iterable[Stranger], unchanged: Callable[[Stranger], bool]) -> list[Finding]:
    """A finding for every stranger that the dream brought or changed."""
    return [left_out(stranger.path, stranger.reason) for stranger in strangers if not unchanged(stranger)]


def left_out(path: str, reason: str) -> Finding:
    """The finding that says that ``path`` is not part of the review."""
    severity = Severity.ERROR if reason in _SERIOUS else Severity.WARNING
    return Finding("left-out", severity, f"{path} is left out and never written: {reason}", path)


def name_twins(paths: Iterable[str], changed: Iterable[str]) -> list[Finding]:
    """Changed notes whose names differ only in case or in their Unicode form from another one's."""
    groups: dict[str, list[str]] = {}
    for path in sorted(set(paths)):
        groups.setdefault(unicodedata.normalize("NFC", path).casefold(), []).append(path)
    touched = set(changed)
    return [
        Finding(
            "names-alike",
            Severity.WARNING,
            f"{' and '.join(group)} differ only in case or Unicode form; many file systems keep one of them",
            group[0],
        )
        for group in groups.values()
        if len(group) > 1 and touched.intersection(group)
    ]
