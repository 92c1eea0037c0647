"""Which notes need no new look, since nothing that they depend on changed and nobody spoke of their subject since."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from memreview.checks.after import together
from memreview.checks.nightly import CheckRule
from memreview.config import Options
from memreview.diff.lines import split_lines, text_lines
from memreview.errors import MemreviewError
from memreview.evidence.advice_cache import Known, Stamps
from memreview.evidence.kept_store import open_store
from memreview.model.advice import Advised
from memreview.model.dream import Project
from memreview.model.memory import MemoryFolder
from memreview.model.transcript import Speaker, Transcript
from memreview.read.finder import TranscriptFinder
from memreview.read.needles import needles_in
from memreview.read.speech_cache import SpeechCache
from memreview.read.speech_index import SpeechIndex
from memreview.read.speech_search import search
from memreview.read.speech_worker import Tell

MOST: Final = 8
"""New records that are looked at for each line."""
_STABLE: Final = frozenset({CheckRule.QUOTE_STANDS, CheckRule.EVIDENCE_STANDS, CheckRule.EVIDENCE_KEPT, CheckRule.SAID})


@dataclass(frozen=True, slots=True)
class Situation:
    """What a check depends on: see :class:`~memreview.evidence.advice_cache.Known`. ``transcripts`` with the folder by
    which each is found."""

    mark: str
    basis: str
    notes: Mapping[str, str]
    files: Stamps
    transcripts: tuple[tuple[str, Transcript], ...]

    def known(self, rows: tuple[Advised, ...]) -> Known:
        """This situation with what was said in it."""
        return Known(self.mark, self.basis, self.notes, self.files, rows)


def situation(project: Project, options: Options, memory: MemoryFolder, *more: str) -> Situation:
    """How things are now; ``more`` is what the whole depends on besides notes, transcripts and kept evidence."""
    try:
        store = open_store(project.memory_dir)
        state = store.state if store is not None else ""
    except MemreviewError:
        state = ""
    basis = f"{state} {options.show_secrets}"
    notes = {path: hashlib.sha256(note.data).hexdigest() for path, note in memory.notes.items()}
    transcripts = tuple(TranscriptFinder(project, options).everything())
    files = {transcript.path: (transcript.size, transcript.mtime_ns) for _, transcript in transcripts}
    digest = hashlib.sha256("\0".join((basis, *more)).encode("utf-8", "surrogatepass"))
    for path, value in sorted(notes.items()):
        digest.update(os.fsencode(f"{path}\0{value}\n"))
    for path, stamp in sorted(files.items()):
        digest.update(os.fsencode(f"{path}\0{stamp}\n"))
    return Situation(digest.hexdigest(), basis, notes, files, transcripts)


def unaffected(
    known: Known, now: Situation, options: Options, memory: MemoryFolder, tell: Tell | None = None
) -> frozenset[str]:
    """Notes of which all that was said still stands: all their lines were kept, they are what they were, so are the
    transcripts that they rest on, and no new or changed transcript speaks of what they say."""
    if known.basis != now.basis:
        return frozenset()
    changed = {path for path, stamp in now.files.items() if known.files.get(path) != stamp}
    moved = {os.path.basename(path) for path in (*changed, *(known.files.keys() - now.files.keys()))}
    rows: dict[str, list[Advised]] = {}
    for row in known.rows:
        rows.setdefault(row.file, []).append(row)
    stable = {
        path
        for path, digest in now.notes.items()
        if known.notes.get(path) == digest and all(_is_stable(row, moved) for row in rows.get(path, ()))
    }
    if not changed:
        return frozenset(stable)
    spoken = _spoken_of(stable, rows, now, changed, options, memory, tell)
    return frozenset(stable - spoken)


def _is_stable(row: Advised, moved: set[str]) -> bool:
    names = {os.path.basename(place.rpartition(":")[0]) for place in row.places}
    return row.rule in _STABLE and not names & moved


def _spoken_of(
    notes: Iterable[str],
    rows: Mapping[str, list[Advised]],
    now: Situation,
    changed: set[str],
    options: Options,
    memory: MemoryFolder,
    tell: Tell | None,
) -> set[str]:
    """Those notes of whose lines a changed transcript speaks."""
    asked: list[tuple[str, str]] = []
    for path in notes:
        lines = text_lines(split_lines(memory.notes[path].data))
        asked += ((path, lines[row.line - 1]) for row in rows.get(path, ()))
    needles = [needles_in(line) for _, line in asked]
    files = [pair for pair in now.transcripts if pair[1].path in changed]
    found: set[str] = set()
    with SpeechIndex(files, SpeechCache(options.cache_dir), tell) as index:
        for (path, _), own, hits in zip(asked, needles, search(index, needles, [MOST] * len(asked)), strict=True):
            keys = [needle.key for needle in own]
            for hit in hits if path not in found else ():
                record = index.record(hit.place)
                if record is None or record.speaker is Speaker.CALL:
                    continue
                if together(keys, record.text, failed=record.error) is not None:
                    found.add(path)
                    break
    return found
