"""Who wrote what was edited in place: calls of file tools and the shell, and what the user had said before.

Nobody cites anything for such an edit, so the records that made it take the place of citations. The call itself is no
evidence of what it wrote (see :mod:`memreview.checks.claims.records`); the user's words before it may be.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from memreview.config import Options
from memreview.diff.lines import text_lines
from memreview.errors import MemreviewError
from memreview.evidence.shell_writers import shell_calls
from memreview.model.dream import Citation, CitationStatus, Review, unit_id
from memreview.model.patch import Change, FileChange
from memreview.model.transcript import Record, Speaker
from memreview.read.finder import TranscriptFinder, stem_of
from memreview.read.records import decode_line
from memreview.read.traces import WRITES, Progress, Trace, TraceCache
from memreview.read.transcripts import TranscriptFile, open_transcript

MOST: Final = 4
"""Writing calls that are named for one change."""
MOST_CALLS: Final = 400
"""Calls on one note that are read, the latest first."""
REACH: Final = 2000
"""Lines before a call among which the user's words are looked for."""
FEWEST: Final = 4
"""Characters of a text put into the middle of a line by which the call can be told."""

_STEP: Final = 64
_NOTE: Final = re.compile(r"[\\/]projects[\\/]([^\\/]+)[\\/]memory[\\/](.+)\Z", re.DOTALL)
_AGENTS: Final = "subagents"


@dataclass(frozen=True, slots=True)
class Writing:
    """One call that wrote to a note: its place, and each text that it put in place of another one.

    The old text is None where the call wrote the whole file.
    """

    path: str
    line: int
    when: str
    pieces: tuple[tuple[str | None, str], ...]


@dataclass(frozen=True, slots=True)
class _Spot:
    trace: Trace
    line: int
    when: str


def cite_writers(review: Review, options: Options, progress: Progress | None = None) -> Review:
    """The review with the records that wrote each change as its citations, the user's words before them first.

    Changes that are cited already, and mere stamps of the client, are left alone. What cannot be read is passed over.
    """
    wanted = [
        (file, change)
        for file, change in review.units()
        if not review.citations.get(unit_id(file, change)) and not (change is not None and change.stamp_only)
    ]
    if not wanted:
        return review
    spots = _spots(review, options, progress)
    found = dict(review.citations)
    with _Reader(options.cache_dir) as reader:
        for file, change in wanted:
            calls = [spot for path in (file.path, file.old_path) if path for spot in spots.get(path, ())]
            calls.sort(key=lambda spot: spot.when, reverse=True)
            cited: list[Citation] = []
            for writing in _writers(reader, calls[:MOST_CALLS], file, change):
                cited += reader.citations(writing)
            if cited:
                found[unit_id(file, change)] = tuple(dict.fromkeys(cited))
        rest = [unit for unit in wanted if unit_id(*unit) not in found]
        for unit, call in zip(rest, shell_calls(review, options, rest), strict=True):
            if call is not None:
                found[unit_id(*unit)] = tuple(reader.with_words(call.path, call.record))
    return replace(review, citations=found)


def _spots(review: Review, options: Options, progress: Progress | None) -> dict[str, list[_Spot]]:
    """Calls that wrote notes of this memory, by the note's path."""
    finder = TranscriptFinder(review.project, options, review.target.transcripts)
    paths = [transcript.path for _, transcript in finder.everything()]
    named = [(_session(path), path) for path in paths if path.endswith(".jsonl")]
    folder = review.project.memory_dir
    roots = tuple({os.path.join(root, "") for root in (folder, os.path.realpath(folder))})
    spots: dict[str, list[_Spot]] = {}
    for trace in TraceCache(options.cache_dir).traces(named, progress):
        for call in trace.calls:
            note = _note(call.path, roots, review.project.name) if call.tool in WRITES else None
            if note is not None:
                spots.setdefault(note, []).append(_Spot(trace, call.line, call.when))
    return spots


def _session(path: str) -> str:
    parts = path.split(os.sep)
    return parts[-3] if len(parts) > 2 and parts[-2] == _AGENTS else stem_of(parts[-1])


def _note(path: str, roots: Sequence[str], project: str) -> str | None:
    """The path of a note below the memory folder; of the same project on another machine too."""
    for root in roots:
        if path.startswith(root):
            return path[len(root) :]
    match = _NOTE.search(path)
    return match.group(2).replace("\\", "/") if match and match.group(1) == project else None


def _writers(reader: _Reader, calls: Sequence[_Spot], file: FileChange, change: Change | None) -> Iterator[Writing]:
    """The latest calls that together made a change; for a note that is decided as a whole the latest one."""
    added = _lines(change.added) if change is not None else []
    removed = _lines(change.removed) if change is not None else []
    left = set(added) - set(removed) or set(removed) - set(added)
    coming = bool(set(added) - set(removed))
    count = 0
    for spot in calls:
        if count >= MOST or (change is not None and not left):
            return
        writing = reader.writing(spot)
        if writing is None:
            continue
        made = {line for line in left if _made(line, writing, coming=coming)}
        if made or change is None:
            left -= made
            count += 1
            yield writing
        if change is None:
            return


def _lines(lines: Sequence[bytes]) -> list[str]:
    return [text for line in text_lines(lines) if (text := line.strip())]


def _made(line: str, writing: Writing, *, coming: bool) -> bool:
    """True where a call put a line into the note, or, where it went, took it out."""
    for old, new in writing.pieces:
        mine = [text.strip() for text in (new if coming else old or "").split("\n")]
        others = [text.strip() for text in (old or "" if coming else new).split("\n")]
        if line in mine and line not in others:
            return True
        within = len(mine) == 1 and len(mine[0]) >= FEWEST and old is not None and mine[0] in line
        if within and (len(others) != 1 or others[0] != mine[0]):
            return True
    return False


class _Reader:
    """Reads calls, and the user's words before them; every transcript is opened once."""

    def __init__(self, cache_dir: str | None) -> None:
        self._cache_dir = cache_dir
        self._open: dict[str, TranscriptFile | None] = {}
        self._writings: dict[tuple[str, int], Writing | None] = {}
        self._said: dict[tuple[str, int], Citation | None] = {}

    def __enter__(self) -> _Reader:
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._open.values():
            if file is not None:
                file.close()

    def writing(self, spot: _Spot) -> Writing | None:
        """What the call at a place wrote; None where it cannot be read any more."""
        key = (spot.trace.path, spot.line)
        if key not in self._writings:
            file = self._file(spot.trace.path)
            raw = file.raw(spot.line) if file is not None else None
            pieces = tuple(_pieces(raw)) if raw is not None else ()
            self._writings[key] = Writing(spot.trace.path, spot.line, spot.when, pieces) if pieces else None
        return self._writings[key]

    def citations(self, writing: Writing) -> list[Citation]:
        """The user's words before the call, and the call."""
        file = self._file(writing.path)
        call = file.record(writing.line) if file is not None else None
        return self.with_words(writing.path, call) if call is not None else []

    def with_words(self, path: str, call: Record) -> list[Citation]:
        """The user's words before a call, and the call."""
        key = (path, call.line)
        if key not in self._said:
            self._said[key] = self._last_words(path, call.line - 1, None) or self._of_parent(path, call.timestamp)
        said = self._said[key]
        return [*([said] if said is not None else []), _citation(path, call)]

    def _of_parent(self, path: str, when: str | None) -> Citation | None:
        """For a subagent what the user had said to the session that sent it."""
        above, name = os.path.split(os.path.dirname(path))
        if name != _AGENTS:
            return None
        parent = above + ".jsonl"
        file = self._file(parent)
        return self._last_words(parent, file.line_count, when) if file is not None else None

    def _last_words(self, path: str, end: int, until: str | None) -> Citation | None:
        file = self._file(path)
        first = max(1, end - REACH)
        while file is not None and end >= first:
            start = max(first, end - _STEP + 1)
            for record in reversed(list(file.records(start, end))):
                late = until is not None and (record.timestamp or "") > until
                if record.speaker is Speaker.USER and record.has_text and not late:
                    return _citation(path, record)
            end = start - 1
        return None

    def _file(self, path: str) -> TranscriptFile | None:
        if path not in self._open:
            self._open[path] = None
            with suppress(MemreviewError):
                self._open[path] = open_transcript(path, self._cache_dir)
        return self._open[path]


def _pieces(raw: bytes) -> Iterator[tuple[str | None, str]]:
    """What the calls of a line put in place of what."""
    for record in decode_line(raw)[0]:
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        for block in content if isinstance(content, list) else ():
            given = block.get("input") if isinstance(block, dict) else None
            if isinstance(given, dict) and block.get("name") in WRITES:
                yield from _of_input(given)


def _of_input(given: dict[str, Any]) -> Iterator[tuple[str | None, str]]:
    content, edits = given.get("content"), given.get("edits")
    if isinstance(content, str):
        yield None, content
    for edit in (given, *(edits if isinstance(edits, list) else ())):
        old, new = (edit.get(key) for key in ("old_string", "new_string")) if isinstance(edit, dict) else (None, None)
        if isinstance(old, str) and isinstance(new, str):
            yield old, new


def _citation(path: str, record: Record) -> Citation:
    name = os.path.basename(path)
    return Citation(
        raw=f"{name}:{record.line}",
        transcript=name,
        line=record.line,
        end_line=record.line,
        status=CitationStatus.FOUND,
        speaker=record.speaker,
        timestamp=record.timestamp,
        text=record.text,
        path=path,
        uuid=record.uuid,
    )
