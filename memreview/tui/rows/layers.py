"""The four layers of a project's memory as rows: what every session loads, notes, a wiki among them, transcripts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from memreview.auditing.project import ProjectReport
from memreview.checks.index import LINE_LIMIT, UNIT_LIMIT, IndexStatus
from memreview.checks.layers import HOW_ESTIMATED, lifetimes
from memreview.checks.purpose import SENTENCES
from memreview.checks.rules import AuditRule
from memreview.checks.surroundings import Switch
from memreview.tui.content import shown
from memreview.tui.outlook import many
from memreview.tui.rows.model import Cell, Row
from memreview.tui.widgets.overview_rows import since

OLDEST = 5
"""Notes to check again first that are listed."""
BAR = 24
SCOPES = {
    "managed": "administrator",
    "user": "yours, all projects",
    "above": "folders above",
    "project": "project",
    "local": "project, yours",
    "index": "memory index",
}


def layer_rows(report: ProjectReport, now: datetime) -> list[Row]:
    """All of it."""
    return [
        *_loaded(report),
        *_index(report),
        *_kept(report),
        *_recheck(report, now),
        *_around(report, now),
    ]


def _row(text: str = "", style: str = "") -> Row:
    safe = shown(text)
    words = safe.lstrip(" ")
    return Row((Cell(words, style, number=len(safe) - len(words)),))


def size_of(size: float) -> str:
    """Bytes in words."""
    if size >= 100_000:
        return f"{size / 1e6:,.1f} MB"
    return f"{size / 1e3:,.1f} kB" if size >= 100 else f"{size:.0f} B"


def _loaded(report: ProjectReport) -> Iterator[Row]:
    layers = report.audit.layers
    yield _row(f"What every session loads: about {layers.loaded_tokens:,} tokens", "head")
    if layers.loaded:
        yield _row(f"  {'':20} {'tokens':>8}  {'size':>9}", "quiet")
    most = max((file.tokens for file in layers.loaded), default=0)
    for file in layers.loaded:
        bar = "━" * max(1, round(file.tokens / most * BAR)) if most else ""
        yield _row(f"  {SCOPES.get(file.scope, file.scope):20} {file.tokens:>8,}  {size_of(file.size):>9}  {bar}")
        yield _row(f"    {file.path}", "quiet")
    if not layers.loaded:
        yield _row("  nothing: there is no CLAUDE.md, and no index with text in it", "quiet")
    yield _row(f"  Tokens are estimated: {HOW_ESTIMATED}.", "quiet")
    if any(finding.rule == AuditRule.NO_PURPOSE for finding in report.audit.findings):
        yield _row("  No CLAUDE.md says what memory is for. Two sentences that could (a bet, not a rule):", "warning")
        for sentence in SENTENCES:
            yield _row(f"    {sentence}", "quiet")
    yield _row()


def _index(report: ProjectReport) -> Iterator[Row]:
    index, room = report.audit.index, report.audit.headroom
    yield _row("The index", "head")
    if index.status is IndexStatus.NONE:
        yield _row("  There is none with text in it; the client writes one at its next start.", "quiet")
        yield _row()
        return
    yield _row(f"  {index.lines:,} of {LINE_LIMIT} lines, {index.units:,} of {UNIT_LIMIT:,} UTF-16 units")
    if index.status is IndexStatus.CUT:
        lost = index.lines - index.loaded_lines
        yield _row(f"  ✗ cut: line {index.first_lost_line} is the first of {many(lost, 'line')} not loaded", "error")
    elif room is not None:
        entries = f"{many(room.entries, 'more entry').replace('entrys', 'entries')}"
        said = f"  The limit of {room.limit} binds first, after {entries} of {room.average_units} units"
        yield _row(said, "warning" if index.status is IndexStatus.NEAR else "")
    if index.status in (IndexStatus.CUT, IndexStatus.NEAR):
        yield _row("  First keep the transcripts (view 4), then trim: what is trimmed can then be proved.", "warning")
    yield _row()


def _kept(report: ProjectReport) -> Iterator[Row]:
    audit, layers = report.audit, report.audit.layers
    lives = dict(lifetimes(audit.retention.period.days, valid=audit.retention.period.valid))
    yield _row("What lies on the disk", "head")
    size, tokens = size_of(layers.note_size), f"{layers.note_tokens:,}"
    yield _row(f"  {many(layers.notes, 'note')}, {size}, about {tokens} tokens: {lives['notes']}")
    if layers.wiki is not None:
        wiki = layers.wiki
        against = f"{wiki.ratio:.2f} times its sources" if wiki.ratio is not None else "its sources are not all there"
        unread = f"; {len(wiki.unread)} of them no session has read" if audit.traced else ""
        heavy = wiki.ratio is not None and wiki.ratio > 1
        yield _row(
            f"  {len(wiki.pages)} of them lead to each other, {size_of(wiki.size)}, {against}{unread}",
            "warning" if heavy else "",
        )
    transcripts = many(audit.transcripts.count, "transcript")
    yield _row(f"  {transcripts}, {size_of(audit.transcripts.size)}: {lives['transcripts']}")
    yield _row()


def _recheck(report: ProjectReport, now: datetime) -> Iterator[Row]:
    oldest = report.audit.recheck(report.now)[:OLDEST]
    if not oldest:
        return
    yield _row("To check again first", "head")
    for one in oldest:
        use = report.audit.uses.get(one.path)
        read = f", last read {use.last_read.when[:10]}" if use is not None and use.last_read is not None else ""
        by = "" if one.by_stamp else " by mtime"
        yield _row(f"  {one.path}  {many(one.age_days, 'day')}{by}{read}")
    yield _row("  By stamp, else by mtime, which says when a file changed, not when it was last true.", "quiet")
    yield _row()


def _around(report: ProjectReport, now: datetime) -> Iterator[Row]:
    near = report.audit.surroundings
    yield _row("Around it", "head")
    if near.root is None:
        yield _row("  Nothing tells which directory this project stands for.", "quiet")
    else:
        there = "" if near.root_exists else " (not there any more)"
        yield _row(f"  directory {near.root}{there}", "" if near.root_exists else "warning")
    yield _row(f"  memory {report.audit.project.memory_dir}{f' → {near.link}' if near.link else ''}")
    if near.elsewhere is not None:
        yield _row(f"  autoMemoryDirectory sends sessions to {near.elsewhere}", "warning")
    for running in near.running:
        if running.alive:
            yield _row(f"  ● session {running.session} runs in {running.cwd} (process {running.pid})", "good")
    for name, paths in (("shared with", near.twins), ("also loaded by sessions of", near.others)):
        if paths:
            yield _row(f"  {name} {', '.join(paths)}")
    for agent in near.agents:
        yield _row(f"  agent {agent.agent} ({agent.scope}): {many(agent.notes, 'note')}, {agent.path}")
    yield _row(f"  auto memory {_on(near.auto_memory)}, auto dream {_on(near.auto_dream)}")
    last = since(near.consolidated, now)
    locked = "; a dream is at work now" if near.locked else ""
    yield _row(f"  last consolidation by the client: {last or 'none on record'}{locked}")


def _on(switch: Switch) -> str:
    return f"{'on' if switch.on else 'off'} ({switch.source})"
