"""Finding the transcript that a citation names: by file name, session id, short id or a record's uuid.

The last part of a written path decides, because a dream works on copies in a scratch folder that is gone afterwards.
Places are searched nearest first: the project's own folder with its subagents, other folders of the same repository,
then the folders named with ``--transcripts``. A place that holds the name ends the search.
"""

from __future__ import annotations

import bisect
import filecmp
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from memreview.config import Options
from memreview.model.dream import Project
from memreview.model.transcript import Transcript
from memreview.read.relations import Relations

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)

_MAX_DEPTH = 8
_MIN_PREFIX = 4
_CHUNK = 1 << 23
_OVERLAP = 256
_FEW = 8
_RECORD_UUID = re.compile(rb'"uuid"\s{0,9}:\s{0,9}"([0-9a-f-]{8,64})"')
_ELLIPSIS = re.compile(r"[-*]?(?:…|\.{2,}|\*|\[(?:…|\.{3})\])[-*]?")
_SHORT_ID = re.compile(r"[0-9a-f]{6,8}|[0-9a-f]{8}-[0-9a-f-]{0,27}|[0-9a-f]{9,17}", re.IGNORECASE)
_SEPARATORS = re.compile(r"[\\/]+")
_AGENT = "agent-"
_AGENT_ID = re.compile(r"[0-9a-f]{16,17}", re.IGNORECASE)
_ASIDE = re.compile(r"\.(?:orphaned|superseded)-")


LineOf = Callable[[str, str], int | None]


@dataclass(frozen=True, slots=True)
class _Pattern:
    """What a written name can stand for: exact file names in order of preference, or an id with a part left out."""

    names: tuple[str, ...]
    prefix: str | None
    suffix: str = ""


class _Folder:
    """The transcripts of one directory by file name; the listing is read once, contents never."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.by_name: dict[str, list[str]] = {}
        for path in paths:
            self.by_name.setdefault(os.path.basename(path), []).append(path)

    @cached_property
    def folded(self) -> dict[str, list[str]]:
        """Paths by file name without case, and with letters composed: some systems write names that way."""
        found: dict[str, list[str]] = {}
        for name, paths in self.by_name.items():
            found.setdefault(_folded(name), []).extend(paths)
        return found

    @cached_property
    def stems(self) -> list[tuple[str, str]]:
        """Lower-case session ids and their file names, sorted; files that were set aside have no id of their own."""
        return sorted((stem_of(name).lower(), name) for name in self.by_name if not _ASIDE.search(name))

    def match(self, pattern: _Pattern, accept: Callable[[str], bool] = lambda path: True) -> list[str]:
        """Paths of all files that ``pattern`` may mean here, among those that ``accept`` allows."""
        for names, known in ((pattern.names, self.by_name), (map(_folded, pattern.names), self.folded)):
            for name in names:
                paths = [path for path in known.get(name, ()) if accept(path)]
                if paths:
                    return paths
        if pattern.prefix is None:
            return []
        chosen: dict[str, list[str]] = {}
        at = bisect.bisect_left(self.stems, (pattern.prefix, ""))
        while at < len(self.stems) and self.stems[at][0].startswith(pattern.prefix):
            stem, name = self.stems[at]
            if stem.endswith(pattern.suffix) and len(stem) >= len(pattern.prefix) + len(pattern.suffix):
                paths = [path for path in self.by_name[name] if accept(path)]
                if paths:
                    chosen.setdefault(stem, paths)
            at += 1
        return [path for paths in chosen.values() for path in paths]


def is_transcript_name(name: str) -> bool:
    """True for the names that transcripts, packed ones and ones that were set aside have."""
    return name.endswith((".jsonl", ".jsonl.gz")) or ".jsonl.superseded-" in name


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def stem_of(name: str) -> str:
    """A transcript's file name without ``.jsonl`` and ``.gz``."""
    return name.removesuffix(".gz").removesuffix(".jsonl")


class TranscriptFinder:
    """Looks up what citations name. Directories are listed once, files are read only for a record's uuid."""

    def __init__(self, project: Project, options: Options, extra_dirs: Sequence[str] = ()) -> None:
        self.project = project
        self.projects_dir = options.projects_dir
        self.extra_dirs = tuple(os.path.abspath(path) for path in extra_dirs)
        self.relations = Relations(project, options)
        self._found: dict[str, tuple[Transcript, ...]] = {}

    def find(self, written: str) -> tuple[Transcript, ...]:
        """All transcripts that ``written`` may mean in the nearest place that has any.

        ``written`` is a file name, a path of any system, a session id or the beginning of one (also with an ellipsis).
        More than one result means that the citation is ambiguous; copies with the same content count once.
        """
        if written not in self._found:
            self._found[written] = self._search(written)
        return self._found[written]

    def knows(self, word: str) -> bool:
        """True where ``word`` in running text is the name or the id of a transcript of this repository."""
        word = _SEPARATORS.split(word)[-1]
        pattern = _pattern_of(word)
        if any(name in self._own.by_name for name in pattern.names):
            return True
        if word.lower().startswith(_AGENT) or _AGENT_ID.fullmatch(word):
            return bool(self.find(word))
        if _SHORT_ID.fullmatch(word) or UUID.fullmatch(word):
            return bool(self._own.match(pattern) or self._elsewhere(pattern) or self._extra.match(pattern))
        return False

    def find_records(
        self,
        uuids: Iterable[str],
        line_of: LineOf,
        beside: Sequence[Transcript] | None = None,
        budget: int | None = None,
    ) -> dict[str, tuple[Transcript, int]]:
        """The records whose own uuid is, or begins with, one of ``uuids``: transcript and line of each that is found.

        ``line_of(path, uuid)`` says on which line of a transcript the record with that whole uuid is. The transcripts
        ``beside`` are looked through, or else every place in its order, the latest written first, each file once, and
        no more than about ``budget`` bytes in all.
        """
        left = {uuid.lower(): uuid for uuid in uuids}
        found: dict[str, tuple[Transcript, int]] = {}
        read = 0
        for transcript in self._in_order() if beside is None else beside:
            if not left or (budget is not None and read > budget):
                break
            read += transcript.size
            for key, whole in _uuids_in(transcript.path, left):
                line = line_of(transcript.path, whole) if key in left else None
                if line is not None:
                    found[left.pop(key)] = (transcript, line)
        return found

    def everything(self) -> list[tuple[str, Transcript]]:
        """Every transcript of the repository with the folder it is found by, the latest written first.

        That are the project's own, those of the same repository in other folders, and those in the folders that were
        named, with the subagents of each; a file that is reached in two ways counts once.
        """
        found: dict[str, tuple[str, Transcript]] = {}
        for folder, path in self._all_paths():
            real = os.path.realpath(path)
            if real not in found:
                found[real] = folder, self._transcript(path)
        return sorted(found.values(), key=lambda pair: (-pair[1].mtime_ns, pair[1].path))

    def _all_paths(self) -> Iterator[tuple[str, str]]:
        own = self.project.path
        for path in (*_files(own), *_subagent_files(own)):
            yield own, path
        for folder in self.relations.related:
            sessions = [path for path in _files(folder) if self.relations.owns(path)]
            stems = {stem_of(os.path.basename(path)) for path in sessions}
            agents = [path for path in _subagent_files(folder) if path[len(folder) + 1 :].split(os.sep, 1)[0] in stems]
            for path in (*sessions, *agents):
                yield folder, path
        for folder in self.extra_dirs:
            for path in _files_below(folder, _MAX_DEPTH):
                yield os.path.dirname(folder) if path == folder else folder, path

    def _search(self, written: str) -> tuple[Transcript, ...]:
        parts = [part for part in _SEPARATORS.split(written.strip()) if part]
        if not parts:
            return ()
        pattern = _pattern_of(parts[-1])
        for place in (self._in_own, self._elsewhere, self._extra.match):
            paths = _distinct(_by_hint(place(pattern), parts[:-1]))
            if paths:
                return tuple(self._transcript(path) for path in paths)
        return ()

    def _in_own(self, pattern: _Pattern) -> list[str]:
        found = self._own.match(pattern)
        if found and not any(name.startswith(_AGENT) for name in pattern.names):
            return found
        return found + self._subagents.match(pattern)

    def _elsewhere(self, pattern: _Pattern) -> list[str]:
        found = self._others.match(pattern, self.relations.owns)
        if not found and any(name.startswith(_AGENT) for name in pattern.names):
            found = self._related_subagents.match(pattern)
        return found

    @cached_property
    def _own(self) -> _Folder:
        return _Folder(_files(self.project.path))

    @cached_property
    def _subagents(self) -> _Folder:
        return _Folder(_subagent_files(self.project.path))

    @cached_property
    def _others(self) -> _Folder:
        return _Folder(path for folder in self.relations.other_folders for path in _files(folder))

    @cached_property
    def _related_subagents(self) -> _Folder:
        return _Folder(path for folder in self.relations.related for path in _subagent_files(folder))

    @cached_property
    def _extra(self) -> _Folder:
        return _Folder(path for folder in self.extra_dirs for path in _files_below(folder, _MAX_DEPTH))

    def _in_order(self) -> Iterator[Transcript]:
        yield from self._latest_first(_files(self.project.path))
        yield from self._latest_first(_subagent_files(self.project.path))
        for folder in self.relations.related:
            yield from self._latest_first(path for path in _files(folder) if self.relations.owns(path))
        for folder in self.extra_dirs:
            yield from self._latest_first(_files_below(folder, _MAX_DEPTH))

    def _latest_first(self, paths: Iterable[str]) -> list[Transcript]:
        found = [self._transcript(path) for path in paths]
        return sorted(found, key=lambda transcript: -transcript.mtime_ns)

    def _transcript(self, path: str) -> Transcript:
        inside = os.path.relpath(path, self.projects_dir)
        project = None if inside.startswith(os.pardir) else inside.split(os.sep, 1)[0]
        try:
            state = os.stat(path)
        except OSError:
            return Transcript(path, project)
        return Transcript(path, project, state.st_size, state.st_mtime_ns)


def _pattern_of(last: str) -> _Pattern:
    """What the last part of a written path can stand for; a bare id means ``<id>.jsonl``."""
    stem = stem_of(last)
    names = [last, f"{last}.gz", last.removesuffix(".gz")]
    if stem == last:
        names += [f"{stem}.jsonl", f"{stem}.jsonl.gz"]
    cut = _ELLIPSIS.search(stem)
    if cut:
        prefix, suffix = stem[: cut.start()].lower(), stem[cut.end() :].lower()
        if len(prefix) >= _MIN_PREFIX or len(prefix) + len(suffix) >= _MIN_PREFIX + 2:
            return _Pattern(tuple(dict.fromkeys(names)), prefix, suffix)
        return _Pattern(tuple(dict.fromkeys(names)), None)
    if not _SHORT_ID.fullmatch(stem) and not UUID.fullmatch(stem):
        return _Pattern(tuple(dict.fromkeys(names)), None)
    names += [f"{stem.lower()}.jsonl", f"{stem.lower()}.jsonl.gz", f"{_AGENT}{stem.lower()}.jsonl"]
    return _Pattern(tuple(dict.fromkeys(names)), stem.lower())


def _by_hint(paths: list[str], above: Sequence[str]) -> list[str]:
    """Of several files with one name, those whose directories fit best what was written before it."""
    if len(paths) < 2 or not above:
        return paths

    def agreement(path: str) -> int:
        have = path.split(os.sep)[:-1]
        count = 0
        while count < min(len(have), len(above)) and have[-1 - count] == above[-1 - count]:
            count += 1
        return count

    best = max(agreement(path) for path in paths)
    return [path for path in paths if agreement(path) == best]


def _distinct(paths: Sequence[str]) -> list[str]:
    """Paths without those that are links to, or exact copies of, an earlier one."""
    kept: list[str] = []
    for path in dict.fromkeys(paths):
        if not any(_same_content(path, other) for other in kept):
            kept.append(path)
    return kept


def _same_content(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other) or filecmp.cmp(one, other, shallow=False)
    except OSError:
        return False


def _files(folder: str) -> list[str]:
    """Transcripts directly in ``folder``: files, or links to files."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.path for entry in entries if is_transcript_name(entry.name) and _is_file(entry))
    except OSError:
        return []


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a link that leads to itself, for one
        return False


def _subagent_files(folder: str) -> list[str]:
    """Transcripts of subagents, which lie below ``<session>/subagents/``."""
    try:
        with os.scandir(folder) as entries:
            sessions = sorted(entry.path for entry in entries if entry.is_dir() and entry.name != "memory")
    except OSError:
        return []
    return [path for session in sessions for path in _files_below(os.path.join(session, "subagents"), _MAX_DEPTH)]


def _files_below(folder: str, depth: int) -> list[str]:
    """Transcripts in ``folder`` and below it; ``folder`` may itself be one. Linked directories are not entered."""
    if os.path.isfile(folder):
        return [folder] if is_transcript_name(os.path.basename(folder)) else []
    found = _files(folder)
    if depth:
        try:
            with os.scandir(folder) as entries:
                below = sorted(entry.path for entry in entries if entry.is_dir(follow_symlinks=False))
        except OSError:
            below = []
        for path in below:
            found += _files_below(path, depth - 1)
    return found


def _uuids_in(path: str, keys: Iterable[str]) -> list[tuple[str, str]]:
    """Keys and the whole record uuids that begin with them, by the raw bytes of the file; packed ones are not read."""
    keys = list(keys)
    if path.endswith(".gz"):
        return [(key, key) for key in keys]
    needles = [key.encode("utf-8", "replace") for key in keys]
    found: dict[tuple[str, str], None] = {}
    try:
        with open(path, "rb") as handle:
            tail = b""
            while chunk := handle.read(_CHUNK):
                data = tail + chunk
                # A few plain searches are faster than one look at every uuid, many are not.
                if len(needles) > _FEW or any(needle in data for needle in needles):
                    for match in _RECORD_UUID.finditer(data):
                        whole = match.group(1).decode("ascii")
                        found.update(((key, whole), None) for key in keys if whole.startswith(key))
                tail = data[-_OVERLAP:]
    except OSError:
        return []
    return list(found)
