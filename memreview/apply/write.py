"""Changing many files so that all change or none, whatever happens in between.

1. Every new text is written to a file of its own in the area, every old one is kept there, then the journal.
2. One by one the new files take the places of the old ones by renaming. Right before that the old file is compared with
   what was planned on, and right after it the file that was taken out, so that nothing that somebody else wrote at that
   very moment is lost.
3. The journal is removed. Until then everything can be undone: by this process, or by the next one that finds it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from memreview.apply.folder import Folder, Found, digest, parents, read_place
from memreview.apply.journal import Area, Journal, TargetFile
from memreview.apply.names import Place, exchange, rename_new, rename_over
from memreview.errors import RefusedError
from memreview.text import visible

_TAKEN = ".taken"


@dataclass(frozen=True, slots=True)
class FileEdit:
    """``old`` is the text that must stand at ``path`` (None: no file), ``new`` what shall stand there (None: none).

    ``mode`` and ``mtime_ns`` are for files that come from elsewhere; a file that is replaced keeps its own mode.
    """

    path: str
    old: bytes | None
    new: bytes | None
    mode: int | None = None
    mtime_ns: int | None = None


@dataclass(frozen=True, slots=True)
class Staged:
    """What :func:`stage` prepared, to be written into the journal."""

    targets: tuple[TargetFile, ...]
    made_folders: tuple[str, ...]
    folder_modes: dict[str, int]
    linked: tuple[str, ...] = ()


class ChangedError(RefusedError):
    """A file is not what it was when the plan was made."""

    def __init__(self, shown: str) -> None:
        super().__init__(f"{visible(shown)}: this was changed at the same moment; nothing was written, try again")


def stage(folder: Folder, area: Area, edits: Iterable[FileEdit]) -> Staged:
    """Write all new texts into the area and keep the old ones there; nothing in the folder changes.

    Raises :class:`ChangedError` where a file is not what the edit says, :class:`RefusedError` for links and the like,
    :class:`OSError` where the system refuses.
    """
    targets: list[TargetFile] = []
    old_texts: list[bytes] = []
    missing: dict[str, None] = {}
    modes: dict[str, int] = {}
    linked: list[str] = []
    offset = 0
    # Old names go before new ones come: on a file system that ignores case they may be one.
    for number, edit in enumerate(sorted(edits, key=lambda edit: (edit.new is not None, edit.old is None, edit.path))):
        found = folder.read(edit.path)
        if (found.data if found else None) != edit.old:
            raise ChangedError(folder.full(edit.path))
        slot = f"{number:05d}"
        if edit.new is not None:
            owner = (found.info.st_uid, found.info.st_gid) if found else None
            area.write(slot, edit.new, found.mode if found else edit.mode, owner)
            if edit.mtime_ns is not None:
                os.utime(slot, ns=(edit.mtime_ns, edit.mtime_ns), dir_fd=area.folder)
            missing.update(dict.fromkeys(folder.missing_parents(edit.path)))
        if found is None:
            new = digest(edit.new) if edit.new is not None else None
            targets.append(TargetFile(edit.path, slot, None, new))
            continue
        if found.info.st_nlink > 1:
            linked.append(edit.path)
        modes.update(folder.parent_modes(edit.path))
        old_texts.append(found.data)
        targets.append(_target(edit, slot, found, offset))
        offset += len(found.data)
    area.write_old(b"".join(old_texts))
    area.sync(target.slot for target in targets if target.new is not None)
    return Staged(tuple(targets), tuple(missing), modes, tuple(linked))


def _target(edit: FileEdit, slot: str, found: Found, offset: int) -> TargetFile:
    return TargetFile(
        path=edit.path,
        slot=slot,
        old=digest(found.data),
        new=digest(edit.new) if edit.new is not None else None,
        mode=found.mode,
        mtime_ns=found.info.st_mtime_ns,
        offset=offset,
        length=len(found.data),
    )


def carry_out(folder: Folder, area: Area, journal: Journal) -> None:
    """Put all new files in place. The journal must be written.

    Raises :class:`ChangedError` and :class:`OSError`; the caller has to :func:`undo` then.
    """
    for path in journal.made_folders:
        with suppress(FileExistsError):
            folder.make(path)
    for target in journal.targets:
        try:
            _swap(folder, area, target)
        except OSError as error:
            raise OSError(error.errno, error.strerror, folder.full(target.path)) from error
    tidy(folder, journal)
    _sync(folder, area, journal.targets)


def tidy(folder: Folder, journal: Journal) -> None:
    """Remove the folders in which nothing is left now that notes went."""
    gone = [target.path for target in journal.targets if target.new is None]
    for parent in sorted({parent for path in gone for parent in parents(path)}, key=len, reverse=True):
        folder.remove_empty(parent)


def undo(folder: Folder, area: Area, journal: Journal) -> tuple[str, ...]:
    """Put everything back as it was; the paths of files that somebody else changed since, which stay as they are.

    It can be repeated at will. Raises :class:`OSError` where the system refuses.
    """
    kept: list[str] = []
    for target in journal.targets:
        try:
            fine = _restore(folder, area, journal, target)
        except RefusedError:
            fine = False
        if not fine:
            kept.append(target.path)
    for path in reversed(journal.made_folders):
        folder.remove_empty(path)
    _sync(folder, area, journal.targets)
    return tuple(kept)


def all_written(folder: Folder, journal: Journal) -> bool:
    """True where every file is as the journal wants it."""
    try:
        return all(_hash(folder.read(target.path)) == target.new for target in journal.targets)
    except RefusedError:
        return False


def _hash(found: Found | None) -> str | None:
    return digest(found.data) if found is not None else None


def _holds(place: Place, wanted: str | None) -> bool:
    """True where the file that was taken out of the folder is the one that was expected.

    Also where it is not there: the file system could not keep it.
    """
    try:
        found = read_place(place, place.name)
    except RefusedError:
        return False
    return found is None or digest(found.data) == wanted


def _sync(folder: Folder, area: Area, targets: Sequence[TargetFile]) -> None:
    for path in {target.path.rpartition("/")[0]: target.path for target in targets}.values():
        with suppress(RefusedError):
            folder.sync(path)
    os.fsync(area.folder)


def _swap(folder: Folder, area: Area, target: TargetFile) -> None:
    """Let the new file and the old one change places."""
    shown = folder.full(target.path)
    if _hash(folder.read(target.path)) != target.old:
        raise ChangedError(shown)
    place, slot = folder.place(target.path), area.place(target.slot)
    if target.old is None:
        try:
            rename_new(slot, place)
        except FileExistsError:
            raise ChangedError(shown) from None
        return
    try:
        if target.new is None:
            rename_over(place, slot)
        else:
            exchange(slot, place)
    except FileNotFoundError:
        raise ChangedError(shown) from None
    if _holds(slot, target.old):
        return
    if target.new is None:
        rename_new(slot, place)
    else:
        exchange(slot, place)
    raise ChangedError(shown)


def _restore(folder: Folder, area: Area, journal: Journal, target: TargetFile) -> bool:
    """Put one file back; False where somebody else changed it since."""
    now = _hash(folder.read(target.path))
    if now == target.old:
        return True
    if now != target.new:
        return False
    if target.old is None:
        taken = area.place(target.slot + _TAKEN)
        rename_over(folder.place(target.path), taken)
        if _holds(taken, target.new):
            return True
        rename_new(taken, folder.place(target.path))
        return False
    slot = area.place(target.slot)
    if _hash(read_place(slot, target.slot)) != target.old:
        _recreate(area, target)
        slot = area.place(target.slot + _TAKEN)
    for parent in parents(target.path):
        with suppress(FileExistsError):
            folder.make(parent, journal.folder_modes.get(parent))
    if target.new is None:
        try:
            rename_new(slot, folder.place(target.path))
        except FileExistsError:
            return False
        return True
    exchange(slot, folder.place(target.path))
    if _holds(slot, target.new):
        return True
    exchange(slot, folder.place(target.path))
    return False


def _recreate(area: Area, target: TargetFile) -> None:
    """Write the old file anew from the bytes that were kept."""
    name = target.slot + _TAKEN
    with suppress(FileNotFoundError):
        os.unlink(name, dir_fd=area.folder)
    area.write(name, area.read_old(target), target.mode)
    os.utime(name, ns=(target.mtime_ns, target.mtime_ns), dir_fd=area.folder)
    area.sync([name])
