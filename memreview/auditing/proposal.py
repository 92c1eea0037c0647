"""Makes a proposal of remedies: two folders beside each other that a review opens like a dream."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from hashlib import blake2b

from memreview.checks.audited import ProjectAudit
from memreview.checks.remarks import written_when
from memreview.checks.remedies import Remedy, RemedyKind, carried_out, remedies
from memreview.config import Options
from memreview.errors import MemreviewError, RefusedError
from memreview.model.dream import Target, TargetKind
from memreview.model.finding import Finding
from memreview.read.memory import read_folder
from memreview.saving import put_folder

FOLDER = "remedies"
"""Folder below the state folder that holds proposals of remedies."""


def remedies_of(audit: ProjectAudit, finding: Finding) -> tuple[Remedy, ...]:
    """What can be done about a finding as the notes are now, the usual remedy first."""
    note = audit.notes.get(finding.file or "")
    written = written_when(note, audit.uses.get(finding.file or "")) if note is not None else None
    return remedies(finding, _notes(audit), written)


def usual_remedies(audit: ProjectAudit) -> tuple[Remedy, ...]:
    """The usual remedy of every finding that has one."""
    notes = _notes(audit)
    found: list[Remedy] = []
    for finding in audit.findings:
        note = audit.notes.get(finding.file or "")
        written = written_when(note, audit.uses.get(finding.file or "")) if note is not None else None
        found += remedies(finding, notes, written)[:1]
    return tuple(found)


def write_proposal(
    audit: ProjectAudit, chosen: Iterable[Remedy], options: Options, seen: Mapping[str, bytes] | None = None
) -> Target:
    """Write the notes as they are and as they would be into the state folder; what a review opens.

    The same remedies of the same notes give the same folder, so that decisions on it are kept. ``seen`` are texts of
    notes that a person started from, where the folder may hold others by now. Raises :class:`RefusedError` where
    nothing would change or nothing can be written.
    """
    notes, chosen = {**_notes(audit), **(seen or {})}, tuple(chosen)
    changes = carried_out(notes, chosen)
    if not changes:
        raise RefusedError(f"{audit.project.memory_dir}: nothing is left to change; look at the folder again")
    after: dict[str, bytes] = dict(notes)
    for change in changes:
        if change.after is None:
            after.pop(change.path, None)
        else:
            after[change.path] = change.after
    # The folder's name is what lists of reviews and the commit message call it.
    what = "edit" if all(remedy.kind is RemedyKind.EDIT for remedy in chosen) else "remedies"
    digest = blake2b(what.encode(), digest_size=8)
    for side in (notes, after):
        for path, data in sorted(side.items()):
            digest.update(os.fsencode(path) + b"\0" + len(data).to_bytes(8, "big") + data)
    name = re.sub(r"[^\w.-]", "-", audit.project.name)[-80:]
    place = os.path.join(options.state_dir, FOLDER, f"{name}-{digest.hexdigest()}")
    try:
        sides = {"base": notes, what: after}
        files = {f"{side}/{path}": data for side, texts in sides.items() for path, data in texts.items()}
        put_folder(place, files, folders=sides)
    except OSError as error:
        raise RefusedError(f"{place}: cannot be written ({error.strerror}); nothing was proposed") from error
    base, proposed = os.path.join(place, "base"), os.path.join(place, what)
    return Target(TargetKind.FOLDERS, base=base, proposed=proposed, project=audit.project.path)


def _notes(audit: ProjectAudit) -> dict[str, bytes]:
    try:
        memory = read_folder(audit.project.memory_dir, missing_ok=True)
    except MemreviewError:
        return {}
    return {path: note.data for path, note in memory.notes.items()}
