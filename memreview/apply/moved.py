"""What has moved in the real folder since a dream read it, note by note, and what that means for its changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memreview.diff.hunks import compare
from memreview.model.dream import Review
from memreview.model.finding import Finding, Severity
from memreview.model.memory import MemoryFolder, Note
from memreview.model.patch import FileChange
from memreview.text import visible

MOVED = "moved-since"
"""Rule of the findings that say which notes are not what they were when the dream read them."""
MOST = 20
"""Notes that are told one by one; and so many others by name."""


def moved_findings(review: Review, live: MemoryFolder) -> Iterator[Finding]:
    """A warning for each note that moved and that the dream changes too, and one remark on all others that moved.

    ``review.conflicts`` must be known.
    """
    touched = {path: file for file in review.files for path in (file.path, file.old_path) if path is not None}
    both = [path for path in review.moved_since if path in touched]
    for path in both[:MOST]:
        yield Finding(MOVED, Severity.WARNING, _on_both_sides(review, touched[path], path, live), path)
    rest = both[MOST:]
    if rest:
        yield Finding(
            MOVED, Severity.WARNING, f"{len(rest)} more notes that the dream changes moved since it read them"
        )
    others = [path for path in review.moved_since if path not in touched]
    if others:
        named = ", ".join(f"{visible(path)} ({_how(path, review, live)})" for path in others[:MOST])
        more = f" and {len(others) - MOST} more" if len(others) > MOST else ""
        said = f"since the dream read them these moved too, and it leaves them alone: {named}{more}"
        yield Finding(MOVED, Severity.INFO, said)


def _on_both_sides(review: Review, file: FileChange, path: str, live: MemoryFolder) -> str:
    ids = [change.id for change in file.changes()] or [file.id]
    count = sum(one in review.conflicts for one in ids)
    merged = "its changes are merged with what stands there now"
    if count:
        merged += f", and {count} of {len(ids)} conflict{'s' if count == 1 else ''} with it"
    return f"{visible(path)} moved since the dream read it ({_how(path, review, live)}): {merged}"


def _how(path: str, review: Review, live: MemoryFolder) -> str:
    """How a note moved, in a few words."""
    before, now = review.memory.get(path), live.notes.get(path)
    if now is None:
        return "gone"
    if before is None:
        return "new"
    if b"\0" in before or b"\0" in now.data:
        return "changed"
    added, removed = _counts({path: Note(path, before)}, {path: now})
    return f"+{added} −{removed} lines" if added or removed else "its mode"


def _counts(before: Mapping[str, Note], after: Mapping[str, Note]) -> tuple[int, int]:
    changes = [change for file in compare(before, after) for change in file.changes()]
    return sum(len(change.added) for change in changes), sum(len(change.removed) for change in changes)
