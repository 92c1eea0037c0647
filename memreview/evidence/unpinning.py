"""Unpinning as a proposal: pointers that no session follows move from the index into a topic file, to be reviewed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence

from memreview.config import Options
from memreview.diff.lines import complete, line_end, split_lines
from memreview.errors import RefusedError, UsageError
from memreview.model.advice import Advice, Advised
from memreview.model.dream import Project, Target, TargetKind
from memreview.model.memory import INDEX_NAME, MemoryFolder
from memreview.saving import put_folder

TOPIC = "not-read-lately.md"
"""The note that takes the pointers; the index keeps one line for all of them."""
FOLDER = "unpinning"
"""Folder below the state folder that holds such proposals."""
_HEAD = (
    b"# Not read lately\n\nNotes that no session read for a month. Move a line back to MEMORY.md when it is needed.\n\n"
)
_POINTER = "- [Not read lately](not-read-lately.md) — {} that no session read for a month"


def moved(memory: MemoryFolder, advised: Sequence[Advised]) -> Mapping[str, bytes]:
    """The notes as they would be: the index without the pointers to be unpinned, and the topic file with them.

    Empty where there is nothing to unpin.
    """
    numbers = {one.line for one in advised if one.advice is Advice.UNPIN and one.file == INDEX_NAME}
    index = memory.notes.get(INDEX_NAME)
    if index is None or not numbers:
        return {}
    lines = split_lines(index.data)
    end = line_end(lines)
    going = [line for number, line in enumerate(lines, 1) if number in numbers]
    staying = [line for number, line in enumerate(lines, 1) if number not in numbers]
    there = memory.notes.get(TOPIC)
    topic = list(split_lines(there.data if there is not None else _HEAD.replace(b"\n", end)))
    count = sum(line.lstrip().startswith((b"-", b"*", b"+")) for line in topic) + len(going)
    pointer = _POINTER.format("1 note" if count == 1 else f"{count} notes").encode() + end
    old = next((at for at, line in enumerate(staying) if b"](" + TOPIC.encode() + b")" in line), None)
    if old is None:
        staying.append(pointer)
    else:
        staying[old] = pointer
    return {
        INDEX_NAME: b"".join(complete(staying, end)),
        TOPIC: b"".join(complete([*topic, *going], end)),
    }


def changes_text(memory: MemoryFolder, advised: Sequence[Advised]) -> str:
    """CHANGES.md of the proposal: why each pointer moves."""
    rows = [f"# Unpinned from {INDEX_NAME}", ""]
    rows += [
        f"- {one.file} and {TOPIC}: line {one.line}. {one.reason}" for one in advised if one.advice is Advice.UNPIN
    ]
    return "\n".join(rows) + "\n"


def write_proposal(folder: str, memory: MemoryFolder, advised: Sequence[Advised]) -> bool:
    """Write the proposal as a dream's output into a new folder; False where there is nothing to unpin.

    :class:`UsageError` where the folder is in use, :class:`RefusedError` where it cannot be written.
    """
    changed = moved(memory, advised)
    if not changed:
        return False
    if os.path.lexists(folder) and (not os.path.isdir(folder) or os.listdir(folder)):
        raise UsageError(f"{folder}: is in use; name a new folder for the proposal")
    try:
        for path, data in _output(memory, changed, advised).items():
            place = os.path.join(folder, path)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb") as stream:
                stream.write(data)
    except OSError as error:
        raise RefusedError(
            f"{error.filename or folder}: {error.strerror}; name a folder that can be written"
        ) from error
    return True


def _output(memory: MemoryFolder, changed: Mapping[str, bytes], advised: Sequence[Advised]) -> dict[str, bytes]:
    """The proposal as a dream's output, by paths in its folder."""
    notes = {path: note.data for path, note in memory.notes.items()} | dict(changed)
    changes = changes_text(memory, advised).encode("utf-8", "surrogateescape")
    return {**{f"memory/{path}": data for path, data in notes.items()}, "CHANGES.md": changes}


def proposal(project: Project, memory: MemoryFolder, advised: Sequence[Advised], options: Options) -> Target:
    """The proposal in a folder below the state folder, for a review to open. The same of the same notes has the same
    folder, so that decisions on it are kept.

    :class:`RefusedError` where nothing is to be unpinned, or nothing can be written.
    """
    changed = moved(memory, advised)
    if not changed:
        raise RefusedError(f"{project.memory_dir}: nothing is to be unpinned as its index is now; check it again")
    files = _output(memory, changed, advised)
    digest = hashlib.sha256(os.fsencode(project.path))
    # Not the reasons: how many sessions read nothing is another number every day, and decisions would be lost.
    for path, data in sorted((path, data) for path, data in files.items() if path.startswith("memory/")):
        digest.update(os.fsencode(path) + b"\0" + len(data).to_bytes(8, "big") + data)
    folder = os.path.join(options.state_dir, FOLDER, digest.hexdigest()[:24])
    try:
        put_folder(folder, files)
    except OSError as error:
        raise RefusedError(f"{folder}: cannot be written ({error.strerror}); nothing was proposed") from error
    return Target(TargetKind.OUTPUT, output=folder, project=project.path)
