"""What can be done about a finding, as changes of notes that go through a review like any other.

Nothing here writes: a remedy says which lines of which note go and come, which note is made and which goes.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memreview.checks.entries import ENTRY_CHARS, content
from memreview.checks.index import LINE_LIMIT, measure
from memreview.checks.index_text import loaded_text
from memreview.checks.note_facts import NoteFacts, note_facts
from memreview.checks.rotting import rotting
from memreview.checks.rules import AuditRule
from memreview.diff.lines import split_lines
from memreview.model.finding import Finding
from memreview.model.memory import INDEX_NAME
from memreview.text import decode, encode

LINE_CHARS = 148
"""Longest line that the client writes into an index itself (measured on 2.1.332)."""

_POINTER = re.compile(r"\]\(\s*<?([^()<>\n]+?)>?(?:\s+\"[^\"\n]*\")?\s*\)")
_LINK = re.compile(r"\[([^\[\]\n]*)\]\(\s*<?{}>?(?:\s+\"[^\"\n]*\")?\s*\)")
_SLUG = re.compile(r"[^a-z0-9]+")


class RemedyKind(StrEnum):
    """What is done."""

    ADD_LINE = "add-index-line"
    REMOVE_LINE = "remove-line"
    DELETE_NOTE = "delete-note"
    MOVE_DETAIL = "move-detail"
    MOVE_CONTENT = "move-content"
    DATE = "write-the-date"
    EDIT = "edit"
    """What a person wrote; no finding has it by itself."""


@dataclass(frozen=True, slots=True)
class LineEdit:
    """``removed`` lines of a note from line ``at`` on (from 0) give way to ``added``, whole lines with their ends."""

    path: str
    at: int
    removed: int
    added: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Remedy:
    """One way out of a finding: edits of notes, notes that are made, notes that go."""

    kind: RemedyKind
    title: str
    finding: Finding
    edits: tuple[LineEdit, ...] = ()
    made: Mapping[str, bytes] | None = None
    deleted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NoteChange:
    """One note before and after, None where it is not there."""

    path: str
    before: bytes | None
    after: bytes | None


def remedies(finding: Finding, notes: Mapping[str, bytes], written: float | None = None) -> tuple[Remedy, ...]:
    """All remedies of a finding, the usual one first; none where a person has to open the file.

    ``notes`` are the bytes of all notes now. ``written`` is when the finding's note was written, in seconds since 1970.
    A finding that does not fit the notes any more has none.
    """
    make = _MAKERS.get(finding.rule)
    return tuple(make(finding, notes, written)) if make is not None else ()


def carried_out(notes: Mapping[str, bytes], chosen: Iterable[Remedy]) -> tuple[NoteChange, ...]:
    """What becomes of the notes by all ``chosen`` together. Of edits that share lines, the first counts."""
    edits: dict[str, list[LineEdit]] = {}
    after: dict[str, bytes | None] = {}
    for remedy in chosen:
        if any(_clashes(edit, edits.get(edit.path, ())) for edit in remedy.edits):
            _merge(remedy, edits, notes)
            continue
        for edit in remedy.edits:
            edits.setdefault(edit.path, []).append(edit)
        after.update(remedy.made or {})
        after.update(dict.fromkeys(remedy.deleted))
    for path, own in edits.items():
        if path in notes and path not in after:
            after[path] = _edited(notes[path], own)
    changes = (NoteChange(path, notes.get(path), data) for path, data in sorted(after.items()))
    return tuple(change for change in changes if change.before != change.after)


def _merge(remedy: Remedy, edits: Mapping[str, list[LineEdit]], notes: Mapping[str, bytes]) -> None:
    """Take a further dead link out of a line that has lost one already."""
    edit = remedy.edits[0]
    own = edits.get(edit.path, [])
    at = next((n for n, other in enumerate(own) if (other.at, other.removed) == (edit.at, 1)), None)
    if remedy.kind is not RemedyKind.REMOVE_LINE or at is None or len(own[at].added) != 1:
        return
    so_far = {**notes, edit.path: _edited(notes[edit.path], [own[at]])}
    for again in _dangling(remedy.finding, so_far, None):
        own[at] = again.edits[0]


def _clashes(edit: LineEdit, others: Sequence[LineEdit]) -> bool:
    return any(
        edit.at < other.at + other.removed and other.at < edit.at + edit.removed
        for other in others
        if edit.removed and other.removed
    )


def _edited(data: bytes, edits: Sequence[LineEdit]) -> bytes:
    lines = list(split_lines(data))
    gone = [edit for edit in edits if edit.removed]
    placed: list[tuple[int, int, LineEdit]] = []
    for number, edit in enumerate(edits):
        around = [other.at + other.removed for other in gone if other.at < edit.at < other.at + other.removed]
        placed.append((max(around) if around and not edit.removed else edit.at, number, edit))
    # From the bottom up, so that places stay; at one place lines go before others come, the first given first.
    for at, _, edit in sorted(placed, key=lambda one: (-one[0], not one[2].removed, -one[1])):
        if edit.added and at and at <= len(lines) and not lines[at - 1].endswith(b"\n"):
            lines[at - 1] += _end(data)
        lines[at : at + edit.removed] = edit.added
    return b"".join(lines)


def _end(data: bytes) -> bytes:
    return b"\r\n" if data.count(b"\r\n") * 2 > data.count(b"\n") else b"\n"


def index_line(path: str, facts: NoteFacts, body: str) -> str:
    """The index line of a note, as the client writes it: title, link, and what the note says it is about."""
    stem = posixpath.basename(path).removesuffix(".md")
    about = " ".join((facts.description or _first_words(body)).split())
    link = f"<{path}>" if re.search(r"[\s()]", path) else path
    title = (facts.name or stem).replace("[", "(").replace("]", ")")
    return _clipped(f"- [{title}]({link}) — {about}" if about else f"- [{title}]({link})", LINE_CHARS)


def _first_words(body: str) -> str:
    return next((line.strip().lstrip("#>*- ").strip() for line in body.split("\n") if line.strip("#>*-`~ \r\n")), "")


def _clipped(text: str, size: int) -> str:
    if len(text) <= size:
        return text
    cut = text[: size - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > size // 2 else cut).rstrip(" ,;:—-") + "…"


def _orphan(finding: Finding, notes: Mapping[str, bytes], _: float | None) -> Iterator[Remedy]:
    path = finding.file or ""
    if path not in notes or INDEX_NAME not in notes:
        return
    facts = note_facts(notes[path])
    line = index_line(path, facts, decode(notes[path])[facts.body :])
    index = notes[INDEX_NAME]
    at = _last_entry(index)
    added = (encode(line) + _end(index),)
    yield Remedy(RemedyKind.ADD_LINE, f"add “{line}” to the index", finding, (LineEdit(INDEX_NAME, at, 0, added),))
    yield Remedy(RemedyKind.DELETE_NOTE, f"delete {path}", finding, deleted=(path,))


def _last_entry(index: bytes) -> int:
    """Behind which line (from 1; 0: at the top) a new entry goes: the last one that a session reads."""
    text = loaded_text(index)
    state = measure(text)
    last = 0
    for row, line in enumerate(text.text.split("\n")[: min(state.loaded_lines, LINE_LIMIT - 1)]):
        if _POINTER.search(line) or not last:
            last = text.raw_lines[row]
    return last if text.text else len(split_lines(index))


def _dangling(finding: Finding, notes: Mapping[str, bytes], _: float | None) -> Iterator[Remedy]:
    line = _line(notes, finding)
    if line is None:
        return
    text, number = line
    target = re.search(r"\Athe link to (.*) leads nowhere\Z", finding.message, re.DOTALL)
    if target is None or target.group(1) not in text:
        return
    if len(_POINTER.findall(text)) < 2:
        edit = LineEdit(finding.file or "", number, 1)
        yield Remedy(RemedyKind.REMOVE_LINE, f"remove line {number + 1}", finding, (edit,))
        return
    link = re.compile(_LINK.pattern.replace("{}", re.escape(target.group(1))))
    new = link.sub(r"\1", text, count=1)
    if new != text:
        edit = LineEdit(finding.file or "", number, 1, (encode(new),))
        yield Remedy(RemedyKind.REMOVE_LINE, f"take the link out of line {number + 1}", finding, (edit,))


def _line(notes: Mapping[str, bytes], finding: Finding) -> tuple[str, int] | None:
    lines = split_lines(notes.get(finding.file or "", b""))
    if finding.line is None or not 1 <= finding.line <= len(lines):
        return None
    return decode(lines[finding.line - 1]), finding.line - 1


def _long_entry(finding: Finding, notes: Mapping[str, bytes], _: float | None) -> Iterator[Remedy]:
    line = _line(notes, finding)
    if line is None or len(line[0]) <= ENTRY_CHARS:
        return
    text, number = line
    target = _POINTER.search(text)
    path = posixpath.normpath(target.group(1)) if target is not None else ""
    if target is None or path not in notes or path == INDEX_NAME or target.end() > ENTRY_CHARS - 20:
        return
    end = "\r\n" if text.endswith("\r\n") else "\n" if text.endswith("\n") else ""
    short = _clipped(text.rstrip("\r\n"), ENTRY_CHARS - 1) + end
    detail = text[target.end() :].strip(" —–-:\r\n")
    note = notes[path]
    newline = _end(note)
    edits = [LineEdit(INDEX_NAME, number, 1, (encode(short),))]
    if encode(detail) not in note:
        edits.append(LineEdit(path, len(split_lines(note)), 0, (newline, encode(detail) + newline)))
    said = f"move what line {number + 1} says into {path} and leave a hook"
    yield Remedy(RemedyKind.MOVE_DETAIL, said, finding, tuple(edits))


def _content(finding: Finding, notes: Mapping[str, bytes], _: float | None) -> Iterator[Remedy]:
    index = notes.get(INDEX_NAME, b"")
    run = next((run for run in content(loaded_text(index)) if run.first == finding.line), None)
    if run is None:
        return
    lines = split_lines(index)
    title = _heading(lines[: run.first - 1]) or "From the index"
    path = _free_name(_SLUG.sub("-", title.lower()).strip("-") or "from-the-index", notes)
    newline = _end(index)
    moved = b"".join(lines[run.first - 1 : run.last])
    about = _clipped(" ".join(_first_words("\n".join(run.lines)).split()), 100)
    quoted = about.replace("\\", "\\\\").replace('"', '\\"')
    head = f'---\nname: {path.removesuffix(".md")}\ndescription: "{quoted}"\nmetadata:\n  type: reference\n---\n\n'
    made = encode(head).replace(b"\n", newline) + moved + (b"" if moved.endswith(b"\n") else newline)
    entry = encode(_clipped(f"- [{title}]({path}) — {about}", LINE_CHARS)) + newline
    edit = LineEdit(INDEX_NAME, run.first - 1, run.last - run.first + 1, (entry,))
    said = f"move lines {run.first} to {run.last} into {path} and leave a hook"
    yield Remedy(RemedyKind.MOVE_CONTENT, said, finding, (edit,), {path: made})


def _heading(lines: Sequence[bytes]) -> str | None:
    for line in reversed(lines):
        text = decode(line).strip()
        if text.startswith("#"):
            title = text.strip("# ").replace("[", "(").replace("]", ")")
            return title if title and title.lower() != "memory" else None
    return None


def _free_name(stem: str, notes: Mapping[str, bytes]) -> str:
    taken = {path.lower() for path in notes}
    name, number = f"{stem[:60]}.md", 2
    while name in taken:
        name, number = f"{stem[:60]}-{number}.md", number + 1
    return name


def _date(finding: Finding, notes: Mapping[str, bytes], written: float | None) -> Iterator[Remedy]:
    path = finding.file or ""
    line = _line(notes, finding)
    if line is None or written is None:
        return
    text, number = line
    found = [
        one for one in rotting(text.rstrip("\r\n"), 0, written) if f"“{one.text}”" in finding.message and one.meant
    ]
    for one in found[:1]:
        start, _, end = one.meant.partition("/")
        if len(start) != 10 or not end:
            continue
        new = text[: one.start] + one.days + text[one.end :]
        said = f"write {one.days} for “{one.text}” in line {number + 1}"
        yield Remedy(RemedyKind.DATE, said, finding, (LineEdit(path, number, 1, (encode(new),)),))


_Maker = Callable[[Finding, Mapping[str, bytes], float | None], Iterator[Remedy]]
_MAKERS: Mapping[str, _Maker] = {
    AuditRule.ORPHAN_NOTE: _orphan,
    AuditRule.SECOND_LEVEL: _orphan,
    AuditRule.DANGLING_LINK: _dangling,
    AuditRule.LONG_ENTRY: _long_entry,
    AuditRule.INDEX_CONTENT: _content,
    AuditRule.DATE_ROTS: _date,
}

REMEDIES: Mapping[str, str] = {
    AuditRule.ORPHAN_NOTE: RemedyKind.ADD_LINE.value,
    AuditRule.SECOND_LEVEL: RemedyKind.ADD_LINE.value,
    AuditRule.DANGLING_LINK: RemedyKind.REMOVE_LINE.value,
    AuditRule.LONG_ENTRY: RemedyKind.MOVE_DETAIL.value,
    AuditRule.INDEX_CONTENT: RemedyKind.MOVE_CONTENT.value,
    AuditRule.DATE_ROTS: RemedyKind.DATE.value,
}
"""The usual kind of remedy by rule; for all others a person opens the file."""
