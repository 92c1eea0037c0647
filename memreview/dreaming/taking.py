"""What is taken over of a pass: the Markdown notes below ``memory/``, and CHANGES.md. Everything else is only named."""

from __future__ import annotations

import hashlib
import os
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from memreview.dreaming import copying, repository
from memreview.model.dreamed import CopiedTranscript, LeftOut
from memreview.model.memory import INDEX_NAME, MemoryFolder, Note, Stranger
from memreview.read.changes import parse_entries
from memreview.read.left_out import covers, reviewable, why_no_note
from memreview.read.memory import read_folder
from memreview.read.small_files import read_regular
from memreview.text import decode, visible

MEMORY = "memory"
CHANGES = "CHANGES.md"
OUTSIDE = "outside memory/"
STRANGE = "a strange name"
TWIN = "its name differs from another note's only in case or Unicode form"
NOT_ASKED = "not in the queue that this pass was limited to"
ALTERED = "the dream changed this copy; the real file is as it was"

_MAX_NOTE = 4_000_000
_MAX_CHANGES = 8_000_000
_MAX_NAME = 200
_MAX_LISTED = 100


@dataclass(frozen=True, slots=True)
class Given:
    """What the client was given: the notes, the transcripts, and files of the repository with their hashes.

    ``strangers`` are what stands in the real folder besides notes. ``only`` are the notes that it may change, None for
    all. ``masked`` says that secrets are masked in the copies.
    """

    base: Mapping[str, Note]
    transcripts: Sequence[CopiedTranscript] = ()
    repository: Mapping[str, str] = field(default_factory=dict)
    strangers: Sequence[Stranger] = ()
    only: frozenset[str] | None = None
    masked: bool = False


@dataclass(frozen=True, slots=True)
class Taken:
    """``notes`` are all notes as proposed, those that did not change included."""

    notes: Mapping[str, Note]
    changes: bytes | None = None
    left_out: tuple[LeftOut, ...] = ()
    remarks: tuple[str, ...] = ()


def take_over(work: str, given: Given) -> Taken:
    """Read what the client left in its working folder, with distrust: no link is followed, nothing strange is taken.

    No tool of the client deletes a file, so a note that is gone stays.
    """
    place = os.path.join(work, MEMORY)
    refused: list[LeftOut] = []
    notes = dict(given.base)
    if stat.S_ISDIR(os.lstat(place).st_mode) if os.path.lexists(place) else False:
        found = read_folder(place, max_bytes=_MAX_NOTE)
        refused += [LeftOut(f"{MEMORY}/{one.path}", one.reason) for one in found.strangers]
        _take_notes(found, given, notes, refused)
        gone = [path for path in given.base if path not in found.notes and not _is_listed(path, found)]
        refused += [LeftOut(f"{MEMORY}/{path}", "is gone in the copy; it stays") for path in gone]
    else:
        refused.append(LeftOut(MEMORY, "is no folder any more; all notes stay"))
    refused += _outside(work)
    refused += _altered(work, given)
    changes = _read_changes(work)
    remarks = tuple(_unfaithful(work, given, changes)) if changes is not None else ()
    return Taken(dict(sorted(notes.items())), changes, tuple(refused), remarks)


def _is_listed(path: str, found: MemoryFolder) -> bool:
    return any(path == one.path or path.startswith(one.path + "/") for one in found.strangers)


def _take_notes(found: MemoryFolder, given: Given, notes: dict[str, Note], refused: list[LeftOut]) -> None:
    taken = {_folded(path): path for path in given.base}
    for path, note in found.notes.items():
        known = given.base.get(path)
        if known is not None and known.data == note.data:
            continue
        why = why_no_note(path) or _strange(path, known is not None)
        stranger = covers(given.strangers, path)
        if why is None and stranger is not None:
            why = f"{stranger.path} is no note in the real folder: {stranger.reason}"
        if why is None and taken.setdefault(_folded(path), path) != path:
            why = TWIN
        if why is None and given.only is not None and path not in given.only:
            why = NOT_ASKED
        if why is not None:
            refused.append(LeftOut(f"{MEMORY}/{path}", why))
        else:
            notes[path] = Note(path, note.data, known.mode if known is not None else 0o644, note.mtime_ns)


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def _strange(path: str, known: bool) -> str | None:
    """Why a new note may not have this name: it could hide itself, or deceive a reader, a shell or another system."""
    if known:
        return None
    parts = path.split("/")
    plain = all(
        part == part.strip() and not part.startswith((".", "-")) and len(os.fsencode(part)) <= _MAX_NAME
        for part in parts
    )
    odd = any(letter in '\\:*?"<>|' for letter in path) or visible(path) != path or not path.isprintable()
    return None if plain and not odd else STRANGE


def _outside(work: str) -> Iterator[LeftOut]:
    known = {MEMORY, CHANGES, copying.FOLDER, repository.FOLDER}
    for name in sorted(os.listdir(work)):
        if name not in known:
            yield LeftOut(name, OUTSIDE)
    if os.path.lexists(os.path.join(work, CHANGES)) and not stat.S_ISREG(os.lstat(os.path.join(work, CHANGES)).st_mode):
        yield LeftOut(CHANGES, "no regular file")


def _altered(work: str, given: Given) -> Iterator[LeftOut]:
    """Copies that are not what was copied, and files that were put beside them: the client may write them."""
    expected = {os.path.join(copying.FOLDER, one.name): one.sha256 for one in given.transcripts}
    expected |= {os.path.join(repository.FOLDER, name): digest for name, digest in given.repository.items()}
    seen: set[str] = set()
    listed = 0
    for path in _below(work, (copying.FOLDER, repository.FOLDER)):
        if path not in expected:
            listed += 1
            if listed <= _MAX_LISTED:
                yield LeftOut(path, OUTSIDE)
            continue
        seen.add(path)
        if _digest(os.path.join(work, path)) != expected[path]:
            yield LeftOut(path, ALTERED)
    for path in expected.keys() - seen:
        yield LeftOut(path, ALTERED)


def _below(work: str, folders: Iterable[str]) -> Iterator[str]:
    for folder in folders:
        for place, inner, files in os.walk(os.path.join(work, folder)):
            links = [name for name in inner if os.path.islink(os.path.join(place, name))]
            for name in sorted((*files, *links)):
                yield os.path.relpath(os.path.join(place, name), work)


def _digest(path: str) -> str | None:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _read_changes(work: str) -> bytes | None:
    try:
        data = read_regular(os.path.join(work, CHANGES), _MAX_CHANGES + 1)
    except OSError:
        return None
    return data if data is not None and len(data) <= _MAX_CHANGES else None


def _unfaithful(work: str, given: Given, changes: bytes) -> Iterator[str]:
    """Cited lines that are not any more what the client was shown: the real transcript changed, or the copy was."""
    cited: dict[str, set[int]] = {}
    for entry in parse_entries(decode(changes)):
        for one in entry.citations:
            if one.name is not None and one.line is not None:
                last = min(one.end_line or one.line, one.line + _MAX_LISTED)
                cited.setdefault(one.name.rsplit("/", 1)[-1], set()).update(range(one.line, last + 1))
    for copy in given.transcripts:
        numbers = cited.get(os.path.basename(copy.name), set())
        for number in copying.unfaithful_lines(copy, work, sorted(numbers), masked=given.masked)[:_MAX_LISTED]:
            yield f"{os.path.basename(copy.name)}:{number} is cited, and is not the line that the dream was shown"


def allowed(files: Iterable[str]) -> frozenset[str]:
    """The notes that a pass over ``files`` may change: these, and the index."""
    return frozenset({*files, INDEX_NAME})


def base_of(memory: MemoryFolder) -> dict[str, Note]:
    """The notes that a pass is given of a memory."""
    return reviewable(memory.notes)
