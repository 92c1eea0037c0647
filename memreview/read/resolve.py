"""What cited places hold: lines of transcripts, records by uuid, files of the repository, commits, daily logs."""

from __future__ import annotations

import os
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final, Protocol

from memreview.errors import MemreviewError
from memreview.model.dream import Citation, CitationStatus, Reference, ReferenceKind
from memreview.model.transcript import Record, Speaker, Transcript
from memreview.read.changes import RawCitation, RawReference
from memreview.read.changes_tokens import DENSE
from memreview.read.finder import TranscriptFinder

MAX_SPAN: Final = 5000
"""Of one cited range only so many lines are read."""
UNSURE_BYTES: Final = 1 << 29
"""How far back a uuid is looked for of which nothing says that it is a record's."""
COPIED_REPOSITORY = "repository/"
"""Where a pass of our own finds its copies of the repository's files: their names may be cited with it."""
MAX_OPEN: Final = 32
MAX_SOURCE_BYTES: Final = 64 << 20

_GLUE = re.compile(r"^[^\w.]+")
_PLAIN_TAIL = re.compile(f"[^{DENSE}]+$")
_EXTENSIONS: Final = """
    c cc cpp cxx h hh hpp m mm rs go zig nim py pyi pyx rb php pl pm lua r jl js jsx mjs cjs ts tsx vue svelte css scss
    sass less html htm xml xsl svg java kt kts scala groovy clj cljs cs fs vb swift dart ex exs erl hrl hs ml mli elm sh
    bash zsh fish ps1 bat cmd sql graphql proto thrift toml yaml yml ini cfg conf env json jsonc json5 jsonl lock txt
    rst adoc tex gradle cmake mk make dockerfile tf hcl nix bzl bazel patch diff csv tsv ipynb s asm v sv vhd vhdl f
    f90 ada adb pas lisp el scm rkt
"""
_SOURCE_EXTENSIONS: Final = frozenset(_EXTENSIONS.split())


class OpenTranscript(Protocol):
    """What is needed of a transcript that is open."""

    @property
    def line_count(self) -> int:
        """Number of physical lines."""

    def records(self, start: int = 1, end: int | None = None) -> Iterator[Record]:
        """Records of a span of lines."""

    def find_uuid(self, uuid: str) -> int | None:
        """The line of the record with this uuid."""

    def close(self) -> None:
        """Give the file back."""


_RecordKey = tuple[str, tuple[str, ...]]
Opener = Callable[[str], OpenTranscript]
CommitExists = Callable[[str], bool]


class Resolver:
    """Looks up what was cited. Everything is looked up once; few files are open at a time."""

    def __init__(
        self,
        finder: TranscriptFinder,
        opener: Opener,
        repo_root: str | None = None,
        memory_dir: str | None = None,
        commit_exists: CommitExists | None = None,
    ) -> None:
        self.finder = finder
        self.opener = opener
        self.repo_root = repo_root
        self.memory_dir = memory_dir
        self.commit_exists = commit_exists
        self._open: OrderedDict[str, OpenTranscript | None] = OrderedDict()
        self._lines: dict[tuple[str, int, int], Citation] = {}
        self._records: dict[_RecordKey, tuple[Transcript, int] | None] = {}

    def close(self) -> None:
        """Close every transcript."""
        for file in self._open.values():
            if file is not None:
                file.close()
        self._open.clear()

    def citation(self, raw: RawCitation, beside: Iterable[str] = ()) -> Citation | Reference | None:
        """What became of a citation; None where the words turn out to mean something else.

        ``beside`` are the transcripts that the entry names: a record is looked for in these first. A ``.jsonl`` of the
        repository that is no transcript becomes a reference.
        """
        if raw.name is not None and raw.line is not None:
            found = self._cited_lines(raw)
            if found is not None:
                return found
        if raw.record is not None:
            return self._cited_record(raw, beside)
        file = self._repository_file(raw.name or "")
        if file is not None:
            return Reference(raw.raw, ReferenceKind.FILE, _has_line(file, raw.line), file, raw.line)
        return _missing(raw)

    def look_for_records(self, cited: Iterable[tuple[RawCitation, Iterable[str]]]) -> None:
        """Look for many records at once, so that no transcript is read through twice.

        A record is looked for beside what its entry names, and then everywhere.
        """
        far: dict[bool, dict[_RecordKey, str]] = {True: {}, False: {}}
        for raw, beside in cited:
            key = _record_key(raw, beside)
            if raw.record is None or key in self._records or (raw.line and self.transcripts(raw.name or "")[1]):
                continue
            near = [found[0] for name in key[1] if len(found := self.transcripts(name)[1]) == 1]
            self._records[key] = self.finder.find_records([key[0]], self._line_of, near).get(key[0])
            if self._records[key] is None:
                far[raw.sure][key] = key[0]
        for sure, keys in far.items():
            budget = None if sure else UNSURE_BYTES
            places = self.finder.find_records(keys.values(), self._line_of, budget=budget) if keys else {}
            self._records.update({key: places.get(uuid) for key, uuid in keys.items()})

    def reference(self, raw: RawReference) -> Reference | None:
        """What became of a reference; None where nothing says that one was meant."""
        if raw.kind == "commit":
            exists = self.commit_exists is not None and self.commit_exists(raw.target)
            return Reference(raw.raw, ReferenceKind.COMMIT, exists)
        if raw.kind == "log":
            path = self._log(raw.target)
            return Reference(raw.raw, ReferenceKind.LOG, _has_line(path, raw.line), path, raw.line)
        path = self._repository_file(raw.target)
        if path is None and not (raw.sure and _is_source_name(raw.target)):
            return None
        return Reference(raw.raw, ReferenceKind.FILE, _has_line(path, raw.line), path, raw.line)

    def transcripts(self, name: str) -> tuple[str, tuple[Transcript, ...]]:
        """The reading of a written name that leads somewhere, and where it leads."""
        readings = readings_of(name)
        for reading in readings:
            found = self.finder.find(reading)
            if found:
                return reading, found
        return readings[-1], ()

    def _cited_lines(self, raw: RawCitation) -> Citation | None:
        written, found = self.transcripts(raw.name or "")
        low, high = raw.line or 0, raw.end_line if raw.end_line is not None else raw.line or 0
        if not found:
            return None
        if len(found) > 1:
            return Citation(raw.raw, _last(written), raw.line, raw.end_line, CitationStatus.AMBIGUOUS)
        key = (found[0].path, low, high)
        if key not in self._lines:
            self._lines[key] = self._read(found[0], low, high)
        return replace(self._lines[key], raw=raw.raw)

    def _cited_record(self, raw: RawCitation, beside: Iterable[str]) -> Citation | None:
        key = _record_key(raw, beside)
        if key not in self._records:
            self.look_for_records([(raw, beside)])
        place = self._records.get(key)
        if place is not None:
            transcript, line = place
            return replace(self._read(transcript, line, line), raw=raw.raw)
        return _missing(raw) if raw.sure else None

    def _line_of(self, path: str, uuid: str) -> int | None:
        file = self._file(path)
        try:
            return file.find_uuid(uuid) if file is not None else None
        except (MemreviewError, OSError):
            return None

    def _read(self, transcript: Transcript, low: int, high: int) -> Citation:
        """Status and words of a range. The first line with words gives the speaker and the time."""
        file = self._file(transcript.path)
        if file is None:
            return Citation("", transcript.name, low, high, CitationStatus.MISSING)
        try:
            first, last = max(low, 1), min(high, file.line_count)
            if first > last:
                return Citation(
                    "",
                    transcript.name,
                    low,
                    high,
                    CitationStatus.OUT_OF_RANGE,
                    path=transcript.path,
                    last_line=file.line_count,
                )
            spoken: list[Record] = []
            lead: Record | None = None
            for record in file.records(first, min(last, first + MAX_SPAN - 1)):
                lead = lead or record
                if record.has_text:
                    spoken.append(record)
        except (MemreviewError, OSError):
            return Citation("", transcript.name, low, high, CitationStatus.MISSING)
        shown = spoken[0] if spoken else lead
        return Citation(
            raw="",
            transcript=transcript.name,
            line=low,
            end_line=high,
            status=CitationStatus.FOUND if spoken else CitationStatus.NOT_TEXT,
            speaker=shown.speaker if shown is not None else Speaker.OTHER,
            timestamp=shown.timestamp if shown is not None else None,
            text="\n".join(record.text for record in spoken) if spoken else None,
            path=transcript.path,
            uuid=shown.uuid if shown is not None else None,
            last_line=file.line_count if high > file.line_count else None,
        )

    def _file(self, path: str) -> OpenTranscript | None:
        """The open transcript at ``path``; None where it cannot be read."""
        if path in self._open:
            self._open.move_to_end(path)
            return self._open[path]
        try:
            file: OpenTranscript | None = self.opener(path)
        except (MemreviewError, OSError):
            file = None
        self._open[path] = file
        if len(self._open) > MAX_OPEN:
            _, oldest = self._open.popitem(last=False)
            if oldest is not None:
                oldest.close()
        return file

    def _repository_file(self, written: str) -> str | None:
        """A file of the repository that ``written`` names, never one outside of it."""
        if self.repo_root is None or not written or "\x00" in written:
            return None
        root = os.path.normpath(self.repo_root)
        named = os.path.expanduser(written.replace("\\", "/"))
        for name in (named, named.removeprefix(COPIED_REPOSITORY)):
            path = os.path.normpath(os.path.join(root, name))
            if path.startswith(root + os.sep) and os.path.isfile(path):
                return path
        return None

    def _log(self, written: str) -> str | None:
        """A daily log below ``logs/`` of the memory folder."""
        parts = [part for part in written.replace("\\", "/").split("/") if part not in ("", ".", "..")]
        if self.memory_dir is None or "logs" not in parts:
            return None
        path = os.path.join(self.memory_dir, *parts[parts.index("logs") :])
        return path if os.path.isfile(path) else None


def _record_key(raw: RawCitation, beside: Iterable[str]) -> _RecordKey:
    names = (name for name in (raw.name, *beside) if name is not None and name != raw.record)
    return (raw.record or "").lower(), tuple(dict.fromkeys(names))


def readings_of(name: str) -> tuple[str, ...]:
    """What a name may be without what it is glued to: dress, or words of a script that uses no spaces."""
    at = max(name.rfind("/"), name.rfind("\\")) + 1
    above, last = name[:at], name[at:]
    bare = _GLUE.sub("", last) or last
    tail = _PLAIN_TAIL.search(bare)
    plain = tail.group() if tail and not tail.group().lower().startswith(".jsonl") else bare
    return tuple(dict.fromkeys(above + part for part in (last, bare, plain, plain.lstrip("_") or plain)))


def _last(written: str) -> str:
    return re.split(r"[\\/]", written.rstrip("\\/"))[-1]


def _missing(raw: RawCitation) -> Citation:
    name = _last(readings_of(raw.name)[-1]) if raw.name else raw.record or ""
    return Citation(raw.raw, name, raw.line, raw.end_line, CitationStatus.MISSING, uuid=raw.record)


def _is_source_name(path: str) -> bool:
    extension = path.rsplit(".", 1)[-1].lower() if "." in path else ""
    return extension in _SOURCE_EXTENSIONS


def _has_line(path: str | None, line: int | None) -> bool:
    """True where the file exists and has that line."""
    if path is None or line is None:
        return path is not None
    try:
        with open(path, "rb") as handle:
            data = handle.read(MAX_SOURCE_BYTES)
    except OSError:
        return False
    count = data.count(b"\n") + (bool(data) and not data.endswith(b"\n"))
    return 1 <= line <= count
