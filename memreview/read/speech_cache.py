"""What is kept of transcripts between two runs: where in them speech stands, so that only these parts are read again.

One file in the cache folder for each folder of transcripts, readable by its owner only. It holds paths, sizes, times
and places, never a word of what was said: words are read from the transcripts, and when a transcript is gone, nothing
is left of it. A cache that is missing, damaged, of another version or cannot be written costs time and nothing else.
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
import sys
import zlib
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

from memreview.read import line_index
from memreview.read.sources import Source
from memreview.read.spoken_lines import SpokenLines
from memreview.saving import TEMPORARY, put_file

FOLDER: Final = "speech"
REPORTS: Final = "reports"
"""Where :mod:`memreview.evidence.report_cache` keeps what was said of reviews."""
SUFFIX: Final = ".places"

_MAGIC: Final = b"mrs1"
_HEADER: Final = struct.Struct("<4sIII")
_PROBE: Final = 4096
_TYPES: Final = (("numbers", "I"), ("starts", "Q"), ("lengths", "I"), ("heads", "I"))


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells one state of a file from another."""

    inode: int
    size: int
    mtime_ns: int

    @classmethod
    def of(cls, path: str) -> Stamp | None:
        """The stamp of the file at ``path`` (links followed), None where there is none."""
        try:
            state = os.stat(path)
        except (OSError, ValueError):
            return None
        return cls(state.st_ino, state.st_size, state.st_mtime_ns)


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of one transcript: its state then, a checksum of both ends, and its lines."""

    stamp: Stamp
    probe: str
    lines: SpokenLines

    def grew(self, now: Stamp) -> bool:
        """True where the file may have been appended to; :meth:`begins` makes sure."""
        return self.stamp.inode == now.inode and self.stamp.size < now.size

    def begins(self, source: Source) -> bool:
        """True where ``source`` begins with what the file was then, as far as its ends tell."""
        return bool(self.probe) and self.probe == probe(source, self.stamp.size)


def probe(source: Source, size: int) -> str:
    """A checksum of both ends of the first ``size`` bytes."""
    digest = blake2b(source.read(0, min(_PROBE, size)), digest_size=16)
    digest.update(source.read(max(0, size - _PROBE), min(_PROBE, size)))
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """What lies in the cache: number of files, their bytes, and how many transcripts they tell of."""

    files: int
    size: int
    transcripts: int


class SpeechCache:
    """The cache of one user. ``cache_dir`` None keeps nothing."""

    def __init__(self, cache_dir: str | None) -> None:
        self.folder = os.path.join(cache_dir, FOLDER) if cache_dir is not None else None

    def load(self, root: str) -> dict[str, Kept]:
        """What is kept of the transcripts in and below ``root``, by path relative to it."""
        if self.folder is None:
            return {}
        try:
            with open(self._path(self.folder, root), "rb") as file:
                data = file.read()
        except OSError:
            return {}
        head = _head(data)
        body = data[_HEADER.size + _HEADER.unpack_from(data)[3] :] if head is not None else b""
        if head is None or head["root"] != root or zlib.crc32(body) != head["crc"]:
            return {}
        try:
            return _unpack(head["files"], body)
        except (KeyError, TypeError, ValueError):
            return {}

    def save(self, root: str, kept: Mapping[str, Kept]) -> None:
        """Keep this of the transcripts in and below ``root``, and nothing else; nothing at all where it is empty."""
        if self.folder is None:
            return
        target = self._path(self.folder, root)
        if not kept:
            _remove(target)
            return
        with contextlib.suppress(OSError):
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
            put_file(target, _pack(root, kept))

    def prune(self) -> None:
        """Drop what is kept of transcripts that are gone, of whatever project, and what cannot be read."""
        for path, head in self._heads():
            if head is None:
                _remove(path)
                continue
            root, names = head["root"], [row["name"] for row in head["files"]]
            gone = {name for name in names if not os.path.exists(os.path.join(root, name))}
            if len(gone) == len(names):
                _remove(path)
            elif gone:
                self.save(root, {name: kept for name, kept in self.load(root).items() if name not in gone})

    def transcripts(self) -> int:
        """Of how many transcripts something is kept."""
        return sum(len(head["files"]) for _, head in self._heads() if head is not None)

    def _heads(self) -> Iterator[tuple[str, dict[str, Any] | None]]:
        for path in _files(self.folder, (SUFFIX,)) if self.folder is not None else ():
            try:
                with open(path, "rb") as file:
                    start = file.read(_HEADER.size)
                    length = _HEADER.unpack(start)[3] if len(start) == _HEADER.size else 0
                    head = _head(start + file.read(min(length, os.fstat(file.fileno()).st_size)))
            except OSError:
                continue
            yield path, head

    @staticmethod
    def _path(folder: str, root: str) -> str:
        return os.path.join(folder, blake2b(os.fsencode(root), digest_size=16).hexdigest() + SUFFIX)


def measure(cache_dir: str) -> CacheInfo:
    """How much memreview keeps in its cache folder."""
    paths = _own_files(cache_dir)
    return CacheInfo(len(paths), sum(map(_size, paths)), SpeechCache(cache_dir).transcripts())


def clear(cache_dir: str) -> CacheInfo:
    """Remove all that memreview keeps in its cache folder; says how much that was.

    Files that it does not know are left alone. Raises :class:`OSError` where a file cannot be removed.
    """
    before = measure(cache_dir)
    for path in _own_files(cache_dir):
        os.unlink(path)
    for name in (FOLDER, REPORTS, line_index.FOLDER):
        with contextlib.suppress(OSError):
            os.rmdir(os.path.join(cache_dir, name))
    return before


def _own_files(cache_dir: str) -> list[str]:
    found: list[str] = []
    for folder, suffix in ((FOLDER, SUFFIX), (REPORTS, ".json"), (line_index.FOLDER, line_index.SUFFIX)):
        # ".tmp" is what earlier versions left where they were killed.
        found += _files(os.path.join(cache_dir, folder), (suffix, ".tmp"), (TEMPORARY,))
    return found


def _files(folder: str, suffixes: tuple[str, ...], prefixes: tuple[str, ...] = ()) -> list[str]:
    """Regular files in a folder whose names end or begin so; none where there is no such folder."""
    try:
        with os.scandir(folder) as entries:
            named = [e for e in entries if e.name.endswith(suffixes) or e.name.startswith(prefixes)]
            return sorted(e.path for e in named if e.is_file(follow_symlinks=False))
    except OSError:
        return []


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _head(data: bytes) -> dict[str, Any] | None:
    """The description at the beginning of a cache file; None where it is damaged or of another version."""
    if len(data) < _HEADER.size:
        return None
    magic, checksum, crc, length = _HEADER.unpack_from(data)
    text = data[_HEADER.size : _HEADER.size + length]
    if magic != _MAGIC or len(text) != length or zlib.crc32(text) != checksum:
        return None
    try:
        head = json.loads(text)
    except ValueError:
        return None
    fits = isinstance(head, dict) and isinstance(head.get("root"), str) and isinstance(head.get("files"), list)
    return {**head, "crc": crc} if fits else None


def _pack(root: str, kept: Mapping[str, Kept]) -> bytes:
    rows = [
        {
            "name": name,
            "stamp": [one.stamp.inode, one.stamp.size, one.stamp.mtime_ns],
            "probe": one.probe,
            "rows": len(one.lines),
            "newlines": one.lines.newlines,
            "covered": one.lines.covered,
        }
        for name, one in kept.items()
    ]
    head = json.dumps({"root": root, "files": rows}, separators=(",", ":")).encode("ascii")
    body = b"".join(_bytes(getattr(one.lines, name)) for one in kept.values() for name, _ in _TYPES)
    return _HEADER.pack(_MAGIC, zlib.crc32(head), zlib.crc32(body), len(head)) + head + body


def _unpack(rows: list[dict[str, Any]], data: bytes) -> dict[str, Kept]:
    found: dict[str, Kept] = {}
    at = 0
    for row in rows:
        arrays: dict[str, array[int]] = {}
        for name, code in _TYPES:
            values = array(code)
            end = at + values.itemsize * row["rows"]
            values.frombytes(data[at:end])
            if len(values) != row["rows"]:
                raise ValueError("cut short")
            if sys.byteorder == "big":
                values.byteswap()
            arrays[name], at = values, end
        lines = SpokenLines(**arrays, newlines=row["newlines"], covered=row["covered"])
        found[row["name"]] = Kept(Stamp(*row["stamp"]), row["probe"], lines)
    return found


def _bytes(values: array[int]) -> bytes:
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return values.tobytes()


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)
