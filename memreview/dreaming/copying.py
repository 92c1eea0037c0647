"""The transcripts of the window: found in all folders of the repository, and copied line for line."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import IO

from memreview.dreaming.sieve import Sieve, Window, lines_of
from memreview.errors import TranscriptError
from memreview.model.dreamed import CopiedTranscript
from memreview.model.transcript import Transcript
from memreview.read.finder import TranscriptFinder, stem_of
from memreview.read.sources import Source, open_source
from memreview.text import mask_secrets

FOLDER = "transcripts"
"""Where the copies lie below the client's working folder."""
SUBAGENTS = "subagents"
BYTES_PER_TOKEN = 4
"""Bytes of JSON that are taken for one token: a rough figure, no tokenizer is asked."""
TOKENS_PER_LINE = 4
"""Tokens of the line number that the client's Read puts before every line, an empty one included."""
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Wish:
    """What of the transcripts is wanted. ``always`` are real paths that are taken whole, whatever their time."""

    window: Window
    subagents: bool = False
    mask: bool = False
    always: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Copies:
    """The copied transcripts, and sentences on what could not be read."""

    transcripts: tuple[CopiedTranscript, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def kept(self) -> int:
        """Records in all of them."""
        return sum(one.kept for one in self.transcripts)

    @property
    def tokens(self) -> int:
        """About how many tokens it takes to read all of them once."""
        return sum(one.kept_bytes // BYTES_PER_TOKEN + one.lines * TOKENS_PER_LINE for one in self.transcripts)


def candidates(finder: TranscriptFinder, *, subagents: bool) -> list[tuple[str, Transcript]]:
    """Every transcript of the repository with its name in the copy, the earliest written first.

    Of two that would have one name there (a plain and a packed one), the later is taken.
    """
    found: dict[str, Transcript] = {}
    for folder, transcript in sorted(finder.everything(), key=lambda pair: (pair[1].mtime_ns, pair[1].path)):
        inner = os.path.relpath(transcript.path, folder)
        if SUBAGENTS in inner.split(os.sep) and not subagents:
            continue
        name = os.path.join(os.path.basename(folder), _plain_name(inner))
        if ".." not in name.split(os.sep):
            found[name] = transcript
    return list(found.items())


def _plain_name(path: str) -> str:
    """Without ``.gz``: the copy is unpacked."""
    return (
        os.path.join(os.path.dirname(path), stem_of(os.path.basename(path)) + ".jsonl")
        if path.endswith(".gz")
        else path
    )


def copy_transcripts(
    found: Iterable[tuple[str, Transcript]], wish: Wish, target: str | None, go_on: Callable[[], None] = lambda: None
) -> Copies:
    """Copy what was said in the window below ``target``; with None only say what would be copied.

    ``go_on`` is called again and again, and may raise to end it. A transcript that nothing is taken of is not there.
    Raises :class:`OSError` where the copy cannot be written.
    """
    seen: set[str] = set()
    copied: list[CopiedTranscript] = []
    problems: list[str] = []
    for name, transcript in found:
        try:
            source = open_source(transcript.path)
        except TranscriptError as error:
            problems.append(str(error))
            continue
        try:
            window = Window(0, float("inf")) if os.path.realpath(transcript.path) in wish.always else wish.window
            sieve = Sieve(window, transcript.mtime_ns / 1e9, seen, wish.mask)
            one = _copy(name, transcript.path, source, sieve, target, go_on)
        finally:
            source.close()
        if one is not None:
            copied.append(one)
    return Copies(tuple(copied), tuple(problems))


def _copy(
    name: str, path: str, source: Source, sieve: Sieve, target: str | None, go_on: Callable[[], None]
) -> CopiedTranscript | None:
    digest, original = hashlib.sha256(), hashlib.sha256()
    place = os.path.join(target, FOLDER, name) if target is not None else None
    stream: IO[bytes] | None = None
    empty = lines = kept = size = 0
    try:
        for number, raw in enumerate(lines_of(_blocks(source, go_on)), 1):
            original.update(raw)
            line = sieve.sift(raw, number)
            if line is None:
                empty += 1
                continue
            if place is not None and stream is None:
                stream = _new_file(place)
            # Empty lines wait for the next kept one: none are needed behind the last.
            data = b"\n" * empty + line
            digest.update(data)
            if stream is not None:
                stream.write(data)
            lines, kept, size, empty = number, kept + 1, size + len(line), 0
    finally:
        if stream is not None:
            stream.close()
    if not kept:
        return None
    if place is not None:
        os.chmod(place, 0o400)
    return CopiedTranscript(
        name, path, lines, kept, size, source.size, digest.hexdigest(), original.hexdigest(), sieve.first, sieve.last
    )


def _blocks(source: Source, go_on: Callable[[], None] = lambda: None) -> Iterator[bytes]:
    at = 0
    while data := source.read(at, min(_BLOCK, source.size - at)):
        go_on()
        at += len(data)
        yield data


def _new_file(place: str) -> IO[bytes]:
    os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
    return open(place, "xb")


def changed_copies(copies: Sequence[CopiedTranscript], target: str) -> tuple[str, ...]:
    """Names of the copies that are not any more what was copied: the client may write them, so it is looked."""
    changed: list[str] = []
    for one in copies:
        try:
            with open(os.path.join(target, FOLDER, one.name), "rb") as stream:
                digest = hashlib.file_digest(stream, "sha256")
        except OSError:
            changed.append(one.name)
            continue
        if digest.hexdigest() != one.sha256:
            changed.append(one.name)
    return tuple(changed)


def unfaithful_lines(copy: CopiedTranscript, target: str, numbers: Iterable[int], *, masked: bool) -> tuple[int, ...]:
    """Those of the cited line numbers whose line in the copy is not that line of the real file as it is now.

    An empty line of the copy is not compared: nothing of it was shown. With ``masked`` a line may differ in what was
    masked, and in how its JSON is written.
    """
    wanted = sorted({number for number in numbers if 1 <= number <= copy.lines})
    if not wanted:
        return ()
    try:
        source = open_source(copy.path)
    except TranscriptError:
        return tuple(wanted)
    try:
        with open(os.path.join(target, FOLDER, copy.name), "rb") as stream:
            shown = _some(iter(stream), wanted)
        real = _some(lines_of(_blocks(source)), wanted)
    except OSError:
        return tuple(wanted)
    finally:
        source.close()
    return tuple(
        number
        for number in wanted
        if (line := shown.get(number, b"").rstrip(b"\r\n")) and line != _as_shown(real.get(number, b""), masked=masked)
    )


def _as_shown(raw: bytes, *, masked: bool) -> bytes:
    if masked:
        return (Sieve(Window(0, float("inf")), 0, mask=True).sift(raw, 1) or b"").rstrip(b"\n")
    return raw.rstrip(b"\r\n")


def _some(lines: Iterator[bytes], wanted: Sequence[int]) -> dict[int, bytes]:
    chosen = set(wanted)
    return {number: line for number, line in enumerate(islice(lines, wanted[-1]), 1) if number in chosen}


def shown_text(text: str, limit: int = 300) -> str:
    """Words of a transcript for a list: one line, secrets masked, cut."""
    plain = " ".join(mask_secrets(text).split())
    return plain if len(plain) <= limit else plain[: limit - 1] + "…"
