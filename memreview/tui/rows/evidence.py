"""The rows beside a change: what CHANGES.md says of it, and the cited records with what was said before and after."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memreview.model.dream import Citation, CitationStatus, Entry, Reference, ReferenceKind, Review
from memreview.model.finding import Finding
from memreview.model.transcript import Record
from memreview.report.times import local_time
from memreview.text import mask_secrets
from memreview.tui.content import shown
from memreview.tui.rows.model import Cell, Row

AROUND = 2
"""Records with words that are shown before and after the cited ones."""
CITED_LINES = 60
"""Lines of a cited record that are shown here; the transcript screen shows all."""
NEAR_LINES = 4
LINE_CHARS = 2_000
"""Code points of one line that are shown here."""


_UUID_REST = re.compile(r"(?<=\b[0-9a-f]{8})-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b")


class Passage(NamedTuple):
    """The cited lines of a transcript: by these the records are read, and kept."""

    path: str
    start: int
    end: int


Passages = Mapping[Passage, Sequence[Record] | str]
"""What was read so far: records in order, or why they cannot be read."""

NOT_CITED = "No transcript is cited for this change."

REMEDIES = {
    CitationStatus.MISSING: "no transcript of this name is in the project's folders: name its folder by --transcripts",
    CitationStatus.OUT_OF_RANGE: "it has no such line: the citation is wrong, or the transcript was cut; t: its end",
    CitationStatus.AMBIGUOUS: "several transcripts have this name: name the right folder by --transcripts",
    CitationStatus.NOT_TEXT: "nobody says anything in that line, so it proves nothing: look around it with t",
}


def passage_of(citation: Citation) -> Passage | None:
    """Where the records of a citation are to be read, None where it leads nowhere."""
    if citation.path is None or citation.line is None or citation.status is CitationStatus.OUT_OF_RANGE:
        return None
    return Passage(citation.path, citation.line, max(citation.line, citation.end_line or citation.line))


def _end_of(citation: Citation) -> Passage | None:
    """The last line of a transcript that has no such line as is cited."""
    if citation.path is None or not citation.last_line or citation.status is not CitationStatus.OUT_OF_RANGE:
        return None
    return Passage(citation.path, citation.last_line, citation.last_line)


class Found(NamedTuple):
    """A record that is shown though CHANGES.md does not cite it: its place, and what is to be said of it."""

    passage: Passage
    words: str


def evidence_rows(
    review: Review, unit: str, passages: Passages, *, found: Sequence[Found] = (), show_secrets: bool = False
) -> list[Row]:
    """The rows for the change ``unit``; what was ``found`` besides its citations stands first."""
    writer = _Writer(passages, show_secrets)
    citations = review.citations.get(unit, ())
    explained = [review.entries[index] for index in review.explained_by.get(unit, ())]
    for one in found:
        writer.found(one)
    writer.sources(citations, review.references.get(unit, ()))
    if not citations:
        writer.blank()
        writer.line("No transcript tells who wrote this." if review.traced else NOT_CITED, "bad")
        if not found:
            writer.line("Nothing shown here says that it is true.", "quiet")
    for entry in explained:
        writer.entry(entry)
    if review.traced and citations:
        writer.blank()
        writer.line("Not cited by anybody: the calls that wrote this, and what the user had said before.", "quiet")
    elif not explained and not review.traced:
        writer.blank()
        writer.line("No entry of CHANGES.md explains this change.", "bad" if review.entries else "quiet")
    return writer.rows


def entry_rows(entry: Entry, passages: Passages, *, show_secrets: bool = False) -> list[Row]:
    """The rows for an entry of CHANGES.md that matches no change."""
    writer = _Writer(passages, show_secrets)
    writer.entry(entry)
    writer.blank()
    writer.line("No change of this proposal matches this entry.", "bad")
    writer.sources(entry.citations, entry.references)
    return writer.rows


def unheeded_rows(entry: Entry, passages: Passages, *, show_secrets: bool = False) -> list[Row]:
    """The rows for what the user said and the proposal lacks, with the record around it."""
    writer = _Writer(passages, show_secrets)
    writer.line(entry.text.split("\n", 1)[0], "bad")
    writer.sources(entry.citations, ())
    return writer.rows


def finding_rows(finding: Finding, *, show_secrets: bool = False) -> list[Row]:
    """The rows for a remark about the dream or one of its notes."""
    writer = _Writer({}, show_secrets)
    writer.line(finding.message, "entry")
    writer.blank()
    where = f" · {finding.file}" if finding.file else ""
    where += f" line {finding.line}" if finding.line else ""
    writer.line(f"{finding.severity.value} · {finding.rule}{where}", "quiet")
    return writer.rows


def by_transcript(citations: Sequence[Citation]) -> list[list[Citation]]:
    """Citations of one file together, in the order in which they are first cited."""
    groups: dict[str, list[Citation]] = {}
    for citation in citations:
        groups.setdefault(citation.path or citation.transcript or citation.raw, []).append(citation)
    return list(groups.values())


def place(citations: Sequence[Citation]) -> str:
    """``7f3a9c1e….jsonl:3, 7-9`` for citations of one transcript."""
    first = citations[0]
    name = os.path.basename(first.path) if first.path else first.transcript or first.raw
    located = sorted((one for one in citations if one.line is not None), key=lambda one: one.line or 0)
    lines = dict.fromkeys(_lines_of(citation) for citation in located)
    return short_name(name) + (":" + ", ".join(lines) if lines else "")


def short_name(name: str) -> str:
    """The name of a transcript with its session's id cut to eight digits."""
    return _UUID_REST.sub("…", name)


def _lines_of(citation: Citation) -> str:
    first, last = citation.line or 0, citation.end_line or 0
    return f"{first}-{last}" if last > first else str(first)


class _Writer:
    def __init__(self, passages: Passages, show_secrets: bool) -> None:
        self.passages = passages
        self.show_secrets = show_secrets
        self.rows: list[Row] = []

    def line(self, text: str, style: str, owner: object = None, kind: str = "") -> None:
        """One row of text that comes from us or from outside."""
        raw = text if self.show_secrets else mask_secrets(text)
        self.rows.append(Row((Cell(shown(raw), style),), owner if isinstance(owner, Passage) else None, kind or style))

    def blank(self) -> None:
        """An empty row between two parts."""
        if self.rows and self.rows[-1].kind != "blank":
            self.rows.append(Row((Cell(""),), None, "blank"))

    def entry(self, entry: Entry) -> None:
        self.blank()
        self.line(f"CHANGES.md line {entry.line}", "title", kind="title")
        for text in entry.text.split("\n"):
            self.line(text, "entry")

    def reference(self, reference: Reference) -> None:
        self.blank()
        kinds = {ReferenceKind.FILE: "file", ReferenceKind.COMMIT: "commit", ReferenceKind.LOG: "daily log"}
        style = "title" if reference.found else "bad"
        self.line(f"{reference.raw}", style, kind="title")
        what = kinds[reference.kind]
        if reference.found:
            self.line(f"a {what}, found; no transcript, so nobody's words", "quiet")
        else:
            self.line(f"✗ this {what} does not exist", "bad")

    def sources(self, citations: Sequence[Citation], references: Sequence[Reference]) -> None:
        for group in by_transcript(citations):
            self._transcript(group)
        for reference in references:
            self.reference(reference)

    def found(self, found: Found) -> None:
        """A record that is not cited, with its title."""
        passage = found.passage
        self.blank()
        name = short_name(os.path.basename(passage.path))
        self.line(f"{name}:{passage.start}  {found.words}", "found", passage, "title")
        records = self.passages.get(passage)
        if isinstance(records, str):
            self.line(f"✗ {records}", "bad")
            return
        for record in records or ():
            self._record(record, passage._replace(start=record.line, end=record.line), record.line == passage.start)

    def _transcript(self, citations: Sequence[Citation]) -> None:
        self.blank()
        leads = [passage for passage in map(passage_of, citations) if passage is not None]
        ends = [passage for passage in map(_end_of, citations) if passage is not None]
        found = any(citation.status is CitationStatus.FOUND for citation in citations)
        owner = next(iter((*leads, *ends)), None)
        self.line(place(citations), "title" if found else "bad", owner, "title")
        for citation in citations:
            if citation.status is not CitationStatus.FOUND:
                where = f"line {_lines_of(citation)} " if citation.line is not None and len(citations) > 1 else ""
                self.line(f"✗ {where}{citation.status.value}: {REMEDIES[citation.status]}", "bad")
            elif citation.last_line is not None:
                where = f"{_lines_of(citation)} runs past the end: line {citation.last_line} is the transcript's last"
                self.line(f"! {where}", "bad")
        self._records(citations, leads)

    def _records(self, citations: Sequence[Citation], leads: Sequence[Passage]) -> None:
        """What is said in and around the cited lines; a row of dots where something is left out between."""
        said: dict[int, Record | Citation] = {}
        spans: list[tuple[int, int]] = []
        for citation in citations:
            passage = passage_of(citation)
            if passage is None:
                continue
            records = self.passages.get(passage)
            if isinstance(records, str):
                self.line(f"✗ {records}", "bad")
                continue
            for record in records or ():
                said[record.line] = record
            if not records:
                said.setdefault(passage.start, citation)
            spans.append((records[0].line, records[-1].line) if records else (passage.start, passage.end))
        last: int | None = None
        for number in sorted(said):
            if last is not None and not any(start <= last and number <= end for start, end in spans):
                self.line("⋮", "quiet")
            last = number
            cited = any(passage.start <= number <= passage.end for passage in leads)
            owner = Passage(leads[0].path, number, number)
            what = said[number]
            if isinstance(what, Record):
                self._record(what, owner, cited)
            else:
                self._from_citation(what, owner)

    def _from_citation(self, citation: Citation, owner: Passage) -> None:
        """What is known before the transcript has been read again."""
        speaker = citation.speaker.value if citation.speaker else "…"
        self._head(owner.start, speaker, citation.timestamp, owner, cited=True)
        self._words(citation.text or "", owner, CITED_LINES, "cited")

    def _record(self, record: Record, passage: Passage, cited: bool) -> None:
        speaker = record.speaker.value if record.has_text else f"no words ({record.kind})"
        if record.error:
            speaker += ", failed"
        if record.sidechain:
            speaker += ", subagent"
        self._head(record.line, speaker, record.timestamp, passage, cited=cited)
        self._words(record.text, passage, CITED_LINES if cited else NEAR_LINES, "cited" if cited else "near")

    def _head(self, line: int, speaker: str, timestamp: str | None, passage: Passage, *, cited: bool) -> None:
        kind = "cited" if cited else "near"
        self.line(f"{line}  {speaker} · {local_time(timestamp)}", f"{kind}-head", passage, kind)

    def _words(self, text: str, passage: Passage, most: int, kind: str) -> None:
        text = text.rstrip("\n")
        part = text[: most * LINE_CHARS]
        hidden = part if self.show_secrets else mask_secrets(part)
        lines = hidden.split("\n")
        for number, line in enumerate(lines[:most]):
            cut = len(line) - LINE_CHARS
            said = line.removesuffix("\r") if cut <= 0 else f"{line[:LINE_CHARS]} … ({cut:,} characters more)"
            self.rows.append(Row((Cell(shown(said), kind, key=number),), passage, kind))
        more = text.count("\n") + 1 - most
        if more > 0 or len(part) < len(text):
            what = f"{more} more lines" if more > 0 else f"{len(text) - len(part):,} more characters"
            self.line(f"… {what}, t shows them", "quiet", passage, kind)
