"""The bytes of a transcript: of a file as it was when it was opened, or of a compressed one, unpacked.

Files are read, never mapped: a mapped file that another process cuts short kills the reader.
"""

from __future__ import annotations

import os
import stat
import tempfile
import weakref
import zlib
from dataclasses import dataclass
from typing import Final

from memreview.errors import TranscriptError

MAX_UNPACKED_BYTES: Final = 4 << 30
"""Where unpacking a compressed transcript ends, so that a file made to fill a disk does not."""

_CHUNK: Final = 1 << 20
_GZIP_MAGIC: Final = b"\x1f\x8b\x08"
_GZIP_WINDOW: Final = 31
_OPEN: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK


@dataclass(frozen=True, slots=True)
class Identity:
    """What tells one state of a file from another: its real path, inode, size in bytes and time of change."""

    path: str
    inode: int
    size: int
    mtime_ns: int


class Source:
    """Bytes that are read by place. ``identity`` is None where they are unpacked and no file holds them."""

    def __init__(self, descriptor: int, size: int, identity: Identity | None, *, cut: bool = False) -> None:
        self._descriptor = descriptor
        self._finalizer = weakref.finalize(self, os.close, descriptor)
        self.size = size
        self.identity = identity
        self.cut = cut
        """True where a compressed file is damaged, or longer than what is unpacked: the rest is missing."""

    def read(self, offset: int, size: int) -> bytes:
        """The bytes from ``offset`` on, at most ``size``; fewer where the file was cut short or closed meanwhile."""
        pieces: list[bytes] = []
        while size > 0 and self._finalizer.alive:
            try:
                piece = os.pread(self._descriptor, size, offset)
            except OSError:
                break
            if not piece:
                break
            pieces.append(piece)
            offset += len(piece)
            size -= len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def grow(self) -> bool:
        """Look whether the file has become longer since; True where it has, and ``size`` is the new one."""
        if self.identity is None or not self._finalizer.alive:
            return False
        state = os.fstat(self._descriptor)
        if state.st_size <= self.size:
            return False
        self.size = state.st_size
        self.identity = Identity(self.identity.path, state.st_ino, state.st_size, state.st_mtime_ns)
        return True

    def close(self) -> None:
        """Give the file back; nothing can be read afterwards."""
        self._finalizer()


def open_source(path: str) -> Source:
    """Open a transcript, plain or gzip (told by its first bytes, not by its name); links are followed.

    Raises :class:`TranscriptError` where there is no such file, where it is no regular file, or may not be read.
    """
    descriptor = -1
    try:
        descriptor = os.open(path, _OPEN)
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode):
            raise TranscriptError(f"{path}: no regular file; name a transcript (*.jsonl)")
        if os.pread(descriptor, len(_GZIP_MAGIC), 0) == _GZIP_MAGIC:
            return _unpack(path, descriptor)
        identity = Identity(os.path.realpath(path), state.st_ino, state.st_size, state.st_mtime_ns)
        source = Source(descriptor, state.st_size, identity)
        descriptor = -1
        return source
    except FileNotFoundError as error:
        raise TranscriptError(f"{path}: no such transcript; it may have been swept, or its link is dead") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise TranscriptError(f"{path}: cannot be read ({reason}); check its permissions") from error
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def _unpack(path: str, descriptor: int) -> Source:
    """Unpack into a file without a name, so that no copy of what was said stays behind."""
    with tempfile.TemporaryFile(prefix="memreview-") as unpacked:
        try:
            cut = _inflate(descriptor, unpacked.fileno())
        except OSError as error:
            message = f"{path}: cannot be unpacked into {tempfile.gettempdir()} ({error.strerror}); free some space"
            raise TranscriptError(message) from error
        copy = os.dup(unpacked.fileno())
        return Source(copy, os.fstat(copy).st_size, None, cut=cut)


def _inflate(source: int, target: int) -> bool:
    """Write all gzip members of ``source`` to ``target``; True where the rest is damaged, missing or too long."""
    inflater = zlib.decompressobj(_GZIP_WINDOW)
    written = offset = 0
    pending = b""
    while True:
        if not pending:
            pending = os.pread(source, _CHUNK, offset)
            offset += len(pending)
        if inflater.eof:
            if not pending.strip(b"\0"):
                return False
            inflater = zlib.decompressobj(_GZIP_WINDOW)
        try:
            data = inflater.decompress(pending, _CHUNK)
        except zlib.error:
            return True
        if not pending and not data:
            return not inflater.eof
        pending = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
        written += len(data)
        if written > MAX_UNPACKED_BYTES:
            return True
        while data:
            data = data[os.write(target, data) :]
