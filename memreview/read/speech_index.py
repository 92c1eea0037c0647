"""All speech of a project: where it stands in the transcripts, which needles stand in it, and the records themselves.

Where speech stands is kept in the cache; words are read from the transcripts when they are asked for.
"""

from __future__ import annotations

import os
from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final, Self

from memreview.errors import MemreviewError
from memreview.model.transcript import Record, Speaker, Transcript
from memreview.read.needles import Needle
from memreview.read.records import parse_record
from memreview.read.sources import Source, open_source
from memreview.read.speech_cache import Kept, SpeechCache, Stamp, probe
from memreview.read.speech_scan import Scanned, Scanner, Task
from memreview.read.speech_worker import Tell, carry_out
from memreview.read.spoken_lines import SpokenLines, find_spoken, line_begin

PART_BYTES: Final = 32 << 20
"""Long transcripts are gone through in parts of this size, so that both processes have work to the end."""
KEPT_RECORDS: Final = 4096
"""Decoded records that are held at a time."""
MAX_OPEN: Final = 64

_PACKED: Final = ".gz"
_OFFSET_BITS: Final = 40
_OFFSET_MASK: Final = (1 << _OFFSET_BITS) - 1


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """One line that can hold speech: the transcript's number in the index, and the row in its list."""

    file: int
    row: int


@dataclass(frozen=True, slots=True)
class Finds:
    """For each needle, by its number, where it stands: as keys (see :meth:`SpeechIndex.place_at`), the newest first.
    ``total`` is how many lines were looked through."""

    keys: tuple[array[int], ...]
    total: int


@dataclass
class _File:
    """One transcript with what is known of it: ``kept`` is from the cache, ``lines`` hold what was found since."""

    root: str
    transcript: Transcript
    stamp: Stamp | None = None
    kept: Kept | None = None
    lines: SpokenLines | None = None
    tasks: list[Task] = field(default_factory=list)


class SpeechIndex:
    """Speech of these transcripts, each with the folder it was found by, the latest written first.

    Nothing is read before it is asked for. Use it as a context manager, or :meth:`close` it. ``tell`` is told how
    many parts of how many a search has gone through; what it raises ends the search.
    """

    def __init__(
        self, transcripts: Sequence[tuple[str, Transcript]], cache: SpeechCache, tell: Tell | None = None
    ) -> None:
        self._cache = cache
        self._tell = tell
        self._files = [_File(root, transcript) for root, transcript in transcripts]
        self._numbers = {os.path.realpath(t.path): number for number, (_, t) in enumerate(transcripts)}
        self._records: OrderedDict[Place, Record] = OrderedDict()
        self._open: OrderedDict[int, Source | None] = OrderedDict()
        self._loaded: dict[str, dict[str, Kept]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getstate__(self) -> dict[str, object]:
        """For another process: where speech stands, without open files and without what was read."""
        files = [_File(file.root, file.transcript, file.stamp, lines=file.lines) for file in self._files]
        fresh: dict[str, object] = {"_records": OrderedDict(), "_open": OrderedDict(), "_loaded": {}, "_tell": None}
        return {**self.__dict__, **fresh, "_files": files}

    def __len__(self) -> int:
        return len(self._files)

    @property
    def size(self) -> int:
        """Bytes of all transcripts."""
        return sum(file.transcript.size for file in self._files)

    def close(self) -> None:
        """Give the files back."""
        for source in self._open.values():
            if source is not None:
                source.close()
        self._open.clear()

    def transcript(self, file: int) -> Transcript:
        """The transcript with this number."""
        return self._files[file].transcript

    def number(self, path: str) -> int | None:
        """The number of the transcript at ``path``; None where it is not one of these."""
        return self._numbers.get(os.path.realpath(path))

    def add(self, path: str) -> int:
        """The number of the transcript at ``path``, which becomes one of these where it is not yet."""
        known = self.number(path)
        if known is None:
            known = self._numbers[os.path.realpath(path)] = len(self._files)
            stamp = Stamp.of(path)
            size, mtime = (stamp.size, stamp.mtime_ns) if stamp is not None else (0, 0)
            self._files.append(_File(os.path.dirname(path), Transcript(path, None, size, mtime)))
        return known

    def scan(self, needles: Sequence[Needle]) -> Finds:
        """Look for needles in all speech, and keep where speech stands. What cannot be read is passed over."""
        tasks: list[Task] = []
        owners: list[int] = []
        for number in range(len(self._files)):
            own = self._tasks(number)
            tasks += own
            owners += [number] * len(own)
        scanner = Scanner(needles)
        results: dict[int, list[Scanned]] = {}
        for owner, scanned in zip(owners, carry_out(tasks, scanner, self._tell), strict=True):
            results.setdefault(owner, []).append(scanned)
        total = sum(self._take(number, parts) for number, parts in results.items())
        self._keep()
        return Finds(scanner.taken(), total)

    def place_at(self, key: int) -> Place | None:
        """The place of a key, None where nothing is there any more. The later said has the smaller key."""
        file, offset = key >> _OFFSET_BITS, _OFFSET_MASK - (key & _OFFSET_MASK)
        starts = self.rows(file).starts
        row = bisect_left(starts, offset)
        return Place(file, row) if row < len(starts) and starts[row] == offset else None

    def rows(self, file: int) -> SpokenLines:
        """Where speech stands in one transcript; read now where it is not known yet."""
        of_file = self._files[file]
        known = of_file.lines
        if known is None:
            kept = self._cached(of_file)
            if kept is not None and kept.stamp == Stamp.of(of_file.transcript.path):
                known = of_file.lines = kept.lines
        if known is None:
            source = self._source(file)
            known = find_spoken(source, 0, source.size) if source is not None else SpokenLines()
            of_file.lines = known
        return known

    def place(self, file: int, line: int) -> Place | None:
        """The place of a line; None where it holds no speech."""
        numbers = self.rows(file).numbers
        row = bisect_left(numbers, line)
        return Place(file, row) if row < len(numbers) and numbers[row] == line else None

    def record(self, place: Place) -> Record | None:
        """The record at a place; None where it says nothing, is nobody's word, or cannot be read."""
        found = self._records.get(place)
        if found is None:
            lines = self.rows(place.file)
            source = self._source(place.file)
            if source is None or not 0 <= place.row < len(lines):
                return None
            raw = source.read(lines.starts[place.row], lines.lengths[place.row])
            found = self._records[place] = parse_record(raw, lines.numbers[place.row])
            if len(self._records) > KEPT_RECORDS:
                self._records.popitem(last=False)
        else:
            self._records.move_to_end(place)
        return found if found.speaker is not Speaker.OTHER and found.has_text else None

    def raw(self, place: Place) -> bytes | None:
        """The bytes of the line at a place, without its line end; None where it cannot be read."""
        lines = self.rows(place.file)
        source = self._source(place.file)
        if source is None or not 0 <= place.row < len(lines):
            return None
        return source.read(lines.starts[place.row], lines.lengths[place.row])

    def sample(self, files: int, size: int) -> Iterator[bytes]:
        """Messages from the middle of some transcripts all over the project, about ``size`` bytes of each."""
        messages: list[bytes] = []

        def visit(_: int, message: bytes | memoryview) -> None:
            messages.append(bytes(message))

        for number in range(0, len(self._files), max(1, len(self._files) // max(1, files))):
            source = self._source(number)
            if source is not None:
                start = line_begin(source, max(0, (source.size - size) // 2))
                find_spoken(source, start, min(source.size, start + size), visit)
                yield from messages
                messages.clear()

    def _source(self, number: int) -> Source | None:
        if number in self._open:
            self._open.move_to_end(number)
            return self._open[number]
        try:
            source: Source | None = open_source(self._files[number].transcript.path)
        except MemreviewError:
            source = None
        self._open[number] = source
        if len(self._open) > MAX_OPEN:
            _, oldest = self._open.popitem(last=False)
            if oldest is not None:
                oldest.close()
        return source

    def _tasks(self, number: int) -> list[Task]:
        """What is to be gone through of one transcript, after a look at the cache."""
        file = self._files[number]
        path = file.transcript.path
        file.stamp = Stamp.of(path)
        file.tasks = []
        key = number << _OFFSET_BITS | _OFFSET_MASK
        if file.stamp is None:
            return []
        packed = path.endswith(_PACKED)
        kept = file.kept = self._cached(file)
        if kept is not None and kept.stamp == file.stamp:
            file.tasks.append(Task(path, kept.lines.size, kept.lines, key=key))
            return file.tasks
        if packed:
            file.tasks.append(Task(path, file.stamp.size, key=key))
            return file.tasks
        start = 0
        if kept is not None and kept.grew(file.stamp) and self._begins(kept, path):
            whole = kept.lines.whole()
            file.tasks.append(Task(path, whole.size, whole, key=key))
            start = whole.covered
        while start < file.stamp.size:
            stop = min(start + PART_BYTES, file.stamp.size)
            file.tasks.append(Task(path, stop - start, None, start, stop, key))
            start = stop
        return file.tasks

    def _cached(self, file: _File) -> Kept | None:
        if file.kept is not None:
            return file.kept
        if file.root not in self._loaded:
            self._loaded[file.root] = self._cache.load(file.root)
        return self._loaded[file.root].get(_name(file))

    @staticmethod
    def _begins(kept: Kept, path: str) -> bool:
        try:
            with closing(open_source(path)) as source:
                return kept.begins(source)
        except MemreviewError:
            return False

    def _take(self, number: int, parts: list[Scanned]) -> int:
        """Put together what the parts of one transcript gave; how many lines it has."""
        file = self._files[number]
        lines = SpokenLines()
        for part in parts:
            lines = lines.followed_by(part.lines)
        file.lines = lines if all(part.complete for part in parts) else None
        return len(lines)

    def _keep(self) -> None:
        """Write what was learned to the cache, and drop what it holds of transcripts that are gone."""
        now: dict[str, dict[str, Kept]] = {}
        for file in self._files:
            fresh = file.kept
            if file.stamp is not None and file.lines is not None and (fresh is None or fresh.stamp != file.stamp):
                fresh = _kept(file)
            if fresh is not None:
                now.setdefault(file.root, {})[_name(file)] = fresh
                file.kept = fresh
        for root, own in now.items():
            before = self._loaded.get(root, {})
            others = {name: kept for name, kept in before.items() if name not in own}
            after = {**{n: k for n, k in others.items() if os.path.exists(os.path.join(root, n))}, **own}
            if after != before:
                self._cache.save(root, after)
                self._loaded[root] = after
        self._cache.prune()


def _name(file: _File) -> str:
    """A transcript's path relative to the folder it was found by."""
    return os.path.relpath(file.transcript.path, file.root)


def _kept(file: _File) -> Kept | None:
    assert file.stamp is not None
    assert file.lines is not None
    try:
        with closing(open_source(file.transcript.path)) as source:
            return Kept(file.stamp, probe(source, file.stamp.size), file.lines)
    except MemreviewError:
        return None
