"""Where a text stands, as JSON and as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from memreview.model.transcript import Record, Transcript
from memreview.report.audit_json import SCHEMA
from memreview.report.styles import Role, Style, counted, plain
from memreview.report.times import local_day
from memreview.text import clip, mask_secrets, visible

Json = dict[str, Any]
WIDTH = 160
"""Cells of a line that are printed."""
BEFORE = 60


class NoteLine(Protocol):
    """A line of a note in which it stands."""

    @property
    def path(self) -> str:
        """The note."""
        ...

    @property
    def line(self) -> int:
        """Its 1-based number."""
        ...

    @property
    def text(self) -> str:
        """The line."""
        ...


class Spoken(Protocol):
    """A record in which it stands."""

    @property
    def transcript(self) -> Transcript:
        """The transcript it is in."""
        ...

    @property
    def record(self) -> Record:
        """The record."""
        ...


def found_data(
    text: str, found: Iterable[tuple[str, Iterable[NoteLine], Iterable[Spoken], int, int]], *, show_secrets: bool
) -> Json:
    """Everything that ``find --format json`` prints."""
    mask: Callable[[str], str] = str if show_secrets else mask_secrets
    return {
        "schema": SCHEMA,
        "text": text,
        "projects": [
            {
                "project": project,
                "notes": [{"file": hit.path, "line": hit.line, "text": mask(hit.text)} for hit in notes],
                "transcripts": [
                    {
                        "transcript": hit.transcript.name,
                        "path": hit.transcript.path,
                        "line": hit.record.line,
                        "speaker": hit.record.speaker.value,
                        "timestamp": hit.record.timestamp,
                        "text": mask(hit.record.text),
                    }
                    for hit in records
                ],
                "more_notes": more_notes,
                "more_transcripts": more_records,
            }
            for project, notes, records, more_notes, more_records in found
        ],
    }


def found_lines(
    text: str,
    found: Iterable[tuple[str, Iterable[NoteLine], Iterable[Spoken], int, int]],
    *,
    style: Style = plain,
    show_secrets: bool = False,
) -> Iterator[str]:
    """What was found, line by line, without line ends."""
    mask: Callable[[str], str] = str if show_secrets else mask_secrets
    none = True
    for project, notes, records, more_notes, more_records in found:
        none = False
        yield style(visible(project), Role.PATH)
        for hit in notes:
            yield f"  note       {visible(hit.path)}:{hit.line} │ {_around(mask(hit.text), text)}"
        if more_notes:
            yield style(f"  … {counted(more_notes, 'more line')} of notes", Role.DIM)
        for spoken in records:
            record = spoken.record
            when = local_day(record.timestamp)
            place = f"{visible(spoken.transcript.name)}:{record.line}"
            yield f"  {record.speaker.value:10} {place} {visible(when)} │ {_around(mask(record.text), text)}"
        if more_records:
            yield style(f"  … {counted(more_records, 'more record')}", Role.DIM)
    if none:
        yield f"“{visible(text)}” stands in no note and was said in no transcript."


def _around(text: str, wanted: str) -> str:
    """One line of a text around the first place where the words stand."""
    flat = " ".join(text.split())
    at = flat.casefold().find(" ".join(wanted.split()).casefold())
    start = max(0, at - BEFORE)
    return clip(("…" if start else "") + visible(flat[start : start + 2 * WIDTH]), WIDTH)
