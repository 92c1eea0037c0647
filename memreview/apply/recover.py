"""An apply that was cut off, by a kill or a power failure, is finished or undone by the next one that starts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from memreview.apply.folder import Folder, refusing
from memreview.apply.journal import Area, Journal, open_areas
from memreview.apply.planned import PlannedFile
from memreview.apply.take_out import take_out
from memreview.apply.write import all_written, tidy, undo
from memreview.errors import MemreviewError
from memreview.text import visible

STATE_STAYS = 'the commit "State before review" stays, because others follow it'
_NOT_YET = "an apply that was cut off here is not undone yet; remove the cause and start again"


class Ending(StrEnum):
    """What became of an apply that was cut off."""

    UNTOUCHED = "untouched"
    UNDONE = "undone"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Recovery:
    """``files`` are the notes concerned, ``kept`` those of them that somebody else changed since and that were left.

    ``old_texts`` is a folder that holds what the kept ones said before, ``commit`` the review's commit of a finished
    apply, ``remarks`` what else there is to say.
    """

    memory_dir: str
    ending: Ending
    started: str = ""
    files: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    old_texts: str | None = None
    commit: str | None = None
    remarks: tuple[str, ...] = ()

    @property
    def messages(self) -> tuple[str, ...]:
        """What happened, one line each."""
        when = f" of {self.started}" if self.started else ""
        head = f"{visible(self.memory_dir)}: an apply{when} was cut off"
        if self.ending is Ending.UNTOUCHED:
            return (f"{head} before it changed anything; nothing was left to do",)
        if self.ending is Ending.FINISHED:
            commit = f" (commit {self.commit[:12]})" if self.commit else ""
            return (f"{head} when everything was written; it is finished now{commit}", *self.remarks)
        return (f"{head}; it is undone now, the notes are as before", *kept_messages(self), *self.remarks)


def kept_messages(recovery: Recovery) -> tuple[str, ...]:
    """One line for each note that was left as somebody else wrote it since."""
    where = f"; what it said before lies in {visible(recovery.old_texts)}" if recovery.old_texts else ""
    return tuple(
        f"{visible(path)}: this was changed by somebody else since and stays as it is{where}" for path in recovery.kept
    )


def recover(memory_dir: str) -> tuple[Recovery, ...]:
    """Finish or undo what was cut off in a memory folder; the caller holds its lock.

    Costs one look at the folder above where there is nothing to do. Raises
    :class:`~memreview.errors.LockedError` while a git of that apply is still at work, :class:`MemreviewError` where
    it can neither be finished nor undone.
    """
    if not os.path.isdir(memory_dir):
        return ()
    with refusing(memory_dir, _NOT_YET), Folder(memory_dir) as folder:
        areas = open_areas(folder.path)
        try:
            return tuple(_settle(folder, area, memory_dir) for area in areas)
        finally:
            for area in areas:
                area.remove_if_settled()


def _settle(folder: Folder, area: Area, memory_dir: str) -> Recovery:
    journal = area.read_journal()
    if journal is None:
        area.settle()
        return Recovery(memory_dir, Ending.UNTOUCHED)
    files = tuple(target.path for target in journal.targets)
    recovery = Recovery(memory_dir, Ending.UNDONE, journal.started, files)
    if journal.git is not None and journal.git.steps:
        recovery = _settle_git(folder, area, journal, recovery)
    elif all_written(folder, journal):
        tidy(folder, journal)
        recovery = replace(recovery, ending=Ending.FINISHED)
    else:
        recovery = roll_back(folder, area, journal, recovery)
    area.settle()
    return recovery


def _settle_git(folder: Folder, area: Area, journal: Journal, recovery: Recovery) -> Recovery:
    from memreview.apply.commit import finish_index, review_commit, take_back
    from memreview.vcs.repository import open_repository

    repository = open_repository(folder.path)
    if repository is None or journal.git is None:
        return roll_back(folder, area, journal, recovery)
    repository.held = (area.alive,)
    commit = review_commit(repository, journal)
    if commit is not None:
        remarks = finish_index(repository, journal.git)
        return replace(recovery, ending=Ending.FINISHED, commit=commit, remarks=remarks)
    recovery = roll_back(folder, area, journal, recovery)
    try:
        clear = take_back(repository, journal.git)
    except MemreviewError:
        clear = False
    if not clear:
        recovery = replace(recovery, remarks=(*recovery.remarks, STATE_STAYS))
    return recovery


def roll_back(
    folder: Folder, area: Area, journal: Journal, recovery: Recovery, files: Sequence[PlannedFile] = ()
) -> Recovery:
    """Put the notes back; what could not be, because somebody else changed it, is named in the result.

    ``files`` are what was planned, where this is the process that wrote them: our lines can be taken out of a note
    that was changed meanwhile then.
    """
    kept = undo(folder, area, journal)
    if kept and files:
        out = take_out(folder, area, files, kept)
        kept = tuple(path for path in kept if path not in out.paths)
        recovery = replace(recovery, remarks=(*recovery.remarks, *out.remarks))
    saved = [target for target in journal.targets if target.path in kept and target.old is not None]
    return replace(recovery, kept=kept, old_texts=area.keep_old(saved) if saved else None)
