"""``memreview claims``: the claim check by itself, JSON Lines in and JSON Lines out."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import tzinfo
from typing import TYPE_CHECKING, Any

import click

from memreview.cli.common import common_options, options_from
from memreview.cli.output import emit
from memreview.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from memreview.checks.claims.check import Question
    from memreview.checks.claims.records import Source

_SPEAKERS = ("user", "tool", "call", "assistant", "other")
_SHAPE = "see memreview claims --help for the shape of a row"


@click.command("claims")
@click.option("--all", "everything", is_flag=True, help="List also what the old text claimed already.")
@common_options
@click.pass_context
def command(ctx: click.Context, /, everything: bool, **given: Any) -> int:
    """Check claims against records, row by row, for pipelines and benchmarks.

    Each line of stdin is an object with "id", "added" and "removed" (lists of lines), "cited" and "others" (lists of
    records: "transcript", "line", "speaker", "timestamp", "text", "error"), and, where they are known, "anchor" (when
    the old lines were written), "timezone", "old_memory" and "new_memory" (all lines of the folder before and after).
    Each line of stdout is the answer to one row, in order. Exit status 1 where any row is flagged.
    """
    options = options_from(ctx, given)
    flagged = False

    def answers() -> Iterator[str]:
        nonlocal flagged
        for data in _answers(sys.stdin.buffer, everything=everything, show_secrets=options.show_secrets):
            flagged = flagged or bool(data["flagged"])
            yield json.dumps(data, ensure_ascii=True, separators=(",", ":")).replace("\x7f", "\\u007f")

    emit(answers())
    return ExitCode.FLAGGED if flagged else ExitCode.OK


def _answers(lines: Iterable[bytes], *, everything: bool, show_secrets: bool) -> Iterator[dict[str, Any]]:
    from memreview.checks.claims.check import check
    from memreview.report.claims import report_data
    from memreview.text import secret_spans

    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        row = _row(line, number)
        question = _question(row, number, everything)
        report = check(question, secret_spans, show_secrets=show_secrets)
        yield {"id": row.get("id"), **report_data(report, with_dropped=question.new_memory is not None)}


def _row(line: bytes, number: int) -> Mapping[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise UsageError(f"stdin line {number}: no JSON ({error}); {_SHAPE}") from None
    if not isinstance(row, dict):
        raise UsageError(f"stdin line {number}: no object; {_SHAPE}")
    return row


def _question(row: Mapping[str, Any], number: int, everything: bool) -> Question:
    from memreview.checks.claims.check import Question
    from memreview.checks.claims.novelty import OldText
    from memreview.checks.claims.records import parse_time

    anchor = row.get("anchor")
    moment = parse_time(anchor) if isinstance(anchor, str) else None
    if anchor is not None and moment is None:
        raise UsageError(f'stdin line {number}: "anchor" is no ISO 8601 time: {anchor!r}')
    old, new = _lines(row, "old_memory", number), _lines(row, "new_memory", number)
    return Question(
        added=_lines(row, "added", number) or [],
        removed=_lines(row, "removed", number) or [],
        cited=_records(row, "cited", number),
        others=_records(row, "others", number),
        anchor=moment,
        zone=_zone(row.get("timezone"), number),
        old_memory=None if old is None else OldText(old),
        new_memory=None if new is None else OldText(new),
        everything=everything,
    )


def _lines(row: Mapping[str, Any], key: str, number: int) -> list[str] | None:
    value = row.get(key)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(line, str) for line in value):
        raise UsageError(f'stdin line {number}: "{key}" is no list of lines; {_SHAPE}')
    return value


def _records(row: Mapping[str, Any], key: str, number: int) -> list[Source]:
    value = row.get(key) or []
    if not isinstance(value, list) or not all(isinstance(record, dict) for record in value):
        raise UsageError(f'stdin line {number}: "{key}" is no list of records; {_SHAPE}')
    return [_source(record, f'stdin line {number}, "{key}"') for record in value]


def _source(record: Mapping[str, Any], where: str) -> Source:
    from memreview.checks.claims.records import Source
    from memreview.model.transcript import Speaker

    speaker, line, text = record.get("speaker") or "other", record.get("line"), record.get("text")
    if speaker not in _SPEAKERS:
        raise UsageError(f'{where}: "speaker" is none of {", ".join(_SPEAKERS)}: {speaker!r}')
    if not isinstance(line, int) or isinstance(line, bool):
        raise UsageError(f'{where}: "line" is no number: {line!r}')
    if text is not None and not isinstance(text, str):
        raise UsageError(f'{where}: "text" is no text')
    stamp, name = record.get("timestamp"), record.get("transcript")
    return Source(
        transcript=name if isinstance(name, str) else "",
        line=line,
        speaker=Speaker(speaker),
        text=text or "",
        timestamp=stamp if isinstance(stamp, str) else None,
        error=bool(record.get("error")),
    )


def _zone(name: object, number: int) -> tzinfo | None:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    if name is None or name == "":
        return None
    try:
        return ZoneInfo(name) if isinstance(name, str) else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UsageError(f'stdin line {number}: "timezone" is no name of a time zone: {name!r}') from None
