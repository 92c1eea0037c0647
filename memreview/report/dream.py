"""A pass before and after it ran, as JSON and as lines of text."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from memreview.model.dreamed import Manifest, Planned
from memreview.report.json import SCHEMA
from memreview.report.styles import Role, Style, counted
from memreview.text import visible

Json = dict[str, Any]


def preview_data(planned: Planned) -> Json:
    """What ``dream --dry-run --format json`` prints."""
    return {
        "schema": SCHEMA,
        "dry_run": True,
        "project": planned.project,
        "memory_dir": planned.memory_dir,
        "window": {"since": planned.since, "until": planned.until, "days": planned.days},
        "notes": [{"path": path, "bytes": size} for path, size in planned.notes],
        "transcripts": [
            {
                "name": one.name,
                "path": one.path,
                "records": one.kept,
                "bytes": one.kept_bytes,
                "file_bytes": one.size,
                "first": one.first,
                "last": one.last,
            }
            for one in planned.transcripts
        ],
        "repository": list(planned.repository),
        "problems": list(planned.problems),
        "estimate": {"tokens": planned.tokens, "cost_usd": planned.cost_usd},
        "model": planned.model,
        "prompt": planned.prompt,
        "command": list(planned.command),
        "environment": dict(planned.environment),
    }


def preview_lines(planned: Planned, style: Style) -> Iterator[str]:
    """What ``dream --dry-run`` prints."""
    yield style("What would be copied", Role.HEADING)
    size = sum(size for _, size in planned.notes)
    yield f"  memory       {counted(len(planned.notes), 'note')}, {_bytes(size)}, from {visible(planned.memory_dir)}"
    kept = sum(one.kept_bytes for one in planned.transcripts)
    files = sum(one.size for one in planned.transcripts)
    yield (
        f"  transcripts  {len(planned.transcripts)}, {_bytes(kept)} of {_bytes(files)}: what was said "
        f"from {planned.since} to {planned.until}"
    )
    for one in planned.transcripts:
        yield (
            style(f"    {visible(one.name)}", Role.PATH) + f"  {counted(one.kept, 'record')}, {_bytes(one.kept_bytes)}"
        )
    for name in planned.repository:
        yield f"    repository/{visible(name)}"
    for problem in planned.problems:
        yield style(f"  left out: {visible(problem)}", Role.BAD)
    yield ""
    yield style("Estimate", Role.HEADING)
    yield f"  about {planned.tokens:,} tokens to read everything once ({_cost(planned)})"
    yield ""
    yield style("Instructions", Role.HEADING)
    yield from (f"  {visible(line)}" for line in planned.prompt.rstrip("\n").split("\n"))
    yield ""
    yield style("Command", Role.HEADING)
    words = ["PROMPT" if word.strip() == planned.prompt.strip() else word for word in planned.command]
    settings = " ".join(f"{name}={shlex.quote(value)}" for name, value in planned.environment.items())
    yield f"  {settings} {visible(shlex.join(words))} < /dev/null"


def _cost(planned: Planned) -> str:
    if planned.cost_usd is not None:
        return f"${planned.cost_usd:,.2f} at the configured price; every turn reads part of it again"
    if planned.model is None:
        return "no cost is told without a model and its price in the configuration"
    return f"the configuration has no price of {visible(planned.model)}"


def outcome_data(manifest: Manifest, folder: str, files: Sequence[str]) -> Json:
    """What ``dream --format json`` prints."""
    ending = manifest.ending
    return {
        "schema": SCHEMA,
        "project": manifest.project,
        "out": folder,
        "complete": ending.complete,
        "reason": ending.reason or None,
        "files": list(files),
        "left_out": [{"path": one.path, "reason": one.reason} for one in manifest.left_out],
        "remarks": list(manifest.remarks),
        "transcripts": len(manifest.transcripts),
        "tokens": manifest.tokens,
        "client_version": manifest.client_version,
        "model": manifest.model,
        "turns": ending.turns,
        "cost_usd": ending.cost_usd,
    }


def outcome_lines(manifest: Manifest, folder: str, files: Sequence[str], style: Style) -> Iterator[str]:
    """What ``dream`` prints at its end."""
    ending = manifest.ending
    if not ending.complete:
        yield style(f"! this run did not finish: {visible(ending.reason)}", Role.BAD)
    if files:
        named = ", ".join(map(visible, files[:8])) + (f" and {len(files) - 8} more" if len(files) > 8 else "")
        yield f"{counted(len(files), 'note')} changed: {named}"
    elif ending.complete:
        yield "nothing is proposed"
    for one in manifest.left_out:
        yield style(f"! left out: {visible(one.path)} ({one.reason})", Role.BAD)
    for remark in manifest.remarks:
        yield style(f"! {visible(remark)}", Role.BAD)
    said = [counted(ending.turns, "turn")] if ending.turns is not None else []
    said += [f"${ending.cost_usd:,.4f} as the client counts"] if ending.cost_usd is not None else []
    said += [visible(manifest.model)] if manifest.model else []
    if said:
        yield style(", ".join(said), Role.DIM)
    yield style(visible(folder), Role.PATH)


def _bytes(size: int) -> str:
    if size < 10_000:
        return f"{size:,} bytes"
    return f"{size / 1e3:,.0f} KB" if size < 10_000_000 else f"{size / 1e6:,.0f} MB"
