"""Shell commands that wrote to a note, or removed it: found by the lines that they hold and the note that they name."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memreview.config import Options
from memreview.diff.lines import text_lines
from memreview.model.dream import Review
from memreview.model.patch import Change, FileChange
from memreview.model.transcript import Record, Speaker
from memreview.read.finder import TranscriptFinder
from memreview.read.needles import needles_in
from memreview.read.speech_cache import SpeechCache
from memreview.read.speech_index import SpeechIndex
from memreview.read.speech_search import search

FEWEST: Final = 8
"""Characters of a line by which a command can be told."""
MOST_LINES: Final = 200
"""Lines that are looked for; a proposal of more is no edit by hand."""
OF_LINE: Final = 12
"""Records that are looked at for one line, the likeliest."""

_SHELL: Final = re.compile(r"^(?:Bash|PowerShell|Shell)\b")
_REMOVES: Final = re.compile(r"\b(?:rm|unlink|git rm|mv|Remove-Item)\b")

Unit = tuple[FileChange, Change | None]


@dataclass(frozen=True, slots=True)
class ShellCall:
    """Where a command stands that wrote to a note."""

    path: str
    record: Record


def shell_calls(review: Review, options: Options, units: Sequence[Unit]) -> list[ShellCall | None]:
    """For each unit the latest shell command that wrote one of its lines, or removed its note; None where none did.

    All speech of the repository is gone through once.
    """
    wanted = [_lines(unit) for unit in units]
    asked = [(number, line) for number, lines in enumerate(wanted) for line in lines][:MOST_LINES]
    found: list[ShellCall | None] = [None] * len(units)
    if not asked:
        return found
    finder = TranscriptFinder(review.project, options, review.target.transcripts)
    with SpeechIndex(finder.everything(), SpeechCache(options.cache_dir)) as index:
        hits = search(index, [needles_in(line) for _, line in asked], [OF_LINE] * len(asked))
        for (number, line), of_line in zip(asked, hits, strict=True):
            for hit in of_line:
                record = index.record(hit.place)
                if record is None or not _wrote(record, units[number], line):
                    continue
                known = found[number]
                if known is None or (record.timestamp or "") > (known.record.timestamp or ""):
                    found[number] = ShellCall(index.transcript(hit.place.file).path, record)
    return found


def _lines(unit: Unit) -> list[str]:
    """The lines by which the command is told; of a note that goes its name."""
    file, change = unit
    if file.proposed is None:
        return [file.path]
    lines = text_lines(change.added) if change is not None else []
    return [text for line in lines if len(text := line.strip()) >= FEWEST]


def _wrote(record: Record, unit: Unit, line: str) -> bool:
    file, _ = unit
    if record.speaker is not Speaker.CALL or record.error or not _SHELL.match(record.text):
        return False
    name = (file.old_path or file.path).rsplit("/", 1)[-1]
    if name not in record.text:
        return False
    if file.proposed is None:
        return _REMOVES.search(record.text) is not None
    return json.dumps(line, ensure_ascii=False)[1:-1] in record.text
