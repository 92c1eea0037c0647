"""Base and decisions → text. Nothing is patched: every line comes from the base, the proposal or the person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memreview.diff.engine import apply_edits
from memreview.diff.lines import CRLF, LF, complete, split_lines
from memreview.diff.merge import OwnedEdit
from memreview.model.patch import Change, ChangeKind, FileChange
from memreview.model.review import Accept, Decisions, EditTo, TakeLines
from memreview.review.decide import decided, effective, takes_name


def edits(file: FileChange, decisions: Decisions) -> tuple[OwnedEdit, ...]:
    """What the decisions do to the base of ``file``, in order; edits of one file never touch each other.

    A note that does not exist yet has an empty base. Files without changes have no edits: see :func:`text`.
    """
    found: list[OwnedEdit] = []
    end = file_line_end(file)
    for change, decision in decided(decisions, file):
        if isinstance(decision, Accept):
            found.append(OwnedEdit(change.old_start, change.removed, change.added, change.id))
        elif isinstance(decision, EditTo):
            lines = written_lines(change, decision, end)
            found.append(OwnedEdit(change.old_start, change.removed, lines, change.id, True))
        elif isinstance(decision, TakeLines):
            found += _line_edits(change, decision)
    return tuple(found)


def text(file: FileChange, decisions: Decisions) -> bytes | None:
    """The note as decided, None where it does not exist. Undecided is as rejected.

    A deleted note goes when its one change is accepted, or none of its lines is left; an added note of which no line
    is taken does not come. Notes without changes (binary, empty, mode only, a bare rename) follow the file's id.
    """
    if not file.hunks:
        accepted = isinstance(effective(decisions, file), Accept)
        return file.proposed if accepted else file.base
    return carried_out(file, edits(file, decisions))


def carried_out(file: FileChange, changes: Sequence[OwnedEdit]) -> bytes | None:
    """The note after ``changes``, which are those of :func:`edits` for a file that has changes."""
    if not changes:
        return file.base
    base = split_lines(file.base or b"")
    lines = complete(apply_edits(base, changes), file_line_end(file))
    if not lines and (file.base is None or file.kind is ChangeKind.DELETED):
        return None
    return b"".join(lines)


def destination(file: FileChange, decisions: Decisions) -> str:
    """Where the text of :func:`text` belongs: the new name where a rename is accepted, else the old one."""
    if file.old_path is None or takes_name(decisions, file):
        return file.path
    return file.old_path


def file_line_end(file: FileChange) -> bytes:
    """The line end that lines written by a person get: that of most lines of the note."""
    data = file.base if file.base is not None else file.proposed or b""
    crlf = data.count(CRLF)
    return CRLF if 2 * crlf > data.count(LF) else LF


def written_lines(change: Change, decision: EditTo, end: bytes) -> tuple[bytes, ...]:
    """A person's lines as bytes of the note, ended by ``end``, but for a last line that has no end in the proposal."""
    lines = [encode_line(line) + end for line in decision.lines]
    if lines and change.added and not change.added[-1].endswith(LF):
        lines[-1] = lines[-1].removesuffix(end)
    return tuple(lines)


def encode_line(line: str) -> bytes:
    """The bytes of a line of text, without the carriage return that an editor may leave at its end."""
    return line.removesuffix("\r").encode("utf-8", "surrogateescape")


def _line_edits(change: Change, taken: TakeLines) -> Iterator[OwnedEdit]:
    """Single lines: as many old as new ones pair off; otherwise old lines that stay come before new ones that come."""
    size = len(change.removed)
    slots: list[list[bytes]] = [[] for _ in range(size + 1)]
    if size == len(change.added):
        for number in sorted(taken.added):
            slots[number + 1].append(change.added[number])
    else:
        stays = [number for number in range(size) if number not in taken.removed]
        slots[stays[-1] + 1 if stays else 0] = [change.added[number] for number in sorted(taken.added)]
    yield from _runs(change, taken.removed, slots)


def _runs(change: Change, gone: frozenset[int], slots: Sequence[Sequence[bytes]]) -> Iterator[OwnedEdit]:
    """One edit for each run of old lines that go or gain lines; ``slots[n]`` come before old line ``n``."""
    first: int | None = None
    added: list[bytes] = []
    for number in range(len(slots)):
        goes = number < len(change.removed) and number in gone
        if first is None and (slots[number] or goes):
            first = number
        added += slots[number]
        if first is not None and not goes:
            yield OwnedEdit(change.old_start + first, change.removed[first:number], tuple(added), change.id)
            first, added = None, []
