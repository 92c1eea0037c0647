"""Keeping the evidence of notes that stand already, before their transcripts are swept."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memreview.checks.nightly import CheckRule, objection
from memreview.config import Options
from memreview.diff.lines import split_lines, text_lines
from memreview.errors import RefusedError, VcsError
from memreview.evidence.keep import Keeper, now
from memreview.evidence.kept_store import KeptStore
from memreview.evidence.lines import backings_by_line, line_key
from memreview.evidence.nightly import quote_of
from memreview.evidence.show import store_of
from memreview.model.advice import Advised
from memreview.model.dream import Project
from memreview.model.kept import Kept, KeptChange, KeptEvidence, KeptRecord
from memreview.model.memory import MemoryFolder
from memreview.read.finder import TranscriptFinder
from memreview.text import mask_lines, mask_secrets

_WORTH = frozenset({CheckRule.QUOTE_STANDS, CheckRule.SAID, CheckRule.ASSISTANT_ONLY, CheckRule.DRIFTED})
"""What a record backs, whatever else there is to say of it."""


@dataclass(frozen=True, slots=True)
class KeptNotes:
    """How much was kept of one project; ``problem`` says why nothing could be."""

    project: Project
    notes: int = 0
    lines: int = 0
    records: int = 0
    problem: str | None = None


def keep_notes(
    project: Project,
    options: Options,
    memory: MemoryFolder,
    advised: Sequence[Advised],
    is_due: Callable[[float], bool],
) -> KeptNotes:
    """Put the evidence of lines on the latest commit of the memory, as one note beside what lies there.

    ``is_due`` says of a transcript's mtime (seconds since 1970) whether it is time. Raises
    :class:`~memreview.errors.MemreviewError` where the folder is not under git, or git refuses.
    """
    store, head = _place(project)
    changes, records = _worth_keeping(store, project, options, memory, advised, is_due)
    if changes:
        evidence = KeptEvidence(project.name, "kept", now(), changes=tuple(changes), records=records)
        store.add(head, evidence, options)
    return _counted(project, changes, records)


def verify_lines(project: Project, options: Options, memory: MemoryFolder, rows: Sequence[Advised]) -> KeptNotes:
    """Put on the latest commit of the memory that a person has looked at what is said against these lines, and that
    they are right all the same; with it the records that back them, where there are any.

    Raises :class:`~memreview.errors.MemreviewError` where the folder is not under git, git refuses, or a line is none.
    """
    store, head = _place(project)
    changes, records = _worth_keeping(store, project, options, memory, rows, lambda mtime: True)
    for one in rows:
        note = memory.notes.get(one.file)
        lines = text_lines(split_lines(note.data)) if note is not None else ()
        if not 0 < one.line <= len(lines):
            raise RefusedError(f"{one.file}: has no line {one.line} any more; check it again")
        answer = KeptChange(
            f"verified-{one.file}:{one.line}",
            one.file,
            one.line,
            Kept.VERIFIED,
            (lines[one.line - 1],),
            despite=(objection(one),),
        )
        changes.append(answer)
    evidence = KeptEvidence(project.name, "verified by hand", now(), changes=tuple(changes), records=records)
    store.add(head, evidence, options)
    return _counted(project, [change for change in changes if change.decision is Kept.VERIFIED], records)


def _place(project: Project) -> tuple[KeptStore, str]:
    """Where evidence of notes is put that stand already."""
    store = store_of(project)
    head = store.notes.repository.head()
    if head is None:
        raise VcsError(f"{project.memory_dir}: its repository has no commit yet; commit the notes first")
    return store, head


def _counted(project: Project, changes: Sequence[KeptChange], records: Sequence[KeptRecord]) -> KeptNotes:
    cited = sum(record.cited for record in records)
    return KeptNotes(project, len({change.note for change in changes}), len(changes), cited)


def _worth_keeping(
    store: KeptStore,
    project: Project,
    options: Options,
    memory: MemoryFolder,
    advised: Sequence[Advised],
    is_due: Callable[[float], bool],
) -> tuple[list[KeptChange], tuple[KeptRecord, ...]]:
    """The lines of which nothing is kept yet and that a record backs, and these records."""
    finder = TranscriptFinder(project, options)
    keeper = Keeper(finder, options)
    known = backings_by_line(store)
    changes: list[KeptChange] = []
    for one in advised:
        note = memory.notes.get(one.file)
        if note is None or one.rule not in _WORTH or not one.places:
            continue
        text = text_lines(split_lines(note.data))[one.line - 1]
        key = line_key(mask_lines([text])[0])
        backing = known.get((one.file, key))
        quote = quote_of(note.data)
        has_quote = quote is None or (backing is not None and mask_secrets(quote[0]) in backing.change.quotes)
        if backing is not None and backing.change.cited and has_quote:
            continue
        cited = [at for place in one.places for at in _kept(keeper, finder, place, is_due)]
        if cited:
            quotes = (quote[0],) if quote is not None else ()
            id_ = f"kept-{one.file}:{one.line}"
            places = tuple(dict.fromkeys(cited))
            changes.append(KeptChange(id_, one.file, one.line, Kept.KEPT, (text,), cited=places, quotes=quotes))
    keeper.close()
    return changes, keeper.records


def _kept(keeper: Keeper, finder: TranscriptFinder, place: str, is_due: Callable[[float], bool]) -> tuple[str, ...]:
    name, _, line = place.rpartition(":")
    found = finder.find(name)
    if len(found) != 1 or not line.isdigit() or not is_due(found[0].mtime_ns / 1e9):
        return ()
    return keeper.keep(os.path.join(found[0].path), [int(line)])
