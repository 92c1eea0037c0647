"""``memreview snapshot``: keep a memory as it stands, to see later what somebody else changed in it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from memreview.cli import completion
from memreview.cli.common import ProjectCommand, common_options, format_option, options_from
from memreview.cli.output import emit, narrate
from memreview.errors import ExitCode, UsageError
from memreview.text import visible

if TYPE_CHECKING:
    from memreview.config import Options
    from memreview.looks import KeptSnapshots, ProjectSnapshot
    from memreview.model.snapshot import Snapshot


@click.command("snapshot", cls=ProjectCommand)
@click.argument("project", required=False, metavar="[PROJECT]", shell_complete=completion.projects)
@click.option("--list", "listed", is_flag=True, help="List what is kept; without PROJECT of every folder.")
@click.option("--delete", is_flag=True, help="Remove all snapshots of PROJECT, or the one named with --id.")
@click.option("--write", "target", metavar="DIR", help="Write the notes of a snapshot into a new folder.")
@click.option("--id", "name", metavar="SNAPSHOT", help="Which snapshot (default for --write: the newest).")
@format_option
@common_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    project: str | None,
    listed: bool,
    delete: bool,
    target: str | None,
    name: str | None,
    output_format: str,
    **given: Any,
) -> int:
    """Keep the memory of PROJECT, or of all projects, as it stands now, in memreview's own state folder.

    memreview review --live DIR then shows what changed since, also where the folder is not under git. What is the same
    as last time is not kept twice, and only the latest snapshots are kept.
    """
    if sum((listed, delete, target is not None)) > 1:
        raise UsageError("--list, --delete and --write do different things; give one of them")
    if (delete or target is not None) and project is None:
        raise UsageError("name the PROJECT whose snapshots are meant")
    if name is not None and not delete and target is None:
        raise UsageError("--id says which snapshot --delete or --write is about; give one of these")
    options = options_from(ctx, given)
    as_json = output_format == "json"
    if listed:
        return _list(options, project, as_json=as_json)
    if delete and project is not None:
        from memreview.looks import delete_snapshots

        count = delete_snapshots(options, project, name)
        emit([_dumps({"deleted": count}) if as_json else f"{count} removed"])
        return ExitCode.OK
    if target is not None and project is not None:
        from memreview.looks import write_snapshot

        place = os.path.abspath(os.path.expanduser(target))
        one, count = write_snapshot(options, project, place, name)
        data = {"snapshot": one.id, "written": count, "folder": place}
        emit([_dumps(data) if as_json else f"{count} notes of {one.id} written to {visible(place)}"])
        return ExitCode.OK
    return _take(options, project, as_json=as_json)


def _take(options: Options, project: str | None, *, as_json: bool) -> int:
    from memreview.looks import take_snapshots

    found = take_snapshots(options, [project] if project is not None else [])
    if as_json:
        emit([_dumps({"projects": [_taken_data(one) for one in found]})])
    else:
        emit(_taken_lines(found))
    for one in found:
        if one.problem is not None:
            narrate(f"memreview: {one.problem}")
    return ExitCode.REFUSED if any(one.problem is not None for one in found) else ExitCode.OK


def _list(options: Options, project: str | None, *, as_json: bool) -> int:
    from memreview.looks import kept_snapshots

    rows = kept_snapshots(options, [project] if project is not None else [])
    if as_json:
        emit([_dumps({"projects": [_row_data(row) for row in rows]})])
    else:
        emit(_row_lines(rows))
    return ExitCode.OK


def _dumps(data: dict[str, Any]) -> str:
    from memreview.report.json import SCHEMA, dumps

    return dumps({"schema": SCHEMA, **data})


def _taken_data(one: ProjectSnapshot) -> dict[str, Any]:
    taken = one.taken
    return {
        "project": one.project.name,
        "memory_dir": one.project.memory_dir,
        "snapshot": _data(taken.snapshot) if taken is not None else None,
        "new": taken is not None and taken.new,
        "removed": taken.removed if taken is not None else 0,
        "kept": one.kept,
        "problem": one.problem,
    }


def _row_data(row: KeptSnapshots) -> dict[str, Any]:
    return {
        "project": row.project.name if row.project is not None else None,
        "memory_dir": row.memory_dir,
        "snapshots": [_data(one) for one in row.snapshots],
    }


def _data(one: Snapshot) -> dict[str, Any]:
    return {
        "id": one.id,
        "taken": one.taken,
        "kind": one.kind.value,
        "notes": len(one.notes),
        "bytes": one.size,
        "commit": one.head,
    }


def _taken_lines(found: Sequence[ProjectSnapshot]) -> Iterator[str]:
    from memreview.snapshots.store import KEPT

    if not found:
        yield "no project has a memory"
    for one in found:
        if one.taken is None:
            continue
        snapshot = one.taken.snapshot
        said = "kept" if one.taken.new else "unchanged since"
        went = f", {one.taken.removed} older removed" if one.taken.removed else ""
        yield f"{visible(one.project.name)}  {said} {snapshot.id}  {len(snapshot.notes)} notes, {snapshot.size:,} bytes"
        kept = "1 snapshot is" if one.kept == 1 else f"{one.kept} snapshots are"
        yield f"  {kept} kept (the latest {KEPT} of each kind){went}"


def _row_lines(rows: Sequence[KeptSnapshots]) -> Iterator[str]:
    from memreview.report.times import local_time

    if not any(row.snapshots for row in rows):
        yield "no snapshots are kept"
    for row in rows:
        yield visible(row.project.name if row.project is not None else row.memory_dir)
        for one in row.snapshots:
            yield (f"  {one.id}  {local_time(one.taken)}  {one.kind.value}, {len(one.notes)} notes, {one.size:,} bytes")
