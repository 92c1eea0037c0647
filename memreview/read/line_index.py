"""Where the lines of a big file begin: how many line ends every block of it has.

Counting needs one pass over the file; finding a line afterwards reads one block. The counts of big files are kept in
the cache folder, so that the next start needs no pass, and are continued where a file only became longer. A cache file
holds counts and checksums, no words; one that is missing, damaged or not writable only costs the pass.
"""

from __future__ import annotations

import contextlib
import os
import struct
import sys
import zlib
from array import array
from bisect import bisect_left
from hashlib import blake2b
from itertools import accumulate
from typing import Final

from memreview.read.sources import Identity, Source
from memreview.saving import put_file

BLOCK: Final = 256 << 10
"""Bytes in one block: fits a processor's cache, and a line is found in it in well under a millisecond."""
CACHE_FROM_BYTES: Final = 4 << 20
"""Smaller files are counted faster than a cache file is opened and checked."""
MAX_CACHE_FILES: Final = 512

_LONG_LINE: Final = 400
"""Bytes in an average line above which looking for each line end is faster than counting them."""
_PROBE: Final = 4096
_HEADER: Final = struct.Struct("<4sIQQq16sII")
_MAGIC: Final = b"mrl1"
FOLDER: Final = "lines"
SUFFIX: Final = ".idx"
_NEWLINE: Final = b"\n"


class LineIndex:
    """Counts of line ends for the first ``size`` bytes of a file."""

    def __init__(self, counts: array[int], size: int, *, ends_line: bool) -> None:
        self.counts = counts
        self.size = size
        self._totals = list(accumulate(counts))
        self.newlines = self._totals[-1] if self._totals else 0
        self.line_count = self.newlines + (size > 0 and not ends_line)

    def block_of(self, newline: int) -> tuple[int, int]:
        """The block that holds line end number ``newline`` (from 1), and its number within the block (from 0)."""
        block = bisect_left(self._totals, newline)
        return block, newline - 1 - (self._totals[block - 1] if block else 0)

    def newlines_before(self, block: int) -> int:
        """How many line ends the blocks before this one have."""
        return self._totals[block - 1] if block else 0


def count_lines(source: Source, known: LineIndex | None = None) -> LineIndex:
    """Count the line ends of a source, from the last whole block of ``known`` on."""
    counts = array("I")
    if known is not None:
        counts.extend(known.counts[: known.size // BLOCK])
    last = b""
    lines, size = 1, BLOCK
    for offset in range(len(counts) * BLOCK, source.size, BLOCK):
        data = source.read(offset, min(BLOCK, source.size - offset))
        if not data:
            break
        count = _count_long(data) if size > lines * _LONG_LINE else data.count(_NEWLINE)
        counts.append(count)
        lines, size, last = count, len(data), data[-1:]
    return LineIndex(counts, source.size, ends_line=last == _NEWLINE)


def _count_long(data: bytes) -> int:
    count, find, position = 0, data.find, -1
    while (position := find(_NEWLINE, position + 1)) >= 0:
        count += 1
    return count


def load_or_count(source: Source, cache_dir: str | None) -> LineIndex:
    """The index of a source: from the cache where it holds this state of the file, else counted and kept."""
    identity = source.identity
    if cache_dir is None or identity is None or source.size < CACHE_FROM_BYTES:
        return count_lines(source)
    cached = _load(cache_dir, identity, source)
    if cached is not None and cached.size == source.size:
        return cached
    index = count_lines(source, cached)
    save(cache_dir, source, index)
    return index


def cache_path(cache_dir: str, path: str) -> str:
    """The cache file for a real path; its name is a hash, since paths can tell what someone works on."""
    return os.path.join(cache_dir, FOLDER, blake2b(os.fsencode(path), digest_size=16).hexdigest() + SUFFIX)


def _load(cache_dir: str, identity: Identity, source: Source) -> LineIndex | None:
    """What the cache holds of this file; of a shorter state of it only where its two ends are still the same."""
    try:
        with open(cache_path(cache_dir, identity.path), "rb") as file:
            data = file.read()
    except OSError:
        return None
    if len(data) < _HEADER.size:
        return None
    magic, block, inode, size, mtime_ns, probe, entries, checksum = _HEADER.unpack_from(data)
    payload = data[_HEADER.size :]
    fits = magic == _MAGIC and block == BLOCK and len(payload) == 4 * entries and entries == -(-size // BLOCK)
    if not fits or checksum != zlib.crc32(payload, zlib.crc32(data[: _HEADER.size - 4])):
        return None
    if inode != identity.inode or size > identity.size or (size == identity.size and mtime_ns != identity.mtime_ns):
        return None
    if probe != _probe(source, size):
        return None
    counts = array("I", payload)
    if sys.byteorder == "big":
        counts.byteswap()
    return LineIndex(counts, size, ends_line=size > 0 and source.read(size - 1, 1) == _NEWLINE)


def save(cache_dir: str, source: Source, index: LineIndex) -> None:
    """Keep an index, readable by its owner only. A cache that cannot be written is no error."""
    identity = source.identity
    if identity is None or index.size != identity.size or len(index.counts) != -(-index.size // BLOCK):
        return
    counts = array("I", index.counts)
    if sys.byteorder == "big":
        counts.byteswap()
    payload = counts.tobytes()
    fields = (
        _MAGIC,
        BLOCK,
        identity.inode,
        identity.size,
        identity.mtime_ns,
        _probe(source, identity.size),
        len(counts),
    )
    head = _HEADER.pack(*fields, 0)[:-4]
    target = cache_path(cache_dir, identity.path)
    with contextlib.suppress(OSError):
        os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
        put_file(target, head + struct.pack("<I", zlib.crc32(payload, zlib.crc32(head))) + payload)
        _prune(os.path.dirname(target))


def _probe(source: Source, size: int) -> bytes:
    """A checksum of both ends of the first ``size`` bytes: tells a file that grew from one that was rewritten."""
    digest = blake2b(source.read(0, min(_PROBE, size)), digest_size=16)
    digest.update(source.read(max(0, size - _PROBE), min(_PROBE, size)))
    return digest.digest()


def _prune(folder: str) -> None:
    """Drop the oldest cache files, since transcripts are swept and never tell."""
    with os.scandir(folder) as entries:
        files = [(entry.stat().st_mtime_ns, entry.path) for entry in entries]
    for _, path in sorted(files)[: max(0, len(files) - MAX_CACHE_FILES)]:
        _remove(path)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
