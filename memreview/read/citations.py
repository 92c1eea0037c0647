"""Entries of CHANGES.md linked to the changes they speak of, with everything they cite looked up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memreview.model.dream import Citation, Entry, Reference, unit_id, units_of
from memreview.model.patch import FileChange
from memreview.read.changes import RawEntry, parse_entries
from memreview.read.finder import TranscriptFinder
from memreview.read.matching import Matcher, words_of
from memreview.read.note_names import Mentions, NoteNames, unchanged_notes
from memreview.read.resolve import CommitExists, Opener, Resolver
from memreview.read.transcripts import open_transcript
from memreview.review.index import Unit

MAX_BARE_WORDS = 3
"""An entry of fewer words beside its citations is evidence for the entry before it."""

_Placed = tuple[str | None, tuple[str, ...]]
"""The note that an entry names, and the ids of what it speaks of."""


@dataclass(frozen=True, slots=True)
class Linked:
    """What CHANGES.md says about a proposal. The mappings are by change id, or file id for notes without changes.

    ``explained_by`` gives indices of ``entries``. Changes that no entry speaks of are in no mapping.
    """

    entries: tuple[Entry, ...] = ()
    citations: Mapping[str, tuple[Citation, ...]] = field(default_factory=dict)
    references: Mapping[str, tuple[Reference, ...]] = field(default_factory=dict)
    explained_by: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


def link(
    text: str,
    files: Sequence[FileChange],
    finder: TranscriptFinder,
    *,
    repo_root: str | None = None,
    memory_dir: str | None = None,
    cache_dir: str | None = None,
    commit_exists: CommitExists | None = None,
    opener: Opener | None = None,
) -> Linked:
    """Read ``text`` (a CHANGES.md), look up what it cites, and tell which entry explains which change.

    ``repo_root`` is where cited source files are looked for, ``memory_dir`` where daily logs and unchanged notes lie.
    ``commit_exists`` is asked only for what looks like a commit. An unreadable transcript is a citation with the status
    missing, never an error.
    """
    raw = parse_entries(text, finder.knows)
    if not raw:
        return Linked()
    placed = place_entries(raw, files, unchanged_notes(memory_dir))
    resolver = Resolver(
        finder, opener or (lambda path: open_transcript(path, cache_dir)), repo_root, memory_dir, commit_exists
    )
    try:
        resolver.look_for_records((cited, _beside(entry)) for entry in raw for cited in entry.citations)
        looked_up = [_look_up(entry, resolver) for entry in raw]
    finally:
        resolver.close()
    entries = tuple(
        Entry(entry.text, entry.line, file, changes, citations, references)
        for entry, (file, changes), (citations, references) in zip(raw, placed, looked_up, strict=True)
    )
    return _by_change(entries)


def place_entries(
    entries: Sequence[RawEntry], files: Sequence[FileChange], unchanged: Iterable[str] = ()
) -> list[_Placed]:
    """For every entry the note that it names and the ids of what it speaks of: changes, renames by their file's id.

    ``unchanged`` are paths of notes that the dream left alone.
    """
    units = [Unit(unit_id(file, change), file, change) for file, change in units_of(files)]
    placed = _Placement(entries, units, NoteNames(files, unchanged)).run()
    renamed = {file.path: file for file in files if file.old_path is not None and file.hunks}
    return _with_renames(entries, placed, renamed) if renamed else placed


def _with_renames(
    entries: Sequence[RawEntry], placed: Sequence[_Placed], renamed: Mapping[str, FileChange]
) -> list[_Placed]:
    """An entry on a renamed note that also gives its old name explains the rename."""
    owner = {change.id: file for file in renamed.values() for change in file.changes()}
    told: list[_Placed] = []
    for entry, (note, changes) in zip(entries, placed, strict=True):
        about = [renamed[note]] if note is not None and note in renamed else []
        about += [owner[change] for change in changes if change in owner]
        ids = dict.fromkeys(file.id for file in about if _last_name(file.old_path or "") in entry.plain.casefold())
        told.append((note, (*ids, *changes)))
    return told


def _last_name(path: str) -> str:
    return path.rsplit("/", 1)[-1].removesuffix(".md").casefold()


def _look_up(entry: RawEntry, resolver: Resolver) -> tuple[tuple[Citation, ...], tuple[Reference, ...]]:
    citations: list[Citation] = []
    references: list[Reference] = []
    for raw in entry.citations:
        found = resolver.citation(raw, _beside(entry))
        if isinstance(found, Citation):
            citations.append(found)
        elif found is not None:
            references.append(found)
    references.extend(found for raw in entry.references if (found := resolver.reference(raw)) is not None)
    return _distinct(citations), tuple(dict.fromkeys(references))


def _beside(entry: RawEntry) -> tuple[str, ...]:
    """The transcripts in which an entry's records are looked for first."""
    return (*entry.named, *([entry.above] if entry.above else []))


def _distinct(citations: Iterable[Citation]) -> tuple[Citation, ...]:
    """One citation for each place, however often it is named."""
    places: dict[tuple[str, int | None, int | None, str], Citation] = {}
    for citation in citations:
        key = (citation.path or citation.transcript, citation.line, citation.end_line, citation.status)
        places.setdefault(key, citation)
    return tuple(places.values())


def _by_change(entries: tuple[Entry, ...]) -> Linked:
    citations: dict[str, list[Citation]] = {}
    references: dict[str, list[Reference]] = {}
    explained: dict[str, list[int]] = {}
    for at, entry in enumerate(entries):
        for change in entry.changes:
            explained.setdefault(change, []).append(at)
            citations.setdefault(change, []).extend(entry.citations)
            references.setdefault(change, []).extend(entry.references)
    return Linked(
        entries,
        {change: _distinct(found) for change, found in citations.items()},
        {change: tuple(dict.fromkeys(found)) for change, found in references.items()},
        {change: tuple(found) for change, found in explained.items()},
    )


class _Placement:
    """Decides for every entry which units it speaks of."""

    def __init__(self, entries: Sequence[RawEntry], units: Sequence[Unit], names: NoteNames) -> None:
        self.entries = entries
        self.units = units
        self.names = names
        self.by_path: dict[str, list[int]] = {}
        for at, unit in enumerate(units):
            self.by_path.setdefault(unit.file.path, []).append(at)
        self.words = [words_of(entry.plain) for entry in entries]
        self.notes: list[tuple[str, ...]] = []
        self.found: list[set[int]] = [set() for _ in entries]
        self.waiting: list[list[str]] = [[] for _ in entries]
        self.children: dict[int, list[int]] = {}
        self._matchers: dict[str, Matcher] = {}
        self._everywhere: Matcher | None = None

    def run(self) -> list[_Placed]:
        """For every entry the note it names and the ids of its units, in the order of the screen."""
        for at, entry in enumerate(self.entries):
            if entry.parent is not None:
                self.children.setdefault(entry.parent, []).append(at)
            self._place(at, entry)
        for at in range(len(self.entries)):
            self._follow(at)
        explained = set().union(*self.found) if self.found else set()
        for at, paths in enumerate(self.waiting):
            for path in paths:
                own = self.by_path[path]
                self.found[at].update([unit for unit in own if unit not in explained] or own)
        return [
            (self.notes[at][0] if self.notes[at] else None, tuple(self.units[unit].id for unit in sorted(found)))
            for at, found in enumerate(self.found)
        ]

    def _place(self, at: int, entry: RawEntry) -> None:
        said = self.names.mentions(entry.plain)
        above = self._notes_above(entry)
        targets, others = _targets(said, above)
        if not (said.head or said.body) and not any(path in self.by_path for path in targets):
            targets = ()
        self.notes.append(targets)
        if not targets:
            if not self._is_bare(at):
                self.found[at].update(self._free().free(self.words[at]))
            return
        if len(targets) > 1 and not said.head + said.body:
            self.found[at].update(self._among(targets, self.words[at]))
            if self.found[at]:
                return
        for path in targets:
            own = self.by_path.get(path, [])
            found = self._matcher(path).named(self.words[at]) if len(own) > 1 else range(len(own))
            self.found[at].update(own[unit] for unit in found)
            if own and not found:
                self.waiting[at].append(path)
        for path in others:
            own = self.by_path.get(path, [])
            self.found[at].update(own[unit] for unit in self._matcher(path).covered(self.words[at]) if own)

    def _follow(self, at: int) -> None:
        """An entry whose words are in no change goes with the entries around it.

        A list item without words of its own means what the item above it means, or those below it; bare evidence
        belongs to the entry before it.
        """
        entry = self.entries[at]
        if self.found[at] or (self.notes[at] and not self.waiting[at]):
            return
        near: set[int] = set()
        if entry.parent is not None:
            near = self.found[entry.parent]
        if not near and self._is_bare(at):
            near = self._before(at)
        if not near:
            near = self._by_heading(at)
        if not near:
            near = set().union(*(self.found[child] for child in self.children.get(at, ())))
        if self.waiting[at]:
            near = {unit for unit in near if self.units[unit].file.path in self.waiting[at]}
        if near:
            self.found[at] = set(near)
            self.waiting[at] = []

    def _before(self, at: int) -> set[int]:
        """Units of the entry that bare evidence follows: one with words and without citations of its own."""
        before = at - 1
        while before >= 0 and self._is_bare(before):
            before -= 1
        if before < 0 or self.entries[before].citations or self.entries[before].headings != self.entries[at].headings:
            return set()
        return self.found[before]

    def _by_heading(self, at: int) -> set[int]:
        """Units that the words of a heading above mean, nearest first."""
        for heading in self.entries[at].headings:
            words = words_of(heading)
            found = self._among(self.waiting[at], words) if self.waiting[at] else set(self._free().free(words))
            if found:
                return found
        return set()

    def _among(self, paths: Sequence[str], words: set[str]) -> set[int]:
        """Units of several notes that have these words."""
        own = [unit for path in paths for unit in self.by_path.get(path, ())]
        key = "\0".join(paths)
        if key not in self._matchers:
            self._matchers[key] = Matcher([self.units[unit] for unit in own])
        return {own[unit] for unit in self._matchers[key].named(words)}

    def _is_bare(self, at: int) -> bool:
        entry = self.entries[at]
        return bool(entry.citations) and len(entry.plain.split()) <= MAX_BARE_WORDS

    def _notes_above(self, entry: RawEntry) -> tuple[str, ...]:
        if entry.parent is not None and self.notes[entry.parent]:
            return self.notes[entry.parent]
        for heading in entry.headings:
            named = self.names.heading(heading)
            if named:
                return named
        return ()

    def _matcher(self, path: str) -> Matcher:
        if path not in self._matchers:
            self._matchers[path] = Matcher([self.units[at] for at in self.by_path.get(path, ())])
        return self._matchers[path]

    def _free(self) -> Matcher:
        if self._everywhere is None:
            self._everywhere = Matcher(self.units)
        return self._everywhere


def _targets(said: Mentions, above: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The notes an entry is about, and those that it only mentions, which it must also match by words."""
    if said.head:
        return said.head, said.body
    if said.body:
        return said.body, tuple(path for path in above if path not in said.body)
    if above:
        return above, ()
    return said.weak, ()
