"""The way back: taking back a review's commit, or single changes of it, merged with what stands in the notes now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from memreview.apply.result import ApplyResult
from memreview.apply.run import apply
from memreview.config import Options
from memreview.diff.engine import apply_edits
from memreview.diff.hunks import compare
from memreview.diff.lines import split_lines, text_lines
from memreview.errors import MemreviewError, UsageError
from memreview.evidence.keep import now
from memreview.evidence.kept_store import KeptStore
from memreview.lock import DEFAULT_WAIT
from memreview.model.dream import Project, Review, Target, TargetKind, unit_id, units_of
from memreview.model.kept import Kept, KeptChange, KeptEvidence
from memreview.model.memory import Note
from memreview.model.patch import Change, ChangeKind, Edit, FileChange
from memreview.model.review import ACCEPT, Decisions
from memreview.read.memory import read_folder
from memreview.read.revision_notes import notes_at
from memreview.text import clip, decode, mask_lines, mask_secrets, visible
from memreview.vcs.notes import LogRow
from memreview.vcs.revisions import FolderRevisions

SHORT: Final = 12
FEWEST: Final = 4
"""Characters of a change's id by which it can be named."""
_NO_CHANGE: Final = frozenset({Kept.KEPT, Kept.VERIFIED})
"""What is kept of lines that were there already."""
_CELLS: Final = 72


@dataclass(frozen=True, slots=True)
class Piece:
    """One change that a commit made, as it can be taken back.

    ``ids`` are the names by which it goes: that of the review that accepted it, and that of the commit's own
    difference. ``edit`` takes it back in the text ``after`` the commit; None where a whole note comes or goes.
    ``kept`` is its evidence.
    """

    ids: tuple[str, ...]
    note: str
    line: int
    file: FileChange
    edit: Edit | None
    kept: KeptChange | None = None

    @property
    def id(self) -> str:
        """The name that is shown."""
        return self.ids[0]

    @property
    def text(self) -> str:
        """What taking it back does, in one line."""
        if self.edit is None:
            return {ChangeKind.ADDED: "the new note goes", ChangeKind.DELETED: "the note comes back"}.get(
                self.file.kind, "the note as it was before"
            )
        lines = [decode(line).strip() for line in (self.edit.added or self.edit.removed)]
        told = [line for line in mask_lines(lines) if line]
        return ("" if self.edit.added else "without ") + (told[0] if told else "blank lines")


@dataclass(frozen=True, slots=True)
class PastReview:
    """One commit with what it changed; ``evidence`` is empty where none was kept. ``author`` made the decisions."""

    commit: str
    date: str
    subject: str
    pieces: tuple[Piece, ...]
    evidence: tuple[KeptEvidence, ...] = ()
    author: str = ""

    @property
    def counts(self) -> tuple[int, int, int] | None:
        """How many changes of the review were accepted, rejected, and how many it had; None where nothing says so."""
        for part in self.evidence:
            if part.total:
                return part.accepted, part.rejected, part.total
        return None

    @property
    def forgotten(self) -> int:
        """Changes whose cited records are not kept any more."""
        parts = [(part, change) for part in self.evidence for change in part.changes]
        return sum(bool(change.cited) and not part.records_of(change) for part, change in parts)


@dataclass(frozen=True, slots=True)
class TakingBack:
    """The taking back of a commit, or of ``pieces`` of it, as a review of which everything is accepted. ``message`` is
    the commit's without a reason."""

    past: PastReview
    pieces: tuple[Piece, ...]
    review: Review
    decisions: Decisions
    message: str


@dataclass(frozen=True, slots=True)
class Reverted:
    """What was taken back, and how that ended."""

    past: PastReview
    pieces: tuple[Piece, ...]
    result: ApplyResult


class History:
    """What the commits of a memory folder changed."""

    def __init__(self, project: Project, store: KeptStore) -> None:
        self._project = project
        self._store = store
        self._revisions = FolderRevisions(store.notes.repository.folder)
        self._disk: Mapping[str, Note] = read_folder(project.memory_dir, missing_ok=True).notes

    def every(self, limit: int | None = None) -> list[PastReview]:
        """All commits that changed notes, the latest first, ``limit`` of them; not the very first of all."""
        return list(self.each(limit))

    def each(self, limit: int | None = None) -> Iterator[PastReview]:
        """The same, one after another."""
        evidence = self._store.of_history()
        for row in self._store.notes.log(limit):
            if row.parent:
                yield self._past(row, evidence.get(row.sha, ()))

    def past(self, commit: str) -> PastReview:
        """One commit. :class:`UsageError` where there is none of that name, or where nothing came before it."""
        sha = self._store.notes.resolve(commit)
        if sha is None:
            raise UsageError(f"{commit}: no such commit in the repository of {self._project.memory_dir}")
        row = self._store.notes.row(sha)
        if not row.parent:
            raise UsageError(f"{commit}: nothing came before this commit, so there is nothing to go back to")
        return self._past(row, self._store.of_commit(sha))

    def _past(self, row: LogRow, evidence: tuple[KeptEvidence, ...]) -> PastReview:
        before = notes_at(self._revisions, row.parent, self._disk)
        after = notes_at(self._revisions, row.sha, self._disk)
        pieces = tuple(_pieces(compare(before, after), evidence))
        return PastReview(row.sha, row.date, row.subject, pieces, evidence, row.author)

    def taking_back(self, past: PastReview, wanted: Sequence[str], reason: str | None = None) -> TakingBack:
        """What it would be to take back the changes that ``wanted`` names, all where it names none.

        :class:`UsageError` where there are none.
        """
        pieces = tuple(_chosen(past, wanted))
        if not pieces:
            raise UsageError(f"{past.commit[:SHORT]} changed no note of {self._project.memory_dir}")
        review = self._review(past, pieces)
        units = [unit_id(file, change) for file, change in units_of(review.files)]
        renames = [file.id for file in review.files if file.old_path is not None]
        decisions = Decisions(dict.fromkeys((*units, *renames), ACCEPT))
        return TakingBack(past, pieces, review, decisions, _message(past, pieces, reason))

    def revert(
        self,
        past: PastReview,
        wanted: Sequence[str],
        options: Options,
        *,
        reason: str | None = None,
        dry_run: bool = False,
        wait: float = DEFAULT_WAIT,
    ) -> Reverted:
        """Take back the changes that ``wanted`` names, all where it names none.

        Raises what :func:`memreview.apply.run.apply` raises, its ``ConflictError`` where later edits overlap; the
        folder is as before then.
        """
        back = self.taking_back(past, wanted, reason)
        result = apply(
            back.review,
            back.decisions,
            options,
            read=lambda path: read_folder(path, missing_ok=True),
            dry_run=dry_run,
            message=back.message,
            wait=wait,
        )
        if result.commit is not None:
            fault = self._keep(past, back.pieces, options, result.commit)
            result = replace(result, notes=(*result.notes, *((fault,) if fault else ())))
        return Reverted(past, back.pieces, result)

    def _review(self, past: PastReview, pieces: Sequence[Piece]) -> Review:
        """The taking back as a review: its base is the commit, its proposal the commit without the pieces."""
        base: dict[str, Note] = {}
        proposed: dict[str, Note] = {}
        files = {piece.file.path: piece.file for piece in pieces}
        for file in files.values():
            own = [piece for piece in pieces if piece.file is file]
            if file.proposed is not None:
                base[file.path] = Note(file.path, file.proposed)
            if any(piece.edit is None for piece in own):
                if file.base is not None:
                    old = file.old_path or file.path
                    proposed[old] = Note(old, file.base)
                continue
            edits = sorted((piece.edit for piece in own if piece.edit is not None), key=lambda e: (e.start, e.end))
            text = b"".join(apply_edits(split_lines(file.proposed or b""), edits))
            proposed[file.path] = Note(file.path, text)
        label = f"the taking back of {past.commit[:SHORT]}"
        target = Target(TargetKind.FOLDERS, proposed=label, project=self._project.name)
        return Review(f"revert:{past.commit}", target, self._project, compare(base, proposed))

    def _keep(self, past: PastReview, pieces: Sequence[Piece], options: Options, commit: str) -> str | None:
        """Say in a note of the commit what it took back, so that nothing of it is taken for a later change."""
        changes = tuple(
            KeptChange(
                piece.id,
                piece.note,
                piece.line,
                Kept.REVERTED,
                tuple(text_lines(piece.edit.added)) if piece.edit is not None else (),
                tuple(text_lines(piece.edit.removed)) if piece.edit is not None else (),
            )
            for piece in pieces
        )
        try:
            evidence = KeptEvidence(self._project.name, f"revert of {past.commit[:SHORT]}", now(), changes=changes)
            self._store.add(commit, evidence, options)
        except (MemreviewError, OSError) as error:
            return f"the commit is made; what it took back could not be noted with it ({error})"
        return None


def _pieces(files: Sequence[FileChange], evidence: Sequence[KeptEvidence]) -> list[Piece]:
    """The changes of a commit, cut along those that a review accepted where these are known."""
    kept = [change for part in evidence for change in part.changes if change.decision not in _NO_CHANGE]
    found: list[Piece] = []
    for file in files:
        own = [change for change in kept if change.note in (file.path, file.old_path)]
        if file.kind is not ChangeKind.MODIFIED or not file.hunks:
            ids = (file.id, *(change.id for change in own), *(change.id for change in file.changes()))
            found.append(Piece(tuple(dict.fromkeys(ids)), file.path, 1, file, None, own[0] if own else None))
            continue
        for change in file.changes():
            found += _cut(file, change, own)
    return found


def _cut(file: FileChange, change: Change, kept: Sequence[KeptChange]) -> list[Piece]:
    """One change of the commit; as several where reviews accepted its parts one by one."""
    whole = Edit(change.new_start, change.added, change.removed)
    parts: list[tuple[int, Piece]] = []
    for one in kept:
        at, old = _place(one.added, change.added), _place(one.removed, change.removed)
        if at is None or old is None or not one.added:
            continue
        if len(one.added) == len(change.added) and len(one.removed) == len(change.removed):
            ids = tuple(dict.fromkeys((one.id, change.id)))
            return [Piece(ids, file.path, change.new_line, file, whole, one)]
        edit = Edit(
            change.new_start + at,
            change.added[at : at + len(one.added)],
            change.removed[old : old + len(one.removed)] if one.removed else (),
        )
        parts.append((at, Piece((one.id,), file.path, edit.start + 1, file, edit, one)))
    parts.sort(key=lambda pair: pair[0])
    ends = [(at, at + len(piece.edit.removed)) for at, piece in parts if piece.edit is not None]
    apart = all(first[1] <= second[0] for first, second in pairwise(ends))
    covers = sum(end - start for start, end in ends) == len(change.added)
    taken = sum(len(piece.edit.added) for _, piece in parts if piece.edit is not None) == len(change.removed)
    if parts and apart and covers and taken:
        return [piece for _, piece in parts]
    removal = next((one for one in kept if not one.added and _same(one.removed, change.removed)), None)
    ids = (removal.id, change.id) if removal is not None and not change.added else (change.id,)
    line = change.new_line
    return [Piece(tuple(dict.fromkeys(ids)), file.path, line, file, whole, removal if len(ids) > 1 else None)]


def _same(kept: Sequence[str], lines: Sequence[bytes]) -> bool:
    return len(kept) == len(lines) and _place(kept, lines) == 0


def _place(kept: Sequence[str], lines: Sequence[bytes]) -> int | None:
    """Where kept lines, whose secrets are masked, stand in a run of lines; None where they do not, or twice."""
    if not kept:
        return 0
    texts = [line.rstrip("\r") for line in mask_lines(text_lines(lines))]
    wanted = [mask_secrets(line).rstrip("\r") for line in kept]
    found = [at for at in range(len(texts) - len(wanted) + 1) if texts[at : at + len(wanted)] == wanted]
    return found[0] if len(found) == 1 else None


def _chosen(past: PastReview, wanted: Sequence[str]) -> list[Piece]:
    if not wanted:
        return list(past.pieces)
    chosen: list[Piece] = []
    for name in wanted:
        fitting = [
            piece
            for piece in past.pieces
            if any(known == name or (len(name) >= FEWEST and known.startswith(name)) for known in piece.ids)
        ]
        if len(fitting) != 1:
            known = ", ".join(piece.id for piece in past.pieces[:8])
            why = "more than one change has this id" if fitting else f"no such change in {past.commit[:SHORT]}"
            raise UsageError(f"{name}: {why}; it has {known}")
        if fitting[0] not in chosen:
            chosen.append(fitting[0])
    return [piece for piece in past.pieces if piece in chosen]


def _message(past: PastReview, pieces: Sequence[Piece], reason: str | None) -> str:
    """Subject, reason, and what is taken back; the rows of what that does follow."""
    what = "" if len(pieces) == len(past.pieces) else f"{len(pieces)} of {len(past.pieces)} changes of "
    subject = clip(f"Take back {what}{past.commit[:SHORT]} ({visible(mask_secrets(past.subject))})", _CELLS)
    told = mask_secrets((reason or "").strip())
    return "\n\n".join(part for part in (subject, told, f"This takes back changes of {past.commit}.") if part)
