"""What a person should know about a dream's output before trusting it, as findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memreview.diff.parse import ParsedDiff
from memreview.model.finding import Finding, Severity
from memreview.model.memory import MemoryFolder
from memreview.model.patch import ChangeKind, FileChange
from memreview.read.dream_output import OutputFolder, last_line, log_tail, shown_time
from memreview.read.left_out import reviewable


def label_of(folder: OutputFolder, copy: MemoryFolder | None) -> str:
    """Which run is shown, by its time."""
    label = f"run of {shown_time(folder.date)}" if folder.date is not None else "run"
    return f"{label}, the newer of two" if _is_nested(folder, copy) else label


def about_parts(
    folder: OutputFolder, parsed: ParsedDiff | None, copy: MemoryFolder | None, live: MemoryFolder
) -> Iterator[Finding]:
    """Remarks on parts that are missing, empty, or of another run than the rest."""
    if parsed is None:
        yield _warn(
            "no-diff",
            "memory.diff is missing: what the dream began with is taken from the copy's commit or, where it has none, "
            "from the real folder as it is now; what others wrote since would appear as removed",
        )
    elif not parsed.files:
        yield from _about_empty(copy, live)
    if copy is None and folder.memory is not None:
        yield _warn(
            "old-copy",
            "memory/ is older than memory.diff and does not fit it: an earlier run left it; the proposal is rebuilt "
            "from memory.diff",
        )
    elif copy is None:
        yield _warn("no-copy", "memory/ is missing: the proposal is rebuilt from memory.diff; empty notes do not show")
    if _is_nested(folder, copy):
        yield _warn(
            "two-runs",
            f"two runs wrote into this folder: shown is the newer one, of {shown_time(folder.date or 0)}, whose notes "
            "are in memory/memory/; memory/ holds the earlier one's",
        )
    if folder.log_is_newer:
        yield _warn(
            "last-run-failed",
            f"run.log is newer than memory.diff: the last run left no proposal (its last line: "
            f"{last_line(log_tail(folder.log_path))}); shown is the run of {shown_time(folder.diff_time or 0)}",
        )
    if folder.changes_time is None and (parsed is None or parsed.files):
        yield _warn("no-changes", "CHANGES.md is missing: no change cites anything")
    if folder.changes_are_older and folder.changes_time is not None:
        yield _warn(
            "old-changes",
            f"CHANGES.md is of {shown_time(folder.changes_time)}, before memory.diff: an earlier run wrote it, "
            "so it explains other changes than these",
        )
    for notice in parsed.notices if parsed is not None else ():
        yield _warn("diff-notice", f"memory.diff says: {notice}")


def about_files(files: Sequence[FileChange]) -> Iterator[Finding]:
    """Remarks on what the dream cannot have done itself."""
    for file in files:
        held = sum(change.during_run for change in file.changes())
        if file.during_run and file.kind is ChangeKind.DELETED:
            yield _warn("written-during-run", f"{file.path} was written by another session while the dream ran", file)
        elif file.during_run and file.kind is ChangeKind.ADDED:
            yield _warn("written-during-run", f"{file.path} was deleted by another session while the dream ran", file)
        elif held:
            yield _warn(
                "written-during-run",
                f"{file.path}: {held} of {sum(1 for _ in file.changes())} changes would undo what another session "
                "wrote while the dream ran",
                file,
            )
        elif file.kind is ChangeKind.DELETED:
            yield _warn(
                "whole-note-deleted",
                f"{file.path} is deleted as a whole, which the tools of the dream script cannot do: "
                "another session may have written it before the dream's first edit",
                file,
            )


def _about_empty(copy: MemoryFolder | None, live: MemoryFolder) -> Iterator[Finding]:
    if copy is not None and _texts(copy) != _texts(live):
        yield _warn(
            "empty-diff",
            "memory.diff is empty although memory/ differs from the real folder: that one has changed since, or the "
            "diff was lost; nothing is proposed",
        )
    else:
        yield Finding("empty-diff", Severity.INFO, "memory.diff is empty: the dream proposes nothing")


def _texts(folder: MemoryFolder) -> dict[str, bytes]:
    return {path: note.data for path, note in reviewable(folder.notes).items()}


def _is_nested(folder: OutputFolder, copy: MemoryFolder | None) -> bool:
    return copy is not None and copy.path == folder.nested


def _warn(rule: str, message: str, file: FileChange | None = None) -> Finding:
    return Finding(rule, Severity.WARNING, message, file.path if file is not None else None)
