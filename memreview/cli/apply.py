"""``memreview apply``: carry out decisions, without a screen."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from memreview.cli import completion
from memreview.cli.common import common_options, format_option, options_from, target_from, target_options
from memreview.cli.output import emit, narrate
from memreview.errors import ExitCode, MemreviewError, UsageError
from memreview.model.memory import INDEX_NAME
from memreview.text import decode, mask_lines, visible

if TYPE_CHECKING:
    from memreview.apply.result import ApplyResult
    from memreview.config import Options
    from memreview.model.dream import Review
    from memreview.model.review import Decisions

RULES = ("all", "supported", "none")
MOST_CHECKED = 500
"""So many changes are checked only to have verdicts in the commit message; more would make the command wait for it."""


def _a_number(ctx: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and math.isnan(value):
        raise click.BadParameter("nan is no number of seconds.")
    return value


@click.command("apply")
@target_options
@click.option(
    "--decisions",
    "decisions_file",
    metavar="FILE",
    shell_complete=completion.files,
    help="Decisions as JSON; - reads them from stdin.",
)
@click.option("--accept", "rule", type=click.Choice(RULES), help="Take all changes, the supported ones, or none.")
@click.option("--dry-run", is_flag=True, help="Say what would be done, write nothing.")
@click.option("--no-commit", is_flag=True, help="Write the notes, make no commit.")
@click.option("--init", is_flag=True, help="Put the memory folder under git first, where it is not.")
@click.option(
    "--add-ignored", is_flag=True, help="Commit also notes that the repository around them ignores (git add --force)."
)
@click.option("--message", metavar="TEXT", help="The commit's subject, before the list of what was accepted.")
@click.option(
    "--wait",
    type=click.FloatRange(min=0),
    callback=_a_number,
    metavar="SECONDS",
    help="How long to wait for another's lock.",
)
@format_option
@common_options
@click.pass_context
def command(
    ctx: click.Context, /, output_format: str, decisions_file: str | None, rule: str | None, **given: Any
) -> int:
    """Write what is accepted into the real memory folder, and commit it.

    TARGET is the output folder of a dream. Exit status 3, with nothing written, where an accepted change conflicts with
    what is in the folder now.
    """
    if (decisions_file is None) == (rule is None):
        raise UsageError("say what to take: either --decisions FILE or --accept all, supported or none")
    as_json = output_format == "json"
    dry_run = bool(given["dry_run"])
    try:
        result = _apply(ctx, decisions_file, rule, given)
    except MemreviewError as error:
        if as_json and error.exit_code is ExitCode.REFUSED:
            emit([_json(None, dry_run=dry_run, error=str(error))])
        raise
    if result.refusal:
        narrate(f"memreview: this would be refused: {result.refusal}")
    for note in result.notes:
        narrate(f"memreview: {note}")
    if as_json:
        emit([_json(result, dry_run=dry_run, show_secrets=options_from(ctx, given).show_secrets)])
    else:
        emit(_lines(result, dry_run=dry_run))
    for conflict in result.conflicts:
        narrate(f"memreview: {conflict.path}: {conflict.reason}; nothing was written: reject or edit {conflict.change}")
    return ExitCode.REFUSED if result.conflicts else ExitCode.OK


def _apply(ctx: click.Context, decisions_file: str | None, rule: str | None, given: dict[str, Any]) -> ApplyResult:
    from memreview.workflow import CUT_OFF, apply_review, check_claims, open_review

    options = options_from(ctx, given)
    # A half-written folder must not be read as what a dream did to it; a dry run changes nothing, and only says so.
    review = open_review(target_from(given), options, recover=not given["dry_run"], wait=given["wait"])
    for finding in review.findings:
        if finding.rule == CUT_OFF:
            narrate(f"memreview: {finding.message}")
    if rule == "supported":
        review = check_claims(review, options)
    decisions = _decisions(review, decisions_file, rule)
    if rule != "supported":
        taken = _taken(review, decisions)
        if len(taken) > MOST_CHECKED:
            narrate(f"memreview: the claims of {len(taken)} changes were not checked; memreview verify checks them")
        elif taken:
            review = check_claims(review, options, only=taken)
    index = [*_index_remarks(review, decisions, options), *_lost_moves(review, decisions)]
    result = apply_review(
        review,
        decisions,
        options,
        dry_run=given["dry_run"],
        no_commit=given["no_commit"],
        init=given["init"],
        message=given["message"],
        add_ignored=given["add_ignored"],
        wait=given["wait"],
    )
    done = not result.conflicts and not result.refusal
    return replace(result, notes=(*result.notes, *index)) if index and done else result


def _index_remarks(review: Review, decisions: Decisions, options: Options) -> Iterator[str]:
    """What gets worse in the index: pointers that lead nowhere, notes that nothing names, lines that are lost."""
    from memreview.workflow import preview

    try:
        seen = preview(review, decisions, options)
    except MemreviewError:
        return
    known = {pointer.target for pointer in seen.before.dangling} if seen.before else set()
    for pointer in seen.after.dangling if seen.after else ():
        if pointer.target not in known:
            yield f"{INDEX_NAME}:{pointer.line} points to {visible(pointer.target)}, which is not there"
    orphans = set(seen.before.orphans) if seen.before else set()
    for path in seen.after.orphans if seen.after else ():
        if path not in orphans:
            yield f"{visible(path)}: no line of {INDEX_NAME} names it, so no session learns of it"
    if seen.after and seen.after.first_lost_line and not (seen.before and seen.before.first_lost_line):
        yield f"{INDEX_NAME} is longer than what a session loads: from line {seen.after.first_lost_line} on it is lost"


def _lost_moves(review: Review, decisions: Decisions) -> Iterator[str]:
    """What goes because the change that its lines moved to is not taken."""
    from memreview.review.strays import strays

    for stray in strays(review, decisions):
        count = len(stray.lines)
        lines = "a line" if count == 1 else f"{count} lines"
        into = visible(stray.into.file.path)
        yield f"{visible(stray.unit.file.path)}: what {lines} said moved to a change of {into} that was not taken"


def _taken(review: Review, decisions: Decisions) -> frozenset[str]:
    """The changes that are taken as they are proposed: what the commit can say of claims is said of these."""
    from memreview.model.review import Accept, TakeLines
    from memreview.review.index import index_of

    index = index_of(review)
    taken = (unit for unit in index.units if isinstance(index.effective(decisions, unit), Accept | TakeLines))
    return frozenset(unit.id for unit in taken)


def _decisions(review: Review, path: str | None, rule: str | None) -> Decisions:
    if path is not None:
        from memreview.review.decision_file import parse_decisions

        return parse_decisions(_read(path), review)
    from memreview.review.accept import AcceptRule, accept_by, left_out

    chosen = AcceptRule(rule or "none")
    if chosen is not AcceptRule.NONE:
        for note in left_out(review):
            narrate(f"memreview: {note}: left out what somebody else wrote while the dream ran")
    return accept_by(chosen, review)


def _read(path: str) -> bytes:
    if path == "-" and sys.stdin is None:
        raise UsageError("standard input is closed; --decisions wants a JSON file")
    try:
        with click.open_file(path, "rb") as stream:
            data = stream.read()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; --decisions wants a JSON file") from error
    assert isinstance(data, bytes)
    return data


def _json(result: ApplyResult | None, *, dry_run: bool, error: str | None = None, show_secrets: bool = False) -> str:
    """The JSON of a result; where applying was refused ``result`` is None and ``error`` says why."""
    from memreview.report.json import SCHEMA, dumps

    conflicts = result.conflicts if result else ()
    masked: Callable[[Sequence[str]], Sequence[str]] = tuple if show_secrets else mask_lines
    data = {
        "schema": SCHEMA,
        "written": list(result.written) if result else [],
        "deleted": list(result.deleted) if result else [],
        "commit": result.commit if result else None,
        "conflicts": [
            {
                "file": conflict.path,
                "change": conflict.change,
                "reason": conflict.reason,
                "live": list(masked([decode(line.removesuffix(b"\n")) for line in conflict.live])),
            }
            for conflict in conflicts
        ],
        "applied": result.applied if result else 0,
        "rejected": result.rejected if result else 0,
        "dry_run": dry_run,
        "before_ref": result.before_ref if result else None,
        "snapshot": result.snapshot if result else None,
        "notes": list(result.notes) if result else [],
        "error": error if result is None else result.refusal,
    }
    return dumps(data)


def _lines(result: ApplyResult, *, dry_run: bool) -> Iterator[str]:
    """One line a note, then the counts and the commit."""
    if result.conflicts:
        return
    would = "would be " if dry_run else ""
    for verb, paths in (("written", result.written), ("deleted", result.deleted)):
        for path in paths:
            yield f"{would}{verb}  {visible(path)}"
    taken = f"{result.applied} applied, {result.rejected} rejected"
    if dry_run:
        yield f"{taken}; nothing was written"
    elif result.commit:
        yield f"{taken}; commit {result.commit}"
    elif result.snapshot:
        yield f"{taken}; no commit, snapshot {result.snapshot} holds what is settled"
    else:
        yield f"{taken}; no commit"
    if result.before_ref:
        yield f"what was taken back is kept in {result.before_ref}"
