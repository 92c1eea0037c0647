"""Evidence for a person: of a commit, of a note, or of one line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memreview.checks.after import After
from memreview.config import Options
from memreview.errors import RefusedError, UsageError
from memreview.evidence.aftermath import what_followed
from memreview.evidence.kept_store import KeptStore, open_store
from memreview.evidence.kept_text import summary
from memreview.evidence.lines import origins
from memreview.model.dream import Project
from memreview.model.kept import KeptEvidence, LineOrigin
from memreview.model.memory import INDEX_NAME
from memreview.read.memory import read_folder
from memreview.text import clip, mask_secrets

_CELLS: Final = 200
_LINE: Final = re.compile(r"(.+):(\d+)")


@dataclass(frozen=True, slots=True)
class Shown:
    """What is known of what was asked for: kept evidence by commit, or the origins of lines of ``note``."""

    evidence: tuple[tuple[str, KeptEvidence], ...] = ()
    note: str | None = None
    lines: tuple[LineOrigin, ...] = ()
    after: tuple[After, ...] = ()
    """What was said of the one line afterwards."""

    @property
    def text(self) -> list[str]:
        """It in lines; text of notes and transcripts is not yet made displayable."""
        rows: list[str] = []
        for commit, part in self.evidence:
            rows += [f"{commit[:12]} {part.made[:10]} {part.label}", *(f"  {row}" for row in summary(part))]
        for origin in self.lines:
            since = (origin.date or "not committed")[:10] if origin.date else "not committed"
            commit = f" {origin.commit[:12]}" if origin.commit else ""
            whose = f", {origin.speaker}" if origin.speaker is not None else ""
            session = f", session {origin.session}" if origin.session else ""
            known = origin.verified or "no evidence kept"
            rows.append(f"{self.note}:{origin.line} since {since}{commit}{session}{whose}, {known}: {origin.text}")
            for record in origin.records:
                day = (record.timestamp or "")[:16].replace("T", " ")
                rows.append(f"  {record.speaker} {day} {record.at}: {' '.join(record.text.split())}")
        for one in self.after:
            day = (one.source.timestamp or "")[:16].replace("T", " ")
            place = f"{one.source.transcript}:{one.source.line}"
            words = clip(mask_secrets(" ".join(one.text.split())), _CELLS)
            rows.append(f"  later, {one.source.speaker} {day} {place} {one.mark}: {words}")
        return rows


def store_of(project: Project) -> KeptStore:
    """The evidence of a project's memory. :class:`RefusedError` where the folder is not under git."""
    store = open_store(project.memory_dir)
    if store is None:
        raise RefusedError(
            f"{project.memory_dir}: no git repository holds this folder, and evidence is kept with commits; "
            "run git init there, or memreview apply --init"
        )
    return store


def show(project: Project, what: str | None, options: Options) -> Shown:
    """The evidence of ``what``: a commit, a note, ``note.md:4``, or everything for None.

    Raises :class:`UsageError` where it is none of these.
    """
    store = store_of(project)
    if what is None:
        pairs = [(commit, part) for commit, parts in store.of_history().items() for part in parts]
        return Shown(tuple(pairs))
    notes = read_folder(project.memory_dir, missing_ok=True).notes
    place = _LINE.fullmatch(what)
    name, line = (place.group(1), int(place.group(2))) if place and what not in notes else (what, None)
    name = name if name in notes or name.endswith(".md") or f"{name}.md" not in notes else f"{name}.md"
    if name in notes:
        found = origins(store, name, notes[name].data)
        if line is None:
            return Shown(note=name, lines=tuple(origin for origin in found if origin.text.strip()))
        if not 1 <= line <= len(found):
            raise UsageError(f"{name} has {len(found)} lines, no line {line}")
        origin = found[line - 1]
        times = [record.timestamp for record in origin.records if record.timestamp]
        since = max(times) if times else None
        after = what_followed(project, options, origin.text, since) if since is not None else ()
        return Shown(note=name, lines=(origin,), after=after)
    commit = store.notes.resolve(what)
    if commit is None:
        raise UsageError(f"{what}: neither a note of {project.memory_dir} (such as {INDEX_NAME}) nor a commit")
    return Shown(tuple((commit, part) for part in store.of_commit(commit)))
