"""Where a text stands, in notes and in what was said, side by side."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memreview.config import Options
from memreview.errors import MemreviewError, UsageError
from memreview.model.transcript import Record, Transcript
from memreview.read.memory import read_folder
from memreview.read.needles import Needle
from memreview.read.sessions import MEMORY, Folder, list_folders
from memreview.read.speech_cache import SpeechCache
from memreview.read.speech_index import SpeechIndex
from memreview.read.traces import transcripts_of
from memreview.text import decode

LIMIT = 20
"""Places of each kind and project that are given, the newest."""
MAX_NOTE_BYTES = 32 << 20

_GAP = rb"(?:[ \t]|\\[nrt])+"
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class NoteHit:
    """A line of a note: its path, 1-based number and text."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class SpokenHit:
    """A record in which somebody says it."""

    transcript: Transcript
    record: Record


@dataclass(frozen=True, slots=True)
class Found:
    """Where a text stands in one project; ``more_notes`` and ``more_records`` were found and are left out."""

    project: str
    notes: tuple[NoteHit, ...]
    records: tuple[SpokenHit, ...]
    more_notes: int = 0
    more_records: int = 0


def find_text(
    text: str, options: Options, projects_dir: str | None = None, only: Sequence[str] = (), limit: int = LIMIT
) -> Iterator[Found]:
    """Projects in which ``text`` stands, by name. Letters of either case and any white space count as equal.

    ``only`` are paths of project folders, empty for all. Transcripts of other folders of a repository are found under
    the folder in which they lie. :class:`UsageError` for a text without a word.
    """
    wanted = _plain(text)
    if not wanted:
        raise UsageError("nothing to look for; give a word or a sentence")
    folders = list_folders(projects_dir or options.projects_dir)
    real = {os.path.realpath(path) for path in only}
    chosen = [f for f in folders.by_name.values() if not real or os.path.realpath(f.path) in real]
    spoken = _spoken(chosen, wanted, text, options, limit)
    for folder in chosen:
        notes = list(_in_notes(os.path.join(folder.path, MEMORY), wanted))
        records, more = spoken.get(folder.path, ([], 0))
        if notes or records:
            yield Found(folder.name, tuple(notes[:limit]), tuple(records), max(0, len(notes) - limit), more)


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text).strip().casefold()


def _in_notes(memory: str, wanted: str) -> Iterator[NoteHit]:
    try:
        folder = read_folder(memory, missing_ok=True, max_bytes=MAX_NOTE_BYTES)
    except MemreviewError:
        return
    for path, note in folder.notes.items():
        whole = decode(note.data)
        if wanted not in _plain(whole):
            continue
        for number, line in enumerate(whole.split("\n"), 1):
            if wanted in _plain(line):
                yield NoteHit(path, number, line.rstrip("\r"))


def _spoken(
    folders: Sequence[Folder], wanted: str, text: str, options: Options, limit: int
) -> dict[str, tuple[list[SpokenHit], int]]:
    """Records by project folder, the newest first, and how many more there are."""
    files: list[tuple[str, Transcript]] = []
    for folder in folders:
        own = [(file.path, file.size, file.mtime_ns) for file in folder.sessions]
        for _, path in transcripts_of(folder.path, [file.session for file in folder.sessions]):
            own += _stat(path)
        files += ((folder.path, Transcript(path, folder.name, size, mtime)) for path, size, mtime in own)
    files.sort(key=lambda pair: (-pair[1].mtime_ns, pair[1].path))
    owners = [root for root, _ in files]
    found: dict[str, tuple[list[SpokenHit], int]] = {}
    with SpeechIndex(files, SpeechCache(options.cache_dir)) as index:
        for key in index.scan([_needle(text)]).keys[0]:
            place = index.place_at(key)
            if place is None:
                continue
            hits, more = found.get(owners[place.file], ([], 0))
            if len(hits) >= limit:
                found[owners[place.file]] = hits, more + 1
                continue
            record = index.record(place)
            if record is not None and wanted in _plain(record.text):
                hits.append(SpokenHit(index.transcript(place.file), record))
                found[owners[place.file]] = hits, more
    return found


def _stat(path: str) -> list[tuple[str, int, int]]:
    try:
        state = os.stat(path)
    except OSError:
        return []
    return [(path, state.st_size, state.st_mtime_ns)]


def _needle(text: str) -> Needle:
    """What to look for in the bytes of records; letters beyond ASCII are tried in the usual spellings."""
    forms: dict[bytes, None] = {}
    for spelling in (text, text.lower(), text.upper(), text.title(), text.capitalize()):
        words = [_escaped(word) for word in spelling.split()]
        forms[_GAP.join(re.escape(word) for word in words)] = None
    return Needle(_plain(text), True, (), tuple(forms))


def _escaped(word: str) -> bytes:
    """A word as JSON holds it."""
    return word.replace("\\", "\\\\").replace('"', '\\"').encode("utf-8", "surrogatepass")
