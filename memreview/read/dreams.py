"""Reading what a dream proposes, in each of the forms in which it can be named."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from memreview.config import Options
from memreview.diff.hunks import compare
from memreview.errors import TargetError
from memreview.model.dream import Project, Run, Target, TargetKind
from memreview.model.finding import Finding, Severity
from memreview.model.memory import MemoryFolder, Note
from memreview.model.patch import FileChange
from memreview.read.discover import project_of_memory, resolve_project
from memreview.read.dream_git import check_copied_git
from memreview.read.dream_live import read_live_edit
from memreview.read.dream_output import CHANGES_LIMIT
from memreview.read.dream_patch import read_patch
from memreview.read.dream_run import read_output
from memreview.read.left_out import (
    GONE,
    covers,
    left_out,
    name_strangers,
    name_twins,
    reviewable,
    strangers_of,
    without_covered,
)
from memreview.read.managed_dream import find_resource, read_resource
from memreview.read.memory import read_folder
from memreview.read.small_files import read_regular, same_entry
from memreview.snapshots.store import SnapshotStore
from memreview.text import decode


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a dream proposes to change in a project's memory.

    ``base`` and ``proposed`` are all reviewable notes before and after, ``live`` is the real folder as it was read.
    ``changes_text`` is CHANGES.md (lone surrogates for undecodable bytes), None where there is none. ``moved_since``
    are the paths of notes that are not in the real folder what they were when the dream read them. ``snapshot`` is the
    id of the snapshot that is the base of an edit in place.
    """

    target: Target
    project: Project
    files: tuple[FileChange, ...]
    run: Run
    findings: tuple[Finding, ...]
    live: MemoryFolder
    base: Mapping[str, Note] = field(default_factory=dict)
    proposed: Mapping[str, Note] = field(default_factory=dict)
    changes_text: str | None = None
    changes_path: str | None = None
    moved_since: tuple[str, ...] = ()
    snapshot: str | None = None


def read_proposal(target: Target, options: Options) -> Proposal:
    """Read a dream's output, two folders, or a folder that was edited in place.

    Raises :class:`TargetError` for what is not there, :class:`DreamError` for an output that cannot be trusted,
    :class:`VcsError` and :class:`UsageError` for what git does not know.
    """
    if target.kind is TargetKind.OUTPUT:
        return _from_output(target, options)
    if target.kind is TargetKind.FOLDERS:
        return _from_folders(target, options)
    if target.kind is TargetKind.PATCH:
        return _from_patch(target, options)
    return _from_live(target, options)


def _from_output(target: Target, options: Options) -> Proposal:
    made = read_output(_named(target.output, "DIR"), target.project, options)
    live = made.live
    return Proposal(
        target=target,
        project=made.project,
        files=made.files,
        run=made.run,
        findings=(*made.findings, *_twins(made.base, made.proposed, made.files)),
        live=live,
        base=made.base,
        proposed=made.proposed,
        changes_text=made.changes_text,
        changes_path=made.changes_path,
        moved_since=moved(made.base, live),
    )


def _from_folders(target: Target, options: Options) -> Proposal:
    after = _named(target.proposed, "--proposed")
    if target.base is None and target.project is None:
        raise TargetError(f"{after}: --base or --project is required, to know what it is compared with")
    before = target.base or resolve_project(target.project or "", options).memory_dir
    base_folder, proposed_folder = read_folder(before, missing_ok=target.base is None), read_folder(after)
    project = _project(target, options, before)
    run, told = _managed(target, before, after)
    live = read_folder(project.memory_dir, missing_ok=True)
    check_copied_git(proposed_folder.real_path, (base_folder.real_path, live.real_path))
    strangers = strangers_of(proposed_folder)
    base = without_covered(reviewable(base_folder.notes), strangers)
    proposed = without_covered(reviewable(proposed_folder.notes), base_folder.strangers)
    files = compare(base, proposed)
    findings = name_strangers(
        strangers,
        lambda stranger: same_entry(
            os.path.join(base_folder.real_path, stranger.path), os.path.join(proposed_folder.real_path, stranger.path)
        ),
    )
    findings += [
        left_out(path, f"in {base_folder.path} it is, or lies below, {hidden.reason}")
        for path in reviewable(proposed_folder.notes)
        if (hidden := covers(base_folder.strangers, path)) is not None
    ]
    findings += [
        left_out(stranger.path, GONE)
        for stranger in strangers_of(base_folder)
        if not os.path.lexists(os.path.join(proposed_folder.real_path, stranger.path))
    ]
    text = _changes(target.changes)
    return Proposal(
        target=target,
        project=project,
        files=files,
        run=run,
        findings=(*told, *findings, *_twins(base, proposed, files)),
        live=live,
        base=base,
        proposed=proposed,
        changes_text=text,
        changes_path=target.changes if text is not None else None,
        moved_since=moved(base, live),
    )


def _managed(target: Target, before: str, after: str) -> tuple[Run, tuple[Finding, ...]]:
    """What is known of the run that wrote the proposed folder, and remarks."""
    if target.base is None:
        said = (
            "no --base: it is compared with the memory folder as it is now, so what others wrote there since the dream "
            "read it looks as if the dream had removed it"
        )
        return Run(label=after), (Finding("no-base", Severity.WARNING, said),)
    resource = target.dream or find_resource(before, after)
    if resource is None:
        return Run(label=after), ()
    managed = read_resource(resource, before, after)
    run = Run(label=managed.label, complete=managed.barred is None, barred=managed.barred)
    return run, managed.findings


def _from_patch(target: Target, options: Options) -> Proposal:
    path = _named(target.patch, "--patch")
    made = read_patch(path, target.project, options)
    text = _changes(target.changes)
    return Proposal(
        target=target,
        project=made.project,
        files=made.files,
        run=Run(label=os.path.basename(path)),
        findings=(*made.findings, *_twins(made.base, made.proposed, made.files)),
        live=made.live,
        base=made.base,
        proposed=made.proposed,
        changes_text=text,
        changes_path=target.changes if text is not None else None,
        moved_since=moved(made.base, made.live),
    )


def _from_live(target: Target, options: Options) -> Proposal:
    folder = read_folder(_named(target.live, "--live"))
    project = replace(_project(target, options, folder.path), memory_dir=folder.path)
    made = read_live_edit(folder, target.since, SnapshotStore(options.state_dir))
    files = compare(made.base, made.proposed)
    text = _changes(target.changes)
    return Proposal(
        target=target,
        project=project,
        files=files,
        run=Run(label=made.label),
        findings=(*made.findings, *_twins(made.base, made.proposed, files)),
        live=folder,
        base=made.base,
        proposed=made.proposed,
        changes_text=text,
        changes_path=target.changes if text is not None else None,
        snapshot=made.snapshot,
    )


def moved(base: Mapping[str, Note], live: MemoryFolder) -> tuple[str, ...]:
    """Paths of notes that the real folder does not hold as the base does, those only it holds included."""
    now = reviewable(live.notes)
    paths = sorted({*base, *now})
    return tuple(path for path in paths if _data(base.get(path)) != _data(now.get(path)))


def _data(note: Note | None) -> bytes | None:
    return note.data if note is not None else None


def _named(path: str | None, what: str) -> str:
    if not path:
        raise TargetError(f"{what} is missing; name what is to be reviewed")
    return path


def _project(target: Target, options: Options, folder: str) -> Project:
    if target.project is not None:
        return resolve_project(target.project, options)
    project = project_of_memory(folder, options)
    if project is None:
        raise TargetError(
            f"{folder} is no memory folder below {options.projects_dir}: --project is required, "
            "to know whose memory and transcripts are meant"
        )
    return project


def _changes(path: str | None) -> str | None:
    """The text of the file named with ``--changes``."""
    if path is None:
        return None
    try:
        data = read_regular(os.path.realpath(path), CHANGES_LIMIT)
    except OSError as error:
        raise TargetError(f"{path}: cannot be read ({error.strerror})") from error
    if data is None:
        raise TargetError(f"{path}: no such file; --changes names the list of changes that the dream wrote")
    return decode(data)


def _twins(base: Mapping[str, Note], proposed: Mapping[str, Note], files: tuple[FileChange, ...]) -> list[Finding]:
    touched = [name for file in files for name in (file.path, file.old_path) if name is not None]
    return name_twins({*base, *proposed}, touched)
