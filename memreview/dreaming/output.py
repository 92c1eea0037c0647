"""The output folder of a pass: what the review opens.

The manifest is written first, saying that the run did not finish, and last once more: a folder that was cut off while
it was being written is never taken for a whole proposal.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date

from memreview.diff.gnu_form import Side, print_diff
from memreview.dreaming.taking import Taken
from memreview.errors import RefusedError, UsageError
from memreview.model.dreamed import Ending, Manifest
from memreview.model.memory import Note
from memreview.read.dream_manifest import MANIFEST_NAME, encode
from memreview.read.dream_output import CHANGES_NAME, DIFF_NAME, LOG_NAME, MEMORY_NAME

_UNWRITTEN = "its output was not written to the end"


@dataclass(frozen=True, slots=True)
class Written:
    """``files`` are the notes that differ."""

    folder: str
    manifest: Manifest
    files: tuple[str, ...] = ()


def choose_folder(places: str, today: date) -> str:
    """A folder below ``places`` that is not there yet, named after the day."""
    name = os.path.join(places, f"dream-{today.isoformat()}")
    free, count = name, 1
    while os.path.lexists(free):
        count += 1
        free = f"{name}-{count}"
    return free


def check_folder(folder: str, memory_dir: str) -> None:
    """Raise :class:`UsageError` where an output cannot go there: it is in use, or inside the memory."""
    if os.path.lexists(folder) and (not os.path.isdir(folder) or os.listdir(folder)):
        raise UsageError(f"{folder}: is in use; name a new folder with --out")
    real, memory = os.path.realpath(folder), os.path.realpath(memory_dir)
    if real == memory or real.startswith(memory + os.sep):
        raise UsageError(f"{folder}: lies in the memory folder; name a place outside of it with --out")


def write_output(folder: str, manifest: Manifest, base: Mapping[str, Note], taken: Taken | None, log: bytes) -> Written:
    """Write everything of a pass; without ``taken``, or where an incomplete one changed nothing, only log and manifest.

    A pass takes long: where somebody else uses ``folder`` by now, the output goes beside it (``Written.folder``).
    Raises :class:`RefusedError` where it cannot be written; nothing of it is left then.
    """
    manifest = replace(manifest, base=_hashes(base))
    unfinished = encode(replace(manifest, ending=Ending(False, _UNWRITTEN), diff=None))
    try:
        folder, new = _claim(folder, unfinished)
    except OSError as error:
        raise _unwritable(error, folder) from error
    try:
        _put(folder, LOG_NAME, log)
        changed: tuple[str, ...] = ()
        if taken is not None:
            changed = tuple(
                path for path in taken.notes if path not in base or base[path].data != taken.notes[path].data
            )
            if changed or manifest.ending.complete:
                manifest = _put_proposal(folder, manifest, base, taken)
        _put(folder, f"{MANIFEST_NAME}.new", encode(manifest))
        os.replace(os.path.join(folder, f"{MANIFEST_NAME}.new"), os.path.join(folder, MANIFEST_NAME))
    except BaseException as error:
        _take_back(folder, new)
        if isinstance(error, OSError):
            raise _unwritable(error, folder) from error
        raise
    return Written(folder, manifest, changed)


def _unwritable(error: OSError, folder: str) -> RefusedError:
    where = error.filename or folder
    return RefusedError(f"{where}: the output cannot be written ({error.strerror}); name a place with --out")


def _claim(wanted: str, manifest: bytes) -> tuple[str, bool]:
    """Put the manifest into ``wanted``, or beside it where that is in use; which folder, and whether it was made."""
    wanted = wanted.rstrip(os.sep) or wanted
    os.makedirs(os.path.dirname(wanted) or os.curdir, mode=0o700, exist_ok=True)
    if os.path.isdir(wanted) and not os.listdir(wanted):
        # Of two that find it empty, the one that puts its manifest there has it.
        with suppress(FileExistsError):
            _put(wanted, MANIFEST_NAME, manifest)
            return wanted, False
    folder, count = wanted, 1
    while True:
        try:
            os.mkdir(folder, 0o700)
            break
        except FileExistsError:
            count += 1
            folder = f"{wanted}-{count}"
    try:
        _put(folder, MANIFEST_NAME, manifest)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder, True


def _put_proposal(folder: str, manifest: Manifest, base: Mapping[str, Note], taken: Taken) -> Manifest:
    for path, note in taken.notes.items():
        _put(folder, os.path.join(MEMORY_NAME, path), note.data, note.mode, note.mtime_ns)
    os.makedirs(os.path.join(folder, MEMORY_NAME), exist_ok=True)
    if taken.changes is not None:
        _put(folder, CHANGES_NAME, taken.changes)
    diff = print_diff(
        [
            (
                _side(os.path.join(manifest.memory_dir, path), base.get(path)),
                _side(os.path.join(folder, MEMORY_NAME, path), taken.notes.get(path)),
            )
            for path in sorted({*base, *taken.notes}, key=os.fsencode)
        ]
    )
    _put(folder, DIFF_NAME, diff)
    # A reader takes a CHANGES.md or a copy that is older than memory.diff for an earlier run's.
    for name in (MEMORY_NAME, CHANGES_NAME):
        with suppress(FileNotFoundError):
            os.utime(os.path.join(folder, name))
    return replace(
        manifest,
        diff=hashlib.sha256(diff).hexdigest(),
        proposed=_hashes(taken.notes),
    )


def _hashes(notes: Mapping[str, Note]) -> dict[str, str]:
    return {path: hashlib.sha256(note.data).hexdigest() for path, note in notes.items()}


def _side(path: str, note: Note | None) -> Side:
    return Side(path, note.data if note is not None else None, note.mtime_ns if note is not None else 0)


def _put(folder: str, name: str, data: bytes, mode: int = 0o644, mtime_ns: int | None = None) -> None:
    place = os.path.join(folder, name)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "xb") as stream:
        stream.write(data)
        os.fchmod(stream.fileno(), mode & 0o777 | 0o600)
    if mtime_ns is not None:
        os.utime(place, ns=(mtime_ns, mtime_ns))


def _take_back(folder: str, new: bool) -> None:
    if new:
        shutil.rmtree(folder, ignore_errors=True)
        return
    for name in (DIFF_NAME, CHANGES_NAME, LOG_NAME, f"{MANIFEST_NAME}.new", MANIFEST_NAME):
        with suppress(OSError):
            os.unlink(os.path.join(folder, name))
    shutil.rmtree(os.path.join(folder, MEMORY_NAME), ignore_errors=True)
