"""What the commit screen says: what to do now, and what was done."""

from __future__ import annotations

import shlex

from memreview.apply.result import ApplyResult
from memreview.report.overview import Preview
from memreview.tui.app import SHA_LENGTH
from memreview.tui.outlook import Outlook, many


def what_now(outlook: Outlook, preview: Preview, *, without_git: bool) -> tuple[str, str]:
    """What confirming would do, or what must be done first, in one sentence; and how urgent that is."""
    if outlook.conflicts:
        return f"{many(len(outlook.conflicts), 'conflict')} must be decided first: enter goes there.", "error"
    notes, them = many(len(outlook.files), "note"), "it" if len(outlook.files) == 1 else "them"
    if preview.ignored and without_git:
        return f"ctrl+s writes {notes}, without a commit, because git ignores some; g changes that.", "warning"
    if preview.ignored:
        return f"ctrl+s writes {notes} and commits {them}, {len(preview.ignored)} against the ignore rules.", "warning"
    if outlook.in_place:
        back = len(outlook.taken_back)
        rest = f", and takes back on disk what was rejected in {many(back, 'note')}" if back else ""
        does = "settles" if preview.snapshots else "commits"
        return f"ctrl+s {does} what was accepted in {notes}{rest}.", "warning" if back else ""
    if preview.repository is not None:
        return f"ctrl+s writes {notes} and commits {them}.", ""
    if without_git:
        return f"ctrl+s writes {notes}, without a commit.", "warning"
    return f"ctrl+s makes a repository, commits the present state, then {notes}.", ""


def outcome(result: ApplyResult, outlook: Outlook | None, memory_dir: str) -> list[str]:
    """What was done, and what can be done with it now: a headline and lines."""
    done = [f"{many(len(result.written), 'note')} written"] if result.written else []
    if result.deleted:
        done.append(f"{len(result.deleted)} deleted")
    done.append(f"{many(result.applied, 'change')} taken")
    if outlook is not None and outlook.counts.undecided:
        done.append(f"{outlook.counts.undecided} left undecided")
    sha = result.commit
    kept = f"✓ Settled in {result.snapshot}" if result.snapshot else "✓ Written, without a commit"
    lines = [f"✓ Committed {sha[:SHA_LENGTH]}" if sha else kept, "", " · ".join(done)]
    if outlook is not None and outlook.counts.undecided:
        lines.append("The review keeps what is undecided: open it again to go on.")
    lines.append("")
    if sha:
        for words, verb in (("Look at it:", "show"), ("Take it back:", "revert")):
            lines += [words, f"  {git_command(verb, memory_dir, sha)}"]
    else:
        lines.append(f"The notes are in {memory_dir}; there is no commit to go back to.")
    if result.before_ref:
        lines.append(f"What was taken back is kept as {result.before_ref}.")
    return [*lines, *(["", *result.notes] if result.notes else [])]


def git_command(verb: str, memory_dir: str, sha: str) -> str:
    """What to type into a shell for a commit of a memory folder."""
    return f"git -C {shlex.quote(memory_dir)} {verb} {sha[:SHA_LENGTH]}"
